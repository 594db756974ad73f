// A stand-in for cuBLASLt in host memory: the functions that the plugin calls, strict about what they are given.
// What a call breaks is told by olympus_fake_message(). Work goes to the stand-in's streams where they have said how.
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

enum Status { kSuccess = 0, kNotInitialized = 1, kInvalid = 7, kNotSupported = 15 };
enum Type { kF32 = 0, kF64 = 1, kF16 = 2, kI8 = 3, kC64 = 4, kC128 = 5, kI32 = 10, kBf16 = 14, kE4m3 = 28, kE5m2 = 29 };
enum Compute { k32F = 68, k64F = 70, k32I = 72, kTf32 = 77 };

std::mutex mutex;
std::set<void*> live;
std::string message;
void (*enqueue)(void*, void (*)(void*), void*) = nullptr;
void (*access)(void*, const void*, size_t, int) = nullptr;
long matmuls = 0, heuristics = 0, epilogues = 0, algorithms[3] = {0, 0, 0};
const unsigned kSlow = 3000;  // microseconds

int refuse(int status, const char* format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    std::lock_guard<std::mutex> hold(mutex);
    message = text;
    return status;
}

struct Object {
    char kind;
    explicit Object(char k) : kind(k) {}
};
struct Handle : Object { Handle() : Object('H') {} };
struct Desc : Object {
    int compute, scale;
    std::map<int, int64_t> attributes;
    Desc(int c, int s) : Object('D'), compute(c), scale(s) {}
    int64_t get(int attribute, int64_t otherwise) const {
        auto found = attributes.find(attribute);
        return found == attributes.end() ? otherwise : found->second;
    }
};
struct Layout : Object {
    int type;
    int64_t rows, columns, leading, batch = 1, stride = 0;
    Layout(int t, int64_t r, int64_t c, int64_t l) : Object('L'), type(t), rows(r), columns(c), leading(l) {}
};
struct Preference : Object {
    uint64_t workspace = 0;
    uint32_t reductions = 7;
    uint32_t alignment[4] = {256, 256, 256, 256};
    Preference() : Object('P') {}
};

bool is(const void* object, char kind) {
    std::lock_guard<std::mutex> hold(mutex);
    return live.count(const_cast<void*>(object)) && static_cast<const Object*>(object)->kind == kind;
}
template <class T>
int born(void** out, T* object) {
    std::lock_guard<std::mutex> hold(mutex);
    live.insert(object);
    *out = object;
    return kSuccess;
}
template <class T>
int dies(void* object, char kind) {
    if (!is(object, kind)) return refuse(kInvalid, "destroyed what is no live object of kind %c", kind);
    std::lock_guard<std::mutex> hold(mutex);
    live.erase(object);
    delete static_cast<T*>(object);
    return kSuccess;
}

size_t size_of(int type) {
    switch (type) {
        case kI8: case kE4m3: case kE5m2: return 1;
        case kF16: case kBf16: return 2;
        case kF32: case kI32: return 4;
        case kF64: case kC64: return 8;
        case kC128: return 16;
    }
    return 0;
}

// Narrow floats: 1 sign, so many exponent and mantissa bits.
double narrow(unsigned bits, int exponents, int mantissas) {
    int sign = bits >> (exponents + mantissas) & 1, bias = (1 << (exponents - 1)) - 1;
    int exponent = bits >> mantissas & ((1 << exponents) - 1), mantissa = bits & ((1 << mantissas) - 1);
    double size;
    bool finite_only = exponents == 4;  // e4m3fn has no infinity, and one NaN
    if (exponent == (1 << exponents) - 1 && !(finite_only && mantissa != (1 << mantissas) - 1))
        size = mantissa ? __builtin_nan("") : __builtin_inf();
    else if (exponent)
        size = __builtin_ldexp(1 + __builtin_ldexp(mantissa, -mantissas), exponent - bias);
    else
        size = __builtin_ldexp(mantissa, 1 - bias - mantissas);
    return sign ? -size : size;
}
uint16_t rounded(double x, int exponents, int mantissas) {
    int bias = (1 << (exponents - 1)) - 1, sign = __builtin_signbit(x) ? 1 : 0;
    unsigned top = (unsigned)sign << 15, most = ((1u << exponents) - 1) << mantissas;
    if (x != x) return top | most | 1u << (mantissas - 1);
    x = __builtin_fabs(x);
    if (__builtin_isinf(x)) return top | most;
    if (x == 0) return top;
    int e;
    __builtin_frexp(x, &e);
    int unit = (e - 1 < 1 - bias ? 1 - bias : e - 1) - mantissas;
    double quotient = __builtin_nearbyint(__builtin_ldexp(x, -unit));
    double kept = __builtin_ldexp(quotient, unit);
    if (kept == 0) return top;
    __builtin_frexp(kept, &e);
    if (e - 1 > bias) return top | most;
    if (e - 1 < 1 - bias) return top | (unsigned)quotient;
    unsigned mantissa = (unsigned)__builtin_ldexp(kept, mantissas - (e - 1)) - (1u << mantissas);
    return top | (unsigned)(e - 1 + bias) << mantissas | mantissa;
}

typedef std::complex<double> Number;
Number load(const char* p, int type) {
    switch (type) {
        case kF32: { float x; memcpy(&x, p, 4); return x; }
        case kF64: { double x; memcpy(&x, p, 8); return x; }
        case kC64: { float x[2]; memcpy(x, p, 8); return {x[0], x[1]}; }
        case kC128: { double x[2]; memcpy(x, p, 16); return {x[0], x[1]}; }
        case kI8: return *(const signed char*)p;
        case kF16: { uint16_t x; memcpy(&x, p, 2); return narrow(x, 5, 10); }
        case kBf16: { uint16_t x; memcpy(&x, p, 2); return narrow(x, 8, 7); }
        case kE4m3: return narrow(*(const unsigned char*)p, 4, 3);
        case kE5m2: return narrow(*(const unsigned char*)p, 5, 2);
    }
    return 0;
}
void store(char* p, int type, Number x) {
    switch (type) {
        case kF32: { float y = (float)x.real(); memcpy(p, &y, 4); return; }
        case kF64: { double y = x.real(); memcpy(p, &y, 8); return; }
        case kC64: { float y[2] = {(float)x.real(), (float)x.imag()}; memcpy(p, y, 8); return; }
        case kC128: { double y[2] = {x.real(), x.imag()}; memcpy(p, y, 16); return; }
        case kI32: { int32_t y = (int32_t)(uint32_t)(int64_t)x.real(); memcpy(p, &y, 4); return; }
        case kF16: { uint16_t y = rounded(x.real(), 5, 10); memcpy(p, &y, 2); return; }
        case kBf16: { uint16_t y = rounded(x.real(), 8, 7); memcpy(p, &y, 2); return; }
    }
}

struct Call {
    Desc desc;
    Layout a, b, d;
    const char *pa, *pb, *bias;
    char *pd, *workspace;
    size_t workspace_bytes;
    bool is_slow;
};

// Tensor cores read no more than 10 bits of a float32's mantissa.
double cut(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    bits &= ~0x1fffu;
    memcpy(&x, &bits, 4);
    return x;
}

std::vector<Number> loaded(const char* p, const Layout& layout, bool tf32) {
    std::vector<Number> numbers((size_t)(layout.rows * layout.columns));
    for (int64_t j = 0; j < layout.columns; ++j)
        for (int64_t i = 0; i < layout.rows; ++i)
            numbers[j * layout.rows + i] = load(p + (i + j * layout.leading) * size_of(layout.type), layout.type);
    if (tf32)
        for (Number& x : numbers) x = cut((float)x.real());
    return numbers;
}

void run(void* given) {
    Call* call = static_cast<Call*>(given);
    const Layout &a = call->a, &b = call->b, &d = call->d;
    if (call->is_slow) std::this_thread::sleep_for(std::chrono::microseconds(kSlow));
    bool ta = call->desc.get(3, 0), tb = call->desc.get(4, 0);
    int64_t epilogue = call->desc.get(7, 1), inner = ta ? a.rows : a.columns;
    if (call->workspace_bytes) memset(call->workspace, 0xCD, call->workspace_bytes);
    bool complex = a.type == kC64 || a.type == kC128, tf32 = call->desc.compute == kTf32;
    for (int64_t n = 0; n < d.batch; ++n) {
        std::vector<Number> xs = loaded(call->pa + n * a.stride * size_of(a.type), a, tf32);
        std::vector<Number> ys = loaded(call->pb + n * b.stride * size_of(b.type), b, tf32);
        for (int64_t j = 0; j < d.columns; ++j)
            for (int64_t i = 0; i < d.rows; ++i) {
                double re = 0, im = 0;
                for (int64_t k = 0; k < inner; ++k) {
                    const Number& x = xs[ta ? k + i * a.rows : i + k * a.rows];
                    const Number& y = ys[tb ? j + k * b.rows : k + j * b.rows];
                    re += x.real() * y.real();
                    if (complex) re -= x.imag() * y.imag(), im += x.real() * y.imag() + x.imag() * y.real();
                }
                Number sum(re, im);
                if (epilogue & 4) sum += load(call->bias + i * size_of(d.type), d.type);
                if ((epilogue & 2) && sum.real() < 0) sum = 0;
                if (epilogue & 32) {
                    double x = sum.real();
                    sum = 0.5 * x * (1 + __builtin_tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
                }
                store(call->pd + (n * d.stride + i + j * d.leading) * size_of(d.type), d.type, sum);
            }
    }
}

int checked(const Desc& desc, const Layout& a, const Layout& b, const Layout& c, const Layout& d) {
    bool ta = desc.get(3, 0), tb = desc.get(4, 0);
    int64_t rows = ta ? a.columns : a.rows, inner = ta ? a.rows : a.columns;
    int64_t inner_b = tb ? b.columns : b.rows, columns = tb ? b.rows : b.columns;
    if (inner != inner_b || rows != d.rows || columns != d.columns)
        return refuse(kInvalid, "shapes %ldx%ld, %ldx%ld do not give %ldx%ld", (long)rows, (long)inner, (long)inner_b,
                      (long)columns, (long)d.rows, (long)d.columns);
    if (c.rows != d.rows || c.columns != d.columns || c.leading != d.leading || c.type != d.type)
        return refuse(kInvalid, "C and D differ");
    if (a.batch != b.batch || a.batch != d.batch || c.batch != d.batch) return refuse(kInvalid, "batches differ");
    for (const Layout* layout : {&a, &b, &d}) {
        if (layout->rows < 1 || layout->columns < 1) return refuse(kInvalid, "an empty matrix");
        if (layout->leading < layout->rows) return refuse(kInvalid, "leading dimension below the rows");
    }
    if (d.batch > 1 && d.stride < d.leading * (d.columns - 1) + d.rows)
        return refuse(kInvalid, "results of a batch overlap");
    bool narrow8 = a.type == kE4m3 || a.type == kE5m2;
    bool fits = false;
    auto combination = [&](int compute, int scale, int operand, std::initializer_list<int> results) {
        if (desc.compute != compute || desc.scale != scale || a.type != operand || (b.type != operand && !narrow8)) return;
        for (int result : results) fits = fits || d.type == result;
    };
    combination(k32F, kF32, kF32, {kF32});
    combination(kTf32, kF32, kF32, {kF32});
    combination(k32F, kF32, kF16, {kF16, kF32});
    combination(k32F, kF32, kBf16, {kBf16, kF32});
    combination(k32F, kF32, kE4m3, {kF32, kBf16});
    combination(k32F, kF32, kE5m2, {kF32, kBf16});
    combination(k64F, kF64, kF64, {kF64});
    combination(k32F, kC64, kC64, {kC64});
    combination(k64F, kC128, kC128, {kC128});
    combination(k32I, kI32, kI8, {kI32});
    if (!fits)
        return refuse(kNotSupported, "types %d, %d to %d in %d with %d", a.type, b.type, d.type, desc.compute, desc.scale);
    if (narrow8 && (a.type == kE5m2 && b.type == kE5m2)) return refuse(kNotSupported, "e5m2 times e5m2");
    int64_t multiple = narrow8 ? 16 : a.type == kI8 ? 4 : 1;
    if (multiple > 1 && !(ta && !tb)) return refuse(kNotSupported, "8-bit products are transposed times plain");
    if (d.rows % multiple || inner % multiple || (narrow8 && d.columns % multiple) || a.leading % multiple ||
        b.leading % multiple || a.stride % multiple || b.stride % multiple)
        return refuse(kNotSupported, "8-bit sizes and leading dimensions are multiples of %ld", (long)multiple);
    int64_t epilogue = desc.get(7, 1);
    const int64_t known[] = {1, 2, 4, 6, 32, 36};
    if (std::find(known, known + 6, epilogue) == known + 6) return refuse(kInvalid, "epilogue %ld", (long)epilogue);
    if ((epilogue & 4) && (!desc.get(8, 0) || desc.get(26, -1) != d.type))
        return refuse(kInvalid, "a bias without its pointer or of another type");
    return kSuccess;
}

// What an algorithm is good for: the same products on addresses aligned as well.
uint64_t signature(const Desc& desc, std::initializer_list<const Layout*> layouts) {
    uint64_t hash = 1469598103934665603u;
    auto add = [&](uint64_t x) { hash = (hash ^ x) * 1099511628211u; };
    add(desc.compute), add(desc.scale);
    for (auto& [key, value] : desc.attributes)
        if (key != 8) add(key), add((uint64_t)value);
    for (const Layout* l : layouts)
        for (int64_t x : {(int64_t)l->type, l->rows, l->columns, l->leading, l->batch, l->stride}) add((uint64_t)x);
    return hash;
}
constexpr uint64_t kMagic = 0x0111a9705f4b11a5u;

}  // namespace

extern "C" {

void olympus_fake_set_enqueue(void (*function)(void*, void (*)(void*), void*)) { enqueue = function; }
// Called with the stream, the first byte, the number of bytes and whether they are written, for all that a product uses.
void olympus_fake_set_access(void (*function)(void*, const void*, size_t, int)) { access = function; }
const char* olympus_fake_message() { return message.c_str(); }
long olympus_fake_live() { return (long)live.size(); }
long olympus_fake_matmuls() { return matmuls; }
long olympus_fake_epilogues() { return epilogues; }
long olympus_fake_heuristics() { return heuristics; }
long olympus_fake_algorithm(int which) { return algorithms[which]; }

size_t cublasLtGetVersion() { return 130100; }
const char* cublasLtGetStatusName(int status) {
    switch (status) {
        case kSuccess: return "CUBLAS_STATUS_SUCCESS";
        case kNotInitialized: return "CUBLAS_STATUS_NOT_INITIALIZED";
        case kInvalid: return "CUBLAS_STATUS_INVALID_VALUE";
        case kNotSupported: return "CUBLAS_STATUS_NOT_SUPPORTED";
    }
    return "CUBLAS_STATUS_UNKNOWN";
}

int cublasLtCreate(void** out) { return born(out, new Handle()); }
int cublasLtDestroy(void* handle) { return dies<Handle>(handle, 'H'); }

int cublasLtMatmulDescCreate(void** out, int compute, int scale) {
    if (compute != k32F && compute != k64F && compute != k32I && compute != kTf32) return refuse(kInvalid, "compute type %d", compute);
    if (!size_of(scale)) return refuse(kInvalid, "scale type %d", scale);
    return born(out, new Desc(compute, scale));
}
int cublasLtMatmulDescDestroy(void* desc) { return dies<Desc>(desc, 'D'); }
int cublasLtMatmulDescSetAttribute(void* object, int attribute, const void* value, size_t size) {
    if (!is(object, 'D')) return refuse(kInvalid, "no descriptor");
    static const std::map<int, size_t> sizes = {{3, 4}, {4, 4}, {7, 4}, {8, 8}, {26, 4}};
    auto found = sizes.find(attribute);
    if (found == sizes.end()) return refuse(kInvalid, "descriptor attribute %d", attribute);
    if (found->second != size) return refuse(kInvalid, "descriptor attribute %d has %zu bytes", attribute, size);
    int64_t number = 0;
    memcpy(&number, value, size);
    if (attribute == 26 && (int32_t)number < 0) number = -1;
    static_cast<Desc*>(object)->attributes[attribute] = number;
    return kSuccess;
}

int cublasLtMatrixLayoutCreate(void** out, int type, uint64_t rows, uint64_t columns, int64_t leading) {
    if (!size_of(type)) return refuse(kInvalid, "element type %d", type);
    return born(out, new Layout(type, rows, columns, leading));
}
int cublasLtMatrixLayoutDestroy(void* layout) { return dies<Layout>(layout, 'L'); }
int cublasLtMatrixLayoutSetAttribute(void* object, int attribute, const void* value, size_t size) {
    if (!is(object, 'L')) return refuse(kInvalid, "no layout");
    Layout* layout = static_cast<Layout*>(object);
    if (attribute == 5 && size == 4) return layout->batch = *(const int32_t*)value, kSuccess;
    if (attribute == 6 && size == 8) return layout->stride = *(const int64_t*)value, kSuccess;
    return refuse(kInvalid, "layout attribute %d of %zu bytes", attribute, size);
}

int cublasLtMatmulPreferenceCreate(void** out) { return born(out, new Preference()); }
int cublasLtMatmulPreferenceDestroy(void* preference) { return dies<Preference>(preference, 'P'); }
int cublasLtMatmulPreferenceSetAttribute(void* object, int attribute, const void* value, size_t size) {
    if (!is(object, 'P')) return refuse(kInvalid, "no preference");
    Preference* preference = static_cast<Preference*>(object);
    if (attribute == 1 && size == 8) return preference->workspace = *(const uint64_t*)value, kSuccess;
    if (attribute == 3 && size == 4) return preference->reductions = *(const uint32_t*)value, kSuccess;
    if (attribute >= 5 && attribute <= 8 && size == 4) {
        uint32_t alignment = *(const uint32_t*)value;
        if (!alignment || (alignment & (alignment - 1))) return refuse(kInvalid, "alignment %u", alignment);
        return preference->alignment[attribute - 5] = alignment, kSuccess;
    }
    return refuse(kInvalid, "preference attribute %d of %zu bytes", attribute, size);
}

struct Result {
    uint64_t algo[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

int cublasLtMatmulAlgoGetHeuristic(void* handle, void* desc, void* a, void* b, void* c, void* d, void* preference, int asked,
                                   Result* results, int* count) {
    if (!is(handle, 'H')) return refuse(kNotInitialized, "no handle");
    if (!is(desc, 'D') || !is(a, 'L') || !is(b, 'L') || !is(c, 'L') || !is(d, 'L') || !is(preference, 'P') || asked < 1)
        return refuse(kInvalid, "the heuristic was given something that is not alive");
    const Desc& of = *static_cast<Desc*>(desc);
    const Layout *la = (Layout*)a, *lb = (Layout*)b, *lc = (Layout*)c, *ld = (Layout*)d;
    *count = 0;
    ++heuristics;
    int status = checked(of, *la, *lb, *lc, *ld);
    if (status) return status;
    const Preference& wanted = *static_cast<Preference*>(preference);
    // Not the library's rule, but the platform's promise: narrow results are rounded once.
    if (size_of(ld->type) < 4 && wanted.reductions != 2)
        return refuse(kInvalid, "parts of sums may be added in a narrow type");
    size_t element = size_of(la->type);
    if (element == 1 && (wanted.alignment[0] < (la->type == kI8 ? 4 : 16) || wanted.alignment[1] < (la->type == kI8 ? 4 : 16)))
        return refuse(kNotSupported, "8-bit operands that are aligned too little");
    // Where several are asked for, all but the second are slow, and the last needs what it cannot have.
    *count = asked > 3 ? 4 : 1;
    memset(results, 0, sizeof *results * *count);
    for (int k = 0; k < *count; ++k) {
        Result& result = results[k];
        result.algo[0] = kMagic;
        result.algo[1] = signature(of, {la, lb, lc, ld});
        for (int i = 0; i < 4; ++i) result.algo[2 + i] = wanted.alignment[i];
        result.algo[6] = asked > 1 ? 1 + k : 0;
        result.workspace = wanted.workspace < 4096 ? 0 : 4096 >> (k & 1);
        result.state = k == 3 ? kNotSupported : kSuccess;
    }
    return kSuccess;
}

int cublasLtMatmul(void* handle, void* desc, const void* alpha, const char* a, void* la, const char* b, void* lb,
                   const void* beta, const char* c, void* lc, char* d, void* ld, const uint64_t* algo, char* workspace,
                   size_t workspace_bytes, void* stream) {
    if (!is(handle, 'H')) return refuse(kNotInitialized, "no handle");
    if (!is(desc, 'D') || !is(la, 'L') || !is(lb, 'L') || !is(lc, 'L') || !is(ld, 'L') || !algo)
        return refuse(kInvalid, "a product was given something that is not alive");
    const Desc& of = *static_cast<Desc*>(desc);
    const Layout &A = *(Layout*)la, &B = *(Layout*)lb, &C = *(Layout*)lc, &D = *(Layout*)ld;
    int status = checked(of, A, B, C, D);
    if (status) return status;
    if (algo[0] != kMagic || algo[1] != signature(of, {&A, &B, &C, &D}))
        return refuse(kInvalid, "the algorithm was chosen for another product");
    const char* pointers[] = {a, b, c, d};
    for (int i = 0; i < 4; ++i)
        if (!pointers[i] || (uintptr_t)pointers[i] % algo[2 + i])
            return refuse(kInvalid, "matrix %c is aligned less than the algorithm was told", "ABCD"[i]);
    if (c != d) return refuse(kInvalid, "C is not D");
    if (workspace_bytes && (!workspace || (uintptr_t)workspace % 256)) return refuse(kInvalid, "workspace misaligned");
    int64_t bias = of.get(8, 0);
    if ((of.get(7, 1) & 4) && bias % (int64_t)size_of(D.type)) return refuse(kInvalid, "bias misaligned");
    double one[2] = {0, 0}, zero[2] = {0, 0};
    size_t scale = size_of(of.scale);
    memcpy(one, alpha, scale), memcpy(zero, beta, scale);
    bool plain = of.scale == kI32 ? *(const int*)alpha == 1 && *(const int*)beta == 0
                                  : load((const char*)alpha, of.scale) == Number(1) || of.scale == kC64 || of.scale == kC128;
    for (size_t i = 0; i < scale; ++i) plain = plain && !((const char*)beta)[i];
    if (!plain) return refuse(kNotSupported, "factors other than one and zero");
    if (algo[6] > 3) return refuse(kNotSupported, "an algorithm that the heuristic ruled out");
    if (algo[6] && workspace_bytes < (algo[6] & 1 ? 4096u : 2048u) && workspace_bytes)
        return refuse(kInvalid, "a workspace of another algorithm");
    bool is_slow = algo[6] == 1 || algo[6] == 3;
    ++matmuls;
    if (algo[6]) ++algorithms[algo[6] - 1];
    Call* call = new Call{of, A, B, D, a, b, (const char*)bias, d, workspace, workspace_bytes, is_slow};
    epilogues += of.get(7, 1) != 1;
    if (access) {
        auto told = [&](const char* p, const Layout& l, int writes) {
            int64_t elements = (l.batch - 1) * l.stride + (l.columns - 1) * l.leading + l.rows;
            access(stream, p, (size_t)elements * size_of(l.type), writes);
        };
        told(a, A, 0), told(b, B, 0), told(d, D, 1);
        if (of.get(7, 1) & 4) access(stream, (const char*)bias, (size_t)D.rows * size_of(D.type), 0);
        if (workspace_bytes) access(stream, workspace, workspace_bytes, 1);
    }
    if (enqueue) {
        enqueue(stream, run, call);  // kept: a captured call is run with each replay
    } else {
        run(call);
        delete call;
    }
    return kSuccess;
}

}  // extern "C"
