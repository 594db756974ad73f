some_array = np.arange(8)
print(f"OLYMPUS-level type of some_array: {olympus.typeof(some_array)}")
