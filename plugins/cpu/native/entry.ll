; What Python calls: one function for all programs, told by a plan what to do.
;
; The plan is an array of i64 in the first item of the function's `self`; entry.py writes it:
;   0 arguments, 1 outputs, 2 bytes of a scratch block (0: the frame does), 3 slots, 4 table entries, 5 stages,
;   6 mode (0 with Python's lock, 1 without, 2 without and in parallel), 7 unused, 8 what is called with a status,
;   9 temporaries, 10 constants, 11..15 where these begin in the plan: output sizes, offsets of temporaries in the scratch
;   block, constants, table entries, stages.
; Slots hold addresses: arguments, outputs, temporaries, constants, status. Tables are made of slots, one after the other.
; A stage is: steps, tables of each step, pieces that each table's steps are run in; then for each step: kernel, total,
; chunk, chunks, first table's place, table width.

@entry_failure = global ptr null

declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyBytes_AsString(ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @PyErr_SetObject(ptr, ptr)
@Py_None = external global i64

; One step over one table, all chunks.
define internal void @run_step(ptr %step, ptr %tables, i64 %which) #0 {
  %kernel = load ptr, ptr %step
  %total_p = getelementptr i64, ptr %step, i64 1
  %total = load i64, ptr %total_p
  %chunk_p = getelementptr i64, ptr %step, i64 2
  %chunk = load i64, ptr %chunk_p
  %place_p = getelementptr i64, ptr %step, i64 4
  %place = load i64, ptr %place_p
  %width_p = getelementptr i64, ptr %step, i64 5
  %width = load i64, ptr %width_p
  %skip = mul i64 %width, %which
  %index = add i64 %place, %skip
  %table = getelementptr ptr, ptr %tables, i64 %index
  call void @run_serially(ptr %kernel, ptr %table, i64 %total, i64 %chunk)
  ret void
}

; All steps of a stage for one table each.
define internal void @run_steps(ptr %stage, ptr %tables, i64 %which) #0 {
entry:
  %steps = load i64, ptr %stage
  %first = getelementptr i64, ptr %stage, i64 3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %offset = mul i64 %i, 6
  %step = getelementptr i64, ptr %first, i64 %offset
  call void @run_step(ptr %step, ptr %tables, i64 %which)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %steps
  br i1 %more, label %loop, label %out
out:
  ret void
}

; One piece of all steps of a stage, which have equally many chunks, for one table each.
define internal void @run_piece(ptr %stage, ptr %tables, i64 %which, i64 %piece) #0 {
entry:
  %steps = load i64, ptr %stage
  %first = getelementptr i64, ptr %stage, i64 3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %offset = mul i64 %i, 6
  %step = getelementptr i64, ptr %first, i64 %offset
  %kernel = load ptr, ptr %step
  %total_p = getelementptr i64, ptr %step, i64 1
  %total = load i64, ptr %total_p
  %chunk_p = getelementptr i64, ptr %step, i64 2
  %chunk = load i64, ptr %chunk_p
  %place_p = getelementptr i64, ptr %step, i64 4
  %place = load i64, ptr %place_p
  %width_p = getelementptr i64, ptr %step, i64 5
  %width = load i64, ptr %width_p
  %skip = mul i64 %width, %which
  %at = add i64 %place, %skip
  %table = getelementptr ptr, ptr %tables, i64 %at
  %from = mul i64 %piece, %chunk
  %left = sub i64 %total, %from
  %whole = icmp slt i64 %chunk, %left
  %length = select i1 %whole, i64 %chunk, i64 %left
  %to = add i64 %from, %length
  call void %kernel(ptr %table, i64 %from, i64 %to, i64 %piece)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %steps
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Kernels for the pool: their table is a job of (stage, tables).

; Each turn is one table, or one piece of it: all steps.
define internal void @spread_tables(ptr %job, i64 %low, i64 %high, i64 %index) #0 {
entry:
  %stage = load ptr, ptr %job
  %tables_p = getelementptr ptr, ptr %job, i64 1
  %tables = load ptr, ptr %tables_p
  %pieces_p = getelementptr i64, ptr %stage, i64 2
  %pieces = load i64, ptr %pieces_p
  %whole = icmp eq i64 %pieces, 1
  br label %loop
loop:
  %turn = phi i64 [ %low, %entry ], [ %turn1, %next ]
  br i1 %whole, label %table, label %part
table:
  call void @run_steps(ptr %stage, ptr %tables, i64 %turn)
  br label %next
part:
  %which = udiv i64 %turn, %pieces
  %piece = urem i64 %turn, %pieces
  call void @run_piece(ptr %stage, ptr %tables, i64 %which, i64 %piece)
  br label %next
next:
  %turn1 = add i64 %turn, 1
  %more = icmp slt i64 %turn1, %high
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Each turn is one chunk of one table of the only step.
define internal void @spread_chunks(ptr %job, i64 %low, i64 %high, i64 %index) #0 {
entry:
  %stage = load ptr, ptr %job
  %tables_p = getelementptr ptr, ptr %job, i64 1
  %tables = load ptr, ptr %tables_p
  %step = getelementptr i64, ptr %stage, i64 3
  %kernel = load ptr, ptr %step
  %total_p = getelementptr i64, ptr %step, i64 1
  %total = load i64, ptr %total_p
  %chunk_p = getelementptr i64, ptr %step, i64 2
  %chunk = load i64, ptr %chunk_p
  %chunks_p = getelementptr i64, ptr %step, i64 3
  %chunks = load i64, ptr %chunks_p
  %place_p = getelementptr i64, ptr %step, i64 4
  %place = load i64, ptr %place_p
  %width_p = getelementptr i64, ptr %step, i64 5
  %width = load i64, ptr %width_p
  br label %loop
loop:
  %turn = phi i64 [ %low, %entry ], [ %turn1, %loop ]
  %which = udiv i64 %turn, %chunks
  %piece = urem i64 %turn, %chunks
  %from = mul i64 %piece, %chunk
  %left = sub i64 %total, %from
  %whole = icmp slt i64 %chunk, %left
  %length = select i1 %whole, i64 %chunk, i64 %left
  %to = add i64 %from, %length
  %skip = mul i64 %width, %which
  %at = add i64 %place, %skip
  %table = getelementptr ptr, ptr %tables, i64 %at
  call void %kernel(ptr %table, i64 %from, i64 %to, i64 %piece)
  %turn1 = add i64 %turn, 1
  %more = icmp slt i64 %turn1, %high
  br i1 %more, label %loop, label %out
out:
  ret void
}

define internal void @run_stage(ptr %stage, ptr %tables, i1 %parallel) #0 {
entry:
  %job = alloca [2 x ptr]
  %steps = load i64, ptr %stage
  %count_p = getelementptr i64, ptr %stage, i64 1
  %count = load i64, ptr %count_p
  %step = getelementptr i64, ptr %stage, i64 3
  %single = icmp eq i64 %steps, 1
  %lone = icmp eq i64 %count, 1
  br i1 %parallel, label %split, label %serial
serial:
  %which = phi i64 [ 0, %entry ], [ %which1, %serial ]
  call void @run_steps(ptr %stage, ptr %tables, i64 %which)
  %which1 = add i64 %which, 1
  %more = icmp ult i64 %which1, %count
  br i1 %more, label %serial, label %out
split:
  store ptr %stage, ptr %job
  %job1 = getelementptr ptr, ptr %job, i64 1
  store ptr %tables, ptr %job1
  br i1 %single, label %chunks, label %whole
whole:
  %pieces_p = getelementptr i64, ptr %stage, i64 2
  %pieces = load i64, ptr %pieces_p
  %parts = mul i64 %count, %pieces
  call void @parallel_for(ptr @spread_tables, ptr %job, i64 %parts, i64 1)
  ret void
chunks:
  br i1 %lone, label %direct, label %spread
direct:
  %kernel = load ptr, ptr %step
  %total_p = getelementptr i64, ptr %step, i64 1
  %total = load i64, ptr %total_p
  %chunk_p = getelementptr i64, ptr %step, i64 2
  %chunk = load i64, ptr %chunk_p
  %place_p = getelementptr i64, ptr %step, i64 4
  %place = load i64, ptr %place_p
  %table = getelementptr ptr, ptr %tables, i64 %place
  call void @parallel_for(ptr %kernel, ptr %table, i64 %total, i64 %chunk)
  ret void
spread:
  %n_p = getelementptr i64, ptr %step, i64 3
  %n = load i64, ptr %n_p
  %turns = mul i64 %n, %count
  call void @parallel_for(ptr @spread_chunks, ptr %job, i64 %turns, i64 1)
  ret void
out:
  ret void
}

; Addresses of the arguments, which are blocks, NumPy's arrays or numbers; false when Python has an error to raise. The
; caller's references hold blocks and arrays until the call is over.
define internal i1 @read_arguments(ptr %arguments, i64 %count, ptr %slots) #0 {
entry:
  %block_type = load ptr, ptr @block_type
  %array_type = load ptr, ptr @array_type
  %any = icmp ne i64 %count, 0
  br i1 %any, label %argument, label %good
argument:
  %i = phi i64 [ 0, %entry ], [ %i1, %store ]
  %object_p = getelementptr ptr, ptr %arguments, i64 %i
  %object = load ptr, ptr %object_p
  ; An object's type is the last word of its header.
  %type_p = getelementptr i8, ptr %object, i64 $TYPE
  %type = load ptr, ptr %type_p
  ; Blocks and arrays have their address behind the header.
  %is_block = icmp eq ptr %type, %block_type
  %is_array = icmp eq ptr %type, %array_type
  %is_memory = or i1 %is_block, %is_array
  br i1 %is_memory, label %memory, label %number
memory:
  %address_p = getelementptr i8, ptr %object, i64 $HEAD
  %address = load ptr, ptr %address_p
  br label %store
number:
  %read = call ptr @PyLong_AsVoidPtr(ptr %object)
  %zero = icmp eq ptr %read, null
  br i1 %zero, label %suspect, label %store
suspect:
  %error = call ptr @PyErr_Occurred()
  %fine = icmp eq ptr %error, null
  br i1 %fine, label %store, label %bad
store:
  %pointer = phi ptr [ %address, %memory ], [ %read, %number ], [ null, %suspect ]
  %slot = getelementptr ptr, ptr %slots, i64 %i
  store ptr %pointer, ptr %slot
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %argument, label %good
good:
  ret i1 true
bad:
  ret i1 false
}

; What the call gives: None, a block, or a tuple of blocks, whose addresses go to the slots; null when there is no memory.
define internal ptr @make_outputs(ptr %plan, i64 %count, ptr %slots) #0 {
entry:
  %sizes_p = getelementptr i64, ptr %plan, i64 11
  %sizes_at = load i64, ptr %sizes_p
  %sizes = getelementptr i64, ptr %plan, i64 %sizes_at
  switch i64 %count, label %several [ i64 0, label %none
                                      i64 1, label %one ]
none:
  call void @Py_IncRef(ptr @Py_None)
  ret ptr @Py_None
one:
  %size = load i64, ptr %sizes
  %block = call ptr @block_new(i64 %size)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %out, label %lone
lone:
  %address_p = getelementptr i8, ptr %block, i64 $HEAD
  %address = load ptr, ptr %address_p
  store ptr %address, ptr %slots
  ret ptr %block
several:
  %tuple = call ptr @PyTuple_New(i64 %count)
  %no_tuple = icmp eq ptr %tuple, null
  br i1 %no_tuple, label %out, label %loop
loop:
  %i = phi i64 [ 0, %several ], [ %i1, %keep ]
  %size_p = getelementptr i64, ptr %sizes, i64 %i
  %size_i = load i64, ptr %size_p
  %block_i = call ptr @block_new(i64 %size_i)
  %failed_i = icmp eq ptr %block_i, null
  br i1 %failed_i, label %undo, label %keep
keep:
  %address_pi = getelementptr i8, ptr %block_i, i64 $HEAD
  %address_i = load ptr, ptr %address_pi
  %slot_i = getelementptr ptr, ptr %slots, i64 %i
  store ptr %address_i, ptr %slot_i
  %set = call i32 @PyTuple_SetItem(ptr %tuple, i64 %i, ptr %block_i)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %done
done:
  ret ptr %tuple
undo:
  call void @Py_DecRef(ptr %tuple)
  ret ptr null
out:
  ret ptr null
}

; Copies `count` words; with a base, each is an offset from it.
define internal void @fill_words(ptr %to, ptr %from, i64 %count, ptr %base) #0 {
entry:
  %any = icmp ne i64 %count, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %from_p = getelementptr i64, ptr %from, i64 %i
  %word = load i64, ptr %from_p
  %address = getelementptr i8, ptr %base, i64 %word
  %to_p = getelementptr ptr, ptr %to, i64 %i
  store ptr %address, ptr %to_p
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Tables out of slots.
define internal void @fill_tables(ptr %tables, ptr %slots, ptr %list, i64 %count) #0 {
entry:
  %any = icmp ne i64 %count, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %list_p = getelementptr i64, ptr %list, i64 %i
  %which = load i64, ptr %list_p
  %slot = getelementptr ptr, ptr %slots, i64 %which
  %address = load ptr, ptr %slot
  %table_p = getelementptr ptr, ptr %tables, i64 %i
  store ptr %address, ptr %table_p
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %out
out:
  ret void
}

define internal void @run_stages(ptr %first, i64 %count, ptr %tables, i1 %parallel) #0 {
entry:
  %any = icmp ne i64 %count, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %stage = phi ptr [ %first, %entry ], [ %next, %loop ]
  call void @run_stage(ptr %stage, ptr %tables, i1 %parallel)
  %steps = load i64, ptr %stage
  %words = mul i64 %steps, 6
  %words2 = add i64 %words, 3
  %next = getelementptr i64, ptr %stage, i64 %words2
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A call whose slots, tables and temporaries lie at %base.
define internal ptr @run_plan(ptr %plan, ptr %arguments, ptr %base) #0 {
entry:
  %status = alloca i32
  %n_arguments = load i64, ptr %plan
  %read = call i1 @read_arguments(ptr %arguments, i64 %n_arguments, ptr %base)
  br i1 %read, label %allocate, label %failed
allocate:
  %n_outputs_p = getelementptr i64, ptr %plan, i64 1
  %n_outputs = load i64, ptr %n_outputs_p
  %output_slots = getelementptr ptr, ptr %base, i64 %n_arguments
  %result = call ptr @make_outputs(ptr %plan, i64 %n_outputs, ptr %output_slots)
  %none = icmp eq ptr %result, null
  br i1 %none, label %failed, label %fill
fill:
  %n_temporaries_p = getelementptr i64, ptr %plan, i64 9
  %n_temporaries = load i64, ptr %n_temporaries_p
  %temporaries_p = getelementptr i64, ptr %plan, i64 12
  %temporaries_at = load i64, ptr %temporaries_p
  %temporaries = getelementptr i64, ptr %plan, i64 %temporaries_at
  %temporary_slots = getelementptr ptr, ptr %output_slots, i64 %n_outputs
  call void @fill_words(ptr %temporary_slots, ptr %temporaries, i64 %n_temporaries, ptr %base)
  %n_constants_p = getelementptr i64, ptr %plan, i64 10
  %n_constants = load i64, ptr %n_constants_p
  %constants_p = getelementptr i64, ptr %plan, i64 13
  %constants_at = load i64, ptr %constants_p
  %constants = getelementptr i64, ptr %plan, i64 %constants_at
  %constant_slots = getelementptr ptr, ptr %temporary_slots, i64 %n_temporaries
  call void @fill_words(ptr %constant_slots, ptr %constants, i64 %n_constants, ptr null)
  store i32 0, ptr %status
  %status_slot = getelementptr ptr, ptr %constant_slots, i64 %n_constants
  store ptr %status, ptr %status_slot
  %n_slots_p = getelementptr i64, ptr %plan, i64 3
  %n_slots = load i64, ptr %n_slots_p
  %tables = getelementptr ptr, ptr %base, i64 %n_slots
  %n_entries_p = getelementptr i64, ptr %plan, i64 4
  %n_entries = load i64, ptr %n_entries_p
  %entries_p = getelementptr i64, ptr %plan, i64 14
  %entries_at = load i64, ptr %entries_p
  %entries = getelementptr i64, ptr %plan, i64 %entries_at
  call void @fill_tables(ptr %tables, ptr %base, ptr %entries, i64 %n_entries)
  %n_stages_p = getelementptr i64, ptr %plan, i64 5
  %n_stages = load i64, ptr %n_stages_p
  %stages_p = getelementptr i64, ptr %plan, i64 15
  %stages_at = load i64, ptr %stages_p
  %stages = getelementptr i64, ptr %plan, i64 %stages_at
  %mode_p = getelementptr i64, ptr %plan, i64 6
  %mode = load i64, ptr %mode_p
  %locked = icmp eq i64 %mode, 0
  br i1 %locked, label %inline, label %release
inline:
  call void @run_stages(ptr %stages, i64 %n_stages, ptr %tables, i1 false)
  br label %ran
release:
  %parallel = icmp eq i64 %mode, 2
  %state = call ptr @PyEval_SaveThread()
  call void @run_stages(ptr %stages, i64 %n_stages, ptr %tables, i1 %parallel)
  call void @PyEval_RestoreThread(ptr %state)
  br label %ran
ran:
  %code = load i32, ptr %status
  %fine = icmp eq i32 %code, 0
  br i1 %fine, label %good, label %report
good:
  ret ptr %result
report:
  call void @Py_DecRef(ptr %result)
  %raised = icmp eq i32 %code, $RAISED
  br i1 %raised, label %failed, label %tell
tell:
  %wide = sext i32 %code to i64
  %number = call ptr @PyLong_FromSsize_t(i64 %wide)
  %no_number = icmp eq ptr %number, null
  br i1 %no_number, label %failed, label %raise
raise:
  %class_p = getelementptr i64, ptr %plan, i64 8
  %class = load ptr, ptr %class_p
  %r0 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %class, ptr %number, ptr null)
  call void @Py_DecRef(ptr %number)
  %silent = icmp eq ptr %r0, null
  br i1 %silent, label %failed, label %spoke
spoke:
  ; Who was told raised nothing: an error of its own is made of that.
  call void @Py_DecRef(ptr %r0)
  %fail = load ptr, ptr @entry_failure
  %r1 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %fail, ptr null)
  br label %failed
failed:
  ret ptr null
}

; The Python function: arguments are blocks or addresses; gives the output blocks.
define ptr @entry(ptr %self, ptr %arguments, i64 %given) #0 {
entry:
  %frame = alloca [$FRAME x ptr], align 64
  %holder = call ptr @PyTuple_GetItem(ptr %self, i64 0)
  %plan = call ptr @PyBytes_AsString(ptr %holder)
  %wanted = load i64, ptr %plan
  %right = icmp eq i64 %given, %wanted
  br i1 %right, label %space, label %wrong
wrong:
  %fail = load ptr, ptr @entry_failure
  %r0 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %fail, ptr null)
  ret ptr null
space:
  %scratch_p = getelementptr i64, ptr %plan, i64 2
  %scratch = load i64, ptr %scratch_p
  %framed = icmp eq i64 %scratch, 0
  br i1 %framed, label %light, label %heavy
light:
  %result = call ptr @run_plan(ptr %plan, ptr %arguments, ptr %frame)
  ret ptr %result
heavy:
  %sane = icmp ult i64 %scratch, 140737488355328
  br i1 %sane, label %borrow, label %poor
borrow:
  %class = call i64 @class_of(i64 %scratch)
  %borrowed = call ptr @memory_take(i64 %class)
  %refused = icmp eq ptr %borrowed, null
  br i1 %refused, label %poor, label %rich
poor:
  %r1 = call ptr @no_memory(i64 %scratch)
  ret ptr null
rich:
  %result2 = call ptr @run_plan(ptr %plan, ptr %arguments, ptr %borrowed)
  call void @memory_release(ptr %borrowed, i64 %class)
  ret ptr %result2
}
