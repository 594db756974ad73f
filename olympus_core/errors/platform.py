# SPDX-License-Identifier: Apache-2.0
"""Errors about platforms and plugins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .base import OlympusError


class PlatformError(OlympusError, RuntimeError):
    """Base of the errors about platforms."""


class ForeignCallError(PlatformError):
    """A foreign function gave an error, or there is none of the name.

    Args:
        target: The name.
        code: The kind of error, as the interface names it.
        message: What the function said.
    """

    def __init__(self, target: str, code: str, message: str) -> None:
        self.target, self.code, self.message = target, code, message
        super().__init__(f"The foreign function {target} gave an error: {code}: {message}",
                         fix="Register it with olympus.ffi.register_ffi_target." if code == "NOT_FOUND" else None)


class KernelResultError(PlatformError, TypeError):
    """A function of a platform's operation table gave something else than the operation's results.

    Args:
        operation: The operation's name.
        given: What the function gave, as text.
        expected: The result types, as text.
    """

    def __init__(self, operation: str, given: Sequence[str], expected: Sequence[str]) -> None:
        self.operation, self.given, self.expected = operation, tuple(given), tuple(expected)
        super().__init__(
            f"The platform's function for {operation} gave results of the wrong number, shape or type.",
            given=", ".join(given) or "nothing", expected=", ".join(expected),
            fix="Return a tuple with one array for each result; keep the operands' element type.",
        )


class KernelFormError(PlatformError, ValueError):
    """A kernel in loop-nest form is not well-formed: a fault of the planner that made it.

    Args:
        kernel: Its name.
        problem: What is wrong.
        text: The kernel's text.
    """

    def __init__(self, kernel: str, problem: str, text: str) -> None:
        self.kernel, self.problem, self.text = kernel, problem, text
        super().__init__(
            f"Kernel {kernel} is not well-formed: {problem}.", given=text,
            fix="Report it with the program that led to it; OLYMPUS_DUMP_TO writes both to a folder.",
        )


class NativeCodeError(PlatformError):
    """Machine code could not be made or loaded: a fault of what generated it.

    Args:
        reason: What the code generator or the linker says.
        text: What it was given.
    """

    def __init__(self, reason: str, text: str) -> None:
        self.reason, self.text = reason, text
        super().__init__(
            f"Machine code cannot be made: {reason.rstrip('.')}.",
            fix="Report it with the program that led to it; OLYMPUS_DUMP_TO writes both to a folder.",
        )


class OutOfMemoryError(PlatformError, MemoryError):
    """The system gives no more memory, or an array is greater than any memory.

    Args:
        asked: Bytes that were asked for.
        held: Bytes in blocks in use.
        free: Bytes that the system says are free, where it does.
        array: The array that is greater than any memory, as text: the system was not asked.
        program: The program whose execution was not begun, since there is no memory for it; with its line.
        plan: What it needs, as text.
        holders: What holds the most memory, as text, the most first.
    """

    def __init__(
        self, asked: int, held: int = 0, free: int | None = None, array: str | None = None, program: str | None = None,
        plan: str = "", holders: Sequence[str] = (),
    ) -> None:
        self.asked, self.held, self.free, self.array, self.program = asked, held, free, array, program
        self.plan, self.holders = plan, tuple(holders)
        if program is not None:
            given = [f"its plan: {plan}", f"arrays hold {held:,} bytes" + (", the most of them:" if holders else "")]
            super().__init__(
                f"Out of memory: {program} needs {asked:,} bytes, and {free or 0:,} are free.",
                given="".join(f"\n    {one}" for one in [*given, *(f"  {one}" for one in holders)]),
                expected="no more than is free: the execution was not begun",
                fix="Delete arrays that are not needed (x.delete(), or drop the references), donate arguments, compute"
                " on one part after another, or split the work over more processes. `olympus profile` names the lines"
                " that make the arrays.",
            )
            return
        if array is not None:
            super().__init__(
                f"Out of memory: {array} has {asked:,} bytes, more than any memory." if asked else
                f"Out of memory: {array} is empty, and its other dimensions together are more than any memory.",
                given=array, expected="fewer than 2**63 bytes, also for what is only on the way to a result",
                fix="Look for the shape that grew too large, or compute on one part after another.",
            )
            return
        super().__init__(
            f"Out of memory: the system refuses a block of {asked:,} bytes.",
            given=f"{held:,} bytes in use by arrays"
            + (f", {free:,} bytes free in the system" if free is not None else ""),
            fix="Delete arrays that are not needed (x.delete(), or drop the references), donate arguments,"
            " or split the work over more processes.",
        )


class DumpWarning(UserWarning):
    """The texts of compiled programs cannot be written down where the user asked for them.

    Args:
        folder: Where.
        reason: What the system says.
    """

    def __init__(self, folder: str, reason: str) -> None:
        self.folder, self.reason = folder, reason
        super().__init__(f"Nothing can be written to {folder}, which OLYMPUS_DUMP_TO names: {reason}")


class NotCompiledWarning(UserWarning):
    """A program was left to the operation table because its compilation failed: slow, and a fault of the compiler.

    Args:
        program: The program's name.
        reason: What failed.
    """

    def __init__(self, program: str, reason: str) -> None:
        self.program, self.reason = program, reason
        super().__init__(
            f"Program {program} runs operation by operation, since it could not be compiled: {reason}\n"
            "  What to do: report it; OLYMPUS_DUMP_TO=folder writes the program down."
        )


class CompilationCacheWarning(UserWarning):
    """Compiled code cannot be kept on disk, or what was kept is of no use; it is compiled again.

    Args:
        problem: What happened, and to which file or folder.
    """

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(
            f"The cache of compiled code is not used as it should be: {problem}. Code is compiled again; "
            "OLYMPUS_COMPILATION_CACHE_DIR names another folder, OLYMPUS_ENABLE_COMPILATION_CACHE=0 turns it off."
        )


class UntrustedPathError(PlatformError, PermissionError):
    """A file or folder that is to be used for what is run could have been changed by another user.

    Args:
        path: The file or folder.
        reason: Why others could, the rest of a sentence about it.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} {reason}.", expected="a place that belongs to this user and that nobody else may write to",
            fix=f"Name another place, or take it back: chown, chmod go-w {path}",
        )


class ForkedDevicesError(PlatformError):
    """A forked child used devices of its parent, whose driver or library does not work in it.

    Args:
        what: The driver or library.
        parent: Process identifier of the parent.
    """

    def __init__(self, what: str, parent: int) -> None:
        self.what, self.parent = what, parent
        super().__init__(
            f"This is a forked child of process {parent}, which has opened {what}: its threads are in the parent only.",
            expected="devices used by the process that opened them",
            fix="Start helpers with the 'spawn' method of multiprocessing, or before any device is used; a child may "
            "use platform cpu.",
        )


class TransportUnavailableError(PlatformError):
    """A transport between processes cannot be used here.

    Args:
        transport: Its name.
        reason: Why not.
        fix: What to do.
    """

    def __init__(self, transport: str, reason: str, fix: str) -> None:
        self.transport, self.reason = transport, reason
        super().__init__(f"The transport {transport!r} cannot be used: {reason}.", fix=fix)


class TransportError(PlatformError, ConnectionError):
    """Communication between processes failed.

    Args:
        transport: The transport's name.
        what: What was under way.
        reason: What happened.
        fix: What to do; None for looking at the process that failed first.
    """

    def __init__(self, transport: str, what: str, reason: str, fix: str | None = None) -> None:
        self.transport, self.what, self.reason = transport, what, reason
        super().__init__(
            f"{what} over {transport} failed: {reason}.",
            fix=fix or "Look for the first process that failed; this one cannot go on communicating.",
        )


class ProcessConnectionError(TransportError):
    """A process of the job cannot be connected with, or no longer.

    Args:
        transport: The transport's name.
        process: The other process's index.
        where: Its address and port; None where it is the one that connects.
        reason: What the system says.
        seconds: How long it was tried.
        option: The option that sets how long.
    """

    def __init__(
        self, transport: str, process: int, where: str | None, reason: str, seconds: float, option: str
    ) -> None:
        self.process, self.where, self.seconds, self.option = process, where, seconds, option
        super().__init__(
            transport, f"connecting to process {process}{'' if where is None else f' at {where}'}",
            f"{reason.rstrip('.')}{f' for {seconds:.1f} s' if seconds >= 0.1 else ''}",
            f"Let firewalls pass connections{'' if where is None else f' to {where}'}: OLYMPUS_PORTS fixes the ports,"
            f" OLYMPUS_NETWORK the network. {option.upper()} sets how long it is tried.",
        )


class SharedMemoryError(PlatformError, OSError):
    """The processes of a machine cannot have memory that they share.

    Args:
        folder: The file system that it would be in.
        asked: Bytes that were asked for.
        reason: What the system says.
    """

    def __init__(self, folder: str, asked: int, reason: str) -> None:
        self.folder, self.asked, self.reason = folder, asked, reason
        super().__init__(
            f"There are no {asked:,} bytes of shared memory in {folder}: {reason.rstrip('.').lower()}.",
            fix=f"Give {folder} more room (docker run --shm-size=1g), or remove what others have left there.",
        )


class SharedMemoryWarning(UserWarning):
    """The processes of a machine cannot share memory and go on by messages, which are slower.

    Args:
        what: What goes by messages.
        error: Why.
    """

    def __init__(self, what: str, error: Exception) -> None:
        self.what, self.error = what, error
        super().__init__(f"{what} by messages from now on, which are slower. {error}")


class ArithmeticWarning(UserWarning):
    """Processes of a job compute in ways that differ in the last bits of results.

    Args:
        platform: The platform.
        first: How process 0 computes.
        process: A process that computes otherwise.
        other: How it computes.
    """

    def __init__(self, platform: str, first: str, process: int, other: str) -> None:
        self.platform, self.first, self.process, self.other = platform, first, process, other
        super().__init__(
            f"Arithmetic of platform {platform!r} is {first} in process 0 and {other} in {process}: values that "
            "both compute (replicated ones) may differ in their last bits.\n  What to do: set OLYMPUS_REPRODUCIBLE=1."
        )


class UnknownPlatformError(PlatformError):
    """A name that no platform has, nor uses as an alias.

    Args:
        platform: What was asked for.
        platforms: The platforms there are, each with its aliases, as text.
        nearest: The most similar name, if any.
        source: Where the name came from, where known.
    """

    def __init__(
        self, platform: str, platforms: Sequence[str], nearest: str | None = None, source: str | None = None
    ) -> None:
        self.platform, self.platforms, self.nearest, self.source = platform, tuple(platforms), nearest, source
        near = f"Did you mean {nearest!r}? If not, install" if nearest else "Install"
        super().__init__(
            f"Unknown backend: there is no platform named {platform!r}.",
            given=f"{platform!r} by {source}" if source else None,
            expected=f"one of {', '.join(platforms)}" if platforms else "an installed platform; there is none",
            fix=f"{near} the package that offers {platform!r}; `olympus doctor` lists what was found.",
        )


class PlatformUnavailableError(PlatformError):
    """A platform that is installed cannot be used here.

    Args:
        platform: What was asked for; None for an automatic choice.
        reasons: Why not, by platform.
        source: Where the name came from, where known.
    """

    def __init__(self, platform: str | None, reasons: Mapping[str, str], source: str | None = None) -> None:
        self.platform, self.reasons, self.source = platform, dict(reasons), source
        super().__init__(
            f"The platform {platform!r} cannot be used here." if platform else "No platform can be used here.",
            given="".join(f"\n    {name}: {reason}" for name, reason in self.reasons.items()) or "no platform at all",
            expected=f"{platform!r}, as named by {source}" if platform and source else None,
            fix="`olympus doctor` tells more; name other platforms in OLYMPUS_PLATFORMS to go on without.",
        )


class PluginLoadError(PlatformError, ImportError):
    """A plugin cannot be loaded; the others still can.

    Args:
        plugin: The name of its entry point.
        distribution: The distribution that brings it, with its version.
        reason: What happened, one line.
    """

    def __init__(self, plugin: str, distribution: str, reason: str) -> None:
        self.plugin, self.distribution, self.reason = plugin, distribution, reason
        super().__init__(
            f"The plugin {plugin!r} of {distribution} cannot be loaded: {reason.rstrip('.')}.",
            fix="`olympus doctor` shows its traceback; repair, upgrade or uninstall it.",
        )


class PluginCallError(PlatformError):
    """What a plugin was asked for ended in an exception.

    Args:
        plugin: The plugin's name.
        distribution: The distribution that brings it, with its version.
        what: What it was asked for.
        reason: What it raised, one line.
    """

    def __init__(self, plugin: str, distribution: str, what: str, reason: str) -> None:
        self.plugin, self.distribution, self.what, self.reason = plugin, distribution, what, reason
        super().__init__(
            f"The plugin {plugin!r} of {distribution} failed in {what}: {reason.rstrip('.')}.",
            fix="Repair, upgrade or uninstall it, or name other platforms in OLYMPUS_PLATFORMS.",
        )


class PluginAnswerError(PlatformError, TypeError, ValueError):
    """A plugin answered something that the plugin contract does not let it answer.

    Args:
        plugin: The plugin's name.
        distribution: The distribution that brings it, with its version.
        what: What it was asked for.
        given: What it answered, as text.
        expected: What it may answer.
    """

    def __init__(self, plugin: str, distribution: str, what: str, given: str, expected: str) -> None:
        self.plugin, self.distribution, self.what = plugin, distribution, what
        self.given, self.expected = given, expected
        super().__init__(
            f"The plugin {plugin!r} of {distribution} gave no {what} that can be used.", given=given, expected=expected,
            fix="Repair, upgrade or uninstall it; `olympus-conformance` tells plugin authors what else is wrong.",
        )


class PluginTimeoutError(PlatformError, TimeoutError):
    """A plugin did not answer in time, and was given up.

    Args:
        plugin: The plugin's name.
        distribution: The distribution that brings it, with its version.
        what: What it was asked for.
        limit: How long it could take, in seconds.
        option: The option that sets this limit.
    """

    def __init__(self, plugin: str, distribution: str, what: str, limit: float, option: str) -> None:
        self.plugin, self.distribution, self.what, self.limit = plugin, distribution, what, limit
        super().__init__(
            f"The plugin {plugin!r} of {distribution} has not ended {what} in {limit:g} s, and was given up.",
            fix=f"Uninstall it, name other platforms in OLYMPUS_PLATFORMS, or raise {option.upper()}.",
        )


class PluginWarning(UserWarning):
    """A plugin that the program did not ask for is left out, since it failed where it cost time or was to be used.

    Args:
        plugin: The plugin's name.
        reason: Why.
    """

    def __init__(self, plugin: str, reason: str) -> None:
        self.plugin, self.reason = plugin, reason
        super().__init__(
            f"The plugin {plugin!r} is left out: {reason}\n"
            "  What to do: uninstall it, or name the platforms that are wanted in OLYMPUS_PLATFORMS."
        )


class LoosePluginError(PlatformError, ImportError):
    """A plugin is offered by files beside the user's script, not by an installed distribution.

    Args:
        plugin: The plugin's name.
        distribution: The distribution that the files name, with its version.
        folder: Where they lie.
    """

    def __init__(self, plugin: str, distribution: str, folder: str) -> None:
        self.plugin, self.distribution, self.folder = plugin, distribution, folder
        super().__init__(
            f"The plugin {plugin!r} of {distribution} is not loaded: it is not installed, but lies beside the script "
            "or in the current folder.",
            given=folder, expected="an installed distribution, or a folder that PYTHONPATH names",
            fix="Install it (pip install, also with --editable), or set OLYMPUS_LOCAL_PLUGINS=1 if the folder is yours"
            " alone.",
        )


class DuplicateTransportError(PlatformError):
    """Several plugins offer a transport under one name, or one offers a name that is olympus' own.

    Args:
        transport: The name.
        distributions: The distributions that offer it.
        owner: The distribution that keeps the name, if any does.
    """

    def __init__(self, transport: str, distributions: Sequence[str], owner: str | None = None) -> None:
        self.transport, self.distributions, self.owner = transport, tuple(distributions), owner
        super().__init__(
            f"The transport {transport!r} is offered by several plugins"
            + (f"; the one of {owner} is used." if owner else ", so none of them is used."),
            given=", ".join(distributions), expected="one plugin for each transport",
            fix=f"Uninstall all but one: pip uninstall {' | '.join(d.partition(' ')[0] for d in distributions)}",
        )


class ContractVersionError(PlatformError):
    """A plugin was made for a version of the plugin contract that this olympus does not speak.

    Args:
        plugin: The plugin's name.
        distribution: The distribution that brings it, without its version.
        made_for: The version of the contract that the plugin was made for.
        spoken: The version that this olympus speaks.
    """

    def __init__(self, plugin: str, distribution: str, made_for: tuple[int, int], spoken: tuple[int, int]) -> None:
        self.plugin, self.distribution, self.made_for, self.spoken = plugin, distribution, made_for, spoken
        older = made_for < spoken
        super().__init__(
            f"The plugin {plugin!r} of {distribution} was made for another version of the plugin contract.",
            given=f"contract {made_for[0]}.{made_for[1]}",
            expected=f"contract {spoken[0]}.0 to {spoken[0]}.{spoken[1]}, which this olympus speaks",
            fix=f"pip install --upgrade {distribution if older else 'olympus-runtime'}",
        )


class DuplicatePlatformError(PlatformError):
    """Several distributions offer a platform under one name.

    Args:
        platform: The name.
        distributions: The distributions, with their versions.
        owner: The distribution that keeps the name, if any does.
    """

    def __init__(self, platform: str, distributions: Sequence[str], owner: str | None = None) -> None:
        self.platform, self.distributions, self.owner = platform, tuple(distributions), owner
        super().__init__(
            f"The platform {platform!r} is offered by several distributions"
            + (f"; the one of {owner} is used." if owner else ", so none of them is used."),
            given=", ".join(distributions),
            expected="one distribution for each platform",
            fix=f"Uninstall all but one: pip uninstall {' | '.join(d.partition(' ')[0] for d in distributions)}",
        )


class DeviceOptionError(PlatformError, ValueError):
    """A number of devices for each process that makes no sense for the platform.

    Args:
        option: The command's option.
        value: What it was given.
        platform: The platform that it makes no sense for.
        reason: Why it makes none.
    """

    def __init__(self, option: str, value: int, platform: str, reason: str) -> None:
        self.option, self.value, self.platform, self.reason = option, value, platform, reason
        super().__init__(
            f"{option} makes no sense for the platform {platform!r}: {reason}.",
            given=f"{option} {value}", fix="Leave it out, or name another platform in OLYMPUS_PLATFORMS.",
        )


class PluginNameError(PlatformError, ValueError):
    """A name that a new platform cannot have.

    Args:
        platform: What was asked for.
        reason: Why not.
        suggestion: A name that it could have, if one lies near.
    """

    def __init__(self, platform: str, reason: str, suggestion: str | None = None) -> None:
        self.platform, self.reason, self.suggestion = platform, reason, suggestion
        super().__init__(
            f"A new platform cannot be named {platform!r}: {reason}.",
            expected="small letters, digits and underscores, a letter first, and a name that nobody has yet",
            fix=f"Did you mean {suggestion!r}?" if suggestion else "Choose another name.",
        )


class FolderInUseError(PlatformError, FileExistsError):
    """A new package would go where something is already.

    Args:
        folder: The folder, as given.
        found: Some of what it holds.
    """

    def __init__(self, folder: str, found: Sequence[str]) -> None:
        self.folder, self.found = folder, tuple(found)
        super().__init__(
            f"The folder {folder!r} is not empty, and nothing is overwritten.",
            given=f"it holds {', '.join(found)}",
            fix="Choose another one with --path, or move away what is there.",
        )
