"""The rules, without a window.

                choice                          events, one version per viewer
     Player ──────────────►  Match ── advance(state, choice) ──►  redact ──────►  Player
     (screen, bot, guest)      │        └─ state: the only whole truth     (view, decision)
                               └── record: scenario + seed + choices, written after every choice

The engine runs until somebody must decide and stops with open Decisions, at most one a side. A
Player answers with a Choice; the engine checks it, applies it and tells what happened as Events.
Screen, bot and guest are all Players; none of them sees the State, only a View of what its side
may know. `core` is what every game here shares, `fortress` the board, `raid` Kung Fu 2100 with a
module for each part of the rulebook, `bots` the Players that think, `coach` the advice for a person
in a combat. Nothing here knows a window; shipped maps and scenarios are read through `resources.path`,
and nothing else of ours.
"""
