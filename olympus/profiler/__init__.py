# SPDX-License-Identifier: Apache-2.0
"""Where time goes: one trace file for each process, in the format that Perfetto, Chrome and TensorBoard read.

Recorded are the spans that a program names, what is traced, split and compiled, every execution from its call to its
result's being there, and the counters of `olympus.monitoring`. Where nothing is recorded, nothing costs anything: what
is executed is wrapped only while a profile runs.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from olympus_core.deferred import listed
from olympus_core.errors import NotSupportedError, ProfilerError

from ..tracing.wrapping import wraps

if TYPE_CHECKING:
    from .profile import Profile
    from .recorder import TraceRecorder

P = ParamSpec("P")
R = TypeVar("R")

__all__ = [
    "ProfileOptions", "StepTraceAnnotation", "TraceAnnotation", "annotate_function", "device_memory_profile",
    "save_device_memory_profile", "start_server", "start_trace", "stop_server", "stop_trace", "trace",
]
__dir__ = listed(__all__)

_lock = threading.Lock()
_recording: TraceRecorder | None = None
_is_twofold = False  # whether it is to be written under Perfetto's usual name, too


@dataclasses.dataclass
class ProfileOptions:
    """What other profilers are told to record. Taken by `start_trace`, and without a meaning: all is recorded.

    Attributes:
        host_tracer_level: How much of the host's work.
        python_tracer_level: Whether calls of Python's functions.
        enable_hlo_proto: Whether programs.
        include_dataset_ops: Whether the work of input pipelines.
        start_timestamp_ns: When to begin, in nanoseconds since 1970; 0 for at once.
        duration_ms: How long; 0 for until `stop_trace`.
        repository_path: Another folder for the file.
        session_id: Another name for the file.
        raise_error_on_start_failure: Whether a profiler that does not start is an error: here it always is.
        advanced_configuration: What single devices are told.

    Example:
        >>> import olympus, tempfile
        >>> options = olympus.profiler.ProfileOptions()
        >>> options.host_tracer_level = 3
        >>> with tempfile.TemporaryDirectory() as folder, olympus.profiler.trace(folder, profiler_options=options):
        ...     y = olympus.jit(lambda x: x + 1)(1.0)
    """

    host_tracer_level: int = 2
    python_tracer_level: int = 1
    enable_hlo_proto: bool = True
    include_dataset_ops: bool = True
    start_timestamp_ns: int = 0
    duration_ms: int = 0
    repository_path: str = ""
    session_id: str = ""
    raise_error_on_start_failure: bool = False
    advanced_configuration: dict[str, Any] = dataclasses.field(default_factory=dict)


def start_trace(
    log_dir: str | os.PathLike[str], create_perfetto_link: bool = False, create_perfetto_trace: bool = False,
    profiler_options: Any = None,
) -> None:
    """Begins to record what this process does.

    Args:
        log_dir: The folder below which `stop_trace` writes
            ``plugins/profile/TIME/HOST.PROCESS.trace.json.gz``, which TensorBoard finds there.
        create_perfetto_link: Must be false: nothing is served.
        create_perfetto_trace: Write ``perfetto_trace.json.gz`` beside it, under the name that Perfetto's users know.
        profiler_options: Taken, and without a meaning: all is recorded.

    Raises:
        ProfilerError: A profile is being recorded already.
        NotSupportedError: For a link.

    Example:
        >>> import olympus, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     olympus.profiler.start_trace(folder)
        ...     with olympus.profiler.TraceAnnotation("doubling"):
        ...         y = olympus.jit(lambda x: x * 2)(1.0).block_until_ready()
        ...     olympus.profiler.stop_trace()
    """
    global _recording, _is_twofold
    from .recorder import TraceRecorder  # with the first profile

    if create_perfetto_link:
        raise NotSupportedError("start_trace(create_perfetto_link=True)", "no file is served to a web page",
                                "Open the file at ui.perfetto.dev yourself; its name ends in .trace.json.gz.")
    with _lock:
        if _recording is not None:
            raise ProfilerError(True, _recording.folder)
        _is_twofold = create_perfetto_trace
        _recording = TraceRecorder(os.fspath(log_dir))


def stop_trace() -> None:
    """Ends the recording and writes it.

    Raises:
        ProfilerError: Nothing is being recorded.
        OSError: The file cannot be written.

    Example:
        >>> import olympus, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     olympus.profiler.start_trace(folder)
        ...     olympus.profiler.stop_trace()
    """
    from . import writing

    folder = _recording.folder if _recording is not None else ""
    profile = _stopped()
    writing.write(profile, writing.run_folder(folder, profile, time.strftime("%Y_%m_%d_%H_%M_%S")), {}, _is_twofold)


def _stopped() -> Profile:
    """Ends the recording and gives it."""
    global _recording
    with _lock:
        recorder, _recording = _recording, None
        if recorder is None:
            raise ProfilerError(False)
        return recorder.stop()


@contextlib.contextmanager
def trace(
    log_dir: str | os.PathLike[str], create_perfetto_link: bool = False, create_perfetto_trace: bool = False,
    profiler_options: Any = None,
) -> Iterator[None]:
    """Records what this process does in a block; the file is written where the block raises, too.

    Args:
        log_dir: As `start_trace` takes it.
        create_perfetto_link: Likewise.
        create_perfetto_trace: Likewise.
        profiler_options: Likewise.

    Raises:
        ProfilerError: A profile is being recorded already.
        NotSupportedError: For a link.

    Example:
        >>> import olympus, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, olympus.profiler.trace(folder):
        ...     y = olympus.jit(lambda x: x + 1)(1.0)
    """
    start_trace(log_dir, create_perfetto_link, create_perfetto_trace, profiler_options)
    try:
        yield
    finally:
        stop_trace()


class TraceAnnotation(contextlib.ContextDecorator):
    """A block that has a name in profiles.

    Args:
        name: The name.
        **kwargs: What else is to be shown.

    Example:
        >>> from olympus import profiler
        >>> with profiler.TraceAnnotation("load", file="a.npy"):
        ...     content = [1, 2]
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self._name, self._about, self._starts = name, kwargs, list[int]()

    def __enter__(self) -> TraceAnnotation:
        self._starts.append(time.perf_counter_ns())
        return self

    def __exit__(self, *error: object) -> None:
        start, recording = self._starts.pop(), _recording
        if recording is not None:
            recording.note("annotation", self._name, start, time.perf_counter_ns(), "", self._about)


class StepTraceAnnotation(TraceAnnotation):
    """A step of a training loop, with its number.

    Args:
        name: What the steps are called.
        **kwargs: ``step_num``, the step's number, and what else is to be shown.

    Example:
        >>> from olympus import profiler
        >>> for step in range(2):
        ...     with profiler.StepTraceAnnotation("train", step_num=step):
        ...         pass
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        number = kwargs.get("step_num")
        super().__init__(name if number is None else f"{name} {number}", **kwargs)


def annotate_function(
    func: Callable[P, R] | None = None, name: str | None = None, **decorator_kwargs: Any
) -> Any:
    """A function whose calls have a name in profiles.

    Args:
        func: The function; left out, what decorates one is given.
        name: The name; the function's own where it is left out.
        **decorator_kwargs: What else is to be shown.

    Returns:
        The function, or the decorator.

    Example:
        >>> from olympus import profiler
        >>> @profiler.annotate_function
        ... def load():
        ...     return 3
        >>> load()
        3
    """
    if func is None:
        return functools.partial(annotate_function, name=name, **decorator_kwargs)
    shown = name or str(getattr(func, "__qualname__", None) or repr(func))

    @wraps(func)
    def annotated(*args: P.args, **kwargs: P.kwargs) -> R:
        with TraceAnnotation(shown, **decorator_kwargs):
            return func(*args, **kwargs)

    return annotated


def device_memory_profile(backend: str | None = None) -> bytes:
    """What this process's arrays hold now, in the format of pprof.

    Lines are known of arrays that were put on devices; while a profile is recorded, of all that are made meanwhile.

    Args:
        backend: A platform's name; all when left out.

    Returns:
        A gzipped protocol buffer.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> x = jnp.ones(3)
        >>> olympus.profiler.device_memory_profile()[:2] == bytes([0x1f, 0x8b])
        True
    """
    from olympus_core.runtime.memory_needs import holders

    from .pprof import memory_profile

    return memory_profile(holders(backend))


def save_device_memory_profile(filename: str | os.PathLike[str], backend: str | None = None) -> None:
    """Writes what this process's arrays hold now into a file that ``pprof`` reads: ``pprof -http=: FILE``.

    Args:
        filename: The file.
        backend: A platform's name; all when left out.

    Raises:
        OSError: The file cannot be written.

    Example:
        >>> import olympus, os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     olympus.profiler.save_device_memory_profile(os.path.join(folder, "memory.prof"))
    """
    with open(filename, "wb") as file:
        file.write(device_memory_profile(backend))


def start_server(port: int) -> Any:
    """Refused: nothing here listens for tools that ask for a profile over the network; a process records its own.

    Args:
        port: The port that such a server would listen at.

    Raises:
        NotSupportedError: Always; it names `trace` and the command that do the work.

    Example:
        >>> import olympus
        >>> olympus.profiler.start_server(9999)
        Traceback (most recent call last):
        olympus_core.errors.base.NotSupportedError: profiler.start_server is not supported: ...
    """
    raise _no_server("start_server")


def stop_server() -> None:
    """Refused, as `start_server` is.

    Raises:
        NotSupportedError: Always.

    Example:
        >>> import olympus
        >>> olympus.profiler.stop_server()
        Traceback (most recent call last):
        olympus_core.errors.base.NotSupportedError: profiler.stop_server is not supported: ...
    """
    raise _no_server("stop_server")


def _no_server(name: str) -> NotSupportedError:
    return NotSupportedError(
        f"profiler.{name}", "no port is opened for tools that collect profiles",
        "Record in the program, with olympus.profiler.trace(folder) around some steps, or run it by "
        "`olympus profile script.py`; TensorBoard and Perfetto read the files.")
