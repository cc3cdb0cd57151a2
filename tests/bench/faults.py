"""Every command that writes at a disk that fails: `python -m tests.bench.faults [every so manieth] [command]`.

Each error, Ctrl-C and kill at each call to the disk; then what was said is compared with what is there, and what is
there once the next command has run with what was there before and what would have come.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.storage.cases import Prepared, beside, cases
from tests.storage.faults import ERRORS, KILLS, LATE, STOP, run, wrong


def main() -> int:
    """Print the table: how often each command was tried, and what went wrong."""
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    begun, tried, failed = time.perf_counter(), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled = folder / "compiled"
        compiled.mkdir()
        at = 0
        for number, case in enumerate(cases(beside(folder / "beside", compiled))):
            if not case.name.startswith(sys.argv[2] if len(sys.argv) > 2 else ""):
                continue
            prepared = Prepared(folder / f"case-{number}", case, compiled)
            wrongs, first = 0, tried.total()
            for fault in [*prepared.faults(ERRORS, (False, True)), *prepared.faults((STOP, LATE, *KILLS))]:
                at += 1
                if at % every:
                    continue
                home = prepared.again()
                came = run(home, case.command, fault)
                tried["Ctrl-C" if fault.what == STOP else "kills" if fault.what in KILLS else "errors"] += 1
                for what in wrong(home, prepared.before, prepared.after, came, prepared.usual):
                    failed.append(f"{case.name}, {fault.what} at call {fault.at}{' and on' * fault.on}: {what}")
                    wrongs += 1
                    print(failed[-1])
                shutil.rmtree(home)
            count = tried.total() - first
            print(f"{case.name:36} {prepared.came.calls:4} calls {count:6} tried {wrongs:4} failed", flush=True)
    print(f"tried {', '.join(f'{often} {what}' for what, often in tried.items())}; failed {len(failed)}")
    print(f"{time.perf_counter() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
