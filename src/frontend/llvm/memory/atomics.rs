//! Atomic accesses and fences, with their orderings and scopes.

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp as RmwOp};
use lockstep_ir::kernel::{Access, AtomicOp, BinaryOp, CompareOp, Operation, Ordering, Scope, SpaceSet, Type};

use crate::builder::Lanes;
use crate::llvm::debug;
use crate::llvm::kernels::Importer;
use crate::llvm::raw::LValue;
use crate::llvm::types::Unreadable;

impl Importer<'_> {
    /// `fence`.
    pub fn fence(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let ordering = atomic_ordering(instruction)?.unwrap_or(Ordering::SequentiallyConsistent);
        let scope = scope(instruction)?;
        self.builder().append_effect(Operation::Fence { ordering, scope, spaces: SpaceSet::ALL });
        Ok(Lanes::new())
    }

    /// `cmpxchg`: the old value and whether it was the expected one.
    pub fn compare_exchange(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let operands = instruction.operands();
        let access = self.access(instruction, operands[0])?;
        let access = self.written(access);
        let expected = self.scalar(operands[1])?;
        let desired = self.scalar(operands[2])?;
        let Type::Bits(_) = self.kernel.ty(expected) else { return Err("compare-exchange of a pointer".into()) };
        // SAFETY: it is a cmpxchg.
        let (ordering, failing, weak) = unsafe {
            (
                c::LLVMGetCmpXchgSuccessOrdering(instruction.0),
                c::LLVMGetCmpXchgFailureOrdering(instruction.0),
                c::LLVMGetWeak(instruction.0) != 0,
            )
        };
        let ordering = meant(instruction, ordering_of(ordering)?).unwrap_or(Ordering::SequentiallyConsistent);
        let operation = Operation::Atomic {
            access,
            op: AtomicOp::CompareExchange,
            operands: vec![expected, desired],
            ordering,
            failing: meant(instruction, ordering_of(failing)?),
            scope: scope(instruction)?,
        };
        let mut builder = self.builder();
        let ty = builder.ty(expected);
        let old = builder.append(operation, ty);
        let mut success = builder.compare(CompareOp::Equal, old, expected);
        if weak {
            let lucky = builder.append(Operation::Undefined, Type::Bool);
            success = builder.binary(BinaryOp::And, success, lucky);
        }
        Ok(vec![old, success])
    }

    /// `atomicrmw`.
    pub fn read_modify_write(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let operands = instruction.operands();
        let access = self.access(instruction, operands[0])?;
        let access = self.written(access);
        let value = self.operand(operands[1])?;
        // SAFETY: it is an atomicrmw.
        let op = match unsafe { c::LLVMGetAtomicRMWBinOp(instruction.0) } {
            RmwOp::LLVMAtomicRMWBinOpXchg => AtomicOp::Exchange,
            RmwOp::LLVMAtomicRMWBinOpAdd => AtomicOp::Add,
            RmwOp::LLVMAtomicRMWBinOpSub => AtomicOp::Subtract,
            RmwOp::LLVMAtomicRMWBinOpAnd => AtomicOp::And,
            RmwOp::LLVMAtomicRMWBinOpNand => return Err("atomicrmw nand".into()),
            RmwOp::LLVMAtomicRMWBinOpOr => AtomicOp::Or,
            RmwOp::LLVMAtomicRMWBinOpXor => AtomicOp::Xor,
            RmwOp::LLVMAtomicRMWBinOpMax => AtomicOp::SignedMax,
            RmwOp::LLVMAtomicRMWBinOpMin => AtomicOp::SignedMin,
            RmwOp::LLVMAtomicRMWBinOpUMax => AtomicOp::UnsignedMax,
            RmwOp::LLVMAtomicRMWBinOpUMin => AtomicOp::UnsignedMin,
            RmwOp::LLVMAtomicRMWBinOpFAdd => AtomicOp::FloatAdd,
            RmwOp::LLVMAtomicRMWBinOpFSub => AtomicOp::FloatSubtract,
            RmwOp::LLVMAtomicRMWBinOpFMax => AtomicOp::FloatMax,
            RmwOp::LLVMAtomicRMWBinOpFMin => AtomicOp::FloatMin,
            RmwOp::LLVMAtomicRMWBinOpUIncWrap => AtomicOp::Increment,
            RmwOp::LLVMAtomicRMWBinOpUDecWrap => AtomicOp::Decrement,
        };
        let ordering = meant(instruction, atomic_ordering(instruction)?).unwrap_or(Ordering::Relaxed);
        self.atomic(instruction, access, op, value, ordering)
    }

    pub(super) fn atomic(
        &mut self,
        instruction: LValue,
        access: Access,
        op: AtomicOp,
        operands: Lanes,
        ordering: Ordering,
    ) -> Result<Lanes, Unreadable> {
        let results = self.lanes(instruction.ty())?;
        let is_pointer = |ty: Type| matches!(ty, Type::Pointer(_));
        if results.len() > 1 || results.iter().copied().any(is_pointer) || operands.len() > 1 {
            return Err("atomic access to a pointer or vector".into());
        }
        let operation = Operation::Atomic { access, op, operands, ordering, failing: None, scope: scope(instruction)? };
        if let Some(ty) = results.first() {
            Ok(vec![self.builder().append(operation, *ty)])
        } else {
            self.builder().append_effect(operation);
            Ok(Lanes::new())
        }
    }
}

/// The intended ordering.
///
/// Clang's own headers implement `atomicAdd` and the like by the strongest operations, but they
/// order nothing in CUDA.
fn meant(instruction: LValue, ordering: Option<Ordering>) -> Option<Ordering> {
    if debug::is_of_the_language(instruction) { ordering.map(|_| Ordering::Relaxed) } else { ordering }
}

/// The ordering of an atomic access or fence; `None` for a plain access.
pub(super) fn atomic_ordering(instruction: LValue) -> Result<Option<Ordering>, Unreadable> {
    // SAFETY: loads, stores, fences and atomicrmw have one.
    ordering_of(unsafe { c::LLVMGetOrdering(instruction.0) })
}

fn ordering_of(ordering: LLVMAtomicOrdering) -> Result<Option<Ordering>, Unreadable> {
    match ordering {
        LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic => Ok(None),
        LLVMAtomicOrdering::LLVMAtomicOrderingUnordered => Err("unordered atomic access".into()),
        LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic => Ok(Some(Ordering::Relaxed)),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquire => Ok(Some(Ordering::Acquire)),
        LLVMAtomicOrdering::LLVMAtomicOrderingRelease => Ok(Some(Ordering::Release)),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease => Ok(Some(Ordering::AcquireRelease)),
        LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => Ok(Some(Ordering::SequentiallyConsistent)),
    }
}

/// The scope of an atomic access or fence, which the C interface gives as text only.
fn scope(instruction: LValue) -> Result<Scope, Unreadable> {
    let text = instruction.print();
    let Some((_, rest)) = text.split_once("syncscope(\"") else { return Ok(Scope::System) };
    match rest.split('"').next().unwrap_or_default() {
        "singlethread" => Ok(Scope::Thread),
        "subgroup" | "wavefront" => Ok(Scope::Warp),
        "workgroup" => Ok(Scope::Group),
        "device" | "agent" => Ok(Scope::Device),
        "all_svm_devices" | "" => Ok(Scope::System),
        other => Err(format!("atomic of scope {other}")),
    }
}
