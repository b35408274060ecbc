"""Images and PDFs: found undecoded, checked for what they are, bounded, given and taken by tools."""

from __future__ import annotations

import asyncio
import io
import struct
import zlib
from base64 import b64encode

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.data_uri import base64_size
from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.errors import BadData
from lexsi_nb.planners.scripted import ScriptedPlanner, say
from lexsi_nb.planners.scripted import call as step
from lexsi_nb.toolkit.declare import tool_of
from lexsi_nb.toolkit.media import (
    MAX_PIXELS,
    InlineMediaCandidate,
    UnrecognizedMediaError,
    UnsupportedModelMediaError,
    inspect_inline_media,
    materialize_inline_media,
    to_binary_content,
)
from lexsi_nb.toolkit.pdf import select_pdf_pages
from lexsi_nb.toolkit.registry import Registry


def png(width: int = 2, height: int = 3) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = b"".join(b"\x00" + b"\x7f" * min(width, 10) for _ in range(min(height, 10)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def uri(data: bytes, media_type: str = "image/png") -> str:
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def pdf(pages: int = 3, password: str = "") -> bytes:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    for number in range(pages):
        writer.add_blank_page(100 + number, 200)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    "value",
    [png(), bytearray(png()), memoryview(png()), uri(png()), uri(png(), "image/jpeg"),
     {"data": png(), "media_type": "x/y"}, {"data": b64encode(png()).decode(), "media_type": "image/png"},
     BinaryContent(png(), "image/gif")],
)  # fmt: skip
def test_what_the_bytes_are_beats_what_was_declared(value):
    content = to_binary_content(value)
    assert (content.media_type, content.data) == ("image/png", png())


def test_plain_base64_is_taken_only_when_asked_for():
    text = b64encode(png()).decode()
    with pytest.raises(UnrecognizedMediaError):
        to_binary_content(text)
    assert to_binary_content(text, decode_plain_base64=True).media_type == "image/png"


@pytest.mark.parametrize("value", [b"just text", 5, None, "words", {"data": b"nothing", "media_type": "image/png"}])
def test_what_is_no_media_is_an_error_of_its_own(value):
    with pytest.raises(UnrecognizedMediaError):
        to_binary_content(value)


@pytest.mark.parametrize("kind", ["BMP", "TIFF"])
def test_bmp_and_tiff_become_png(kind):
    image = pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    image.new("RGB", (4, 5), "red").save(out, kind)
    content = to_binary_content(out.getvalue())
    assert content.media_type == "image/png"
    assert image.open(io.BytesIO(content.data)).size == (4, 5)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_the_size_of_a_picture_is_read_from_its_header(kind):
    from lexsi_nb.toolkit.image_size import image_size
    from lexsi_nb.toolkit.media import sniff

    image = pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    image.new("RGB", (37, 51), "red").save(out, kind)
    assert image_size(out.getvalue(), sniff(out.getvalue())) == (37, 51)


def test_a_decompression_bomb_is_refused_by_its_header():
    bomb = png(100_000, MAX_PIXELS // 100_000 + 1)
    assert len(bomb) < 300
    with pytest.raises(ValueError, match="pixels"):
        to_binary_content(bomb)


@pytest.mark.parametrize("n", range(1, 12))
def test_the_size_of_base64_is_known_without_decoding(n):
    assert base64_size(b64encode(b"x" * n).decode()) == n


def test_too_large_is_refused_before_decoding():
    broken = "data:image/png;base64," + "!" * 4_000
    with pytest.raises(ValueError, match="about 3,000 bytes; at most 1,000"):
        materialize_inline_media(inspect_inline_media(broken)[0].candidate, max_bytes=1_000)
    with pytest.raises(ValueError, match="no base64"):
        materialize_inline_media(inspect_inline_media(broken)[0].candidate)


def test_a_collection_keeps_its_order_skips_none_and_is_all_media_or_none():
    found = inspect_inline_media([png(), None, uri(pdf_head(), "application/pdf")])
    assert [(i.index, i.candidate.declared_type) for i in found] == [(0, "image/png"), (2, "application/pdf")]
    assert inspect_inline_media(["a", 1]) is None
    assert inspect_inline_media([]) is None
    assert inspect_inline_media("words") is None
    assert inspect_inline_media([[png()]]) is None
    with pytest.raises(ValueError, match="item 1"):
        inspect_inline_media([png(), "words"])


def pdf_head() -> bytes:
    return b"%PDF-1.4\n"


def test_audio_is_known_and_is_not_for_a_model():
    wav = b"RIFF\x00\x00\x00\x00WAVEfmt "
    assert to_binary_content(wav).media_type == "audio/wav"
    with pytest.raises(UnsupportedModelMediaError, match="shown in the notebook"):
        materialize_inline_media(InlineMediaCandidate(wav, None, len(wav)))


def test_pages_of_a_pdf():
    pypdf = pytest.importorskip("pypdf")
    data = pdf(5)
    whole = select_pdf_pages(data)
    assert (whole.data, whole.first_page, whole.last_page, whole.total_pages) == (data, 1, 5, 5)
    some = select_pdf_pages(data, (2, 3))
    widths = [int(p.mediabox.width) for p in pypdf.PdfReader(io.BytesIO(some.data)).pages]
    assert (widths, some.first_page, some.last_page, some.total_pages) == ([101, 102], 2, 3, 5)
    assert select_pdf_pages(data, (4, 99)).last_page == 5


@pytest.mark.parametrize(
    ("make", "pages", "said"),
    [
        (lambda: pdf(3), (0, 1), "count from 1 to 3"),
        (lambda: pdf(3), (3, 2), "3 to 2"),
        (lambda: pdf(3), (4, 5), "has 3 pages"),
        (lambda: pdf(0), None, "no pages"),
        (lambda: pdf(2, "secret"), None, "encrypted"),
        (lambda: b"hello", None, "no PDF"),
        (lambda: pdf(2)[:60], None, "cannot be read"),
        (lambda: b"%PDF-1.4\n" + b"\x00" * 50, None, "cannot be read"),
        (lambda: b"%PDF-" + b"x" * 20_000_001, None, "At most 20,000,000"),
    ],
)
def test_a_pdf_that_will_not_do_is_said(make, pages, said):
    pytest.importorskip("pypdf")
    with pytest.raises(BadData, match=said):
        select_pdf_pages(make(), pages)


@lx.tool(reveals="schema")
def grow(picture: lx.BinaryContent, times: int = 1) -> lx.BinaryContent:
    """Give a picture back.

    Args:
        picture: The picture.
        times: How often.
    """
    return BinaryContent(picture.data, "image/jpeg", title="grown")


def test_a_tool_takes_and_gives_a_picture_which_the_notebook_shows():
    session = Session(
        planner=ScriptedPlanner([step("grow", picture=uri(png())), say("done")]),
        namespace={"t": pd.DataFrame({"a": [1]})},
    )
    session.add_tool(grow)
    run = session.ask("q")
    (content,) = run.of(BinaryContent)
    assert content.media_type == "image/png"
    assert run.steps[0].summary == f"grown: image/png, {len(png())} bytes"
    bundle = content._repr_mimebundle_()
    assert bundle["image/png"] == b64encode(png()).decode()
    assert bundle["text/plain"] == run.steps[0].summary


def test_the_schema_of_a_picture_is_a_data_uri_and_a_wrong_one_is_said(call):
    schema = tool_of(grow).schema.json_schema["properties"]["picture"]
    assert schema["type"] == "string"
    assert "data URI" in schema["description"]
    for wrong in ("picture.png", {"data": "x"}, 5, "data:image/png;base64,!!", "data:text/plain,hello"):
        outcome = call(grow, {"picture": wrong})
        assert outcome.status == "invalid", wrong
        assert "$.picture" in outcome.result.observation.text
    large = "data:image/png;base64," + "A" * 30_000_000
    outcome = call(grow, {"picture": large})
    assert outcome.status == "invalid"
    assert "at most 20,000,000" in outcome.result.observation.text
    assert len(outcome.result.observation.text) < 1_000


def test_a_list_of_pictures_is_shown_in_order(call):
    @lx.tool
    def several() -> list[lx.BinaryContent]:
        """Give two pictures."""
        return [BinaryContent(png(1, 1), "image/png", "one"), BinaryContent(png(2, 2), "image/png", "two")]

    outcome = call(several)
    assert [a.title for a in outcome.result.artifacts] == ["one", "two"]


def test_bytes_that_lie_about_their_type_fail_the_call(call):
    @lx.tool
    def liar() -> lx.BinaryContent:
        """Say that text is a picture."""
        return BinaryContent(b"just text", "image/png")

    assert call(liar).status == "failed"


@lx.tool
def scan(pages: list[lx.BinaryContent]) -> list[lx.BinaryContent]:
    """Give back what it was given.

    Args:
        pages: Pictures or PDFs.
    """
    return pages


def shown_to(planner: ScriptedPlanner) -> list[BinaryContent]:
    return [m for message in planner.turns[-1].messages for m in message.media]


@pytest.mark.parametrize(
    ("local", "policy", "reveals", "attached"),
    [
        (True, "schema", "rows", 2),
        (False, "schema", "rows", 0),
        (False, "rows", "rows", 2),
        (False, "schema", "schema", 2),
    ],
)
def test_pictures_and_pages_reach_a_planner_as_the_policy_lets_them(local, policy, reveals, attached):
    planner = ScriptedPlanner([step("scan", pages=["page", uri(png())]), say("done")])
    planner.local = local
    namespace = {"page": BinaryContent(pdf(1), "application/pdf", "p"), "t": pd.DataFrame({"a": [1]})}
    session = Session(planner=planner, policy=policy, namespace=namespace)
    session.add_tool(lx.tool(reveals=reveals)(scan))
    run = session.ask("q")
    shown = shown_to(planner)
    assert [m.media_type for m in shown] == ["application/pdf", "image/png"][:attached]
    text = planner.turns[-1].observations("scan")[0].text
    assert text.startswith("p: application/pdf, ")
    assert ("withheld" in text) == (attached == 0)
    assert len(run.of(BinaryContent)) == 2, "the notebook shows both"


def test_a_variable_that_holds_no_picture_is_said_with_the_nearest():
    planner = ScriptedPlanner([step("scan", pages=["pgae"]), step("scan", pages=["t"]), say("done")])
    session = Session(planner=planner, namespace={"page": png(), "t": pd.DataFrame({"a": [1]})})
    session.add_tool(scan)
    run = session.ask("q")
    assert [s.status for s in run.steps] == ["invalid", "invalid"]
    assert "nearest: page" in run.steps[0].summary
    assert "$.pages[0]" in run.steps[0].summary


def test_a_picture_too_many_or_of_a_kind_no_model_reads_stays_in_the_notebook(call):
    from lexsi_nb.toolkit.media import MOST_ATTACHED, attachable

    @lx.tool
    def album() -> list[lx.BinaryContent]:
        """Give many pictures and a sound."""
        wav = BinaryContent(b"RIFF\x00\x00\x00\x00WAVEfmt ", "audio/wav")
        return [wav, *(BinaryContent(png(1, n + 1), "image/png") for n in range(12))]

    outcome = call(album)
    assert len(outcome.result.observation.media) == MOST_ATTACHED
    assert "3 of them only the notebook shows" in outcome.result.observation.text
    assert len(outcome.result.artifacts) == 13
    heavy = [BinaryContent(bytes(10 * 2**20), "image/png")] * 3
    assert len(attachable(heavy)) == 2


def test_what_was_shown_is_there_when_a_parked_run_goes_on_in_another_kernel():
    @lx.tool(side_effect="irreversible")
    def post() -> str:
        """Post it."""
        return "posted"

    def session(lines):
        made = Session(planner=ScriptedPlanner(lines), namespace={"page": png(), "t": pd.DataFrame({"a": [1]})})
        made.add_tool(scan)
        made.add_tool(post)
        return made

    run = session([step("scan", pages=["page"]), step("post"), say("done")]).ask("q")
    assert run.status == "awaiting_approval"
    other = session([say("done")])
    assert other.resume(run.approval.id, approve=True).status == "answered"
    assert [m.data for m in shown_to(other.chosen_planner)] == [png()]


def test_media_in_an_argument_are_what_their_bytes_are():
    got: list[BinaryContent] = []

    @lx.tool
    def look(picture: BinaryContent) -> str:
        """Look.

        Args:
            picture: What to look at.
        """
        got.append(picture)
        return picture.media_type

    registry = Registry([look])

    def status(text: str) -> str:
        return asyncio.run(registry.call("look", {"picture": text})).status

    assert status(uri(png(), "image/jpeg")) == "ok"
    assert got[0].media_type == "image/png"
    outcome = asyncio.run(registry.call("look", {"picture": uri(b"no picture", "image/png")}))
    assert outcome.status == "invalid"
    assert "no media that is known here (declared: image/png)" in outcome.result.observation.text
    assert status(uri(png(100_000, 100_000))) == "invalid"
    assert len(got) == 1
