//! The keywords of the text format for the kernel IR's plain enumerations.

use super::{
    AssertKind, AssumeKind, AsyncGroup, AtomicOp, BinaryOp, CompareOp, ContentsKind, ConvertOp, FloatOp, FloatType,
    GroupOp, Language, Ordering, PhaseOp, Scope, Space, StridedSide, UnaryOp, WarpOp,
};

/// An enumeration whose variants are words of the text format.
pub trait Keyword: Copy + PartialEq + 'static {
    /// All variants.
    const ALL: &'static [Self];

    /// The variant's word.
    fn word(self) -> &'static str;

    /// The variant with this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.word() == word)
    }
}

macro_rules! keywords {
    ($($enumeration:ident { $($variant:ident = $word:literal,)+ })+) => {
        $(impl Keyword for $enumeration {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        })+
    };
}

keywords! {
    Language {
        OpenCl = "opencl",
        Cuda = "cuda",
        Hip = "hip",
        Ptx = "ptx",
        Llvm = "llvm",
    }
    Space {
        Private = "private",
        Global = "global",
        Constant = "constant",
        Local = "local",
        Generic = "generic",
    }
    FloatType {
        F16 = "f16",
        Bf16 = "bf16",
        F32 = "f32",
        F64 = "f64",
    }
    ContentsKind {
        Sorted = "sorted",
        Increasing = "increasing",
        Distinct = "distinct",
        Within = "within",
    }
    UnaryOp {
        Not = "not",
        Negate = "negate",
    }
    BinaryOp {
        Add = "add",
        Subtract = "subtract",
        Multiply = "multiply",
        UnsignedDivide = "unsigned_divide",
        SignedDivide = "signed_divide",
        UnsignedRemainder = "unsigned_remainder",
        SignedRemainder = "signed_remainder",
        ShiftLeft = "shift_left",
        LogicalShiftRight = "logical_shift_right",
        ArithmeticShiftRight = "arithmetic_shift_right",
        And = "and",
        Or = "or",
        Xor = "xor",
    }
    CompareOp {
        Equal = "equal",
        NotEqual = "not_equal",
        UnsignedLess = "unsigned_less",
        UnsignedLessEqual = "unsigned_less_equal",
        SignedLess = "signed_less",
        SignedLessEqual = "signed_less_equal",
    }
    ConvertOp {
        ZeroExtend = "zero_extend",
        SignExtend = "sign_extend",
        Truncate = "truncate",
        Bitcast = "bitcast",
    }
    FloatOp {
        Add = "add",
        Subtract = "subtract",
        Multiply = "multiply",
        Divide = "divide",
        Remainder = "remainder",
        FusedMultiplyAdd = "fused_multiply_add",
        MultiplyAdd = "multiply_add",
        SquareRoot = "square_root",
        OrderedEqual = "ordered_equal",
        OrderedNotEqual = "ordered_not_equal",
        OrderedLess = "ordered_less",
        OrderedLessEqual = "ordered_less_equal",
        Ordered = "ordered",
        UnorderedEqual = "unordered_equal",
        UnorderedNotEqual = "unordered_not_equal",
        UnorderedLess = "unordered_less",
        UnorderedLessEqual = "unordered_less_equal",
        Unordered = "unordered",
        FromFloat = "from_float",
        FromSigned = "from_signed",
        FromUnsigned = "from_unsigned",
        ToSigned = "to_signed",
        ToUnsigned = "to_unsigned",
    }
    AtomicOp {
        Load = "load",
        Store = "store",
        Exchange = "exchange",
        CompareExchange = "compare_exchange",
        Add = "add",
        Subtract = "subtract",
        Increment = "increment",
        Decrement = "decrement",
        SignedMin = "signed_min",
        SignedMax = "signed_max",
        UnsignedMin = "unsigned_min",
        UnsignedMax = "unsigned_max",
        And = "and",
        Or = "or",
        Xor = "xor",
        FloatAdd = "float_add",
        FloatSubtract = "float_subtract",
        FloatMin = "float_min",
        FloatMax = "float_max",
    }
    Ordering {
        Relaxed = "relaxed",
        Acquire = "acquire",
        Release = "release",
        AcquireRelease = "acquire_release",
        SequentiallyConsistent = "sequentially_consistent",
    }
    Scope {
        Thread = "thread",
        Warp = "warp",
        Group = "group",
        Cluster = "cluster",
        Device = "device",
        System = "system",
    }
    WarpOp {
        Shuffle = "shuffle",
        ShuffleUp = "shuffle_up",
        ShuffleDown = "shuffle_down",
        ShuffleXor = "shuffle_xor",
        VoteAll = "vote_all",
        VoteAny = "vote_any",
        VoteEqual = "vote_equal",
        Ballot = "ballot",
        MatchAny = "match_any",
        MatchAll = "match_all",
        ActiveMask = "active_mask",
        ReduceAdd = "reduce_add",
        ReduceSignedMin = "reduce_signed_min",
        ReduceSignedMax = "reduce_signed_max",
        ReduceUnsignedMin = "reduce_unsigned_min",
        ReduceUnsignedMax = "reduce_unsigned_max",
        ReduceAnd = "reduce_and",
        ReduceOr = "reduce_or",
        ReduceXor = "reduce_xor",
    }
    GroupOp {
        Count = "count",
        All = "all",
        Any = "any",
    }
    AsyncGroup {
        Group = "group",
        Thread = "thread",
        Elements = "elements",
        Shared = "shared",
    }
    StridedSide {
        From = "from",
        To = "to",
    }
    PhaseOp {
        Initialise = "initialise",
        Arrive = "arrive",
        ArriveOnCopy = "arrive_on_copy",
        Wait = "wait",
        Test = "test",
        WaitParity = "wait_parity",
        TestParity = "test_parity",
    }
    AssumeKind {
        User = "user",
        Precondition = "precondition",
        Given = "given",
        Launch = "launch",
        Semantics = "semantics",
    }
    AssertKind {
        User = "user",
        Global = "global",
        KnownTarget = "known_target",
        Elected = "elected",
        Awaited = "awaited",
    }
}
