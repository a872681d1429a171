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
    let before = bounded::read_to_string(&input.path).ok()?;
    let kernels = |text: String| {
        let replaced = Some(Arc::from(text));
        let options = FrontendOptions { replaced, source_launches: false, hosts: Vec::new(), ..input.frontend.clone() };
        frontend::import(&input.path, &options).ok().map(|module| module.kernels)
    };
    let are_apart = |others: &[ImportedKernel], lines: &BTreeSet<u32>| {
        let of = |other: &ImportedKernel| {
            other.kernel.as_ref().is_ok_and(|other| lines_of(other, &imported.file).is_disjoint(lines))
        };
        others.iter().filter(|other| other.name != imported.name).all(of)
    };
    let changed = kernels(fix.applied(&imported.file, &before)?)?;
    // Lines that are removed are lines of the others before.
    let removed: BTreeSet<u32> = fix.removals.iter().map(|removal| removal.line).collect();
    let is_apart = are_apart(&changed, &fix.lines_behind())
        && (removed.is_empty() || changed.len() < 2 || are_apart(&kernels(before)?, &removed));
    if !is_apart {
        return None;
    }
    let same: Vec<ImportedKernel> = changed.into_iter().filter(|kernel| kernel.name == imported.name).collect();
    let [same] = <[ImportedKernel; 1]>::try_from(same).ok()?;
    same.kernel.ok()
}

/// The lines of a file in which a kernel has code, with those of functions that are part of it.
pub fn lines_of(kernel: &Kernel, file: &str) -> BTreeSet<u32> {
    let places = kernel.locations.values().filter(|place| kernel.files[place.file] == file);
    places.map(|place| place.line).collect()
}
