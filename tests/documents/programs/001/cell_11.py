@olympus.jit
def foo(x):
  print(f"OLYMPUS-level type of x during tracing: {olympus.typeof(x)}")
  return x + x

foo(some_array)
