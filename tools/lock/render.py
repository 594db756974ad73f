# SPDX-License-Identifier: Apache-2.0
"""The texts of both files, from the report of `pip install --dry-run --report`."""

from __future__ import annotations

import json
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.licences.__main__ import said_licence

Install = dict[str, Any]
PROJECT = "olympus-runtime"

_HEAD = """\
# What CI installs, for CPython 3.12 on Linux, x86-64; written by `python -m tools.lock` there, not by hand.
# make test LOCK=tools/lock/linux-3.12.txt
"""


def lock(report: list[Install]) -> str:
    """The lock file: each distribution with its version and the hash of its file.

    Args:
        report: What pip would install.
    """
    lines = [f"{name}=={item['metadata']['version']} --hash=sha256:{_hash(item)}\n"
             for name, item in sorted(_named(report).items()) if name != PROJECT]
    return _HEAD + "".join(lines)


def sbom(report: list[Install]) -> str:
    """The bill of materials; it names no time and no machine, so that the same report gives the same text.

    Args:
        report: What pip would install for olympus itself.
    """
    items = _named(report)
    own = items.pop(PROJECT)["metadata"]
    told = [(PROJECT, own), *((name, item["metadata"]) for name, item in sorted(items.items()))]
    root = {"type": "library", "bom-ref": PROJECT, "name": PROJECT, "version": own["version"],
            "purl": f"pkg:pypi/{PROJECT}@{own['version']}", "licenses": [{"license": {"id": "Apache-2.0"}}]}
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": root},
        "components": [_component(name, item) for name, item in sorted(items.items())],
        "dependencies": [{"ref": name, "dependsOn": _needed(metadata, set(items))} for name, metadata in told],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _named(report: list[Install]) -> dict[str, Install]:
    return {canonicalize_name(item["metadata"]["name"]): item for item in report}


def _hash(item: Install) -> str:
    return str(item["download_info"]["archive_info"]["hashes"]["sha256"])


def _component(name: str, item: Install) -> dict[str, Any]:
    version = item["metadata"]["version"]
    said = item["metadata"]
    licence = said_licence(name, said.get("license_expression"), said.get("license"), said.get("classifier", []))
    return {"type": "library", "bom-ref": name, "name": name, "version": version, "purl": f"pkg:pypi/{name}@{version}",
            "hashes": [{"alg": "SHA-256", "content": _hash(item)}], "licenses": [{"license": {"name": licence}}]}


def _needed(metadata: dict[str, Any], known: set[str]) -> list[str]:
    wanted = [Requirement(text) for text in metadata.get("requires_dist", [])]
    names = {canonicalize_name(r.name) for r in wanted if r.marker is None or "extra" not in str(r.marker)}
    return sorted(names & known)
