"""Games between several machines of one network.

     a guest's window, bot or program                       the host: a window, or `kungfu2100 serve`

     RemoteMatch ◄── Link ◄═══ TLS, WebSocket ═══► Server ──► Table ──► Match, the only whole truth
      what this     thread,      lan_protocol      asyncio    who may
      seat knows    returns                        limits     ask what

A `Table` is one game with its people: seats, tokens, offers, chat, clocks, dice shares. It knows no network
and no window, so that everything it decides is tested by itself. The `Server` carries messages between
tables and connections and is what stands against slow and hostile peers; `discovery` makes it known by
name. A `Link` keeps one guest's connection, and brings him back to his seat; a `RemoteMatch` is the game as
that guest may know it, in the form in which a window plays any game. The host's own player is a guest of
his own table.
"""
