//! Runs of a whole program: the host's code, and the kernels that it launches.
//!
//! The program gets the options that are given, and makes its launches with its own sizes, its own
//! arguments and its own contents of arrays. So a defect in such a run is one of the program, on
//! which no assumption is left. The launches of **watched** kernels are searched for races and for
//! accesses outside of what the host has allocated. The kernels run in the order of the program,
//! each to its end: one of the orders that a device may choose. A kernel that accesses memory
//! outside of an array, or that cannot be executed, ends the run, since the contents of memory are
//! not known any more.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use lockstep_findings::same_places;
use lockstep_host::memory::{Kind, Memory, ObjectId};
use lockstep_host::{Device, Launch, LaunchArguments, SetArgument, Stopped};
use lockstep_interpreter::memory::{Fill, Region};
use lockstep_interpreter::{
    Code, Event, Grid, How, Input, Races, Ran, Schedule, Workers, Wrong, bytes_at_once, is_of_launch,
};
use lockstep_ir::bits::Bits;
use lockstep_ir::host::HostProgram;
use lockstep_ir::kernel::transform::make_one;
use lockstep_ir::kernel::{
    Array, ArrayData, ArrayOrigin, Kernel, Language, NotPassed, Operation, Parameter, ParameterKind, Space, Type,
    Value, VerifiedKernel, verify,
};
use lockstep_options::deadline::Deadline;
use lockstep_options::launch::{Alias, DefaultLaunch, Passed};
use lockstep_transform::analysis::accesses::for_each_access;
use lockstep_transform::analysis::order::OrderedValues;
use lockstep_transform::analysis::pointers::points_to;
use lockstep_transform::lockstep::LockstepOptions;
use lockstep_verdict::{Finding, Witness};

use super::sought::Tried;
use super::{BYTES, Replay, code};

/// The option of `run` that runs the whole program.
pub const WHOLE_PROGRAM: &str = "--program";

/// The most findings that are kept for one kernel.
const MOST_FINDINGS: usize = 8;

/// The most pairs of overlapping pointers that are kept for one kernel.
const MOST_OVERLAPS: usize = 8;

/// A kernel of the program.
#[derive(Clone, Copy, Debug)]
pub struct KernelOfProgram<'a> {
    /// Its symbol, by which the host launches it.
    pub symbol: &'a str,
    /// The kernel.
    pub kernel: &'a VerifiedKernel,
    /// The arrays, by name, behind pointers in structs and variables, and those of variables.
    pub pointees: &'a [(Passed, String)],
    /// The variables of devices with their initial contents, which may be unknown.
    pub initial: &'a [(String, Option<Vec<u8>>)],
    /// Whether its launches are searched for defects.
    pub is_watched: bool,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most steps of the host.
    pub host_steps: u64,
    /// The most steps of all kernels.
    pub kernel_steps: u64,
    /// The most bytes of the host's memory and that of the device together. A launch takes several
    /// times those of its arrays.
    pub bytes: u64,
    /// The time at which the run is interrupted.
    pub deadline: Deadline,
    /// The workers that run the groups of a launch.
    pub workers: Workers,
    /// Whether the run ends at the first launch that has a defect.
    pub ends_at_defect: bool,
    /// Whether only those launches are searched that pass one buffer to several parameters.
    pub only_overlapping: bool,
}

/// The launches of watched kernels at one place.
#[derive(Clone, Debug)]
pub struct Launched {
    /// The kernel, by its index in the list.
    pub kernel: usize,
    /// The file and the line of the launch.
    pub place: Option<(String, u32)>,
    /// The sizes of the first launch.
    pub grid: Grid,
    /// The first launch, if all integers that the kernel gets are known and each array is a buffer
    /// of its own.
    pub first: Option<DefaultLaunch>,
    /// The threads per group of all launches.
    pub local_sizes: BTreeSet<[u32; 3]>,
    /// The number of launches that ran to their end.
    pub whole: u64,
    /// Those of them in which the program has put contents into all arrays that decide what is
    /// accessed, ...
    pub decided: u64,
    /// ... and those in which it has done so with all arrays that the kernel reads.
    pub filled: u64,
    /// Pairs of pointers that launches passed into one buffer, one of which the kernel writes
    /// through.
    pub overlaps: BTreeSet<Alias>,
    /// The defects, each in the first launch that has it.
    pub findings: Vec<Finding>,
}

/// A run of a program.
#[derive(Clone, Debug)]
pub struct ProgramRun {
    /// The launches of watched kernels, in the order in which they were first made.
    pub launched: Vec<Launched>,
    /// The end of the run.
    pub ended: lockstep_host::Ended,
    /// The number of steps of kernels.
    pub kernel_steps: u64,
}

/// Runs a program with these options.
pub fn run_program(
    program: &HostProgram,
    words: &[String],
    kernels: &[KernelOfProgram<'_>],
    options: &LockstepOptions,
    limits: Limits,
) -> ProgramRun {
    let mut side = DeviceSide {
        program,
        kernels,
        options,
        limits,
        left: limits.kernel_steps,
        variables: HashMap::new(),
        accessed: HashMap::new(),
        prepared: HashMap::new(),
        settled: HashMap::new(),
        launched: Vec::new(),
    };
    let of_host = lockstep_host::Limits { steps: limits.host_steps, deadline: limits.deadline, bytes: limits.bytes };
    let ended = lockstep_host::run(program, words, &mut side, of_host);
    let DeviceSide { launched, left, .. } = side;
    ProgramRun { launched, ended, kernel_steps: limits.kernel_steps - left }
}

/// The way in which the arrays of a launch lie in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Layout {
    /// Arrays that are parts of one buffer: the buffer's array, the part, and its first byte.
    parts: Vec<(Array, Array, u64)>,
    /// The arrays that null stands for.
    nulls: Vec<Array>,
}

/// The arrays that a kernel reads, and those that it writes.
#[derive(Default)]
struct Accessed {
    read: BTreeSet<Array>,
    written: BTreeSet<Array>,
}

/// A kernel whose arrays are the buffers of a launch.
struct PreparedKernel {
    kernel: VerifiedKernel,
    code: Code,
}

/// The kernels, and the variables of the device.
struct DeviceSide<'a> {
    program: &'a HostProgram,
    kernels: &'a [KernelOfProgram<'a>],
    options: &'a LockstepOptions,
    limits: Limits,
    left: u64,
    /// The objects of variables that the host does not mention.
    variables: HashMap<String, ObjectId>,
    /// The arrays that a kernel accesses, by its index.
    accessed: HashMap<usize, Rc<Accessed>>,
    prepared: HashMap<(usize, Layout), Rc<PreparedKernel>>,
    /// Launches that change nothing if they are made again while their memory is in this state.
    ///
    /// They read no object that they write, and have run to their ends: what they write depends on
    /// objects that are as they were, and is there already. Benchmarks repeat such launches.
    settled: HashMap<Made, Vec<(ObjectId, u64)>>,
    launched: Vec<Launched>,
}

/// A launch, apart from the contents of memory: the kernel, its sizes, the bytes of its arguments
/// with the sizes of their local memory, and the bytes of shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Made {
    kernel: usize,
    local_size: [u32; 3],
    num_groups: [u32; 3],
    global_offset: [u32; 3],
    dimensions: u32,
    bytes: Vec<Vec<u8>>,
    local: BTreeMap<Array, u64>,
    shared_bytes: u64,
    place: Option<u32>,
}

/// The place of an array of a launch: an object and a byte in it; none for the null pointer.
type Placed = Option<(ObjectId, u64)>;

impl Device for DeviceSide<'_> {
    fn launch(&mut self, launch: &Launch, memory: &mut Memory) -> Result<(), Stopped> {
        let index = self.kernels.iter().position(|kernel| kernel.symbol == launch.symbol);
        let not_read = || Stopped::not_known(format!("launches `{}`, which cannot be read", launch.symbol));
        let index = index.ok_or_else(not_read)?;
        let of_program = self.kernels[index];
        let arguments = Arguments::read(of_program.kernel, launch, memory)?;
        let places = self.places(index, &arguments, memory)?;
        let (layout, buffers) = buffers(&places);
        let is_searched = of_program.is_watched && !(self.limits.only_overlapping && layout.parts.is_empty());
        let accessed = self.accessed[&index].clone();
        let object_of = |array: &Array| places.get(array).copied().flatten().map(|(object, _)| object);
        let is_open = |array: &&Array| object_of(array).is_some_and(|object| !memory.has_contents(object));
        let open: BTreeSet<Array> = accessed.read.iter().filter(is_open).copied().collect();
        let written: BTreeSet<ObjectId> = accessed.written.iter().filter_map(object_of).collect();
        let prepared = self.prepared(index, layout)?;
        let grid = self.grid(of_program.kernel, launch);
        let first = arguments.as_default(of_program.kernel, &grid, (&places, memory));
        let made = Made::new(index, launch, &grid, &arguments);
        let overlaps = if of_program.is_watched { overlaps(of_program, &accessed, &places) } else { BTreeSet::new() };
        if self.settled.get(&made).is_some_and(|known| *known == state(&buffers, memory)) {
            if of_program.is_watched {
                self.note((index, launch), (grid, first), (Vec::new(), overlaps), Some(open));
            }
            return Ok(());
        }
        let input = input(&prepared.kernel, (&arguments, launch), &buffers, memory);
        if bytes_at_once(&prepared.code, &grid, &input) > BYTES {
            return Err(Stopped::limit("a launch needs too much memory"));
        }
        let how = self.how(is_searched);
        let ran = lockstep_interpreter::run(&prepared.code, &grid, input, how)
            .ok_or_else(|| Stopped::limit("a launch has too many threads"))?;
        self.left = self.left.saturating_sub(ran.steps.max(1));
        let kernel = (&prepared.kernel, &arguments);
        let found = if is_searched { self.findings(kernel, (launch, &grid), &ran) } else { Vec::new() };
        for (&array, &object) in &buffers {
            let region = &ran.regions[usize::try_from(array.as_u32()).expect("32 bits")];
            let contents = region.contents(region.size).flatten().collect();
            memory.replace_device(object, contents, written.contains(&object));
        }
        let mut stopped = Self::stopped(&prepared, &ran);
        let is_whole = stopped.is_none();
        let read: BTreeSet<ObjectId> = accessed.read.iter().filter_map(object_of).collect();
        if is_whole && ran.events.is_empty() && read.is_disjoint(&written) {
            self.settled.insert(made, state(&buffers, memory));
        }
        if of_program.is_watched {
            if self.limits.ends_at_defect && !found.is_empty() {
                stopped = Some(Stopped::limit("a launch has a defect"));
            }
            self.note((index, launch), (grid, first), (found, overlaps), is_whole.then_some(open));
        }
        stopped.map_or(Ok(()), Err)
    }

    fn required_group_size(&self, symbol: &str) -> Option<[u32; 3]> {
        let kernel = self.kernels.iter().find(|kernel| kernel.symbol == symbol)?;
        kernel.kernel.launch.required_group_size
    }
}

impl DeviceSide<'_> {
    /// A kernel whose arrays are these parts of buffers. Most launches of a kernel have the same.
    fn prepared(&mut self, index: usize, layout: Layout) -> Result<Rc<PreparedKernel>, Stopped> {
        if let Some(known) = self.prepared.get(&(index, layout.clone())) {
            return Ok(known.clone());
        }
        let prepared = Rc::new(PreparedKernel::new(self.kernels[index].kernel, &layout)?);
        self.prepared.insert((index, layout), prepared.clone());
        Ok(prepared)
    }

    fn grid(&self, kernel: &Kernel, launch: &Launch) -> Grid {
        let Launch { dimensions, local_size, num_groups, global_offset, .. } = *launch;
        let used = || (0..3).rev().find(|&d| local_size[d] > 1 || num_groups[d] > 1).unwrap_or(0);
        Grid {
            local_size,
            num_groups,
            global_offset,
            dimensions: dimensions.unwrap_or_else(|| u32::try_from(used() + 1).expect("three dimensions")),
            warp_size: self.options.warp_size_for(kernel.language).min(64),
        }
    }

    fn how(&self, is_watched: bool) -> How {
        let races = Races {
            tolerant: !self.options.no_benign_tolerance,
            within_groups: self.options.only_intra_group,
            between: None,
        };
        How {
            most_steps: self.left,
            schedule: Schedule::InOrder,
            warps_in_lock_step: self.options.warps_in_lock_step,
            lanes_apart: false,
            returned_arrive: self.options.exited_threads_arrive,
            races: is_watched.then_some(races),
            groups: None,
            workers: self.limits.workers,
            deadline: self.limits.deadline,
        }
    }

    /// The places of all arrays in memory of the launch.
    fn places(
        &mut self,
        index: usize,
        arguments: &Arguments,
        memory: &mut Memory,
    ) -> Result<BTreeMap<Array, Placed>, Stopped> {
        let of_program = self.kernels[index];
        let kernel = of_program.kernel;
        let mut places = BTreeMap::new();
        for (index, parameter) in kernel.passed().iter().enumerate() {
            if let ParameterKind::Pointer(array) = parameter.kind
                && is_of_launch(kernel.arrays[array].space)
            {
                places.insert(array, placed(arguments.pointer(index, 0), memory)?);
            }
        }
        for (passed, name) in of_program.pointees {
            let is_variable = matches!(passed, Passed::Variable(_));
            let is_other = |(other, of): &(Passed, String)| {
                of == name && other != passed && matches!(other, Passed::Variable(_)) == is_variable
            };
            let arrays = kernel.arrays.iter().filter(|(_, data)| data.name == *name && is_of_launch(data.space));
            let arrays: Vec<(Array, &ArrayData)> = arrays.collect();
            // Variables of several scopes may have one name in the source.
            if !arrays.is_empty() && of_program.pointees.iter().any(is_other) {
                return Err(Stopped::not_known(format!("launches a kernel with several variables `{name}`")));
            }
            for (array, data) in arrays {
                if is_variable != (data.origin == ArrayOrigin::Variable) || places.contains_key(&array) {
                    continue;
                }
                let place = match passed {
                    Passed::Parameter { index, at } => placed(arguments.pointer(*index, *at), memory)?,
                    Passed::Variable(symbol) => Some((self.variable(symbol, of_program, data, memory)?, 0)),
                    Passed::Held { variable, at } => {
                        let object = self.known_variable(variable, kernel.language, memory);
                        let bytes = object.and_then(|object| memory.bytes_of_device(object));
                        placed(bytes.and_then(|bytes| pointer_at(bytes, *at)), memory)?
                    }
                };
                places.insert(array, place);
            }
        }
        let accessed = match self.accessed.get(&index) {
            Some(known) => known.clone(),
            None => self.accessed.entry(index).or_insert(Rc::new(accessed(kernel)?)).clone(),
        };
        for &array in accessed.read.union(&accessed.written) {
            let data = &kernel.arrays[array];
            if is_of_launch(data.space) && data.contents.is_none() && !places.contains_key(&array) {
                return Err(Stopped::not_known(format!("launches a kernel whose `{}` is not followed", data.name)));
            }
        }
        Ok(places)
    }

    /// The object of a variable of the device, if there is one already.
    ///
    /// A host of OpenCL knows no such variable, but it may have one of its own with the name.
    fn known_variable(&self, symbol: &str, language: Language, memory: &Memory) -> Option<ObjectId> {
        let of_host = if language == Language::OpenCl { None } else { memory.variable(symbol) };
        of_host.or_else(|| self.variables.get(symbol).copied())
    }

    /// The object of a variable of the device.
    fn variable(
        &mut self,
        symbol: &str,
        of_program: KernelOfProgram<'_>,
        data: &ArrayData,
        memory: &mut Memory,
    ) -> Result<ObjectId, Stopped> {
        let initial = of_program.initial.iter().find(|(known, _)| known == symbol);
        let Some((_, Some(contents))) = initial else {
            let reason = format!("launches a kernel with the variable `{}`, whose contents are not known", data.name);
            return Err(Stopped::not_known(reason));
        };
        if let Some(object) = self.known_variable(symbol, of_program.kernel.language, memory) {
            return Ok(object);
        }
        let size = data.size.ok_or_else(|| Stopped::not_known("a variable of unknown size"))?;
        let address = memory.allocate(Kind::Device, size)?;
        let (object, _) = memory.object_at(address).ok_or_else(|| Stopped::not_known("a variable without memory"))?;
        memory.replace_device(object, contents.clone(), true);
        self.variables.insert(symbol.to_owned(), object);
        Ok(object)
    }

    /// The defects of a launch.
    fn findings(
        &self,
        (kernel, arguments): (&VerifiedKernel, &Arguments),
        (launch, grid): (&Launch, &Grid),
        ran: &Ran,
    ) -> Vec<Finding> {
        if ran.events.is_empty() {
            return Vec::new();
        }
        // The sizes are those of the buffers.
        let mut sized: Kernel = (**kernel).clone();
        for ((array, data), region) in sized.arrays.iter_mut().zip(&ran.regions) {
            if is_of_launch(data.space) {
                data.size = Some(region.size);
                data.sized_by = None;
            } else if data.space == Space::Local {
                data.size = Some(arguments.local_bytes(array, data, launch));
            }
        }
        let tried = Tried {
            local: grid.local_size.map(u64::from).to_vec(),
            groups: grid.num_groups.map(u64::from).to_vec(),
            parameters: arguments.scalars(kernel),
        };
        let Ok(sized) = verify(sized) else { return Vec::new() };
        let replay = Replay::new(&sized, self.options, [0; 3], grid.warp_size);
        let mut findings: Vec<Finding> = Vec::new();
        for mut finding in replay.shown(&ran.events, grid, &tried) {
            (finding.confirmed, finding.is_warning) = (true, false);
            finding.witness = Some(Witness { words: vec![WHOLE_PROGRAM.to_owned()], command: Vec::new() });
            let is_new = !findings.iter().any(|known| same_places(known, &finding));
            if is_new && findings.len() < MOST_FINDINGS {
                findings.push(finding);
            }
        }
        findings
    }

    /// The reason why nothing is known behind a launch.
    fn stopped(prepared: &PreparedKernel, ran: &Ran) -> Option<Stopped> {
        if ran.is_late {
            return Some(Stopped::limit("the time is up in a launch"));
        }
        if ran.broken_off {
            return Some(Stopped::limit("the steps of kernels are used up"));
        }
        ran.events.iter().find_map(|event| match event.what {
            Wrong::OutOfBounds { array: None, .. } => Some(Stopped::fault("a kernel accesses memory through null")),
            Wrong::OutOfBounds { .. } => Some(Stopped::fault("a kernel accesses memory outside of an array")),
            Wrong::Divergence { .. } | Wrong::Differs(_) => {
                Some(Stopped::fault("not all threads of a kernel reach a barrier"))
            }
            Wrong::Race(_)
            | Wrong::NotWaitedFor
            | Wrong::NobodyWaits { .. }
            | Wrong::NotInMask
            | Wrong::Unwritten { .. }
            | Wrong::Misaligned { .. } => None,
            Wrong::Assertion | Wrong::Trap => Some(Stopped::fault("a kernel traps")),
            _ => Some(prepared.not_executed(event)),
        })
    }

    fn note(
        &mut self,
        (kernel, launch): (usize, &Launch),
        (grid, first): (Grid, Option<DefaultLaunch>),
        (found, overlaps): (Vec<Finding>, BTreeSet<Alias>),
        open: Option<BTreeSet<Array>>,
    ) {
        let place = launch.place.and_then(|place| self.program.places.get(usize::try_from(place).ok()?).cloned());
        let known = self.launched.iter().position(|known| known.kernel == kernel && known.place == place);
        let known = known.unwrap_or_else(|| {
            self.launched.push(Launched {
                kernel,
                place,
                grid,
                first,
                local_sizes: BTreeSet::new(),
                whole: 0,
                decided: 0,
                filled: 0,
                overlaps: BTreeSet::new(),
                findings: Vec::new(),
            });
            self.launched.len() - 1
        });
        let launched = &mut self.launched[known];
        launched.local_sizes.insert(grid.local_size);
        if let Some(open) = open {
            launched.whole += 1;
            let is_decided = OrderedValues::of_contents(self.kernels[kernel].kernel, &open);
            launched.decided += u64::from(!is_decided.decide_any_access(self.kernels[kernel].kernel));
            launched.filled += u64::from(open.is_empty());
        }
        for overlap in overlaps {
            if launched.overlaps.len() < MOST_OVERLAPS {
                launched.overlaps.insert(overlap);
            }
        }
        for finding in found {
            if !launched.findings.iter().any(|known| same_places(known, &finding)) {
                launched.findings.push(finding);
            }
        }
    }
}

impl Replay<'_> {
    /// The defects among the events of a run.
    fn shown(&self, events: &[Event], grid: &Grid, launch: &Tried) -> Vec<Finding> {
        let findings = self.defined(events).into_iter().filter_map(|event| match event.what {
            Wrong::OutOfBounds { array: None, .. } => self.through_null(event, grid, launch),
            Wrong::Divergence { .. } => self.diverging(event, grid, launch),
            _ => self.found(event, grid, launch),
        });
        // Without debug information, a finding has no place in the source.
        findings.filter(|finding| finding.accesses.iter().all(|access| access.line > 0)).collect()
    }
}

/// The arrays that a kernel accesses.
///
/// The addresses of a run are not those of the interpreter, so a kernel that takes pointers from
/// memory, or puts them there, is not executed.
fn accessed(kernel: &Kernel) -> Result<Accessed, Stopped> {
    let targets = points_to(kernel);
    let is_in_launch = |pointer: Value| {
        let of = &targets[pointer];
        of.unknown || of.arrays.iter().any(|array| is_of_launch(kernel.arrays[*array].space))
    };
    let mut all = Accessed::default();
    for data in kernel.instructions.values() {
        let mut follows = match &data.operation {
            Operation::Load(access) => {
                let is_pointer = data.result.is_some_and(|result| matches!(kernel.ty(result), Type::Pointer(_)));
                is_pointer && is_in_launch(access.pointer)
            }
            Operation::Store(access, value) => {
                matches!(kernel.ty(*value), Type::Pointer(_)) && is_in_launch(access.pointer)
            }
            Operation::IntegerToPointer(_) => true,
            _ => false,
        };
        for_each_access(kernel, &data.operation, data.result, |access| {
            follows |= targets[access.pointer].unknown;
            let arrays = targets[access.pointer].arrays.iter().copied();
            if access.writes {
                all.written.extend(arrays.clone());
            }
            if !access.writes || access.atomic {
                all.read.extend(arrays);
            }
        });
        if follows {
            return Err(Stopped::not_known("launches a kernel that follows pointers in memory"));
        }
    }
    Ok(all)
}

impl PreparedKernel {
    fn new(kernel: &VerifiedKernel, layout: &Layout) -> Result<Self, Stopped> {
        let mut changed: Kernel = (**kernel).clone();
        for &(whole, part, distance) in &layout.parts {
            changed = make_one(changed, [whole, part], distance);
        }
        for data in changed.instructions.values_mut() {
            if matches!(data.operation, Operation::ArrayBase(array) if layout.nulls.contains(&array)) {
                data.operation = Operation::Null;
            }
        }
        let kernel = verify(changed).map_err(|_| Stopped::not_known("passes parts of one buffer"))?;
        Ok(Self { code: code(&kernel), kernel })
    }

    /// The end of a run in which a thread does something that is not executed.
    fn not_executed(&self, event: &Event) -> Stopped {
        let what = match event.what {
            Wrong::Refused(number) => self.code.refusal(number).to_owned(),
            Wrong::Unknown(number) => format!("`{}`, whose result is not known", self.code.function(number)),
            Wrong::Undefined(arithmetic) | Wrong::AnyValue(arithmetic) => arithmetic.text(),
            _ => "something that the language leaves undefined".to_owned(),
        };
        let place = self.code.place(event.at).map(|location| {
            let data = &self.kernel.locations[location];
            format!(" ({}:{})", self.kernel.files[data.file], data.line)
        });
        Stopped::not_known(format!("a kernel does {what}{}", place.unwrap_or_default()))
    }
}

impl Made {
    fn new(kernel: usize, launch: &Launch, grid: &Grid, arguments: &Arguments) -> Self {
        Self {
            kernel,
            local_size: grid.local_size,
            num_groups: grid.num_groups,
            global_offset: grid.global_offset,
            dimensions: grid.dimensions,
            bytes: arguments.bytes.clone(),
            local: arguments.local.clone(),
            shared_bytes: launch.shared_bytes,
            place: launch.place,
        }
    }
}

/// The versions of all memory of a launch.
fn state(buffers: &BTreeMap<Array, ObjectId>, memory: &Memory) -> Vec<(ObjectId, u64)> {
    buffers.values().map(|&object| (object, memory.version(object))).collect()
}

/// The pairs of pointers of a launch that lead into one object, one of which is written through.
fn overlaps(of_program: KernelOfProgram<'_>, accessed: &Accessed, places: &BTreeMap<Array, Placed>) -> BTreeSet<Alias> {
    let known = places.iter().filter_map(|(&array, place)| Some((array, (*place)?)));
    let known = known.filter(|(array, _)| accessed.read.contains(array) || accessed.written.contains(array));
    let known: Vec<(Array, (ObjectId, u64))> = known.collect();
    let mut found = BTreeSet::new();
    for (index, &(first, (object, from))) in known.iter().enumerate() {
        for &(second, (other, to)) in &known[index + 1..] {
            let is_written = [first, second].iter().any(|array| accessed.written.contains(array));
            if object == other
                && is_written
                && let (Some(first), Some(second)) = (passed_as(of_program, first), passed_as(of_program, second))
            {
                found.insert(Alias { passed: [first, second], distance: to.wrapping_sub(from).cast_signed() });
            }
        }
    }
    found
}

/// The pointer that leads to an array.
fn passed_as(of_program: KernelOfProgram<'_>, array: Array) -> Option<Passed> {
    let kernel = of_program.kernel;
    let is_parameter = |parameter: &Parameter| parameter.kind == ParameterKind::Pointer(array);
    if let Some(index) = kernel.passed().iter().position(is_parameter) {
        return Some(Passed::Parameter { index, at: 0 });
    }
    let data = &kernel.arrays[array];
    let is_variable = data.origin == ArrayOrigin::Variable;
    let is_meant =
        |(passed, name): &&(Passed, String)| *name == data.name && matches!(passed, Passed::Variable(_)) == is_variable;
    of_program.pointees.iter().find(is_meant).map(|(passed, _)| passed.clone())
}

/// The arrays that are parts of others, and the object of each array that has one of its own.
fn buffers(places: &BTreeMap<Array, Placed>) -> (Layout, BTreeMap<Array, ObjectId>) {
    let (mut layout, mut buffers) = (Layout::default(), BTreeMap::new());
    let mut owners: HashMap<ObjectId, Array> = HashMap::new();
    for (&array, place) in places {
        let Some((object, offset)) = *place else {
            layout.nulls.push(array);
            continue;
        };
        let owner = *owners.entry(object).or_insert(array);
        if owner == array {
            buffers.insert(array, object);
        }
        // A part at the beginning of its own buffer is all of it.
        if owner != array || offset != 0 {
            layout.parts.push((owner, array, offset));
        }
    }
    // The pointers to an owner move before others are made pointers into it.
    layout.parts.sort_by_key(|(owner, array, _)| owner != array);
    (layout, buffers)
}

/// The place that an address points to.
fn placed(address: Option<u64>, memory: &Memory) -> Result<Placed, Stopped> {
    let address = address.ok_or_else(|| Stopped::not_known("passes a pointer that is not known"))?;
    if address == 0 {
        return Ok(None);
    }
    let (object, offset) = memory.object_at(address).ok_or_else(|| Stopped::fault("passes a pointer to nothing"))?;
    if memory.bytes_of_device(object).is_none() {
        return Err(Stopped::not_known("passes a kernel memory of the host"));
    }
    Ok(Some((object, offset)))
}

fn pointer_at(bytes: &[u8], at: u64) -> Option<u64> {
    let start = usize::try_from(at).ok()?;
    let bytes = bytes.get(start..start.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// The arguments of a launch, as bytes for each parameter that is passed.
struct Arguments {
    bytes: Vec<Vec<u8>>,
    /// The sizes of local memory that parameters point to.
    local: BTreeMap<Array, u64>,
}

impl Arguments {
    fn read(kernel: &Kernel, launch: &Launch, memory: &Memory) -> Result<Self, Stopped> {
        match &launch.arguments {
            LaunchArguments::Pointers(pointers) => Self::behind(kernel, *pointers, memory),
            LaunchArguments::Set(set) => Self::set(kernel, set),
        }
    }

    /// The arguments behind an array of pointers.
    fn behind(kernel: &Kernel, pointers: u64, memory: &Memory) -> Result<Self, Stopped> {
        let mut bytes = Vec::new();
        for (index, parameter) in (0..).zip(kernel.passed()) {
            let size = size_of(kernel, parameter);
            let pointer = memory.read(pointers.wrapping_add(8 * index), 8)?;
            let address = pointer_at(pointer, 0).unwrap_or(0);
            bytes.push(if size == 0 { Vec::new() } else { memory.read(address, size)?.to_vec() });
        }
        Ok(Self { bytes, local: BTreeMap::new() })
    }

    /// The arguments that were set one by one.
    fn set(kernel: &Kernel, set: &[Option<SetArgument>]) -> Result<Self, Stopped> {
        let (name, passed) = (&kernel.name, kernel.passed());
        if set.len() > passed.len() {
            let (last, all) = (set.len() - 1, passed.len());
            return Err(Stopped::fault(format!("sets argument {last} of `{name}`, which has {all}")));
        }
        let mut arguments = Self { bytes: Vec::new(), local: BTreeMap::new() };
        for (index, parameter) in passed.iter().enumerate() {
            let Some(argument) = set.get(index).and_then(Option::as_ref) else {
                return Err(Stopped::fault(format!("launches `{name}` before its argument {index} is set")));
            };
            let bytes = arguments.one(kernel, parameter, argument).map_err(|stopped| {
                let reason = format!("sets argument {index} of `{name}` {}", stopped.reason);
                Stopped { reason, ..stopped }
            });
            arguments.bytes.push(bytes?);
        }
        Ok(arguments)
    }

    /// The bytes of an argument that was set. An error says what it is set to.
    fn one(&mut self, kernel: &Kernel, parameter: &Parameter, argument: &SetArgument) -> Result<Vec<u8>, Stopped> {
        const NOT_KNOWN: &str = "to an image, a sampler or the like, which are not known";
        let pointer = match parameter.kind {
            ParameterKind::Pointer(array) if matches!(kernel.arrays[array].origin, ArrayOrigin::Image { .. }) => {
                return Err(Stopped::not_known(NOT_KNOWN));
            }
            ParameterKind::Pointer(array) => Some((array, kernel.arrays[array].space)),
            _ => None,
        };
        match (pointer, argument) {
            (Some((array, Space::Local)), SetArgument::Memory(size)) => {
                self.local.insert(array, *size);
                Ok(vec![0; 8])
            }
            (Some((_, Space::Local)), SetArgument::Bytes { .. }) => {
                Err(Stopped::fault("to a value: it is local memory"))
            }
            (Some(_), SetArgument::Memory(8)) => Ok(vec![0; 8]),
            (Some(_), SetArgument::Bytes { buffer: Some(address), .. }) => Ok(address.to_le_bytes().to_vec()),
            (Some(_), SetArgument::Bytes { bytes, .. }) if *bytes == [0; 8] => Ok(bytes.clone()),
            (Some(_), _) => Err(Stopped::fault("to no buffer: it points to memory of the device")),
            (None, SetArgument::Memory(_)) => Err(Stopped::fault("to local memory: it is a value")),
            (None, SetArgument::Bytes { bytes, .. }) => match size_of(kernel, parameter) {
                0 => Err(Stopped::not_known(NOT_KNOWN)),
                size => of_size(bytes, size).map_err(Stopped::fault),
            },
        }
    }

    /// The size of an array in local memory.
    ///
    /// A variable without a size takes the bytes of the launch.
    fn local_bytes(&self, array: Array, data: &ArrayData, launch: &Launch) -> u64 {
        self.local.get(&array).copied().or(data.size).unwrap_or(launch.shared_bytes)
    }

    /// The pointer at a byte of a parameter.
    fn pointer(&self, index: usize, at: u64) -> Option<u64> {
        pointer_at(self.bytes.get(index)?, at)
    }

    /// The bytes of a scalar parameter, passed or a field of a struct.
    fn of_scalar(&self, kernel: &Kernel, index: usize, width: u32) -> Option<&[u8]> {
        let passed = kernel.passed().len();
        let (parameter, at) = match index.checked_sub(passed) {
            None => (index, 0),
            Some(behind) => match kernel.not_passed.get(behind)? {
                NotPassed::Field(field) => (usize::try_from(field.parameter).ok()?, usize::try_from(field.at).ok()?),
                NotPassed::Host => return None,
            },
        };
        self.bytes.get(parameter)?.get(at..at + usize::try_from(width.div_ceil(8)).ok()?)
    }

    /// The integers of a launch, one for each parameter.
    fn integers(&self, kernel: &Kernel) -> Vec<Option<Bits>> {
        let number = |(index, parameter): (usize, &Parameter)| {
            let ParameterKind::Scalar(Type::Bits(width)) = parameter.kind else { return None };
            let bytes = self.of_scalar(kernel, index, width).filter(|bytes| bytes.len() <= 8)?;
            Some(Bits::new(width, lockstep_interpreter::memory::number(bytes)))
        };
        kernel.parameters.iter().enumerate().map(number).collect()
    }

    /// The integers of a launch, by name.
    fn scalars(&self, kernel: &Kernel) -> Vec<(String, Bits)> {
        let named = kernel.parameters.iter().zip(self.integers(kernel));
        named.filter_map(|(parameter, value)| Some((parameter.name.clone(), value?))).collect()
    }

    /// The launch as one that is known before any run, if there can be such a one.
    fn as_default(
        &self,
        kernel: &Kernel,
        grid: &Grid,
        (places, memory): (&BTreeMap<Array, Placed>, &Memory),
    ) -> Option<DefaultLaunch> {
        let mut objects = BTreeSet::new();
        if !places.values().all(|place| place.is_some_and(|(object, _)| objects.insert(object))) {
            return None;
        }
        let bytes = |parameter: &Parameter| {
            let ParameterKind::Pointer(array) = parameter.kind else { return None };
            let (object, offset) = (*places.get(&array)?)?;
            u64::try_from(memory.bytes_of_device(object)?.len()).ok()?.checked_sub(offset)
        };
        let launch = DefaultLaunch {
            num_groups: grid.num_groups,
            local_size: grid.local_size,
            arguments: self.integers(kernel),
            array_bytes: kernel.passed().iter().map(bytes).collect(),
            dimensions: Some(usize::try_from(grid.dimensions).ok()?),
        };
        launch.is_complete_for(kernel).then_some(launch)
    }
}

/// The size of a parameter in bytes; 0 for one whose bytes do not matter.
fn size_of(kernel: &Kernel, parameter: &Parameter) -> u64 {
    match &parameter.kind {
        ParameterKind::Scalar(ty) => u64::from(ty.width().unwrap_or(64).div_ceil(8)),
        ParameterKind::Pointer(_) => 8,
        ParameterKind::Aggregate(array) => kernel.arrays[*array].size.unwrap_or(0),
        ParameterKind::Opaque => 0,
    }
}

/// Bytes as an argument of this size. A vector of three elements has room for four.
fn of_size(bytes: &[u8], size: u64) -> Result<Vec<u8>, String> {
    let (given, wanted) = (bytes.len(), usize::try_from(size).unwrap_or(usize::MAX));
    if given == wanted || (given > wanted && given == wanted.next_power_of_two() && wanted % 3 == 0) {
        return Ok(bytes[..wanted].to_vec());
    }
    Err(format!("with {given} bytes, and it has {wanted}"))
}

/// The input of a launch.
fn input(
    kernel: &Kernel,
    (arguments, launch): (&Arguments, &Launch),
    buffers: &BTreeMap<Array, ObjectId>,
    memory: &Memory,
) -> Input {
    let mut input = Input { regions: Vec::new(), local_bytes: Vec::new(), private: Vec::new(), values: Vec::new() };
    for (number, (array, data)) in kernel.arrays.iter().enumerate() {
        let bytes = buffers.get(&array).and_then(|object| memory.bytes_of_device(*object));
        let bytes = bytes.or_else(|| data.contents.as_deref().filter(|_| is_of_launch(data.space)));
        let bytes = bytes.unwrap_or_default().to_vec();
        input.regions.push(Region::new(u64::try_from(bytes.len()).unwrap_or(0), Fill::Bytes(bytes)));
        let local = if data.space == Space::Local { arguments.local_bytes(array, data, launch) } else { 0 };
        input.local_bytes.push(local);
        if let (Space::Private, Some(contents)) = (data.space, &data.contents) {
            input.private.push((number, contents.clone()));
        }
    }
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        match &parameter.kind {
            ParameterKind::Scalar(ty) => {
                let width = ty.width().unwrap_or(64);
                let Some(bytes) = arguments.of_scalar(kernel, index, width) else { continue };
                let words = bytes.chunks(8).map(lockstep_interpreter::memory::number).collect();
                input.values.push((u32::try_from(index).unwrap_or(u32::MAX), words));
            }
            ParameterKind::Aggregate(array) => {
                let number = usize::try_from(array.as_u32()).expect("32 bits");
                input.private.retain(|(other, _)| *other != number);
                input.private.push((number, arguments.bytes[index].clone()));
            }
            ParameterKind::Pointer(_) | ParameterKind::Opaque => {}
        }
    }
    input
}
