"""The figures that start on the map, as lists: fixed placements (6.3), and those of a start position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QListWidget, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.board.counters import counter_pixmap
from app.dialogs.switch_controls import ComboBox, SwitchControl
from app.panels.dressed import Dressed
from app.panels.widgets import FlowLayout, Label, column
from editor.canvas.figures import placed_figure, start_figure
from editor.draft import Draft, Square
from editor.edits.figures import (
    FIGURE_KINDS,
    Figure,
    FigureKind,
    figure_words,
    kind_of_name,
    shown_figures,
    taken_away,
    why_no_more,
    why_not_placed,
    with_figure,
)
from editor.edits.squares import squares_of
from editor.scenario.controls import LevelsControl, SquareControl, TickBox, small_button
from engine.fortress.floorplan import FloorPlan
from engine.raid.figures import ABILITIES, JELLIES, KIND_NAMES, TERMINATOR_NAMES, TRAINED
from engine.raid.rooms import LETTER_OF
from engine.raid.scenario import Placement, StartFigure, figure_names, is_warrior

KINDS: Final = tuple((kind, KIND_NAMES[kind]) for kind in FIGURE_KINDS)
LINES: Final = 7  # of a list that are seen at once
COUNTER: Final = 1.8  # times the size of the text
PLACES: Final = (
    ("map", "On the map"),
    ("off", "Not yet inside"),
    ("station", "Outside an armored door"),
    ("dead", "Dead"),
    ("escaped", "Escaped"),
)
ANY_ENTRY: Final = ""


class FigureListBox(Dressed, QListWidget):
    """A list a few lines high, and no higher than it is full; `dressed` asks for its counters anew."""

    dressed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.dress()

    def _dress(self) -> None:
        side = self.counter_side
        self.setIconSize(QSize(side, side))
        self.dressed.emit()
        self.fit()

    @property
    def counter_side(self) -> int:
        """The side of a counter in a line, pixels."""
        return round(theme.size("body") * COUNTER)

    def fit(self) -> None:
        """Take the height that the lines need."""
        line = max(self.sizeHintForRow(0), self.fontMetrics().lineSpacing() + theme.SPACE // 2)
        self.setFixedHeight(line * min(max(self.count(), 1), LINES) + theme.SPACE)

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 12, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 8, self.minimumHeight())


class FiguresControl(SwitchControl):
    """A list of figures, buttons that add and take away, and the fields of the chosen one.

    `chosen` tells which one that is, -1 for none; `refused` why something was not done.
    """

    chosen = Signal(int)
    refused = Signal(str)

    def __init__(self, name: str, nothing: str) -> None:
        super().__init__(name)
        self._draft: Draft | None = None
        self._parts: list[Any] = []
        self.square = SquareControl("Square of this figure")
        self._nothing = Label(nothing, "small", is_soft=True)
        self.list = FigureListBox(name)
        self.list.currentRowChanged.connect(self._choose)
        self.list.dressed.connect(self._draw)
        self.kind_box = ComboBox(KINDS, f"{name}: kind of the next one")
        self.add_button = small_button("Add", f"{name}: add one")
        self.add_button.clicked.connect(self.add)
        self.remove_button = small_button("Take away", f"{name}: take the chosen one away")
        self.remove_button.clicked.connect(self.remove)
        tools = QWidget()
        flow = FlowLayout(tools)
        for widget in (self.kind_box, self.add_button, self.remove_button):
            flow.addWidget(widget)
        self.detail = QWidget()
        fields = column(*self._make_detail(), spacing=theme.SPACE // 2)
        fields.setContentsMargins(theme.SPACE, 0, 0, 0)
        self.detail.setLayout(fields)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACE // 2)
        for part in (self._nothing, self.list, tools, self.detail):
            layout.addWidget(part)

    # What the subclasses say.

    def _make_detail(self) -> Sequence[QWidget]:
        """Return the controls of the chosen figure."""
        raise NotImplementedError

    def _show_detail(self, part: Any) -> None:
        """Show the chosen figure in them."""
        raise NotImplementedError

    def _base(self) -> Draft | None:
        """Return the draft in which figures of this list are put on the map."""
        raise NotImplementedError

    # Values.

    def follow(self, draft: Draft) -> None:
        """Work on another draft from now on."""
        self._draft = draft

    @property
    def value(self) -> tuple[Any, ...]:
        return tuple(self._parts)

    @property
    def current(self) -> int:
        """The chosen figure, by number; -1 for none."""
        return self.list.currentRow()

    @property
    def merge(self) -> str:
        """What a change of the chosen figure is one step with."""
        return f"{len(self._parts)} {self.current}"

    def choose(self, number: int) -> None:
        """Choose another figure, telling nobody."""
        self._is_showing = True
        self.list.setCurrentRow(number if number < self.list.count() else -1)
        self._is_showing = False
        self._refresh_detail()

    def _show(self, value: Sequence[Any]) -> None:
        at = self.list.currentRow()
        self._parts = list(value)
        while self.list.count() > len(self._parts):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(self._parts):
            self.list.addItem("")
        for number, part in enumerate(self._parts):
            self._write(number, part)
        self.list.setVisible(bool(self._parts))
        self._nothing.setVisible(not self._parts)
        self.list.fit()
        self.list.setCurrentRow(min(at, len(self._parts) - 1))
        self._refresh_detail()

    def _write(self, number: int, part: Figure) -> None:
        is_face_up = not isinstance(part, StartFigure) or part.is_face_up
        text = f"{figure_words(part)}{'' if is_face_up else ', face down'} – {self._where(part)}"
        item = self.list.item(number)
        if item.text() != text:
            item.setText(text)
        self._draw_counter(number)

    @Slot()
    def _draw(self) -> None:
        """Draw the counters of all lines."""
        for number in range(len(self._parts)):
            self._draw_counter(number)

    def _draw_counter(self, number: int) -> None:
        part = self._parts[number]
        view = start_figure(part) if isinstance(part, StartFigure) else placed_figure(part, 1)
        face = view if view.is_face_up else "back"
        side = self.list.counter_side
        self.list.item(number).setIcon(QIcon(counter_pixmap(face, side, self.devicePixelRatioF())))

    def _where(self, part: Figure) -> str:
        if part.square is None:
            return dict(PLACES)[getattr(part, "place", "off")].lower()
        x, y = part.square
        room = self._draft.plan.room_at(x, y) if self._draft is not None else None
        return f"{x},{y} {room.name}" if room is not None else f"{x},{y} (rock)"

    def _refresh_detail(self) -> None:
        number = self.current
        is_one = 0 <= number < len(self._parts)
        self.detail.setVisible(is_one)
        self.remove_button.setVisible(is_one)
        if is_one:
            was, self._is_showing = self._is_showing, True
            try:
                self._show_detail(self._parts[number])
            finally:
                self._is_showing = was

    @Slot(int)
    def _choose(self, number: int) -> None:
        if not self._is_showing:
            self._refresh_detail()
            self.chosen.emit(number)

    def _put(self, part: Any) -> None:
        """Change the chosen figure."""
        if not self._is_showing and self.current >= 0 and part != self._parts[self.current]:
            self._parts[self.current] = part
            self._write(self.current, part)
            self._refresh_detail()
            self.changed.emit()

    def set_square(self, square: Square) -> None:
        """Put the chosen figure on a square."""
        raise NotImplementedError

    # Adding and taking away.

    @Slot()
    def add(self) -> None:
        """Add a figure of the kind in the box, on the first square where it may be."""
        draft = self._base()
        if draft is None:
            return
        kind = self._kind()
        reason = why_no_more(draft, kind)
        square = None if reason else next(_free_squares(draft, kind), None)
        if square is None:
            self.refused.emit(reason or "there is no free square for it (4.6)")
            return
        before = shown_figures(draft)
        made = shown_figures(with_figure(draft, kind, square))
        at = next(number for number, one in enumerate(made) if number >= len(before) or one != before[number])
        self.show_value(made)
        self.choose(at)
        self.changed.emit()
        self.chosen.emit(at)

    def _kind(self) -> FigureKind:
        return next(kind for kind in FIGURE_KINDS if kind == self.kind_box.currentData())

    @Slot()
    def remove(self) -> None:
        """Take the chosen figure away."""
        draft, at = self._base(), self.current
        if draft is None or at < 0:
            return
        left = shown_figures(taken_away(draft, (at,)))
        if left == shown_figures(draft):
            who = figure_words(self._parts[at])
            self.refused.emit(f"{who} is in every game of this scenario")
            return
        self.show_value(left)
        self.choose(min(at, len(left) - 1))
        (self.list if left else self.add_button).setFocus()
        self.changed.emit()
        self.chosen.emit(self.current)

    def focus_widget(self) -> QWidget:
        return self.list if self._parts else self.add_button


def _free_squares(draft: Draft, kind: FigureKind) -> Iterator[Square]:
    """Yield the squares where one more figure may be, those first where its kind is set up (6.1a)."""
    plan: FloorPlan = draft.plan
    if kind == "terminator":
        yield from ((one.x, one.y) for one in plan.entries if not why_not_placed(draft, kind, (one.x, one.y)))
    letter = LETTER_OF.get(kind, "")
    for room in sorted(plan.rooms, key=lambda one: not letter or letter not in one.setup):
        for square in squares_of(plan, room.letter):
            if not why_not_placed(draft, kind, square):
                yield square


class PlacementsControl(FiguresControl):
    """Fixed placements (6.3)."""

    def _make_detail(self) -> Sequence[QWidget]:
        self.part_kind = ComboBox(KINDS, "Kind of this figure")
        self.part_kind.currentIndexChanged.connect(self._turn)
        self.square.changed.connect(self._turn)
        return (self.part_kind, self.square)

    def _show_detail(self, part: Placement) -> None:
        self.part_kind.show_value(part.kind)
        self.square.show_value(part.square)

    def _base(self) -> Draft | None:
        draft = self._draft
        if draft is None or draft.scenario is None:
            return None
        return draft._replace(scenario=replace(draft.scenario, start=None))

    @Slot()
    def _turn(self) -> None:
        if self._is_showing or self.current < 0:
            return
        kind = self.part_kind.currentData()
        self._put(replace(self._parts[self.current], kind=kind, square=self.square.value))

    def set_square(self, square: Square) -> None:
        if self.current >= 0:
            self._put(replace(self._parts[self.current], square=square))


class StartFiguresControl(FiguresControl):
    """The figures of a start position."""

    def _make_detail(self) -> Sequence[QWidget]:
        self.name_box = ComboBox((), "Who this figure is")
        self.place_box = ComboBox(PLACES, "Where this figure is")
        self.entry_box = ComboBox((), "The entry it stands outside of")
        for box in (self.name_box, self.place_box, self.entry_box):
            box.currentIndexChanged.connect(self._turn)
        self.square.changed.connect(self._turn)
        self.face_up = TickBox("Face up")
        self.face_up.changed.connect(self._turn)
        self.trained = LevelsControl(
            "Original levels", "Levels at first", [ABILITIES[one] for one in TRAINED]
        )
        self.printed = LevelsControl("Original levels", "Levels not as printed")
        self.present = LevelsControl("Present levels", "Hurt: other levels now")
        for control in (self.trained, self.printed, self.present):
            control.changed.connect(self._turn)
        return (
            *(self.name_box, self.place_box, self.entry_box, self.square, self.face_up),
            *(self.trained, self.printed, self.present),
        )

    def _show_detail(self, part: StartFigure) -> None:
        draft = self._draft
        if draft is None or draft.scenario is None:
            return
        scenario = draft.scenario
        taken = {one.name for one in self._parts if one.name != part.name}
        self.name_box.offer([(name, name) for name in figure_names(scenario) if name not in taken])
        self.name_box.show_value(part.name)
        is_terminator = part.name in TERMINATOR_NAMES
        places = PLACES if is_terminator else tuple(one for one in PLACES if one[0] in ("map", "dead"))
        self.place_box.offer(places)
        self.place_box.show_value(part.place)
        self.entry_box.offer(
            [
                (ANY_ENTRY, "The one with an armored door"),
                *((one.name, one.name) for one in draft.plan.entries),
            ]
        )
        self.entry_box.show_value(part.entry or ANY_ENTRY)
        self.entry_box.setVisible(part.place == "station" or part.entry is not None)
        self.square.setVisible(part.square is not None)
        if part.square is not None:
            self.square.show_value(part.square)
        self.face_up.show_value(part.is_face_up)
        self.face_up.setVisible(not is_terminator or not part.is_face_up)
        usual = _printed(part.name)
        self.trained.setVisible(is_terminator)
        self.printed.setVisible(not is_terminator and part.original is not None)
        self.present.setVisible(is_warrior(part.name) or part.levels is not None)
        for control in (self.trained, self.printed):
            control.set_usual(usual)
            control.show_value(part.original)
        self.present.set_usual(part.original if part.original is not None else usual)
        self.present.show_value(part.levels)

    def _base(self) -> Draft | None:
        return self._draft

    @Slot()
    def _turn(self) -> None:
        if self._is_showing or self.current < 0:
            return
        part: StartFigure = self._parts[self.current]
        name, place = str(self.name_box.currentData()), self.place_box.currentData()
        square, entry = part.square, part.entry
        if place == "map":
            square = self.square.value if square is not None else self._some_square(name)
        else:
            square = None
        entry = (self.entry_box.currentData() or None) if place == "station" else None
        is_awake = place == "map"
        original = (self.trained if name in TERMINATOR_NAMES else self.printed).value
        levels = self.present.value
        if name != part.name and not (is_warrior(name) and is_warrior(part.name)):
            original = levels = None
        elif name != part.name:
            levels = None
            original = part.original if name in TERMINATOR_NAMES else None
        self._put(
            replace(
                part,
                name=name,
                place=place,
                square=square,
                entry=entry,
                is_face_up=self.face_up.value or not is_awake,
                original=original,
                levels=levels,
            )
        )

    def _some_square(self, name: str) -> Square | None:
        """Return a square for a figure that comes onto the map: the first that is free."""
        draft = self._draft
        if draft is None:
            return None
        kind = kind_of_name(name)
        ground = draft.plan
        taken = {one.square for one in self._parts}
        tanks = {(one.x, one.y) for one in ground.equipment if one.kind == "tank"}
        firsts = [(one.x, one.y) for one in ground.entries] if kind == "terminator" else []
        rooms = (square for room in ground.rooms for square in squares_of(ground, room.letter))
        for square in (*firsts, *rooms):
            if square not in taken and square not in tanks and ground.room_at(*square) is not None:
                return square
        return (0, 0)

    def set_square(self, square: Square) -> None:
        if self.current >= 0:
            part = self._parts[self.current]
            self._put(replace(part, square=square, place="map", entry=None))


def _printed(name: str) -> dict[str, int]:
    """Return the levels printed on a Jelly's counter."""
    number = name[2:] if name.startswith("J-") else ""
    if not number.isdecimal() or int(number) not in JELLIES:
        return {}
    return {word: n for word, n in zip(ABILITIES, JELLIES[int(number)].levels, strict=True) if n}
