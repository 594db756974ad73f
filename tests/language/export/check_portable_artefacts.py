# SPDX-License-Identifier: Apache-2.0
"""Compares the portable artefacts that we write with JAX's reader and writer; run by hand where jaxlib is installed.

Run it from the repository's folder: ``python -m tests.language.export.check_portable_artefacts``. It writes the module
of every operation of the catalogue, and has jaxlib read it: what it reads must be, word for word, what it makes of its
own portable artefact of the same text for the version that ours names.
"""

from __future__ import annotations

from collections import Counter

from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir.dialects import stablehlo

from olympus.export.stablehlo.bytecode import Bytecode
from olympus.export.stablehlo.writing import portable_artefact
from olympus_conformance.samples.instance import program_of
from olympus_core.errors import NotSupportedError
from olympus_pjrt.stablehlo import emit_program
from tests.pjrt.stablehlo.samples import of_all_operations


def main() -> None:
    """Prints how many modules were equal, and which operations are not written; fails where one differs."""
    equal, refused = 0, Counter[str]()
    context = make_ir_context()
    for instance in of_all_operations():
        text = emit_program(program_of([instance]))
        try:
            ours = portable_artefact(text)
        except NotSupportedError as error:
            refused[error.feature] += 1
            continue
        version = Bytecode(ours).producer.removeprefix("StableHLO_v")
        with context:
            found, wanted = (str(stablehlo.deserialize_portable_artifact(context, blob)) for blob in (
                ours, stablehlo.serialize_portable_artifact_str(text, version)))
        assert found == wanted, f"{instance.record.name}:\n{found}\n{wanted}"
        equal += 1
    print(f"{equal} modules are equal; not written:")
    print(*(f"  {name} ({count})" for name, count in sorted(refused.items())), sep="\n")


if __name__ == "__main__":
    main()
