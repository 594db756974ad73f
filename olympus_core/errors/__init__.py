# SPDX-License-Identifier: Apache-2.0
"""Every error that olympus raises on purpose, by room; all inherit `OlympusError` and a built-in that users catch."""

from .array import (
    ArrayError,
    DeletedError,
    DonationError,
    ExportError,
    ImmutableError,
    IndexConversionError,
    IntegerOverflowWarning,
    KeyConversionError,
    LengthError,
    LostAtForkError,
    NarrowedTypeWarning,
    NotAddressableError,
    ScalarConversionError,
    ShardsError,
    TransferGuardError,
)
from .authentication import *  # each room lists its public classes in __all__
from .base import NotSupportedError, OlympusDeprecationWarning, OlympusError, OlympusInternalError, described
from .checkpoints import *
from .cluster import *
from .config import (
    ConfigError,
    ConfigFrozenError,
    ForeignSettingWarning,
    OptionAssignmentError,
    OptionScopeError,
    OptionValueError,
    PeerImportedError,
    PrivateAttributeError,
    PrivateNameError,
    ProfilerError,
    UnknownOptionError,
)
from .derivatives import *
from .export import *
from .joining import *
from .network import *
from .placement import *
from .platform import *
from .program import DisagreeingMembersError, JaxprTypeError, OperandError, ProgramError, ShapeError, VerificationError
from .threads import FewerThreadsWarning, ThreadGuardError, ThreadStartError
from .tracing import (
    AmbiguousReductionError,
    ArgumentError,
    AxisError,
    AxisNotExplicitError,
    AxisReuseError,
    CallbackResultError,
    CheckError,
    CheckTracedError,
    ConcretizationError,
    ConstraintMismatchError,
    DifferentMeshesError,
    DimensionPromotionError,
    DimensionPromotionWarning,
    IndexOutOfBoundsError,
    IndexTypeError,
    KeyReuseError,
    LeakedTracerError,
    LiteralRangeError,
    ManualConstraintError,
    MappedSizesError,
    MaskShapeError,
    NonConcreteBooleanIndexError,
    NotFiniteError,
    ReferenceUseError,
    RetracingError,
    ShardingConflictError,
    ShardingTypeError,
    SplitDimensionError,
    StoreException,
    TooManyIndicesError,
    TracedAttributeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
    TracerLeakError,
    TracingError,
    TreeError,
    TypePromotionError,
    UnboundAxisError,
    UnevenResultError,
    UnmappedResultError,
    UnreducedOperandError,
)
