// Small matrices of large batches: as many matrices side by side as a vector has lanes, each in its lane.
#include "shared.h"

enum { MOST = 32 };  // rows and columns; MOST in small.py

#define T float
#define LANES 8
#define NAME(name) name##_f32
#define ABSOLUTE __builtin_fabsf
#define NOT_A_NUMBER __builtin_nanf("")
#define INFINITE __builtin_inff()
#include "small_kernels.h"
#undef T
#undef LANES
#undef NAME
#undef ABSOLUTE
#undef NOT_A_NUMBER
#undef INFINITE

#define T double
#define LANES 4
#define NAME(name) name##_f64
#define ABSOLUTE __builtin_fabs
#define NOT_A_NUMBER __builtin_nan("")
#define INFINITE __builtin_inf()
#include "small_kernels.h"
