"""The tactics coach: the exact chances of a combat's choices and the mix of counters nobody can exploit.

`duel` knows 5.4 for one Terminator and one Jelly, `beliefs` what an opponent may hold, `equilibrium`
solves small games of hidden hands by linear programming, `advice` answers a Decision from a View.
It sees what its side sees, never the State.
"""
