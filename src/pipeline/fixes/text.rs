//! The source with a suggested fix, compiled anew.

use std::collections::BTreeSet;
use std::sync::Arc;

use lockstep_ir::kernel::{Kernel, VerifiedKernel};
use lockstep_system::bounded;

use crate::frontend::{self, FrontendOptions, ImportedKernel};
use crate::pipeline::input::Input;
use crate::verdict::fix::Fix;

/// The same kernel of an input whose source has these changes.
///
/// It is `None` if the source cannot be read, or if another kernel of the file has code in the
/// lines that change: the fix may be none for that one. Launches in the source say nothing new.
pub fn imported(fix: &Fix, imported: &ImportedKernel, input: &Input) -> Option<VerifiedKernel> {
    let text: Arc<str> = fix.applied(&imported.file, &bounded::read_to_string(&input.path).ok()?)?.into();
    let options =
        FrontendOptions { replaced: Some(text), source_launches: false, hosts: Vec::new(), ..input.frontend.clone() };
    let module = frontend::import(&input.path, &options).ok()?;
    let lines = fix.lines_behind();
    let (same, others): (Vec<_>, Vec<_>) = module.kernels.into_iter().partition(|kernel| kernel.name == imported.name);
    let is_apart = |other: &ImportedKernel| {
        other.kernel.as_ref().is_ok_and(|other| lines_of(other, &imported.file).is_disjoint(&lines))
    };
    if !others.iter().all(is_apart) {
        return None;
    }
    let [same] = <[ImportedKernel; 1]>::try_from(same).ok()?;
    same.kernel.ok()
}

/// The lines of a file in which a kernel has code, with those of functions that are part of it.
pub fn lines_of(kernel: &Kernel, file: &str) -> BTreeSet<u32> {
    let places = kernel.locations.values().filter(|place| kernel.files[place.file] == file);
    places.map(|place| place.line).collect()
}
