"""Tests run where there is an OpenCL driver; PoCL is one for processors, and keeps its code in a folder of its own."""

from __future__ import annotations

import os
import sys
import tempfile

import pytest

os.environ.setdefault("POCL_CACHE_DIR", tempfile.mkdtemp(prefix="pocl"))

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("PoCL's wheel is for Linux on x86_64", allow_module_level=True)
