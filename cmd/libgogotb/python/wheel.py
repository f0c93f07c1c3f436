"""Packs the Python package and the C library into a wheel, with nothing but the standard library.

    python3 wheel.py --library bin/libgogotb.so --version 0.1.0 --out dist

The wheel is for the platform that this runs on, and for any Python from 3.8 on. Equal inputs give equal bytes.
"""

from __future__ import annotations

import argparse
import base64
import ctypes
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SUFFIXES = {"darwin": "dylib", "win32": "dll"}

METADATA = """Metadata-Version: 2.1
Name: gogotb
Version: {version}
Summary: Exact values of minishogi positions, from endgame tables in folders{addresses}
License: MIT
Requires-Python: >=3.8
Description-Content-Type: text/plain

{description}
"""

WHEEL = """Wheel-Version: 1.0
Generator: gogotb
Root-Is-Purelib: false
Tag: {tag}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="pack the Python package and the C library into a wheel")
    parser.add_argument("--library", required=True, type=pathlib.Path, help="the shared library")
    parser.add_argument("--version", required=True, help="the version of the package")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder for the wheel")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    print(write(arguments.out, arguments.library, arguments.version))


def write(out: pathlib.Path, library: pathlib.Path, version: str) -> pathlib.Path:
    """Writes the wheel into a folder, and returns its name."""
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"gogotb-{version}.dist-info"
    files = {f"gogotb/{f.name}": f.read_bytes() for f in package_files()}
    files[f"gogotb/libgogotb.{SUFFIXES.get(sys.platform, 'so')}"] = library.read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version, description=description(), addresses=addresses(library)).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = f"{info}/RECORD"
    lines = [f"{name},{digest(data)},{len(data)}\n" for name, data in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()

    path = out / f"gogotb-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return path


def addresses(library: pathlib.Path) -> str:
    """What the package says of addresses, if the library reads tables there."""
    reads = ctypes.c_int()
    status = ctypes.CDLL(str(library.resolve())).gogotb_addresses(ctypes.byref(reads))
    return " and at addresses" if status == 0 and reads.value else ""


def package_files() -> list[pathlib.Path]:
    """The files of the package, but for the library."""
    files = sorted((HERE / "gogotb").iterdir())
    return [f for f in files if f.suffix == ".py" or f.name == "py.typed"]


def description() -> str:
    """What the package says of itself, without the quotes."""
    text = (HERE / "gogotb" / "__init__.py").read_text()
    return text.split('"""')[1].strip()


def digest(data: bytes) -> str:
    """A hash as RECORD has it."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
