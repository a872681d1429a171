//! The representation of each array: a function of the offset, a map per thread, or nothing at all.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Array, ArrayOrigin, Kernel, Operation, Space, Type, Value};
use lockstep_ir::sequential::{self, Pair, Program, Role, Sort, Variable};
use num_integer::Integer;

use crate::analysis::accesses::for_each_access;
use crate::analysis::alignment::Divisors;
use crate::analysis::initialised::Initialised;
use crate::analysis::intervals::Intervals;
use crate::analysis::pointers::PointsTo;
use crate::analysis::structure::Structure;
use crate::lockstep::{LockstepOptions, TAG_WIDTH};

/// The kernel's uses of an array.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Use {
    /// Whether some thread may write the array.
    pub written: bool,
    /// Whether atomics access the array.
    pub atomic: bool,
    /// Whether asynchronous copies access the array.
    pub asynchronous: bool,
    /// The largest power of two that divides every access's width and offset, in bytes.
    pub cell_bytes: u64,
    /// Whether pointers are loaded from the array.
    pub holds_pointers: bool,
    /// Whether all pointers in the array lie at multiples of a pointer's size.
    pub pointers_aligned: bool,
    /// Whether some load may read a part of the array that nothing was written to.
    pub read_early: bool,
    /// Whether annotations ask about accesses to the array's elements.
    pub asked_about: bool,
}

impl Use {
    fn new(cell_bytes: u64) -> Self {
        Self {
            written: false,
            atomic: false,
            asynchronous: false,
            asked_about: false,
            cell_bytes,
            holds_pointers: false,
            pointers_aligned: true,
            read_early: false,
        }
    }
}

/// The kernel's uses of its arrays.
#[derive(Clone, Debug, Default)]
pub struct Uses(BTreeMap<Array, Use>);

impl Uses {
    /// Collects the uses of all reachable instructions.
    pub fn collect(
        kernel: &Kernel,
        structure: &Structure,
        points_to: &PointsTo,
        initialised: &Initialised,
        divisors: &Divisors,
    ) -> Self {
        let mut uses = Self::default();
        for &block in &structure.order {
            for &instruction in &kernel.blocks[block].instructions {
                let data = &kernel.instructions[instruction];
                for_each_access(kernel, &data.operation, data.result, |access| {
                    let divisor = match access.bytes {
                        Some(bytes) => bytes.max(1).gcd(&divisors[access.pointer]),
                        None => 1,
                    };
                    for &array in &points_to[access.pointer].arrays {
                        let entry = uses.0.entry(array).or_insert(Use::new(divisor));
                        entry.written |= access.writes;
                        entry.atomic |= access.atomic;
                        entry.asynchronous |= matches!(data.operation, Operation::AsyncCopy { .. });
                        entry.cell_bytes = entry.cell_bytes.gcd(&divisor);
                        entry.read_early |= initialised.unsure(instruction);
                    }
                });
                uses.note_pointer(kernel, points_to, divisors, &data.operation, data.result);
            }
        }
        uses
    }

    /// Notes a pointer that is loaded or stored.
    fn note_pointer(
        &mut self,
        kernel: &Kernel,
        points_to: &PointsTo,
        divisors: &Divisors,
        operation: &Operation,
        result: Option<Value>,
    ) {
        let (access, value) = match (operation, result) {
            (Operation::Load(access), Some(result)) => (access, result),
            (Operation::Store(access, value), _) => (access, *value),
            _ => return,
        };
        if !matches!(kernel.ty(value), Type::Pointer(_)) {
            return;
        }
        let aligned = divisors[access.pointer].is_multiple_of(u64::from(kernel.pointer_bits / 8));
        for array in &points_to[access.pointer].arrays {
            if let Some(used) = self.0.get_mut(array) {
                used.holds_pointers |= matches!(operation, Operation::Load(_));
                used.pointers_aligned &= aligned;
            }
        }
    }

    /// Whether some thread may write an array.
    pub fn is_written(&self, array: Array) -> bool {
        self.0.get(&array).is_some_and(|used| used.written)
    }

    /// Whether threads of different groups share an array that is written.
    pub fn any_shared_write(&self, kernel: &Kernel) -> bool {
        self.0.iter().any(|(&array, used)| used.written && kernel.arrays[array].space == Space::Global)
    }
}

/// The representation of an array's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// An array that nobody writes: a function of the offset.
    Function(Variable),
    /// A shared array that is written.
    Shared {
        /// The contents at the last barrier, the same for both threads; only for loads that
        /// [`Intervals::clean`] names.
        at_barrier: Variable,
        /// Each thread's own copy: these contents with the thread's writes since.
        own: Option<[Variable; 2]>,
    },
    /// An array that each thread has a copy of.
    Private([Variable; 2]),
    /// An array whose loads return anything.
    Adversarial,
}

impl Contents {
    /// The copies of an array that each thread writes by itself.
    pub fn copies(self) -> Option<[Variable; 2]> {
        match self {
            Self::Private(copies) => Some(copies),
            Self::Shared { own, .. } => own,
            Self::Function(_) | Self::Adversarial => None,
        }
    }
}

/// The state of an array in the program.
#[derive(Clone, Copy, Debug)]
pub struct ArrayState {
    /// The size of a cell in bytes.
    pub cell_bytes: u64,
    /// The width of a cell number.
    pub offset_bits: u32,
    /// The program's array if races on it are checked.
    pub checked: Option<sequential::Array>,
    /// The contents that loads return.
    pub contents: Contents,
    /// The pointers in a private array, where they are followed.
    pub pointers: Option<PointerCells>,
    /// For each thread, whether it has written (1) or not written (0) each cell of a private array,
    /// where loads depend on it.
    pub initialised: Option<[Variable; 2]>,
}

/// The pointers that each thread's copy of a private array holds. The array and the offset of a
/// pointer are indexed by the number of the pointer-sized piece that it lies in. A piece that holds
/// no pointer has [`NO_POINTER`] in place of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerCells {
    /// The tags of the arrays pointed to, per thread.
    pub tags: [Variable; 2],
    /// The offsets in them, per thread.
    pub offsets: [Variable; 2],
}

/// The tag that stands for data other than a pointer.
pub const NO_POINTER: u64 = 0xFFFE;

/// The arrays that are accessed.
#[derive(Clone, Debug, Default)]
pub struct Arrays(BTreeMap<Array, ArrayState>);

impl Arrays {
    /// Adds the variables of all accessed arrays to a program.
    pub fn new(
        program: &mut Program,
        kernel: &Kernel,
        uses: &Uses,
        asked_about: &BTreeSet<Array>,
        intervals: &Intervals,
        pair: Pair,
        options: &LockstepOptions,
    ) -> Self {
        let mut arrays = Self::default();
        for (&array, used) in &uses.0 {
            let used = Use { asked_about: asked_about.contains(&array), ..*used };
            arrays.0.insert(array, state(program, kernel, array, used, intervals, pair, options));
        }
        arrays
    }

    /// The state of an accessed array.
    pub fn get(&self, array: Array) -> ArrayState {
        *self.0.get(&array).expect("every accessed array was collected")
    }

    /// The state of an array, if it is accessed.
    pub fn find(&self, array: Array) -> Option<ArrayState> {
        self.0.get(&array).copied()
    }

    /// All accessed arrays, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Array, ArrayState)> + '_ {
        self.0.iter().map(|(&array, &state)| (array, state))
    }
}

fn state(
    program: &mut Program,
    kernel: &Kernel,
    array: Array,
    used: Use,
    intervals: &Intervals,
    pair: Pair,
    options: &LockstepOptions,
) -> ArrayState {
    let data = &kernel.arrays[array];
    let image = matches!(data.origin, ArrayOrigin::Image { .. });
    let offset_bits = match data.origin {
        ArrayOrigin::Image { dimensions } => 32 * u32::from(dimensions),
        ArrayOrigin::Parameter
        | ArrayOrigin::Variable
        | ArrayOrigin::Library
        | ArrayOrigin::Stack
        | ArrayOrigin::Aggregate => kernel.pointer_bits,
    };
    let element = u32::try_from(8 * used.cell_bytes).expect("a cell is at most as wide as an access");
    let map = Sort::Map { index: offset_bits, element };
    let e = &mut program.expressions;
    let contents = match data.space {
        _ if options.one_thread => Contents::Private(
            [0, 1].map(|t| e.add_variable(&format!("{}${}", data.name, t + 1), map, Some(t), Role::Contents)),
        ),
        // Only the thread itself can change its private memory, even if the source declares it
        // volatile.
        _ if image || (data.volatile && data.space != Space::Private) => Contents::Adversarial,
        Space::Private if data.origin == ArrayOrigin::Aggregate && !used.written => {
            Contents::Function(e.add_variable(&format!("contents.{}", data.name), map, None, Role::Input))
        }
        Space::Global | Space::Local if used.written && intervals.follows(array) => {
            let at_barrier = e.add_variable(&format!("contents.{}", data.name), map, None, Role::Contents);
            let own = intervals.reads_back(array).then(|| {
                [0, 1].map(|t| e.add_variable(&format!("{}${}", data.name, t + 1), map, Some(t), Role::Contents))
            });
            Contents::Shared { at_barrier, own }
        }
        // The initial contents of local memory differ between threads, but stay the same.
        Space::Local if used.written || options.adversarial => Contents::Adversarial,
        Space::Private | Space::Local => Contents::Private(
            [0, 1].map(|t| e.add_variable(&format!("{}${}", data.name, t + 1), map, Some(t), Role::Contents)),
        ),
        Space::Global | Space::Constant if !used.written => {
            Contents::Function(e.add_variable(&format!("contents.{}", data.name), map, None, Role::Input))
        }
        Space::Global | Space::Constant | Space::Generic => Contents::Adversarial,
    };
    let group_shared = data.space == Space::Local;
    let races = (used.written && !options.only_log || used.asked_about)
        && options.logs(data)
        && match pair {
            Pair::SameGroup | Pair::DifferentGroups => true,
            Pair::Alone => used.asynchronous || used.asked_about,
            Pair::SameThread => used.asynchronous,
        }
        && !(group_shared && pair == Pair::DifferentGroups);
    let checked = races.then(|| {
        let watched = program.expressions.add_variable(
            &format!("watched.{}", data.name),
            Sort::Bits(offset_bits),
            None,
            Role::Watched,
        );
        program.arrays.push(sequential::ArrayData {
            name: data.name.clone(),
            group_shared,
            cell_bytes: used.cell_bytes,
            watched,
            digits: Vec::new(),
            element: data.element.clone(),
            image: match data.origin {
                ArrayOrigin::Image { dimensions } => Some(dimensions),
                ArrayOrigin::Parameter
                | ArrayOrigin::Variable
                | ArrayOrigin::Library
                | ArrayOrigin::Stack
                | ArrayOrigin::Aggregate => None,
            },
        })
    });
    let followed = matches!(contents, Contents::Private(_))
        && data.space == Space::Private
        && used.holds_pointers
        && used.pointers_aligned;
    let pointers = followed.then(|| pointer_cells(program, &data.name, kernel.pointer_bits));
    let early = matches!(contents, Contents::Private(_))
        && used.read_early
        && data.origin == ArrayOrigin::Stack
        && !options.one_thread;
    let initialised = early.then(|| {
        let map = Sort::Map { index: offset_bits, element: 1 };
        let name = format!("{}.initialised", data.name);
        [0, 1].map(|t| program.expressions.add_variable(&format!("{name}${}", t + 1), map, Some(t), Role::Contents))
    });
    ArrayState { cell_bytes: used.cell_bytes, offset_bits, checked, contents, pointers, initialised }
}

fn pointer_cells(program: &mut Program, name: &str, bits: u32) -> PointerCells {
    let mut variables = |what: &str, element: u32| {
        [0, 1].map(|thread| {
            let name = format!("{name}.{what}${}", thread + 1);
            let sort = Sort::Map { index: bits, element };
            program.expressions.add_variable(&name, sort, Some(thread), Role::Contents)
        })
    };
    PointerCells { tags: variables("arrays", TAG_WIDTH), offsets: variables("offsets", bits) }
}
