"""What needs no tables: positions, legal moves, the search for mates."""

from __future__ import annotations

import ctypes
from typing import List, Optional

from . import _library
from ._errors import ArgumentError
from ._values import Solution, Versions

_CATEGORIES = ("unknown", "win", "loss", "no-mate")


def version() -> Versions:
    """The versions of the library, of the format of its tables, and of the rules, and whether it reads addresses."""
    v, reads = _library.Versions(), ctypes.c_int()
    _library.call("version", v)
    _library.call("addresses", reads)
    return Versions(v.program.decode(), v.table_format, v.rules, bool(reads.value))


def sfen(position: str) -> str:
    """The SFEN, with the move number 1, of a position given in any of the ways that are understood.

    Raises NotationError or IllegalPositionError, both of which are ValueErrors.
    """
    text = ctypes.create_string_buffer(_library.SFEN_SIZE)
    _library.call("write_sfen", _library.read_position(position), text)
    return text.value.decode()


def legal_moves(position: str) -> List[str]:
    """All legal moves in USI, sorted. One king is enough.

    Raises NotationError or IllegalPositionError.
    """
    p = _library.read_position(position)
    return texts(_library.call_list(_library.Move, _library.MAX_MOVES, "legal_moves", p))


def solve(
    position: str,
    *,
    max_plies: Optional[int] = None,
    tsume: bool = False,
    timeout: Optional[float] = None,
    max_nodes: Optional[int] = None,
    hash_bytes: Optional[int] = None,
) -> Solution:
    """The shortest mate by either side, by search, for any material, with one king or two.

    max_plies is the longest mate that counts; timeout, in seconds, and max_nodes, in moves made, end a search that takes
    too long, and without them it may take for ever. With tsume the side to move attacks, and may only give check.
    hash_bytes is the memory for what is proved on the way, 256 MiB if it is left out. Ctrl-C is heard when it has ended.

    Raises NotationError, IllegalPositionError or ArgumentError.
    """
    if timeout is not None and not timeout > 0:
        raise ArgumentError("timeout has to be positive")
    options = _library.SolveOptions(
        _limit("max_plies", max_plies, _library.MAX_LINE),
        int(tsume),
        _limit("hash_bytes", hash_bytes, 2**40),
        _limit("max_nodes", max_nodes, 2**64 - 1),
        0 if timeout is None else min(timeout, 2**31),  # C has no infinite time
    )
    s = _library.Solution()
    p = _library.read_position(position)
    line = _library.call_list(_library.Move, _library.MAX_LINE, "solve", p, options, s)
    mate = s.dtm >= 0
    return Solution(
        category=_CATEGORIES[s.result],
        by="mate" if mate else None,
        dtm=s.dtm if mate else None,
        max_plies=s.max_plies if s.max_plies >= 0 else None,
        line=texts(line),
        nodes=s.nodes,
        seconds=s.seconds,
    )


def _limit(name: str, value: Optional[int], most: int) -> int:
    """A limit as C has it, where 0 is none."""
    if value is None:
        return 0
    if not 0 < value <= most:
        raise ArgumentError(f"{name} has to be from 1 to {most}")
    return value


def texts(moves: List[_library.Move]) -> List[str]:
    """Moves of the library in USI."""
    return [m.usi.decode() for m in moves]
