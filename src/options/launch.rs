//! The launch that a kernel is verified for: the number and sizes of its groups.
//!
//! [`parse_size`] reads a size as the command line spells it. [`LaunchRequest::check`] finds errors
//! in the sizes alone. [`LaunchRequest::resolve`] combines the sizes with those in a kernel's
//! source into the kernel's [`Launch`].

pub mod allocations;
pub mod nd_range;
pub mod places;
pub mod ranges;
pub mod recorded;
pub mod relations;
mod size;

use std::collections::BTreeSet;

use lockstep_ir::assumption::{Assumed, Assumption, Assumptions};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ArrayData, ArrayOrigin, Kernel, LaunchBounds, Operation, Space, ThreadQuery};

use allocations::{Allocated, Allocation};
use nd_range::NdRange;
use places::ArgumentPlace;
use ranges::HostRange;
use relations::{HostNumber, Relation, Term};
pub use size::{Extent, Size, known_product, parse_size};
use size::{LARGEST, least_product, padded, show};

/// The sizes of a launch in its three dimensions. Dimensions beyond those given have size 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Threads per group.
    pub local_size: [Extent; 3],
    /// Groups.
    pub num_groups: [Extent; 3],
    /// Threads in the launch, if they are given while the group size or count is open. Always a
    /// multiple of the group size.
    pub global_size: [Extent; 3],
    /// The first global id.
    pub global_offset: [u32; 3],
    /// The number of dimensions of the launch, if known: the result of `get_work_dim`.
    pub dimensions: Option<u32>,
    /// The maximum number of threads in a group of open size (`--max-group-size`).
    pub max_group_size: u32,
    /// Every launch of open size has fewer threads than this (`--max-launch-threads`).
    pub max_launch_threads: u64,
}

impl Launch {
    /// The same launch with one thread in each group.
    #[must_use]
    pub fn of_single_threads(&self) -> Self {
        Self { local_size: [Extent::Known(1); 3], ..self.clone() }
    }
}

impl Default for Launch {
    /// A launch with everything open.
    fn default() -> Self {
        Self {
            local_size: [Extent::Open; 3],
            num_groups: [Extent::Open; 3],
            global_size: [Extent::Open; 3],
            global_offset: [0; 3],
            dimensions: None,
            max_group_size: 1024,
            max_launch_threads: 1 << 31,
        }
    }
}

/// The sizes and integer arguments of a launch if nobody gives the program options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultLaunch {
    /// Groups.
    pub num_groups: [u32; 3],
    /// Threads per group.
    pub local_size: [u32; 3],
    /// The arguments as the host passes them; `None` if one is not known.
    pub arguments: Vec<Option<Bits>>,
    /// The bytes behind the pointers among the arguments; `None` if they are not known.
    pub array_bytes: Vec<Option<u64>>,
    /// The number of dimensions; by default as many as have a size that is not 1.
    pub dimensions: Option<usize>,
}

/// A launch in the source's host code. Values that are not constant there are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLaunch {
    /// Threads per group.
    pub local_size: [Extent; 3],
    /// Groups.
    pub num_groups: [Extent; 3],
    /// The size of the memory that `extern __shared__` names, in bytes; `None` is open.
    pub shared_bytes: Option<u64>,
    /// The integers that the host passes; `None` if not constant.
    pub arguments: Vec<Option<Bits>>,
    /// The places of these in the parameters.
    pub places: Vec<ArgumentPlace>,
    /// Dependencies between sizes and arguments.
    pub relations: Vec<Relation>,
    /// The ranges of sizes and arguments.
    pub ranges: Vec<(Term, HostRange)>,
    /// The host's own numbers in the relations.
    pub host: Vec<HostNumber>,
    /// The launch without options.
    pub by_default: Option<DefaultLaunch>,
    /// The memory that the host allocates for the pointers.
    pub allocated: Option<Box<Allocated>>,
    /// Whether each argument is computed where that is not followed, so that the host may never
    /// pass some numbers that its ranges and relations leave.
    pub computed_elsewhere: Vec<bool>,
    /// Whether the host computes the threads per group where that is not followed.
    pub groups_elsewhere: bool,
    /// Whether it may be in code that `main` reaches, or there is no `main`.
    pub is_reached: bool,
    /// Pairs of pointers that the host passes into one piece of memory.
    pub aliases: Vec<Alias>,
    /// Pointers that were followed to the end, and of which no two come together on the way.
    pub apart: Vec<Passed>,
    /// The facts that only a launch of OpenCL has.
    pub nd_range: Option<NdRange>,
    /// The file of the launch.
    pub file: String,
    /// The line of the launch.
    pub line: u32,
}

/// The origin of a kernel's pointer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passed {
    /// A parameter, by its index, or the contents of a struct parameter at a byte offset.
    Parameter {
        /// The index of the parameter.
        index: usize,
        /// The byte offset in it.
        at: u64,
    },
    /// The value that the host has stored in a variable of the device.
    Held {
        /// The variable, by its symbol.
        variable: String,
        /// The byte offset in it.
        at: u64,
    },
    /// A variable of the device itself, by its symbol.
    Variable(String),
}

/// Two pointers of a kernel that point into one piece of memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alias {
    /// The origins of the two pointers.
    pub passed: [Passed; 2],
    /// The distance in bytes from the first pointer to the second.
    pub distance: i64,
}

impl SourceLaunch {
    /// The launch's request for this kernel, in place of the sizes of another request.
    pub fn request(&self, kernel: Option<&Kernel>, other: &LaunchRequest) -> LaunchRequest {
        let one = Extent::Known(1);
        let used = (0..3).rev().find(|&d| self.local_size[d] != one || self.num_groups[d] != one).unwrap_or(0) + 1;
        let used = self.nd_range.as_ref().map_or(used, NdRange::used);
        LaunchRequest {
            local_size: Some(self.local_size[..used].to_vec()),
            num_groups: Some(self.num_groups[..used].to_vec()),
            // The size makes no difference to kernels without such memory.
            shared_bytes: self
                .shared_bytes
                .filter(|_| kernel.is_some_and(|kernel| kernel.arrays.values().any(is_sized_by_launch))),
            arguments: kernel.map(|kernel| self.arguments_of(kernel)).unwrap_or_default(),
            relations: kernel.map(|kernel| self.relations_of(kernel)).unwrap_or_default(),
            ranges: kernel.map(|kernel| self.ranges_of(kernel)).unwrap_or_default(),
            host: self.host.clone(),
            by_default: kernel.and_then(|kernel| self.default_of(kernel)),
            allocated: kernel.and_then(|kernel| self.allocated_in(kernel)).map(Box::new),
            computed_elsewhere: kernel.map(|kernel| self.computed_elsewhere_in(kernel)).unwrap_or_default(),
            groups_elsewhere: self.groups_elsewhere,
            aliases: self.aliases.clone(),
            apart: self.apart.clone(),
            global_size: self.nd_range.as_ref().and_then(|range| range.global_size(&self.local_size)),
            global_offset: self.nd_range.as_ref().map_or(other.global_offset, |range| range.global_offset),
            array_bytes: self.array_bytes_of(kernel),
            ..other.clone()
        }
    }
}

/// An error in the sizes of a launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The text is not a size.
    #[error("`{0}` is not a size: write 64, 16x16, 16,16 or [16,16], with `*` for a dimension left open")]
    NotASize(String),
    /// A dimension of size 0.
    #[error("a size of 0 in `{0}`: every dimension has at least one thread")]
    Zero(String),
    /// A dimension too large for a device.
    #[error("`{0}` is more than 2^31 threads in a dimension")]
    TooLarge(String),
    /// Groups larger than any device runs.
    #[error("groups of {0} threads are more than 2^31 threads in a group")]
    GroupTooLarge(String),
    /// The given sizes leave no launch that is small enough.
    #[error(
        "at least {least} threads, where sizes are left open for launches of fewer than {most} (--max-launch-threads)"
    )]
    LaunchTooLarge {
        /// The number of threads of the smallest launch with the given sizes.
        least: u64,
        /// The limit.
        most: u64,
    },
    /// More than three dimensions.
    #[error("`{0}` has more than three dimensions")]
    TooManyDimensions(String),
    /// The global size is not a multiple of the group size.
    #[error("global size {global} is not a multiple of local size {local} in dimension {dimension}")]
    DoesNotDivide {
        /// The dimension, from 0.
        dimension: usize,
        /// Threads in the launch.
        global: u32,
        /// Threads per group.
        local: u32,
    },
    /// Group size or count and number of threads contradict each other.
    #[error("{groups} groups of {local} threads are not a global size of {global} in dimension {dimension}")]
    NotTheGlobalSize {
        /// The dimension, from 0.
        dimension: usize,
        /// Threads in the launch.
        global: u32,
        /// Threads per group; any number if open.
        local: String,
        /// Groups.
        groups: u32,
    },
    /// Global size and group size or count differ in their number of dimensions.
    #[error(
        "the global size has {} and the {what} {}: give both the same number", dimensions(*.global), dimensions(*.other)
    )]
    DimensionsDiffer {
        /// Dimensions of the global size.
        global: usize,
        /// The size that the global size is compared with.
        what: &'static str,
        /// Dimensions of that size.
        other: usize,
    },
    /// The source requires another group size.
    #[error("local size {given} contradicts the source: reqd_work_group_size({required})")]
    NotTheRequiredSize {
        /// The size given.
        given: String,
        /// The size the source requires.
        required: String,
    },
    /// The source allows only smaller groups.
    #[error("a group of {given} threads is larger than the source allows: at most {allowed}")]
    LargerThanAllowed {
        /// Threads per group.
        given: u64,
        /// The maximum that the source allows.
        allowed: u32,
    },
}

/// The sizes that the command line gives, before a kernel is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchRequest {
    /// Threads per group.
    pub local_size: Option<Size>,
    /// Groups.
    pub num_groups: Option<Size>,
    /// Threads in the launch.
    pub global_size: Option<Size>,
    /// The first global id.
    pub global_offset: [u32; 3],
    /// The size of the memory that `extern __shared__` names, in bytes; `None` is open.
    pub shared_bytes: Option<u64>,
    /// The values of the first parameters in the source's launch; `None` is open.
    pub arguments: Vec<Option<Bits>>,
    /// Relations between the sizes and arguments of the source's launch.
    pub relations: Vec<Relation>,
    /// The ranges of sizes and arguments in the source's launch.
    pub ranges: Vec<(Term, HostRange)>,
    /// The host's own numbers in these relations.
    pub host: Vec<HostNumber>,
    /// The source's launch without options, if that fixes every integer argument.
    pub by_default: Option<DefaultLaunch>,
    /// The memory that the host of the source's launch allocates, which this request leaves open.
    pub allocated: Option<Box<Allocated>>,
    /// The sizes of the memory behind the source's launch's pointers.
    pub allocations: Vec<Allocation>,
    /// The parameters that the host computes where that is not followed.
    pub computed_elsewhere: BTreeSet<usize>,
    /// Whether the host computes the threads per group where that is not followed.
    pub groups_elsewhere: bool,
    /// Pairs of pointers that the source's launch passes into one piece of memory.
    pub aliases: Vec<Alias>,
    /// Pointers of the source's launch of which it is known that no two share memory.
    pub apart: Vec<Passed>,
    /// The bytes behind the source's launch's pointers, one for each parameter; `None` is open.
    pub array_bytes: Vec<Option<u64>>,
    /// The maximum number of threads in a group of open size.
    pub max_group_size: u32,
    /// Every launch of open size has fewer threads than this.
    pub max_launch_threads: u64,
}

impl LaunchRequest {
    /// A request that covers several requests. In each dimension, and for each argument, it has the
    /// value that all requests share, or leaves it open. The requests give group sizes and numbers
    /// of groups only.
    pub fn joined(requests: &[Self]) -> Option<Self> {
        let first = requests.first()?;
        let join = |of: fn(&Self) -> &Option<Size>| {
            let sizes: Vec<&[Extent]> = requests.iter().map(|one| of(one).as_deref().unwrap_or_default()).collect();
            let dimensions = sizes.iter().map(|size| size.len()).max().unwrap_or(0);
            let joined = (0..dimensions).map(|d| {
                let mut here = sizes.iter().map(|size| size.get(d).copied().unwrap_or(Extent::Known(1)));
                let first = here.next().unwrap_or(Extent::Open);
                if here.all(|other| other == first) { first } else { Extent::Open }
            });
            Some(joined.collect())
        };
        let shared_bytes =
            first.shared_bytes.filter(|bytes| requests.iter().all(|one| one.shared_bytes == Some(*bytes)));
        let argument = |(index, value): (usize, &Option<Bits>)| {
            value.clone().filter(|_| requests.iter().all(|one| one.arguments.get(index) == Some(value)))
        };
        let arguments = first.arguments.iter().enumerate().map(argument).collect();
        let global_size =
            first.global_size.clone().filter(|size| requests.iter().all(|one| one.global_size.as_ref() == Some(size)));
        let array_bytes = nd_range::joined(requests.iter().map(|one| one.array_bytes.as_slice()));
        let of_all = |relation: &&Relation| {
            !relation.names_host() && requests.iter().all(|one| one.relations.contains(relation))
        };
        let relations = first.relations.iter().filter(of_all).cloned().collect();
        let aliases = requests.iter().flat_map(|one| &one.aliases).cloned().collect::<BTreeSet<_>>();
        let of_launch = |number: &Term| !matches!(number, Term::Host { .. });
        let numbers = first.ranges.iter().map(|(number, _)| number.clone()).filter(of_launch);
        let numbers =
            numbers.chain(first.arguments.iter().enumerate().filter_map(|(index, value)| {
                value.as_ref().map(|value| Term::Argument { index, width: value.width() })
            }));
        let hull = |number: Term| {
            let ranges: Option<Vec<HostRange>> = requests.iter().map(|one| one.range(&number)).collect();
            ranges?.into_iter().reduce(|a, b| a.or(&b)).map(|range| (number, range))
        };
        let ranges = numbers.filter_map(hull).filter(|(_, range)| range.number().is_none()).collect();
        Some(Self {
            ranges,
            host: Vec::new(),
            allocated: None,
            computed_elsewhere: requests.iter().flat_map(|one| one.computed_elsewhere.iter().copied()).collect(),
            groups_elsewhere: requests.iter().any(|one| one.groups_elsewhere),
            aliases: aliases.into_iter().collect(),
            apart: first
                .apart
                .iter()
                .filter(|passed| requests.iter().all(|one| one.apart.contains(passed)))
                .cloned()
                .collect(),
            local_size: join(|one| &one.local_size),
            num_groups: join(|one| &one.num_groups),
            shared_bytes,
            arguments,
            relations,
            global_size,
            array_bytes,
            ..first.clone()
        })
    }
}

impl LaunchRequest {
    /// The request for the launch without options, if it fixes more than this request does.
    #[must_use]
    pub fn without_options(&self) -> Option<Self> {
        let DefaultLaunch { num_groups, local_size, arguments, array_bytes, dimensions } = self.by_default.as_ref()?;
        // Memory that is passed twice is one array.
        let array_bytes = if self.aliases.is_empty() { array_bytes } else { &self.array_bytes }.clone();
        let of_launch = |one: &Allocation| one.in_launch(arguments, *num_groups, *local_size);
        let allocated = self.allocated.iter().filter(|_| self.aliases.is_empty()).flat_map(|known| &known.allocations);
        let allocations: Vec<Allocation> = allocated.filter_map(of_launch).collect();
        let used = (0..3).rev().find(|&d| local_size[d] != 1 || num_groups[d] != 1).unwrap_or(0) + 1;
        let used = dimensions.unwrap_or(used);
        let known = |sizes: &[u32; 3]| Some(sizes[..used].iter().map(|&size| Extent::Known(size)).collect());
        let request = Self {
            local_size: known(local_size),
            num_groups: known(num_groups),
            global_size: None,
            arguments: arguments.clone(),
            relations: Vec::new(),
            ranges: Vec::new(),
            host: Vec::new(),
            array_bytes,
            allocations,
            computed_elsewhere: BTreeSet::new(),
            groups_elsewhere: false,
            by_default: None,
            allocated: None,
            ..self.clone()
        };
        let is_open = |sizes: &Option<Size>| sizes.iter().flatten().any(|extent| extent.known().is_none());
        let fixes_more = request.array_bytes != self.array_bytes
            || request.allocations != self.allocations
            || is_open(&self.local_size)
            || is_open(&self.num_groups)
            || arguments
                .iter()
                .enumerate()
                .any(|(index, value)| value.is_some() && self.arguments.get(index).is_none_or(Option::is_none));
        fixes_more.then_some(request)
    }

    /// The request in which the memory has the size that the host allocates, if that is known.
    #[must_use]
    pub fn with_allocations(&self) -> Option<Self> {
        let Allocated { allocations, relations, ranges, host, .. } = (**self.allocated.as_ref()?).clone();
        Some(Self { allocations, relations, ranges, host, allocated: None, by_default: None, ..self.clone() })
    }

    /// The request for one launch among those of this one, with these sizes and arguments. Memory
    /// has the size that the host allocates in it, where that is known.
    #[must_use]
    pub fn in_launch(&self, arguments: Vec<Option<Bits>>, groups: [u32; 3], threads: [u32; 3]) -> Self {
        let dimensions = self.local_size.as_ref().map_or(3, Vec::len);
        let known = |sizes: [u32; 3]| Some(sizes[..dimensions].iter().map(|&size| Extent::Known(size)).collect());
        let allocations = self.allocations.iter().filter_map(|one| one.in_launch(&arguments, groups, threads));
        Self {
            local_size: known(threads),
            num_groups: known(groups),
            global_size: None,
            allocations: allocations.collect(),
            computed_elsewhere: BTreeSet::new(),
            groups_elsewhere: false,
            arguments,
            relations: Vec::new(),
            ranges: Vec::new(),
            host: Vec::new(),
            ..self.clone()
        }
    }

    /// Whether a verdict for one of two requests is one for the other: they differ at most in the
    /// launch without options.
    pub fn is_like(&self, other: &Self) -> bool {
        let Self { by_default, .. } = self;
        *self == Self { by_default: by_default.clone(), ..other.clone() }
    }

    /// The range of a size or an argument, if there is one.
    fn range(&self, number: &Term) -> Option<HostRange> {
        let known = self.ranges.iter().find(|(of, _)| of == number).map(|(_, range)| *range);
        let size = |sizes: &Option<Size>, dimension: u8| match sizes.as_ref()?.get(usize::from(dimension)) {
            Some(extent) => extent.known(),
            None => Some(1),
        };
        let exact = match number {
            Term::Argument { index, .. } => {
                self.arguments.get(*index).and_then(Option::as_ref).and_then(|value| value.signed().try_into().ok())
            }
            Term::Groups(dimension) => size(&self.num_groups, *dimension).map(i128::from),
            Term::Threads(dimension) => size(&self.local_size, *dimension).map(i128::from),
            Term::Host { .. } | Term::Constant(_) | Term::Binary(..) | Term::Convert(..) | Term::Choice(..) => None,
        };
        known.or_else(|| exact.map(HostRange::exactly))
    }
}

impl Default for LaunchRequest {
    /// A request with nothing given.
    fn default() -> Self {
        let Launch { max_group_size, max_launch_threads, global_offset, .. } = Launch::default();
        Self {
            local_size: None,
            num_groups: None,
            global_size: None,
            global_offset,
            shared_bytes: None,
            arguments: Vec::new(),
            relations: Vec::new(),
            ranges: Vec::new(),
            host: Vec::new(),
            by_default: None,
            allocated: None,
            allocations: Vec::new(),
            computed_elsewhere: BTreeSet::new(),
            groups_elsewhere: false,
            aliases: Vec::new(),
            apart: Vec::new(),
            array_bytes: Vec::new(),
            max_group_size,
            max_launch_threads,
        }
    }
}

/// Whether the launch determines the size of an array: `extern __shared__`.
pub fn is_sized_by_launch(array: &ArrayData) -> bool {
    array.space == Space::Local && array.origin == ArrayOrigin::Variable && array.size.is_none()
}

/// Sets the size of the array whose size the launch determines, if there is one.
pub fn size_dynamic_shared(kernel: &mut Kernel, bytes: u64) {
    for array in kernel.arrays.values_mut().filter(|array| is_sized_by_launch(array)) {
        array.size = Some(bytes);
    }
}

/// A kernel's launch, with the assumptions made about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedLaunch {
    /// The launch.
    pub launch: Launch,
    /// The number of dimensions that a report shows.
    pub shown_dimensions: usize,
    /// The assumptions.
    pub assumptions: Assumptions,
}

impl LaunchRequest {
    /// Finds errors that do not depend on the kernel.
    pub fn check(&self) -> Result<(), LaunchError> {
        for (what, other) in [("local size", &self.local_size), ("number of groups", &self.num_groups)] {
            if let (Some(other), Some(global)) = (other, &self.global_size)
                && other.len() != global.len()
            {
                return Err(LaunchError::DimensionsDiffer { global: global.len(), what, other: other.len() });
            }
        }
        let sizes = self.sizes(padded(self.local_size.as_ref(), 3), 3)?;
        bearable(&sizes.local)
    }

    /// All sizes for a group size, with each size derived from the others where they determine it.
    fn sizes(&self, local: [Extent; 3], dimensions: usize) -> Result<Sizes, LaunchError> {
        match &self.global_size {
            Some(global) => Sizes::of(local, padded(self.num_groups.as_ref(), 3), padded(Some(global), 3)),
            None => {
                Ok(Sizes { local, groups: padded(self.num_groups.as_ref(), dimensions), global: [Extent::Open; 3] })
            }
        }
    }

    /// The launch of one kernel.
    ///
    /// Omitted sizes are open in as many dimensions as the others have or the kernel queries. In
    /// all further dimensions the size is 1. Otherwise, a kernel that never queries dimension 1
    /// would be run by several threads with the same ids, which nobody intends.
    pub fn resolve(&self, kernel: &Kernel) -> Result<ResolvedLaunch, LaunchError> {
        let LaunchBounds { required_group_size, max_group_threads } = &kernel.launch;
        let given = [&self.local_size, &self.num_groups, &self.global_size];
        let given_dimensions = given.iter().filter_map(|size| size.as_ref().map(Vec::len)).max().unwrap_or(0);
        let asked = dimensions_asked_for(kernel);
        let required_dimensions =
            required_group_size.map_or(0, |size| 3 - size.iter().rev().take_while(|&&extent| extent == 1).count());
        let dimensions = given_dimensions.max(asked).max(required_dimensions).max(1);

        let local_size = match (required_group_size, &self.local_size) {
            (Some(required), Some(given)) => {
                let given = padded(Some(given), dimensions);
                let required = required.map(Extent::Known);
                if given.iter().zip(required).any(|(given, required)| *given != Extent::Open && *given != required) {
                    return Err(LaunchError::NotTheRequiredSize {
                        given: show(&given, ","),
                        required: show(&required, ","),
                    });
                }
                required
            }
            (Some(required), None) => required.map(Extent::Known),
            (None, given) => padded(given.as_ref(), dimensions),
        };
        let Sizes { local: local_size, groups: num_groups, global: global_size } =
            self.sizes(local_size, dimensions)?;
        if let (Some(threads), Some(allowed)) = (known_product(&local_size), *max_group_threads)
            && threads > u64::from(allowed)
        {
            return Err(LaunchError::LargerThanAllowed { given: threads, allowed });
        }
        bearable(&local_size)?;
        if asks_for_global_ids(kernel) {
            have_global_ids(&local_size, &num_groups)?;
        }
        let known = local_size.iter().chain(&num_groups).all(|extent| extent.known().is_some());
        let mut assumptions = Assumptions::default();
        let mut launch = Launch {
            local_size,
            num_groups,
            global_size,
            global_offset: self.global_offset,
            dimensions: (known && given_dimensions > 0).then(|| u32::try_from(dimensions).unwrap_or(3)),
            max_group_size: max_group_threads.map_or(self.max_group_size, |most| most.min(self.max_group_size)),
            max_launch_threads: self.max_launch_threads,
        };
        if !known && dimensions < 3 {
            assumptions.add(Assumed::Dimensions { number: dimensions }.everywhere());
        }
        assumptions.extend(given_besides_sizes(&launch, dimensions));
        // A group size that is only partly open must still be possible.
        let least = least_product(&local_size);
        launch.max_group_size = launch.max_group_size.max(u32::try_from(least).unwrap_or(u32::MAX));
        if !known {
            let least = least_product(&local_size).saturating_mul(least_product(&num_groups));
            let least = least.max(least_product(&global_size));
            if least >= self.max_launch_threads {
                return Err(LaunchError::LaunchTooLarge { least, most: self.max_launch_threads });
            }
        }
        Ok(ResolvedLaunch { launch, shown_dimensions: dimensions, assumptions })
    }
}

/// Whether global ids fit into 32 bits, if the kernel queries them. A kernel that queries none may
/// compute with the numbers of groups and threads at any width: CUDA has launches of 2^31 groups of
/// 1024 threads.
fn have_global_ids(local: &[Extent; 3], groups: &[Extent; 3]) -> Result<(), LaunchError> {
    for (local, groups) in local.iter().zip(groups) {
        if let (Extent::Known(local), Extent::Known(groups)) = (local, groups)
            && u64::from(*local) * u64::from(*groups) > LARGEST
        {
            return Err(LaunchError::TooLarge(format!("{groups} groups of {local} threads")));
        }
    }
    Ok(())
}

/// Whether group sizes fit into 32 bits.
fn bearable(local: &[Extent; 3]) -> Result<(), LaunchError> {
    if least_product(local) > LARGEST {
        return Err(LaunchError::GroupTooLarge(show(local, ",")));
    }
    Ok(())
}

/// Consistent sizes of a launch.
struct Sizes {
    local: [Extent; 3],
    groups: [Extent; 3],
    /// The same as [`Launch::global_size`]: known only if it does not follow from the others.
    global: [Extent; 3],
}

impl Sizes {
    /// Derives the sizes that the given ones determine, and rejects contradictory sizes.
    fn of(mut local: [Extent; 3], mut groups: [Extent; 3], global: [Extent; 3]) -> Result<Self, LaunchError> {
        let mut kept = [Extent::Open; 3];
        for dimension in 0..3 {
            let Some(threads) = global[dimension].known() else { continue };
            let contradiction = |local: Extent, groups: u32| LaunchError::NotTheGlobalSize {
                dimension,
                global: threads,
                local: local.known().map_or("any number of".to_owned(), |number| number.to_string()),
                groups,
            };
            match (local[dimension], groups[dimension]) {
                (Extent::Known(size), _) if threads % size != 0 => {
                    return Err(LaunchError::DoesNotDivide { dimension, global: threads, local: size });
                }
                (Extent::Known(size), Extent::Known(count)) if count != threads / size => {
                    return Err(contradiction(local[dimension], count));
                }
                (Extent::Known(size), _) => groups[dimension] = Extent::Known(threads / size),
                (Extent::Open, Extent::Known(count)) if threads % count != 0 => {
                    return Err(contradiction(Extent::Open, count));
                }
                (Extent::Open, Extent::Known(count)) => local[dimension] = Extent::Known(threads / count),
                (Extent::Open, Extent::Open) => kept[dimension] = global[dimension],
            }
        }
        Ok(Self { local, groups, global: kept })
    }
}

/// The values fixed by the command line besides the sizes that a report shows.
fn given_besides_sizes(launch: &Launch, dimensions: usize) -> Vec<Assumption> {
    let mut given = Vec::new();
    if launch.global_size.iter().any(|extent| extent.known().is_some()) {
        let threads = launch.global_size[..dimensions].iter().map(|extent| extent.known()).collect();
        given.push(Assumed::GlobalSize { threads }.everywhere());
    }
    if launch.global_offset != [0; 3] {
        let first = shown_offset(&launch.global_offset, dimensions).to_vec();
        given.push(Assumed::GlobalOffset { first }.everywhere());
    }
    given
}

/// A global offset in the shown dimensions, and in further dimensions where it is not 0.
pub fn shown_offset(offset: &[u32; 3], dimensions: usize) -> &[u32] {
    let used = 3 - offset.iter().rev().take_while(|&&number| number == 0).count();
    &offset[..dimensions.max(used).min(3)]
}

fn dimensions(number: usize) -> String {
    format!("{number} dimension{}", if number == 1 { "" } else { "s" })
}

/// The kernel's queries of ids and sizes.
fn queries(kernel: &Kernel) -> impl Iterator<Item = ThreadQuery> {
    let instructions = kernel.blocks.values().flat_map(|block| &block.instructions);
    instructions.filter_map(|&instruction| match kernel.instructions[instruction].operation {
        Operation::ThreadQuery(query) => Some(query),
        _ => None,
    })
}

/// Whether the kernel queries ids or sizes that are counted through the whole launch.
fn asks_for_global_ids(kernel: &Kernel) -> bool {
    queries(kernel).any(|query| match query {
        ThreadQuery::GlobalId(_) | ThreadQuery::GlobalSize(_) | ThreadQuery::GlobalOffset(_) => true,
        ThreadQuery::LocalId(_)
        | ThreadQuery::GroupId(_)
        | ThreadQuery::LocalSize(_)
        | ThreadQuery::NumGroups(_)
        | ThreadQuery::Dimensions
        | ThreadQuery::LaneId
        | ThreadQuery::WarpSize => false,
    })
}

/// The number of dimensions that the kernel's queries of ids and sizes refer to.
fn dimensions_asked_for(kernel: &Kernel) -> usize {
    let asked = |query: ThreadQuery| match query {
        ThreadQuery::LocalId(dimension)
        | ThreadQuery::GroupId(dimension)
        | ThreadQuery::GlobalId(dimension)
        | ThreadQuery::LocalSize(dimension)
        | ThreadQuery::NumGroups(dimension)
        | ThreadQuery::GlobalSize(dimension)
        | ThreadQuery::GlobalOffset(dimension) => usize::from(dimension) + 1,
        ThreadQuery::Dimensions | ThreadQuery::LaneId | ThreadQuery::WarpSize => 0,
    };
    queries(kernel).map(asked).max().unwrap_or(0).min(3)
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{Language, Type};

    use super::*;

    fn known(numbers: &[u32]) -> Size {
        numbers.iter().copied().map(Extent::Known).collect()
    }

    fn kernel_asking(query: ThreadQuery) -> Kernel {
        let mut kernel = Kernel::new("k", Language::OpenCl, 64);
        let entry = kernel.entry;
        kernel.append(entry, Operation::ThreadQuery(query), Type::Bits(64), None);
        kernel
    }

    #[test]
    fn every_spelling_of_a_size() {
        for text in ["16x8", "16,8", "[16,8]", " [ 16 , 8 ] "] {
            assert_eq!(parse_size(text), Ok(known(&[16, 8])), "{text}");
        }
        assert_eq!(parse_size("64"), Ok(known(&[64])));
        assert_eq!(parse_size("[*,4]"), Ok(vec![Extent::Open, Extent::Known(4)]));
    }

    #[test]
    fn sizes_that_are_none() {
        for text in ["", "64x", "-1", "+1", "0x10", "a", "[64", "64]", "6 4"] {
            assert!(matches!(parse_size(text), Err(LaunchError::NotASize(_) | LaunchError::Zero(_))), "{text}");
        }
        assert!(matches!(parse_size("64,0"), Err(LaunchError::Zero(_))));
        assert!(matches!(parse_size("2147483649"), Err(LaunchError::TooLarge(_))));
        assert!(parse_size("2147483648").is_ok());
        assert!(matches!(parse_size("99999999999999999999999"), Err(LaunchError::TooLarge(_))));
        assert!(matches!(parse_size("1,1,1,1"), Err(LaunchError::TooManyDimensions(_))));
    }

    #[test]
    fn a_global_size_must_be_a_multiple() {
        let request = |local: &str, global: &str| LaunchRequest {
            local_size: Some(parse_size(local).unwrap()),
            global_size: Some(parse_size(global).unwrap()),
            ..LaunchRequest::default()
        };
        assert!(request("32,64", "64,128").check().is_ok());
        let error = request("32,64", "64,127").check().unwrap_err();
        assert_eq!(error, LaunchError::DoesNotDivide { dimension: 1, global: 127, local: 64 });
        assert!(matches!(request("32,64", "64").check(), Err(LaunchError::DimensionsDiffer { .. })));
        let resolved = request("32,64", "64,128").resolve(&kernel_asking(ThreadQuery::LocalId(0))).unwrap();
        assert_eq!(resolved.launch.num_groups, [2, 2, 1].map(Extent::Known));
        assert_eq!(resolved.launch.dimensions, Some(2));
        assert!(resolved.assumptions.is_empty());
    }

    #[test]
    fn sizes_that_no_device_runs() {
        let local = |text: &str| LaunchRequest { local_size: parse_size(text).ok(), ..LaunchRequest::default() };
        assert!(matches!(local("65536,65536").check(), Err(LaunchError::GroupTooLarge(_))));
        assert!(local("32768,65536").check().is_ok());
        let kernel = kernel_asking(ThreadQuery::LocalId(0));
        // No number of such groups makes a launch of fewer than 2^31 threads.
        assert!(matches!(local("32768,65536").resolve(&kernel), Err(LaunchError::LaunchTooLarge { .. })));
        assert!(local("32768,65535").resolve(&kernel).is_ok());
        let all_known = LaunchRequest { num_groups: parse_size("1,1").ok(), ..local("32768,65536") };
        assert!(all_known.resolve(&kernel).is_ok());
    }

    #[test]
    fn large_launches_have_no_global_ids() {
        let launch = LaunchRequest {
            local_size: Some(known(&[1024])),
            num_groups: Some(known(&[(1 << 31) - 1])),
            ..LaunchRequest::default()
        };
        assert!(launch.check().is_ok());
        assert!(launch.resolve(&kernel_asking(ThreadQuery::GroupId(0))).is_ok());
        for query in [ThreadQuery::GlobalId(0), ThreadQuery::GlobalSize(1)] {
            assert!(matches!(launch.resolve(&kernel_asking(query)), Err(LaunchError::TooLarge(_))), "{query:?}");
        }
    }

    #[test]
    fn sizes_left_out_are_open_where_the_kernel_looks() {
        let resolved = LaunchRequest::default().resolve(&kernel_asking(ThreadQuery::GlobalId(1))).unwrap();
        let open = [Extent::Open, Extent::Open, Extent::Known(1)];
        assert_eq!((resolved.launch.local_size, resolved.launch.num_groups), (open, open));
        assert_eq!(resolved.launch.dimensions, None);
        assert_eq!(resolved.assumptions.len(), 1);
    }

    #[test]
    fn the_source_fixes_the_group_size() {
        let mut kernel = kernel_asking(ThreadQuery::LocalId(0));
        kernel.launch.required_group_size = Some([16, 4, 1]);
        let resolved = LaunchRequest::default().resolve(&kernel).unwrap();
        assert_eq!(resolved.launch.local_size, [16, 4, 1].map(Extent::Known));
        let other = LaunchRequest { local_size: Some(known(&[16])), ..LaunchRequest::default() };
        assert!(matches!(other.resolve(&kernel), Err(LaunchError::NotTheRequiredSize { .. })));
    }
}
