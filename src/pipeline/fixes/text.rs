//! The source with a suggested fix, compiled anew.

use std::sync::Arc;

use lockstep_ir::kernel::VerifiedKernel;

use crate::frontend::{self, FrontendOptions, ImportedKernel};
use crate::pipeline::input::Input;
use crate::report::Sources;
use crate::verdict::fix::Fix;

/// The same kernel of an input whose source has these changes; `None` if it cannot be read.
///
/// Launches in the source say nothing new.
pub fn imported(fix: &Fix, imported: &ImportedKernel, input: &Input, sources: &mut Sources) -> Option<VerifiedKernel> {
    let text: Arc<str> = fix.applied(&imported.file, sources.text(&imported.file)?)?.into();
    let options =
        FrontendOptions { replaced: Some(text), source_launches: false, hosts: Vec::new(), ..input.frontend.clone() };
    let module = frontend::import(&input.path, &options).ok()?;
    module.kernels.into_iter().find(|kernel| kernel.name == imported.name)?.kernel.ok()
}
