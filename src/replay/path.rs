//! Paths of the threads of a confirmed finding to its accesses: its witness runs once more and
//! records a diary.

use std::collections::BTreeSet;

use lockstep_findings as kinds;
use lockstep_interpreter::arguments::{Given, parse_given, prepare};
use lockstep_interpreter::{Barrier, Diary, Event, How, Pass, Position, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::source::Location;
use lockstep_verdict::picture::{BarrierOf, Passed, Touched, Way, WayEnd};
use lockstep_verdict::{AccessShown, Finding};

use super::{BYTES, LANES_APART, Places, Replay, SCHEDULES, STEPS, thread};

/// The bytes of each access of a finding (0 if the run does not record the number), and the way of
/// its thread to it.
type Told = (Vec<Option<Touched>>, Vec<Way>);

/// A thread: its group's number, its number in the group.
type Thread = (u64, u32);

impl Replay<'_> {
    /// The contents of a confirmed finding's picture; `None` if its witness does not show it again.
    pub fn picture(&self, finding: &Finding) -> Option<Told> {
        let arguments = finding.witness.as_ref()?.words.iter().filter_map(|word| word.strip_prefix("--arg="));
        let given: Vec<Given> = arguments.map(parse_given).collect::<Result<_, _>>().ok()?;
        let grid = self.grid_of(&finding.block, &finding.grid)?;
        let threads: Vec<Thread> = finding
            .accesses
            .iter()
            .map(|access| thread(&grid, &access.block, &access.thread))
            .collect::<Option<_>>()?;
        let threads = [*threads.first()?, *threads.get(1).or(threads.first())?];
        let input = prepare(self.kernel, &grid, &given, &self.options.arguments).ok()?.input;
        if lockstep_interpreter::bytes_at_once(&self.code, &grid, &input) > BYTES {
            return None;
        }
        let mut arrays = self.kernel.arrays.iter();
        let array = arrays.find(|(_, data)| finding.array.as_ref() == Some(&data.name)).map(|(array, _)| array);
        let diary = Diary::new(threads, array.zip(finding.offset_bytes));
        let places = Places {
            kernel: self.kernel,
            code: &self.code,
            grid: &grid,
            returned_count_as_come: self.options.exited_threads_arrive,
        };
        let lanes_apart = finding.witness.as_ref()?.words.iter().any(|word| word == LANES_APART);
        let in_time = SCHEDULES.into_iter().take_while(|_| !self.options.deadline.passed());
        in_time.into_iter().find_map(|schedule| {
            let (how, races) = self.how_again(schedule, threads, lanes_apart);
            let code = (&self.code, &grid);
            let (ran, diary) = lockstep_interpreter::run_with_diary(code, input.clone(), how, races, diary.clone())?;
            of_run(&places, finding, &ran, &diary)
        })
    }

    /// The way to run two threads' groups again, and the races to look for.
    fn how_again(&self, schedule: Schedule, threads: [Thread; 2], lanes_apart: bool) -> (How, Races) {
        let groups = BTreeSet::from(threads.map(|(group, _)| group));
        let how = How {
            most_steps: STEPS,
            schedule,
            warps_in_lock_step: self.options.warps_in_lock_step,
            lanes_apart,
            returned_arrive: self.options.exited_threads_arrive,
            races: None,
            groups: Some(groups.into_iter().collect()),
            workers: Workers::ONE,
            deadline: self.options.deadline,
        };
        let races = Races {
            tolerant: !self.options.no_benign_tolerance,
            within_groups: self.options.only_intra_group,
            between: Some(threads),
        };
        (how, races)
    }
}

fn of_run(places: &Places<'_>, finding: &Finding, ran: &Ran, diary: &Diary) -> Option<Told> {
    if finding.kind == kinds::race::KIND {
        return of_race(places, finding, diary);
    }
    let is_it = |event: &Event| {
        let mut found = finding.clone();
        places.confirm(&mut found, &[event], true) && found.accesses == finding.accesses
    };
    let number = ran.events.iter().position(is_it)?;
    let event = &ran.events[number];
    let counts = diary.events.iter().find(|(event, _)| *event == number).map(|(_, counts)| *counts)?;
    let touched = match event.what {
        Wrong::OutOfBounds { offset, bytes, .. } => Some(Touched { first: offset, bytes: bytes.into() }),
        Wrong::Misaligned { offset, .. } => Some(Touched { first: offset, bytes: 0 }),
        _ => None,
    };
    let ways = finding.accesses.iter().enumerate().map(|(index, access)| {
        let end = match event.what {
            Wrong::Divergence { other, returned } => end_of(places, access, event, other, returned)?,
            _ => WayEnd::There,
        };
        Some(way(places, &diary.passes[index][..counts[index]], end))
    });
    let ways = ways.collect::<Option<Vec<Way>>>()?;
    Some((finding.accesses.iter().map(|_| touched).collect(), ways))
}

fn of_race(places: &Places<'_>, finding: &Finding, diary: &Diary) -> Option<Told> {
    let sides = places.touches(finding, diary)?;
    let touched = |touch: lockstep_interpreter::Touch| {
        let first = i64::try_from(touch.offset).ok()?;
        Some(Touched { first, bytes: touch.bytes })
    };
    // The last barrier that either thread has passed before its access. The other thread passes it
    // before or after its own access.
    let last = [0, 1].map(|index| diary.passes[index][..sides[index].passed].last().map_or(0, |pass| pass.meeting));
    let ways = [0, 1].map(|index| {
        let (before, behind) = diary.passes[index].split_at(sides[index].passed);
        let after = behind.iter().take_while(|pass| pass.meeting <= last[1 - index]);
        Way { after: after.map(|pass| passed(places, pass)).collect(), ..way(places, before, WayEnd::There) }
    });
    Some((sides.map(touched).to_vec(), ways.to_vec()))
}

/// The place that the thread of an access has reached when threads wait for each other forever;
/// `None` if the run does not record it.
fn end_of(
    places: &Places<'_>,
    access: &AccessShown,
    event: &Event,
    other: Option<(Position, [u32; 3])>,
    returned: Option<(Position, [u32; 3])>,
) -> Option<WayEnd> {
    let is = |thread: [u32; 3]| access.thread.iter().zip(thread).all(|(&id, of)| id == u64::from(of));
    let (at, has_returned) = match (other, returned) {
        _ if is(event.thread) => (event.at, false),
        (Some((at, thread)), _) if is(thread) => (at, false),
        (_, Some((at, thread))) if is(thread) => (at, true),
        _ => return None,
    };
    let (file, line) = place(places.kernel, places.code.place(at));
    Some(match has_returned {
        true => WayEnd::Returned,
        false if places.is_at(access, at) => WayEnd::There,
        false => WayEnd::Waits(file, line),
    })
}

fn way(places: &Places<'_>, passes: &[Pass], end: WayEnd) -> Way {
    Way { passed: passes.iter().map(|pass| passed(places, pass)).collect(), end, after: Vec::new() }
}

fn passed(places: &Places<'_>, pass: &Pass) -> Passed {
    let (file, line) = place(places.kernel, places.code.place(pass.at));
    let of = match pass.barrier {
        Barrier::Warp => BarrierOf::Warp,
        Barrier::Group => BarrierOf::Group,
        Barrier::Launch => BarrierOf::Launch,
    };
    Passed { file, line, of, meeting: pass.meeting }
}

/// The file and line; 0 if unknown.
fn place(kernel: &VerifiedKernel, location: Option<Location>) -> (String, u32) {
    location.map_or((String::new(), 0), |location| {
        let data = &kernel.locations[location];
        (kernel.files[data.file].clone(), data.line)
    })
}
