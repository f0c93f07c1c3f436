"""Exact values of minishogi positions, from the endgame tables that gogotb makes.

    import gogotb

    with gogotb.open_tablebase("tables") as tb:
        tb.probe("4k/5/5/5/K4 b RG").dtm     # 3
        [m.usi for m in tb.moves("4k/5/5/5/K4 b RG")]
        tb.line("4k/5/5/5/K4 b RG")
        tb.stats("RG").longest_win

    gogotb.solve("4k/5/5/P4/KGSBR w -", max_plies=15)
    gogotb.legal_moves("4k/5/5/5/K4 b -")

Positions are texts: SFEN, the move number may be left out, or what other programs show ("position sfen ... moves ...",
"startpos", Fairy-Stockfish's FEN). Moves are texts in USI. Distances are plies, sizes bytes, times seconds.

Fields have the names and words of ``gogotb probe --json``: ``category`` is ``win``, ``loss`` or ``draw`` for the side
to move, ``by`` is ``mate``, ``perpetual`` or ``repetition``, and ``dtm`` and ``rank`` are None where there is no number.

The work is done by the C library libgogotb, which is looked for beside this package, or where the environment variable
GOGOTB_LIBRARY says. Everything may be used from many threads at once; calls let other threads run. A process that was
forked after the first call cannot use it (ForkedError): with multiprocessing take the start method "spawn".
"""

from ._errors import (
    ArgumentError,
    CorruptTableError,
    Error,
    ForkedError,
    IllegalPositionError,
    InternalError,
    LibraryError,
    MissingTableError,
    NotationError,
    TableReadError,
    UnavailableTableError,
    UnsupportedTableError,
)
from ._positions import legal_moves, sfen, solve, version
from ._tablebase import Tablebase, open_tablebase
from ._values import CacheStats, Move, Set, Solution, Stats, Value, Versions

__all__ = [
    "ArgumentError",
    "CacheStats",
    "CorruptTableError",
    "Error",
    "ForkedError",
    "IllegalPositionError",
    "InternalError",
    "LibraryError",
    "MissingTableError",
    "Move",
    "NotationError",
    "Set",
    "Solution",
    "Stats",
    "TableReadError",
    "Tablebase",
    "UnavailableTableError",
    "UnsupportedTableError",
    "Value",
    "Versions",
    "legal_moves",
    "open_tablebase",
    "sfen",
    "solve",
    "version",
]

for _name in __all__:  # what messages and documentation call them
    globals()[_name].__module__ = __name__
