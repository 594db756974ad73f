// A stand-in for NCCL in host memory, for processes of one machine: the functions that the plugin calls, strict about
// what they are given. All communicators are non-blocking: what a group begins is enqueued a moment later, by a thread.
// Data goes through files in the folder that OLYMPUS_FAKE_NCCL_FOLDER names. What is enqueued goes to the stand-in's
// streams where they have said how. What a call breaks stands in ncclGetLastError().
#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>
#include <sys/stat.h>
#include <unistd.h>

namespace {

enum Status { kSuccess = 0, kInternal = 3, kInvalidArgument = 4, kInvalidUsage = 5, kRemote = 6, kInProgress = 7 };
enum Kind { kAllReduce, kReduceScatter, kAllGather, kBroadcast, kSend, kReceive };
enum Type { kI8, kU8, kI32, kU32, kI64, kU64, kF16, kF32, kF64 };
enum Reduction { kSum, kProd, kMax, kMin };
const double kDeadline = 60.0;
const int kVersion = 23203;

struct Config {
    size_t size;
    unsigned magic, version;
    int blocking, cga, min_ctas, max_ctas;
    const char* net;
    int split_share, traffic;
    const char* name;
    int others[15];
};
struct Id { unsigned char bytes[128]; };

std::mutex mutex;
std::string message;
void (*enqueue)(void*, void (*)(void*), void*) = nullptr;
void (*tell)(void*, void*, size_t, int) = nullptr;  // what the work that is enqueued next touches

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

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void nap() { usleep(200); }

size_t size_of(int type) {
    switch (type) {
        case kI8: case kU8: return 1;
        case kF16: return 2;
        case kI32: case kU32: case kF32: return 4;
        default: return 8;
    }
}

// What a rank gives to a collective, before its data.
struct Header {
    int32_t kind, type, reduction, root;
    uint64_t count;
    bool same(const Header& o) const {
        return kind == o.kind && type == o.type && reduction == o.reduction && root == o.root && count == o.count;
    }
};

struct Call {
    Header header;
    const void* source;
    void* target;
    int peer;
    void* stream;
};

struct Comm {
    int ranks = 0, rank = 0;
    std::string path;
    std::atomic<int> state{kInProgress};
    std::atomic<bool> aborted{false}, finalized{false};
    std::atomic<int> running{0};
    uint64_t collectives = 0;
    std::map<int, uint64_t> sent, received;
    std::string base(int of, uint64_t number) const {
        return path + ".c" + std::to_string(number) + "." + std::to_string(of);
    }
    std::string message(int from, int to, uint64_t number) const {
        return path + ".p" + std::to_string(from) + "." + std::to_string(to) + "." + std::to_string(number);
    }
    std::string ended(int of) const { return path + ".e" + std::to_string(of); }
    std::string present(int of) const { return path + ".r" + std::to_string(of); }
};

std::set<Comm*> live;

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

bool put(const std::string& path, const Header& header, const void* data, size_t bytes) {
    std::string part = path + ".part";
    FILE* file = fopen(part.c_str(), "wb");
    if (!file) return false;
    bool good = fwrite(&header, sizeof header, 1, file) == 1 && (!bytes || fwrite(data, bytes, 1, file) == 1);
    good = fclose(file) == 0 && good;
    return good && rename(part.c_str(), path.c_str()) == 0;
}

bool get(const std::string& path, Header& header, std::vector<char>& data) {
    FILE* file = fopen(path.c_str(), "rb");
    if (!file) return false;
    struct stat facts;
    bool good = fstat(fileno(file), &facts) == 0 && fread(&header, sizeof header, 1, file) == 1;
    if (good) {
        data.resize(facts.st_size - sizeof header);
        good = data.empty() || fread(data.data(), data.size(), 1, file) == 1;
    }
    fclose(file);
    return good;
}

// Waits until something is so; false if the communicator was aborted, or it takes too long.
bool await(Comm* comm, const std::function<bool()>& is_so) {
    double start = now(), end = start + kDeadline;
    while (!is_so()) {
        if (comm->aborted) return false;
        if (now() > end) {
            refuse(kInternal, "rank %d waited too long", comm->rank);
            comm->state = kInternal;
            return false;
        }
        usleep(now() - start < 0.01 ? 200 : 2000);  // hundreds of threads may wait here
    }
    return true;
}

template <class T>
T combined(T x, T y, int reduction) {
    typedef typename std::conditional<std::is_integral<T>::value, uint64_t, T>::type Wide;
    switch (reduction) {
        case kSum: return (T)((Wide)x + (Wide)y);
        case kProd: return (T)((Wide)x * (Wide)y);
        case kMax: return x > y ? x : y;  // a NaN is lost or not, depending on where it stands
        default: return x < y ? x : y;
    }
}
template <class T>
void combine(char* into, const char* other, size_t count, int reduction) {
    for (size_t i = 0; i < count; i++) {
        T x, y;
        memcpy(&x, into + i * sizeof x, sizeof x);
        memcpy(&y, other + i * sizeof y, sizeof y);
        x = combined(x, y, reduction);
        memcpy(into + i * sizeof x, &x, sizeof x);
    }
}
void combine_any(int type, char* into, const char* other, size_t count, int reduction) {
    switch (type) {
        case kI8: return combine<int8_t>(into, other, count, reduction);
        case kU8: return combine<uint8_t>(into, other, count, reduction);
        case kI32: return combine<int32_t>(into, other, count, reduction);
        case kU32: return combine<uint32_t>(into, other, count, reduction);
        case kI64: return combine<int64_t>(into, other, count, reduction);
        case kU64: return combine<uint64_t>(into, other, count, reduction);
        case kF32: return combine<float>(into, other, count, reduction);
        default: return combine<double>(into, other, count, reduction);
    }
}

// Bytes that a call reads from its source, or writes to its target.
size_t extent(const Comm* comm, const Call& call, bool written) {
    const Header& header = call.header;
    size_t bytes = header.count * size_of(header.type), all = bytes * comm->ranks;
    switch (header.kind) {
        case kReduceScatter: return written ? bytes : all;
        case kAllGather: return written ? all : bytes;
        case kBroadcast: return written || comm->rank == header.root ? bytes : 0;
        case kSend: return written ? 0 : bytes;
        case kReceive: return written ? bytes : 0;
    }
    return bytes;
}

void fail(Comm* comm, const char* what) {
    refuse(kRemote, "rank %d: %s", comm->rank, what);
    comm->state = kRemote;
}

void collective(Comm* comm, const Call& call, uint64_t number) {
    const Header& header = call.header;
    size_t bytes = header.count * size_of(header.type);
    size_t given = extent(comm, call, false);
    if (!put(comm->base(comm->rank, number), header, call.source, given)) return fail(comm, "cannot write");
    std::vector<char> total;
    for (int rank = 0; rank < comm->ranks; rank++) {
        std::string path = comm->base(rank, number);
        if (!await(comm, [&] { return exists(path); })) return;
        Header theirs;
        std::vector<char> data;
        if (!get(path, theirs, data)) return fail(comm, "cannot read");
        if (!header.same(theirs)) return fail(comm, "the ranks have called different collectives");
        if (header.kind == kAllGather) {
            memcpy((char*)call.target + rank * bytes, data.data(), bytes);
        } else if (header.kind == kBroadcast) {
            if (rank == header.root) memcpy(call.target, data.data(), bytes);
        } else if (total.empty()) {
            total = data;
        } else {
            combine_any(header.type, total.data(), data.data(), total.size() / size_of(header.type), header.reduction);
        }
    }
    if (header.kind == kAllReduce) memcpy(call.target, total.data(), bytes);
    if (header.kind == kReduceScatter) memcpy(call.target, total.data() + comm->rank * bytes, bytes);
    // All have begun this one, so that they have ended the one before.
    if (number) unlink(comm->base(comm->rank, number - 1).c_str());
}

// All sends and receives of a group go on at the same time.
void transfers(Comm* comm, const std::vector<Call>& calls) {
    std::vector<std::string> sent;
    for (const Call& call : calls) {
        if (call.header.kind != kSend) continue;
        sent.push_back(comm->message(comm->rank, call.peer, comm->sent[call.peer]++));
        size_t bytes = call.header.count * size_of(call.header.type);
        if (!put(sent.back(), call.header, call.source, bytes)) return fail(comm, "cannot write");
    }
    for (const Call& call : calls) {
        if (call.header.kind != kReceive) continue;
        std::string path = comm->message(call.peer, comm->rank, comm->received[call.peer]++);
        if (!await(comm, [&] { return exists(path); })) return;
        Header theirs;
        std::vector<char> data;
        if (!get(path, theirs, data)) return fail(comm, "cannot read");
        if (theirs.count != call.header.count || theirs.type != call.header.type)
            return fail(comm, "a send and its receive differ in count or type");
        memcpy(call.target, data.data(), data.size());
        unlink(path.c_str());
    }
    for (const std::string& path : sent)
        if (!await(comm, [&] { return !exists(path); })) return;
}

struct Job {
    Comm* comm;
    std::vector<Call> calls;
    bool breaks;
};

void run(void* given) {
    std::unique_ptr<Job> job((Job*)given);
    Comm* comm = job->comm;
    std::vector<Call> moves;
    for (const Call& call : job->calls) {
        if (comm->aborted) break;
        if (job->breaks) {  // as the library's kernels do, it does not end by itself
            for (int i = 0; i < 500; i++) nap();
            fail(comm, "a link broke");
            for (double end = now() + kDeadline; !comm->aborted && now() < end;) nap();
            break;
        }
        if (call.header.kind >= kSend) moves.push_back(call);
        else collective(comm, call, comm->collectives++);
    }
    if (!moves.empty() && !comm->aborted) transfers(comm, moves);
    comm->running--;
}

struct Opening {
    Comm* comm;
};

thread_local int depth = 0;
thread_local std::vector<Comm*> opened, finalizing;
typedef std::vector<std::pair<Comm*, std::vector<Call>>> Begun;
thread_local Begun begun;  // in the order of the calls, and so in one order in all streams, as the library has it
thread_local int broken = 0;

bool is_live(Comm* comm) {
    std::lock_guard<std::mutex> hold(mutex);
    return live.count(comm) != 0;
}

void open_all(std::vector<Comm*> comms) {
    std::thread([comms] {
        for (Comm* comm : comms) {
            Header none{};
            if (!put(comm->present(comm->rank), none, nullptr, 0)) fail(comm, "cannot write");
        }
        for (Comm* comm : comms) {
            for (int rank = 0; rank < comm->ranks; rank++) {
                std::string path = comm->present(rank);
                if (!await(comm, [&] { return exists(path); })) break;
            }
            int expected = kInProgress;
            comm->state.compare_exchange_strong(expected, kSuccess);
            comm->running--;
        }
    }).detach();
}

// How many groups of calls are begun, and what becomes of the one that OLYMPUS_FAKE_NCCL_BREAKS names: it is not
// enqueued, or with "late" after its number, breaks in the streams.
std::atomic<uint64_t> groups{0};

void start_all(Begun calls) {
    const char* breaks = getenv("OLYMPUS_FAKE_NCCL_BREAKS");
    bool broken = ++groups == (breaks ? strtoull(breaks, nullptr, 10) : 0);
    bool late = broken && strstr(breaks, "late");
    std::thread([calls, broken, late] {
        nap();  // what is enqueued too early after the call shows
        for (auto& item : calls) {
            Comm* comm = item.first;
            if (broken && !late) {
                fail(comm, "a link is down");
                comm->running--;
                continue;
            }
            void* stream = item.second.front().stream;
            Job* job = new Job{comm, item.second, broken};
            if (tell) {
                for (const Call& call : item.second) {
                    size_t read = extent(comm, call, false), written = extent(comm, call, true);
                    if (read) tell(stream, const_cast<void*>(call.source), read, 0);
                    if (written) tell(stream, call.target, written, 1);
                }
            }
            if (enqueue) enqueue(stream, run, job);
            else std::thread(run, job).detach();
            int expected = kInProgress;
            comm->state.compare_exchange_strong(expected, kSuccess);
        }
    }).detach();
}

int end_group() {
    if (broken) {
        int status = broken;
        broken = 0, opened.clear(), begun.clear(), finalizing.clear();
        return status;
    }
    bool any = !opened.empty() || !begun.empty() || !finalizing.empty();
    if (!opened.empty()) open_all(opened);
    if (!begun.empty()) start_all(begun);
    for (Comm* comm : finalizing) {
        std::thread([comm] {
            await(comm, [comm] { return comm->running == 1; });
            // All have ended what they had begun: nobody reads this one's files any more.
            put(comm->ended(comm->rank), Header{}, nullptr, 0);
            for (int rank = 0; rank < comm->ranks; rank++)
                await(comm, [comm, rank] { return exists(comm->ended(rank)); });
            comm->finalized = true;
            int expected = kInProgress;
            comm->state.compare_exchange_strong(expected, kSuccess);
            comm->running--;
        }).detach();
    }
    opened.clear(), begun.clear(), finalizing.clear();
    return any ? kInProgress : kSuccess;
}

int single(const std::function<int()>& work) {
    depth++;
    int status = work();
    depth--;
    if (status != kSuccess && status != kInProgress) broken = status;
    return depth ? status : end_group();
}

int called(Comm* comm, const Call& call) {
    return single([&]() -> int {
        if (!is_live(comm)) return refuse(kInvalidArgument, "not a live communicator");
        auto at = std::find_if(begun.begin(), begun.end(), [comm](const auto& item) { return item.first == comm; });
        if (at == begun.end()) at = begun.insert(at, {comm, {}});
        auto& list = at->second;
        if (list.empty() && comm->state == kInProgress)
            return refuse(kInvalidUsage, "rank %d: a call while another one is being begun", comm->rank);
        if (list.empty() && comm->state != kSuccess) return refuse(kInvalidUsage, "rank %d has failed", comm->rank);
        if (comm->finalized) return refuse(kInvalidUsage, "rank %d is finalized", comm->rank);
        if (!call.header.count) return refuse(kInvalidArgument, "a call with nothing to do");
        if ((!call.source && call.header.kind != kReceive) || (!call.target && call.header.kind != kSend))
            return refuse(kInvalidArgument, "a null address");
        if (call.header.type < 0 || call.header.type > kF64 || call.header.type == kF16)
            return refuse(kInvalidArgument, "type %d", call.header.type);
        if (call.header.reduction < 0 || call.header.reduction > kMin)
            return refuse(kInvalidArgument, "reduction %d", call.header.reduction);
        if (call.header.root < 0 || call.header.root >= comm->ranks || call.peer < 0 || call.peer >= comm->ranks)
            return refuse(kInvalidArgument, "no rank %d or %d of %d", call.header.root, call.peer, comm->ranks);
        size_t align = size_of(call.header.type);
        if ((uintptr_t)call.source % align || (uintptr_t)call.target % align)
            return refuse(kInvalidArgument, "an address that is not aligned");
        if (!call.stream) return refuse(kInvalidArgument, "the default stream");
        if (!list.empty() && list.front().stream != call.stream)
            return refuse(kInvalidUsage, "two streams of one rank");
        if (list.empty()) comm->state = kInProgress, comm->running++;
        list.push_back(call);
        return kSuccess;
    });
}

void leave(Comm* comm) {
    // Files of others that nobody will read any more stay until the folder goes.
    if (comm->collectives) unlink(comm->base(comm->rank, comm->collectives - 1).c_str());
}

}  // namespace

extern "C" {

void olympus_fake_set_enqueue(void (*function)(void*, void (*)(void*), void*)) { enqueue = function; }

uint64_t olympus_fake_groups() { return groups; }

void olympus_fake_set_access(void (*function)(void*, void*, size_t, int)) { tell = function; }

int ncclGetVersion(int* version) {
    *version = kVersion;
    return kSuccess;
}

const char* ncclGetErrorString(int status) {
    switch (status) {
        case kSuccess: return "no error";
        case kInternal: return "internal error";
        case kInvalidArgument: return "invalid argument";
        case kInvalidUsage: return "invalid usage";
        case kRemote: return "remote process exited or there was a network error";
        case kInProgress: return "NCCL operation in progress";
    }
    return "unknown result code";
}

const char* ncclGetLastError(void*) {
    std::lock_guard<std::mutex> hold(mutex);
    static thread_local std::string copy;
    copy = message;
    return copy.c_str();
}

int ncclGetUniqueId(Id* id) {
    static std::atomic<int> count{0};
    memset(id, 0, sizeof *id);
    snprintf((char*)id->bytes, sizeof id->bytes, "%d-%d-%llx", (int)getpid(), count++,
             (unsigned long long)std::chrono::system_clock::now().time_since_epoch().count());
    return kSuccess;
}

int ncclGroupStart() {
    depth++;
    return kSuccess;
}

int ncclGroupEnd() {
    if (!depth) return refuse(kInvalidUsage, "the end of no group");
    return --depth ? kSuccess : end_group();
}

int ncclCommInitRankConfig(Comm** made, int ranks, Id id, int rank, Config* config) {
    return single([&]() -> int {
        const char* folder = getenv("OLYMPUS_FAKE_NCCL_FOLDER");
        if (!folder) return refuse(kInvalidUsage, "OLYMPUS_FAKE_NCCL_FOLDER is not set");
        if (config->size != sizeof(Config) || config->magic != 0xcafebeef || config->version != (unsigned)kVersion)
            return refuse(kInvalidArgument, "a configuration of another layout");
        if (config->blocking != 0) return refuse(kInvalidArgument, "a blocking communicator");
        for (int other : {config->cga, config->min_ctas, config->max_ctas, config->split_share, config->traffic})
            if (other != INT_MIN) return refuse(kInvalidArgument, "a setting that is not left undefined");
        for (int other : config->others)
            if (other != INT_MIN) return refuse(kInvalidArgument, "a setting that is not left undefined");
        if (ranks < 1 || rank < 0 || rank >= ranks) return refuse(kInvalidArgument, "rank %d of %d", rank, ranks);
        if (!id.bytes[0] || id.bytes[127]) return refuse(kInvalidArgument, "not a unique id");
        Comm* comm = new Comm;
        comm->ranks = ranks, comm->rank = rank, comm->running = 1;
        comm->path = std::string(folder) + "/" + (const char*)id.bytes;
        {
            std::lock_guard<std::mutex> hold(mutex);
            live.insert(comm);
        }
        *made = comm;
        opened.push_back(comm);
        return kSuccess;
    });
}

int ncclCommGetAsyncError(Comm* comm, int* status) {
    if (!is_live(comm)) return refuse(kInvalidArgument, "not a live communicator");
    *status = comm->state;
    return kSuccess;
}

int ncclCommFinalize(Comm* comm) {
    return single([&]() -> int {
        if (!is_live(comm)) return refuse(kInvalidArgument, "not a live communicator");
        if (comm->state != kSuccess) return refuse(kInvalidUsage, "finalized while something is being begun");
        comm->state = kInProgress;
        comm->running++;
        finalizing.push_back(comm);
        return kSuccess;
    });
}

int ncclCommDestroy(Comm* comm) {
    if (!is_live(comm)) return refuse(kInvalidArgument, "not a live communicator");
    if (!comm->finalized) return refuse(kInvalidUsage, "destroyed before it was finalized");
    while (comm->running) nap();
    leave(comm);
    unlink(comm->present(comm->rank).c_str());
    std::lock_guard<std::mutex> hold(mutex);
    live.erase(comm);
    delete comm;
    return kSuccess;
}

// As the library does, it waits until its kernels have ended.
int ncclCommAbort(Comm* comm) {
    {
        std::lock_guard<std::mutex> hold(mutex);
        if (!live.erase(comm)) {
            message = "not a live communicator";
            return kInvalidArgument;
        }
    }
    comm->aborted = true;
    double end = now() + kDeadline;
    while (comm->running && now() < end) nap();
    if (!comm->running) {
        leave(comm);
        delete comm;
    }
    return kSuccess;
}

int ncclAllReduce(const void* source, void* target, size_t count, int type, int reduction, Comm* comm, void* stream) {
    return called(comm, Call{{kAllReduce, type, reduction, 0, count}, source, target, 0, stream});
}

int ncclReduceScatter(const void* source, void* target, size_t count, int type, int reduction, Comm* comm,
                      void* stream) {
    return called(comm, Call{{kReduceScatter, type, reduction, 0, count}, source, target, 0, stream});
}

int ncclAllGather(const void* source, void* target, size_t count, int type, Comm* comm, void* stream) {
    return called(comm, Call{{kAllGather, type, 0, 0, count}, source, target, 0, stream});
}

int ncclBroadcast(const void* source, void* target, size_t count, int type, int root, Comm* comm, void* stream) {
    return called(comm, Call{{kBroadcast, type, 0, root, count}, source, target, 0, stream});
}

int ncclSend(const void* source, size_t count, int type, int peer, Comm* comm, void* stream) {
    return called(comm, Call{{kSend, type, 0, 0, count}, source, nullptr, peer, stream});
}

int ncclRecv(void* target, size_t count, int type, int peer, Comm* comm, void* stream) {
    return called(comm, Call{{kReceive, type, 0, 0, count}, nullptr, target, peer, stream});
}

}  // extern "C"
