"""Sets up a private environment once and starts kungfu2100 in it; `run.py test` runs every check.

Needs nothing but Python itself. What it does is decided by the first word:

    python3 run.py              the window
    python3 run.py test         every check: format, lint, types, layers, tests
    python3 run.py test ARGS    only pytest, with these arguments
    python3 run.py ARGS         `kungfu2100 ARGS`

The environment is `.venv` beside this file. A stamp in it names the locks it satisfies; as long as they are
those in force, nothing is set up again. The stamp goes away before anything is changed and comes back when
all is done, so that a set-up which was interrupted is never taken for a finished one.
"""

# This file must still be readable, and say what is wrong, on a Python older than the program needs.
from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import venv
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PLAY_LOCK = "requirements.lock"
TEST_LOCK = "requirements-test.lock"  # holds all of PLAY_LOCK in the same versions
OLDEST, BEYOND = (3, 11), (3, 15)

# What Qt opens when it is imported, and the Debian package that brings it.
QT_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
# What the X11 platform opens besides.
X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
WINDOW_COMMANDS = ("edit",)
JOIN_CODE = re.compile("[2-9A-HJ-NP-Z]{8}|[2-9A-HJ-NP-Za-hj-np-z]{4}-[2-9A-HJ-NP-Za-hj-np-z]{4}")


class CannotRun(Exception):
    """Something this machine lacks; the text says what, and what to do about it."""


def say(text: str) -> None:
    """Print a line on standard error, which leaves standard output to the program."""
    print(text, file=sys.stderr, flush=True)


# The environment


def environment_python(folder: Path) -> Path:
    """Return the interpreter inside the environment `folder`."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def lock_stamp(lock: Path) -> str:
    """Return what the stamp says of an environment that satisfies `lock` on this kind of Python.

    The bytes are taken with plain line ends, so that a checkout with other ones counts as the same.
    """
    digest = hashlib.sha256(lock.read_bytes().replace(b"\r\n", b"\n"))
    version = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]} {platform.machine()}"
    digest.update(version.encode())
    return digest.hexdigest()


def stamp_file(folder: Path) -> Path:
    """Return where the environment `folder` keeps its stamp: a line for each lock it satisfies."""
    return folder / "kungfu2100.stamp"


def is_ready(folder: Path, lock: Path) -> bool:
    """Tell whether the environment is whole and satisfies `lock`."""
    try:
        lines = stamp_file(folder).read_text(encoding="utf-8").split()
    except OSError:
        return False
    return lock_stamp(lock) in lines and environment_python(folder).exists()


def write_stamp(folder: Path, locks: list[Path]) -> None:
    """Declare the environment whole, in one step: the stamp is there with all its lines or not at all."""
    draft = stamp_file(folder).with_suffix(".tmp")
    draft.write_text("".join(lock_stamp(lock) + "\n" for lock in locks), encoding="utf-8")
    draft.replace(stamp_file(folder))


def is_reusable(folder: Path) -> bool:
    """Tell whether `folder` is whole and of this Python's version, so that it may be brought up to date."""
    if not (stamp_file(folder).exists() and environment_python(folder).exists()):
        return False
    asked = subprocess.run(
        [str(environment_python(folder)), "-c", "import sys; print(*sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.split() == [str(sys.version_info[0]), str(sys.version_info[1])]


def own_pip() -> list[str] | None:
    """Return the command of a pip beside this interpreter that can fill another environment, or None."""
    if find_spec("pip") is None:
        return None
    # 22.3 is the first with --python; older ones would install into the wrong place.
    from importlib.metadata import PackageNotFoundError, version

    try:
        major, minor = (int(part) for part in version("pip").split(".")[:2])
    except (PackageNotFoundError, ValueError):
        return None
    return [sys.executable, "-m", "pip"] if (major, minor) >= (22, 3) else None


def make_environment(folder: Path) -> None:
    """Make `folder` an empty environment, whatever was there before.

    Debian splits `ensurepip` off into python3-venv; with a pip of one's own it is not needed.
    """
    if folder.exists():
        shutil.rmtree(folder)
    if own_pip() is None and find_spec("ensurepip") is None:
        raise CannotRun("This Python has neither pip nor ensurepip. On Debian: apt-get install python3-venv")
    venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(folder)


def pip_command(folder: Path) -> list[str]:
    """Return the start of a pip command that works on the environment."""
    pip = own_pip()
    python = str(environment_python(folder))
    if pip is not None:
        return [*pip, "--python", python]
    subprocess.run([python, "-m", "ensurepip", "--default-pip"], check=True, stdout=subprocess.DEVNULL)
    return [python, "-m", "pip"]


def run_shown(command: list[str], doing: str) -> int:
    """Run `command` to the end, counting the seconds on a terminal, and return its exit code."""
    started = time.monotonic()
    is_terminal = sys.stderr.isatty()
    if not is_terminal:
        say(f"{doing} ...")
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr) as process:
        try:
            while process.poll() is None:
                if is_terminal:
                    sys.stderr.write(f"\r{doing} ... {time.monotonic() - started:.0f} s ")
                    sys.stderr.flush()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=0.5)
        except BaseException:
            process.terminate()
            raise
    back = "\r" if is_terminal else ""
    say(f"{back}{doing}: {time.monotonic() - started:.0f} s")
    return process.returncode


def set_up(folder: Path, lock: Path, satisfies: list[Path]) -> None:
    """Make the environment satisfy `lock`, and note that it satisfies all of `satisfies`."""
    say("Setting up kungfu2100; this happens once and needs the network.")
    if is_reusable(folder):
        stamp_file(folder).unlink()
    else:
        make_environment(folder)
    command = [
        *pip_command(folder),
        "install",
        "-qq",  # errors only
        "--no-input",
        "--disable-pip-version-check",
        "--require-hashes",
        "--only-binary=:all:",
        f"--requirement={lock}",
    ]
    if run_shown(command, "Fetching and installing") != 0:
        raise CannotRun(
            "The set-up did not finish; see the lines above. Run the same command again to retry."
        )
    write_stamp(folder, satisfies)


def environment(for_tests: bool) -> Path:
    """Return the interpreter of a ready environment, after setting it up if needed."""
    folder = ROOT / ".venv"
    play, test = ROOT / PLAY_LOCK, ROOT / TEST_LOCK
    lock = test if for_tests else play
    if not is_ready(folder, lock):
        set_up(folder, lock, [play, test] if for_tests else [play])
    return environment_python(folder)


# The machine


def suitable_python() -> str | None:
    """Return another interpreter on this machine that the program can run on, or None."""
    for minor in range(BEYOND[1] - 1, OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found is not None:
            return found
    return None


def missing_libraries(libraries: dict[str, str]) -> list[str]:
    """Return the names in `libraries` that this machine cannot open."""
    missing = []
    for name in libraries:
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    return missing


def check_libraries(libraries: dict[str, str]) -> None:
    """Raise CannotRun with the line that installs what Qt would miss."""
    if not sys.platform.startswith("linux"):
        return
    missing = missing_libraries(libraries)
    if missing:
        packages = " ".join(libraries[name] for name in missing)
        sudo = "" if os.geteuid() == 0 else "sudo "
        raise CannotRun(
            f"Missing on this machine: {', '.join(missing)}. "
            f"On Debian or Ubuntu: {sudo}apt-get install {packages}"
        )


def opens_window(args: list[str]) -> bool:
    """Tell whether `kungfu2100 ARGS` would open a window."""
    if "-h" in args or "--help" in args or "--version" in args:
        return False
    if args and args[0] == "join":
        return _joins_with_window(args[1:])
    return not args or args[0] in WINDOW_COMMANDS or args[0].startswith("-")


def _joins_with_window(args: list[str]) -> bool:
    """Tell whether `kungfu2100 join ARGS` would open a window: not to list games, nor for a bot."""
    if any(word.split("=")[0] == "--bot" for word in args):
        return False
    values = {at + 1 for at, word in enumerate(args) if word in ("--name", "--seat")}
    places = [word for at, word in enumerate(args) if at not in values and not word.startswith("-")]
    return "--back" in args or len(places) > 1 or any(JOIN_CODE.fullmatch(place) for place in places)


def has_screen() -> bool:
    """Tell whether there is something to show a window on."""
    return any(os.environ.get(name) for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"))


def check_window() -> None:
    """Raise CannotRun where Qt could only abort: no screen to draw on, or a library missing."""
    if not sys.platform.startswith("linux"):
        return
    wanted, has_wayland = os.environ.get("QT_QPA_PLATFORM", ""), os.environ.get("WAYLAND_DISPLAY")
    if not has_screen():
        raise CannotRun(
            "No screen here: neither DISPLAY nor WAYLAND_DISPLAY is set. "
            "Without a window there is `python3 run.py play`; see `python3 run.py --help`."
        )
    needs_x11 = wanted.startswith("xcb") or not (wanted or has_wayland)
    check_libraries({**QT_LIBRARIES, **X11_LIBRARIES} if needs_x11 else QT_LIBRARIES)


# What is run


def program_environment() -> dict[str, str]:
    """Return the process environment the program runs in: its own modules and no stranger's."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTHONHOME", "PYTHONPATH")}
    return {**inherited, "PYTHONPATH": str(ROOT)}


def started_by() -> str:
    """Return what was typed to start this file, as the program is to name itself."""
    python = "py" if os.name == "nt" else "python3"
    typed = sys.argv[0] if Path(sys.argv[0]).name == "run.py" else "run.py"
    return f'{python} "{typed}"' if " " in typed else f"{python} {typed}"


def start(python: Path, args: list[str]) -> int:
    """Start `kungfu2100 ARGS` and return its exit code; where the system can, become it.

    The working folder stays the caller's, whose file names the arguments hold; -P keeps a folder called `app`
    in it from being taken for ours.
    """
    command = [str(python), "-P", "-m", "app", *args]
    environment = {**program_environment(), "KUNGFU2100_COMMAND": started_by()}
    if os.name != "nt":
        os.execve(command[0], command, environment)
    return subprocess.call(command, env=environment)


def tool(python: Path, name: str) -> str:
    """Return the path of a command line tool in the environment."""
    return str(python.parent / (f"{name}.exe" if os.name == "nt" else name))


def run_check(name: str, command: list[str]) -> int:
    """Run one check, show what it says if it fails, and return its exit code."""
    started = time.monotonic()
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=program_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    verdict = "ok" if done.returncode == 0 else f"FAILED ({done.returncode})"
    print(f"{name:7} {verdict}, {time.monotonic() - started:.1f} s", flush=True)
    if done.returncode != 0:
        sys.stdout.buffer.write(done.stdout)
        sys.stdout.flush()
    return done.returncode


def run_pytest(python: Path, args: list[str]) -> tuple[int, str]:
    """Run pytest, passing on what it prints, and return its exit code and its closing line."""
    command = [str(python), "-P", "-m", "pytest", *args]
    if sys.stdout.isatty():
        command.append("--color=yes")
    closing = ""
    with subprocess.Popen(
        command, cwd=ROOT, env=program_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                sys.stdout.buffer.write(line)
                sys.stdout.flush()
                if line.strip():
                    closing = line.decode("utf-8", "replace").rstrip()
        except BaseException:
            process.terminate()
            raise
    return process.wait(), closing


def run_all_checks(python: Path) -> int:
    """Run every check, whatever fails, and return the exit code of the first that failed."""
    codes = {
        "format": run_check("format", [tool(python, "ruff"), "format", "--check", "."]),
        "lint": run_check("lint", [tool(python, "ruff"), "check", "."]),
        "types": run_check("types", [str(python), "-P", "-m", "mypy"]),
        "layers": run_check("layers", [tool(python, "lint-imports")]),
    }
    # A worker that crashed is a failure to be seen, not one to be started anew.
    # A module's tests stay together, for what they share.
    shared_out = ["--numprocesses=auto", "--dist=worksteal", "--max-worker-restart=0"]
    codes["tests"], closing = run_pytest(python, ["-q", *shared_out])
    failed = [name for name, code in codes.items() if code != 0]
    if not failed:
        return 0
    # The last line stays the test runner's own.
    print(f"\nFailed: {', '.join(failed)}\n{closing}", flush=True)
    return codes[failed[0]]


def main(args: list[str]) -> int:
    """Do what the arguments ask for and return the exit code."""
    if not OLDEST <= sys.version_info[:2] < BEYOND:
        other = suitable_python()
        if other is not None:
            return subprocess.call([other, str(ROOT / "run.py"), *args])
        here = platform.python_version()
        raise CannotRun(f"kungfu2100 needs Python 3.{OLDEST[1]} to 3.{BEYOND[1] - 1}; this is {here}.")
    if args[:1] == ["test"]:
        check_libraries(QT_LIBRARIES)
        python = environment(for_tests=True)
        return run_pytest(python, args[1:])[0] if args[1:] else run_all_checks(python)
    # What was typed wrong is told first: `join` finds out by itself that there is no screen.
    if opens_window(args) and (has_screen() or args[:1] != ["join"]):
        check_window()
    return start(environment(for_tests=False), args)


if __name__ == "__main__":
    with contextlib.suppress(AttributeError, OSError):
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotRun as problem:
        say(str(problem))
        sys.exit(2)
    except KeyboardInterrupt:
        say("Interrupted.")
        sys.exit(130)
