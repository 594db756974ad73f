from olympus.sharding import AxisType

mesh = olympus.make_mesh((2, 4), ("X", "Y"),
                     axis_types=(AxisType.Explicit, AxisType.Explicit))
