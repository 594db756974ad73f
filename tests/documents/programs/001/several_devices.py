a = olympus.device_put(jnp.ones(3), d0)
b = olympus.device_put(jnp.ones(3), d3)

@olympus.jit
def combine(first, second):
  return first + second

for attempt in (lambda: a + b, lambda: combine(a, b)):
  try:
    attempt()
  except ValueError as error:
    print(type(error).__name__)
    print(error)
