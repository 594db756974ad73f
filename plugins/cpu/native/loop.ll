; Loops and branches as kernels: their table's first word is a plan of their own, an array of i64 that loops.py writes.
;
; A loop's table: plan, scratch memory, status, then where its operands and its results are, one after the other; these
; are the first slots of its body. Its plan:
;   0 turns (negative: as long as the condition holds), 1 operands and results, 2 temporaries, 3 constants, 4 table
;   entries, 5 stages of the condition, 6 stages of the body, 7 whether they run in parallel, 8 the condition's slot,
;   9 carries, 10 sequences, 11 slots, 12 calls of the condition, 13 calls of the body (negative: it has stages),
;   14 carries that alternate, 15 entries that change from turn to turn, 16..25 where these begin in the plan: offsets of
;   temporaries in the scratch memory, constants, table entries, the condition's stages, the body's stages, carries (those
;   that alternate first), sequences, the condition's calls, the body's calls, entries that change.
; The scratch memory begins with the slots, then the tables.
; A carry is: the slot that a turn reads, the one that it writes, a temporary, bytes, and how its turns alternate: 0 it is
; written over, 1 the first turn writes the result, 2 the first turn writes the temporary.
; A sequence is: its slot, what is added to that before the first turn, and after each.
; A call is: kernel, total, its table's place. Steps of one chunk and one table, in one thread, need no more.
; An entry that changes is: its place among the tables, its slot.
;
; A branch's table: plan, scratch memory, status, the index, then operands and results of its regions, which are loops of
; one turn. Its plan: number of regions, then the address of each one's plan.
;
; No pass over this text runs before code is made of it, so nothing is called that can stand in its place. Two words are
; no LLVM IR; runtime.py writes them out: `word %plan 3`, the plan's fourth word, and `part %plan 3`, the place
; in the plan that this word says.

declare ptr @PyGILState_GetThisThreadState()
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare i32 @PyErr_CheckSignals()
declare i32 @clock_gettime(i32, ptr)
declare ptr @memcpy(ptr, ptr, i64)

; A kernel: copies bytes.
define void @copy_bytes(ptr %table, i64 %low, i64 %high, i64 %index) #0 {
  %from = load ptr, ptr %table
  %to_p = getelementptr ptr, ptr %table, i64 1
  %to = load ptr, ptr %to_p
  %begin = getelementptr i8, ptr %from, i64 %low
  %into = getelementptr i8, ptr %to, i64 %low
  %size = sub i64 %high, %low
  %done = call ptr @memcpy(ptr %into, ptr %begin, i64 %size)
  ret void
}

; Whether the user wants to interrupt: asked for some ten times a second, in threads that Python knows. The state is:
; turns until the clock is looked at, turns between two looks, the last look, the last question; nanoseconds.
define internal i1 @is_interrupted(ptr %state) #0 {
entry:
  %time = alloca [2 x i64]
  %r = call i32 @clock_gettime(i32 $MONOTONIC, ptr %time)
  %seconds = load i64, ptr %time
  %nanos_p = getelementptr i64, ptr %time, i64 1
  %nanos = load i64, ptr %nanos_p
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %nanos
  %each_p = getelementptr i64, ptr %state, i64 1
  %each = load i64, ptr %each_p
  %last_p = getelementptr i64, ptr %state, i64 2
  %last = load i64, ptr %last_p
  %asked_p = getelementptr i64, ptr %state, i64 3
  %asked = load i64, ptr %asked_p
  %is_first = icmp eq i64 %last, 0
  %begun = select i1 %is_first, i64 %now, i64 %asked
  store i64 %begun, ptr %asked_p
  store i64 %now, ptr %last_p
  %took = sub i64 %now, %last
  %quick = icmp ult i64 %took, 1000000
  %slow = icmp ugt i64 %took, 20000000
  %twice = mul i64 %each, 2
  %less = lshr i64 %each, 3
  %e1 = select i1 %quick, i64 %twice, i64 %each
  %e2 = select i1 %slow, i64 %less, i64 %e1
  %high = icmp ugt i64 %e2, 65536
  %e3 = select i1 %high, i64 65536, i64 %e2
  %low = icmp ult i64 %e3, 1
  %e4 = select i1 %low, i64 1, i64 %e3
  store i64 %e4, ptr %each_p
  store i64 %e4, ptr %state
  %since = sub i64 %now, %begun
  %long = icmp ugt i64 %since, 100000000
  br i1 %long, label %ask, label %go
go:
  ret i1 false
ask:
  store i64 %now, ptr %asked_p
  %known = call ptr @PyGILState_GetThisThreadState()
  %stranger = icmp eq ptr %known, null
  br i1 %stranger, label %go, label %check
check:
  %lock = call i32 @PyGILState_Ensure()
  %answer = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 %lock)
  %raised = icmp ne i32 %answer, 0
  ret i1 %raised
}

; Puts carries where the first turn finds them.
define internal void @begin_carries(ptr %plan, ptr %slots) #0 {
entry:
  %count = word %plan 9
  %first = part %plan 21
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %carry, label %out
carry:
  %skip = mul i64 %i, 5
  %words = getelementptr i64, ptr %first, i64 %skip
  %in = word %words 0
  %out_ = word %words 1
  %temporary = word %words 2
  %size = word %words 3
  %kind = word %words 4
  %in_p = getelementptr ptr, ptr %slots, i64 %in
  %out_p = getelementptr ptr, ptr %slots, i64 %out_
  %result = load ptr, ptr %out_p
  switch i64 %kind, label %swapped [ i64 0, label %place
                                     i64 1, label %next ]
place:
  %given = load ptr, ptr %in_p
  %same = icmp eq ptr %given, %result
  store ptr %result, ptr %in_p
  br i1 %same, label %next, label %copy
copy:
  %r = call ptr @memcpy(ptr %result, ptr %given, i64 %size)
  br label %next
swapped:
  %temporary_p = getelementptr ptr, ptr %slots, i64 %temporary
  %spare = load ptr, ptr %temporary_p
  store ptr %spare, ptr %out_p
  store ptr %result, ptr %temporary_p
  br label %next
next:
  %i1 = add i64 %i, 1
  br label %head
out:
  ret void
}

; Makes ready for the next turn: what a turn has written is what the next one reads, sequences go on.
define internal void @next_turn(ptr %slots, ptr %tables, ptr %carries, i64 %carry_count, ptr %sequences, i64 %sequence_count,
                                ptr %entries, i64 %entry_count) #0 {
entry:
  br label %carry_head
carry_head:
  %c = phi ptr [ %carries, %entry ], [ %c1, %carry ]
  %c_left = phi i64 [ %carry_count, %entry ], [ %c_left1, %carry ]
  %c_more = icmp ne i64 %c_left, 0
  br i1 %c_more, label %carry, label %sequence_head
carry:
  %in = load i64, ptr %c
  %out_q = getelementptr i64, ptr %c, i64 1
  %out_ = load i64, ptr %out_q
  %temporary_q = getelementptr i64, ptr %c, i64 2
  %temporary = load i64, ptr %temporary_q
  %in_p = getelementptr ptr, ptr %slots, i64 %in
  %out_p = getelementptr ptr, ptr %slots, i64 %out_
  %temporary_p = getelementptr ptr, ptr %slots, i64 %temporary
  %written = load ptr, ptr %out_p
  %free = load ptr, ptr %temporary_p
  store ptr %written, ptr %in_p
  store ptr %free, ptr %out_p
  store ptr %written, ptr %temporary_p
  %c1 = getelementptr i64, ptr %c, i64 5
  %c_left1 = sub i64 %c_left, 1
  br label %carry_head
sequence_head:
  %s = phi ptr [ %sequences, %carry_head ], [ %s1, %sequence ]
  %s_left = phi i64 [ %sequence_count, %carry_head ], [ %s_left1, %sequence ]
  %s_more = icmp ne i64 %s_left, 0
  br i1 %s_more, label %sequence, label %entry_head
sequence:
  %slot = load i64, ptr %s
  %by_q = getelementptr i64, ptr %s, i64 2
  %by = load i64, ptr %by_q
  %slot_p = getelementptr ptr, ptr %slots, i64 %slot
  %before = load ptr, ptr %slot_p
  %after = getelementptr i8, ptr %before, i64 %by
  store ptr %after, ptr %slot_p
  %s1 = getelementptr i64, ptr %s, i64 3
  %s_left1 = sub i64 %s_left, 1
  br label %sequence_head
entry_head:
  %e = phi ptr [ %entries, %sequence_head ], [ %e1, %fill ]
  %e_left = phi i64 [ %entry_count, %sequence_head ], [ %e_left1, %fill ]
  %e_more = icmp ne i64 %e_left, 0
  br i1 %e_more, label %fill, label %out
fill:
  %place = load i64, ptr %e
  %from_q = getelementptr i64, ptr %e, i64 1
  %from = load i64, ptr %from_q
  %from_p = getelementptr ptr, ptr %slots, i64 %from
  %address = load ptr, ptr %from_p
  %entry_p = getelementptr ptr, ptr %tables, i64 %place
  store ptr %address, ptr %entry_p
  %e1 = getelementptr i64, ptr %e, i64 2
  %e_left1 = sub i64 %e_left, 1
  br label %entry_head
out:
  ret void
}

; Leaves the last turn's carries in the results.
define internal void @end_carries(ptr %plan, ptr %slots, ptr %given) #0 {
entry:
  %count = word %plan 9
  %first = part %plan 21
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %carry, label %out
carry:
  %skip = mul i64 %i, 5
  %words = getelementptr i64, ptr %first, i64 %skip
  %in = word %words 0
  %out_ = word %words 1
  %size = word %words 3
  %in_p = getelementptr ptr, ptr %slots, i64 %in
  %last = load ptr, ptr %in_p
  %result_p = getelementptr ptr, ptr %given, i64 %out_
  %result = load ptr, ptr %result_p
  %same = icmp eq ptr %last, %result
  br i1 %same, label %next, label %copy
copy:
  %r = call ptr @memcpy(ptr %result, ptr %last, i64 %size)
  br label %next
next:
  %i1 = add i64 %i, 1
  br label %head
out:
  ret void
}

; Puts sequences where the first turn finds them.
define internal void @begin_sequences(ptr %plan, ptr %slots) #0 {
entry:
  %count = word %plan 10
  %first = part %plan 22
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i1, %move ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %move, label %out
move:
  %skip = mul i64 %i, 3
  %words = getelementptr i64, ptr %first, i64 %skip
  %slot = word %words 0
  %by = word %words 1
  %slot_p = getelementptr ptr, ptr %slots, i64 %slot
  %before = load ptr, ptr %slot_p
  %after = getelementptr i8, ptr %before, i64 %by
  store ptr %after, ptr %slot_p
  %i1 = add i64 %i, 1
  br label %head
out:
  ret void
}

; All turns of a loop whose operands and results are at %given.
define internal void @run_loop(ptr %plan, ptr %slots, ptr %status, ptr %given) #0 {
entry:
  %clock = alloca [4 x i64]
  store i64 64, ptr %clock
  %each_p = getelementptr i64, ptr %clock, i64 1
  store i64 64, ptr %each_p
  %last_p = getelementptr i64, ptr %clock, i64 2
  store i64 0, ptr %last_p
  %turns = word %plan 0
  %state = word %plan 1
  %state_bytes = mul i64 %state, 8
  %r = call ptr @memcpy(ptr %slots, ptr %given, i64 %state_bytes)
  %temporaries = word %plan 2
  %offsets = part %plan 16
  %temporary_slots = getelementptr ptr, ptr %slots, i64 %state
  call void @fill_words(ptr %temporary_slots, ptr %offsets, i64 %temporaries, ptr %slots)
  %constants = word %plan 3
  %addresses = part %plan 17
  %constant_slots = getelementptr ptr, ptr %temporary_slots, i64 %temporaries
  call void @fill_words(ptr %constant_slots, ptr %addresses, i64 %constants, ptr null)
  %status_slot = getelementptr ptr, ptr %constant_slots, i64 %constants
  store ptr %status, ptr %status_slot
  call void @begin_carries(ptr %plan, ptr %slots)
  call void @begin_sequences(ptr %plan, ptr %slots)
  %entries = word %plan 4
  %list = part %plan 18
  %n_slots = word %plan 11
  %tables = getelementptr ptr, ptr %slots, i64 %n_slots
  call void @fill_tables(ptr %tables, ptr %slots, ptr %list, i64 %entries)
  %asked = word %plan 5
  %asked_stages = part %plan 19
  %asked_calls = word %plan 12
  %asked_first = part %plan 23
  %asked_staged = icmp slt i64 %asked_calls, 0
  %done = word %plan 6
  %done_stages = part %plan 20
  %done_calls = word %plan 13
  %done_first = part %plan 24
  %done_staged = icmp slt i64 %done_calls, 0
  %parallel_word = word %plan 7
  %parallel = icmp ne i64 %parallel_word, 0
  %flag = word %plan 8
  %flag_p = getelementptr ptr, ptr %slots, i64 %flag
  %counted = icmp sge i64 %turns, 0
  %carries = part %plan 21
  %carry_count = word %plan 14
  %sequences = part %plan 22
  %sequence_count = word %plan 10
  %changing = part %plan 25
  %changing_count = word %plan 15
  %c_or_s = or i64 %carry_count, %sequence_count
  %moves = icmp ne i64 %c_or_s, 0
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  br i1 %counted, label %count, label %ask
count:
  %more = icmp slt i64 %i, %turns
  br i1 %more, label %turn, label %out
ask:
  br i1 %asked_staged, label %ask_stages, label %ask_head
ask_stages:
  call void @run_stages(ptr %asked_stages, i64 %asked, ptr %tables, i1 %parallel)
  br label %answer_here
ask_head:
  %q = phi ptr [ %asked_first, %ask ], [ %q1, %ask_call ]
  %q_left = phi i64 [ %asked_calls, %ask ], [ %q_left1, %ask_call ]
  %q_more = icmp ne i64 %q_left, 0
  br i1 %q_more, label %ask_call, label %answer_here
ask_call:
  %q_kernel = load ptr, ptr %q
  %q_total_p = getelementptr i64, ptr %q, i64 1
  %q_total = load i64, ptr %q_total_p
  %q_place_p = getelementptr i64, ptr %q, i64 2
  %q_place = load i64, ptr %q_place_p
  %q_table = getelementptr ptr, ptr %tables, i64 %q_place
  call void %q_kernel(ptr %q_table, i64 0, i64 %q_total, i64 0)
  %q1 = getelementptr i64, ptr %q, i64 3
  %q_left1 = sub i64 %q_left, 1
  br label %ask_head
answer_here:
  %flag_at = load ptr, ptr %flag_p
  %answer = load i8, ptr %flag_at
  %yes = icmp ne i8 %answer, 0
  br i1 %yes, label %turn, label %out
turn:
  br i1 %done_staged, label %do_stages, label %do_head
do_stages:
  call void @run_stages(ptr %done_stages, i64 %done, ptr %tables, i1 %parallel)
  br label %did
do_head:
  %d = phi ptr [ %done_first, %turn ], [ %d1, %do_call ]
  %d_left = phi i64 [ %done_calls, %turn ], [ %d_left1, %do_call ]
  %d_more = icmp ne i64 %d_left, 0
  br i1 %d_more, label %do_call, label %did
do_call:
  %d_kernel = load ptr, ptr %d
  %d_total_p = getelementptr i64, ptr %d, i64 1
  %d_total = load i64, ptr %d_total_p
  %d_place_p = getelementptr i64, ptr %d, i64 2
  %d_place = load i64, ptr %d_place_p
  %d_table = getelementptr ptr, ptr %tables, i64 %d_place
  call void %d_kernel(ptr %d_table, i64 0, i64 %d_total, i64 0)
  %d1 = getelementptr i64, ptr %d, i64 3
  %d_left1 = sub i64 %d_left, 1
  br label %do_head
did:
  br i1 %moves, label %move, label %stayed
move:
  call void @next_turn(ptr %slots, ptr %tables, ptr %carries, i64 %carry_count, ptr %sequences, i64 %sequence_count,
                       ptr %changing, i64 %changing_count)
  br label %stayed
stayed:
  %code = load atomic i32, ptr %status monotonic, align 4
  %fine = icmp eq i32 %code, 0
  br i1 %fine, label %poll, label %out
poll:
  %left = load i64, ptr %clock
  %left1 = sub i64 %left, 1
  store i64 %left1, ptr %clock
  %due = icmp slt i64 %left1, 1
  br i1 %due, label %look, label %next
look:
  %stop = call i1 @is_interrupted(ptr %clock)
  br i1 %stop, label %stopped, label %next
stopped:
  store atomic i32 $RAISED, ptr %status monotonic, align 4
  br label %out
next:
  %i1 = add i64 %i, 1
  br label %head
out:
  call void @end_carries(ptr %plan, ptr %slots, ptr %given)
  ret void
}

; A kernel: a loop.
define void @loop(ptr %table, i64 %low, i64 %high, i64 %index) #0 {
  %plan = load ptr, ptr %table
  %scratch_p = getelementptr ptr, ptr %table, i64 1
  %scratch = load ptr, ptr %scratch_p
  %status_p = getelementptr ptr, ptr %table, i64 2
  %status = load ptr, ptr %status_p
  %given = getelementptr ptr, ptr %table, i64 3
  call void @run_loop(ptr %plan, ptr %scratch, ptr %status, ptr %given)
  ret void
}

; A kernel: one of some regions.
define void @branch(ptr %table, i64 %low, i64 %high, i64 %index) #0 {
  %plan = load ptr, ptr %table
  %scratch_p = getelementptr ptr, ptr %table, i64 1
  %scratch = load ptr, ptr %scratch_p
  %status_p = getelementptr ptr, ptr %table, i64 2
  %status = load ptr, ptr %status_p
  %which_p = getelementptr ptr, ptr %table, i64 3
  %which_at = load ptr, ptr %which_p
  %which = load i32, ptr %which_at, align 1
  %count = load i64, ptr %plan
  %wide = sext i32 %which to i64
  %negative = icmp slt i64 %wide, 0
  %from = select i1 %negative, i64 0, i64 %wide
  %end = sub i64 %count, 1
  %beyond = icmp sgt i64 %from, %end
  %chosen = select i1 %beyond, i64 %end, i64 %from
  %place = add i64 %chosen, 1
  %region_p = getelementptr ptr, ptr %plan, i64 %place
  %region = load ptr, ptr %region_p
  %given = getelementptr ptr, ptr %table, i64 4
  call void @run_loop(ptr %region, ptr %scratch, ptr %status, ptr %given)
  ret void
}
