"""The wheel has what it says, and works where nothing but Python is."""

import base64
import csv
import hashlib
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import gogotb

from . import helpers


def load_script():
    spec = importlib.util.spec_from_file_location("wheel_script", helpers.ROOT / "cmd/libgogotb/python/wheel.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


class Wheel(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.wheel = load_script().write(self.folder, pathlib.Path(helpers.LIBRARY), "0.1.0")

    def test_name(self):
        self.assertRegex(self.wheel.name, r"^gogotb-0\.1\.0-py3-none-[a-z0-9_]+\.whl$")
        with zipfile.ZipFile(self.wheel) as archive:
            tag = self.wheel.name[len("gogotb-0.1.0-") : -len(".whl")]
            self.assertIn(f"Tag: {tag}\n", archive.read("gogotb-0.1.0.dist-info/WHEEL").decode())
            metadata = archive.read("gogotb-0.1.0.dist-info/METADATA").decode()
            self.assertTrue(metadata.startswith("Metadata-Version: 2.1\nName: gogotb\nVersion: 0.1.0\n"))
            self.assertEqual(" and at addresses\n" in metadata, gogotb.version().addresses)

    def test_record(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
            rows = list(csv.reader(io.StringIO(archive.read("gogotb-0.1.0.dist-info/RECORD").decode())))
            self.assertEqual([row[0] for row in rows], names)
            self.assertIn("gogotb/py.typed", names)
            self.assertIn("gogotb-0.1.0.dist-info/LICENSE", names)
            for name, digest, size in rows:
                if name.endswith("/RECORD"):
                    self.assertEqual((digest, size), ("", ""))
                    continue
                data = archive.read(name)
                want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                self.assertEqual((digest, int(size)), (f"sha256={want}", len(data)), name)

    def test_unpacked(self):
        with zipfile.ZipFile(self.wheel) as archive:
            archive.extractall(self.folder / "site")
        environment = {name: value for name, value in os.environ.items() if name != "GOGOTB_LIBRARY"}
        environment["PYTHONPATH"] = str(self.folder / "site")
        program = "import gogotb; print(gogotb.__file__); print(gogotb.legal_moves('4k/5/5/5/K4 b -'))"
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=self.folder)
        self.assertEqual(done.stdout, f"{self.folder / 'site' / 'gogotb' / '__init__.py'}\n['5e4d', '5e4e', '5e5d']\n")

    def test_same_bytes(self):
        before = self.wheel.read_bytes()
        self.wheel.unlink()
        self.assertEqual(load_script().write(self.folder, pathlib.Path(helpers.LIBRARY), "0.1.0").read_bytes(), before)
