// SPDX-License-Identifier: Apache-2.0
/* Handlers for the tests of stages, state, threads, memory and futures. */

#include <stdlib.h>
#include <string.h>

#include "xla/ffi/api/c_api.h"

#define ARGUMENTS(type, name) type name; memset(&name, 0, sizeof name); name.struct_size = sizeof name

typedef struct { float factor; int64_t count; } Counter;

XLA_FFI_TypeId counter_id = {0};
int64_t deleted = 0, instantiated = 0, last_run = 0;

static void delete_counter(void* object) { ++deleted; free(object); }

XLA_FFI_TypeInfo counter_info = {sizeof(XLA_FFI_TypeInfo), NULL, delete_counter};

static int is_question(XLA_FFI_CallFrame* frame) {
  if (!frame->extension_start || frame->extension_start->type != XLA_FFI_Extension_Metadata) return 0;
  XLA_FFI_Metadata* metadata = ((XLA_FFI_Metadata_Extension*)frame->extension_start)->metadata;
  metadata->api_version.major_version = XLA_FFI_API_MAJOR;
  metadata->api_version.minor_version = XLA_FFI_API_MINOR;
  return 1;
}

static XLA_FFI_Error* refuse(XLA_FFI_CallFrame* frame, const char* message) {
  ARGUMENTS(XLA_FFI_Error_Create_Args, args);
  args.message = message;
  args.errc = XLA_FFI_Error_Code_INVALID_ARGUMENT;
  return frame->api->XLA_FFI_Error_Create(&args);
}

static float* data_of(void** buffers, int64_t* count) {
  XLA_FFI_Buffer* buffer = (XLA_FFI_Buffer*)buffers[0];
  *count = 1;
  for (int64_t d = 0; d < buffer->rank; ++d) *count *= buffer->dims[d];
  return (float*)buffer->data;
}

static XLA_FFI_Error* set(XLA_FFI_CallFrame* frame, XLA_FFI_ExecutionStage stage, float factor) {
  Counter* made = (Counter*)calloc(1, sizeof(Counter));
  made->factor = factor;
  ARGUMENTS(XLA_FFI_State_Set_Args, args);
  args.ctx = frame->ctx;
  args.stage = stage;
  args.type_id = &counter_id;
  args.state = made;
  return frame->api->XLA_FFI_State_Set(&args);
}

static XLA_FFI_Error* get(XLA_FFI_CallFrame* frame, XLA_FFI_ExecutionStage stage, Counter** found) {
  ARGUMENTS(XLA_FFI_State_Get_Args, args);
  args.ctx = frame->ctx;
  args.stage = stage;
  args.type_id = &counter_id;
  XLA_FFI_Error* error = frame->api->XLA_FFI_State_Get(&args);
  *found = (Counter*)args.state;
  return error;
}

/* y = x * factor + (executions so far): the factor is an attribute that only the first stage reads. */
XLA_FFI_Error* counted_instantiate(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  if (frame->stage != XLA_FFI_ExecutionStage_INSTANTIATE || frame->args.size || frame->rets.size)
    return refuse(frame, "the first stage gets attributes only");
  float factor = *(float*)((XLA_FFI_Scalar*)frame->attrs.attrs[0])->value;
  if (factor < 0) return refuse(frame, "the factor is negative");
  ++instantiated;
  return set(frame, XLA_FFI_ExecutionStage_INSTANTIATE, factor);
}

XLA_FFI_Error* counted_prepare(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  Counter* counter;
  XLA_FFI_Error* error = get(frame, XLA_FFI_ExecutionStage_INSTANTIATE, &counter);
  return error ? error : set(frame, XLA_FFI_ExecutionStage_PREPARE, (float)counter->count);
}

XLA_FFI_Error* counted_initialize(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  Counter* before;
  XLA_FFI_Error* error = get(frame, XLA_FFI_ExecutionStage_PREPARE, &before);
  return error ? error : set(frame, XLA_FFI_ExecutionStage_INITIALIZE, before->factor);
}

XLA_FFI_Error* counted_execute(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  Counter *counter, *now;
  XLA_FFI_Error* error = get(frame, XLA_FFI_ExecutionStage_INSTANTIATE, &counter);
  if (!error) error = get(frame, XLA_FFI_ExecutionStage_INITIALIZE, &now);
  if (error) return error;
  int64_t count;
  float *x = data_of(frame->args.args, &count), *y = data_of(frame->rets.rets, &count);
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] * counter->factor + now->factor;
  ++counter->count;
  ARGUMENTS(XLA_FFI_RunId_Get_Args, run);
  run.ctx = frame->ctx;
  error = frame->api->XLA_FFI_RunId_Get(&run);
  if (!error && run.run_id == last_run) return refuse(frame, "two executions have one number");
  last_run = run.run_id;
  return error;
}

XLA_FFI_Error* without_state(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  Counter* found;
  return get(frame, XLA_FFI_ExecutionStage_INSTANTIATE, &found);
}

/* Squares by tasks on the pool, with memory of the call; the last one ends the future. */
typedef struct {
  const XLA_FFI_Api* api;
  XLA_FFI_Future* future;
  float *from, *to, *scratch;
  int64_t begin, end, fails;
  int64_t* left;
} Task;

static void square(void* data) {
  Task* task = (Task*)data;
  for (int64_t i = task->begin; i < task->end; ++i) task->scratch[i] = task->from[i] * task->from[i];
  for (int64_t i = task->begin; i < task->end; ++i) task->to[i] = task->scratch[i];
  if (__atomic_sub_fetch(task->left, 1, __ATOMIC_ACQ_REL)) return;
  if (task->fails) {
    ARGUMENTS(XLA_FFI_Error_Create_Args, args);
    args.message = "a task has failed";
    args.errc = XLA_FFI_Error_Code_DATA_LOSS;
    ARGUMENTS(XLA_FFI_Future_SetError_Args, end);
    end.future = task->future;
    end.error = task->api->XLA_FFI_Error_Create(&args);
    task->api->XLA_FFI_Future_SetError(&end);
  } else {
    ARGUMENTS(XLA_FFI_Future_SetAvailable_Args, end);
    end.future = task->future;
    task->api->XLA_FFI_Future_SetAvailable(&end);
  }
}

XLA_FFI_Error* squared(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  int64_t count, threads = 0;
  float *x = data_of(frame->args.args, &count), *y = data_of(frame->rets.rets, &count);
  ARGUMENTS(XLA_FFI_ThreadPool_NumThreads_Args, asked);
  asked.ctx = frame->ctx;
  asked.num_threads = &threads;
  XLA_FFI_Error* error = frame->api->XLA_FFI_ThreadPool_NumThreads(&asked);
  if (error) return error;
  if (threads < 1) return refuse(frame, "there are no threads");
  ARGUMENTS(XLA_FFI_DeviceMemory_Allocate_Args, memory);
  memory.ctx = frame->ctx;
  memory.size = sizeof(float) * (size_t)count;
  memory.alignment = 256;
  if ((error = frame->api->XLA_FFI_DeviceMemory_Allocate(&memory))) return error;
  if ((uintptr_t)memory.data % 256) return refuse(frame, "the memory is not aligned");
  ARGUMENTS(XLA_FFI_DeviceMemory_Allocate_Args, tasks);
  tasks.ctx = frame->ctx;
  tasks.size = sizeof(Task) * 4 + sizeof(int64_t);
  tasks.alignment = 16;
  if ((error = frame->api->XLA_FFI_DeviceMemory_Allocate(&tasks))) return error;
  ARGUMENTS(XLA_FFI_Future_Create_Args, made);
  if ((error = frame->api->XLA_FFI_Future_Create(&made))) return error;
  Task* all = (Task*)tasks.data;
  int64_t* left = (int64_t*)(all + 4);
  *left = 4;
  for (int64_t i = 0; i < 4; ++i) {
    Task task = {frame->api, made.future, x, y, (float*)memory.data, count * i / 4, count * (i + 1) / 4,
                 count && x[0] < 0, left};
    all[i] = task;
  }
  for (int64_t i = 0; i < 4; ++i) {
    ARGUMENTS(XLA_FFI_ThreadPool_Schedule_Args, schedule);
    schedule.ctx = frame->ctx;
    schedule.task = square;
    schedule.data = all + i;
    if ((error = frame->api->XLA_FFI_ThreadPool_Schedule(&schedule))) return error;
  }
  frame->future = made.future;
  return NULL;
}

XLA_FFI_Error* endless(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  ARGUMENTS(XLA_FFI_Future_Create_Args, made);
  XLA_FFI_Error* error = frame->api->XLA_FFI_Future_Create(&made);
  frame->future = made.future;
  return error;
}

/* What is wrong, each: the error's text is the result of the call. */
XLA_FFI_Error* wrong(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  int64_t which = *(int64_t*)((XLA_FFI_Scalar*)frame->attrs.attrs[0])->value;
  if (which == 0) {
    ARGUMENTS(XLA_FFI_DeviceMemory_Free_Args, args);
    args.ctx = frame->ctx;
    args.data = &which;
    return frame->api->XLA_FFI_DeviceMemory_Free(&args);
  }
  if (which == 1) {
    XLA_FFI_TypeId unknown = {12345};
    ARGUMENTS(XLA_FFI_State_Set_Args, args);
    args.ctx = frame->ctx;
    args.stage = frame->stage;
    args.type_id = &unknown;
    return frame->api->XLA_FFI_State_Set(&args);
  }
  if (which == 2) {
    ARGUMENTS(XLA_FFI_RunId_Get_Args, args);
    return frame->api->XLA_FFI_RunId_Get(&args);
  }
  if (which == 3) {
    XLA_FFI_Error* error = set(frame, XLA_FFI_ExecutionStage_EXECUTE, 1);
    return error ? error : set(frame, XLA_FFI_ExecutionStage_EXECUTE, 2);
  }
  if (which == 6 || which == 7) { /* whatever its arguments would be, they begin like those of others */
    struct { size_t struct_size; XLA_FFI_Extension_Base* extension; XLA_FFI_ExecutionContext* ctx; void* out; } args =
        {sizeof args, NULL, frame->ctx, NULL};
    void* function = which == 6 ? frame->api->XLA_FFI_Stream_Get : frame->api->XLA_FFI_DeviceOrdinal_Get;
    return ((XLA_FFI_Error* (*)(void*))function)(&args);
  }
  if (which == 4) {
    ARGUMENTS(XLA_FFI_DeviceMemory_Allocate_Args, args);
    args.ctx = frame->ctx;
    args.size = 8;
    args.alignment = 3;
    return frame->api->XLA_FFI_DeviceMemory_Allocate(&args);
  }
  XLA_FFI_Error* error = refuse(frame, "to be read and destroyed");
  ARGUMENTS(XLA_FFI_Error_GetMessage_Args, asked);
  asked.error = error;
  frame->api->XLA_FFI_Error_GetMessage(&asked);
  if (strcmp(asked.message, "to be read and destroyed")) return refuse(frame, "another message");
  ARGUMENTS(XLA_FFI_Error_Destroy_Args, ended);
  ended.error = error;
  frame->api->XLA_FFI_Error_Destroy(&ended);
  return NULL;
}

/* Registers `squared` under another name by the interface itself. */
XLA_FFI_Error* registering(XLA_FFI_CallFrame* frame) {
  if (is_question(frame)) return NULL;
  ARGUMENTS(XLA_FFI_Handler_Register_Args, args);
  args.name.ptr = "from inside";
  args.name.len = 11;
  args.platform.ptr = "Host";
  args.platform.len = 4;
  args.bundle.execute = squared;
  return frame->api->XLA_FFI_Handler_Register(&args);
}
