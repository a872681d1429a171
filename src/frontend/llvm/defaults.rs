//! The launch that a program makes if nobody gives it options.
//!
//! `int n = argc > 1 ? atoi(argv[1]) : 1 << 20;` leaves `n` open, and says what it is by default:
//! `main` gets one argument, its name. Where a value is chosen among several and the conditions do
//! not tell, the default is the one that is computed from constants alone. In a loop with the
//! launch, it is the value of the first iteration. A loop before the launch is executed, if its end
//! can be told; otherwise its values are those of the first iteration. So the result is a launch
//! that the program very likely makes, and nothing more: no proof rests on it. It serves to show
//! findings in a launch that the program makes before those in others, and to refute preconditions.

use std::collections::HashMap;
use std::rc::Rc;

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use lockstep_ir::bits::Bits;
use lockstep_options::launch::DefaultLaunch;

use super::host_ranges::{Condition, HostRanges, block_of, comparison, condition_of, parts};
use super::launches::name_of_called;
use super::raw::{LBlock, LValue, Opcode, TypeKind, ValueKind};
use super::relations::binary_op;

/// The most operations that are followed from one value to the next.
const DEEPEST: usize = 48;

/// The most values that are looked at for one launch.
const MOST_STEPS: usize = 200_000;

/// The most iterations of a loop that is executed.
const MOST_ITERATIONS: usize = 10_000;

impl HostRanges {
    /// The launch at a marker with these sizes and arguments, if nobody gives the program options;
    /// `array_bytes` are the sizes of what the arguments point to.
    ///
    /// There is none if a size is not known then, or if the program does not come to the marker.
    pub fn by_default(
        &self,
        marker: LValue,
        sizes: &[LValue],
        arguments: &[LValue],
        array_bytes: &[Option<LValue>],
    ) -> Option<DefaultLaunch> {
        let mut evaluator = Evaluator::new(self, marker);
        for condition in self.conditions(block_of(marker)) {
            // The condition at the end of a loop does not hold of its first iteration.
            evaluator.met_loop = false;
            if evaluator.part_holds(condition) == Some(false) && !evaluator.met_loop {
                return None;
            }
        }
        let mut size = |size: &LValue| u32::try_from(evaluator.value(*size)?.to_u64()?).ok().filter(|&size| size > 0);
        let sizes: Vec<u32> = sizes.iter().map(&mut size).collect::<Option<_>>()?;
        let (groups, threads) = sizes.split_at_checked(3)?;
        let (num_groups, local_size) = (groups.try_into().ok()?, threads.try_into().ok()?);
        let mut number = |bytes: &Option<LValue>| evaluator.value((*bytes)?)?.to_u64();
        let array_bytes = array_bytes.iter().map(&mut number).collect();
        let arguments = arguments.iter().map(|argument| evaluator.value(*argument)).collect();
        Some(DefaultLaunch { num_groups, local_size, arguments, array_bytes, dimensions: None })
    }
}

impl HostRanges {
    /// The number that a value is at a marker if nobody gives the program options.
    pub fn number_by_default(&self, marker: LValue, value: LValue) -> Option<u64> {
        Evaluator::new(self, marker).value(value)?.to_u64()
    }
}

struct Evaluator<'a> {
    host: &'a HostRanges,
    marker: LValue,
    /// The φ-nodes of loops that are being executed; `None` if one is not known.
    known: HashMap<LValue, Option<Bits>>,
    /// The loops, by their first blocks.
    loops: HashMap<LBlock, Rc<Loop>>,
    /// Whether a loop is being executed.
    is_executing: bool,
    /// The values that are being evaluated.
    pending: Vec<LValue>,
    /// Whether a value was computed from itself.
    met_loop: bool,
    left: usize,
}

impl<'a> Evaluator<'a> {
    fn new(host: &'a HostRanges, marker: LValue) -> Self {
        Self {
            host,
            marker,
            known: HashMap::new(),
            loops: HashMap::new(),
            is_executing: false,
            pending: Vec::new(),
            met_loop: false,
            left: MOST_STEPS,
        }
    }

    fn value(&mut self, value: LValue) -> Option<Bits> {
        let width = width(value)?;
        if let Some(constant) = value.small_constant() {
            return Some(Bits::new(width, constant));
        }
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        if is_argument_count(value) {
            return Some(Bits::one(width));
        }
        let is_instruction = matches!(value.kind(), ValueKind::LLVMInstructionValueKind);
        self.left = self.left.checked_sub(1)?;
        self.met_loop |= self.pending.contains(&value);
        if !is_instruction || self.pending.len() > DEEPEST || self.pending.contains(&value) {
            return None;
        }
        self.pending.push(value);
        let computed = self.computed(value, width);
        self.pending.pop();
        computed
    }

    /// The value of a φ-node.
    fn chosen(&mut self, phi: LValue) -> Option<Bits> {
        let block = block_of(phi);
        let (first, back) = self.host.edges(block);
        if back.is_empty() {
            let may_come = |evaluator: &mut Self, from: &LBlock| {
                let conditions = condition_of(*from, block).into_iter().flat_map(parts);
                let conditions: Vec<Condition> = conditions.chain(evaluator.host.conditions(*from)).collect();
                conditions.into_iter().all(|condition| evaluator.holds(condition) != Some(false))
            };
            let coming: Vec<LBlock> = first.into_iter().filter(|from| may_come(self, from)).collect();
            let choices: Vec<LValue> = coming.into_iter().filter_map(|from| phi.incoming(from)).collect();
            return self.only(&choices);
        }
        let entering: Vec<LValue> = first.iter().filter_map(|from| phi.incoming(*from)).collect();
        let info = self.loops.get(&block).cloned();
        let info = info.unwrap_or_else(|| Rc::new(Loop::of(self.host, (block, &back), self.marker)));
        self.loops.insert(block, Rc::clone(&info));
        if !info.has_marker {
            match self.executed(phi, (&first, &back), &info) {
                Executed::Ends(value) => return value,
                Executed::Unclear => {}
            }
        }
        self.only(&entering)
    }

    /// The value of a φ-node in the header of a loop when the loop ends.
    fn executed(&mut self, phi: LValue, (first, back): (&[LBlock], &[LBlock]), info: &Loop) -> Executed {
        let along = |evaluator: &mut Self, phi: LValue, edges: &[LBlock]| {
            let choices: Vec<LValue> = edges.iter().filter_map(|from| phi.incoming(*from)).collect();
            evaluator.only(&choices)
        };
        let Some(exits) = &info.exits else { return Executed::Unclear };
        let outer = (self.known.clone(), self.is_executing);
        let mut values: Vec<Option<Bits>> = info.phis.iter().map(|phi| along(self, *phi, first)).collect();
        // In an iteration, a value is known only if each of its choices is.
        self.is_executing = true;
        let mut executed = Executed::Unclear;
        for iteration in 0..MOST_ITERATIONS {
            self.known.extend(info.phis.iter().copied().zip(values.iter().cloned()));
            self.left = self.left.saturating_sub(exits.len() + info.phis.len());
            let taken: Vec<Option<bool>> = exits.iter().map(|exit| self.all_hold(exit)).collect();
            let ends = if taken.contains(&Some(true)) { Some(true) } else { (!taken.contains(&None)).then_some(false) };
            match ends {
                Some(true) => {
                    executed = Executed::Ends(self.known.get(&phi).cloned().flatten());
                    break;
                }
                Some(false) if self.left > 0 => {}
                _ => {
                    // The end depends on something that is not known.
                    executed = if iteration == 0 { Executed::Unclear } else { Executed::Ends(None) };
                    break;
                }
            }
            values = info.phis.iter().map(|phi| along(self, *phi, back)).collect();
            executed = Executed::Ends(None);
        }
        (self.known, self.is_executing) = outer;
        executed
    }

    /// Whether some conditions hold together, if all are known, or one that fails.
    fn all_hold(&mut self, conditions: &[Condition]) -> Option<bool> {
        let mut all = Some(true);
        for &condition in conditions {
            match self.holds(condition) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all = None,
            }
        }
        all
    }

    /// Whether a condition holds, if all of its parts are known, or one that fails.
    fn holds(&mut self, condition: Condition) -> Option<bool> {
        let compared: Vec<Option<bool>> = parts(condition).into_iter().map(|part| self.part_holds(part)).collect();
        if compared.contains(&Some(false)) {
            return Some(false);
        }
        (!compared.is_empty() && !compared.contains(&None)).then_some(true)
    }

    /// Whether a part of a condition holds, if that is known.
    fn part_holds(&mut self, part: Condition) -> Option<bool> {
        match comparison(part) {
            Some((predicate, [a, b])) => Some(holds(predicate, &self.value(a)?, &self.value(b)?)),
            None => Some((self.value(part.0)?.to_u64()? == 1) == part.1),
        }
    }

    fn computed(&mut self, value: LValue, width: u32) -> Option<Bits> {
        let operands = value.operands();
        match value.opcode() {
            Opcode::LLVMPHI => self.chosen(value),
            Opcode::LLVMSelect => {
                let condition = comparison((operands[0], true))
                    .and_then(|(predicate, [a, b])| Some(holds(predicate, &self.value(a)?, &self.value(b)?)));
                match condition {
                    Some(true) => self.value(operands[1]),
                    Some(false) => self.value(operands[2]),
                    None => self.only(&operands[1..]),
                }
            }
            Opcode::LLVMFreeze => self.value(operands[0]),
            Opcode::LLVMZExt => Some(self.value(operands[0])?.zero_extend(width)),
            Opcode::LLVMSExt => Some(self.value(operands[0])?.sign_extend(width)),
            Opcode::LLVMTrunc => Some(self.value(operands[0])?.extract(width - 1, 0)),
            Opcode::LLVMCall => self.called(value),
            opcode => {
                let op = binary_op(opcode)?;
                let (a, b) = (self.value(operands[0])?, self.value(operands[1])?);
                op.checked_fold(&a, &b)
            }
        }
    }

    /// The one value that some of these have, if the others have none.
    fn only(&mut self, choices: &[LValue]) -> Option<Bits> {
        let all: Vec<Option<Bits>> = choices.iter().map(|&choice| self.value(choice)).collect();
        if self.is_executing && all.contains(&None) {
            return None;
        }
        let mut known: Vec<Bits> = all.into_iter().flatten().collect();
        known.dedup();
        if known.len() == 1 { known.pop() } else { None }
    }

    fn called(&mut self, call: LValue) -> Option<Bits> {
        let name = name_of_called(call)?;
        let &[a, b] = call.call_arguments().as_slice() else { return None };
        let (a, b) = (self.value(a)?, self.value(b)?);
        let first = match name.strip_prefix("llvm.")?.split('.').next()? {
            "smin" => a.signed() <= b.signed(),
            "smax" => a.signed() >= b.signed(),
            "umin" => a.unsigned() <= b.unsigned(),
            "umax" => a.unsigned() >= b.unsigned(),
            _ => return None,
        };
        Some(if first { a } else { b })
    }
}

/// A loop of the host.
struct Loop {
    /// Its φ-nodes that are integers.
    phis: Vec<LValue>,
    /// The conditions under which an iteration takes each edge that leaves it for the marker;
    /// `None` if some are not read.
    exits: Option<Vec<Vec<Condition>>>,
    /// Whether the marker is in it.
    has_marker: bool,
}

impl Loop {
    fn of(host: &HostRanges, (header, back): (LBlock, &[LBlock]), marker: LValue) -> Self {
        let body = host.loop_of(header, back);
        let is_number = |value: &LValue| matches!(value.opcode(), Opcode::LLVMPHI) && width(*value).is_some();
        let mut exits = Vec::new();
        for from in host.blocks_of(header).into_iter().filter(|block| body.contains(block)) {
            let successors = from.terminator().map(LValue::successors).unwrap_or_default();
            // An edge to the end of the program is none to the launch.
            let leaving = successors.iter().filter(|to| !body.contains(to) && host.reaches(**to, block_of(marker)));
            for &to in leaving {
                let own = condition_of(from, to);
                exits.push(own.map(|own| [own].into_iter().chain(host.conditions(from)).collect()));
            }
        }
        let phis = header.instructions().into_iter().filter(is_number).collect();
        let has_marker = body.contains(&block_of(marker));
        Self { phis, exits: exits.into_iter().collect(), has_marker }
    }
}

/// The value of a number when a loop ends.
enum Executed {
    /// The loop ends, perhaps with a value that is not known.
    Ends(Option<Bits>),
    /// It is not known when the loop ends.
    Unclear,
}

/// Whether a value is the number of arguments that `main` gets.
fn is_argument_count(value: LValue) -> bool {
    let is_first = |function: LValue| function.name() == "main" && function.parameters().first() == Some(&value);
    value.function_of_parameter().is_some_and(is_first)
}

/// The width of an integer of at most 64 bits.
fn width(value: LValue) -> Option<u32> {
    let is_integer = matches!(value.ty().kind(), TypeKind::LLVMIntegerTypeKind);
    is_integer.then(|| value.ty().integer_width()).filter(|width| *width <= 64)
}

fn holds(predicate: Predicate, a: &Bits, b: &Bits) -> bool {
    match predicate {
        Predicate::LLVMIntEQ => a == b,
        Predicate::LLVMIntNE => a != b,
        Predicate::LLVMIntULT => a.unsigned() < b.unsigned(),
        Predicate::LLVMIntULE => a.unsigned() <= b.unsigned(),
        Predicate::LLVMIntUGT => a.unsigned() > b.unsigned(),
        Predicate::LLVMIntUGE => a.unsigned() >= b.unsigned(),
        Predicate::LLVMIntSLT => a.signed() < b.signed(),
        Predicate::LLVMIntSLE => a.signed() <= b.signed(),
        Predicate::LLVMIntSGT => a.signed() > b.signed(),
        Predicate::LLVMIntSGE => a.signed() >= b.signed(),
    }
}
