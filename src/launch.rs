//! The launch a kernel is verified for: how many threads, in which groups.
//!
//! [`parse_size`] reads a size as the command line spells it, [`LaunchRequest::check`] finds what is wrong with the sizes
//! alone, and [`LaunchRequest::resolve`] makes one kernel's [`Launch`] of them and of what its source says.

use lockstep_ir::kernel::{Kernel, LaunchBounds, Operation, ThreadQuery};

/// The largest size of a dimension: more threads than any device runs.
const LARGEST: u64 = 1 << 31;

/// The size of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// This many, at least 1.
    Known(u32),
    /// Any number that a device could run.
    Open,
}

impl Extent {
    /// The number, if known.
    pub fn known(self) -> Option<u32> {
        match self {
            Self::Known(number) => Some(number),
            Self::Open => None,
        }
    }
}

/// The sizes of a launch in its three dimensions. Dimensions beyond those given have size 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Threads per group.
    pub local_size: [Extent; 3],
    /// Groups.
    pub num_groups: [Extent; 3],
    /// Threads in the launch, where that is given and the group size or count is open. Always a multiple of the
    /// group size.
    pub global_size: [Extent; 3],
    /// The first global id.
    pub global_offset: [u32; 3],
    /// How many dimensions the launch has, if known: what `get_work_dim` returns.
    pub dimensions: Option<u32>,
    /// The most threads a group of open size can have (`--max-group-size`).
    pub max_group_size: u32,
    /// Every launch of open size has fewer threads than this (`--max-launch-threads`).
    pub max_launch_threads: u64,
}

impl Launch {
    /// The same with one thread in each group.
    #[must_use]
    pub fn of_single_threads(&self) -> Self {
        Self { local_size: [Extent::Known(1); 3], ..self.clone() }
    }
}

impl Default for Launch {
    /// Everything open.
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

/// A size as it was given: one to three dimensions.
pub type Size = Vec<Extent>;

/// What is wrong with the sizes of a launch.
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
    /// Global and local size differ in their number of dimensions.
    #[error("the global size has {global} dimensions and the local size {local}: give both the same number")]
    DimensionsDiffer {
        /// Dimensions of the global size.
        global: usize,
        /// Dimensions of the local size.
        local: usize,
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
        /// The most the source allows.
        allowed: u32,
    },
}

/// Reads a size: `64`, `16x16`, `16,16`, `[16,16]`, `*`.
pub fn parse_size(text: &str) -> Result<Size, LaunchError> {
    let inner = text.trim();
    let inner = match inner.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').ok_or_else(|| LaunchError::NotASize(text.to_owned()))?,
        None => inner,
    };
    let extents = inner.split([',', 'x']).map(|part| parse_extent(part.trim(), text)).collect::<Result<Size, _>>()?;
    if extents.len() > 3 {
        return Err(LaunchError::TooManyDimensions(text.to_owned()));
    }
    Ok(extents)
}

fn parse_extent(part: &str, text: &str) -> Result<Extent, LaunchError> {
    if part == "*" {
        return Ok(Extent::Open);
    }
    if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(LaunchError::NotASize(text.to_owned()));
    }
    // All digits: what does not fit into 64 bits is too large as well.
    match part.parse::<u64>() {
        Ok(0) => Err(LaunchError::Zero(text.to_owned())),
        Ok(number) if number <= LARGEST => {
            Ok(Extent::Known(u32::try_from(number).map_err(|_| LaunchError::TooLarge(text.to_owned()))?))
        }
        _ => Err(LaunchError::TooLarge(text.to_owned())),
    }
}

/// The sizes that the command line gives, before a kernel is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchRequest {
    /// Threads per group.
    pub local_size: Option<Size>,
    /// Groups.
    pub num_groups: Option<Size>,
    /// Threads in the launch; never together with `num_groups`.
    pub global_size: Option<Size>,
    /// The first global id.
    pub global_offset: [u32; 3],
    /// The most threads a group of open size can have.
    pub max_group_size: u32,
    /// Every launch of open size has fewer threads than this.
    pub max_launch_threads: u64,
}

impl Default for LaunchRequest {
    /// Nothing given.
    fn default() -> Self {
        let Launch { max_group_size, max_launch_threads, global_offset, .. } = Launch::default();
        Self {
            local_size: None,
            num_groups: None,
            global_size: None,
            global_offset,
            max_group_size,
            max_launch_threads,
        }
    }
}

/// A kernel's launch, and what was assumed about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedLaunch {
    /// The launch.
    pub launch: Launch,
    /// How many dimensions a report shows.
    pub shown_dimensions: usize,
    /// What was assumed, in words.
    pub assumptions: Vec<String>,
}

impl LaunchRequest {
    /// Finds what is wrong whatever the kernel.
    pub fn check(&self) -> Result<(), LaunchError> {
        if let (Some(local), Some(global)) = (&self.local_size, &self.global_size)
            && local.len() != global.len()
        {
            return Err(LaunchError::DimensionsDiffer { global: global.len(), local: local.len() });
        }
        groups_of(&padded(self.local_size.as_ref(), 3), self.global_size.as_ref())?;
        bearable(&padded(self.local_size.as_ref(), 3), &padded(self.num_groups.as_ref(), 3))
    }

    /// The launch of one kernel.
    ///
    /// Sizes left out are open in as many dimensions as the others have or the kernel asks for; beyond
    /// these every size is 1: a kernel that never looks at dimension 1 would be run by several threads with
    /// the same ids otherwise, which nobody means.
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
                    return Err(LaunchError::NotTheRequiredSize { given: show(&given), required: show(&required) });
                }
                required
            }
            (Some(required), None) => required.map(Extent::Known),
            (None, given) => padded(given.as_ref(), dimensions),
        };
        if let (Some(threads), Some(allowed)) = (known_product(&local_size), *max_group_threads)
            && threads > u64::from(allowed)
        {
            return Err(LaunchError::LargerThanAllowed { given: threads, allowed });
        }
        let (num_groups, global_size) = match &self.global_size {
            Some(global) => groups_of(&local_size, Some(global))?,
            None => (padded(self.num_groups.as_ref(), dimensions), [Extent::Open; 3]),
        };
        bearable(&local_size, &num_groups)?;
        let known = local_size.iter().chain(&num_groups).all(|extent| extent.known().is_some());
        let mut assumptions = Vec::new();
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
            let only = ["", "dimension 0", "dimensions 0 and 1"][dimensions];
            assumptions
                .push(format!("the launch extends in {only} only, as far as the kernel or the sizes given tell"));
        }
        if known_product(&local_size).is_none() && self.max_group_size != u32::MAX {
            assumptions.push(format!("a group has at most {} threads (--max-group-size)", launch.max_group_size));
        }
        // A group size of which only a part is open must still be possible.
        let least: u64 = local_size.iter().filter_map(|extent| extent.known()).map(u64::from).product();
        launch.max_group_size = launch.max_group_size.max(u32::try_from(least).unwrap_or(u32::MAX));
        if !known {
            assumptions.push(format!(
                "a launch has fewer than {} threads (--max-launch-threads)",
                power_of_two(self.max_launch_threads)
            ));
        }
        Ok(ResolvedLaunch { launch, shown_dimensions: dimensions, assumptions })
    }
}

/// Global sizes have 32 bits.
fn bearable(local: &[Extent; 3], groups: &[Extent; 3]) -> Result<(), LaunchError> {
    for (local, groups) in local.iter().zip(groups) {
        if let (Extent::Known(local), Extent::Known(groups)) = (local, groups)
            && u64::from(*local) * u64::from(*groups) > LARGEST
        {
            return Err(LaunchError::TooLarge(format!("{groups} groups of {local} threads")));
        }
    }
    Ok(())
}

/// The number of groups, and the global size where a group size is open, for a global size.
fn groups_of(local: &[Extent; 3], global: Option<&Size>) -> Result<([Extent; 3], [Extent; 3]), LaunchError> {
    let mut groups = [Extent::Open; 3];
    let mut kept = [Extent::Open; 3];
    let Some(global) = global else { return Ok((groups, kept)) };
    let global = padded(Some(global), 3);
    for dimension in 0..3 {
        match (local[dimension], global[dimension]) {
            (Extent::Known(local), Extent::Known(global)) if global % local != 0 => {
                return Err(LaunchError::DoesNotDivide { dimension, global, local });
            }
            (Extent::Known(local), Extent::Known(global)) => groups[dimension] = Extent::Known(global / local),
            (Extent::Open, global) => kept[dimension] = global,
            (Extent::Known(_), Extent::Open) => {}
        }
    }
    Ok((groups, kept))
}

/// A size in three dimensions: those given, then 1; if nothing is given, open in the first `dimensions`.
fn padded(size: Option<&Size>, dimensions: usize) -> [Extent; 3] {
    std::array::from_fn(|dimension| match size {
        Some(size) => size.get(dimension).copied().unwrap_or(Extent::Known(1)),
        None if dimension < dimensions => Extent::Open,
        None => Extent::Known(1),
    })
}

fn known_product(size: &[Extent; 3]) -> Option<u64> {
    size.iter().try_fold(1u64, |product, extent| Some(product.saturating_mul(u64::from(extent.known()?))))
}

fn show(size: &[Extent; 3]) -> String {
    size.map(|extent| extent.known().map_or("*".to_owned(), |number| number.to_string())).join(",")
}

fn power_of_two(number: u64) -> String {
    if number.is_power_of_two() { format!("2^{}", number.trailing_zeros()) } else { number.to_string() }
}

/// How many dimensions the kernel's questions about ids and sizes go to.
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
    let asked = kernel.instructions.values().map(|instruction| match instruction.operation {
        Operation::ThreadQuery(query) => asked(query),
        _ => 0,
    });
    asked.max().unwrap_or(0).min(3)
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
    fn what_is_left_out_is_open_where_the_kernel_looks() {
        let resolved = LaunchRequest::default().resolve(&kernel_asking(ThreadQuery::GlobalId(1))).unwrap();
        let open = [Extent::Open, Extent::Open, Extent::Known(1)];
        assert_eq!((resolved.launch.local_size, resolved.launch.num_groups), (open, open));
        assert_eq!(resolved.launch.dimensions, None);
        assert_eq!(resolved.assumptions.len(), 3);
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
