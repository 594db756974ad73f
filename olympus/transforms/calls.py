# SPDX-License-Identifier: Apache-2.0
"""The hot path: a compiled call takes leaves, hands buffers to the executable, wraps what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.codewriter import CodeWriter
from olympus_core.config import config
from olympus_core.dtypes import carrier
from olympus_core.errors import ArgumentError, DonationError
from olympus_core.placement import Layout, Sharding, sharding_of
from olympus_core.plugin import Buffer
from olympus_core.plugin.client import Run
from olympus_core.runtime import LoadedProgram, Signature, SizedEntry, get_world, place, put_host
from olympus_core.runtime.array import SharedBuffers
from olympus_core.runtime.sealing import is_copied_when_read

from ..array import Array, is_concrete
from ..tracing import Aval, Tracer, aval_of, host_value, leaked
from ..tracing.values import is_host_value
from ..trees import inside as tree
from ..trees.generated import packer

Convert = Callable[[Any], list[Buffer]]
Lent = list[tuple[Array, list[Buffer]]]  # arrays that were donated, with what were their buffers
_KEPT_SCALARS = 512
_CALL_BYTES = 6_144  # about what a call takes besides its program
_DONATED = "it was donated to a jitted function"


class CompiledCall(SizedEntry):
    """A function, compiled for arguments of certain types and shardings.

    Args:
        name: The function.
        loaded: The compiled program.
        converts: For each leaf how to get its buffers; None where the array's own serve.
        captured: The arrays that the function uses from outside.
        fixed: Their buffers, where the program needs them.
        outputs: Signatures of the results.
        rebuild: Makes the function's result of the flat list of arrays.
        donated: Indices of the leaves whose memory may be reused.
        moved: For each result where it is brought when the program is done; None where it stays.
        host_arrays: Those of NumPy that the function uses from outside; None where that is not known.
    """

    __slots__ = ("_captured", "_converts", "_donated", "_execute", "_fixed", "_name", "_outputs", "_rebuild", "direct",
                 "host_arrays", "loaded", "moved")

    def __init__(
        self, name: str, loaded: LoadedProgram, converts: Sequence[Convert | None], captured: Sequence[Array],
        fixed: Sequence[list[Buffer]], outputs: Sequence[Signature], rebuild: Callable[[list[Any]], Any] | None,
        donated: Sequence[int], moved: Sequence[Any] = (), host_arrays: Any = None,
    ) -> None:
        self.moved, self.host_arrays = tuple(moved), host_arrays
        super().__init__(_CALL_BYTES)  # one program may have many
        self._name = name
        self.loaded = loaded
        loaded.add_dependent(self)
        self._execute = loaded.execute
        self._converts = tuple(converts) if any(c is not None for c in converts) else None
        self._captured, self._fixed = tuple(captured), list(fixed)
        self._outputs = tuple(outputs)
        self._rebuild = rebuild
        self._donated = tuple(donated)
        self.direct = self._written_out(len(converts)) if self._converts is None and not self._donated else None

    def rebind(self, run: Run) -> None:
        """Executes by another function from now on, which does the same and tells somebody."""
        self._execute = run
        if self.direct is not None:
            self.direct.__globals__["run"] = run  # the text's own names, see `_written_out`

    def is_wanted(self) -> None:
        """Notes that somebody looked for it."""
        self.was_used = self.loaded.was_used = True

    @property
    def outputs(self) -> tuple[Signature, ...]:
        """Signatures of the results."""
        return self._outputs

    @property
    def captured(self) -> tuple[Any, ...]:
        """The arrays from outside that the function uses."""
        return self._captured

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """Runs it on the flat arguments."""
        if self._converts is None:
            inputs = [leaf._buffers for leaf in leaves]
        else:
            inputs = [
                leaf._buffers if convert is None else convert(leaf)
                for leaf, convert in zip(leaves, self._converts)  # noqa: B905  (lengths agree by construction)
            ]
        for leaf in leaves:
            if type(leaf) is Array and leaf._deleted_by is not None:
                leaf._check_alive()
        if self._captured:
            for array in self._captured:
                if array._deleted_by is not None:
                    array._check_alive()
            inputs += self._fixed
        if not self._donated:
            results = self._execute(inputs)
        else:
            ended = self._hand_over(leaves, inputs)
            try:
                results = self._execute(inputs)
            except BaseException:
                self._take_back(ended)
                raise
        make = Array._make
        if self._rebuild is None:
            return make(self._outputs[0], results[0])
        return self._rebuild([make(s, buffers) for s, buffers in zip(self._outputs, results)])  # noqa: B905

    def _written_out(self, count: int) -> Callable[[Sequence[Any]], Any]:
        """This call for arrays that are where they must be, as a function without loops and look-ups.

        It does not ask whether the arguments are deleted: a deleted array's signature is in no cache.
        """
        code = CodeWriter(f"call of {self._name}", {
            "Array": Array, "new": object.__new__, "run": self._execute, "rebuild": self._rebuild})
        lines = [f"{''.join(f'a{i}, ' for i in range(count))}= leaves"] if count else []
        for i, array in enumerate(self._captured):
            code.namespace.update({f"c{i}": array, f"f{i}": self._fixed[i]})
            lines.append(f"if c{i}._deleted_by is not None: c{i}._check_alive()")
        inputs = [f"a{i}._buffers" for i in range(count)] + [f"f{i}" for i in range(len(self._captured))]
        lines.append(f"{''.join(f'b{i}, ' for i in range(len(self._outputs))) or '_'} "
                     f"= run([{', '.join(inputs)}])")
        for i, signature in enumerate(self._outputs):
            code.namespace[f"s{i}"] = signature
            lines += [f"r{i} = new(Array)", f"r{i}._signature = s{i}", f"r{i}._buffers = b{i}",
                      f"r{i}._value = r{i}._deleted_by = None", f"r{i}._committed_at = ''"]
        arrays = ", ".join(f"r{i}" for i in range(len(self._outputs)))
        lines.append(f"return rebuild([{arrays}])" if self._rebuild is not None else "return r0")
        direct: Callable[[Sequence[Any]], Any] = code.define(["leaves"], lines, "direct")
        return direct

    def _hand_over(self, leaves: Sequence[Any], inputs: list[list[Buffer]]) -> Lent:
        """Ends what is donated, so that it is nobody else's: memory that others look at goes in as a copy."""
        others = [other for other in (*leaves, *self._captured) if type(other) is Array]
        if len({id(other._buffers[0]) for other in others if other._buffers}) < len(others):
            self._check_given_once(leaves)
        ended: Lent = []
        try:
            for index in self._donated:
                leaf = leaves[index]
                if type(leaf) is not Array:
                    continue
                # Before the execution: afterwards another thread could have begun to read or share what it writes over.
                is_seen = leaf._value is not None
                while (buffers := leaf._lend(_DONATED)) is None:
                    leaf._check_alive()  # who had it has failed and given it back, if this raises nothing
                ended.append((leaf, buffers))
                if buffers and inputs[index][0] is buffers[0]:
                    inputs[index] = buffers
                    if type(buffers) is SharedBuffers or (is_seen and not is_copied_when_read(buffers[0])):
                        client = get_world().client(leaf.sharding.devices[0])
                        inputs[index] = [client.buffer_from_host(_locked_copy(b.to_host()), b.device) for b in buffers]
        except BaseException:
            for leaf, buffers in ended:
                leaf._take_back(buffers)
            raise
        return ended

    def _check_given_once(self, leaves: Sequence[Any]) -> None:
        """Raises `DonationError` where donated memory is another argument, too."""
        arrays: dict[int, list[int]] = {}
        memory: dict[int, list[int]] = {}
        for i, other in enumerate((*leaves, *self._captured)):
            if type(other) is Array:
                arrays.setdefault(id(other), []).append(i)
                if other._buffers:
                    memory.setdefault(id(other._buffers[0]), []).append(i)
        for index in self._donated:
            leaf = leaves[index]
            if type(leaf) is Array:
                by_memory = leaf._buffers and not leaf._is_shared()
                indices = memory[id(leaf._buffers[0])] if by_memory else arrays[id(leaf)]
                if len(indices) > 1:
                    raise DonationError(self._name, str(leaf._signature.type), indices)

    @staticmethod
    def _take_back(ended: Lent) -> None:
        """After a failure: what was donated stays ended, unless the platform knows that it is as it was."""
        for array, buffers in ended:
            if any(getattr(buffer, "is_spoiled", True) for buffer in buffers):
                array._deleted_by = f"{_DONATED}, which then failed"
            else:
                array._take_back(buffers)


def _locked_copy(host: np.ndarray) -> np.ndarray:
    """A copy that a platform may take as it is."""
    copy = host.copy()
    copy.flags.writeable = False
    return copy


def relabelled(array: Array, signature: Signature) -> Array:
    """An array's memory under another signature, for one call: a process's part as its part of the whole."""
    return Array._make(signature, array._share() if array._is_shared() else list(array._buffers))


def any_converter(
    name: str, argument_names: Callable[[], Sequence[str]], index: int, aval: Aval, layout: Layout
) -> Convert:
    """How the buffers of any leaf of a type are had in a layout.

    Args:
        name: The function, for errors.
        argument_names: What it calls its leaves, for errors.
        index: Which one this is.
        aval: What the leaf must be.
        layout: Where the program needs it.
    """
    sharding = sharding_of(layout)

    def convert(value: Any) -> list[Buffer]:
        found = aval_of(value)
        if found.type is not aval.type:
            raise ArgumentError(name, f"was compiled for another type of {argument_names()[index]}", repr(found),
                                repr(aval), "Call it as in lower(), or call the jitted function itself.")
        if isinstance(value, Tracer):
            raise ArgumentError(name, "is compiled, so it takes no values that are being traced", repr(value),
                                "an array or a number", "Call the jitted function itself: it joins what is traced.")
        if not is_concrete(value):
            return put_host(Array, host_value(value, aval.dtype), sharding, True)._buffers
        value._check_alive()
        return value._buffers if value.sharding.is_equivalent_to(sharding, aval.ndim) else place(
            value, sharding)._buffers

    return convert


def check_captured(value: Any) -> None:
    """Refuses what a function uses from outside where it has no content.

    Raises:
        ArgumentError: It stands for an array.
        LeakedTracerError: It belongs to another trace.
        DeletedError: The array was deleted or donated.
    """
    if isinstance(value, Tracer):
        raise leaked(value)
    if not is_concrete(value):
        raise _has_no_value(value)
    value._check_alive()


def _has_no_value(value: Any) -> ArgumentError:
    return ArgumentError("jit", "a call needs a value", f"{value!r} of type {type(value).__name__}",
                         "an olympus or NumPy array or a number",
                         "Give what stands for an array only to lower, trace and eval_shape.")


def converter(leaf: Any, aval: Aval, layout: Layout, keep: bool = True) -> Convert | None:
    """How the buffers of a leaf of this kind are had in a layout; None where the array's own serve.

    Args:
        leaf: A leaf of the kind.
        aval: What tracing knows of it.
        layout: Where the program needs it.
        keep: Whether buffers of Python numbers may be used again in the next call.
    """
    sharding = sharding_of(layout)
    if not is_concrete(leaf) and not is_host_value(leaf):
        raise _has_no_value(leaf)
    if is_concrete(leaf):
        if leaf.sharding.layout(leaf.ndim).mesh.flat_devices == layout.mesh.flat_devices and (
            leaf.sharding.is_equivalent_to(sharding, leaf.ndim)
        ):
            return None
        return lambda array: place(array, sharding)._buffers
    dtype, devices = aval.dtype, layout.mesh.local_devices
    client = get_world().client(layout.mesh.flat_devices[0])
    if carrier(dtype) is not dtype or not layout.is_replicated or (aval.shape and not sharding.is_fully_addressable):
        return lambda value: put_host(Array, host_value(value, dtype), sharding, True)._buffers
    if config.transfer_guard or config.transfer_guard_host_to_device:  # part of the key of calls: others need not ask
        from olympus_core.runtime.transfers import from_host

        def told(value: Any) -> list[Buffer]:
            from_host(aval.type, sharding)
            host = host_value(value, dtype)
            return [client.buffer_from_host(host, device) for device in devices]

        return told
    if aval.shape:

        def whole(value: Any) -> list[Buffer]:
            if type(value) is not np.ndarray or value.dtype != dtype:
                value = host_value(value, dtype)
            return [client.buffer_from_host(value, device) for device in devices]

        return whole
    kept: dict[Any, list[Buffer]] = {}

    def scalar(value: Any) -> list[Buffer]:
        if isinstance(value, np.ndarray):
            value = value.item()  # an array cannot be a key
        found = kept.get(value)
        if found is None:
            host = host_value(value, dtype)
            found = [client.buffer_from_host(host, device) for device in devices]
            # 0.0 and -0.0 are equal keys; a complex number may have either as a part.
            if keep and value and not isinstance(value, (complex, np.complexfloating)) and len(kept) < _KEPT_SCALARS:
                kept[value] = found
        return found

    return scalar


_LEAF = tree.structure(0)


def rebuilder(structure: Any, later: Sequence[Sharding | None]) -> Callable[[list[Any]], Any] | None:
    """What makes a call's result of its flat arrays; None where it is the only one, as it is."""
    if any(sharding is not None for sharding in later):
        return lambda arrays: tree.unflatten(
            structure, [a if s is None else place(a, s) for a, s in zip(arrays, later, strict=True)])
    return None if structure == _LEAF else packer(structure) or structure.unflatten
