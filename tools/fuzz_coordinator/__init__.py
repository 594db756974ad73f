"""A fuzzer of what crosses the coordinator's port: packets of strangers, of those that know the secret, of members."""
