"""What the functions of the package return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional


@dataclass(frozen=True)
class Value:
    """What a position comes to for the side to move, with best play by both sides."""

    category: str
    """``win``, ``loss`` or ``draw``."""
    by: str
    """``mate``, ``perpetual`` (check) or ``repetition``."""
    dtm: Optional[int]
    """Plies to mate; None unless it is by mate, and where the distances are not installed."""
    rank: Optional[int]
    """Rank of a win or loss by perpetual check; None for others, and where it is not known."""
    check: bool
    """Whether the side to move is in check."""


@dataclass(frozen=True)
class Move(Value):
    """A legal move. The value is that of the position after it, for the opponent, who is to move in it."""

    usi: str
    """``5e4d``, ``5b5a+``, ``G*3c``."""
    western: str
    """``K-44``, ``S-51+``, ``G*33``."""


@dataclass(frozen=True)
class Set:
    """A material set of which there are tables."""

    material: str
    """The pieces beside the kings: ``GSP``, or ``none``."""
    pieces: int
    """How many these are."""
    distances: bool
    """Whether the table of distances is installed, too."""
    outcome_bytes: int
    """Size of the file of outcomes."""
    distance_bytes: int
    """Size of the file of distances, 0 if it is not installed."""


@dataclass(frozen=True)
class Stats:
    """The statistics of a material set. Counts are of legal positions, mirror images counted."""

    material: str
    index_size: int
    legal: int
    mate_wins: int
    mate_losses: int
    perpetual_wins: int
    perpetual_losses: int
    open: int
    max_win: int
    """Plies of the longest mate for the side to move, -1 if there is none."""
    max_loss: int
    histogram: List[int]
    """``histogram[n]``: positions in which somebody is mated in n plies."""
    rank_wins: List[int]
    """``rank_wins[i]``: wins by perpetual check of rank i+1."""
    rank_losses: List[int]
    longest_win: Optional[str]
    """The SFEN of the first position with ``max_win``."""
    longest_loss: Optional[str]
    mutual_zugzwangs: int
    mutual_checks: int
    outcome_bytes: int
    distance_bytes: int
    checkmates: int
    stalemates: int


@dataclass(frozen=True)
class CacheStats:
    """How the cache of unpacked blocks has served."""

    hits: int
    misses: int
    bytes: int
    """Size of what is in the cache now."""


@dataclass(frozen=True)
class Solution:
    """What the search for a mate has found."""

    category: str
    """``win``, ``loss``, ``no-mate``, or ``unknown`` if a limit was reached first."""
    by: Optional[str]
    """``mate``; None unless there is one."""
    dtm: Optional[int]
    """Plies to mate; None unless there is one."""
    max_plies: Optional[int]
    """Of ``no-mate``: the plies within which there is none; None: there is none of any length."""
    line: List[str]
    """Best play by both sides, in USI."""
    nodes: int
    """Moves made by the search."""
    seconds: float


@dataclass(frozen=True)
class Versions:
    """The version of the library, of the format of its tables, and of the rules that values follow."""

    program: str
    table_format: int
    rules: int
    addresses: bool
    """Whether tables can be opened at addresses, too, as a library built with ``make lib LIBTAGS=remote`` can."""
