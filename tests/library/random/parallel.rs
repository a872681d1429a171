//! Compares runs by several workers with runs by one: both report the same.

use lockstep::deadline::Deadline;
use lockstep::interpreter::memory::{Element, Fill, Region};
use lockstep::interpreter::{self, Grid, How, Input, Races, Ran, Schedule, Workers};
use lockstep_ir::kernel::{Space, VerifiedKernel};

use super::program::{Operator, Place, Program, Statement, Value};

/// The steps allowed to a run whose limit is not to be reached.
const ENOUGH: u64 = 1_000_000;

/// Sizes of arrays, in bytes: many accesses leave the first one, and few the last.
const SIZES: [u64; 3] = [40, 8192, 1 << 24];

/// A run by several workers whose report was that of one worker.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    /// Whether the workers did not give up.
    pub together: bool,
    /// The number of events.
    pub events: usize,
}

/// Makes groups access cells of their own: eight of each global array.
pub fn apart(statements: &[Statement]) -> Vec<Statement> {
    let place = |place: &Place| {
        let own = Value::GroupId(0).with(Operator::Multiply, 8);
        Place { index: Value::binary(Operator::Add, own, place.index.clone().with(Operator::And, 7)), ..place.clone() }
    };
    let one = |statement: &Statement| match statement {
        Statement::Draw { to, place: at } => Statement::Draw { to: *to, place: place(at) },
        Statement::Load { to, place: at, mask } => Statement::Load { to: *to, place: place(at), mask: *mask },
        Statement::Store { place: at, value } => Statement::Store { place: place(at), value: value.clone() },
        Statement::Atomic { operation, place: at, operand, to } => {
            Statement::Atomic { operation: *operation, place: place(at), operand: operand.clone(), to: *to }
        }
        Statement::If { condition, then, otherwise } => {
            Statement::If { condition: condition.clone(), then: apart(then), otherwise: apart(otherwise) }
        }
        Statement::Loop { number, form, is_checked_last, body } => Statement::Loop {
            number: *number,
            form: form.clone(),
            is_checked_last: *is_checked_last,
            body: apart(body),
        },
        Statement::Signal { operation, means, place: at, operands, to } => Statement::Signal {
            operation: *operation,
            means: *means,
            place: place(at),
            operands: operands.clone(),
            to: *to,
        },
        Statement::While { condition, is_checked_last, body } => {
            Statement::While { condition: condition.clone(), is_checked_last: *is_checked_last, body: apart(body) }
        }
        other => other.clone(),
    };
    statements.iter().map(one).collect()
}

/// Runs a program in both ways; the seed decides everything else.
pub fn compare(program: &Program, kernel: &VerifiedKernel, seed: u64) -> Result<Alike, String> {
    let mut rest = seed;
    let mut draw = |below: u64| {
        let drawn = rest % below;
        rest /= below;
        drawn
    };
    let groups = 2 + u32::try_from(draw(12)).expect("few");
    let [x, y] = program.local_size;
    let grid = Grid {
        local_size: [x, y, 1],
        num_groups: [groups, 1, 1],
        global_offset: [0; 3],
        dimensions: 2,
        warp_size: [2, 32][usize::try_from(draw(2)).expect("small")],
    };
    let size = SIZES[usize::try_from(draw(3)).expect("small")];
    let races = Races { tolerant: draw(2) == 0, within_groups: draw(6) == 0, between: None };
    let how = How {
        most_steps: if draw(8) == 0 { 1 + draw(2_000) } else { ENOUGH },
        schedule: Schedule::InOrder,
        warps_in_lock_step: draw(6) == 0,
        lanes_apart: draw(6) == 0,
        returned_arrive: false,
        races: (draw(8) != 0).then_some(races),
        groups: None,
        workers: Workers::ONE,
        deadline: Deadline::NEVER,
    };
    let workers = Workers {
        most: 2 + usize::try_from(draw(4)).expect("small"),
        alone: [0, 0, 200][usize::try_from(draw(3)).expect("small")],
    };
    let code = interpreter::compile(kernel);
    let run = |workers| {
        let how = How { workers, ..how.clone() };
        interpreter::run(&code, &grid, input(kernel, size, seed), how).expect("a small launch")
    };
    let (one, several) = (run(Workers::ONE), run(workers));
    let (one_told, several_told) = (told(&one), told(&several));
    if one_told != several_told {
        return Err(format!("{how:?} {workers:?} {grid:?}\none: {one_told:?}\nseveral: {several_told:?}"));
    }
    Ok(Alike { together: several.workers > 1, events: one.events.len() })
}

fn input(kernel: &VerifiedKernel, size: u64, seed: u64) -> Input {
    let is_local = |space: Space| space == Space::Local;
    let region = |space| Region::new(if is_local(space) { 0 } else { size }, Fill::Random(Element::Unsigned(4), seed));
    let local = |space, bytes: Option<u64>| if is_local(space) { bytes.unwrap_or(0) } else { 0 };
    let last = u32::try_from(kernel.parameters.len()).expect("few parameters") - 1;
    Input {
        regions: kernel.arrays.values().map(|data| region(data.space)).collect(),
        local_bytes: kernel.arrays.values().map(|data| local(data.space, data.size)).collect(),
        private: Vec::new(),
        values: vec![(last, vec![seed % 4])],
    }
}

/// The reported facts of a run, except the workers and the bytes kept of accesses.
fn told(ran: &Ran) -> impl PartialEq + std::fmt::Debug {
    let contents = |region: &Region| -> Vec<Vec<u8>> {
        // Distant contents are told apart by their first bytes.
        region.contents(region.reach().min(1 << 16)).collect()
    };
    let regions: Vec<_> =
        ran.regions.iter().map(|region| (region.touched(), region.reach(), contents(region))).collect();
    let watched = ran.watched.as_ref().map(|watched| (watched.unsure.clone(), watched.exhausted));
    (ran.events.clone(), ran.steps, ran.broken_off, watched, regions)
}
