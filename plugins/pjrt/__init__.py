"""Any PJRT plugin library as a platform of olympus: a bridge over the C API, StableHLO, and the platform itself."""
