"""Values, moves and lines are those of the program."""

import dataclasses
import math
import unittest

import gogotb

from . import helpers


class Values(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tb = gogotb.open_tablebase(helpers.tables())
        cls.addClassCleanup(cls.tb.close)

    def compare(self, *options, **arguments):
        positions = helpers.positions()
        self.assertGreater(len(positions), 3000)
        self.assertEqual({"mate", "perpetual", "repetition"}, {self.tb.probe(p).by for p in positions})
        text = "\n".join(positions) + "\n"
        wants = helpers.gogotb_json("--dir", helpers.tables(), "probe", "--json", *options, "-", text=text)
        self.assertEqual(len(wants), len(positions))
        for position, want in zip(positions, wants):
            got = dataclasses.asdict(self.tb.probe(position, **arguments))
            self.assertEqual(got, {name: want[name] for name in got}, position)
            moves = [dataclasses.asdict(m) for m in self.tb.moves(position, **arguments)]
            self.assertEqual(moves, want["moves"], position)
            again = [dataclasses.asdict(m) for m in self.tb.game_moves(position, **arguments)]
            self.assertEqual(again, moves, position)
            if "line" in want:
                self.assertEqual(self.tb.line(position), want["line"], position)

    def test_draws(self):
        self.compare("--line")

    def test_first_player_loses(self):
        rule = "first-player-loses"
        self.compare("--repetition", rule, repetition=rule)
        self.compare("--repetition", rule, "--first-player", "w", repetition=rule, first_player="w")

    def test_legal_moves(self):
        for position in [*helpers.positions()[::400], "rbsgk/4p/5/P4/KGSBR b -", "5/5/2k2/5/5 b R"]:
            self.assertEqual(gogotb.legal_moves(position), helpers.gogotb("moves", position).split(), position)

    def test_forms_of_a_position(self):
        self.assertEqual(self.tb.probe("4k/5/5/5/K4 b RG").dtm, 3)
        self.assertEqual(gogotb.sfen("sfen 4k/5/5/5/K4 b RG"), "4k/5/5/5/K4 b RG 1")


class Games(unittest.TestCase):
    """What a game makes of the value of a move that brings a position back for the fourth time."""

    def value(self, game, usi, **arguments):
        with gogotb.open_tablebase(helpers.tables()) as tb:
            (move,) = [m for m in tb.game_moves(game, **arguments) if m.usi == usi]
            return move.category, move.by, move.dtm, move.rank

    def test_perpetual_check(self):
        start = "sfen 2k2/5/5/5/2K2 b R moves R*3c 3a2a"
        cycle = " 3c2c 2a3a 2c3c 3a2a"
        last = " 3c2c 2a3a"  # R-33 is check, as all of Sente's moves since it stood there first
        self.assertEqual(self.value(start + cycle * 1 + last, "2c3c")[:2], ("loss", "mate"))
        self.assertEqual(self.value(start + cycle * 2 + last, "2c3c"), ("win", "perpetual", None, 0))

    def test_draw(self):
        start = "sfen 1k3/5/5/5/2K2 w R moves"
        cycle = " 4a3a 3e4e 3a4a 4e3e"
        last = " 4a3a 3e4e 3a4a"
        self.assertEqual(self.value(start + cycle * 1 + last, "4e3e")[:2], ("loss", "mate"))
        self.assertEqual(self.value(start + cycle * 2 + last, "4e3e"), ("draw", "repetition", None, None))
        rule = "first-player-loses"
        game = start + cycle * 2 + last  # Gote moved first, and is to move after 4e3e
        self.assertEqual(self.value(game, "4e3e", repetition=rule, first_player="w")[:2], ("loss", "repetition"))
        self.assertEqual(self.value(game, "4e3e", repetition=rule, first_player="b")[:2], ("win", "repetition"))


class Solving(unittest.TestCase):
    def test_same_as_the_program(self):
        for position, options, arguments in (
            ("4k/5/5/P4/KGSBR w -", [], {}),
            ("4k/5/5/5/K4 b RG", ["--max-plies", "1"], {"max_plies": 1}),
            ("4k/5/5/5/K4 b RG", ["--tsume"], {"tsume": True}),
            ("4k/5/5/5/K4 b -", [], {}),
            ("2k2/5/2P2/5/5 b 2G", ["--tsume", "--max-plies", "9"], {"tsume": True, "max_plies": 9}),
        ):
            (want,) = helpers.gogotb_json("solve", "--json", *options, position)
            got = gogotb.solve(position, **arguments)
            for name in ("category", "by", "dtm", "max_plies"):
                self.assertEqual(getattr(got, name), want.get(name), (position, name))
            self.assertEqual(len(got.line), got.dtm or 0)

    def test_limits(self):
        start = "rbsgk/4p/5/P4/KGSBR b -"
        self.assertEqual(gogotb.solve(start, max_nodes=1000).category, "unknown")
        self.assertEqual(gogotb.solve(start, timeout=0.01).category, "unknown")
        for endless in (math.inf, 1e300):
            self.assertEqual(gogotb.solve(start, timeout=endless, max_nodes=1000).category, "unknown")
        for name, value in (
            ("max_plies", 0), ("max_plies", 1001), ("timeout", 0), ("timeout", math.nan), ("max_nodes", -1), ("hash_bytes", 2**50),
        ):  # fmt: skip
            with self.assertRaises(gogotb.ArgumentError) as caught:
                gogotb.solve(start, **{name: value})
            self.assertIn(name, str(caught.exception))
            self.assertNotIn("GOGOTB", str(caught.exception))
