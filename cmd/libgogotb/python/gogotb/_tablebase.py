"""Tables in folders, and what they know."""

from __future__ import annotations

import errno
import os
import re
from ctypes import c_int, c_uint64
from typing import Any, Iterable, List, NoReturn, Optional, Tuple, TypeVar, Union

from . import _library
from ._errors import ArgumentError, MissingTableError
from ._positions import texts
from ._values import CacheStats, Move, Set, Stats, Value

Path = Union[str, "os.PathLike[str]"]
T = TypeVar("T")

# Outcomes of gogotb.h: whether the side to move wins (1), loses (-1), or neither can force it (0), and by what.
_OUTCOMES = {
    1: (0, "repetition"),
    2: (1, "mate"),
    3: (-1, "mate"),
    4: (1, "perpetual"),
    5: (-1, "perpetual"),
}
_CATEGORIES = {1: "win", 0: "draw", -1: "loss"}


def open_tablebase(directory: Union[Path, Iterable[Path]], *, cache_bytes: int = 0) -> Tablebase:
    """Opens the tables in a folder, or in several.

    Addresses may stand for folders, "https://host/tables/" or "s3://bucket/prefix", if version().addresses says so.
    A set of which several folders have tables is taken from the first. Files are opened when they are first needed.
    cache_bytes is the size of the cache of unpacked blocks; 0: 64 MiB.

    Raises FileNotFoundError or NotADirectoryError for what is no folder.
    """
    return Tablebase(directory, cache_bytes=cache_bytes)


class Tablebase:
    """Open tables. Close them by close, or at the end of a with statement.

    A position is given as a text. repetition is what positions come to in which neither side can force a win: "draw", or
    "first-player-loses", where first_player, "b" (Sente) or "w" (Gote), made the first move of the game.

    Where a table is missing, methods raise MissingTableError, which is a KeyError; those whose name begins with get_
    return a default instead. All may raise NotationError and IllegalPositionError, which are ValueErrors,
    CorruptTableError, UnsupportedTableError, TableReadError, UnavailableTableError, and ArgumentError if the tablebase is closed.
    """

    def __init__(self, directory: Union[Path, Iterable[Path]], *, cache_bytes: int = 0) -> None:
        self._handle = c_uint64(0)
        folders = [directory] if isinstance(directory, (str, os.PathLike)) else list(directory)
        if not 0 <= cache_bytes < 2**63:
            raise ArgumentError("cache_bytes cannot be negative, or so large")
        for folder in folders:
            if not _is_address(folder):
                _check_folder(os.fspath(folder))
        path = os.pathsep.join(os.fspath(folder) for folder in folders)
        _library.call("open", os.fsencode(path), cache_bytes, self._handle)

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        # A copy would close these tables, and in another process the handle stands for others, or for none.
        raise TypeError("a Tablebase cannot be copied, nor sent to another process, which has to open its own")

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None and handle.value:
            _library.load().gogotb_close(handle)  # nobody is there to hear of an error

    def close(self) -> None:
        """Closes the tables, when calls of other threads that are using them have ended. Closing twice is no error."""
        handle, self._handle = self._handle, c_uint64(0)
        if handle.value:
            _library.call("close", handle)

    # What there is.

    def sets(self) -> List[Set]:
        """The material sets that can be probed, small ones first."""
        found = _library.call_list(_library.Set, 256, "list_sets", self._handle)
        return [
            Set(s.material.decode(), s.pieces, bool(s.distances), s.outcome_bytes, s.distance_bytes) for s in found
        ]

    def largest(self) -> Optional[int]:
        """The number of pieces, beside the kings, of the largest set; None if there is none."""
        pieces = c_int()
        _library.call("largest", self._handle, pieces)
        return pieces.value if pieces.value >= 0 else None

    def load_outcomes(self, material: str) -> None:
        """Unpacks the outcomes of a material set into memory, so that their probes read no file."""
        _library.call("load_outcomes", self._handle, _library.encode(material))

    def cache_stats(self) -> CacheStats:
        """How the cache has served."""
        s = _library.CacheStats()
        _library.call("get_cache_stats", self._handle, s)
        return CacheStats(s.hits, s.misses, s.bytes)

    def stats(self, material: str) -> Stats:
        """The statistics of a material set, "GSP", letters in any order."""
        name = _library.encode(material)
        s = _library.Stats()
        _library.call("get_stats", self._handle, name, s)
        histogram, rank_wins, rank_losses = (
            list(_library.call_list(c_uint64, 512, "get_counts", self._handle, name, which)) for which in range(3)
        )
        return Stats(
            material="".join(sorted(material, key="RBGSP".index)) if material != "none" else material,
            max_win=s.max_win,
            max_loss=s.max_loss,
            longest_win=s.longest_win.decode() or None,
            longest_loss=s.longest_loss.decode() or None,
            histogram=histogram,
            rank_wins=rank_wins,
            rank_losses=rank_losses,
            **{count: getattr(s, count) for count in _library.COUNTS},
        )

    def get_stats(self, material: str, default: Optional[T] = None) -> Union[Stats, T, None]:
        """stats, or the default if there is no table."""
        try:
            return self.stats(material)
        except MissingTableError:
            return default

    # What a position comes to.

    def probe(self, position: str, *, repetition: str = "draw", first_player: str = "b") -> Value:
        """The value of a position, as if nothing had been played before."""
        p = _library.read_position(position)
        rule = _rule(repetition, first_player)
        v = _library.Value()
        _library.call("probe", self._handle, p, v)
        return Value(*_value(v, rule, p.side_to_move))

    def get_probe(
        self, position: str, default: Optional[T] = None, *, repetition: str = "draw", first_player: str = "b"
    ) -> Union[Value, T, None]:
        """probe, or the default if there is no table."""
        try:
            return self.probe(position, repetition=repetition, first_player=first_player)
        except MissingTableError:
            return default

    def moves(self, position: str, *, repetition: str = "draw", first_player: str = "b") -> List[Move]:
        """All legal moves with their values, best first, as if nothing had been played before."""
        p = _library.read_position(position)
        rule = _rule(repetition, first_player)
        found = _library.call_list(_library.RootMove, _library.MAX_MOVES, "root_moves", self._handle, p, rule)
        return _moves(found, rule, 1 - p.side_to_move)

    def get_moves(
        self, position: str, default: Optional[T] = None, *, repetition: str = "draw", first_player: str = "b"
    ) -> Union[List[Move], T, None]:
        """moves, or the default if there is no table."""
        try:
            return self.moves(position, repetition=repetition, first_player=first_player)
        except MissingTableError:
            return default

    def game_moves(self, game: str, *, repetition: str = "draw", first_player: str = "b") -> List[Move]:
        """moves for the last position of a game, "sfen 4k/5/5/5/K4 b R moves R*3c 1a2a", with what the game makes of
        their values: a position that has occurred three times ends the game when it comes back.

        A rank of 0 says that the move itself ends the game by perpetual check. The next two plies are always searched
        for such ends, and up to eight as long as that takes no longer than a moment.
        """
        p = _library.read_position(game)
        rule = _rule(repetition, first_player)
        text = _library.encode(game)
        found = _library.call_list(_library.RootMove, _library.MAX_MOVES, "game_moves", self._handle, text, rule)
        return _moves(found, rule, 1 - p.side_to_move)

    def get_game_moves(
        self, game: str, default: Optional[T] = None, *, repetition: str = "draw", first_player: str = "b"
    ) -> Union[List[Move], T, None]:
        """game_moves, or the default if there is no table."""
        try:
            return self.game_moves(game, repetition=repetition, first_player=first_player)
        except MissingTableError:
            return default

    def line(self, position: str) -> List[str]:
        """A line of best play by both sides, in USI: to mate, or until a position comes back where perpetual check
        decides. Empty where neither side can force a win, and where the distances are not installed."""
        p = _library.read_position(position)
        return texts(_library.call_list(_library.Move, 256, "line", self._handle, p))

    def get_line(self, position: str, default: Optional[T] = None) -> Union[List[str], T, None]:
        """line, or the default if there is no table."""
        try:
            return self.line(position)
        except MissingTableError:
            return default


def _is_address(folder: Path) -> bool:
    """Whether this is no folder, but the address of one; the library says what is wrong with it."""
    return isinstance(folder, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", folder) is not None


def _check_folder(folder: str) -> None:
    if os.pathsep in folder:
        raise ArgumentError(f"the name of a folder cannot contain {os.pathsep!r}: {folder}")
    if not os.path.isdir(folder):
        kind = errno.ENOTDIR if os.path.exists(folder) else errno.ENOENT
        raise OSError(kind, os.strerror(kind), folder)  # Python makes it one of the two that are named


def _rule(repetition: str, first_player: str) -> int:
    """The number of a rule of repetition in gogotb.h."""
    if first_player not in ("b", "w"):
        raise ArgumentError(f'first_player is "b" or "w", not {first_player!r}')
    if repetition == "draw":
        return 0
    if repetition == "first-player-loses":
        return 1 if first_player == "b" else 2
    raise ArgumentError(f'repetition is "draw" or "first-player-loses", not {repetition!r}')


def _value(v: _library.Value, rule: int, side_to_move: int) -> Tuple[str, str, Optional[int], Optional[int], bool]:
    """The fields of a value."""
    wins, by = _OUTCOMES[v.outcome]
    if wins == 0 and rule:
        wins = -1 if side_to_move == rule - 1 else 1
    return (
        _CATEGORIES[wins],
        by,
        v.dtm if v.dtm >= 0 else None,
        v.rank if v.rank >= 0 else None,
        bool(v.check),
    )


def _moves(found: List[_library.RootMove], rule: int, opponent: int) -> List[Move]:
    return [
        Move(*_value(m.value, rule, opponent), usi=m.move.usi.decode(), western=m.move.western.decode()) for m in found
    ]
