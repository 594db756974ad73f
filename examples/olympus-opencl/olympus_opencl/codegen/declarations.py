"""What a text calls of OpenCL's own, declared by the text: for PoCL, which parses a header for each program."""

from __future__ import annotations

import re

# PoCL 3.0 takes 0.28 s for a program, 0.25 s of it for the 18,500 lines of its header, which it skips so.
OPTION = "-D_OPENCL_H_"
_FLOATS, _WHOLE = "float float8 float16 double", "char uchar short ushort int uint long ulong"
# Names, the form of their declarations, and the types for which there is one.
_FUNCTIONS = (
    ("acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp expm1 fabs floor log log1p rint sin sinh sqrt "
     "tan tanh", "{T} {f}({T})", _FLOATS),
    ("atan2 copysign fmod hypot nextafter pow", "{T} {f}({T}, {T})", _FLOATS),
    ("max min", "{T} {f}({T}, {T})", "int8 uint8 int16 uint16"), ("rotate", "{T} {f}({T}, {T})", "uint"),
    ("popcount clz", "{T} {f}({T})", _WHOLE),
    *((f"convert_float{n}", f"float{n} {{f}}({{T}})", f"int{n} uint{n}") for n in (8, 16)),
    *((f"convert_uchar{n}", f"uchar{n} {{f}}({{T}})", f"int{n}") for n in (8, 16)),
    ("convert_float_rtz", "float {f}({T})", _WHOLE), ("get_group_id get_local_id", "size_t {f}({T})", "uint"),
    ("barrier", "void {f}({T})", "uint"),
)


def declared(text: str) -> str:
    """A text with declarations of what it calls, for `OPTION`.

    Example:
        >>> [line for line in declared("float f(float x) { return exp(x); }").splitlines() if "exp" in line][0]
        '__attribute__((overloadable, const)) float exp(float);'
    """
    has_double, called = "double" in text, set(re.findall(r"\b[a-z]\w*(?=\()", text))
    lines = [f"__attribute__((overloadable, {'convergent' if f == 'barrier' else 'const'})) {form.format(T=T, f=f)};"
             for names, form, types in _FUNCTIONS for f in names.split() if f in called
             for T in types.split() if has_double or T != "double"]
    doubles = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" if has_double else ""
    return doubles + "\n".join(lines) + "\n" + text
