/* Root-mean-square normalisation of rows: y = x / sqrt(mean(x * x) + eps). */

#include <math.h>
#include <string.h>

#include "xla/ffi/api/c_api.h"

static XLA_FFI_Error* refuse(XLA_FFI_CallFrame* frame, const char* message) {
  XLA_FFI_Error_Create_Args args;
  memset(&args, 0, sizeof args);
  args.struct_size = sizeof args;
  args.message = message;
  args.errc = XLA_FFI_Error_Code_INVALID_ARGUMENT;
  return frame->api->XLA_FFI_Error_Create(&args);
}

XLA_FFI_Error* rms_norm(XLA_FFI_CallFrame* frame) {
  if (frame->extension_start && frame->extension_start->type == XLA_FFI_Extension_Metadata) {
    XLA_FFI_Metadata* metadata = ((XLA_FFI_Metadata_Extension*)frame->extension_start)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return NULL;
  }
  if (frame->args.size != 1 || frame->rets.size != 1 || frame->attrs.size != 1)
    return refuse(frame, "one array, one result and the attribute eps are needed");
  XLA_FFI_Buffer* x = (XLA_FFI_Buffer*)frame->args.args[0];
  XLA_FFI_Buffer* y = (XLA_FFI_Buffer*)frame->rets.rets[0];
  XLA_FFI_Scalar* eps = (XLA_FFI_Scalar*)frame->attrs.attrs[0];
  if (x->dtype != XLA_FFI_DataType_F32 || y->dtype != XLA_FFI_DataType_F32)
    return refuse(frame, "arrays of float32 are needed");
  if (frame->attrs.types[0] != XLA_FFI_AttrType_SCALAR || eps->dtype != XLA_FFI_DataType_F32)
    return refuse(frame, "eps must be a number of float32");
  if (x->rank < 1) return refuse(frame, "the array must have rows");
  int64_t rows = 1, columns = x->dims[x->rank - 1];
  for (int64_t d = 0; d + 1 < x->rank; ++d) rows *= x->dims[d];
  for (int64_t row = 0; row < rows; ++row) {
    const float* from = (const float*)x->data + row * columns;
    float* to = (float*)y->data + row * columns;
    float sum = 0;
    for (int64_t i = 0; i < columns; ++i) sum += from[i] * from[i];
    float scale = 1 / sqrtf(sum / (float)columns + *(float*)eps->value);
    for (int64_t i = 0; i < columns; ++i) to[i] = from[i] * scale;
  }
  return NULL;
}
