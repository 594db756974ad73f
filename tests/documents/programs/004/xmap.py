from olympus.sharding import Mesh

# The mesh is global: in four processes each owns one of its rows.
mesh = Mesh(np.array(olympus.devices()).reshape(4, 2), ('x', 'y'))
rows = 4 // olympus.process_count()
start = olympus.process_index() * rows

def weighted(vector, weight):
  # sees a vector of three and a number
  scaled = vector * weight
  return lax.psum(scaled, 'rows'), scaled - lax.pmean(scaled, ('rows', 'cols'))

mapped = olympus.xmap(
    weighted,
    in_axes=({0: 'rows', 1: 'cols'}, ['cols', ...]),
    out_axes=(['cols', ...], {0: 'cols', 2: 'rows'}),
    axis_resources={'rows': 'x', 'cols': 'y'}, mesh=mesh)

# The arguments and the results are each process's own rows of these.
table = np.arange(24.0).reshape(4, 2, 3)
total, rest = mapped(table[start:start + rows], np.array([1.0, 10.0]))
print(total)
print(rest.shape, rest[1, :, 0])
