result = jnp.sum(jnp.sin(x))
print(f"process={olympus.process_index()} got result: {result}")
