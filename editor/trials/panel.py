"""Bot games of the draft: who plays how many, how far they are, and what came of them."""

from __future__ import annotations

import random
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QSizePolicy,
    QWidget,
)

from app import theme
from app.dialogs.switch_controls import ComboBox, SpinBox
from app.markup import as_text
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Label, column, row, scrolled, with_rule_links
from editor.bench import Bench
from editor.dialogs.seats import seat, seat_box
from editor.draft import Draft
from editor.host import Playtest
from editor.trials.chart import Chart
from editor.trials.game import Trial
from editor.trials.results import lines
from editor.trials.trials import Trials
from engine.bots import usual_bot
from engine.raid.figures import SIDE_NAMES, SIDES
from engine.raid.scenario import Scenario
from engine.raid.seats import BOT_NAMES

COUNTS: Final = (10, 100, 1000)
USUAL: Final = 100
LAST_SEED: Final = 999_999
CHANGED: Final = "The draft has changed since: these games are of the version before."
ROWS: Final = 7  # games of the list on show at once


class TrialsPanel(Dressed, QWidget):
    """Plays the draft many times between bots, beside the editor.

    `playWanted` carries a Playtest of one of the games, to be looked at; `problemsWanted` follows the wish to
    see what keeps the draft from being played.
    """

    playWanted = Signal(object)
    problemsWanted = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self._of: Draft | None = None  # the version that was played
        self._version = ""
        self._scenario: Scenario | None = None
        self._seats: dict[str, str] = {}
        self._first = 1  # the seed that the games count on from
        self._listed = 0
        self._followed: Draft | None = None
        self._has_chosen_seats = False
        self.trials = Trials(self)
        self.setAccessibleName("Bot games")
        self._make_boxes()
        self._make_results()
        self._lay_out()
        self.trials.progressed.connect(self._on_progress)
        self.trials.ended.connect(self._on_ended)
        bench.document.changed.connect(self._on_changed)
        self._on_changed()
        self._follow()
        self.dress()

    def _make_boxes(self) -> None:
        self.count_box = ComboBox([(str(count), str(count)) for count in COUNTS], "How many games")
        self.count_box.setCurrentIndex(COUNTS.index(USUAL))
        self.seed_box = SpinBox(0, LAST_SEED, "", "First seed; the next games count on from it")
        self.seed_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.seed_box.setValue(1)
        self.seat_boxes = {side: seat_box(side, is_for_people=False) for side in SIDES}
        for box in self.seat_boxes.values():
            box.activated.connect(self._on_seat)
        self.count_box.currentIndexChanged.connect(self._follow)
        self.play_button = ActionButton("", is_main=True)
        self.play_button.clicked.connect(self.toggle)
        self.other_button = ActionButton("Take other seeds", is_small=True)
        self.other_button.clicked.connect(self.draw_seed)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Games played")

    def _make_results(self) -> None:
        self.status = Label(step="small", is_soft=True)
        self.changed_label = Label(CHANGED, "small", is_bold=True)
        self.changed_label.set_tone("danger")
        self.problem_label = Label(is_rich=True)
        self.problem_label.set_tone("danger")
        self.problems_button = ActionButton("Show the problems", is_small=True)
        self.problems_button.clicked.connect(self.problemsWanted)
        self.chart = Chart()
        self.words = Label(step="small", is_rich=True)
        self.list = QListWidget()
        self.list.setAccessibleName("The games")
        self.list.setUniformItemSizes(True)
        self.list.itemActivated.connect(self.watch)
        self.list.currentRowChanged.connect(self._follow)
        self.watch_button = ActionButton("Watch this game", is_small=True)
        self.watch_button.clicked.connect(self.watch)
        self.copy_button = ActionButton("Copy the results", is_small=True)
        self.copy_button.clicked.connect(self.copy)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setSpacing(theme.SPACE)
        # In large text a label stands above its box rather than that the box is cut off.
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Games", self.count_box),
            ("First seed", self.seed_box),
            *((SIDE_NAMES[side], box) for side, box in self.seat_boxes.items()),
        )
        for text, widget in rows:
            form.addRow(Label(text, "small", wraps=False), widget)
        body = column(form, self.other_button, self.play_button, margin=theme.SPACE)
        self._results = (
            self.progress,
            self.status,
            self.changed_label,
            self.problem_label,
            self.problems_button,
            self.chart,
            self.words,
            self.list,
        )
        for part in self._results:
            body.addWidget(part)
        scrolled(self, body, column(row(self.watch_button, self.copy_button), margin=theme.SPACE))

    def _dress(self) -> None:
        height = self.list.fontMetrics().height() + 4
        self.list.setFixedHeight(height * ROWS)
        for at in range(self.list.count()):
            _colour(self.list.item(at))

    # What others use.

    @property
    def text(self) -> str:
        """The results as text, with what was played."""
        if self._of is None:
            return ""
        seats = " against ".join(BOT_NAMES[self._seats[side]] for side in SIDES)
        done, count = self.trials.done, self.trials.count
        played = f"{count}" if done == count else f"{done} of {count}"
        head = (
            f"{self._of.name}: {played} bot games, {seats}, seeds {self._first} to {self._first + count - 1}"
        )
        return "\n".join((head, self._version, *lines(self.trials.results))) + "\n"

    @property
    def is_of_now(self) -> bool:
        """Whether the results are of the draft as it is."""
        return self._of is not None and self._of == self.bench.document.kept

    # Playing.

    @Slot()
    def toggle(self) -> None:
        """Begin to play, or stop."""
        if self.trials.is_running:
            self.trials.cancel()
            return
        document = self.bench.document
        self._of = document.kept
        at = document.stack.index()
        step = document.stack.text(at - 1) if at else ""
        self._version = f"Version: step {at}, {step}" if at else "Version: as it was opened"
        self._scenario = self._of.whole
        self._seats = {side: box.currentData() for side, box in self.seat_boxes.items()}
        self._first = self.seed_box.value()
        self.list.clear()
        self._listed = 0
        self.trials.start(self._scenario, self._seats, self._first, int(self.count_box.currentData()))
        self._on_progress()

    @Slot()
    def draw_seed(self) -> None:
        """Take another first seed, by chance."""
        self.seed_box.setValue(random.randint(1, LAST_SEED))

    @Slot()
    def _on_seat(self) -> None:
        self._has_chosen_seats = True

    @Slot()
    def _on_changed(self) -> None:
        """Follow the draft: its usual bots, and whether it is still what was played."""
        kept = self.bench.document.kept
        if kept is self._followed:  # a gesture is on its way
            return
        self._followed = kept
        if not self._has_chosen_seats:
            whole = kept.whole
            for side, box in self.seat_boxes.items():
                with QSignalBlocker(box):
                    seat(box, usual_bot(side, whole))
        self.changed_label.setVisible(self._of is not None and not self.is_of_now)

    @Slot()
    def _on_progress(self) -> None:
        found = self.trials.results
        self.progress.setRange(0, self.trials.count)
        self.progress.setValue(self.trials.done)
        if self._scenario is not None:
            self.chart.show_results(found, self._scenario.turns)
        said = (line.replace("  ", "– ").replace(" %", "\u00a0%") for line in lines(found))
        self.words.setText("<br>".join(map(with_rule_links, said)))
        self._list_new()
        self._follow()

    @Slot()
    def _on_ended(self) -> None:
        games = (*self.trials.results.broken, *self.trials.results.games)
        self.list.clear()
        for game in games:
            self._list(game)
        self._listed = len(games)
        if games:
            self.list.setCurrentRow(0)
        problems = self.trials.problems
        self.problem_label.setText(
            with_rule_links(f"The draft cannot be played: {problems[0].split(': ', 1)[-1]}")
            if problems
            else ""
        )
        self._follow()

    def _list_new(self) -> None:
        for game in self.trials.found[self._listed :]:
            self._list(game)
        self._listed = self.trials.done

    def _list(self, game: Trial) -> None:
        item = QListWidgetItem(_game_words(game))
        item.setData(Qt.ItemDataRole.UserRole, game.seed)
        if game.error:
            item.setToolTip(as_text(game.error))
            _colour(item)
        self.list.addItem(item)

    @Slot()
    def _follow(self) -> None:
        """Show what there is to be seen and done now."""
        trials = self.trials
        has_played = self._of is not None
        problems = bool(trials.problems)
        self.play_button.setText(
            "Stop" if trials.is_running else f"Play {self.count_box.currentData()} bot games"
        )
        self.play_button.setAccessibleName(self.play_button.text())
        has_results = has_played and not problems and (trials.is_running or trials.done > 0)
        for part in self._results:
            part.setVisible(has_results)
        self.status.setVisible(has_played and not problems)
        self.progress.setVisible(trials.is_running)
        self.problem_label.setVisible(problems)
        self.problems_button.setVisible(problems)
        self.changed_label.setVisible(has_played and not self.is_of_now)
        self.watch_button.setVisible(has_results)
        self.copy_button.setVisible(has_results)
        self.watch_button.setEnabled(self.list.currentRow() >= 0)
        self.copy_button.setEnabled(trials.done > 0)
        if has_played:
            self.status.setText(f"{self._version}. {self._progress_words()}")

    def _progress_words(self) -> str:
        trials = self.trials
        if not trials.is_running:
            why = f": {trials.refusal}" if trials.refusal else ""
            stopped = f"Stopped after {trials.done} of {trials.count} games{why}."
            return stopped if trials.done < trials.count else f"{trials.count} games played."
        now = ", ".join(map(str, trials.playing))
        under_way = f"; seed {now} is being played" if now else ""
        return f"{trials.done} of {trials.count} games played{under_way}."

    # What came of it.

    @Slot()
    def watch(self) -> None:
        """Ask for the selected game to be shown, played once more by the same bots from the same seed."""
        if self.list.currentRow() < 0 or self._scenario is None:
            return
        seed = str(self.list.currentItem().data(Qt.ItemDataRole.UserRole))
        self.playWanted.emit(Playtest(self._scenario, self._seats, seed))

    @Slot()
    def copy(self) -> None:
        """Put the results on the clipboard as text."""
        QGuiApplication.clipboard().setText(self.text)
        self.bench.say("The results are on the clipboard.")

    def end(self) -> None:
        """Stop playing: the editor closes."""
        self.trials.cancel()


def _colour(item: QListWidgetItem) -> None:
    """Show a game that broke off, which has its error as a tip, in the colour of danger."""
    if item.toolTip():
        item.setForeground(theme.colors().danger)


def _game_words(game: Trial) -> str:
    """Return a game in a line of the list."""
    if game.error:
        return f"Seed {game.seed}: broken off – {game.error.strip().splitlines()[-1]}"
    won = "draw" if game.winner == "draw" else SIDE_NAMES[game.winner]
    total = ", total" if game.is_total else ""
    points = f", {game.points[0]} to {game.points[1]} points" if game.points is not None else ""
    return f"Seed {game.seed}: {won}{total}{points}, turn {game.turn}"
