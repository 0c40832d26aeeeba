"""From one map to the next: functions without Qt that return a new plan and leave the old one as it was.

Of the map: `squares` and `strokes` (rooms and rock), `rooms` (their list), `edges` and `lines` (walls and
doors), `things` (equipment and entries), `names`. Put elsewhere: `pieces`, `stamping`, `turning` (in place),
`whole` (all of it), by `transforms` and `symmetry`; `carrying` takes the scenario along. Of the scenario:
`scenario`, `figures`. `selected` does to a selection what the others do to their parts.
"""
