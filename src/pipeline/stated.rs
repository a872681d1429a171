//! Arguments and sizes that preconditions state.

use lockstep_ir::kernel::{Kernel, ParameterKind};

use crate::analysis::equations::equations;
use crate::launch::{Extent, Launch};
use crate::lockstep::LockstepOptions;
use crate::techniques::Technique;

/// Gives open arguments and sizes the values that the kernel's preconditions state.
///
/// A size outside of those that an open one may have is left to the solver, which finds that no
/// such launch exists.
pub fn substitute(kernel: &Kernel, launch: &mut Launch, options: &mut LockstepOptions) {
    if !options.techniques.has(Technique::Substitution) {
        return;
    }
    let stated = equations(kernel);
    let scalars =
        (0..).zip(&kernel.parameters).filter(|(_, parameter)| matches!(parameter.kind, ParameterKind::Scalar(_)));
    for (position, (index, _)) in scalars.enumerate() {
        if let Some(value) = stated.parameters.get(&index) {
            if options.arguments.len() <= position {
                options.arguments.resize(position + 1, None);
            }
            options.arguments[position].get_or_insert_with(|| value.clone());
        }
    }
    // Global sizes that are given determine others, which must remain consistent.
    if launch.global_size != [Extent::Open; 3] {
        return;
    }
    for (dimension, size) in stated.local_sizes {
        let others = known_threads(&launch.local_size);
        let most = u64::from(launch.max_group_size);
        fix(&mut launch.local_size, dimension, size, most / others.max(1));
    }
    for (dimension, size) in stated.num_groups {
        let others = known_threads(&launch.local_size).saturating_mul(known_threads(&launch.num_groups));
        let most = launch.max_launch_threads.saturating_sub(1);
        fix(&mut launch.num_groups, dimension, size, most / others.max(1));
    }
}

fn fix(sizes: &mut [Extent; 3], dimension: u8, size: u64, most: u64) {
    if let Some(extent) = sizes.get_mut(usize::from(dimension)).filter(|extent| **extent == Extent::Open)
        && let Some(size) = u32::try_from(size).ok().filter(|_| (1..=most).contains(&size))
    {
        *extent = Extent::Known(size);
    }
}

/// The product of the sizes that are known.
fn known_threads(sizes: &[Extent; 3]) -> u64 {
    sizes.iter().filter_map(|extent| extent.known()).fold(1, |all, size| all.saturating_mul(size.into()))
}
