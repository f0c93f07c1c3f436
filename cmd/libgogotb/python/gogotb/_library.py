"""The C library: where it is, what its functions take (see gogotb.h), and its errors."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_int16, c_int32, c_size_t, c_uint8, c_uint32, c_uint64
from typing import Any, Callable, List

from . import _errors

SFEN_SIZE = 96
MAX_MOVES = 224
MAX_LINE = 1000


class Position(ctypes.Structure):
    _fields_ = [("board", c_uint8 * 25), ("hands", c_uint8 * 10), ("side_to_move", c_uint8)]


class Value(ctypes.Structure):
    _fields_ = [("outcome", c_uint8), ("check", c_uint8), ("dtm", c_int16), ("rank", c_int16)]


class Move(ctypes.Structure):
    _fields_ = [
        ("usi", c_char * 8),
        ("western", c_char * 12),
        ("from_", c_uint8),
        ("to", c_uint8),
        ("promotes", c_uint8),
        ("reserved", c_uint8),
    ]


class RootMove(ctypes.Structure):
    _fields_ = [("move", Move), ("value", Value)]


class Versions(ctypes.Structure):
    _fields_ = [("program", c_char * 16), ("table_format", c_uint32), ("rules", c_uint32)]


class Set(ctypes.Structure):
    _fields_ = [
        ("material", c_char * 12),
        ("pieces", c_uint8),
        ("distances", c_uint8),
        ("reserved", c_uint8 * 2),
        ("outcome_bytes", c_uint64),
        ("distance_bytes", c_uint64),
    ]


class CacheStats(ctypes.Structure):
    _fields_ = [("hits", c_uint64), ("misses", c_uint64), ("bytes", c_uint64)]


COUNTS = (
    "index_size", "legal", "mate_wins", "mate_losses", "perpetual_wins", "perpetual_losses", "open", "checkmates",
    "stalemates", "mutual_zugzwangs", "mutual_checks", "outcome_bytes", "distance_bytes",
)  # fmt: skip


class Stats(ctypes.Structure):
    _fields_ = [
        *((name, c_uint64) for name in COUNTS),
        ("max_win", c_int32),
        ("max_loss", c_int32),
        ("longest_win", c_char * SFEN_SIZE),
        ("longest_loss", c_char * SFEN_SIZE),
    ]


class SolveOptions(ctypes.Structure):
    _fields_ = [
        ("max_plies", c_uint32),
        ("tsume", c_uint32),
        ("hash_bytes", c_uint64),
        ("max_nodes", c_uint64),
        ("seconds", c_double),
    ]


class Solution(ctypes.Structure):
    _fields_ = [
        ("result", c_int32),
        ("dtm", c_int32),
        ("max_plies", c_int32),
        ("reserved", c_int32),
        ("nodes", c_uint64),
        ("seconds", c_double),
    ]


_tables = c_uint64
_position = POINTER(Position)


def _list(entry: Any) -> List[Any]:
    return [POINTER(entry), c_size_t, POINTER(c_size_t)]


FUNCTIONS = {
    "version": [POINTER(Versions)],
    "addresses": [POINTER(c_int)],
    "open": [c_char_p, c_size_t, POINTER(_tables)],
    "close": [_tables],
    "list_sets": [_tables, *_list(Set)],
    "largest": [_tables, POINTER(c_int)],
    "load_outcomes": [_tables, c_char_p],
    "get_cache_stats": [_tables, POINTER(CacheStats)],
    "get_stats": [_tables, c_char_p, POINTER(Stats)],
    "get_counts": [_tables, c_char_p, c_int, *_list(c_uint64)],
    "read_position": [c_char_p, _position],
    "write_sfen": [_position, c_char_p],
    "legal_moves": [_position, *_list(Move)],
    "probe": [_tables, _position, POINTER(Value)],
    "probe_outcome": [_tables, _position, POINTER(c_uint8)],
    "probe_cached": [_tables, _position, POINTER(Value)],
    "root_moves": [_tables, _position, c_int, *_list(RootMove)],
    "game_moves": [_tables, c_char_p, c_int, *_list(RootMove)],
    "line": [_tables, _position, *_list(Move)],
    "solve": [_position, POINTER(SolveOptions), POINTER(Solution), *_list(Move)],
}

NOT_CACHED = 8
ROOM = 9
ERRORS = {
    1: _errors.MissingTableError,
    2: _errors.CorruptTableError,
    3: _errors.UnsupportedTableError,
    4: _errors.TableReadError,
    5: _errors.IllegalPositionError,
    6: _errors.NotationError,
    7: _errors.ArgumentError,
    NOT_CACHED: _errors.MissingTableError,
    ROOM: _errors.InternalError,
    10: _errors.InternalError,
    11: _errors.ForkedError,
    12: _errors.UnavailableTableError,
}


def _path() -> str:
    """Where the library should be."""
    name = os.environ.get("GOGOTB_LIBRARY")
    if name:
        return name
    suffix = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    return str(pathlib.Path(__file__).with_name(f"libgogotb.{suffix}"))


@functools.lru_cache(maxsize=None)
def load() -> ctypes.CDLL:
    """The library, loaded at the first call. (Should two threads load it at once, they get the same.)"""
    path = _path()
    try:
        library = ctypes.CDLL(path)
        for name, arguments in FUNCTIONS.items():
            getattr(library, "gogotb_" + name).argtypes = arguments
        library.gogotb_message.restype = c_char_p
    except (OSError, AttributeError) as e:
        raise _errors.LibraryError(
            f"{path} is not the library libgogotb: {e}; GOGOTB_LIBRARY may say where it is"
        ) from None
    return library


def call(name: str, *arguments: Any) -> None:
    """Calls a function of the library; a status that is not GOGOTB_OK becomes an exception."""
    library = load()
    status = getattr(library, "gogotb_" + name)(*arguments)
    if status:
        raise error(library, status)


def call_list(entry: Any, room: int, name: str, *arguments: Any) -> List[Any]:
    """Calls a function that writes a list, with room for so many entries at first."""
    library = load()
    function: Callable[..., int] = getattr(library, "gogotb_" + name)
    count = c_size_t()
    while True:
        entries = (entry * room)()
        status = function(*arguments, entries, room, byref(count))
        if status == 0:
            return entries[: count.value]
        if status != ROOM or count.value <= room:
            raise error(library, status)
        room = count.value


def error(library: ctypes.CDLL, status: int) -> Exception:
    """The exception for the status of this thread's last call."""
    text = library.gogotb_message().decode("utf-8", "replace")
    return ERRORS.get(status, _errors.InternalError)(text)


def encode(text: str) -> bytes:
    """A text as C has it."""
    if not isinstance(text, str):
        raise TypeError(f"a text is wanted, not {type(text).__name__}")
    if "\0" in text:
        raise _errors.NotationError("the text contains the character NUL")
    return text.encode("utf-8", "replace")


def read_position(text: str) -> Position:
    """The position that a text stands for."""
    position = Position()
    call("read_position", encode(text), position)
    return position
