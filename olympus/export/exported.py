# SPDX-License-Identifier: Apache-2.0
"""Exported functions: a program without the Python that made it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from olympus_core.errors import ExportedCallError, NotSupportedError, SymbolicShapeError
from olympus_core.ops import call
from olympus_core.placement import AbstractMesh, Mesh, NamedSharding
from olympus_core.placement import PartitionSpec as Spec
from olympus_core.program import ArrayType, Program
from olympus_core.runtime import get_world

from .. import tree
from ..array import is_concrete
from ..devices import devices
from ..operands import convert
from ..shape_dtype import ShapeDtypeStruct
from ..tracing import Aval, aval_of, bind_all
from ..tracing.aval import has_tangent
from ..tracing.tracebacks import entrance
from ..transforms.constraint import placed_in
from ..transforms.context import current_mesh
from ..transforms.derivatives import custom_vjp
from ..transforms.jit import Jitted
from .artefacts import VERSION, to_bytes
from .dimensions import Scope, evaluate
from .encoding import Decoder, Encoder
from .symbolic import parsed, values_of
from .trees import encoded

_MOST_KEPT = 256  # programs for certain values of symbolic dimensions
MOST_ORDERS = 8  # derivatives of derivatives in one artefact
Sharding = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, ...], ...]]  # the mesh's axes; those of each dimension


class DisabledSafetyCheck:
    """A check that a call of an exported function leaves out.

    Args:
        name: The check's name.

    Example:
        >>> from olympus import export
        >>> export.DisabledSafetyCheck.platform()
        DisabledSafetyCheck('platform')
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @classmethod
    def platform(cls) -> DisabledSafetyCheck:
        """That the program runs on a platform that it was exported for."""
        return cls("platform")

    @classmethod
    def custom_call(cls, target_name: str) -> DisabledSafetyCheck:
        """That a custom call is stable; taken, since olympus's artefacts hold none.

        Args:
            target_name: What it calls.
        """
        return cls(f"custom_call:{target_name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DisabledSafetyCheck) and other.name == self.name

    def __hash__(self) -> int:
        return hash((DisabledSafetyCheck, self.name))

    def __repr__(self) -> str:
        return f"DisabledSafetyCheck({self.name!r})"


@dataclass(frozen=True, eq=False)
class Exported:
    """A function as a program for arguments of certain types; made by `export` and `deserialize`.

    Attributes:
        fun_name: The function's name.
        in_tree: Structure of its arguments, ``(args, kwargs)``.
        in_avals: What is known of the flat arguments.
        out_tree: Structure of its results.
        out_avals: What is known of the flat results.
        platforms: The platforms that it was exported for.
        nr_devices: Over how many devices it is split.
        disabled_safety_checks: The checks that calls leave out.
        calling_convention_version: The version of the artefact's format.
    """

    fun_name: str
    in_tree: Any
    in_avals: tuple[Aval, ...]
    out_tree: Any
    out_avals: tuple[Aval, ...]
    platforms: tuple[str, ...]
    nr_devices: int
    disabled_safety_checks: tuple[DisabledSafetyCheck, ...] = ()
    calling_convention_version: int = VERSION
    _programs: Mapping[str, Any] = field(default_factory=dict, repr=False)  # by platform, as data
    _arrays: Sequence[Any] = field(default=(), repr=False)
    _shardings: tuple[tuple[Sharding | None, ...], tuple[Sharding | None, ...]] = field(default=((), ()), repr=False)
    _vjp: Callable[[], Exported] | None = field(default=None, repr=False)
    _scope: Scope | None = field(default=None, repr=False)  # of the symbolic dimensions, where there are any
    _calls: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"Exported(fun_name={self.fun_name}, ...)"

    def __copy__(self) -> Exported:
        return self

    def __deepcopy__(self, memo: Any) -> Exported:
        return self

    def __reduce__(self) -> Any:
        raise NotSupportedError(f"Pickling the exported function {self.fun_name}", "its bytes are made by serialize",
                                "Send exported.serialize(), and call olympus.export.deserialize there.")

    @property
    def ordered_effects(self) -> tuple[Any, ...]:
        """None: functions that call the host are not exported."""
        return ()

    @property
    def unordered_effects(self) -> tuple[Any, ...]:
        """None, likewise."""
        return ()

    @property
    def module_kept_var_idx(self) -> tuple[int, ...]:
        """Which arguments the program takes: all."""
        return tuple(range(len(self.in_avals)))

    @property
    def uses_global_constants(self) -> bool:
        """False: constants are part of the program."""
        return False

    @property
    def program_text(self) -> str:
        """The program as text, for the first platform."""
        return self._program(self.platforms[0], lambda mesh: mesh).text

    def mlir_module(self) -> str:
        """The program of the first platform as a StableHLO module; where it is split, that of one device.

        Any compiler of StableHLO takes it. The arguments of the module's function are the flat arguments.

        Raises:
            NotSupportedError: Where the dialect cannot say the program, or nothing installed writes it.
            ExportedCallError: Where it is split over more devices than there are.

        Example:
            >>> import olympus, olympus.numpy as jnp
            >>> from olympus import export
            >>> text = export.export(olympus.jit(jnp.sin))(jnp.zeros(3)).mlir_module()
            >>> "stablehlo.sine" in text
            True
        """
        mesh = self._mesh(())
        shardings = [None] * len(self.in_avals) if mesh is None else self.in_shardings_jax(mesh)
        given = [ShapeDtypeStruct(a.shape, a.dtype, sharding=s, weak_type=a.weak)
                 for a, s in zip(self.in_avals, shardings, strict=True)]
        text: str = self._function(self.platforms[0], mesh).lower(*given).as_text("stablehlo")
        return text

    @property
    def mlir_module_serialized(self) -> bytes:
        r"""The module of `mlir_module` as a portable artefact of StableHLO: MLIR's bytecode of the dialect VHLO.

        Its operations are in their oldest form, mostly that of StableHLO 1.0, so that older compilers take them, too.
        Functions that StableHLO lacks, such as erf, are composites: a name, and a function of the module.

        Raises:
            NotSupportedError: As `mlir_module` does.
            ExportedCallError: As `mlir_module` does.

        Example:
            >>> import olympus, olympus.numpy as jnp
            >>> from olympus import export
            >>> export.export(olympus.jit(jnp.sin))(jnp.zeros(3)).mlir_module_serialized[:21]
            b'ML\xefR\rStableHLO_v1.0.0'
        """
        from .stablehlo.writing import portable_artefact  # only where one is asked for

        return portable_artefact(self.mlir_module())

    def has_vjp(self) -> bool:
        """Whether the derivative in reverse mode is known."""
        return self._vjp is not None

    def vjp(self) -> Exported:
        """The derivative in reverse mode, exported: of flat arguments, and of cotangents of the flat results.

        Returns:
            A function of the flat arguments and the cotangents of the flat results, those of integers left out, that
            gives, in a tuple, the cotangents of the flat arguments, those of integers left out.

        Raises:
            ExportedCallError: When it was not serialized with the function (`vjp_order`).
        """
        if self._vjp is None:
            raise ExportedCallError(self.fun_name, "a derivative", "an artefact without it", "vjp_order of 1 or more",
                                    "Serialize it with exported.serialize(vjp_order=1).")
        return self._vjp()

    def in_shardings_jax(self, mesh: Mesh) -> tuple[NamedSharding | None, ...]:
        """The flat arguments' shardings over a mesh; None for those that had none.

        Args:
            mesh: The mesh, with the axes that it was exported with.
        """
        return tuple(_over(mesh, s) for s in self._shardings[0])

    def out_shardings_jax(self, mesh: Mesh) -> tuple[NamedSharding | None, ...]:
        """The same for the flat results.

        Args:
            mesh: The mesh.
        """
        return tuple(_over(mesh, s) for s in self._shardings[1])

    @entrance
    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function: alone, or inside of other functions that are traced.

        Args:
            *args: Arguments of the structure and types that it was exported for.
            **kwargs: Likewise.

        Raises:
            ExportedCallError: When they do not fit, or there are too few devices, or another platform.
        """
        leaves, structure = tree.flatten((args, kwargs))
        if structure != self.in_tree:
            raise ExportedCallError(self.fun_name, "arguments of another structure", str(structure), str(self.in_tree))
        avals = [aval_of(leaf) for leaf in leaves]
        if self._scope is not None:
            return self._specialised(values_of(self.fun_name, self._scope, self.in_avals, avals)).call(*args, **kwargs)
        for i, (own, aval) in enumerate(zip(avals, self.in_avals, strict=True)):
            if own.shape != aval.shape or own.dtype != aval.dtype and not own.weak:
                raise ExportedCallError(self.fun_name, f"a flat argument {i} of another type", repr(own), repr(aval))
        results = self._function(self._platform(), self._mesh(leaves))(*leaves)
        # Rules of derivatives give results that are not weak.
        return tree.unflatten(self.out_tree, [
            convert(x, aval.dtype, aval.weak) for x, aval in zip(results, self.out_avals, strict=True)])

    def serialize(self, vjp_order: int = 0) -> bytearray:
        """The function as bytes, to be read by `deserialize`: docs/artefacts.md has the format.

        Args:
            vjp_order: How many orders of its derivative in reverse mode come with it.

        Returns:
            The bytes.

        Raises:
            ExportedCallError: When an order is asked for that is not known.
        """
        encoder = Encoder(self.fun_name)
        data = self._data(encoder, vjp_order)
        return bytearray(to_bytes(data, encoder.arrays, lambda a: encoder.type(ArrayType(a.shape, a.dtype))))

    def _data(self, encoder: Encoder, vjp_order: int) -> dict[str, Any]:
        programs: dict[str, tuple[str, Any]] = {}
        for platform in self._programs:
            program = self._program(platform, lambda mesh: mesh)
            same = next((name for name, (known, _) in programs.items() if known == program.fingerprint), None)
            programs[platform] = (program.fingerprint, same if same is not None else encoder.program(program))
        return {
            "name": self.fun_name, "platforms": list(self.platforms), "devices": self.nr_devices,
            "checks": [check.name for check in self.disabled_safety_checks],
            "in": [encoded(self.in_tree, encoder, self.fun_name), [_aval(encoder, a) for a in self.in_avals]],
            "out": [encoded(self.out_tree, encoder, self.fun_name), [_aval(encoder, a) for a in self.out_avals]],
            "shardings": [[None if s is None else [list(map(list, s[0])), list(map(list, s[1]))] for s in part]
                          for part in self._shardings],
            "programs": {platform: data for platform, (_, data) in programs.items()},
            "vjp": self.vjp()._data(encoder, vjp_order - 1) if vjp_order > 0 else None,
            **({} if self._scope is None else {"scope": self._scope.constraints}),
        }

    def _program(self, platform: str, mesh: Callable[[AbstractMesh], Mesh | AbstractMesh]) -> Program:
        data = self._programs[platform]
        if isinstance(data, str):
            data = self._programs[data]
        return data if isinstance(data, Program) else Decoder(self._arrays, mesh, self._size_of).program(data)

    def _size_of(self, text: str) -> Any:
        """The size that a text stands for."""
        if self._scope is None:
            raise SymbolicShapeError("there are no symbolic dimensions", repr(text))
        return parsed(text, self._scope)

    def _specialised(self, values: Mapping[str, int]) -> Exported:
        """The function for certain values of its dimensions."""
        key = tuple(values.items())
        found: Exported | None = self._calls.get(key)
        if found is not None:
            return found
        programs: dict[str, Any] = {}
        for platform, data in self._programs.items():
            if isinstance(data, str):
                programs[platform] = data
                continue
            encoder = Encoder(self.fun_name)
            stored, arrays = (encoder.program(data), encoder.arrays) if isinstance(data, Program) else (
                data, self._arrays)
            programs[platform] = Decoder(
                arrays, lambda mesh: mesh, lambda text: evaluate(self._size_of(text), values)).program(stored)

        def fixed(avals: Sequence[Aval]) -> tuple[Aval, ...]:
            return tuple(Aval(ArrayType([evaluate(n, values) for n in a.shape], a.dtype), a.weak) for a in avals)

        derivative = None if self._vjp is None else lambda: self.vjp()._specialised(values)
        made = replace(self, in_avals=fixed(self.in_avals), out_avals=fixed(self.out_avals), _programs=programs,
                       _arrays=(), _vjp=derivative, _scope=None, _calls={})
        if len(self._calls) >= _MOST_KEPT:
            self._calls.pop(next(iter(self._calls)))
        self._calls[key] = made
        return made

    def _platform(self) -> str:
        current = get_world().default_platform
        if current in self.platforms:
            return current
        if DisabledSafetyCheck.platform() not in self.disabled_safety_checks:
            raise ExportedCallError(
                self.fun_name, "a platform that it was not exported for", current, ", ".join(self.platforms),
                "Export it with platforms=[...], or disabled_checks=[olympus.export.DisabledSafetyCheck.platform()].")
        return self.platforms[0]

    def _mesh(self, leaves: Sequence[Any]) -> Mesh | None:
        """The mesh over which the program is split: the arguments', the current one, or one of the first devices."""
        if self.nr_devices == 1:
            return None
        shape = next((s[0] for part in self._shardings for s in part if s is not None), (("devices", self.nr_devices),))
        candidates = [leaf.sharding.mesh for leaf in leaves if is_concrete(leaf) and isinstance(
            leaf.sharding, NamedSharding)]
        for mesh in (*candidates, current_mesh()):
            if isinstance(mesh, Mesh) and mesh.size == self.nr_devices:
                return mesh
        present = devices()
        if len(present) < self.nr_devices:
            raise ExportedCallError(self.fun_name, "fewer devices than it is split over", f"{len(present)} devices",
                                    f"{self.nr_devices} devices",
                                    "Run it on as many, or export it for one device (without shardings).")
        grid = np.array(present[:self.nr_devices], object).reshape([size for _, size in shape])
        return Mesh(grid, [name for name, _ in shape])

    def _function(self, platform: str, mesh: Mesh | None) -> Jitted[..., Any]:
        found: Jitted[..., Any] | None = self._calls.get((platform, mesh))
        if found is not None:
            return found

        def over(abstract: AbstractMesh) -> Mesh | AbstractMesh:
            if mesh is None or mesh.shape_tuple == abstract.shape_tuple and mesh.axis_types == abstract.axis_types:
                return mesh or abstract
            return Mesh(mesh.devices.reshape(abstract.axis_sizes), abstract.axis_names, abstract.axis_types)

        program = self._bound(platform, None if mesh is None else over)
        shardings = [None] * len(self.in_avals) if mesh is None else self.in_shardings_jax(mesh)
        wanted = [None] * len(self.out_avals) if mesh is None else self.out_shardings_jax(mesh)
        kinds = [(aval.dtype, aval.weak) for aval in self.out_avals]

        def flat(*leaves: Any) -> list[Any]:
            given = [convert(x, aval.dtype, aval.weak) for x, aval in zip(leaves, self.in_avals, strict=True)]
            given = [x if s is None else placed_in(x, s) for x, s in zip(given, shardings, strict=True)]
            results = bind_all(call, given, {}, (program,), False)
            found = [convert(x, dtype, weak) for x, (dtype, weak) in zip(results, kinds, strict=True)]
            return [x if s is None else placed_in(x, s) for x, s in zip(found, wanted, strict=True)]

        flat.__name__ = self.fun_name
        function = custom_vjp(flat)
        of_arguments = [i for i, aval in enumerate(self.in_avals) if has_tangent(aval)]
        of_results = [i for i, aval in enumerate(self.out_avals) if has_tangent(aval)]

        def forward(*leaves: Any) -> tuple[Any, Any]:
            self.vjp()  # refuses where it is not known
            return function(*leaves), leaves

        def backward(leaves: Any, cotangents: Any) -> tuple[Any, ...]:
            found = self.vjp().call(*leaves, *(cotangents[i] for i in of_results))
            parts = dict(zip(of_arguments, found, strict=True))
            return tuple(parts.get(i) for i in range(len(self.in_avals)))

        function.defvjp(forward, backward)
        self._calls[platform, mesh] = made = Jitted(function)
        return made

    def _bound(self, platform: str, mesh: Callable[[AbstractMesh], Mesh | AbstractMesh] | None) -> Program:
        """The program with real meshes for those that it names; as it is for None."""
        data = self._programs[platform if platform in self._programs else next(iter(self._programs))]
        if isinstance(data, str):
            data = self._programs[data]
        if not isinstance(data, Program):
            return Decoder(self._arrays, mesh or (lambda abstract: abstract)).program(data)
        if mesh is None:
            return data
        encoder = Encoder(self.fun_name)
        stored = encoder.program(data)
        if not encoder.meshes:
            return data
        return Decoder(encoder.arrays, mesh).program(stored)


def _aval(encoder: Encoder, aval: Aval) -> list[Any]:
    return [encoder.type(aval.type), aval.weak]


def _over(mesh: Mesh, sharding: Sharding | None) -> NamedSharding | None:
    return None if sharding is None else NamedSharding(mesh, Spec(*(axes or None for axes in sharding[1])))
