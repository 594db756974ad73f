"""One program over several devices: arrays split over a mesh, code for each shard, mapped functions."""

from __future__ import annotations

from functools import partial

from typing_extensions import assert_type

import olympus
import olympus.numpy as jnp
from olympus import Array, Mesh, NamedSharding, P, lax


@partial(olympus.jit, donate_argnums=0)
def scaled(x: Array, factor: float) -> Array:
    return x * factor


def normalized(mesh: Mesh, x: Array) -> Array:
    @olympus.shard_map(mesh=mesh, in_specs=P("data"), out_specs=P("data"))
    def of_shard(part: Array) -> Array:
        total = lax.psum(jnp.sum(part), "data")
        assert_type(total, Array)
        return part / total

    return of_shard(x)


def main() -> Array:
    mesh = olympus.make_mesh((olympus.device_count(),), ("data",))
    assert_type(mesh, Mesh)
    sharding = NamedSharding(mesh, P("data"))
    x = olympus.device_put(jnp.arange(1.0, 1.0 + 2 * olympus.device_count()), sharding)
    assert_type(x, Array)
    x = normalized(mesh, x)
    summed = olympus.pmap(lambda part: lax.psum(part, "i"), axis_name="i")(jnp.ones(olympus.local_device_count()))
    whole = olympus.jit(lambda y: olympus.with_sharding_constraint(y, sharding), out_shardings=sharding)(x)
    assert [shard.replica_id for shard in x.addressable_shards] and summed.shape and whole.sharding == sharding
    return olympus.block_until_ready(scaled(x, 2.0))


if __name__ == "__main__":
    main()
