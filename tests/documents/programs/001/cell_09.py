@olympus.jit
def f_contract(x):
  return x.sum(axis=0)

result = f_contract(arr_sharded)
olympus.debug.visualize_array_sharding(result)
print(result)
