"""Print and play: what to print and how, with every page shown before it is a PDF."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QFrame,
    QLabel,
    QProgressDialog,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.dialogs.switch_controls import ComboBox, SpinBox
from app.file_names import clean_name
from app.panels.widgets import Label, chain_tabs, column, keyed_button, row
from editor.dialogs.notice import tell
from editor.dialogs.page_preview import PagePreview
from editor.draft import Draft
from editor.files.reading import is_same_file
from editor.printing.booklet import booklet, print_pdf
from editor.printing.chips import counter_side, table_side
from editor.printing.cropping import cropped
from editor.printing.maps import map_sheets
from editor.printing.options import (
    OVERLAPS,
    PAPER_NAMES,
    PART_NAMES,
    PARTS,
    SQUARE_SIZES,
    CannotPrint,
    PrintOptions,
)
from editor.printing.paper import Page
from editor.words import counted, sentence
from engine.core.files import BadFile
from engine.fortress.floorplan import FloorPlan
from engine.raid.scenario import Scenario

SETTLED: Final = 150  # ms after the last change until the pages are made anew
WAY_NAMES: Final = (
    ("auto", "Whichever takes fewer sheets"),
    ("portrait", "Upright"),
    ("landscape", "Across"),
)
BACK_NAMES: Final = (
    ("fold", "Beside the fronts, to be folded"),
    ("duplex", "On sheets of their own, for both sides"),
    ("none", "None"),
)


class PrintDialog(QDialog):
    """Asks what to print of a draft, shows the pages and writes the PDF; `options` is what was chosen.

    `own` is the draft's own file, which nothing is printed over.
    """

    def __init__(
        self,
        draft: Draft,
        parent: QWidget | None = None,
        *,
        options: PrintOptions | None = None,
        own: Path | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Print and play")
        self._draft = draft
        self._own = own
        self._folder = own.parent if own is not None else Path.home()
        self._pages: tuple[Page, ...] = ()
        self._at = 0
        self._make_controls(options if options is not None else PrintOptions())
        self.preview = PagePreview()
        self.page_words = Label("", is_bold=True)
        self.summary = Label("", "small", is_soft=True)
        self.said = Label("")
        self.back_button = keyed_button("Previous", "PgUp", self.show_previous)
        self.next_button = keyed_button("Next", "PgDown", self.show_next)
        self.back_button.setAccessibleName("Previous page")
        self.next_button.setAccessibleName("Next page")
        self.save_button = keyed_button("Save as PDF…", "Ctrl+S", self._on_save, is_main=True)
        self.close_button = keyed_button("Close", "Esc", self.reject)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLED)
        self._timer.timeout.connect(self.refresh)
        self._lay_out()
        room = self.screen().availableGeometry().size() * 0.92
        self.resize(QSize(theme.size("body") * 78, theme.size("body") * 50).boundedTo(room))
        self.refresh()
        self.paper.setFocus()

    def _make_controls(self, options: PrintOptions) -> None:
        is_map = self._draft.scenario is None
        wanted = options.parts_of(is_map)
        self.parts = {part: QCheckBox(PART_NAMES[part]) for part in PARTS}
        for part, box in self.parts.items():
            box.setChecked(part in wanted)
            box.toggled.connect(self._on_changed)
        self.paper = ComboBox(tuple(PAPER_NAMES.items()), "Paper")
        self.paper.show_value(options.paper)
        self.orientation = ComboBox(WAY_NAMES, "How the sheets lie")
        self.orientation.show_value(options.orientation)
        self.square = SpinBox(int(SQUARE_SIZES[0]), int(SQUARE_SIZES[1]), "", "Side of a square")
        self.square.setSuffix(" mm")
        self.square.setValue(round(options.square))
        self.one_sheet = QCheckBox("The whole map on one sheet")
        self.one_sheet.setChecked(options.is_one_sheet)
        self.overlap = SpinBox(int(OVERLAPS[0]), int(OVERLAPS[1]), "", "Overlap of the map's sheets")
        self.overlap.setSuffix(" mm")
        self.overlap.setValue(round(options.overlap))
        self.cropped = QCheckBox("Leave out empty rock")
        self.cropped.setToolTip("Squares count anew from the first that is printed, wherever they are named")
        self.cropped.setChecked(options.is_cropped)
        self.backs = ComboBox(BACK_NAMES, "Backs of the counters")
        self.backs.show_value(options.backs)
        self.black_and_white = QCheckBox("Black and white")
        self.black_and_white.setChecked(options.is_black_and_white)
        for combo in (self.paper, self.orientation, self.backs):
            combo.currentIndexChanged.connect(self._on_changed)
            combo.setMinimumContentsLength(12)
        for number in (self.square, self.overlap):
            number.valueChanged.connect(self._on_changed)
        for tick in (self.one_sheet, self.cropped, self.black_and_white):
            tick.toggled.connect(self._on_changed)

    def _lay_out(self) -> None:
        choices = QVBoxLayout()
        choices.setSpacing(theme.SPACE // 2)
        choices.addWidget(Label("What", is_bold=True))
        for box in self.parts.values():
            choices.addWidget(box)
        choices.addSpacing(theme.SPACE)
        choices.addWidget(Label("How", is_bold=True))
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setVerticalSpacing(theme.SPACE // 2)
        for words, field in (
            ("Paper", self.paper),
            ("Sheets lie", self.orientation),
            ("Side of a square", self.square),
            ("Overlap of the map's sheets", self.overlap),
            ("Backs of the counters", self.backs),
        ):
            label = QLabel(words)
            label.setBuddy(field)
            form.addRow(label, field)
        choices.addLayout(form)
        choices.addWidget(self.one_sheet)
        choices.addWidget(self.cropped)
        choices.addWidget(self.black_and_white)
        choices.addStretch(1)
        inside = QWidget()
        inside.setLayout(choices)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(inside.minimumSizeHint().width() + theme.SPACE * 3)
        # The scroll area takes the focus only to be scrolled; its controls scroll it themselves.
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        turn = row(self.page_words, self.back_button, self.next_button)
        turn.setStretch(0, 1)
        right = column(self.summary, self.preview, turn)
        right.setStretch(1, 1)
        body = row(spacing=theme.SPACE * 2)
        body.addWidget(scroll)
        body.addLayout(right, 1)
        foot = row(self.said, self.close_button, self.save_button)
        foot.setStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(f"Print and play: {self._draft.name}", "title", is_title=True))
        layout.addLayout(body, 1)
        layout.addLayout(foot)
        chain_tabs(
            self.parts["map"],
            (
                *list(self.parts.values())[1:],
                self.paper,
                self.orientation,
                self.square,
                self.overlap,
                self.backs,
                self.one_sheet,
                self.cropped,
                self.black_and_white,
                self.back_button,
                self.next_button,
                self.close_button,
                self.save_button,
            ),
        )

    @property
    def options(self) -> PrintOptions:
        """What is chosen."""
        return PrintOptions(
            self.paper.currentData(),
            self.orientation.currentData(),
            self.square.value(),
            self.one_sheet.isChecked(),
            self.overlap.value(),
            self.backs.currentData(),
            self.black_and_white.isChecked(),
            tuple(part for part, box in self.parts.items() if box.isChecked()),
            self.cropped.isChecked(),
        )

    @property
    def page(self) -> Page | None:
        """The page shown."""
        return self._pages[self._at] if self._pages else None

    @property
    def _subject(self) -> Scenario | FloorPlan:
        return self._draft.plan if self._draft.scenario is None else self._draft.whole

    @Slot()
    def _on_changed(self) -> None:
        self.said.setText("")
        self.square.setEnabled(not self.one_sheet.isChecked())
        self.overlap.setEnabled(not self.one_sheet.isChecked())
        self._timer.start()

    @Slot()
    def refresh(self) -> None:
        """Make the pages anew; the one on show stays, as far as there is one of its name."""
        self._timer.stop()
        self.square.setEnabled(not self.one_sheet.isChecked())
        self.overlap.setEnabled(not self.one_sheet.isChecked())
        shown, options, reason = self.page, self.options, ""
        try:
            self._pages = booklet(self._subject, options) if options.parts else ()
            reason = "" if self._pages else "Choose at least one part to print."
        except (CannotPrint, BadFile) as error:
            self._pages, reason = (), sentence(error)
        names = [page.name for page in self._pages]
        self._at = names.index(shown.name) if shown is not None and shown.name in names else 0
        self.summary.setText(reason or self._summary(options))
        self.summary.set_tone("danger" if reason else "")
        self.save_button.setEnabled(bool(self._pages))
        self._show(reason)

    def _summary(self, options: PrintOptions) -> str:
        counts = Counter(page.part for page in self._pages)
        draft = cropped(self._draft) if options.is_cropped else self._draft
        square = map_sheets(draft.plan, options).square
        total = len(self._pages)
        parts = ", ".join(f"{PART_NAMES[part].lower()} {counts[part]}" for part in PARTS if counts[part])
        sizes = f"Squares are {square:.3g} mm"
        counter, other = counter_side(square), table_side(square)
        has_others = bool(counts["tactics"] or counts["markers"])
        if counts["counters"] or has_others:
            sizes += f", counters {counter if counts['counters'] else other:.3g} mm"
        if counts["counters"] and has_others and counter != other:
            sizes += f", tactics counters and markers {other:.3g} mm"
        pages = counted(total, "page")
        return f"{pages} of {PAPER_NAMES[options.paper]}: {parts}. {sizes}."

    def _show(self, reason: str = "") -> None:
        page = self.page
        self.preview.show_page(page, self.options, reason)
        words = f"{page.name} ({self._at + 1} of {len(self._pages)})" if page is not None else ""
        self.page_words.setText(words)
        self.back_button.setEnabled(self._at > 0)
        self.next_button.setEnabled(self._at < len(self._pages) - 1)

    @Slot()
    def show_previous(self) -> None:
        """Show the page before."""
        if self._at > 0:
            self._at -= 1
            self._show()

    @Slot()
    def show_next(self) -> None:
        """Show the next page."""
        if self._at < len(self._pages) - 1:
            self._at += 1
            self._show()

    @Slot()
    def _on_save(self) -> None:
        start = self._folder / f"{clean_name(self._draft.name)[:80] or 'Print'}.pdf"
        name, _ = QFileDialog.getSaveFileName(self, "Print and play", str(start), "PDF (*.pdf)")
        if name:
            path = Path(name)
            self.save_to(path if path.suffix else path.with_suffix(".pdf"))

    def save_to(self, path: Path) -> None:
        """Write the PDF; say so, or why that cannot be."""
        if is_same_file(path, self._own):
            self._refuse(CannotPrint("It is the file being edited, which Save writes."), path)
            return
        self.refresh()
        waiting = QProgressDialog("Making the pages…", "Cancel", 0, len(self._pages), self)
        waiting.setWindowTitle("Print and play")
        waiting.setWindowModality(Qt.WindowModality.WindowModal)
        waiting.setMinimumDuration(600)

        def go_on(done: int, _all: int) -> bool:
            waiting.setValue(done)
            return not waiting.wasCanceled()

        try:
            count = print_pdf(self._subject, self.options, path, go_on)
        except (CannotPrint, BadFile, OSError) as error:
            self._refuse(error, path)
            return
        finally:
            waiting.close()
            waiting.deleteLater()
        if count:
            self.said.setText(f"Saved as {path}. Print it at 100 %, without “fit to page”.")
        else:
            self.said.setText("Cancelled; nothing was written.")

    def _refuse(self, error: Exception, path: Path) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        tell("Not printed", f"{path} cannot be written.\n\n{reason}", (), self)
