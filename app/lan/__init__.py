"""Games between several machines of one network.

     a guest's window, bot or program                       the host: a window, or `kungfu2100 serve`

     RemoteMatch ◄── Link ◄═══ TLS, WebSocket ═══► Server ──► Table ──► Match, the only whole truth
      what this     thread,      lan_protocol      asyncio    who may
      seat knows    returns                        limits     ask what

In `host`, a `Table` is one game with its people: seats, tokens, offers, chat, clocks, shares of the dice.
It knows no network and no window, so that everything it decides is tested by itself. The `Server` carries
messages between tables and connections and is what stands against slow and hostile peers; `network` makes
it known by name. In `guest`, a `Link` keeps one guest's connection, and brings him back to his seat; a
`RemoteMatch` is the game as that guest may know it, in the form in which a window plays any game; whatever
a host says goes through `received` first. Host and guest know each other by their messages alone. Beside
them stand what both use, what puts them together (`own_host`: the host's own player is a guest of his own
table), and the commands `serve` and `join`.
"""
