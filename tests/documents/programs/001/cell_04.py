arr.sharding
