; A parallel loop over the process's threads.
;
; One loop runs at a time. Its chunks are cut into as many shares as there are threads; a thread begins with its own
; share, which lies where it lay in the loop before, in that thread's caches, and goes on with what the others have left.
; A share's ticket holds the loop's number in the upper half and the next free chunk in the lower half; whoever moves the
; lower half on by one owns that chunk. @finished counts the chunks that are done. While a chunk is owned and not
; counted, the loop's caller cannot leave, so what the loop's variables say is true for its owner.

; ticket, end of the share; what fills two lines of the cache
%share = type { i64, i64, [14 x i64] }
@pool_shares = internal global [64 x %share] zeroinitializer, align 128
@pool_share_count = internal global i64 0, align 128
@pool_number = internal global i64 0
@pool_chunks = internal global i64 0
@pool_kernel = internal global ptr null
@pool_table = internal global ptr null
@pool_total = internal global i64 0
@pool_chunk = internal global i64 0
@pool_finished = internal global i32 0, align 128
@pool_caller_sleeps = internal global i32 0, align 64
@pool_busy = internal global i32 0, align 128

; What the idle threads wait for: it changes with every loop.
@pool_signal = internal global i32 0, align 128
@pool_sleepers = internal global i32 0, align 128

; wanted threads with the caller, or those that could be started, whether they were started, threads alive, generation, pauses before sleeping
@pool_state = global [5 x i64] [i64 1, i64 0, i64 0, i64 0, i64 1000], align 128

; A few threads are kept off the processor that the caller computes on: the system tends to wake them just there, where
; they wait until it notices. Their kernel ids, how many, the processors that are theirs, the one they are kept off.
; An id of -1, of a thread that has not said its own yet, is nobody's.
@pool_ids = internal global [8 x i32] zeroinitializer
@pool_id_count = internal global i64 0
@pool_processors = internal global [128 x i8] zeroinitializer, align 16
@pool_left_out = internal global i32 -1

declare i64 @syscall(i64, ...)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigfillset(ptr)
$PAUSE_DECLARATION

define internal void @futex_wait(ptr %word, i32 %value) #0 {
  %r = call i64 (i64, ...) @syscall(i64 $FUTEX, ptr %word, i32 128, i32 %value, ptr null, ptr null, i32 0)
  ret void
}

define internal void @futex_wake(ptr %word, i32 %count) #0 {
  %r = call i64 (i64, ...) @syscall(i64 $FUTEX, ptr %word, i32 129, i32 %count, ptr null, ptr null, i32 0)
  ret void
}

; All chunks of a loop, one after the other.
define internal void @run_serially(ptr %kernel, ptr %table, i64 %total, i64 %chunk) #0 {
entry:
  %any = icmp sgt i64 %total, 0
  br i1 %any, label %loop, label %out
loop:
  %low = phi i64 [ 0, %entry ], [ %next, %loop ]
  %index = phi i64 [ 0, %entry ], [ %index1, %loop ]
  %left = sub i64 %total, %low
  %whole = icmp slt i64 %chunk, %left
  %length = select i1 %whole, i64 %chunk, i64 %left
  %next = add i64 %low, %length
  call void %kernel(ptr %table, i64 %low, i64 %next, i64 %index)
  %index1 = add i64 %index, 1
  br i1 %whole, label %loop, label %out
out:
  ret void
}

; Takes and runs chunks of the current loop until none is left, those of a share of its own first.
define internal void @drain(i64 %home) #0 {
entry:
  %shares = load atomic i64, ptr @pool_share_count seq_cst, align 8
  br label %visit
visit:
  %turn = phi i64 [ 0, %entry ], [ %turn1, %leave ]
  %more = icmp ult i64 %turn, %shares
  br i1 %more, label %find, label %out
find:
  %sum = add i64 %home, %turn
  %place = urem i64 %sum, %shares
  %ticket_p = getelementptr [64 x %share], ptr @pool_shares, i64 0, i64 %place, i32 0
  %end_p = getelementptr [64 x %share], ptr @pool_shares, i64 0, i64 %place, i32 1
  br label %look
look:
  %ticket = load atomic i64, ptr %ticket_p seq_cst, align 8
  %end = load atomic i64, ptr %end_p seq_cst, align 8
  %index = and i64 %ticket, 4294967295
  %some = icmp ult i64 %index, %end
  br i1 %some, label %try, label %leave
leave:
  %turn1 = add i64 %turn, 1
  br label %visit
try:
  %ticket1 = add i64 %ticket, 1
  %pair = cmpxchg ptr %ticket_p, i64 %ticket, i64 %ticket1 seq_cst seq_cst
  %won = extractvalue { i64, i1 } %pair, 1
  br i1 %won, label %run, label %look
run:
  %kernel = load ptr, ptr @pool_kernel
  %table = load ptr, ptr @pool_table
  %chunk = load i64, ptr @pool_chunk
  %total = load i64, ptr @pool_total
  %low = mul i64 %index, %chunk
  %left = sub i64 %total, %low
  %whole = icmp slt i64 %chunk, %left
  %length = select i1 %whole, i64 %chunk, i64 %left
  %high = add i64 %low, %length
  %chunks = load i64, ptr @pool_chunks
  call void %kernel(ptr %table, i64 %low, i64 %high, i64 %index)
  ; After the count the loop may be over: nothing of it is looked at any more.
  %all = trunc i64 %chunks to i32
  %before = atomicrmw add ptr @pool_finished, i32 1 seq_cst
  %after = add i32 %before, 1
  %last = icmp eq i32 %after, %all
  br i1 %last, label %tell, label %look
tell:
  %asleep = load atomic i32, ptr @pool_caller_sleeps seq_cst, align 4
  %wake = icmp ne i32 %asleep, 0
  br i1 %wake, label %rouse, label %look
rouse:
  call void @futex_wake(ptr @pool_finished, i32 1)
  br label %look
out:
  ret void
}

; Keeps the sleeping threads off the caller's processor; only the owner of @pool_busy comes here.
define internal void @pool_keep_off() #0 {
entry:
  %processor = alloca i32
  %mask = alloca [128 x i8], align 16
  %count = load i64, ptr @pool_id_count
  %few = icmp ule i64 %count, 8
  %some = icmp ugt i64 %count, 0
  %right = and i1 %few, %some
  br i1 %right, label %ask, label %out
ask:
  %r0 = call i64 (i64, ...) @syscall(i64 $GETCPU, ptr %processor, ptr null, ptr null)
  %here = load i32, ptr %processor
  %before = load i32, ptr @pool_left_out
  %same = icmp eq i32 %here, %before
  %known = icmp ult i32 %here, 1024
  %bad = icmp ne i64 %r0, 0
  %unknown = xor i1 %known, true
  %no0 = or i1 %same, %bad
  %no = or i1 %no0, %unknown
  br i1 %no, label %out, label %make
make:
  store i32 %here, ptr @pool_left_out
  call void @llvm.memcpy.p0.p0.i64(ptr %mask, ptr @pool_processors, i64 128, i1 false)
  %byte = lshr i32 %here, 3
  %bit = and i32 %here, 7
  %bit8 = trunc i32 %bit to i8
  %one = shl i8 1, %bit8
  %keep = xor i8 %one, -1
  %place = getelementptr i8, ptr %mask, i32 %byte
  %old = load i8, ptr %place
  %new = and i8 %old, %keep
  store i8 %new, ptr %place
  br label %loop
loop:
  ; An empty set of processors is refused by the system, which leaves all as it was.
  %i = phi i64 [ 0, %make ], [ %i1, %loop ]
  %id_p = getelementptr i32, ptr @pool_ids, i64 %i
  %id = load i32, ptr %id_p
  %r1 = call i64 (i64, ...) @syscall(i64 $SETAFFINITY, i32 %id, i64 128, ptr %mask)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %out
out:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; An idle thread's life: chunks, a short spin for the next loop, sleep.
define internal ptr @pool_thread(ptr %generation) #0 {
entry:
  %mine = ptrtoint ptr %generation to i64
  ; One that starts late, when the pool has another size already, must not take the place of one that is wanted.
  %first = load atomic i64, ptr getelementptr (i64, ptr @pool_state, i64 3) seq_cst, align 8
  %wanted = icmp eq i64 %first, %mine
  br i1 %wanted, label %number_it, label %leave
number_it:
  %id = call i64 (i64, ...) @syscall(i64 $GETTID)
  %id32 = trunc i64 %id to i32
  %number = atomicrmw add ptr @pool_id_count, i64 1 seq_cst
  %home = add i64 %number, 1
  %fits = icmp ult i64 %number, 8
  br i1 %fits, label %note, label %top
note:
  %id_p = getelementptr i32, ptr @pool_ids, i64 %number
  store i32 %id32, ptr %id_p
  br label %top
top:
  %seen = load atomic i32, ptr @pool_signal seq_cst, align 4
  %now = load atomic i64, ptr getelementptr (i64, ptr @pool_state, i64 3) seq_cst, align 8
  %stay = icmp eq i64 %now, %mine
  br i1 %stay, label %work, label %leave
work:
  call void @drain(i64 %home)
  %limit = load atomic i64, ptr getelementptr (i64, ptr @pool_state, i64 4) seq_cst, align 8
  br label %spin
spin:
  %turn = phi i64 [ 0, %work ], [ %turn1, %pause ]
  %signal = load atomic i32, ptr @pool_signal seq_cst, align 4
  %changed = icmp ne i32 %signal, %seen
  br i1 %changed, label %top, label %pause
pause:
  $PAUSE
  %turn1 = add i64 %turn, 1
  %more = icmp ult i64 %turn1, %limit
  br i1 %more, label %spin, label %sleep
sleep:
  %s0 = atomicrmw add ptr @pool_sleepers, i32 1 seq_cst
  call void @futex_wait(ptr @pool_signal, i32 %seen)
  %s1 = atomicrmw sub ptr @pool_sleepers, i32 1 seq_cst
  br label %top
leave:
  %a = atomicrmw sub ptr getelementptr (i64, ptr @pool_state, i64 2), i64 1 seq_cst
  ret ptr null
}

; Starts the missing threads; only the owner of @pool_busy comes here.
define internal void @pool_start() #0 {
entry:
  %thread = alloca ptr
  %all = alloca [128 x i8], align 16
  %old = alloca [128 x i8], align 16
  store atomic i64 1, ptr getelementptr (i64, ptr @pool_state, i64 1) seq_cst, align 8
  store atomic i64 0, ptr @pool_id_count seq_cst, align 8
  call void @llvm.memset.p0.i64(ptr @pool_ids, i8 -1, i64 32, i1 false)
  store i32 -1, ptr @pool_left_out
  %r4 = call i64 (i64, ...) @syscall(i64 $GETAFFINITY, i32 0, i64 128, ptr @pool_processors)
  %wanted = load atomic i64, ptr @pool_state seq_cst, align 8
  %generation = load atomic i64, ptr getelementptr (i64, ptr @pool_state, i64 3) seq_cst, align 8
  %argument = inttoptr i64 %generation to ptr
  ; Signals are for Python's main thread, whose waits they must interrupt.
  %r0 = call i32 @sigfillset(ptr %all)
  %r1 = call i32 @pthread_sigmask(i32 $SIG_SETMASK, ptr %all, ptr %old)
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i1, %made ]
  %go = icmp ult i64 %i, %wanted
  br i1 %go, label %make, label %out
make:
  %a = atomicrmw add ptr getelementptr (i64, ptr @pool_state, i64 2), i64 1 seq_cst
  %failed = call i32 @pthread_create(ptr %thread, ptr null, ptr @pool_thread, ptr %argument)
  %bad = icmp ne i32 %failed, 0
  br i1 %bad, label %less, label %made
made:
  %t = load ptr, ptr %thread
  %r2 = call i32 @pthread_detach(ptr %t)
  %i1 = add i64 %i, 1
  br label %loop
less:
  ; Fewer threads do as well: the caller runs what nobody takes. So many there are from now on, unless others are
  ; wanted meanwhile.
  %fewer = cmpxchg ptr @pool_state, i64 %wanted, i64 %i seq_cst seq_cst
  %b = atomicrmw sub ptr getelementptr (i64, ptr @pool_state, i64 2), i64 1 seq_cst
  br label %out
out:
  %r3 = call i32 @pthread_sigmask(i32 $SIG_SETMASK, ptr %old, ptr null)
  ret void
}

; kernel(table, low, high, index) for every chunk of [0, total); returns when all have run.
define void @parallel_for(ptr %kernel, ptr %table, i64 %total, i64 %chunk) #0 {
entry:
  %threads = load atomic i64, ptr @pool_state seq_cst, align 8
  %alone = icmp ult i64 %threads, 2
  %t0 = add i64 %total, %chunk
  %t1 = sub i64 %t0, 1
  %chunks = udiv i64 %t1, %chunk
  %few = icmp slt i64 %chunks, 2
  %many = icmp sgt i64 %chunks, 2147483647
  %no0 = or i1 %alone, %few
  %no = or i1 %no0, %many
  br i1 %no, label %serial, label %claim
claim:
  ; The threads serve one loop at a time; a second caller, or a loop inside of a loop, does its own work.
  %pair = cmpxchg ptr @pool_busy, i32 0, i32 1 seq_cst seq_cst
  %mine = extractvalue { i32, i1 } %pair, 1
  br i1 %mine, label %ready, label %serial
serial:
  call void @run_serially(ptr %kernel, ptr %table, i64 %total, i64 %chunk)
  ret void
ready:
  %started = load atomic i64, ptr getelementptr (i64, ptr @pool_state, i64 1) seq_cst, align 8
  %running = icmp ne i64 %started, 0
  br i1 %running, label %publish, label %start
start:
  call void @pool_start()
  br label %publish
publish:
  %number = load i64, ptr @pool_number
  %number1 = add i64 %number, 1
  store i64 %number1, ptr @pool_number
  %upper = shl i64 %number1, 32
  %closed = or i64 %upper, 4294967295
  %crowd = icmp ugt i64 %threads, 64
  %shares = select i1 %crowd, i64 64, i64 %threads
  br label %close
close:
  ; Tickets that fit no loop, while the variables change.
  %c = phi i64 [ 0, %publish ], [ %c1, %close ]
  %closed_p = getelementptr [64 x %share], ptr @pool_shares, i64 0, i64 %c, i32 0
  store atomic i64 %closed, ptr %closed_p seq_cst, align 8
  %c1 = add i64 %c, 1
  %closing = icmp ult i64 %c1, %shares
  br i1 %closing, label %close, label %change
change:
  store ptr %kernel, ptr @pool_kernel
  store ptr %table, ptr @pool_table
  store i64 %total, ptr @pool_total
  store i64 %chunk, ptr @pool_chunk
  store i64 %chunks, ptr @pool_chunks
  store atomic i32 0, ptr @pool_finished seq_cst, align 4
  store atomic i64 %shares, ptr @pool_share_count seq_cst, align 8
  br label %open
open:
  %o = phi i64 [ 0, %change ], [ %o1, %open ]
  %begin = phi i64 [ 0, %change ], [ %end, %open ]
  %o1 = add i64 %o, 1
  ; Rounded up: where there are fewer chunks than threads the caller has one.
  %part = mul i64 %chunks, %o1
  %part1 = add i64 %part, %shares
  %part2 = sub i64 %part1, 1
  %end = udiv i64 %part2, %shares
  %end_p = getelementptr [64 x %share], ptr @pool_shares, i64 0, i64 %o, i32 1
  store atomic i64 %end, ptr %end_p seq_cst, align 8
  %ticket = or i64 %upper, %begin
  %ticket_p = getelementptr [64 x %share], ptr @pool_shares, i64 0, i64 %o, i32 0
  store atomic i64 %ticket, ptr %ticket_p seq_cst, align 8
  %opening = icmp ult i64 %o1, %shares
  br i1 %opening, label %open, label %signal
signal:
  %s = atomicrmw add ptr @pool_signal, i32 1 seq_cst
  %sleepers = load atomic i32, ptr @pool_sleepers seq_cst, align 4
  %any = icmp ne i32 %sleepers, 0
  br i1 %any, label %wake, label %help
wake:
  call void @pool_keep_off()
  %others = trunc i64 %chunks to i32
  %others1 = sub i32 %others, 1
  call void @futex_wake(ptr @pool_signal, i32 %others1)
  br label %help
help:
  call void @drain(i64 0)
  %all = trunc i64 %chunks to i32
  %limit = load atomic i64, ptr getelementptr (i64, ptr @pool_state, i64 4) seq_cst, align 8
  br label %spin
spin:
  %turn = phi i64 [ 0, %help ], [ %turn1, %pause ]
  %finished = load atomic i32, ptr @pool_finished seq_cst, align 4
  %done = icmp eq i32 %finished, %all
  br i1 %done, label %out, label %pause
pause:
  $PAUSE
  %turn1 = add i64 %turn, 1
  %more = icmp ult i64 %turn1, %limit
  br i1 %more, label %spin, label %sleepy
sleepy:
  store atomic i32 1, ptr @pool_caller_sleeps seq_cst, align 4
  br label %check
check:
  %finished2 = load atomic i32, ptr @pool_finished seq_cst, align 4
  %done2 = icmp eq i32 %finished2, %all
  br i1 %done2, label %awake, label %sleep
sleep:
  call void @futex_wait(ptr @pool_finished, i32 %finished2)
  br label %check
awake:
  store atomic i32 0, ptr @pool_caller_sleeps seq_cst, align 4
  br label %out
out:
  store atomic i32 0, ptr @pool_busy seq_cst, align 4
  ret void
}

; Sends the threads away; they are gone when the count of those alive is 0. The next loop starts new ones.
define void @pool_stop() #0 {
  %g = atomicrmw add ptr getelementptr (i64, ptr @pool_state, i64 3), i64 1 seq_cst
  store atomic i64 0, ptr getelementptr (i64, ptr @pool_state, i64 1) seq_cst, align 8
  %s = atomicrmw add ptr @pool_signal, i32 1 seq_cst
  call void @futex_wake(ptr @pool_signal, i32 2147483647)
  ret void
}

; In a child of fork: there are no threads, and no loop is under way.
define void @pool_forget() #0 {
  store atomic i64 0, ptr getelementptr (i64, ptr @pool_state, i64 1) seq_cst, align 8
  store atomic i64 0, ptr getelementptr (i64, ptr @pool_state, i64 2) seq_cst, align 8
  store atomic i32 0, ptr @pool_sleepers seq_cst, align 4
  store atomic i32 0, ptr @pool_caller_sleeps seq_cst, align 4
  store atomic i64 0, ptr @pool_share_count seq_cst, align 8
  store atomic i32 0, ptr @pool_busy seq_cst, align 4
  ret void
}

; Pauses so many times: tells how long one takes.
define void @pool_pause(i64 %count) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %signal = load atomic i32, ptr @pool_signal seq_cst, align 4
  $PAUSE
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A kernel that does nothing, for measurements and tests.
define void @nothing(ptr %table, i64 %low, i64 %high, i64 %index) #0 {
  ret void
}
