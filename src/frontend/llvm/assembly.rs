//! Inline assembly, whose meaning the language's own module knows.

use inkwell::llvm_sys::core as c;
use lockstep_ir::kernel::Language;

use super::kernels::Importer;
use super::raw::{self, LValue};
use super::types::Unreadable;
use crate::builder::Lanes;
use crate::cuda::{self, Assembly};

impl Importer<'_> {
    /// A call of inline assembly.
    pub fn assembly(&mut self, call: LValue, called: LValue) -> Result<Lanes, Unreadable> {
        match self.kernel.language {
            Language::Cuda | Language::Hip => {}
            Language::OpenCl | Language::Ptx | Language::Llvm => return Err("inline assembly".into()),
        }
        // SAFETY: the caller has seen that inline assembly is called; both strings belong to it.
        let assembly = unsafe {
            let (mut template, mut constraints) = (0, 0);
            let template_text = c::LLVMGetInlineAsmAsmString(called.0, &raw mut template);
            let constraint_text = c::LLVMGetInlineAsmConstraintString(called.0, &raw mut constraints);
            Assembly {
                template: raw::borrowed(template_text, template),
                constraints: raw::borrowed(constraint_text, constraints),
            }
        };
        let arguments = self.arguments(call)?;
        let results = self.lanes(call.ty())?;
        let mut builder = self.builder();
        let lanes = cuda::assembly(&mut builder, &assembly, &arguments, &results);
        self.block = builder.block;
        lanes.map_err(|unsupported| unsupported.to_string())
    }
}
