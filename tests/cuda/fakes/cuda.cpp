// A stand-in for the driver library, as far as the platform calls it with ctypes: its probe, and conditional nodes of
// graphs, which are the stand-in's own to make.
#include <cstddef>
#include <cstdlib>

typedef int (*Hook)(const char* name, const void* const* arguments);
static Hook hook = nullptr;

#define OLYMPUS_HOOKED(NAME, PARAMETERS, ...)                      \
    int NAME PARAMETERS {                                          \
        const void* passed[] = {__VA_ARGS__};                      \
        return hook == nullptr ? 999 : hook(#NAME, passed);        \
    }

extern "C" {

void olympus_fake_hook(Hook given) { hook = given; }

OLYMPUS_HOOKED(cuCtxGetCurrent, (void** context), context)
OLYMPUS_HOOKED(cuGraphAddNode, (void** node, void* graph, void* nodes, size_t count, void* given),
               node, graph, nodes, (void*)count, given)
OLYMPUS_HOOKED(cuGraphConditionalHandleCreate,
               (unsigned long long* handle, void* graph, void* context, unsigned value, unsigned flags),
               handle, graph, context, (void*)(size_t)value, (void*)(size_t)flags)
OLYMPUS_HOOKED(cuStreamBeginCaptureToGraph,
               (void* stream, void* graph, void* nodes, void* edges, size_t count, int mode),
               stream, graph, nodes, edges, (void*)count, (void*)(size_t)mode)
OLYMPUS_HOOKED(cuStreamEndCapture, (void* stream, void** graph), stream, graph)
OLYMPUS_HOOKED(cuStreamGetCaptureInfo_v2,
               (void* stream, int* status, unsigned long long* id, void** graph, void** nodes, size_t* count),
               stream, status, id, graph, nodes, count)
OLYMPUS_HOOKED(cuStreamUpdateCaptureDependencies, (void* stream, void** nodes, size_t count, unsigned flags),
               stream, nodes, (void*)count, (void*)(size_t)flags)

int cuInit(unsigned flags) {
    const char* code = std::getenv("OLYMPUS_STANDIN_INIT");
    return flags != 0 ? 1 : code != nullptr ? std::atoi(code) : 0;
}

int cuDeviceGetCount(int* count) {
    const char* given = std::getenv("OLYMPUS_STANDIN_GPUS");
    *count = given != nullptr ? std::atoi(given) : 1;
    return 0;
}

int cuGetErrorName(int code, const char** name) {
    if (code != 999) return 1;
    *name = "CUDA_ERROR_UNKNOWN";
    return 0;
}
}
