"""What README.md says of the Python package is true."""

import doctest
import os
import re
import unittest

from . import helpers


class Readme(unittest.TestCase):
    def test_examples(self):
        text = (helpers.ROOT / "README.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        self.assertTrue(blocks)
        before = os.getcwd()
        os.chdir(helpers.workplace())  # where ./tables is
        self.addCleanup(os.chdir, before)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        names = {}
        for number, block in enumerate(blocks):
            test = doctest.DocTestParser().get_doctest(block, names, f"block {number + 1}", "README.md", 0)
            self.assertTrue(test.examples)
            said = []
            runner.run(test, out=said.append, clear_globs=False)
            names.update(test.globs)
            self.assertEqual(said, [])
        self.assertEqual(runner.summarize(verbose=False).failed, 0)
