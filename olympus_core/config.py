# SPDX-License-Identifier: Apache-2.0
"""Configuration: one table of options; every value is checked and remembers where it came from.

A value is taken from the first of these that has one: an argument of the call, a context manager
(`Config.override`), `Config.update`, the command line (``--olympus_platforms=cpu``), the environment
(``OLYMPUS_PLATFORMS=cpu``), the default.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors.config import ConfigFrozenError, OptionScopeError, OptionValueError, UnknownOptionError
from .location import user_location
from .option_kinds import (
    BOOL,
    BYTES,
    COLLECTION,
    COUNT,
    DEVICE,
    DURATION,
    FILE,
    GENERATOR,
    GUARD,
    IDS,
    INTEGER,
    LEAST_BYTES,
    NAME,
    NAMES,
    NETWORKS,
    PATH,
    PORTS,
    PRECISION,
    SECONDS,
    SIGNAL,
    THREADS,
    Kind,
    one_of,
    only,
)

_PREFIX = "olympus_"


class Option(NamedTuple):
    """One row of the table.

    Args:
        name: The public name; the environment variable is the same in capitals.
        kind: The type of its values.
        default: The value when nothing else is given.
        sentence: What it does.
        scoped: `Config.override` can change it for a block, in one thread.
        keyed: It is part of the key of traced and compiled programs, which depend on it.
        listener: The module and function that are told its value when it changes, as ``module:function``; it is loaded
            by then.
    """

    name: str
    kind: Kind
    default: Any
    sentence: str
    scoped: bool = False
    keyed: bool = False
    listener: str = ""

    @property
    def variable(self) -> str:
        """The environment variable."""
        return self.name.upper()

    @property
    def attribute(self) -> str:
        """The attribute of `Config`: the name without its prefix."""
        return self.name[len(_PREFIX):]


OPTIONS: tuple[Option, ...] = (
    Option("olympus_platforms", NAMES, None, "The platforms to use, the default one first."),
    Option("olympus_plugin_timeout", SECONDS, 30.0, "How long a plugin of another distribution may take to answer."),
    Option("olympus_local_plugins", BOOL, False, "Whether plugins are loaded that lie beside the script."),
    Option("olympus_num_cpu_devices", COUNT, None, "Number of CPU devices of this process."),
    Option("olympus_num_cuda_devices", COUNT, None, "Number of CUDA devices of this process; several may share a GPU."),
    Option("olympus_num_pjrt_devices", COUNT, None, "Number of devices of platform pjrt; None for its library's."),
    Option("olympus_local_device_ids", IDS, None, "Which of the machine's devices are this process's; None for all."),
    Option("olympus_enable_x64", BOOL, False,
           "Whether 64-bit types such as float64 and int64 are kept instead of narrowed to 32 bits.", True, True),
    Option("olympus_default_device", DEVICE, None, "Where arrays go that are not committed to a device.", True, True),
    Option("olympus_default_prng_impl", GENERATOR, "threefry2x32",
           "The generator of keys of random numbers that name none.", True, True),
    Option("olympus_disable_jit", BOOL, False,
           "Whether jitted functions and control flow run step by step, as Python has them.", True, True),
    Option("olympus_debug_nans", BOOL, False,
           "Whether a call whose results hold NaN is an error that names the operation and its line.", True, True),
    Option("olympus_debug_infs", BOOL, False, "The same for infinity.", True, True),
    Option("olympus_check_tracer_leaks", BOOL, False,
           "Whether a traced value that is still referred to when its trace ends is an error.", True, True),
    Option("olympus_numpy_dtype_promotion", one_of("", "standard", "strict"), "standard",
           "Whether arrays of different element types get a common one, or meet in an error.", True, True),
    Option("olympus_numpy_rank_promotion", one_of("", "allow", "warn", "raise"), "allow",
           "Whether arrays with different numbers of dimensions are broadcast silently.", True, True),
    Option("olympus_check_static_indices", BOOL, True,
           "Whether a Python integer outside of an array is an error; else it is the nearest index.", True, True),
    Option("olympus_default_matmul_precision", PRECISION, None,
           "How products of arrays are computed that name no precision; None for the most exact way.", True, True),
    Option("olympus_enable_custom_prng", BOOL, False,
           "Whether random.PRNGKey gives keys with an element type of their own, as random.key does.", True, True),
    Option("olympus_debug_key_reuse", BOOL, False,
           "Whether it is an error to use a key of random numbers twice.", True, True),
    Option("olympus_transfer_guard", GUARD, None, "Whether values may go between host and devices, and between "
           "devices: \"log\" and \"disallow\" are about transfers that nobody asked for, the levels named explicit "
           "about device_put and device_get, too.", True, True),
    Option("olympus_transfer_guard_host_to_device", GUARD, None,
           "The same for values that go from the host to devices; None: as olympus_transfer_guard says.", True, True),
    Option("olympus_transfer_guard_device_to_device", GUARD, None, "The same for arrays between devices.", True),
    Option("olympus_transfer_guard_device_to_host", GUARD, None,
           "The same for arrays that the host reads, where their memory is not the host's.", True),
    Option("olympus_array_garbage_collection_guard", COLLECTION, None,
           "Whether it is told, or ends the process, that Python's garbage collector had to find an array.", True,
           listener="olympus_core.runtime.guards:guard_collection"),
    Option("olympus_thread_guard", BOOL, False,
           "Whether work over several processes may come from one thread only, that which set the option.", True,
           listener="olympus_core.runtime.guards:guard_thread"),
    Option("olympus_log_compiles", BOOL, False, "Whether each tracing and compiling is logged, with its time.", True),
    Option("olympus_progress", BOOL, True,
           "Whether a first call that takes over two seconds says on a terminal what it does.", True),
    Option("olympus_memory_check", BOOL, True,
           "Whether an execution that needs more memory than there is fails where it is called.", True),
    Option("olympus_explain_cache_misses", BOOL, False,
           "Whether it is logged why a jitted function is traced or compiled again.", True),
    Option("olympus_no_tracing", BOOL, False, "Whether tracing a function is an error: all calls must be known.", True),
    Option("olympus_threefry_partitionable", BOOL, True, "Whether every random number of a key is counted by its "
           "place, so that a device makes its own; else they are JAX's of before 0.5, made in one sequence.",
           True, True),
    Option("olympus_random_seed_offset", INTEGER, 0, "What is added to every seed of a key of random numbers.", True,
           True),
    Option("olympus_high_dynamic_range_gumbel", BOOL, False,
           "Whether Gumbel numbers, and draws from categories, that name no mode are of mode \"high\".", True, True),
    Option("olympus_softmax_custom_jvp", BOOL, False,
           "Accepted for compatibility: the derivative of softmax has one form.", True),
    Option("olympus_allow_f16_reductions", only(True), True,
           "Whether sums of 16-bit floats may be asked for in their own type: here they may.", True),
    Option("olympus_legacy_prng_key", one_of("", "allow", "warn", "error"), "allow",
           "Whether keys of random numbers may be arrays of integers where numbers are drawn from them.", True),
    Option("olympus_enable_checks", BOOL, False,
           "Accepted for compatibility: programs are always verified before they are compiled.", True),
    Option("olympus_auto_pcast", only(True), True,
           "Whether values in manual regions are made varying where others are: here they always are.", True),
    Option("olympus_cpu_transport", NAME, None, "Name of the transport between the CPU devices of processes."),
    Option("olympus_num_threads", THREADS, None, "Threads that compute; None for the processors this process may use."),
    Option("olympus_reproducible", BOOL, False, "Whether results have the same bits on every machine, at some cost."),
    Option("olympus_enable_compilation_cache", BOOL, True, "Whether compiled code is kept on disk."),
    Option("olympus_compilation_cache_dir", PATH, None, "Where compiled code is kept; None for the user's cache."),
    Option("olympus_persistent_cache_min_entry_size_bytes", LEAST_BYTES, 0,
           "Compiled code that is smaller is not kept on disk."),
    Option("olympus_persistent_cache_min_compile_time_secs", DURATION, 0.0,
           "What was compiled in less time is not kept on disk."),
    Option("olympus_compiled_cache_bytes", BYTES, 512 << 20,
           "Memory for traced and compiled programs; beyond it those that were not used for longest are forgotten."),
    Option("olympus_cache_key_file", FILE, None, "The file whose key signs compiled code; None for the user's."),
    Option("olympus_dump_to", PATH, None, "A folder for programs (after passes too), kernels and code; None: no dump."),
    Option("olympus_launch_output_bytes", BYTES, 64 << 20,
           "Output of a job that waits for its reader; beyond it olympus launch drops the oldest lines, and says so."),
    Option("olympus_heartbeat_timeout", SECONDS, 60.0,
           "How long nothing of a process, not even its kernel's acknowledgement, may come before it counts as lost."),
    Option("olympus_stopped_timeout", SECONDS, 300.0, "How long a process may be stopped by a signal."),
    Option("olympus_late_timeout", SECONDS, 1800.0, "How long to wait for a process that lives, or for a GPU."),
    Option("olympus_deadlock_timeout", SECONDS, 7.0, "How long processes that wait for each other wait."),
    Option("olympus_transport_timeout", SECONDS, 60.0, "How long a transport (MPI) may take to start."),
    Option("olympus_connect_timeout", SECONDS, 6.0,
           "How long a process may take to answer that another connects with for the first time."),
    Option("olympus_redial_timeout", SECONDS, 4.0, "Silence after which a process makes its connection anew."),
    Option("olympus_reconnect_timeout", SECONDS, 40.0, "How long a broken connection may take to be made anew."),
    Option("olympus_shutdown_timeout", SECONDS, 300.0, "How long shutdown() waits for the other processes."),
    Option("olympus_linger_timeout", SECONDS, 86400.0,
           "How long process 0, its program ended, serves processes that still work."),
    Option("olympus_checkpoint_folder_timeout", SECONDS, 10.0,
           "How long what process 0 writes into a checkpoint's folder may take to be seen by the other processes."),
    Option("olympus_flight_recorder", BOOL, True, "Whether the last launches are written when a job fails."),
    Option("olympus_flight_recorder_dir", PATH, None, "Where they are written; None for the user's state folder."),
    Option("olympus_cluster_detection_method", NAME, None, "The launcher that says who is who; none for alone."),
    Option("olympus_ports", PORTS, None, "Ports that processes may listen at, one each; None for any that is free."),
    Option("olympus_network", NETWORKS, None, "The network between the machines; None for the one to process 0."),
    Option("olympus_preemption_signal", SIGNAL, "SIGTERM",
           "The signal that distributed.preempted() tells of, instead of the end of the process; None for none."),
    Option("olympus_secret_file", FILE, None, "A file with the secret of the job's members; None for the user's own."),
    Option("olympus_tls_cert", FILE, None, "This process's certificate: TLS between processes and coordinator."),
    Option("olympus_tls_key", FILE, None, "The private key of that certificate."),
    Option("olympus_tls_ca", FILE, None, "The authority that all members' certificates are signed by."),
    Option("olympus_check_divergence", BOOL, True, "Whether launches are compared between processes."),
    Option("olympus_as_jax", BOOL, False, "Whether import jax gives olympus's modules, for programs written for JAX."),
    Option("olympus_traceback_filtering", BOOL, True, "Whether tracebacks leave out the frames of olympus itself."),
)

_BY_NAME = {option.name: option for option in OPTIONS}
_BY_ATTRIBUTE = {option.attribute: option for option in OPTIONS}
_SCOPED = tuple(option for option in OPTIONS if option.scoped)
_KEYED = tuple(option for option in OPTIONS if option.keyed)


class Setting(NamedTuple):
    """A value and where it came from."""

    value: Any
    source: str


class _OnDemand:
    """An attribute that is computed when first read and then lies in the instance, where reading it is fast.

    `__getattr__` would do the same and make every property of the class slower.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else instance._compute(self._name)


class _Scope:
    """The scoped options inside of one `override` block, or of the whole process; slots are filled on demand."""

    __slots__ = ("__weakref__", "own", "parent", "version", *(option.attribute for option in _SCOPED))
    version: int

    def __init__(self, parent: _Scope | None, own: Mapping[str, Setting]) -> None:
        self.parent, self.own = parent, own

    def find(self, name: str) -> Setting | None:
        """What this block or one around it says of an option."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.own:
                return scope.own[name]
            scope = scope.parent
        return None

    def forget(self) -> None:
        """Empties the slots that are filled on demand."""
        for slot in ("version", *(option.attribute for option in _SCOPED)):
            if hasattr(self, slot):
                delattr(self, slot)


class Config:
    """The options of this process; an option is read as an attribute without its prefix: ``config.enable_x64``.

    Nothing is read from the environment or the command line before a value is asked for.

    Args:
        environ: The environment.
        arguments: The command line without the program's name; None for the process's own.

    Attributes:
        environment: The environment variables, for the detection of clusters and for doctor.

    Example:
        >>> settings = Config(environ={"OLYMPUS_PLATFORMS": "cuda,cpu"}, arguments=[])
        >>> settings.platforms
        ('cuda', 'cpu')
        >>> settings.source("olympus_platforms")
        'environment variable OLYMPUS_PLATFORMS'
    """

    def __init__(self, environ: Mapping[str, str] | None = None, arguments: Sequence[str] | None = None) -> None:
        self.environment: Mapping[str, str] = os.environ if environ is None else environ
        self._arguments = arguments
        self._lock = threading.RLock()
        self._updates: dict[str, Setting] = {}
        self._fixed: dict[str, tuple[Setting, str]] = {}
        self._versions: dict[tuple[Any, ...], int] = {}
        self._root = _Scope(None, {})
        self._scopes: weakref.WeakSet[_Scope] = weakref.WeakSet([self._root])
        self._scope: ContextVar[_Scope] = ContextVar("olympus_config_scope", default=self._root)

    @property
    def version(self) -> int:
        """Stands for the values of all options that traced programs depend on; equal when they are."""
        return self.current_version()

    def current_version(self) -> int:
        """The same, as a function."""
        try:
            return self._scope.get().version
        except AttributeError:
            return int(self._fill("version"))

    def difference(self, one: int, other: int) -> list[tuple[str, Any, Any]]:
        """The options that two versions differ in, with their values."""
        values = {version: key for key, version in self._versions.items()}
        return [(option.name, a, b) for option, a, b in zip(_KEYED, values[one], values[other], strict=True) if a != b]

    def _fill(self, attribute: str) -> Any:
        """Fills the slots of the current scope and gives one of them."""
        scope = self._scope.get()
        with self._lock:
            known = self._root if hasattr(self._root, "version") else None  # a block changes few of them
            values = {option.attribute: setting.value if (setting := scope.find(option.name)) else getattr(
                known, option.attribute) if known else self._resolve(option).value for option in _SCOPED}
            # Equal settings have equal versions, so what was compiled under them is found again.
            key = tuple(values[option.attribute] for option in _KEYED)
            values["version"] = self._versions.setdefault(key, len(self._versions))
            for slot, value in values.items():
                setattr(scope, slot, value)
        if scope is self._root:
            self._say(*(o.name for o in _SCOPED if o.listener and values[o.attribute] != o.default))
        return values[attribute]

    if TYPE_CHECKING:

        def __getattr__(self, attribute: str) -> Any:
            """The options are made from the table, below the class."""

    def _compute(self, attribute: str) -> Any:
        with self._lock:
            value = self.__dict__[attribute] = self._resolve(_BY_ATTRIBUTE[attribute]).value
            return value

    def update(self, name: str, value: Any) -> None:
        """Sets an option for the whole process.

        Args:
            name: The option's name, such as ``"olympus_platforms"``.
            value: Its new value.

        Raises:
            UnknownOptionError: No option has that name.
            OptionValueError: The option does not take that value.
            ConfigFrozenError: The option has taken effect already and has another value.
        """
        option = find_option(name)
        source = f"config.update at {user_location()}"
        value = _read(option, value, source)
        with self._lock:
            if name in self._fixed:
                (fixed, fixed_source), by = self._fixed[name]
                if value != fixed:
                    raise ConfigFrozenError(name, value, source, fixed, fixed_source, by)
                return
            self._updates[name] = Setting(value, source)
            self._forget(option)
        self._say(name)

    def _say(self, *names: str) -> None:
        """Lets those know an option's value who have to act when it changes, in the thread that changes it."""
        for name in names:
            if listener := find_option(name).listener:
                module, _, function = listener.partition(":")
                getattr(import_module(module), function)(self.get(name))

    def override(self, name: str, value: Any) -> Any:
        """A context manager that gives an option another value in this thread, for a block.

        Args:
            name: The name of an option that is scoped.
            value: Its value in the block.

        Returns:
            The context manager, which is a decorator, too.

        Raises:
            OptionScopeError: The option has one value for the whole process.
        """
        return self.override_all({name: value})

    def override_all(self, values: Mapping[str, Any]) -> Any:
        """The same for several options.

        Args:
            values: Their values in the block, by their names.

        Returns:
            The context manager, which is a decorator, too.

        Raises:
            OptionScopeError: One of them has one value for the whole process.
        """
        own: dict[str, Setting] = {}
        source = f"context manager at {user_location()}"
        for name, value in values.items():
            option = find_option(name)
            if not option.scoped:
                raise OptionScopeError(name, tuple(o.name for o in _SCOPED))
            own[name] = Setting(_read(option, value, source), source)
        return self._block(own)

    @contextmanager
    def _block(self, own: Mapping[str, Setting]) -> Iterator[None]:
        scope = _Scope(self._scope.get(), own)
        with self._lock:
            self._scopes.add(scope)
        token = self._scope.set(scope)
        try:
            self._say(*own)
            yield
        finally:
            self._scope.reset(token)
            self._say(*own)

    def resolve(self, name: str, argument: Any = None) -> Any:
        """The value for one call: its argument, if that is not None, or the option's.

        Raises:
            OptionValueError: The option does not take that value.
        """
        option = find_option(name)
        return getattr(self, option.attribute) if argument is None else _read(option, argument, "argument of the call")

    def get(self, name: str) -> Any:
        """The value of an option by its whole name."""
        return getattr(self, find_option(name).attribute)

    def source(self, name: str) -> str:
        """Where an option's value came from, such as ``environment variable OLYMPUS_PLATFORMS``."""
        option = find_option(name)
        with self._lock:
            return (self._scope.get().find(option.name) or self._resolve(option)).source

    def freeze(self, names: Iterable[str], by: str) -> None:
        """Fixes options that have taken effect: a later change raises.

        Args:
            names: The options.
            by: What fixed them, a noun with its line, such as ``the devices, which were opened by toy.py:7``.
        """
        with self._lock:
            for name in names:
                option = find_option(name)
                self._fixed.setdefault(name, (self._resolve(option), by))
                self._forget(option)

    def unfreeze(self, names: Iterable[str] | None = None) -> None:
        """Lets options (all when None) change again, for when what they took effect on is closed."""
        with self._lock:
            for name in tuple(self._fixed) if names is None else names:
                self._fixed.pop(name, None)
                self._forget(find_option(name))

    def use_environment(self, environment: Mapping[str, str]) -> None:
        """Reads variables from another mapping from now on; what has taken effect stays.

        Args:
            environment: The variables.
        """
        with self._lock:
            self.environment = environment
            for option in OPTIONS:
                self._forget(option)

    def frozen_by(self, name: str) -> str | None:
        """What fixed an option, or None."""
        entry = self._fixed.get(find_option(name).name)
        return entry[1] if entry else None

    def misspelled(self) -> list[tuple[str, str]]:
        """Environment variables that are almost an option's, each with the one that may be meant."""
        known = {option.variable for option in OPTIONS}
        pairs = []
        for variable in self.environment:
            if variable.upper().startswith("OLYMPUS") and variable not in known:
                import difflib  # slow to import, and seldom needed

                near = difflib.get_close_matches(variable.upper(), known, 1, 0.9)
                pairs += [(variable, near[0])] if near else []
        return pairs

    def compilation_cache_folder(self) -> str | None:
        """Where compiled code is kept; None when it is not kept."""
        if not self.enable_compilation_cache:
            return None
        if self.compilation_cache_dir is not None:
            return str(self.compilation_cache_dir)
        base = self.environment.get("XDG_CACHE_HOME") or os.path.expanduser(os.path.join("~", ".cache"))
        # Who has no home has no cache either, and what is relative would be another folder in each.
        return os.path.join(base, "olympus") if os.path.isabs(base) else None

    def flight_record_folder(self) -> tuple[str | None, bool]:
        """Where the last launches of failed jobs are written, None for nowhere; and whether that is the default."""
        if not self.flight_recorder:
            return None, False
        if self.flight_recorder_dir is not None:
            return str(self.flight_recorder_dir), False
        base = self._state_folder()
        return (None if base is None else os.path.join(base, "flights")), True

    def _state_folder(self) -> str | None:
        """Where what is the user's own and outlives a program is kept; None where the user has no home."""
        base = self.environment.get("XDG_STATE_HOME") or os.path.expanduser(os.path.join("~", ".local", "state"))
        return os.path.join(base, "olympus") if os.path.isabs(base) else None

    def cache_key(self) -> str | None:
        """The file with the key that signs compiled code; None where there is no place for one."""
        if self.cache_key_file is not None:
            return str(self.cache_key_file)
        base = self._state_folder()
        return None if base is None else os.path.join(base, "cache.key")

    def python_path(self) -> list[str]:
        """The folders that PYTHONPATH names wherever the program runs: an empty or relative one is no such folder."""
        return [p for p in self.environment.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(p)]

    def proxies(self) -> dict[str, str]:
        """The proxy variables of the environment; olympus never uses them between processes."""
        return {name: text for name, text in self.environment.items() if name.lower().endswith("_proxy") and text}

    def _resolve(self, option: Option) -> Setting:
        """An option's value for the whole process, by the order of precedence."""
        if option.name in self._fixed:
            return self._fixed[option.name][0]
        if option.name in self._updates:
            return self._updates[option.name]
        for text, source in (
            (self._flag(option), f"command line flag --{option.name}"),
            (self.environment.get(option.variable), f"environment variable {option.variable}"),
        ):
            # An empty variable is how a shell script says "not set".
            if text:
                return Setting(_read(option, text, source), source)
        return Setting(option.default, "default")

    def _flag(self, option: Option) -> str | None:
        """The text of a flag: ``--name=text``, ``--name text``; ``--name`` or ``--noname`` for a bool."""
        arguments = getattr(sys, "argv", [])[1:] if self._arguments is None else self._arguments
        found = None
        for position, argument in enumerate(arguments):
            if argument == "--":
                break
            if not argument.startswith("-"):
                continue
            flag, equals, text = argument.lstrip("-").partition("=")
            if option.kind is BOOL and not equals and flag in (option.name, f"no{option.name}"):
                found = "true" if flag == option.name else "false"
            elif flag == option.name:
                found = text if equals else "".join(arguments[position + 1:position + 2])
        return found

    def _forget(self, option: Option) -> None:
        self.__dict__.pop(option.attribute, None)
        if option.scoped:
            for scope in list(self._scopes):
                scope.forget()


def _scoped_value(attribute: str) -> property:
    """The property of a scoped option: it lies in the slot of the current scope once it was read there."""
    def read(self: Config) -> Any:
        try:
            return getattr(self._scope.get(), attribute)
        except AttributeError:
            return self._fill(attribute)

    return property(read)


for _option in OPTIONS:
    setattr(Config, _option.attribute, (_scoped_value if _option.scoped else _OnDemand)(_option.attribute))


def find_option(name: str) -> Option:
    """The option of a name; raises `UnknownOptionError` with the nearest one."""
    option = _BY_NAME.get(name)
    if option is None:
        raise UnknownOptionError(str(name), tuple(_BY_NAME), _near(str(name).lower()))
    return option


def _near(text: str) -> tuple[str, ...]:
    """The options that a name of none may mean, at most three: by its spelling, or by its words."""
    bare = {name.removeprefix(_PREFIX): name for name in _BY_NAME}
    # Also what has no prefix, or one of another library; the prefix is no likeness.
    tried = [text.removeprefix(_PREFIX), text.partition("_")[2]]
    import difflib  # as above

    spelled = {found: difflib.SequenceMatcher(None, found, one).ratio()
               for one in tried for found in difflib.get_close_matches(one, bare, 1, 0.75)}
    if spelled:
        return tuple(bare[name] for name in sorted(spelled, key=lambda name: -spelled[name]))
    words = {word for word in re.split(r"[^a-z0-9]+", tried[0]) if len(word) > 2}
    scores = {
        option.name: sum(2 * (word in option.name) + (word in option.sentence.lower()) for word in words)
        for option in OPTIONS
    }
    best = max(scores.values())
    return tuple(name for name, score in scores.items() if score == best)[:3] if best else ()


def _read(option: Option, value: Any, source: str) -> Any:
    try:
        return option.kind.read(value)
    except (TypeError, ValueError):
        raise OptionValueError(option.name, value, option.kind.expected, source) from None


config = Config()
current_version = config.current_version
