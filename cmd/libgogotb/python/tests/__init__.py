"""Tests of the Python package. `make python` runs them, with the program and the library that it has built."""
