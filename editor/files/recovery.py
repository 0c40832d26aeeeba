"""Recovery: unsaved work is kept in a folder of the user's own, and offered after a crash.

Each open document is a session with three files named by it: `.json` has the unsaved draft, `.opening` the
path of a file that is just being opened, `.lock` says which process it belongs to. What a dead session left
is offered at the next start; nothing of it is ever opened by itself.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QLockFile, QObject, QTimer, Signal, Slot

from app.file_names import move_into
from app.folders import data_folder
from editor.document import Document
from editor.draft import OWN_MAP, Draft, format_draft
from editor.files.differences import Difference, differences
from editor.files.opening import open_file, read_content
from engine.core.files import BadFile, Part, decode, encode, read_bytes, write_atomic
from engine.fortress.floorplan import FloorPlan

KIND: Final = "kungfu2100.recovery"
VERSION: Final = 1
INTERVAL: Final = 5_000  # ms from the first unsaved edit, and from then on
LARGE: Final = 10_000  # squares of a map that takes so long to write that drawing would be felt to halt
SLOW_INTERVAL: Final = 30_000  # ms, for such maps
SETTLED: Final = 3000  # ms after which an opened file is taken not to have brought the program down
UNREADABLE: Final = "unreadable"


class Unsaved(Part, frozen=True, kw_only=True):
    """The recovery file's model.

    `path` is where the draft's own file is ("" for none), `base` the hash of what that held when it was
    read or saved last, `when` the time of writing (ISO 8601). `text` is the draft's file with its map in
    it, `map` what its scenario says of the map.
    """

    path: str = ""
    base: str = ""
    when: str
    map: str = OWN_MAP
    text: str


class Recovered(NamedTuple):
    """Work that a session left unsaved: `path` is its file's, None if it had none, `size` in bytes.

    `base` is the hash of what the file held when the work began, "" where that is not known; `changes` are
    the differences from what it holds now, or None where it cannot be opened.
    """

    session: str
    draft: Draft
    path: Path | None
    base: str
    when: datetime
    size: int
    changes: tuple[Difference, ...] | None


def recovery_folder() -> Path:
    """Return where unsaved work is kept."""
    return data_folder() / "recovery"


class Recovery(QObject):
    """Keeps a document's unsaved work, and finds what dead sessions left of theirs.

    `failed` carries why the work could not be kept; it is said once until it works again. `base` is the
    hash of what the document's file holds, as far as its editor knows. Work is written down every `interval`
    ms while it is unsaved, without one as its size allows.
    """

    failed = Signal(str)

    def __init__(
        self,
        document: Document,
        parent: QObject | None = None,
        *,
        folder: Path | None = None,
        interval: int | None = None,
        settled: int = SETTLED,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._folder = folder if folder is not None else recovery_folder()
        self._interval = interval
        self._now = now
        self._session = uuid.uuid4().hex
        self._lock: QLockFile | None = None
        self._theirs: dict[str, QLockFile] = {}
        self._kept: Draft | None = None
        self._has_failed = False
        self._is_closed = False
        self.base = ""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.keep)
        self._settling = QTimer(self)
        self._settling.setInterval(settled)
        self._settling.setSingleShot(True)
        self._settling.timeout.connect(self.note_opened)
        app = QCoreApplication.instance()
        if app is not None:
            # Whoever ends the program without closing its windows has not been asked about them.
            app.aboutToQuit.connect(self._on_quit)
        document.changed.connect(self._follow)
        document.modified.connect(self._follow)
        self._follow()

    # This session

    @property
    def file(self) -> Path:
        """Where this session's unsaved work is kept."""
        return self._folder / f"{self._session}.json"

    @property
    def _marker(self) -> Path:
        return self._folder / f"{self._session}.opening"

    @Slot()
    def _follow(self) -> None:
        """Let the time run while there is something unsaved, and forget what has been saved or taken back."""
        if not self._document.is_modified:
            if self._timer.isActive():
                self._timer.stop()
            self.forget()
        elif not self._timer.isActive() and not self._is_closed:
            self._timer.start(self._interval or _interval(self._document.draft))

    @Slot()
    def keep(self) -> None:
        """Write the unsaved work down, unless it is there already."""
        draft = self._document.kept
        if self._is_closed or not self._document.is_modified or draft == self._kept:
            return
        path = self._document.path
        try:
            unsaved = Unsaved(
                path=_text_of(path),
                base=self.base,
                when=self._now().isoformat(timespec="seconds"),
                map=str(draft.scenario.map) if draft.scenario is not None else OWN_MAP,
                text=format_draft(_with_own_map(draft)).decode(),
            )
            self._begin()
            write_atomic(self.file, encode(unsaved, KIND, VERSION))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            if not self._has_failed:
                self.failed.emit(f"Unsaved work cannot be kept for recovery: {reason}.")
            self._has_failed = True
            return
        self._has_failed = False
        self._kept = draft

    @Slot()
    def _on_quit(self) -> None:
        self.keep()
        self.note_opened()

    def forget(self) -> None:
        """Delete this session's unsaved work: it is saved, taken back, or not wanted."""
        self._kept = None
        if self._lock is not None:
            _remove(self.file)

    def close(self) -> None:
        """End the session, leaving nothing behind."""
        self._is_closed = True
        self._timer.stop()
        self.forget()
        self.note_opened()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
        for session in list(self._theirs):
            self.leave(session)

    def _begin(self) -> None:
        """Make the folder, and claim this session's files. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            lock = _lock(self._folder / f"{self._session}.lock")
            if lock is None:
                raise PermissionError(f"{self._folder} may not be written to")
            self._lock = lock

    def note_opening(self, path: Path) -> None:
        """Note that a file is being opened, so that it is known should it bring the program down."""
        with suppress(OSError):
            self._begin()
            write_atomic(self._marker, str(path.absolute()).encode(errors="surrogateescape"))
        self._settling.start()

    @Slot()
    def note_opened(self) -> None:
        """Note that the file that was opened did no harm."""
        self._settling.stop()
        if self._lock is not None:
            _remove(self._marker)

    # Dead sessions

    def has_crashed_on(self, path: Path) -> bool:
        """Return whether the program ended while it opened a file."""
        return any(True for _ in self._markers(path))

    def forgive(self, path: Path) -> None:
        """Forget that the program ended while it opened a file."""
        for marker in list(self._markers(path)):
            _remove(marker)

    def _markers(self, path: Path) -> Iterator[Path]:
        wanted = str(path.absolute()).encode(errors="surrogateescape")
        for marker in self._files(".opening"):
            with suppress(OSError, BadFile):
                if read_bytes(marker, 100_000) == wanted and self._is_dead(marker.stem):
                    yield marker

    def found(self) -> list[Recovered]:
        """Return the unsaved work of dead sessions, the latest first; it is this session's to decide about.

        What cannot be read is set aside, and what its file holds already is deleted.
        """
        made = []
        for file in self._files(".json"):
            if not self._is_dead(file.stem):
                continue
            # What brings the program down as it is looked at does so once, be it by an exception.
            tried = file.with_suffix(".tried")
            try:
                tried.touch(exist_ok=False)
                recovered = _read(file)
            except (BadFile, ValueError, OSError):
                self._set_aside(file)
                _remove(tried)
                continue
            _remove(tried)
            if recovered.path is not None and recovered.changes == ():
                self.discard(recovered.session)
            else:
                made.append(recovered)
        for lock in self._files(".lock"):
            # A session that had nothing unsaved when it was killed left only this.
            is_all = not any(lock.with_suffix(one).exists() for one in (".json", ".opening"))
            if is_all and lock.stem not in self._theirs and self._is_dead(lock.stem):
                self.leave(lock.stem)
        return sorted(made, key=lambda one: one.when, reverse=True)

    def discard(self, session: str) -> None:
        """Delete what a dead session left."""
        for suffix in (".json", ".opening"):
            _remove(self._folder / f"{session}{suffix}")
        self.leave(session)

    def leave(self, session: str) -> None:
        """Leave what a dead session left to whoever starts next."""
        lock = self._theirs.pop(session, None)
        if lock is not None:
            lock.unlock()

    def _files(self, suffix: str) -> list[Path]:
        """Return the files of other sessions; whatever else is in the folder is none of ours."""
        with suppress(OSError):
            return sorted(
                one
                for one in self._folder.iterdir()
                if one.suffix == suffix and one.stem != self._session and one.is_file()
            )
        return []

    def _is_dead(self, session: str) -> bool:
        """Return whether the process of a session is gone; its files are ours to decide about then."""
        if session in self._theirs:
            return True
        lock = _lock(self._folder / f"{session}.lock")
        if lock is None:
            return False
        self._theirs[session] = lock
        return True

    def _set_aside(self, file: Path) -> None:
        """Move a file that cannot be read where nobody tries again."""
        with suppress(OSError):
            move_into(file, self._folder / UNREADABLE)
        self.leave(file.stem)


def _lock(path: Path) -> QLockFile | None:
    """Return the lock of a session that nobody else holds; None where somebody does."""
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # only the end of its process frees it, however long it runs
    return lock if lock.tryLock(0) else None


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _text_of(path: Path | None) -> str:
    """Return a path as a file can hold it; "" for none, and for a name that is no text at all."""
    text = str(path.absolute()) if path is not None else ""
    return text if text.isascii() or text.encode(errors="replace").decode() == text else ""


def _with_own_map(draft: Draft) -> Draft:
    if draft.scenario is None:
        return draft
    return draft._replace(scenario=replace(draft.scenario, map=OWN_MAP))


def _read(file: Path) -> Recovered:
    """Return the work in a recovery file; raises BadFile, ValueError, OSError."""
    unsaved = decode(read_bytes(file), Unsaved, KIND, VERSION, path=str(file))
    value = read_content(unsaved.text.encode()).value
    if isinstance(value, FloorPlan):
        draft = Draft(value)
    elif isinstance(value.map, FloorPlan):
        draft = Draft(value.map, replace(value, map=unsaved.map))
    else:
        raise BadFile(("map: missing",), str(file))
    path = Path(unsaved.path) if unsaved.path else None
    changes = None
    if path is not None:
        with suppress(BadFile):
            changes = differences(open_file(path).draft, draft)
    when = datetime.fromisoformat(unsaved.when)
    size = file.stat().st_size
    return Recovered(file.stem, draft, path, unsaved.base, when.replace(tzinfo=None), size, changes)


def _interval(draft: Draft) -> int:
    """Return how often a draft is written down, ms."""
    return SLOW_INTERVAL if draft.plan.width * draft.plan.height > LARGE else INTERVAL
