"""What `%load_ext lexsi_nb` adds to a bare IPython start, and how soon a first question shows a line. CPU seconds.

    python bench/load_ext.py [--runs 9]

Ends with status 1 where a limit is passed, unless --no-limits is given.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
LOAD_LIMIT = 0.15  # CPU seconds that loading the extension may add
LINE_LIMIT = 1.0  # CPU seconds from a question to its first line
LOAD = "%load_ext lexsi_nb"
QUESTION = "For loans currently being repaid, which are likely to default?"
# The process notes what it had used when the question was asked.
ASK = f"""{LOAD}
import os, pathlib, time
pathlib.Path(os.environ["BENCH_ASKED"]).write_text(str(time.process_time()))
get_ipython().run_cell_magic("lexsi", "--data bank", {QUESTION!r})
"""
# Terminal control: window titles, colours, cursor moves; also one that has not arrived whole.
CONTROL = re.compile(r"\x1b\][^\x07]*(?:\x07|$)|\x1b\[[0-9;?]*[ -/]*(?:[@-~]|$)|\x1b[=>]?|\r")


def environment(folder: Path) -> dict[str, str]:
    """Return an environment whose IPython has no profile and no history of the user's."""
    own = {"IPYTHONDIR": str(folder), "LEXSI_NB_CACHE": str(ROOT / "build" / "bench-cache"), "OMP_NUM_THREADS": "2"}
    own["BENCH_ASKED"] = str(folder / "asked")
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, **own, "PYTHONPATH": path, "TERM": "xterm", "COLUMNS": "120"}


def command(source: str) -> list[str]:
    """Return the command that runs the source in IPython."""
    return [sys.executable, "-m", "IPython", "--no-banner", "--HistoryManager.enabled=False", "-c", source]


def cpu_of_run(source: str, env: dict[str, str]) -> float:
    """Return the CPU seconds, user and system, of one process that runs the source to its end."""
    process = subprocess.Popen(command(source), env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or said.strip():
        raise SystemExit(f"{source!r} ended with status {process.returncode} and said:\n{said}")
    return usage.ru_utime + usage.ru_stime


def cpu_until_first_line(source: str, env: dict[str, str]) -> tuple[float, str]:
    """Return the CPU seconds from the question to the first text that a terminal shows, and that text."""
    master, slave = pty.openpty()
    process = subprocess.Popen(command(source), env=env, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    shown = ""
    try:
        while not (text := CONTROL.sub("", shown).strip()):
            shown += os.read(master, 4096).decode(errors="replace")
        spent = psutil.Process(process.pid).cpu_times()
        asked = float(Path(env["BENCH_ASKED"]).read_text())
        return spent.user + spent.system - asked, text.splitlines()[0]
    except OSError:  # Linux ends a terminal whose other side is closed with an error
        raise SystemExit(f"{source!r} ended without showing anything") from None
    finally:
        process.kill()
        process.wait()
        os.close(master)


def main() -> int:
    """Print the measurements; return 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=9, help="runs of each kind; medians are shown")
    parser.add_argument("--no-limits", action="store_true", help="only measure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = environment(Path(folder))
        for source in ("pass", LOAD):  # compiles the bytecode
            cpu_of_run(source, env)
        bare, loaded = [], []
        for _ in range(options.runs):  # interleaved, so that a busy machine slows both
            bare.append(cpu_of_run("pass", env))
            loaded.append(cpu_of_run(LOAD, env))
        start, with_ext = statistics.median(bare), statistics.median(loaded)
        added = statistics.median([b - a for a, b in zip(bare, loaded, strict=True)])
        print(f"bare IPython start      {start:.3f} s CPU (median of {options.runs})")
        print(f"with %load_ext lexsi_nb {with_ext:.3f} s CPU, ratio {with_ext / start:.2f}")
        print(f"added                   {added:.3f} s CPU (limit {LOAD_LIMIT:.2f})")
        subprocess.run(command(ASK), env=env, stdout=subprocess.DEVNULL, check=True)  # makes the bundled data once
        firsts = [cpu_until_first_line(ASK, env) for _ in range(max(3, options.runs // 3))]
        first = statistics.median(cpu for cpu, _ in firsts)
        print(
            f"first line              {first:.2f} s CPU after it was asked (limit {LINE_LIMIT:.2f}): {firsts[0][1]!r}"
        )
    passed = added <= LOAD_LIMIT and first <= LINE_LIMIT
    return 0 if passed or options.no_limits else 1


if __name__ == "__main__":
    sys.exit(main())
