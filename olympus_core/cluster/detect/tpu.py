"""Cloud TPU: the variables that its machines set, one slice or several."""

from __future__ import annotations

from collections.abc import Mapping

from olympus_core.cluster.addresses import DEFAULT_PORT

from .detection import Detection, Finding, integer, show


def find(environ: Mapping[str, str]) -> Finding:
    """The machines' names and this one's place among them; slices multiply both."""
    hosts = [name.strip() for name in environ.get("TPU_WORKER_HOSTNAMES", "").split(",") if name.strip()]
    worker = integer(environ, "TPU_WORKER_ID")
    if worker is None and not hosts:
        return Finding(None, "no TPU_WORKER_ID and TPU_WORKER_HOSTNAMES")
    given = show(environ, "TPU_WORKER_ID", "TPU_WORKER_HOSTNAMES", "MEGASCALE_NUM_SLICES", "MEGASCALE_SLICE_ID")
    if worker is None or not hosts:
        absent = "TPU_WORKER_ID" if worker is None else "TPU_WORKER_HOSTNAMES"
        return Finding(None, f"{given} but no {absent}", True)
    slices, own = integer(environ, "MEGASCALE_NUM_SLICES") or 1, integer(environ, "MEGASCALE_SLICE_ID")
    host = hosts[0]
    if slices > 1:
        first = environ.get("MEGASCALE_COORDINATOR_ADDRESS", "")
        if own is None or not first:
            return Finding(None, f"{given} but no MEGASCALE_SLICE_ID or MEGASCALE_COORDINATOR_ADDRESS", True)
        # Its port is the vendor's own service.
        host = first.partition(":")[0]
    process = (own or 0) * len(hosts) + worker if slices > 1 else worker
    return Finding(Detection("tpu", f"{host}:{DEFAULT_PORT}", process, slices * len(hosts)), given)
