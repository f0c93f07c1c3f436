"""Folders of tables, errors, threads, fork."""

import concurrent.futures
import contextlib
import copy
import dataclasses
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import gogotb

from . import helpers

MATE = "4k/5/5/5/K4 b RG"
START = "rbsgk/4p/5/P4/KGSBR b -"
NO_POSITIONS = ("", "x", "4k/5/5/5/K4", "4k/5/5/5/K4 b X", MATE + "\0", "4k/5/5/5/K4 b - moves 9z1a", "\udcff")
ILLEGAL_POSITIONS = ("3Kk/5/5/5/5 b -", "KK3/5/5/5/4k b -", "4k/5/5/5/K4 b - moves 5e3c", "5/5/5/5/5 b -")


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def copy(self, *names):
        for name in names:
            shutil.copy(pathlib.Path(helpers.tables(), name), self.folder)


class WhatThereIs(Folder):
    def test_sets_and_stats(self):
        names = [s["material"] for s in helpers.gogotb_json("--dir", helpers.tables(), "list", "--json")]
        with gogotb.open_tablebase(helpers.tables()) as tb:
            self.assertEqual([s.material for s in tb.sets()], names)
            self.assertEqual((len(names), tb.largest()), (21, 2))
            for s in tb.sets():
                (want,) = helpers.gogotb_json("--dir", helpers.tables(), "stats", "--json", s.material)
                self.assertEqual(dataclasses.asdict(tb.stats(s.material)), want)
                self.assertEqual((s.outcome_bytes, s.distance_bytes), (want["outcome_bytes"], want["distance_bytes"]))
                self.assertTrue(s.distances)
            self.assertEqual(tb.stats("PG"), tb.stats("GP"))

    def test_outcomes_alone(self):
        self.copy("RG.gbo")
        with gogotb.open_tablebase(self.folder) as tb:
            self.assertEqual([(s.material, s.distances, s.distance_bytes) for s in tb.sets()], [("RG", False, 0)])
            value = tb.probe(MATE)
            self.assertEqual((value.category, value.by, value.dtm, value.rank), ("win", "mate", None, None))
            self.assertEqual(tb.line(MATE), [])
            self.assertEqual({m.dtm for m in tb.game_moves(MATE)}, {None})

    def test_no_tables(self):
        with gogotb.open_tablebase(self.folder) as tb:
            self.assertEqual((tb.sets(), tb.largest()), ([], None))

    def test_several_folders(self):
        self.copy("R.gbo", "R.gbd")
        with gogotb.open_tablebase([self.folder, helpers.tables()]) as tb:
            self.assertEqual(len(tb.sets()), 21)
            self.assertEqual(tb.probe(MATE).dtm, 3)

    def test_load_outcomes(self):
        self.copy("RG.gbo")
        with gogotb.open_tablebase(self.folder) as tb:
            tb.load_outcomes("GR")
            tb.probe(MATE)
            self.assertEqual(tb.cache_stats().misses, 0)
        with gogotb.open_tablebase(self.folder) as tb:
            tb.probe(MATE)
            tb.probe(MATE)
            stats = tb.cache_stats()
            self.assertEqual((stats.hits, stats.misses), (1, 1))
            self.assertGreater(stats.bytes, 0)

    def test_version(self):
        v = gogotb.version()
        said = f"gogotb {v.program} (tables of format {v.table_format}, rules {v.rules})\n"
        self.assertEqual(said, helpers.gogotb("--version"))
        self.assertIsInstance(v.addresses, bool)
        (info,) = helpers.gogotb_json("--dir", helpers.tables(), "list", "--json")[:1]
        self.assertEqual((v.table_format, v.rules), (info["format_version"], info["rules_version"]))


class Addresses(unittest.TestCase):
    """Run twice: with a library that reads addresses, and with one that does not."""

    def test_probe(self):
        with served(helpers.tables()) as address:
            if not gogotb.version().addresses:
                with self.assertRaisesRegex(gogotb.ArgumentError, "built without"):
                    gogotb.open_tablebase(address)
                return
            with gogotb.open_tablebase(address) as tb, gogotb.open_tablebase(helpers.tables()) as here:
                for position in helpers.positions()[:200:10]:
                    self.assertEqual(tb.probe(position), here.probe(position))
                self.assertEqual(tb.stats("RB"), here.stats("RB"))
                self.assertEqual(tb.sets(), here.sets())
            away = gogotb.open_tablebase(address)
        with away, self.assertRaises(gogotb.UnavailableTableError) as caught:
            away.probe(MATE)
        self.assertIsInstance(caught.exception, ConnectionError)
        self.assertIn(address + "RG.gbo", str(caught.exception))


@contextlib.contextmanager
def served(folder):
    """The address at which the program serves a folder."""
    command = [helpers.PROGRAM, "--dir", folder, "serve", "--addr", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            for line in server.stderr:
                found = re.search(r"http://[0-9.:]+/", line)
                if found:
                    break
            yield found.group() + "tables/"
        finally:
            server.terminate()
            server.stderr.read()


class Errors(Folder):
    def test_missing(self):
        with gogotb.open_tablebase(helpers.tables()) as tb:
            for position in (START, "5/5/2k2/5/5 b R", "4k/5/5/5/K4 b RGS"):
                for call in (tb.probe, tb.moves, tb.game_moves, tb.line):
                    with self.assertRaises(gogotb.MissingTableError) as caught:
                        call(position)
                    self.assertIsInstance(caught.exception, KeyError)
                    self.assertNotIn("'", str(caught.exception)[:1])
                for call in (tb.get_probe, tb.get_moves, tb.get_game_moves, tb.get_line):
                    self.assertIsNone(call(position))
                    self.assertEqual(call(position, "none"), "none")
            with self.assertRaises(KeyError):
                tb.stats("GSP")
            self.assertEqual(tb.get_stats("GSP", 0), 0)
            with self.assertRaises(KeyError):
                tb.load_outcomes("GSP")
            self.assertEqual(tb.get_probe(MATE).dtm, 3)
            self.assertEqual(tb.get_line(MATE), tb.line(MATE))
            self.assertEqual(tb.get_moves(MATE), tb.moves(MATE))
            self.assertEqual(tb.get_stats("RG"), tb.stats("RG"))

    def test_positions(self):
        with gogotb.open_tablebase(helpers.tables()) as tb:
            for error, positions in (
                (gogotb.NotationError, NO_POSITIONS),
                (gogotb.IllegalPositionError, ILLEGAL_POSITIONS),
            ):
                for position in positions:
                    calls = (tb.probe, tb.get_probe, tb.moves, tb.game_moves, tb.line)
                    for call in (*calls, gogotb.legal_moves, gogotb.solve, gogotb.sfen):
                        with self.assertRaises(error) as caught:
                            call(position)
                        self.assertIsInstance(caught.exception, ValueError)
                        self.assertTrue(str(caught.exception))
            for material in ("", "X", "GGG", "gp"):
                with self.assertRaises(gogotb.NotationError):
                    tb.stats(material)
            for wrong in (None, 5, b"4k/5/5/5/K4 b -"):
                with self.assertRaises(TypeError):
                    tb.probe(wrong)

    def test_arguments(self):
        with gogotb.open_tablebase(helpers.tables()) as tb:
            for wrong in ({"repetition": "inventor"}, {"first_player": "sente"}):
                for call in (tb.probe, tb.moves, tb.game_moves):
                    with self.assertRaises(ValueError):
                        call(MATE, **wrong)
        with self.assertRaises(ValueError):
            gogotb.open_tablebase(helpers.tables(), cache_bytes=-1)
        with self.assertRaises(ValueError):
            gogotb.open_tablebase([])
        with self.assertRaises(ValueError):
            gogotb.open_tablebase(f"a{os.pathsep}b")
        with self.assertRaises(FileNotFoundError):
            gogotb.open_tablebase(self.folder / "nothing")
        with self.assertRaises(NotADirectoryError):
            gogotb.open_tablebase(__file__)

    def test_corrupt(self):
        self.copy("RG.gbo", "R.gbo")
        file = self.folder / "RG.gbo"
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
        (self.folder / "R.gbo").write_text("no table")
        with gogotb.open_tablebase(self.folder) as tb:
            with self.assertRaises(gogotb.CorruptTableError) as caught:
                tb.load_outcomes("RG")
            self.assertIn("RG.gbo", str(caught.exception))
            with self.assertRaises(gogotb.CorruptTableError):
                tb.get_probe("4k/5/5/5/K4 b R")

    def test_closed(self):
        tb = gogotb.open_tablebase(helpers.tables())
        tb.close()
        tb.close()
        with self.assertRaises(ValueError):
            tb.probe(MATE)


    def test_no_copies(self):
        with gogotb.open_tablebase(helpers.tables()) as tb:
            for take in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaises(TypeError):
                    take(tb)
            self.assertEqual(tb.probe(MATE).dtm, 3)  # no copy has closed them


class ManyAtOnce(Folder):
    def test_threads(self):
        positions = helpers.positions()[::5]
        with gogotb.open_tablebase(helpers.tables(), cache_bytes=1 << 20) as tb:
            want = [tb.probe(p) for p in positions]

            def work(start):
                wrong = 0
                for i in range(len(positions)):
                    i = (i + start) % len(positions)
                    wrong += tb.probe(positions[i]) != want[i]
                    try:
                        tb.probe("x" * (start % 7 + 1))
                        wrong += 1
                    except gogotb.NotationError as e:  # this thread's own
                        wrong += "character 1" not in str(e)
                return wrong

            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                self.assertEqual(sum(pool.map(work, range(0, len(positions), len(positions) // 8))), 0)

    def test_close_while_probing(self):
        for _ in range(20):
            tb = gogotb.open_tablebase(helpers.tables())
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                probes = [pool.submit(tb.probe, MATE) for _ in range(50)]
                tb.close()
            for probe in probes:
                error = probe.exception()
                self.assertTrue(isinstance(error, gogotb.ArgumentError) if error else probe.result().dtm == 3)

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_fork(self):
        with gogotb.open_tablebase(helpers.tables()) as tb:
            pid = os.fork()
            if pid == 0:
                os._exit(in_child(tb))
            self.assertEqual(os.waitpid(pid, 0)[1], 0)
            self.assertEqual(tb.probe(MATE).dtm, 3)

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_fork_before_first_use(self):
        program = f"""if True:
            import os, gogotb
            pid = os.fork()
            ok = gogotb.open_tablebase({helpers.tables()!r}).probe({MATE!r}).dtm == 3
            if pid == 0:
                os._exit(not ok)
            assert ok and os.waitpid(pid, 0)[1] == 0
        """
        subprocess.run([sys.executable, "-c", program], check=True)


def in_child(tb):
    """The number of functions that do not say clearly that they cannot work in a child."""
    wrong = 0
    for call in (
        lambda: tb.probe(MATE),
        lambda: tb.get_probe(MATE),
        tb.sets,
        lambda: tb.stats("RG"),
        lambda: gogotb.legal_moves(MATE),
        lambda: gogotb.solve(MATE),
        lambda: gogotb.open_tablebase(helpers.tables()),
        gogotb.version,
        tb.close,
    ):
        try:
            call()
            wrong += 1
        except gogotb.ForkedError as e:
            wrong += "forked" not in str(e)
    return wrong


class Library(Folder):
    def run_python(self, program, library):
        environment = {name: value for name, value in os.environ.items() if name != "GOGOTB_LIBRARY"}
        if library:
            environment["GOGOTB_LIBRARY"] = library
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        return done.stdout + done.stderr

    def test_not_found(self):
        program = "import gogotb\ntry:\n    gogotb.version()\nexcept ImportError as e:\n    print(type(e).__name__, e)"
        nowhere = str(self.folder / "nowhere.so")
        for library in (None, nowhere, helpers.PROGRAM):
            said = self.run_python(program, library)
            self.assertTrue(said.startswith("LibraryError "), said)
            self.assertIn("GOGOTB_LIBRARY", said)
            self.assertIn(library or "libgogotb.so", said)
