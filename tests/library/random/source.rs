//! Prints a program as OpenCL C or CUDA C++.

use std::fmt::Write as _;

use lockstep_ir::kernel::{Ordering, Scope, WarpOp};

use super::build::failing;
use super::program::{
    Arithmetic, AtomicOperation, BOUND_MASK, Condition, Form, Library, Means, Operator, PARAMETER_MASK, Place, Program,
    Relation, Signal, Statement, Value,
};
use super::vocabulary::Vocabulary;

/// The language of a printed program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++.
    Cuda,
}

impl Dialect {
    /// The language that has the program's vocabulary.
    pub fn of(program: &Program) -> Self {
        let of_cuda = [Vocabulary::Warps, Vocabulary::Libraries, Vocabulary::OwnCopies, Vocabulary::NamedBarriers];
        let cuda = of_cuda.into_iter().any(|vocabulary| program.has(vocabulary));
        if cuda || program.prefers_cuda { Self::Cuda } else { Self::OpenCl }
    }

    /// The ending of files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::OpenCl => "cl",
            Self::Cuda => "cu",
        }
    }

    /// The text before all kernels of a file.
    pub fn prologue(self) -> &'static str {
        match self {
            Self::OpenCl => "uint given(void);\nvoid change(uint *);\n",
            Self::Cuda => {
                "typedef unsigned uint;\ntypedef unsigned char uchar;\ntypedef unsigned short ushort;\n\
                 __device__ uint given();\n__device__ void change(uint *);\n"
            }
        }
    }
}

/// The text before the prologue if library functions are called.
pub const LIBRARIES: &str =
    "#include <cub/cub.cuh>\n#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n";

/// The text before the prologue if threads start copies for themselves.
pub const OWN_COPIES: &str = "#include <cooperative_groups.h>\n#include <cuda/pipeline>\n";

/// The text before the prologue if threads signal each other.
pub const SIGNALS: &str = "#include <cuda/atomic>\n";

/// Whether the language has everything that the program uses.
pub fn compiles(program: &Program) -> bool {
    let is_cuda = Dialect::of(program) == Dialect::Cuda;
    let mut compiles = !(is_cuda && program.has(Vocabulary::Copies));
    // There is no function for a narrow counter.
    compiles &= program.arrays.iter().all(|array| array.counter.is_none_or(|counter| counter.bits == 32));
    program.for_each(&mut |statement| {
        compiles &= match statement {
            Statement::Exchange { mask: None, op, .. } => *op == WarpOp::ActiveMask,
            // There is only the old function.
            Statement::Signal { operation: Signal::Increment, means, .. } => {
                matches!(means, Means::Atomic(Ordering::Relaxed, Scope::Device | Scope::Group))
            }
            _ => true,
        };
    });
    compiles
}

/// The kernel of this name, in the language that has the program's vocabulary.
pub fn kernel(program: &Program, name: &str) -> String {
    let dialect = Dialect::of(program);
    let (entry, pointer) = match dialect {
        Dialect::OpenCl => ("__kernel", "__global uint *"),
        Dialect::Cuda => ("extern \"C\" __global__", "uint *"),
    };
    let global = (0..program.arrays.len()).filter(|&array| !program.arrays[array].is_local);
    let mut parameters: Vec<String> = global.map(|array| format!("{pointer}{}", program.name(array))).collect();
    parameters.push("uint n".to_owned());
    parameters.extend(program.width.map(|_| "uint w".to_owned()));
    let head = format!("{entry} void {name}({}) {{\n", parameters.join(", "));
    let mut printer = Printer { program, dialect, text: head };
    for array in (0..program.arrays.len()).filter(|&array| program.arrays[array].is_local) {
        let space = if dialect == Dialect::Cuda { "__shared__" } else { "__local" };
        printer.line(1, &format!("{space} uint {}[{}];", program.name(array), program.arrays[array].cells));
    }
    for variable in 0..program.variables {
        let initial = printer.value(&initial(variable));
        printer.line(1, &format!("uint v{variable} = {initial};"));
    }
    for event in 0..program.events {
        printer.line(1, &format!("event_t e{event} = 0;"));
    }
    if program.has(Vocabulary::OwnCopies) {
        printer.line(1, "auto pipe = cuda::make_pipeline();");
    }
    printer.statements(1, &program.body);
    printer.text + "}\n"
}

/// The initial value of a variable.
pub fn initial(variable: usize) -> Value {
    match variable {
        0 => Value::LocalId(0),
        1 => Value::GlobalId(0),
        _ => Value::Parameter,
    }
}

struct Printer<'a> {
    program: &'a Program,
    dialect: Dialect,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * depth);
    }

    fn statements(&mut self, depth: usize, statements: &[Statement]) {
        for statement in statements {
            self.statement(depth, statement);
        }
    }

    fn statement(&mut self, depth: usize, statement: &Statement) {
        match statement {
            Statement::If { condition, then, otherwise } => {
                let condition = self.condition(condition);
                self.line(depth, &format!("if ({condition}) {{"));
                self.statements(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.statements(depth + 1, otherwise);
                }
                self.line(depth, "}");
            }
            Statement::Loop { number, form, is_checked_last, body } => {
                let (from, goes_on, next) = self.loop_words(*number, form);
                if *is_checked_last {
                    self.line(depth, &format!("uint i{number} = {from}; do {{"));
                } else {
                    self.line(depth, &format!("for (uint i{number} = {from}; {goes_on}; {next}) {{"));
                }
                self.statements(depth + 1, body);
                let end = if *is_checked_last { format!("}} while ({next}, {goes_on});") } else { "}".to_owned() };
                self.line(depth, &end);
            }
            Statement::While { condition, is_checked_last, body } => {
                let condition = self.condition(condition);
                let [start, end] = if *is_checked_last {
                    ["do {".to_owned(), format!("}} while ({condition});")]
                } else {
                    [format!("while ({condition}) {{"), "}".to_owned()]
                };
                self.line(depth, &start);
                self.statements(depth + 1, body);
                self.line(depth, &end);
            }
            simple => {
                let text = self.simple(simple);
                self.line(depth, &text);
            }
        }
    }

    /// A statement without nested ones.
    fn simple(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign(to, number) => format!("v{to} = {};", self.value(number)),
            Statement::Load { to, place, mask } => {
                let loaded = match self.components(place) {
                    Some((ty, components)) => format!("as_{ty}({components})"),
                    None => self.place(place),
                };
                format!("v{to} = {loaded} & {mask}u;")
            }
            Statement::Store { place, value } => match self.components(place) {
                Some((ty, components)) => {
                    format!("{components} = as_uchar{}(({ty}){});", place.bytes, self.value(value))
                }
                None => format!("{} = {};", self.place(place), self.value(value)),
            },
            Statement::Atomic { operation, place, operand, to } => {
                let call = self.atomic(*operation, place, operand);
                match to {
                    Some((to, mask)) => format!("v{to} = {call} & {mask}u;"),
                    None => format!("{call};"),
                }
            }
            Statement::Break => "break;".to_owned(),
            Statement::Continue => "continue;".to_owned(),
            Statement::Return => "return;".to_owned(),
            Statement::Barrier { .. } if self.dialect == Dialect::Cuda => "__syncthreads();".to_owned(),
            Statement::Barrier { local, global } => {
                let flags = [(*local, "CLK_LOCAL_MEM_FENCE"), (*global, "CLK_GLOBAL_MEM_FENCE")];
                let flags: Vec<&str> = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| *flag).collect();
                format!("barrier({});", flags.join(" | "))
            }
            Statement::NamedBarrier { number, threads, waits } => {
                let number = self.value(number);
                match threads {
                    Some(threads) => {
                        let operation = if *waits { "sync" } else { "arrive" };
                        format!(
                            "asm volatile(\"barrier.{operation} %0, %1;\" ::\"r\"({number}), \"r\"({threads}u) : \"memory\");"
                        )
                    }
                    None => format!("asm volatile(\"barrier.sync %0;\" ::\"r\"({number}) : \"memory\");"),
                }
            }
            Statement::WarpBarrier { mask } => format!("__syncwarp({});", self.value(mask)),
            Statement::Exchange { to, op, mask, value, by, width } => {
                self.exchange(*to, *op, mask.as_ref(), [value, by], *width)
            }
            Statement::Draw { to, place } => {
                let step = self.program.arrays[place.array].counter.map_or(1, |counter| counter.step);
                let add = if self.dialect == Dialect::Cuda { "atomicAdd" } else { "atomic_add" };
                format!("v{to} = {add}(&{}, {step}u);", self.place(place))
            }
            Statement::Call { to, through_pointer: true } => format!("change(&v{to}); v{to} &= 1u;"),
            Statement::Call { to, through_pointer: false } => format!("v{to} = given() & 1u;"),
            Statement::Copy { event, joins, from, to, count, stride } => {
                let (from, to, count) = (self.place(from), self.place(to), self.value(count));
                let joined = if *joins { format!("e{event}") } else { "0".to_owned() };
                match stride {
                    Some(stride) => format!(
                        "e{event} = async_work_group_strided_copy(&{to}, &{from}, {count}, {stride}u, {joined});"
                    ),
                    None => format!("e{event} = async_work_group_copy(&{to}, &{from}, {count}, {joined});"),
                }
            }
            Statement::Wait { events } => {
                let names: Vec<String> = events.iter().map(|event| format!("e{event}")).collect();
                format!("{{ event_t all[] = {{{}}}; wait_group_events({}, all); }}", names.join(", "), names.len())
            }
            Statement::OwnCopy { from, to } => {
                format!("cuda::memcpy_async(&{}, &{}, 4, pipe);", self.place(to), self.place(from))
            }
            Statement::SharedCopy { from, to, count } => format!(
                "cuda::memcpy_async(cooperative_groups::this_thread_block(), &{}, &{}, 4ul * {}, pipe);",
                self.place(to),
                self.place(from),
                self.value(count)
            ),
            Statement::Commit => "pipe.producer_commit();".to_owned(),
            Statement::OwnWait { kept } => format!("cuda::pipeline_consumer_wait_prior<{kept}>(pipe);"),
            Statement::Fence { ordering, scope, local, global } => self.fence(*ordering, *scope, [*local, *global]),
            Statement::Signal { operation, means, place, operands, to } => {
                let operands: Vec<String> = operands.iter().map(|operand| self.value(operand)).collect();
                let to = to.map(|to| format!("v{to} = ")).unwrap_or_default();
                match means {
                    Means::Atomic(ordering, scope) => {
                        self.signal(*operation, (*ordering, *scope), place, (&operands, &to))
                    }
                    Means::Plain | Means::Volatile => {
                        let cell = self.cell(place, *means == Means::Volatile);
                        operands.first().map_or_else(|| format!("{to}{cell};"), |value| format!("{cell} = {value};"))
                    }
                }
            }
            Statement::Library { to, function, value } => self.library(*to, *function, value),
            Statement::If { .. } | Statement::Loop { .. } | Statement::While { .. } => String::new(),
        }
    }

    fn fence(&self, ordering: Ordering, scope: Scope, [local, global]: [bool; 2]) -> String {
        if self.dialect == Dialect::OpenCl {
            let flags = [(local, "CLK_LOCAL_MEM_FENCE"), (global, "CLK_GLOBAL_MEM_FENCE")];
            let flags: Vec<&str> = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| *flag).collect();
            let (order, scope) = (order(ordering), self.scope(scope));
            return format!("atomic_work_item_fence({}, memory_order_{order}, {scope});", flags.join(" | "));
        }
        match (ordering, scope) {
            (Ordering::SequentiallyConsistent, Scope::Group) => "__threadfence_block();".to_owned(),
            (Ordering::SequentiallyConsistent, Scope::Device) => "__threadfence();".to_owned(),
            (Ordering::SequentiallyConsistent, Scope::System) => "__threadfence_system();".to_owned(),
            _ => format!("cuda::atomic_thread_fence(cuda::memory_order_{}, {});", order(ordering), self.scope(scope)),
        }
    }

    fn scope(&self, scope: Scope) -> &'static str {
        match (self.dialect, scope) {
            (Dialect::Cuda, Scope::Group) => "cuda::thread_scope_block",
            (Dialect::Cuda, Scope::Device) => "cuda::thread_scope_device",
            (Dialect::Cuda, Scope::System) => "cuda::thread_scope_system",
            (Dialect::Cuda, _) => "cuda::thread_scope_thread",
            (Dialect::OpenCl, Scope::Group) => "memory_scope_work_group",
            (Dialect::OpenCl, Scope::Device) => "memory_scope_device",
            (Dialect::OpenCl, Scope::System) => "memory_scope_all_svm_devices",
            (Dialect::OpenCl, _) => "memory_scope_work_item",
        }
    }

    fn space(&self, array: usize) -> &'static str {
        match (self.dialect, self.program.arrays[array].is_local) {
            (Dialect::Cuda, _) => "",
            (Dialect::OpenCl, true) => "__local ",
            (Dialect::OpenCl, false) => "__global ",
        }
    }

    /// A cell, accessed as a volatile one or not.
    fn cell(&self, place: &Place, is_volatile: bool) -> String {
        let cell = self.place(place);
        if is_volatile { format!("*(volatile {}uint *)&{cell}", self.space(place.array)) } else { cell }
    }

    /// An atomic operation by which threads signal each other.
    fn signal(
        &self,
        operation: Signal,
        (ordering, scope): (Ordering, Scope),
        place: &Place,
        (operands, to): (&[String], &str),
    ) -> String {
        let cell = self.place(place);
        let operands = operands.join(", ");
        let names = match operation {
            Signal::Load => ["", "", "load", "load"],
            Signal::Store => ["", "", "store", "store"],
            Signal::Exchange => ["atomic_xchg", "atomicExch", "exchange", "exchange"],
            Signal::CompareExchange => ["atomic_cmpxchg", "atomicCAS", "compare_exchange_strong", ""],
            Signal::Add => ["atomic_add", "atomicAdd", "fetch_add", "fetch_add"],
            Signal::Increment => ["", "atomicInc", "", ""],
        };
        let [of_opencl, of_cuda, explicit, of_reference] = names;
        let is_cuda = self.dialect == Dialect::Cuda;
        let old = if is_cuda { of_cuda } else { of_opencl };
        if !old.is_empty() && ordering == Ordering::Relaxed && scope == Scope::Device {
            return format!("{to}{old}(&{cell}, {operands});");
        }
        if is_cuda && !old.is_empty() && ordering == Ordering::Relaxed && scope == Scope::Group {
            return format!("{to}{old}_block(&{cell}, {operands});");
        }
        let (order, failing, scope) = (order(ordering), order(failing(ordering)), self.scope(scope));
        let expects = operation == Signal::CompareExchange;
        let (expected, desired) = operands.split_once(", ").unwrap_or_default();
        if is_cuda {
            let reference = format!("cuda::atomic_ref<uint, {scope}>({cell})");
            let order = format!("cuda::memory_order_{order}");
            let failing = format!("cuda::memory_order_{failing}");
            if expects {
                return format!(
                    "{{ uint e = {expected}; {reference}.{explicit}(e, {desired}, {order}, {failing}); {to}e; }}"
                );
            }
            let comma = if operands.is_empty() { "" } else { ", " };
            return format!("{to}{reference}.{of_reference}({operands}{comma}{order});");
        }
        let object = format!("(volatile {}atomic_uint *)&{cell}", self.space(place.array));
        if expects {
            return format!(
                "{{ uint e = {expected}; atomic_{explicit}_explicit({object}, &e, {desired}, memory_order_{order}, \
                 memory_order_{failing}, {scope}); {to}e; }}"
            );
        }
        let operands = if operands.is_empty() { String::new() } else { format!(", {operands}") };
        let name = format!("atomic_{explicit}_explicit");
        format!("{to}{name}({object}{operands}, memory_order_{order}, {scope});")
    }

    fn exchange(&self, to: usize, op: WarpOp, mask: Option<&Value>, [value, by]: [&Value; 2], width: u32) -> String {
        let name = match op {
            WarpOp::Shuffle => "shfl",
            WarpOp::ShuffleUp => "shfl_up",
            WarpOp::ShuffleDown => "shfl_down",
            WarpOp::ShuffleXor => "shfl_xor",
            WarpOp::VoteAll => "all",
            WarpOp::VoteAny => "any",
            WarpOp::VoteEqual => "uni",
            WarpOp::Ballot => "ballot",
            WarpOp::MatchAny => "match_any",
            WarpOp::MatchAll => "match_all",
            WarpOp::ActiveMask => "activemask",
            WarpOp::ReduceAdd => "reduce_add",
            WarpOp::ReduceSignedMin | WarpOp::ReduceUnsignedMin => "reduce_min",
            WarpOp::ReduceSignedMax | WarpOp::ReduceUnsignedMax => "reduce_max",
            WarpOp::ReduceAnd => "reduce_and",
            WarpOp::ReduceOr => "reduce_or",
            WarpOp::ReduceXor => "reduce_xor",
        };
        let value = self.value(value);
        let value = if matches!(op, WarpOp::ReduceSignedMin | WarpOp::ReduceSignedMax) {
            format!("(int){value}")
        } else {
            value
        };
        let mut operands: Vec<String> = mask.into_iter().map(|mask| self.value(mask)).collect();
        operands.extend((op != WarpOp::ActiveMask).then_some(value));
        if matches!(op, WarpOp::Shuffle | WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor) {
            operands.extend([self.value(by), width.to_string()]);
        }
        let same = if op == WarpOp::MatchAll { "int same; " } else { "" };
        operands.extend((op == WarpOp::MatchAll).then(|| "&same".to_owned()));
        let ending = if mask.is_some() { "_sync" } else { "" };
        format!("{{ {same}v{to} = __{name}{ending}({}); }}", operands.join(", "))
    }

    fn library(&self, to: usize, function: Library, value: &Value) -> String {
        let (value, threads) = (self.value(value), self.program.local_size[0]);
        match function {
            Library::BlockSum => format!(
                "{{ typedef cub::BlockReduce<uint, {threads}> T; __shared__ typename T::TempStorage s; \
                 v{to} = T(s).Sum({value}); }}"
            ),
            Library::BlockScan => format!(
                "{{ typedef cub::BlockScan<uint, {threads}> T; __shared__ typename T::TempStorage s; \
                 T(s).ExclusiveSum({value}, v{to}); }}"
            ),
            Library::WarpSum => format!(
                "{{ typedef cub::WarpReduce<uint, {threads}> T; __shared__ typename T::TempStorage s; \
                 v{to} = T(s).Sum({value}); }}"
            ),
            Library::TileSum(size) => format!(
                "{{ auto t = cooperative_groups::tiled_partition<{size}>(cooperative_groups::this_thread_block()); \
                 v{to} = cooperative_groups::reduce(t, {value}, cooperative_groups::plus<uint>()); }}"
            ),
            Library::TileFirst(size) => format!(
                "{{ auto t = cooperative_groups::tiled_partition<{size}>(cooperative_groups::this_thread_block()); \
                 v{to} = t.shfl({value}, 0); }}"
            ),
        }
    }

    fn place(&self, place: &Place) -> String {
        let name = self.program.name(place.array);
        let index = match place.arithmetic {
            Arithmetic::Unsigned => self.value(&place.index),
            Arithmetic::Wide if self.dialect == Dialect::Cuda => self.computed(&place.index, "(unsigned long long)"),
            Arithmetic::Wide => self.computed(&place.index, "(ulong)"),
            Arithmetic::Signed => self.computed(&place.index, "(int)"),
        };
        let space = self.space(place.array);
        match place.bytes {
            4 => format!("{name}[{index}]"),
            bytes if self.program.has(Vocabulary::Components) => {
                let ty = if bytes == 1 { "uchar4" } else { "ushort2" };
                format!("((({space}{ty} *){name})[{index}]).s{}", place.byte / bytes)
            }
            bytes => {
                let ty = if bytes == 1 { "uchar" } else { "ushort" };
                format!("(({space}{ty} *)&{name}[{index}])[{}]", place.byte / bytes)
            }
        }
    }

    /// All components of a vector of bytes, or two of them, and the number type that they form
    /// together.
    ///
    /// In a program with components, half of the accesses to more than a byte are written in this
    /// way.
    fn components(&self, place: &Place) -> Option<(&'static str, String)> {
        if !self.program.has(Vocabulary::Components) || place.bytes == 1 || place.array.is_multiple_of(2) {
            return None;
        }
        let bytes = self.place(&Place { bytes: 1, ..place.clone() });
        let vector = bytes.rsplit_once(".s").map_or(bytes.as_str(), |(vector, _)| vector);
        Some(match (place.bytes, place.byte) {
            (4, _) => ("uint", vector.to_owned()),
            (_, 0) => ("ushort", format!("{vector}.s01")),
            _ => ("ushort", format!("{vector}.s23")),
        })
    }

    /// Sums, differences and products of values that are cast.
    fn computed(&self, index: &Value, cast: &str) -> String {
        match index {
            Value::Binary(operator @ (Operator::Add | Operator::Subtract | Operator::Multiply), a, b) => {
                format!("({} {} {})", self.computed(a, cast), sign(*operator), self.computed(b, cast))
            }
            leaf => format!("{cast}{}", self.value(leaf)),
        }
    }

    fn atomic(&self, operation: AtomicOperation, place: &Place, operand: &Value) -> String {
        let (place, operand) = (self.place(place), self.value(operand));
        let names = match operation {
            AtomicOperation::Add => ["atomic_add", "atomicAdd"],
            AtomicOperation::Or => ["atomic_or", "atomicOr"],
            AtomicOperation::Maximum => ["atomic_max", "atomicMax"],
            AtomicOperation::Exchange => ["atomic_xchg", "atomicExch"],
            AtomicOperation::CompareExchange => ["atomic_cmpxchg", "atomicCAS"],
        };
        let name = names[usize::from(self.dialect == Dialect::Cuda)];
        let expected = if operation == AtomicOperation::CompareExchange { "0u, " } else { "" };
        format!("{name}(&{place}, {expected}{operand})")
    }

    /// The start of a loop's counter, its condition, and its next value.
    fn loop_words(&self, number: usize, form: &Form) -> (String, String, String) {
        match form {
            Form::Up { from, step, bound } => (
                format!("{from}u"),
                format!("i{number} < ({} & {BOUND_MASK}u)", self.value(bound)),
                format!("i{number} += {step}u"),
            ),
            Form::Halving { from } => (format!("{from}u"), format!("i{number} > 0u"), format!("i{number} >>= 1")),
            Form::Doubling { to } => ("1u".to_owned(), format!("i{number} < {to}u"), format!("i{number} <<= 1")),
        }
    }

    fn value(&self, of: &Value) -> String {
        let axis = |dimension: u8| ["x", "y", "z"][usize::from(dimension)];
        let is_cuda = self.dialect == Dialect::Cuda;
        match of {
            Value::Constant(number) => format!("{number}u"),
            Value::Variable(number) => format!("v{number}"),
            Value::Counter(number) => format!("i{number}"),
            Value::LocalId(d) if is_cuda => format!("threadIdx.{}", axis(*d)),
            Value::GroupId(d) if is_cuda => format!("blockIdx.{}", axis(*d)),
            Value::GlobalId(d) if is_cuda => format!("(blockIdx.{0} * blockDim.{0} + threadIdx.{0})", axis(*d)),
            Value::LocalId(dimension) => format!("(uint)get_local_id({dimension})"),
            Value::GroupId(dimension) => format!("(uint)get_group_id({dimension})"),
            Value::GlobalId(dimension) => format!("(uint)get_global_id({dimension})"),
            Value::LocalSize(d) if is_cuda => format!("blockDim.{}", axis(*d)),
            Value::NumGroups(d) if is_cuda => format!("gridDim.{}", axis(*d)),
            Value::LocalSize(dimension) => format!("(uint)get_local_size({dimension})"),
            Value::NumGroups(dimension) => format!("(uint)get_num_groups({dimension})"),
            Value::Lane => format!("((threadIdx.y * blockDim.x + threadIdx.x) % {}u)", self.program.warp_size),
            Value::Parameter => format!("(n & {PARAMETER_MASK}u)"),
            Value::Width => match self.program.width.and_then(|width| width.mask) {
                Some(mask) => format!("(w & {mask}u)"),
                None => "w".to_owned(),
            },
            Value::Binary(operator, a, b) => format!("({} {} {})", self.value(a), sign(*operator), self.value(b)),
            Value::Select(condition, a, b) => {
                format!("({} ? {} : {})", self.condition(condition), self.value(a), self.value(b))
            }
        }
    }

    fn condition(&self, of: &Condition) -> String {
        match of {
            Condition::Compare(relation, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match relation {
                    Relation::Equal => format!("{a} == {b}"),
                    Relation::NotEqual => format!("{a} != {b}"),
                    Relation::Less => format!("{a} < {b}"),
                    Relation::LessEqual => format!("{a} <= {b}"),
                    Relation::SignedLess => format!("(int){a} < (int){b}"),
                }
            }
            Condition::And(a, b) => format!("({} && {})", self.condition(a), self.condition(b)),
            Condition::Or(a, b) => format!("({} || {})", self.condition(a), self.condition(b)),
        }
    }
}

/// The name of an ordering, after `memory_order_`.
fn order(ordering: Ordering) -> &'static str {
    match ordering {
        Ordering::Relaxed => "relaxed",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcquireRelease => "acq_rel",
        Ordering::SequentiallyConsistent => "seq_cst",
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Xor => "^",
        Operator::ShiftLeft => "<<",
        Operator::ShiftRight => ">>",
        Operator::Divide => "/",
        Operator::Remainder => "%",
    }
}
