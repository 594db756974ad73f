# SPDX-License-Identifier: Apache-2.0
"""Compares the portable artefacts that we write with JAX's reader and writer; run by hand where jaxlib is installed.

Run it from the repository's folder: ``python -m tools.portable_artefacts``. It writes the module of every operation of
the catalogue, and has jaxlib read it: what it reads must be, word for word, what it makes of its own portable artefact
of the same text for the version that ours names.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter

from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir.dialects import stablehlo

from olympus.export.stablehlo.bytecode import Bytecode
from olympus.export.stablehlo.writing import portable_artefact
from olympus_conformance.samples.instance import program_of
from olympus_core.errors import NotSupportedError
from olympus_pjrt.stablehlo import TypePolicy, emit_program
from olympus_pjrt.stablehlo.for_export import FOR_EXPORT
from tests.pjrt.stablehlo.samples import of_all_operations


def main() -> int:
    """Prints how many modules were equal, and which operations are not written; fails where one differs."""
    equal, refused = 0, Counter[str]()
    context = make_ir_context()
    policy = TypePolicy(for_export=True)
    for instance in itertools.chain(of_all_operations(), of_all_operations(chosen=FOR_EXPORT)):
        text = emit_program(program_of([instance]), policy=policy)
        try:
            ours = portable_artefact(text)
        except NotSupportedError as error:
            refused[error.feature] += 1
            continue
        version = Bytecode(ours).producer.removeprefix("StableHLO_v")
        with context:
            found, wanted = (str(stablehlo.deserialize_portable_artifact(context, blob)) for blob in (
                ours, stablehlo.serialize_portable_artifact_str(text, version)))
        if found != wanted:
            sys.stderr.write(f"{instance.record.name} differs:\n{found}\n{wanted}\n")
            return 1
        equal += 1
    lines = [f"{equal} modules are equal; not written: {'' if refused else 'none'}",
             *(f"  {n} ({count})" for n, count in sorted(refused.items()))]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
