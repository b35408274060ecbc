"""What GitHub shows of a notebook: its sanitiser, simulated.

GitHub renders with nbconvert and cleans the HTML: scripts, style sheets, style attributes, ids, classes, forms and
event handlers go, tags that its list lacks are replaced by what is in them. The list is that of its Markdown sanitiser
(github/markup, HTML::Pipeline's SanitizationFilter); of an output it takes HTML, a picture, or text, in this order.
"""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser
from typing import Any

TAGS = frozenset(
    "h1 h2 h3 h4 h5 h6 br b i strong em a pre code img tt div ins del sup sub p picture ol ul table thead tbody tfoot "
    "blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption "
    "abbr bdo cite dfn mark small source span time wbr".split()
)
ATTRIBUTES = frozenset("abbr align alt aria-hidden aria-label border colspan href open rowspan scope src title".split())
DROPPED_WHOLE = frozenset("script style iframe object embed svg math".split())
EMPTY = frozenset("br img hr wbr source".split())
ORDER = ("text/html", "image/png", "image/jpeg", "text/plain")


class _Sanitiser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.dropping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in DROPPED_WHOLE:
            self.dropping += 1
        elif not self.dropping and tag in TAGS:
            kept = [(n, v or "") for n, v in attrs if n in ATTRIBUTES and self._safe(n, v or "")]
            self.out.append("<" + " ".join([tag, *(f'{n}="{escape(v)}"' for n, v in kept)]) + ">")

    def handle_endtag(self, tag: str) -> None:
        if tag in DROPPED_WHOLE:
            self.dropping = max(0, self.dropping - 1)
        elif not self.dropping and tag in TAGS - EMPTY:
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.dropping:
            self.out.append(escape(data, quote=False))

    @staticmethod
    def _safe(name: str, value: str) -> bool:
        return name not in ("href", "src") or value.startswith(("https:", "http:", "data:image/png", "#", "/"))


def sanitised(html: str) -> str:
    """Return the HTML as GitHub leaves it."""
    parser = _Sanitiser()
    parser.feed(html)
    parser.close()
    return "".join(parser.out)


def shown(bundle: dict[str, Any]) -> str:
    """Return one output as GitHub shows it: HTML, an `img`, or text in a `pre`; "" where nothing is left."""
    for kind in ORDER:
        if kind in bundle and kind == "text/html":
            return sanitised(bundle[kind])
        if kind in bundle and kind.startswith("image/"):
            return f'<img src="data:{kind};base64,{bundle[kind]}">'
        if kind in bundle:
            return f"<pre>{escape(str(bundle[kind]), quote=False)}</pre>"
    return ""


def words(html: str) -> str:
    """Return the text of some HTML, without tags and with single spaces."""

    class Text(HTMLParser):
        def __init__(self) -> None:
            super().__init__(convert_charrefs=True)
            self.parts: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.parts.append(" ")

        def handle_data(self, data: str) -> None:
            self.parts.append(data)

    parser = Text()
    parser.feed(html)
    parser.close()
    return " ".join("".join(parser.parts).split())
