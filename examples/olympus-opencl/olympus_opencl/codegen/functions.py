"""Functions of elements in OpenCL C, made for each type, and the types' names: what generated text calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

import numpy as np

from olympus_core import dtypes
from olympus_core.program import OperationRecord
from olympus_core.toolkit.c_text import is_narrow

STORAGE: Mapping[np.dtype, str] = {
    dtypes.bool_: "uchar", dtypes.int8: "char", dtypes.int16: "short", dtypes.int32: "int", dtypes.int64: "long",
    dtypes.uint8: "uchar", dtypes.uint16: "ushort", dtypes.uint32: "uint", dtypes.uint64: "ulong",
    dtypes.float16: "ushort", dtypes.bfloat16: "ushort", dtypes.float8_e4m3fn: "uchar", dtypes.float8_e5m2: "uchar",
    dtypes.float32: "float", dtypes.float64: "double", dtypes.complex64: "float2", dtypes.complex128: "double2",
}
_BY_NAME = {dtype.name: dtype for dtype in STORAGE}
# Bits of exponent and mantissa, and the first pattern past the greatest number; the pattern of NaN.
_NARROW = {dtypes.float16: (5, 10, 0x7C00, 0x7E00), dtypes.float8_e4m3fn: (4, 3, 0x7F, 0x7F),
           dtypes.float8_e5m2: (5, 2, 0x7C, 0x7E)}
_COMPARISONS = {"eq": "x == y", "ne": "x != y", "lt": "x < y", "le": "x <= y", "gt": "x > y", "ge": "x >= y"}
_CLAMP = "{min}({max}(x, low), high)"

_BUILT_IN = ("floor ceil exp expm1 log log1p sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf "
             "erfc").split()
_FLOATS = {  # also of vectors; operators where they will do, since PoCL calls its functions and inlines none
    "add": "x + y", "sub": "x - y", "mul": "x * y", "div": "x / y", "neg": "-x", "round": "rint(x)",
    "abs": "as_{T}(as_{B}(x) & {rest})", **{name: f"{name}(x)" for name in _BUILT_IN},
    "rsqrt": "1 / sqrt(x)", "atan2": "atan2(x, y)", "pow": "pow(x, y)", "rem": "fmod(x, y)",
    "is_finite": "x - x == 0", "sign": "x > 0 ? ({T})1 : x < 0 ? ({T})-1 : x",
    "max": "((x > y) | (x != x)) ? x : y", "min": "((x < y) | (x != x)) ? x : y", "clamp": _CLAMP,
    "next_after": "nextafter(x, y)",
    # By the exponential of what is not positive, which never overflows: both tails are exact.
    "logistic": "(x < 0 ? exp(-fabs(x)) : ({T})1) / (1 + exp(-fabs(x)))", **_COMPARISONS,
}
_SHIFTED = "({U})y < {bits} ? ({T})({}) : ({T})0"
_INTEGERS = {
    **{name: f"{{as}}({{wide}}(x) {sign} {{wide}}(y))" for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"))},
    "and": "x & y", "or": "x | y", "xor": "x ^ y", "not": "~x", "neg": "{as}(0 - {wide}(x))",
    "abs": "x < 0 ? {as}(0 - {wide}(x)) : x", "max": "x > y ? x : y", "min": "x < y ? x : y", "clamp": _CLAMP,
    **_COMPARISONS, "sign": "(x > 0) - (x < 0)",
    "div": "y == 0 ? ({T})-1 : {minus_one} ? ({T})(0 - ({W})x) : ({T})(x / y)",
    "rem": "y == 0 ? x : {minus_one} ? ({T})0 : ({T})(x % y)",
    "shift_left": _SHIFTED.replace("{}", "({W})x << ({U})y"),
    "shift_right_logical": _SHIFTED.replace("{}", "({U})x >> ({U})y"),
    "shift_right_arithmetic": "({T})(({S})x >> (({U})y < {bits} ? (int)({U})y : {bits} - 1))",
    "population_count": "({T})popcount(({U})x)", "count_leading_zeros": "({T})clz(({U})x)",
}
_BOOLS = {"and": "x & y", "or": "x | y", "xor": "x != y", "max": "x | y", "min": "x & y", "not": "!x",
          "eq": "x == y", "ne": "x != y", "lt": "!x & y", "le": "!x | y", "gt": "x & !y", "ge": "x | !y",
          "clamp": "(x | low) & high"}
_COMPLEXES = {
    "add": "x + y", "sub": "x - y", "neg": "-x", "conj": "({T})(x.x, -x.y)", "real": "x.x", "imag": "x.y",
    "mul": "({T})(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x)", "eq": "x.x == y.x && x.y == y.y",
    "ne": "x.x != y.x || x.y != y.y", "abs": "hypot(x.x, x.y)",
}
_INTEGER_POWER = """{T} NAME({T} x, {T} y) {{
    if (y < 0) return x == 1 ? x : x == ({T})-1 ? (y & 1 ? x : ({T})1) : ({T})0;
    {W} power = 1, base = ({W})x;
    for ({U} rest = ({U})y; rest; rest >>= 1, base *= base)
        if (rest & 1) power *= base;
    return ({T})power;
}}"""
_THREEFRY = """void olympus_threefry2x32(uint k0, uint k1, uint x0, uint x1, private uint* y0, private uint* y1) {
    const uint keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDAu};
    const uint distances[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    x0 += k0;
    x1 += k1;
    for (int block = 0; block < 5; ++block) {
        for (int i = 0; i < 4; ++i) {
            x0 += x1;
            x1 = x0 ^ rotate(x1, distances[block % 2 * 4 + i]);
        }
        x0 += keys[(block + 1) % 3];
        x1 += keys[(block + 2) % 3] + (uint)(block + 1);
    }
    *y0 = x0;
    *y1 = x1;
}"""
# What can be rounded once more, to fewer digits, as if it had not been rounded before: rounded to odd.
_SINGLE_OF_DOUBLE = """float olympus_single_float64(double x) {
    const float y = (float)x;
    if (x != x || (double)y == x) return y;
    return as_float((((double)y > x) == (x > 0) ? as_uint(y) - 1 : as_uint(y)) | 1);
}"""
_SINGLE_OF_LONG = """float olympus_single_{name}({T} x) {{
    const float y = convert_float_rtz(x);
    return ({T})y == x ? y : as_float(as_uint(y) | 1);
}}"""
# Functions of float32 and its vectors, for which drivers for processors take several times as long. `{V}` is the type,
# `{I}` its integers. Arguments are reduced by parts of pi / 2 or ln 2, whose products with small integers are exact;
# polynomials are weighted least squares at Chebyshev's points.
# Large numbers go by the driver's, which sees no others: PoCL 3.0's are wrong for small ones beside large ones.
_REDUCED = """    const {V} size = as_{V}(as_{I}(x) & 0x7fffffff), t = x * 0x1.45f306p-1f + 0x1.8p+23f, n = t - 0x1.8p+23f;
    const {V} r = (((x - n * 0x1.92p+0f) - n * 0x1.fb4p-12f) - n * 0x1.444p-24f) - n * 0x1.68c234p-39f;
    const {V} s = r * r;
    const {V} sine = r + r * s * (((0x1.6ca0d8p-19f * s - 0x1.a00eaep-13f) * s + 0x1.111108p-7f) * s - 0x1.555556p-3f);
    const {V} bend = ((-0x1.23fed2p-22f * s + 0x1.a01044p-16f) * s - 0x1.6c16b8p-10f) * s + 0x1.555556p-5f;
    const {V} cosine = 1.0f - (s * 0.5f - s * s * bend);
    const {I} quarter = as_{I}(t) + {offset};  // its lowest bits are those of n
    const {V} z = (quarter & 1) != 0 ? cosine : sine, y = size < 0x1p-13f ? {tiny} : (quarter & 2) != 0 ? -z : z;
    const {I} large = size > 8192.0f;
    if (!olympus_any_{N}(large)) return y;
    return large ? {function}(large ? x : ({V})1e5f) : y;"""
# Clamped by an instruction for each bound; NaN stays.
_CLAMPED = """    const {V} below = x > {high} ? ({V}){high} : x, y = below < {low} ? ({V}){low} : below;
"""
# exp(x) = 2^n (1 + q), where q is exp(r) - 1 without cancellation.
_EXPONENT = _CLAMPED + """    const {V} t = y * 0x1.715476p+0f + 0x1.8p+23f, n = t - 0x1.8p+23f;
    const {V} r = (y - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
    const {V} bend = ((0x1.6b7092p-10f * r + 0x1.122de2p-7f) * r + 0x1.55571ep-5f) * r + 0x1.5554a8p-3f;
    const {V} q = r + r * r * (bend * r + 0x1.fffffep-2f);
    const {I} k = as_{I}(t) - 0x4b400000;
"""
# exp(x) = 2^n (even + r) / (even - r), where even is r coth(r / 2): shorter, where a division is needed anyway. The lowest
# bits of t are those of n and the bias of exponents.
_QUOTIENT = _CLAMPED + """    const {V} t = y * {rate}f + {magic}f, n = t - {magic}f, e = as_{V}(as_{I}(t) << 23), r = {rest};
    const {V} s = r * r, even = (s * {fourth}f + {square}f) * s + {one};
"""
_SINGLES: Mapping[str, tuple[str, Mapping[str, object]]] = {  # texts and their words
    "sin": (_REDUCED, {"offset": 0, "function": "sin", "tiny": "x"}),
    "cos": (_REDUCED, {"offset": 1, "function": "cos", "tiny": "cosine"}),
    "exp": (_EXPONENT + """    const {I} h = k >> 1;  // 2^n: two factors
    return (1.0f + q) * as_{V}((h + 127) << 23) * as_{V}((k - h + 127) << 23);""", {"high": "89.0f", "low": "-104.0f"}),
    "expm1": (_EXPONENT + """    const {V} e = as_{V}((k + 126) << 23), z = e * q + (e - 0.5f);
    return as_{V}(as_{I}(2*z) & 0x7fffffff | as_{I}(x) & -0x7fffffff - 1);""", {"high": "89.0f", "low": "-18.0f"}),
    # By exp(2 x), where r and even are halves. The larger n is, the less an error of n ln 2 matters, and 1 and 2 times ln 2
    # are exact: one part will do.
    "tanh": (_QUOTIENT + """    const {V} less = 1.0f - e, more = 1.0f + e;
    return (-less * even + more * r) / (more * even - less * r);""", {
        "high": "20.0f", "low": "-20.0f", "rate": "0x1.715476p+1", "magic": "0x1.8000fep+23",
        "rest": "y - n * 0x1.62e43p-2f", "fourth": "-0x1.6a9d82p-6", "square": "0x1.55551cp-2", "one": "1.0f"}),
    # Its least results are subnormal: e is 2^(n + 24).
    "logistic": (_QUOTIENT + """    const {V} top = e * ((even + r) * 0x1p-24f);
    return top / (top + (even - r));""", {
        "high": "20.0f", "low": "-104.0f", "rate": "0x1.715476p+0", "magic": "0x1.80012ep+23",
        "rest": "(y - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f", "fourth": "-0x1.6a9d82p-9", "square": "0x1.55551cp-3",
        "one": "2.0f"}),
}
# Operations on vectors, by the kind of their elements; truth values are masks, of all bits or none.
_WHOLE = frozenset({*_COMPARISONS, "add", "sub", "mul", "and", "or", "xor", "not", "neg", "abs", "max", "min", "clamp"})
VECTOR_FUNCTIONS: Mapping[str, frozenset[str]] = {
    "f": frozenset(_FLOATS) - {"tan", "next_after"},  # PoCL 3.0's tan is as wrong as its sin
    "i": _WHOLE, "u": _WHOLE, "b": frozenset(_BOOLS),
}
_SATURATED = """{T} NAME({F} x) {{
    if (x != x) return 0;
    if (x >= ({F}){above}) return {greatest};
    if (x < ({F}){least}) return {least_text};
    return ({T}){by}x;
}}"""
_STORED = """{S} olympus_store_{name}(float x) {{
    const uint bits = as_uint(x), size = bits & 0x7fffffffu, sign = bits >> {shift} & {sign}u;
    if (size > 0x7f800000u{infinite}) return ({S})(sign | {nan}u);
    if (size < {normal}u) return ({S})(sign | (as_uint(as_float(size) + as_float({magic}u)) - {magic}u));
    uint rounded = size + {half}u + (size >> {cut} & 1);
    rounded = (rounded - {bias}u) >> {cut};
    return ({S})(sign | (rounded < {beyond}u ? rounded : {beyond}u));
}}"""
# What is below the normal numbers goes by way of an integer: the device need not have such small floats.
_LOADED = """float olympus_load_{name}({S} bits) {{
    const uint sign = ((uint)bits & {sign}u) << {shift}, size = (uint)bits & {sign}u - 1;
    if (size {special}) return as_float(sign | {value});
    const float small = (float)size * as_float({least}u);
    return as_float(sign | (size < {normal}u ? as_uint(small) : (size << {cut}) + {bias}u));
}}"""


def register_type(dtype: np.dtype) -> str:
    """The type of elements in registers."""
    if dtypes.is_bool(dtype):
        return "bool"
    return "float" if is_narrow(dtype) else STORAGE[dtype]


def register(dtype: np.dtype) -> np.dtype:
    """The element type that registers hold."""
    return dtypes.float32 if is_narrow(dtype) else dtype


def function_of(operation: str, dtype: np.dtype, result: np.dtype | None = None) -> str | None:
    """The name of an operation's function; None where there is none.

    Example:
        >>> function_of("div", dtypes.int8), function_of("sin", dtypes.bfloat16), function_of("sin", dtypes.int8)
        ('olympus_div_int8', 'olympus_sin_float32', None)
    """
    if operation == "threefry2x32":
        return "olympus_threefry2x32" if dtype == dtypes.uint32 else None
    if operation == "next_after" and is_narrow(dtype):
        return None
    name = f"olympus_{operation}_{register(dtype).name}"
    return name if _elementwise(name) is not None else None


def supports(record: OperationRecord | None, types: Sequence[np.dtype], missing: Collection[np.dtype] = ()) -> bool:
    """Whether kernels may hold an operation on elements of these types.

    Args:
        record: The operation; None asks whether they can be loaded and stored.
        types: The element types of its operands, perhaps followed by those of its results.
        missing: Types that the device has not.

    Example:
        >>> from olympus_core import ops
        >>> supports(ops.exp, [dtypes.float64]), supports(ops.exp, [dtypes.float64], {dtypes.float64})
        (True, False)
    """
    if not types or any(dtype not in STORAGE or dtype in missing for dtype in types):
        return False
    if record is None or record.name in ("select", "convert", "scatter"):
        return True
    if record.combine is not None:
        return not dtypes.is_complex(types[0]) or function_of(record.combine.name, types[0]) is not None
    if record.name == "bitcast_convert":
        return not any(dtypes.is_complex(t) or dtypes.is_bool(t) for t in types)
    return function_of(record.name, types[0]) is not None


def needed(text: str) -> str:
    """The functions that a text calls and those that these call, in order of dependence."""
    made: dict[str, str] = {}

    def add(part: str) -> None:
        for name in sorted(set(re.findall(r"\bolympus_\w+", part))):
            if name not in made and (found := definition(name)) is not None:
                body = found.replace("NAME", name)
                add(body.replace(name, ""))
                made[name] = body

    add(text)
    return "".join(f"inline {body}\n\n" for body in made.values())


@cache
def definition(name: str) -> str | None:
    """The text of a function, with `NAME` for its name, or None where there is none of the name."""
    if name == "olympus_threefry2x32":
        return _THREEFRY
    kind, _, rest = name.removeprefix("olympus_").partition("_")
    if kind == "any":
        width = rest.partition("x")[2]
        test = f"({' | '.join(f'x.s{i:x}' for i in range(int(width)))}) < 0" if width else "x != 0"
        return f"bool NAME(int{width} x) {{ return {test}; }}"
    if kind == "convert" and "_to_" in rest:
        source, _, target = rest.partition("_to_")
        return _converted(_BY_NAME[source], _BY_NAME[target])
    dtype = _BY_NAME.get(rest)
    if dtype is not None and kind in ("bits", "frombits"):
        U, T = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}[dtype.itemsize], register_type(dtype)
        function = f"as_{U if kind == 'bits' else T}"
        if is_narrow(dtype):
            function = f"olympus_{'store' if kind == 'bits' else 'load'}_{rest}"
        given, result = (T, U) if kind == "bits" else (U, T)
        return f"{result} NAME({given} x) {{ return {function}(x); }}"
    if kind == "round" and dtype is not None and is_narrow(dtype):  # else the operation
        return f"float NAME(float x) {{ return olympus_load_{rest}(olympus_store_{rest}(x)); }}"
    makers = {"load": _load, "store": _store, "single": _single}
    return makers[kind](dtype) if dtype is not None and kind in makers else _elementwise(name)


@cache
def _elementwise(name: str) -> str | None:
    found = re.fullmatch(r"olympus_(\w+?)_(bool|u?int\d+|b?float(?:8_\w+|\d+)|complex\d+)(x\d+)?", name)
    if found is None or found[2] not in _BY_NAME:
        return None
    operation, dtype, width = found[1], _BY_NAME[found[2]], (found[3] or "")[1:]
    T, words = _vector(dtype, width), _words(dtype, width)
    if operation == "complex" and dtype in (dtypes.float32, dtypes.float64):
        return f"{T}2 NAME({T} x, {T} y) {{ return ({T}2)(x, y); }}"
    if operation in _SINGLES and dtype == dtypes.float32:
        text, parts = _SINGLES[operation]
        body = text.format(V=T, I=f"int{width}", N=found[2] + (found[3] or ""), **parts)
        return f"{T} NAME({T} x) {{\n    #pragma OPENCL FP_CONTRACT ON\n{body}\n}}"
    if operation == "pow" and dtypes.is_integer(dtype):
        return _INTEGER_POWER.format(**words)
    table = (_BOOLS if dtypes.is_bool(dtype) else _INTEGERS if dtypes.is_integer(dtype) else
             _COMPLEXES if dtypes.is_complex(dtype) else _FLOATS)
    text = table.get(operation)
    if text is None:
        return None
    body = text.format(**{name: f"olympus_{name}_{found[2]}{found[3] or ''}" for name in ("max", "min")}, **words)
    result = T if operation not in {*_COMPARISONS, "is_finite"} else f"int{width}" if width else "bool"
    if dtypes.is_complex(dtype) and operation in ("real", "imag", "abs"):
        result = T.removesuffix("2")
    two = re.search(r"(?<!\.)\by\b", text) is not None  # x.y is a part of x
    names = ("low", "x", "high") if operation == "clamp" else ("x", "y") if two else ("x",)
    return f"{result} NAME({', '.join(f'{T} {n}' for n in names)}) {{ return {body}; }}"


def _words(dtype: np.dtype, width: str) -> dict[str, str]:
    """The types in which a type is computed: unsigned, signed, and unsigned of at least 32 bits; floats' bits."""
    T = _vector(dtype, width)
    if not dtypes.is_integer(dtype):
        bits = ("ulong", "0x7fffffffffffffffUL") if dtype.itemsize == 8 else ("uint", "0x7fffffffu")
        return {"T": T, "B": bits[0] + width, "rest": bits[1]}
    signed, W = T.removeprefix("u"), "ulong" if dtype.itemsize == 8 else "uint"
    casts = (f"as_{T}", f"as_{W}{width}") if width else (f"({T})", f"({W})")
    return {"T": T, "U": f"u{signed}", "S": signed, "W": W, "as": casts[0], "wide": casts[1],
            "bits": str(8 * dtype.itemsize), "minus_one": f"y == ({T})-1" if dtype.kind == "i" else "false"}


def _vector(dtype: np.dtype, width: str) -> str:
    return ("int" if width and dtypes.is_bool(dtype) else register_type(dtype)) + width


def _load(dtype: np.dtype) -> str | None:
    if dtypes.is_bool(dtype):
        return "bool NAME(uchar x) { return x != 0; }"
    if dtype == dtypes.bfloat16:
        return "float NAME(ushort bits) { return as_float((uint)bits << 16); }"
    if dtype not in _NARROW:
        return None
    exponent, mantissa, beyond, nan = _NARROW[dtype]
    bits, cut, bias = 8 * dtype.itemsize, 23 - mantissa, (1 << (exponent - 1)) - 1
    e4m3 = dtype == dtypes.float8_e4m3fn
    return _LOADED.format(
        name=dtype.name, S=STORAGE[dtype], sign=1 << (bits - 1), shift=32 - bits, cut=cut,
        special=f"== {nan}u" if e4m3 else f">= {beyond}u",
        value="0x7fc00000u" if e4m3 else f"0x7f800000u | size << {cut}",
        least=(127 + 1 - bias - mantissa) << 23, normal=1 << mantissa, bias=(127 - bias) << 23)


def _store(dtype: np.dtype) -> str | None:
    if dtypes.is_bool(dtype):
        return "uchar NAME(bool x) { return x; }"
    if dtype == dtypes.bfloat16:
        return ("ushort NAME(float x) {\n    const uint bits = as_uint(x);\n"
                "    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;\n"
                "    return (ushort)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);\n}")
    if dtype not in _NARROW:
        return None
    exponent, mantissa, beyond, nan = _NARROW[dtype]
    bias, cut, bits = (1 << (exponent - 1)) - 1, 23 - mantissa, 8 * dtype.itemsize
    return _STORED.format(
        name=dtype.name, S=STORAGE[dtype], shift=32 - bits, sign=1 << (bits - 1), nan=nan, normal=(128 - bias) << 23,
        infinite=" || size == 0x7f800000u" if dtype == dtypes.float8_e4m3fn else "",
        magic=(127 + 24 - bias - mantissa) << 23, half=(1 << (cut - 1)) - 1, cut=cut, bias=(127 - bias) << 23,
        beyond=beyond)


def _single(dtype: np.dtype) -> str | None:
    if dtype == dtypes.float64:
        return _SINGLE_OF_DOUBLE
    return _SINGLE_OF_LONG.format(name=dtype.name, T=STORAGE[dtype]) if dtypes.is_integer(dtype) else None


def _converted(source: np.dtype, target: np.dtype) -> str:
    """The nearest number; floats become whole numbers by truncation, the nearest there is, zero for NaN."""
    F, T = register_type(source), register_type(target)
    if dtypes.is_bool(target):
        body = "x.x != 0 || x.y != 0" if dtypes.is_complex(source) else "x != 0"
    elif dtypes.is_complex(target):
        part = T.removesuffix("2")
        body = f"({T})(({part})x.x, ({part})x.y)" if dtypes.is_complex(source) else f"({T})(({part})x, 0)"
    elif dtypes.is_complex(source):
        part_type = dtypes.float32 if source == dtypes.complex64 else dtypes.float64
        body = "x.x" if part_type == target else f"olympus_convert_{part_type.name}_to_{target.name}(x.x)"
    elif dtypes.is_integer(target) and dtypes.is_float(source):
        return _saturated(source, target)
    elif is_narrow(target):
        name = register(source).name
        single = "x" if name == "float32" or dtypes.is_bool(source) else f"olympus_single_{name}(x)"
        body = f"olympus_round_{target.name}({single})"
    else:
        body = f"({T})x"
    return f"{T} NAME({F} x) {{ return {body}; }}"


def _saturated(source: np.dtype, target: np.dtype) -> str:
    info, T, F = np.iinfo(target), STORAGE[target], register_type(source)
    suffix, end = {8: "L", 4: ""}.get(target.itemsize, ""), "" if F == "double" else "f"
    greatest = f"{info.max}{'UL' if target == dtypes.uint64 else 'u' if target == dtypes.uint32 else suffix}"
    return _SATURATED.format(
        T=T, F=F, above=float(info.max + 1).hex() + end, greatest=greatest, least=float(info.min).hex() + end,
        least_text=f"(-{info.max}{suffix} - 1)" if info.min else "0", by="(int)" if target.itemsize < 4 else "")
