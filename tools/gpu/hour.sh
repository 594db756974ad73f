#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The hour on a machine with an NVIDIA GPU, in four calls of under ten minutes each; no network is asked.
#
#   tools/gpu/hour.sh PART [FOLDER]      PART is 1, 2, 3 or 4; the reports go to FOLDER (gpu-report) as one archive
#
# Python, CuPy, jax, llvmlite, pytest, pytest-xdist, hypothesis and mpi4py are there; what else olympus needs (pydantic
# with its own needs) lies as wheels in .wheels/ where the machine lacks it:
#   pip download --only-binary=:all: --python-version 3.12 --dest .wheels pydantic array-api-strict
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
part=${1:?which part: 1, 2, 3 or 4}
folder=${2:-gpu-report}
python=${PYTHON:-python3}
site=${SITE:-$(mktemp -d)}
export PYTHONUNBUFFERED=1 XLA_PYTHON_CLIENT_PREALLOCATE=false
mkdir -p "$folder/reports"

if compgen -G '.wheels/*.whl' >/dev/null; then
    "$python" -m pip install --quiet --no-index --no-deps --no-compile --upgrade --target "$site" .wheels/*.whl || exit 1
    export PYTHONPATH="$site${PYTHONPATH:+:$PYTHONPATH}"
fi
[ "${INSTALL:-1}" = 0 ] || "$python" -m pip install --quiet --no-index --no-deps --no-build-isolation --editable . || exit 1

pieces() { "$python" -m tools.gpu --into "$folder/reports" "$@"; }
case $part in
    1)  # What is there, each part of the platform once, NCCL with one rank; then how long calls and compilation take.
        pieces --minutes 2 doctor steps control-flow
        pieces --minutes 3 benchmarks-linear-algebra
        pieces --minutes 3 benchmarks-calls ;;
    2)  # The bars of bandwidth and of products.
        pieces --minutes 3 benchmarks-chains benchmarks-rows benchmarks-models ;;
    3)  # The language's own tests.
        pieces --minutes 3 --jobs 12 language numpy
        pieces --minutes 2 --jobs 12 sharding linear-algebra jaxpr ;;
    4)  # Derivatives, batching, then the conformance suite, its parts beside each other.
        pieces --minutes 2 --jobs 12 derivatives batching
        for i in 1 2 3 4; do
            pieces --minutes 5 "conformance-$i" &
        done
        wait ;;
    *)
        echo "hour.sh: there is no part $part" >&2
        exit 2 ;;
esac
tar --create --gzip --file "$folder/part-$part.tar.gz" --directory "$folder" reports
cat "$folder/reports/summary.txt"
