"""The program, and tables made by it."""

import atexit
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAM = os.environ.get("GOGOTB", str(ROOT / "bin" / "gogotb"))
LIBRARY = os.environ.get("GOGOTB_LIBRARY", str(ROOT / "bin" / "libgogotb.so"))
os.environ["GOGOTB_LIBRARY"] = LIBRARY


def gogotb(*arguments, text=""):
    """What the program prints."""
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"gogotb {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def gogotb_json(*arguments, text=""):
    """The objects that the program prints, one a line."""
    return [json.loads(line) for line in gogotb(*arguments, text=text).splitlines()]


@functools.lru_cache(maxsize=None)
def workplace():
    """A folder in which tables/ has all sets of up to two pieces."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gogotb-"))
    atexit.register(_remove, os.getpid(), folder)
    gogotb("--dir", str(folder / "tables"), "generate", "--pieces", "2", "--no-progress")
    return folder


def _remove(pid, folder):
    if os.getpid() == pid:  # and not in a child
        shutil.rmtree(folder, ignore_errors=True)


def tables():
    """The folder of these tables."""
    return str(workplace() / "tables")


@functools.lru_cache(maxsize=None)
def positions():
    """Some thousand positions, of all sets and all kinds of values."""
    found = []
    for entry in gogotb_json("--dir", tables(), "list", "--json"):
        for value in ("win mate", "loss mate", "win perpetual", "loss perpetual", "draw repetition"):
            category, by = value.split()
            options = ["--category", category, "--by", by, "--limit", "60"]
            found += gogotb("--dir", tables(), "find", *options, entry["material"]).splitlines()
    return found
