; Blocks of memory that begin at a cache line, recycled by size class.
;
; Classes: 64 bytes apart up to 1 KiB, then eight to each doubling. Free blocks up to 256 KiB (class 79) lie in one list for
; each class and come from the C library; larger ones are mapped, and lie in the list of their class and in one that
; is ordered by age, whose oldest are given back to the system when too much is kept.
; A free block holds its own links: next and previous of its class, older and newer of all, its class.

@memory_lock = internal global i32 0, align 64
@memory_lists = internal global [320 x ptr] zeroinitializer
@memory_oldest = internal global ptr null
@memory_newest = internal global ptr null

; bytes in use, their peak, bytes kept in large and in small blocks, the limits of both, blocks in use, blocks from the system
@memory_state = global [8 x i64] zeroinitializer, align 64

; The type of blocks, and what is called with the size when there is no memory.
@block_type = global ptr null
@array_type = global ptr null ; NumPy's, whose objects have their address in the same place
@block_failure = global ptr null

declare i32 @posix_memalign(ptr, i64, i64)
declare void @free(ptr)
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @munmap(ptr, i64)
declare i32 @madvise(ptr, i64, i32)
declare i64 @llvm.ctlz.i64(i64, i1)

declare i64 @PyLong_AsSsize_t(ptr)
declare ptr @PyLong_FromSsize_t(i64)
declare ptr @_PyObject_New(ptr)
declare void @PyObject_Free(ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare i32 @PyBuffer_FillInfo(ptr, ptr, ptr, i64, i32, i32)
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare ptr @PyErr_Occurred()

define internal void @memory_enter() #0 {
entry:
  br label %try
try:
  %old = atomicrmw xchg ptr @memory_lock, i32 1 acquire
  %free = icmp eq i32 %old, 0
  br i1 %free, label %out, label %pause
pause:
  $PAUSE
  br label %try
out:
  ret void
}

define internal void @memory_leave() #0 {
  store atomic i32 0, ptr @memory_lock release, align 4
  ret void
}

; The class of a size; the caller has checked that it is below 2^47.
define internal i64 @class_of(i64 %size) #0 {
  %none = icmp ult i64 %size, 1
  %size1 = select i1 %none, i64 1, i64 %size
  %last = sub i64 %size1, 1
  %small = icmp ult i64 %last, 1024
  br i1 %small, label %near, label %far
near:
  %n = lshr i64 %last, 6
  ret i64 %n
far:
  %zeros = call i64 @llvm.ctlz.i64(i64 %last, i1 true)
  %k = sub i64 63, %zeros
  %shift = sub i64 %k, 3
  %eighths = lshr i64 %last, %shift
  %k10 = sub i64 %k, 10
  %k8 = shl i64 %k10, 3
  %c0 = add i64 %k8, %eighths
  %c1 = add i64 %c0, 8
  ret i64 %c1
}

define internal i64 @size_of(i64 %class) #0 {
  %small = icmp ult i64 %class, 16
  br i1 %small, label %near, label %far
near:
  %n = add i64 %class, 1
  %n1 = shl i64 %n, 6
  ret i64 %n1
far:
  %j = sub i64 %class, 16
  %octave = lshr i64 %j, 3
  %eighth = and i64 %j, 7
  %e9 = add i64 %eighth, 9
  %shift = add i64 %octave, 7
  %s = shl i64 %e9, %shift
  ret i64 %s
}

; New memory from the system, or null.
define internal ptr @system_take(i64 %class) #0 {
entry:
  %out = alloca ptr
  %size = call i64 @size_of(i64 %class)
  %large = icmp ugt i64 %class, 79
  br i1 %large, label %map, label %library
library:
  %failed = call i32 @posix_memalign(ptr %out, i64 64, i64 %size)
  %bad = icmp ne i32 %failed, 0
  %p = load ptr, ptr %out
  %p1 = select i1 %bad, ptr null, ptr %p
  ret ptr %p1
map:
  %huge = icmp uge i64 %size, 4194304
  %more = select i1 %huge, i64 2097152, i64 0
  %whole = add i64 %size, %more
  %m = call ptr @mmap(ptr null, i64 %whole, i32 3, i32 $MAP_FLAGS, i32 -1, i64 0)
  %mi = ptrtoint ptr %m to i64
  %none = icmp eq i64 %mi, -1
  br i1 %none, label %refused, label %mapped
refused:
  ret ptr null
mapped:
  br i1 %huge, label %align, label %plain
plain:
  ret ptr %m
align:
  ; Huge pages begin at multiples of 2 MiB: one fault instead of 512.
  %up = add i64 %mi, 2097151
  %start = and i64 %up, -2097152
  %sp = inttoptr i64 %start to ptr
  %head = sub i64 %start, %mi
  %anyhead = icmp ne i64 %head, 0
  br i1 %anyhead, label %cuthead, label %tail
cuthead:
  %r0 = call i32 @munmap(ptr %m, i64 %head)
  br label %tail
tail:
  %rest = sub i64 %more, %head
  %anyrest = icmp ne i64 %rest, 0
  br i1 %anyrest, label %cuttail, label %advise
cuttail:
  %end = add i64 %start, %size
  %ep = inttoptr i64 %end to ptr
  %r1 = call i32 @munmap(ptr %ep, i64 %rest)
  br label %advise
advise:
  $ADVISE_HUGE
  ret ptr %sp
}

define internal void @system_release(ptr %block, i64 %class) #0 {
  %large = icmp ugt i64 %class, 79
  br i1 %large, label %unmap, label %library
library:
  call void @free(ptr %block)
  ret void
unmap:
  %size = call i64 @size_of(i64 %class)
  %r = call i32 @munmap(ptr %block, i64 %size)
  ret void
}

; Takes a large block out of both lists; inside of the lock.
define internal void @unlink_large(ptr %block) #0 {
entry:
  %class_p = getelementptr i64, ptr %block, i64 4
  %class = load i64, ptr %class_p
  %next = load ptr, ptr %block
  %prev_p = getelementptr ptr, ptr %block, i64 1
  %prev = load ptr, ptr %prev_p
  %older_p = getelementptr ptr, ptr %block, i64 2
  %older = load ptr, ptr %older_p
  %newer_p = getelementptr ptr, ptr %block, i64 3
  %newer = load ptr, ptr %newer_p
  %head = getelementptr ptr, ptr @memory_lists, i64 %class
  %no_prev = icmp eq ptr %prev, null
  %from = select i1 %no_prev, ptr %head, ptr %prev
  store ptr %next, ptr %from
  %no_next = icmp eq ptr %next, null
  br i1 %no_next, label %age, label %fix
fix:
  %np = getelementptr ptr, ptr %next, i64 1
  store ptr %prev, ptr %np
  br label %age
age:
  %no_older = icmp eq ptr %older, null
  %on = getelementptr ptr, ptr %older, i64 3
  %newer_to = select i1 %no_older, ptr @memory_oldest, ptr %on
  store ptr %newer, ptr %newer_to
  %no_newer = icmp eq ptr %newer, null
  %no = getelementptr ptr, ptr %newer, i64 2
  %older_to = select i1 %no_newer, ptr @memory_newest, ptr %no
  store ptr %older, ptr %older_to
  %size = call i64 @size_of(i64 %class)
  %kept = load i64, ptr getelementptr (i64, ptr @memory_state, i64 2)
  %kept1 = sub i64 %kept, %size
  store i64 %kept1, ptr getelementptr (i64, ptr @memory_state, i64 2)
  ret void
}

; Gives the oldest large blocks back until no more than so many bytes are kept.
define internal void @evict(i64 %limit) #0 {
entry:
  br label %look
look:
  call void @memory_enter()
  %kept = load i64, ptr getelementptr (i64, ptr @memory_state, i64 2)
  %over = icmp sgt i64 %kept, %limit
  %oldest = load ptr, ptr @memory_oldest
  %there = icmp ne ptr %oldest, null
  %go = and i1 %over, %there
  br i1 %go, label %drop, label %out
drop:
  %class_p = getelementptr i64, ptr %oldest, i64 4
  %class = load i64, ptr %class_p
  call void @unlink_large(ptr %oldest)
  call void @memory_leave()
  call void @system_release(ptr %oldest, i64 %class)
  br label %look
out:
  call void @memory_leave()
  ret void
}

; Gives everything that is kept back to the system.
define void @memory_trim() #0 {
entry:
  call void @evict(i64 0)
  br label %lists
lists:
  %class = phi i64 [ 0, %entry ], [ %class1, %empty ]
  %head = getelementptr ptr, ptr @memory_lists, i64 %class
  br label %next
next:
  call void @memory_enter()
  %block = load ptr, ptr %head
  %none = icmp eq ptr %block, null
  br i1 %none, label %empty, label %drop
drop:
  %after = load ptr, ptr %block
  store ptr %after, ptr %head
  %size = call i64 @size_of(i64 %class)
  %kept = load i64, ptr getelementptr (i64, ptr @memory_state, i64 3)
  %kept1 = sub i64 %kept, %size
  store i64 %kept1, ptr getelementptr (i64, ptr @memory_state, i64 3)
  call void @memory_leave()
  call void @free(ptr %block)
  br label %next
empty:
  call void @memory_leave()
  %class1 = add i64 %class, 1
  %more = icmp ult i64 %class1, 80
  br i1 %more, label %lists, label %out
out:
  ret void
}

; Counts a block of a class as used; inside of the lock.
define internal void @count_taken(i64 %size) #0 {
  %used = load i64, ptr @memory_state
  %used1 = add i64 %used, %size
  store i64 %used1, ptr @memory_state
  %peak = load i64, ptr getelementptr (i64, ptr @memory_state, i64 1)
  %higher = icmp sgt i64 %used1, %peak
  %peak1 = select i1 %higher, i64 %used1, i64 %peak
  store i64 %peak1, ptr getelementptr (i64, ptr @memory_state, i64 1)
  %blocks = load i64, ptr getelementptr (i64, ptr @memory_state, i64 6)
  %blocks1 = add i64 %blocks, 1
  store i64 %blocks1, ptr getelementptr (i64, ptr @memory_state, i64 6)
  ret void
}

; Memory of a class, or null.
define internal ptr @memory_take(i64 %class) #0 {
entry:
  %size = call i64 @size_of(i64 %class)
  %head = getelementptr ptr, ptr @memory_lists, i64 %class
  call void @memory_enter()
  %block = load ptr, ptr %head
  %none = icmp eq ptr %block, null
  br i1 %none, label %fresh, label %kept
kept:
  %large = icmp ugt i64 %class, 79
  br i1 %large, label %pop_large, label %pop_small
pop_large:
  call void @unlink_large(ptr %block)
  br label %taken
pop_small:
  %after = load ptr, ptr %block
  store ptr %after, ptr %head
  %k = load i64, ptr getelementptr (i64, ptr @memory_state, i64 3)
  %k1 = sub i64 %k, %size
  store i64 %k1, ptr getelementptr (i64, ptr @memory_state, i64 3)
  br label %taken
taken:
  call void @count_taken(i64 %size)
  call void @memory_leave()
  ret ptr %block
fresh:
  call void @memory_leave()
  %p = call ptr @system_take(i64 %class)
  %refused = icmp eq ptr %p, null
  br i1 %refused, label %again, label %got
again:
  ; What is kept of other sizes may be what is missing.
  call void @memory_trim()
  %q = call ptr @system_take(i64 %class)
  %refused2 = icmp eq ptr %q, null
  br i1 %refused2, label %fail, label %got
got:
  %new = phi ptr [ %p, %fresh ], [ %q, %again ]
  call void @memory_enter()
  call void @count_taken(i64 %size)
  %s = load i64, ptr getelementptr (i64, ptr @memory_state, i64 7)
  %s1 = add i64 %s, 1
  store i64 %s1, ptr getelementptr (i64, ptr @memory_state, i64 7)
  call void @memory_leave()
  ret ptr %new
fail:
  ret ptr null
}

; Keeps a block for later, or gives it back.
define internal void @memory_release(ptr %block, i64 %class) #0 {
entry:
  %size = call i64 @size_of(i64 %class)
  %head = getelementptr ptr, ptr @memory_lists, i64 %class
  call void @memory_enter()
  %used = load i64, ptr @memory_state
  %used1 = sub i64 %used, %size
  store i64 %used1, ptr @memory_state
  %blocks = load i64, ptr getelementptr (i64, ptr @memory_state, i64 6)
  %blocks1 = sub i64 %blocks, 1
  store i64 %blocks1, ptr getelementptr (i64, ptr @memory_state, i64 6)
  %large = icmp ugt i64 %class, 79
  %which = select i1 %large, i64 2, i64 3
  %kept_p = getelementptr i64, ptr @memory_state, i64 %which
  %which2 = add i64 %which, 2
  %limit_p = getelementptr i64, ptr @memory_state, i64 %which2
  %limit = load i64, ptr %limit_p
  %kept = load i64, ptr %kept_p
  %kept1 = add i64 %kept, %size
  %first = load ptr, ptr %head
  br i1 %large, label %big, label %small
small:
  %fits = icmp sle i64 %kept1, %limit
  br i1 %fits, label %push, label %drop
push:
  store i64 %kept1, ptr %kept_p
  store ptr %first, ptr %block
  store ptr %block, ptr %head
  call void @memory_leave()
  ret void
big:
  %possible = icmp sle i64 %size, %limit
  br i1 %possible, label %push_large, label %drop
drop:
  call void @memory_leave()
  call void @system_release(ptr %block, i64 %class)
  ret void
push_large:
  store i64 %kept1, ptr %kept_p
  store ptr %first, ptr %block
  %prev_p = getelementptr ptr, ptr %block, i64 1
  store ptr null, ptr %prev_p
  %newest = load ptr, ptr @memory_newest
  %older_p = getelementptr ptr, ptr %block, i64 2
  store ptr %newest, ptr %older_p
  %newer_p = getelementptr ptr, ptr %block, i64 3
  store ptr null, ptr %newer_p
  %class_p = getelementptr i64, ptr %block, i64 4
  store i64 %class, ptr %class_p
  store ptr %block, ptr %head
  store ptr %block, ptr @memory_newest
  %alone = icmp eq ptr %newest, null
  %nn = getelementptr ptr, ptr %newest, i64 3
  %to = select i1 %alone, ptr @memory_oldest, ptr %nn
  store ptr %block, ptr %to
  %no_first = icmp eq ptr %first, null
  br i1 %no_first, label %linked, label %fix
fix:
  %fp = getelementptr ptr, ptr %first, i64 1
  store ptr %block, ptr %fp
  br label %linked
linked:
  call void @memory_leave()
  %over = icmp sgt i64 %kept1, %limit
  br i1 %over, label %shrink, label %out
shrink:
  call void @evict(i64 %limit)
  br label %out
out:
  ret void
}

; Raises the error for a size that cannot be had; always null.
define internal ptr @no_memory(i64 %size) #0 {
  %o = call ptr @PyLong_FromSsize_t(i64 %size)
  %none = icmp eq ptr %o, null
  br i1 %none, label %out, label %call
call:
  %f = load ptr, ptr @block_failure
  %r = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %f, ptr %o, ptr null)
  call void @Py_DecRef(ptr %o)
  ret ptr null
out:
  ret ptr null
}

; A block object (header, address, size, class) with memory of its own.
define internal ptr @block_new(i64 %size) #0 {
entry:
  %sane = icmp ult i64 %size, 140737488355328
  br i1 %sane, label %take, label %fail
take:
  %class = call i64 @class_of(i64 %size)
  %p = call ptr @memory_take(i64 %class)
  %none = icmp eq ptr %p, null
  br i1 %none, label %fail, label %wrap
wrap:
  %type = load ptr, ptr @block_type
  %o = call ptr @_PyObject_New(ptr %type)
  %bad = icmp eq ptr %o, null
  br i1 %bad, label %undo, label %fill
undo:
  call void @memory_release(ptr %p, i64 %class)
  ret ptr null
fill:
  %address_p = getelementptr i8, ptr %o, i64 $HEAD
  store ptr %p, ptr %address_p
  %size_p = getelementptr i64, ptr %address_p, i64 1
  store i64 %size, ptr %size_p
  %class_p = getelementptr i64, ptr %address_p, i64 2
  store i64 %class, ptr %class_p
  ret ptr %o
fail:
  %r = call ptr @no_memory(i64 %size)
  ret ptr null
}

; take(size), as a Python function of one argument.
define ptr @block_take(ptr %self, ptr %argument) #0 {
entry:
  %size = call i64 @PyLong_AsSsize_t(ptr %argument)
  %negative = icmp slt i64 %size, 0
  br i1 %negative, label %look, label %make
look:
  %error = call ptr @PyErr_Occurred()
  %raised = icmp ne ptr %error, null
  br i1 %raised, label %out, label %make
make:
  %o = call ptr @block_new(i64 %size)
  ret ptr %o
out:
  ret ptr null
}

define void @block_dealloc(ptr %self) #0 {
  %address_p = getelementptr i8, ptr %self, i64 $HEAD
  %p = load ptr, ptr %address_p
  %class_p = getelementptr i64, ptr %address_p, i64 2
  %class = load i64, ptr %class_p
  call void @memory_release(ptr %p, i64 %class)
  %type = load ptr, ptr @block_type
  call void @PyObject_Free(ptr %self)
  call void @Py_DecRef(ptr %type)
  ret void
}

define i32 @block_getbuffer(ptr %self, ptr %view, i32 %flags) #0 {
  %address_p = getelementptr i8, ptr %self, i64 $HEAD
  %p = load ptr, ptr %address_p
  %size_p = getelementptr i64, ptr %address_p, i64 1
  %size = load i64, ptr %size_p
  %r = call i32 @PyBuffer_FillInfo(ptr %view, ptr %self, ptr %p, i64 %size, i32 0, i32 %flags)
  ret i32 %r
}
