# SPDX-License-Identifier: Apache-2.0
"""What is run, and what has to be seen."""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from .machines import NAMES

PROGRAM = [sys.executable, str(Path(__file__).with_name("program.py"))]
TUTORIAL = [sys.executable, str(Path(__file__).with_name("tutorial.py"))]
# The program's file lies in a package: its imports are the installed ones.
_HYDRA = str(Path(sys.executable).with_name("mpiexec"))
_MPICH = str(Path(sys.prefix, "lib", "libmpi.so.12"))
_NETWORK = "10.77.5.0/24"


@dataclass(frozen=True)
class Case:
    """One start of the program.

    Args:
        name: What it is called.
        command: The launcher's command line, with the program.
        processes: How many there are; 0 where none runs.
        machines: Where the launcher runs: 0 for this machine itself, 2 for the first of the two.
        environment: More variables.
        words: What has to be in the output.
        needs: Programs without which it is left out.
    """

    name: str
    command: list[str]
    processes: int
    machines: int = 2
    environment: dict[str, str] = field(default_factory=dict)
    words: str = ""
    needs: tuple[str, ...] = ()

    @property
    def lines(self) -> set[str]:
        """What the processes have to write."""
        count = self.processes
        said = "the tutorial's result is NumPy's"
        if TUTORIAL[1] not in self.command:
            said = f"{count} devices, sum {float(sum(range(4 * count)))}"
        return {f"process {index} of {count}: {said}" for index in range(count)}

    @property
    def missing(self) -> list[str]:
        """Programs that it needs and that are not installed."""
        return [name for name in self.needs if shutil.which(name) is None]


def cases(agent: Path) -> list[Case]:
    """All cases.

    Args:
        agent: What runs a command on one of the two machines.
    """
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    mpirun = ["mpirun", "--oversubscribe"]
    both = [*mpirun, "--host", ",".join(f"{name}:2" for name in NAMES), "--mca", "plm_rsh_agent", str(agent),
            "--mca", "oob_tcp_if_include", _NETWORK, "--mca", "btl_tcp_if_include", _NETWORK, "-n", "4"]
    other = {**root, "MPI4PY_LIBMPI": _MPICH}
    forward = ["-x", "MPI4PY_LIBMPI"]
    by_agent = ["-launcher", "ssh", "-launcher-exec", str(agent), "-hosts", ",".join(NAMES), "-n", "4"]
    hydra, debian = [_HYDRA, *by_agent], ["mpiexec.hydra", *by_agent]
    eight = {"OLYMPUS_NUM_CPU_DEVICES": "2"}  # the tutorial's devices, over four processes
    over_mpi = {"OLYMPUS_CPU_TRANSPORT": "mpi"}
    out = agent.parent / "batch.out"
    batch = ["sbatch", "--wait", "--ntasks=2", "--nodes=1", f"--output={out}", f"--wrap={' '.join(PROGRAM)}"]
    wrap = ["sh", "-c", f"{shlex.join(batch)}; status=$?; cat {out}; exit $status"]
    orte, srun = ("mpirun",), ("srun", "slurmctld", "slurmd", "munged")
    return [
        Case("Open MPI, one machine", [*mpirun, "-n", "4", *PROGRAM], 4, 0, root, needs=orte),
        Case("Open MPI, two machines", [*both, *PROGRAM], 4, environment=root, needs=orte),
        Case("Open MPI, two machines, data by MPI", [*both, "-x", "OLYMPUS_CPU_TRANSPORT", *PROGRAM], 4,
             environment={**root, **over_mpi}, needs=orte),
        Case("Open MPI, two machines, MPICH's library", [*both, *forward, *PROGRAM], 4, environment=other,
             words="is not the launcher's", needs=orte),
        Case("Open MPI, two machines, MPICH's library, data by MPI",
             [*both, *forward, "-x", "OLYMPUS_CPU_TRANSPORT", *PROGRAM], 4,
             environment={**other, **over_mpi}, needs=orte),
        Case("Open MPI, two machines, the tutorial's program", [*both, *TUTORIAL], 4,
             environment={**root, **eight}, needs=orte),
        Case("hydra, one machine", [_HYDRA, "-n", "4", *PROGRAM], 4, 0),
        Case("hydra, two machines", [*hydra, *PROGRAM], 4),
        Case("hydra, two machines, data by MPI", [*hydra, *PROGRAM], 4, environment=over_mpi),
        Case("hydra, two machines, the tutorial's program", [*hydra, *TUTORIAL], 4, environment=eight),
        Case("Debian's hydra, two machines", [*debian, *PROGRAM], 4, needs=("mpiexec.hydra",)),
        Case("Debian's hydra, two machines, data by MPI", [*debian, *PROGRAM], 4, environment=over_mpi,
             needs=("mpiexec.hydra",)),
        Case("srun, one node", ["srun", "-N1", "-n3", *PROGRAM], 3, needs=srun),
        Case("srun, two nodes", ["srun", "-N2", "-n4", *PROGRAM], 4, needs=srun),
        Case("srun, two nodes, the tutorial's program", ["srun", "-N2", "-n4", *TUTORIAL], 4, environment=eight,
             needs=srun),
        Case("srun, two nodes, data by MPI", ["srun", "-N2", "-n4", *PROGRAM], 4, environment=over_mpi, needs=srun),
        Case("srun --mpi=pmix, two nodes", ["srun", "--mpi=pmix", "-N2", "-n4", *PROGRAM], 4, needs=srun),
        Case("srun --mpi=pmix, two nodes, data by MPI", ["srun", "--mpi=pmix", "-N2", "-n4", *PROGRAM], 4,
             environment=over_mpi, needs=srun),
        Case("srun --mpi=pmi2, two nodes, data by MPI", ["srun", "--mpi=pmi2", "-N2", "-n4", *PROGRAM], 4,
             environment=over_mpi, needs=srun),
        Case("srun of a heterogeneous job", ["srun", "-n2", "-wn1", *PROGRAM, ":", "-n1", "-wn2", *PROGRAM], 3,
             needs=srun),
        Case("sbatch without srun", wrap, 0, words="not a step started by srun", needs=srun),
    ]
