"""Keys, parked runs and the audit log: atomic, private, and honest about damage."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import pytest

from lexsi_nb.store.audit import START, AuditLog, BrokenLog
from lexsi_nb.store.finished import Keys
from lexsi_nb.store.folder import StoreFailed, state_folder
from lexsi_nb.store.parked import AlreadySettled, ParkedRuns, UnknownApproval


def test_a_key_is_claimed_once_and_bound_to_its_principal():
    keys = Keys()
    assert keys.claim("ann", "k", "d") is None
    taken = keys.claim("ann", "k", "d")
    assert (taken.digest, taken.state, taken.result) == ("d", "started", None)
    assert keys.claim("bob", "k", "d") is None
    keys.finish("ann", "k", "d", {"ok": True})
    assert Keys().claim("ann", "k", "other").result == {"ok": True}
    keys.release("ann", "k")
    assert keys.claim("ann", "k", "d") is None


def test_keys_expire():
    now = [0.0]
    keys = Keys(keep=10, now=lambda: now[0])
    assert keys.claim("ann", "k", "d") is None
    now[0] = 9.0
    assert keys.claim("ann", "k", "d") is not None
    now[0] = 11.0
    assert keys.claim("ann", "k", "d") is None


def test_of_many_threads_one_gets_a_key_and_one_a_parked_run():
    ParkedRuns().put("id", {"a": 1})
    won: list[str] = []

    def grab() -> None:
        if Keys().claim("ann", "k", "d") is None:
            won.append("key")
        try:
            ParkedRuns().take("id", "approved")
            won.append("run")
        except AlreadySettled:
            pass

    threads = [threading.Thread(target=grab) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == ["key", "run"]


def test_of_several_kernels_one_gets_a_key():
    source = "from lexsi_nb.store.finished import Keys; print(Keys().claim('ann', 'k', 'd') is None)"
    kernels = [subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [kernel.communicate(timeout=60)[0].strip() for kernel in kernels]
    assert sorted(answers) == ["False", "False", "True"]


def test_a_parked_run_is_taken_once_may_be_given_back_and_replaced():
    parked = ParkedRuns()
    parked.put("a", {"n": 1})
    parked.put("b", {"n": 2})
    assert [r.id for r in parked.waiting()] == ["a", "b"]
    assert parked.take("a", "approved").body == {"n": 1}
    with pytest.raises(AlreadySettled, match="approved"):
        parked.take("a", "declined")
    assert [r.id for r in parked.waiting()] == ["b"]
    parked.give_back("a")
    assert parked.take("a", "declined").state == "declined"
    assert not parked.put("a", {"n": 3}), "an id that was answered is not used again"
    assert parked.put("b", {"n": 3})
    assert parked.get("b").body == {"n": 3}
    assert parked.put("c", {"n": 4}, owner="one")
    assert not parked.put("c", {"n": 5}, owner="two")
    with pytest.raises(UnknownApproval, match="b, c"):
        parked.get("zzzzzz")


def test_a_damaged_file_is_named_with_what_to_do():
    (state_folder() / "state.sqlite").write_bytes(b"no database at all, but long enough to look at" * 50)
    with pytest.raises(StoreFailed, match=r"state\.sqlite cannot be used.*LEXSI_NB_STATE"):
        Keys().claim("ann", "k", "d")


def test_a_log_is_not_exported_where_there_is_no_folder(tmp_path):
    from lexsi_nb.errors import BadData
    from lexsi_nb.store.audit import AuditLog

    AuditLog().add("asked", who="ann", tool="t\ud800")
    with pytest.raises(BadData, match="no folder"):
        AuditLog().export(tmp_path / "missing" / "audit.jsonl")
    assert AuditLog().verify().entries == 1


def test_a_transaction_that_raises_leaves_nothing():
    from lexsi_nb.store.database import transaction

    def half() -> None:
        with transaction() as db:
            db.execute("INSERT INTO parked VALUES ('x', 'waiting', '{}', 0, NULL)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert ParkedRuns().waiting() == []
    with pytest.raises(StoreFailed), transaction() as db:
        db.execute("SELECT nonsense")


def log_of(tmp_path, n: int) -> AuditLog:
    log = AuditLog(tmp_path / "audit.jsonl")
    for i in range(n):
        log.add("asked", who="ann", tool="refund", args=f'{{"amount": {i}}}', run="r")
    return log


def test_a_log_is_a_chain(tmp_path):
    log = log_of(tmp_path, 3)
    first, second, third = log.entries()
    assert (first["before"], second["before"], third["before"]) == (START, first["hash"], second["hash"])
    assert [e["n"] for e in log.entries()] == [1, 2, 3]
    whole = log.verify()
    assert (whole.entries, whole.head) == (3, third["hash"])
    assert log.verify(first["hash"][:16]).entries == 3


def change(lines: list[str]) -> list[str]:
    return [lines[0].replace("ann", "bob"), *lines[1:]]


def rehash(lines: list[str]) -> list[str]:
    from lexsi_nb.store.audit import _hash

    entry = json.loads(lines[1])
    entry["who"] = "bob"
    entry["hash"] = _hash(entry)
    return [lines[0], json.dumps(entry), *lines[2:]]


@pytest.mark.parametrize(
    "tamper",
    [change, rehash, lambda x: x[1:], lambda x: [x[0], *x[2:]], lambda x: [x[1], x[0], x[2]], lambda x: [*x, "{}"],
     lambda x: [x[0], x[0], *x[1:]], lambda x: [x[0][:40], *x[1:]]],
    ids=["changed", "changed and hashed anew", "first gone", "middle gone", "moved", "added", "doubled", "cut line"],
)  # fmt: skip
def test_a_change_of_the_past_breaks_the_chain(tmp_path, tamper):
    log = log_of(tmp_path, 3)
    lines = log.path.read_text().splitlines()
    log.path.write_text("\n".join(tamper(lines)) + "\n")
    with pytest.raises(BrokenLog):
        log.verify()


def test_a_cut_end_shows_against_a_head_noted_earlier(tmp_path):
    log = log_of(tmp_path, 3)
    head = log.verify().head
    log.path.write_text("\n".join(log.path.read_text().splitlines()[:2]) + "\n")
    assert log.verify().entries == 2
    with pytest.raises(BrokenLog, match="no longer holds"):
        log.verify(head)


def test_many_threads_write_one_chain(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl")
    threads = [
        threading.Thread(target=lambda: [log.add("ran", who="a", tool="t", args="x" * 5000) for _ in range(5)])
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.verify().entries == 30


def test_an_empty_log_is_whole(tmp_path):
    assert AuditLog(tmp_path / "none.jsonl").verify().entries == 0
