"""The process of one run of the lab, which outlives the studio.

``python -m patolli.serve.studio.lab.run_process FOLDER`` starts ``patolli lab run`` with the arguments in
``wanted.json``, and writes its output to ``log.txt``. While the run is active, the file ``alive`` is touched
regularly. A file ``stop`` ends the run like Ctrl-C, so finished matches are stored. At the end, ``ended.json`` has the
exit status. No process ids are needed.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from patolli.language.sources.atomic_files import write_whole

WANTED, LOG, ALIVE, STOP, ENDED = "wanted.json", "log.txt", "alive", "stop", "ended.json"
EVERY = 0.5
"""Seconds between two checks of the run."""
INTERRUPT = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)


def keep_going(folder: Path) -> int:
    """Execute a run; return its exit status."""
    wanted = json.loads((folder / WANTED).read_text("utf-8"))
    command = [sys.executable, "-m", "patolli", "lab", "run", *wanted["arguments"], "--out", str(folder / "facts")]
    shown = False
    with (folder / LOG).open("ab") as log:
        child = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        while child.poll() is None:
            (folder / ALIVE).touch()
            if (folder / STOP).exists() and not shown:
                child.send_signal(INTERRUPT)
                shown = True
            time.sleep(EVERY)
    write_whole(folder / ENDED, json.dumps({"status": child.returncode, "stopped": shown}))
    (folder / ALIVE).unlink(missing_ok=True)
    return child.returncode


if __name__ == "__main__":
    sys.exit(keep_going(Path(sys.argv[1])))
