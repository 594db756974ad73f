print(arr.is_fully_addressable, arr.is_fully_replicated)
try:
    print(arr)
except Exception as e:
    print(f"Print global array error: {e}")
