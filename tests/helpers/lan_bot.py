"""`kungfu2100 join` with a diary of what its bot chose: `python -m tests.helpers.lan_bot DIARY PAUSE ARGS`.

Each choice is a line of JSON before it is sent and another one with what the host said to it, so that what
the host took in can be told from what it cannot have taken in, also after this program was killed. The bot
thinks up to PAUSE seconds, and looks for a host that it has lost at its old address only: tests keep to
loopback.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from app.cli import main
from app.lan.guest.link import Link
from app.lan.guest.remote import RemoteMatch
from engine.core.decision import Choice, IllegalChoice
from engine.raid.match import RULES

SENT, TAKEN, REFUSED, UNKNOWN = "sent", "taken", "refused", "unknown"


def keep_diary(path: Path, pause: float) -> None:
    """Let every choice of this program be written down from now on."""
    submit = RemoteMatch.submit
    out = path.open("a", encoding="utf-8", buffering=1)

    def noted(self: RemoteMatch, side: str, choice: Choice, revision: int | None = None) -> None:
        time.sleep(random.uniform(0.0, pause))

        def note(what: str) -> None:
            told = {"what": what, "choice": RULES.pack_choice(choice)}
            out.write(json.dumps(told) + "\n")

        note(SENT)
        try:
            submit(self, side, choice, revision)
        except IllegalChoice as refusal:
            note(UNKNOWN if refusal.reason.startswith("the host cannot be asked") else REFUSED)
            raise
        note(TAKEN)

    RemoteMatch.submit = noted  # type: ignore[method-assign]


def stay_on_loopback() -> None:
    """Let links not look for their host on other networks."""
    defaults = Link.__init__.__kwdefaults__
    assert defaults is not None
    defaults["look"] = None


if __name__ == "__main__":
    keep_diary(Path(sys.argv[1]), float(sys.argv[2]))
    stay_on_loopback()
    sys.exit(main(sys.argv[3:]))
