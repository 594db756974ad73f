// SPDX-License-Identifier: Apache-2.0
// What the parts of the native runtime share: types, the system's numbers, the C library, Python's stable C interface.
//
// The text is compiled to LLVM IR for both processors at once (see runtime.c), so it may hold nothing that depends on
// one: what does is read from SYSTEM, or is relax(). Headers of the C library and of Python are not needed.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef char *Address;
typedef void Kernel(Address *table, i64 low, i64 high, i64 index);
typedef struct { i64 references; } Object;  // of Python; the rest of its header is not looked at

// The status of an entry whose thread has a Python error to raise; RAISED in runtime.py.
#define RAISED -1
// Pointers that an entry's frame holds; FRAME in runtime.py.
#define FRAME 256

// Written by runtime.py, in this order.
extern const struct {
    i64 header;  // bytes of a Python object's header, whose last word is its type
    i64 clock_monotonic, sig_setmask, map_flags;
    i64 huge_pages;  // whether madvise can ask for them
    i64 futex, gettid, getcpu, sched_setaffinity, sched_getaffinity;  // numbers of system calls
} SYSTEM;

// The processor's hint that this thread waits in a loop; runtime.py defines it.
void relax(void);

// The C library.
i64 syscall(i64 number, ...);
int pthread_create(void **thread, const void *attributes, void *(*start)(void *), void *argument);
int pthread_detach(void *thread);
int pthread_sigmask(int how, const void *new_mask, void *old_mask);
int sigfillset(void *mask);
int posix_memalign(void **memory, i64 alignment, i64 size);
void free(void *memory);
void *mmap(void *where, i64 size, int protection, int flags, int file, i64 offset);
int munmap(void *memory, i64 size);
int madvise(void *memory, i64 size, int advice);
int clock_gettime(int clock, i64 time[2]);

// Python.
extern Object Py_None;
i64 PyLong_AsSsize_t(Object *);
Object *PyLong_FromSsize_t(i64);
void *PyLong_AsVoidPtr(Object *);
Object *_PyObject_New(Object *type);
void PyObject_Free(Object *);
void Py_DecRef(Object *);
void Py_IncRef(Object *);
int PyBuffer_FillInfo(void *view, Object *exporter, void *memory, i64 size, int readonly, int flags);
Object *PyObject_CallFunctionObjArgs(Object *, ...);
Object *PyErr_Occurred(void);
void PyErr_Clear(void);
i64 PyThread_get_thread_ident(void);
int PyErr_CheckSignals(void);
Object *PyTuple_GetItem(Object *, i64);
Object *PyTuple_New(i64);
int PyTuple_SetItem(Object *, i64, Object *);
char *PyBytes_AsString(Object *);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
void *PyGILState_GetThisThreadState(void);
int PyGILState_Ensure(void);
void PyGILState_Release(int);

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 most(i64 a, i64 b) { return a > b ? a : b; }

// Atomic accesses are sequentially consistent where nothing else is said.
#define LOAD(variable) __atomic_load_n(&(variable), __ATOMIC_SEQ_CST)
#define STORE(variable, value) __atomic_store_n(&(variable), value, __ATOMIC_SEQ_CST)
#define ADD(variable, value) __atomic_fetch_add(&(variable), value, __ATOMIC_SEQ_CST)
#define COMPARE_EXCHANGE(variable, expected, value) \
    __atomic_compare_exchange_n(&(variable), &(expected), value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
