"""What the repository itself promises: its folders, its locks, its layers, its set-up."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFontDatabase, QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import run
from resources.path import resource

ROOT = Path(run.__file__).parent
PACKAGES = ("app", "editor", "engine", "resources")


def sources(*packages: str) -> list[Path]:
    """Return every module of the packages."""
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def pins(lock: Path) -> set[str]:
    """Return the `name==version` of a lock, each with the marker it is under."""
    return set(re.findall(r"^([a-z0-9][^\s;]*==[^\s;]+(?: ; [^\\]+?)?) \\$", lock.read_text(), re.MULTILINE))


# The libraries


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None and the booleans are immortal since 3.12")
def test_qt_keeps_its_references() -> None:
    """PySide6 takes no reference to None or True that it did not get; 6.12.0 does and dies of it."""

    class Bell(QObject):
        rung = Signal(bool)

    bell = Bell()
    calls = 50
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(calls):
        bell.rung.emit(True)
        bell.setObjectName("bell")
    after = sys.getrefcount(None), sys.getrefcount(True)
    drifts = [abs(new - old) for new, old in zip(after, before, strict=True)]
    assert max(drifts) < calls // 2, f"references to None and True drifted by {drifts} in {calls} calls"


def test_packaging_is_no_package() -> None:
    """`packaging/` never shadows the library of that name, which pytest and others import."""
    assert not list((ROOT / "packaging").rglob("__init__.py"))
    found = importlib.import_module("packaging").__file__
    assert found is not None
    assert Path(found).parent != ROOT / "packaging"


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_are_ours(name: str) -> None:
    """The general names app, editor, engine and resources mean the folders here, not a stranger's package."""
    found = importlib.import_module(name).__file__
    assert found is not None
    assert Path(found).parent == ROOT / name


# The layers


BLOCK_QT = """
import importlib, pkgutil, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "app", "editor"):
            raise ImportError(f"{name} is out of bounds for the engine")

sys.meta_path.insert(0, Block())
import engine
names = [m.name for m in pkgutil.walk_packages(engine.__path__, "engine.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


def test_engine_needs_no_qt() -> None:
    """Every module of the engine can be imported where there is no PySide6, no app and no editor."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCK_QT], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(sources("engine")) - 1


# What each contract must catch: a module, and the import that breaks it there.
BREACHES = {
    "The rules know no window": ("engine/core/dice.py", "import PySide6.QtCore"),
    "The rules know no network": ("engine/core/lan_protocol.py", "import websockets"),
    "A table knows neither network nor window": ("app/lan/host/table.py", "import app.lan.host.server"),
    "Hosts and guests need no window": ("app/lan/breach.py", "import app.theme"),
    "Host and guest know each other by their messages": (
        "app/lan/guest/breach.py",
        "import app.lan.host.table",
    ),
    "The programs stand on the rules, never the other way round": ("editor/breach.py", "import app.cli"),
    "The board and the shared core know no particular game": (
        "engine/fortress/floorplan.py",
        "import engine.raid.tables",
    ),
    "What a side may know never touches the whole truth": ("engine/raid/view.py", "import engine.raid.state"),
    "The coach sees no more than the side it advises": (
        "engine/coach/breach.py",
        "import engine.raid.redact",
    ),
    "Bots see no more than a player": ("engine/bots/breach.py", "import engine.raid.state"),
    "Drafts, edits and files know no window": ("editor/edits/breach.py", "import app.theme"),
}


def test_every_contract_can_break(tmp_path: Path) -> None:
    """Each import contract is named here with a breach, and the check catches all of them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert {contract["name"] for contract in settings["contracts"]} == set(BREACHES)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package,
            tmp_path / package,
            ignore=lambda folder, names: [
                name for name in names if not (name.endswith(".py") or Path(folder, name).is_dir())
            ],
        )
    for where, line in BREACHES.values():
        module = tmp_path / where
        module.write_text((module.read_text() if module.exists() else "") + f"\n{line}\n")
    linter = Path(sys.executable).with_name("lint-imports.exe" if os.name == "nt" else "lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    kept = [name for name in BREACHES if not re.search(rf"{re.escape(name)}\s+BROKEN", done.stdout)]
    assert not kept, done.stdout


@pytest.mark.parametrize("package", ["app", "editor", "engine"])
def test_resources_have_one_door(package: str) -> None:
    """Shipped files are opened only through `resources.path`: other ways break in a wheel or a bundle."""
    for path in sources(package):
        check_doors(path)


def check_doors(path: Path) -> None:
    """Check that a module opens no shipped file by itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    # What a maintainer runs from the source tree to make a file is no part of the program.
    tree.body = [node for node in tree.body if not ast.unparse(node).startswith("if __name__ ==")]
    for node in ast.walk(tree):
        where = f"{path}, line {getattr(node, 'lineno', 0)}"
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            assert not name.startswith(("importlib.resources", "importlib_resources")), where
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not node.value.startswith("resources/"), where
        if isinstance(node, ast.Name):
            assert node.id != "__file__", where


# What is shipped


def test_resource_finds_what_is_shipped() -> None:
    """A resource is found by its name and read, a folder too."""
    assert resource("fonts/Jost.ttf").read_bytes()[:4] == b"\x00\x01\x00\x00"
    assert "DejaVuSans.ttf" in {entry.name for entry in resource("fonts").iterdir()}


@pytest.mark.parametrize(
    "name", ["", "/etc/passwd", "../run.py", "fonts/../../run.py", "fonts\\Jost.ttf", "c:/x"]
)
def test_resource_stays_inside(name: str) -> None:
    """A name that leaves the folder is refused, wherever it points."""
    with pytest.raises(ValueError, match="not the name of a resource"):
        resource(name)


def test_resource_that_is_missing() -> None:
    """A resource that is not shipped is an error at once, not when it is read."""
    with pytest.raises(FileNotFoundError, match="no such resource: fonts/none"):
        resource("fonts/none")


def test_fonts_have_licences() -> None:
    """Every font has its licence beside it, by the family's name."""
    names = {entry.name for entry in resource("fonts").iterdir()}
    fonts = {name for name in names if name.endswith((".ttf", ".otf"))}
    licensed = {name.removesuffix("-license.txt") for name in names if name.endswith("-license.txt")}
    assert fonts
    assert [font for font in fonts if not any(font.startswith(family) for family in licensed)] == []


def test_fonts_are_registered(qapp: QApplication) -> None:
    """The shipped families are there in tests, Jost with the two weights it is used in."""
    assert {"DejaVu Sans", "Jost"} <= set(QFontDatabase.families())
    assert {"Medium", "SemiBold"} <= set(QFontDatabase.styles("Jost"))
    symbols = QFontMetrics(QFontDatabase.font("DejaVu Sans", "Book", 12))
    assert [sign for sign in "⚀⚅→×½−–’✓" if not symbols.inFontUcs4(ord(sign))] == []


def test_gui_marker(qtbot: QtBot, request: pytest.FixtureRequest) -> None:
    """A test that uses the QApplication is marked `gui` by itself."""
    assert request.node.get_closest_marker("gui") is not None


def test_no_gui_marker(request: pytest.FixtureRequest) -> None:
    """A test that does not use the QApplication is not marked `gui`."""
    assert request.node.get_closest_marker("gui") is None


# The locks


def test_locks_hold_what_is_declared() -> None:
    """Every declared dependency is pinned with a hash, and Qt exactly as declared."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for lock, declared in (
        (run.PLAY_LOCK, settings["project"]["dependencies"]),
        (run.TEST_LOCK, settings["project"]["dependencies"] + settings["dependency-groups"]["dev"]),
    ):
        locked = {pin.split("==")[0] for pin in pins(ROOT / lock)}
        names = {re.split(r"[<>=]", entry)[0].lower() for entry in declared}
        assert names <= locked
        assert "pyside6-essentials==6.11.3" in pins(ROOT / lock)


def test_locks_agree() -> None:
    """The lock for the tests holds all that the program's lock holds, in the same versions."""
    play = pins(ROOT / run.PLAY_LOCK)
    assert len(play) > 5
    assert play <= pins(ROOT / run.TEST_LOCK)


@pytest.mark.parametrize("name", [run.PLAY_LOCK, run.TEST_LOCK])
def test_locks_name_no_place(name: str) -> None:
    """A lock says what, never where from: no address and no folder of the machine it was made on."""
    assert re.findall(r"\S+://\S*|--\S*(?:index|links)\S*|file:\S*", (ROOT / name).read_text()) == []


# run.py


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return a folder that looks like a finished environment, without a stamp."""
    python = run.environment_python(tmp_path / "venv")
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    return tmp_path / "venv"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """Return a lock of its own."""
    path = tmp_path / "a.lock"
    path.write_bytes(b"one==1\ntwo==2\n")
    return path


def test_stamp_tells_ready(environment: Path, lock: Path) -> None:
    """An environment is ready for the locks its stamp names, until one of these changes."""
    assert not run.is_ready(environment, lock)
    run.write_stamp(environment, [lock])
    assert run.is_ready(environment, lock)
    lock.write_bytes(b"one==1\ntwo==3\n")
    assert not run.is_ready(environment, lock)


def test_stamp_without_interpreter(environment: Path, lock: Path) -> None:
    """A stamp alone does not make an environment ready: its interpreter may have been removed since."""
    run.write_stamp(environment, [lock])
    run.environment_python(environment).unlink()
    assert not run.is_ready(environment, lock)


def test_stamp_ignores_line_ends(lock: Path) -> None:
    """A checkout with other line ends needs no new set-up."""
    before = run.lock_stamp(lock)
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n"))
    assert run.lock_stamp(lock) == before


def test_stamp_depends_on_python(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another Python version needs a set-up of its own."""
    before = run.lock_stamp(lock)
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    assert run.lock_stamp(lock) != before


def test_set_up_stamps_at_the_end(
    environment: Path, lock: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A set-up that fails or is cut short leaves no stamp, and the next one starts from nothing."""
    run.write_stamp(environment, [lock])
    lock.write_bytes(b"three==3\n")
    program = "import sys; sys.exit('gone' in sys.argv)"
    monkeypatch.setattr(run, "pip_command", lambda folder: [sys.executable, "-c", program, "gone"])
    with pytest.raises(run.CannotRun, match="did not finish"):
        run.set_up(environment, lock, [lock])
    assert not run.is_ready(environment, lock)
    assert not run.stamp_file(environment).exists()

    made: list[Path] = []
    monkeypatch.setattr(run, "make_environment", made.append)
    monkeypatch.setattr(run, "pip_command", lambda folder: [sys.executable, "-c", program])
    run.set_up(environment, lock, [lock])
    assert made == [environment]
    assert run.is_ready(environment, lock)
    assert "Setting up kungfu2100" in capfd.readouterr().err


def test_set_up_reuses_a_whole_environment(
    environment: Path, lock: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A changed lock brings a whole environment up to date instead of making it anew."""
    run.write_stamp(environment, [lock])
    lock.write_bytes(b"three==3\n")
    monkeypatch.setattr(run, "make_environment", lambda folder: pytest.fail("made anew"))
    monkeypatch.setattr(run, "pip_command", lambda folder: [sys.executable, "-c", "pass"])
    run.set_up(environment, lock, [lock])
    assert run.is_ready(environment, lock)
    assert "once" in capfd.readouterr().err


def test_no_pip_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Debian Python without pip and venv is told the package it lacks, before anything is removed."""
    monkeypatch.setattr(run, "find_spec", lambda name: None)
    with pytest.raises(run.CannotRun, match="apt-get install python3-venv"):
        run.make_environment(tmp_path / "venv")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names Debian's packages")
def test_missing_library_is_named() -> None:
    """A library that Qt would miss is named with the line that installs it."""
    with pytest.raises(run.CannotRun, match=r"libnone\.so\.9.*apt-get install libnone9$"):
        run.check_libraries({"libc.so.6": "libc6", "libnone.so.9": "libnone9"})


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there Qt aborts without a screen")
def test_no_screen_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a screen the window is refused in one line, where Qt would abort."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(run.CannotRun, match="No screen here"):
        run.check_window()


def test_join_without_a_screen_is_left_to_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port or a code that cannot be is told before that there is nothing to show a window on."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    started: list[list[str]] = []

    def start(python: Path, args: list[str]) -> int:
        started.append(args)
        return 2

    monkeypatch.setattr(run, "environment", lambda for_tests: Path("python"))
    monkeypatch.setattr(run, "start", start)
    assert run.main(["join", "host:99999", "AB7K-2QXM"]) == 2
    assert started == [["join", "host:99999", "AB7K-2QXM"]]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ([], True),
        (["edit", "a.map"], True),
        (["--scale", "2"], True),
        (["--help"], False),
        (["edit", "-h"], False),
        (["play", "basic"], False),
        (["check", "a.map"], False),
        (["join"], False),
        (["join", "--name", "Ann", "10.0.0.2"], False),
        (["join", "10.0.0.2", "AB7K-2QXM", "--seat", "watch"], True),
        (["join", "10.0.0.2", "AB7K-2QXM", "--bot=random"], False),
        (["join", "ab7k-2qxm"], True),
        (["join", "AB7K-2QXM", "--bot", "random"], False),
        (["join", "--back"], True),
        (["join", "--back", "--bot", "random"], False),
        (["serve", "basic"], False),
    ],
)
def test_window_commands(args: list[str], expected: bool) -> None:
    """Only the commands that open a window ask for a screen."""
    assert run.opens_window(args) is expected


def test_program_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program sees its own modules and none that the caller's variables would bring in."""
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("PYTHONHOME", "/elsewhere")
    assert run.program_environment()["PYTHONPATH"] == str(ROOT)
    assert "PYTHONHOME" not in run.program_environment()


def test_program_is_told_what_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is to start it again reads what he has typed, not a command that he does not have."""
    python = "py" if os.name == "nt" else "python3"
    for typed, told in (("run.py", "run.py"), ("../kung fu/run.py", '"../kung fu/run.py"')):
        monkeypatch.setattr(sys, "argv", [typed, "serve"])
        assert run.started_by() == f"{python} {told}"


def test_old_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that is too old or too new is named, with those that will do."""
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    monkeypatch.setattr(run, "suitable_python", lambda: None)
    with pytest.raises(run.CannotRun, match=r"needs Python 3\.11 to 3\.14"):
        run.main([])
