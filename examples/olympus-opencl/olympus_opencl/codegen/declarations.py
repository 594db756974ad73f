"""What a text calls of OpenCL's own, declared by the text: for PoCL, which parses a header for each program."""

from __future__ import annotations

import re

# PoCL 3.0 takes 0.28 s for a program, 0.25 s of it for the 18,500 lines of its header, which it skips so.
OPTION = "-D_OPENCL_H_"
_FLOATS, _WHOLE = "float float8 float16 double", "char uchar short ushort int uint long ulong"
# Names, the form of their declarations, and the types for which there is one.
_FUNCTIONS = (
    ("acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp expm1 fabs floor log log1p rint sin sinh sqrt "
     "tan tanh", "{T} {f}({T} x)", _FLOATS),
    ("atan2 copysign fmod hypot nextafter pow", "{T} {f}({T} x, {T} y)", _FLOATS),
    ("max min", "{T} {f}({T} x, {T} y)", "int8 uint8 int16 uint16"), ("rotate", "{T} {f}({T} x, {T} y)", "uint"),
    ("popcount clz", "{T} {f}({T} x)", _WHOLE),
    *((f"convert_float{n}", f"float{n} {{f}}({{T}} x)", f"int{n} uint{n}") for n in (8, 16)),
    *((f"convert_uchar{n}", f"uchar{n} {{f}}({{T}} x)", f"int{n}") for n in (8, 16)),
    ("convert_float_rtz", "float {f}({T} x)", _WHOLE), ("get_group_id get_local_id", "size_t {f}({T} x)", "uint"),
    ("barrier", "void {f}({T} x)", "uint"),
)


def _heads(text: str) -> list[str]:
    """The functions of OpenCL's that a text calls."""
    called = set(re.findall(r"\b[a-z]\w*(?=\()", text))
    return [form.format(T=T, f=f) for names, form, types in _FUNCTIONS for f in names.split() if f in called
            for T in types.split() if T in text or T.replace("8", "16") in text or T == types]


def declared(text: str) -> str:
    """A text with declarations of what it calls, for `OPTION`.

    Example:
        >>> [line for line in declared("float f(float x) { return exp(x); }").splitlines() if "exp" in line][0]
        '__attribute__((overloadable, const)) float exp(float x);'
    """
    lines = [f"__attribute__((overloadable, {'convergent' if ' barrier' in head else 'const'})) {head};"
             for head in _heads(text)]
    return "\n".join(lines) + "\n" + text


def halved(text: str) -> str:
    """Functions of vectors of 16 that a text calls, by the driver's functions of vectors of 8.

    Example:
        >>> print(halved("float16 f(float16 x) { return exp(x); }"), end="")
        __attribute__((overloadable)) float16 exp(float16 x) { return (float16)(exp(x.lo), exp(x.hi)); }
    """
    lines = []
    for result, call in (head.split(" ", 1) for head in _heads(text) if "16 x" in head):
        low, high = (re.sub(r"\w+ (\w)\b", rf"\1.{part}", call).replace("16", "8") for part in ("lo", "hi"))
        lines.append(f"__attribute__((overloadable)) {result} {call} {{ return ({result})({low}, {high}); }}\n")
    return "".join(lines)
