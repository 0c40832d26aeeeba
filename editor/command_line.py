"""`kungfu2100 print` and `kungfu2100 export`: files to paper and to other programs, without a window.

Nothing here asks for Qt before something is to be drawn.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editor.exports.forms import (
    FORMS,
    JSONS,
    LOOKS,
    PICTURES,
    PIXELS,
    CannotExport,
    ExportOptions,
    Form,
    form_of,
)
from editor.printing.options import (
    BACKS,
    ORIENTATIONS,
    OVERLAPS,
    PAPERS,
    PARTS,
    SQUARE_SIZES,
    CannotPrint,
    PrintOptions,
)
from editor.words import counted
from engine.core.files import BadFile

if TYPE_CHECKING:
    from collections.abc import Iterator

Say = Callable[[str], None]
Job = Callable[[str, Path], str]
"""Makes a file out of the FILE of a name; returns what is to be said."""

FILES_HELP = "a map, a scenario, a text floor plan, or the name of a shipped one"


class Failed(Exception):
    """Some of several files could not be used; what was wrong with each has been said."""


# Arguments


def add_print(commands: Any, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the command that prints."""
    usual = PrintOptions()
    parser = commands.add_parser(
        "print",
        help="print and play: a PDF at true scale",
        description="Writes a map, or a scenario with all its pieces, as a PDF at true scale.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help=FILES_HELP)
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, required=True, help=_out_help("pdf"))
    parser.add_argument("--paper", choices=PAPERS, default=usual.paper, help="default %(default)s")
    parser.add_argument(
        "--orientation",
        choices=ORIENTATIONS,
        default=usual.orientation,
        help="default auto: whichever takes fewer sheets",
    )
    parser.add_argument(
        "--square-mm",
        metavar="MM",
        type=_millimetres(*SQUARE_SIZES),
        default=usual.square,
        help="the side of a square of the map (default %(default)g)",
    )
    parser.add_argument("--keep-rock", action="store_true", help="print the empty rock round the map too")
    parser.add_argument("--one-sheet", action="store_true", help="make the map fit one sheet")
    parser.add_argument(
        "--overlap-mm",
        metavar="MM",
        type=_millimetres(*OVERLAPS),
        default=usual.overlap,
        help="how far sheets of the map overlap (default %(default)g)",
    )
    parser.add_argument(
        "--backs", choices=BACKS, default=usual.backs, help="of counters (default %(default)s)"
    )
    parser.add_argument("--black-and-white", action="store_true", help="no colours")
    parser.add_argument(
        "--parts",
        metavar="PART",
        type=_parts,
        default=(),
        help=f"some of {','.join(PARTS)} (default all; of a bare map the map)",
    )
    parser.set_defaults(run=run)


def add_export(commands: Any, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the command that exports."""
    usual = ExportOptions()
    parser = commands.add_parser(
        "export",
        help="maps and scenarios as PNG, SVG, text, Universal VTT or JSON",
        description="Writes a map or a scenario in another form.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help=FILES_HELP)
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, required=True, help=_out_help("|".join(FORMS))
    )
    parser.add_argument("--format", choices=FORMS, help="default: by the ending of OUT")
    parser.add_argument(
        "--pixels",
        metavar="N",
        type=_pixels,
        default=usual.pixels,
        help="pixels of a square in a picture (default %(default)s)",
    )
    parser.add_argument("--no-grid", action="store_true", help="no lines and dots of squares")
    parser.add_argument("--no-rim", action="store_true", help="nothing around the map")
    parser.add_argument("--no-counters", action="store_true", help="no figures that the scenario places")
    parser.add_argument("--look", choices=LOOKS, default=usual.look, help="of pictures (default %(default)s)")
    parser.add_argument(
        "--json",
        choices=JSONS,
        default=usual.json,
        help="of a scenario: whole in one file, its map alone, or its map in a file beside it "
        "(default %(default)s)",
    )
    parser.set_defaults(run=run)


def _out_help(endings: str) -> str:
    return f"a file (.{endings}), or a folder, which several FILEs need"


def _millimetres(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a length from {least:g} to {most:g} mm")
        return value

    return read


def _pixels(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
    if not PIXELS[0] <= value <= PIXELS[1]:
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is not a whole number from {PIXELS[0]} to {PIXELS[1]}"
        )
    return value


def _parts(text: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [part for part in found if part not in PARTS]
    if unknown or not found:
        raise argparse.ArgumentTypeError(f"{(unknown or [text])[0][:40]!r} is not one of {', '.join(PARTS)}")
    return found


# Running


def run_print(args: argparse.Namespace, tell: Say, complain: Say) -> None:
    """Print what the arguments ask for; raises BadFile, CannotPrint, OSError, and Failed for some of many."""
    options = PrintOptions(
        args.paper,
        args.orientation,
        args.square_mm,
        args.one_sheet,
        args.overlap_mm,
        args.backs,
        args.black_and_white,
        args.parts,
        not args.keep_rock,
    )

    def job(name: str, path: Path) -> str:
        from editor.files.reading import read_draft
        from editor.printing.booklet import print_pdf

        _keep(name, path)
        draft = read_draft(name)
        count = print_pdf(draft.plan if draft.scenario is None else draft.whole, options, path)
        return f"{path}: {counted(count, 'page')}"

    with _drawing():
        _each(args.files, args.output, "pdf", job, tell, complain)


def run_export(args: argparse.Namespace, tell: Say, complain: Say) -> None:
    """Export what the arguments ask for; raises BadFile, CannotExport, OSError, and Failed as above."""
    form: Form | None = args.format or form_of(args.output.name)
    if form is None:
        raise CannotExport("say in which form: by the ending of OUT or by --format")
    options = ExportOptions(
        args.pixels, not args.no_grid, not args.no_rim, not args.no_counters, args.look, args.json
    )

    def job(name: str, path: Path) -> str:
        from editor.exports.save import losses, save, targets
        from editor.files.reading import read_draft

        _keep(name, *targets(form, options, path))
        draft = read_draft(name)
        written = save(draft, form, options, path)
        for line in losses(draft, form, options):
            complain(f"{path}: left out: {line}")
        return ", ".join(map(str, written))

    if form in PICTURES:
        with _drawing():
            _each(args.files, args.output, form, job, tell, complain)
    else:
        _each(args.files, args.output, form, job, tell, complain)


def _each(files: Sequence[str], output: Path, ending: str, job: Job, tell: Say, complain: Say) -> None:
    if len(files) == 1 and not output.is_dir():
        tell(job(files[0], output))
        return
    if output.exists() and not output.is_dir():
        raise CannotExport(f"{output} is a file; {len(files)} FILEs need a folder")
    output.mkdir(parents=True, exist_ok=True)
    has_failed = False
    taken: set[Path] = set()
    for name in files:
        path = _free(output / f"{Path(name).stem}.{ending}", taken)
        try:
            said = job(name, path)
        except BadFile as error:
            has_failed = True
            for line in error.problems:
                complain(f"{error.path or name}: {line}")
        except (CannotExport, CannotPrint) as error:
            has_failed = True
            complain(f"{name}: {error}")
        except BrokenPipeError:
            raise  # nobody hears the rest
        except OSError as error:
            has_failed = True
            complain(f"{path}: cannot be written: {error.strerror or error}")
        else:
            tell(said)
    if has_failed:
        raise Failed


def _keep(name: str, *paths: Path) -> None:
    """Refuse to write over the very file that is read."""
    from editor.files.reading import is_same_file

    for path in paths:
        if is_same_file(path, name):
            raise CannotExport(f"{path} is the file that is read; choose another OUT")


def _free(path: Path, taken: set[Path]) -> Path:
    """Return a path that no other of the files of one command has."""
    from app.file_names import numbered

    found = next(one for one in numbered(path) if one not in taken)
    taken.add(found)
    return found


@contextmanager
def _drawing() -> Iterator[None]:
    """Make drawing possible where there may be no display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        from PySide6.QtGui import QGuiApplication
    except ImportError as error:
        raise CannotExport(f"drawing needs Qt, which cannot be loaded: {error}") from error
    # Fonts need an application, which has to live until the last picture is drawn.
    app = QGuiApplication.instance() or QGuiApplication(["kungfu2100"])
    yield
    del app
