//! `lockstep run`: runs kernels on all threads of a launch and reports results and errors.
//!
//! The report is in words ([`events`]), or for programs ([`json`]).

mod contents;
mod events;
mod json;
mod program;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use lockstep_ir::kernel::VerifiedKernel;

use super::arguments::{RunArguments, RunFormat};
use super::config;
use super::exit::ExitStatus;
use super::inputs::refuse_folder;
use super::output::{write_file, write_with};
use super::worker::Steps;
use crate::bounded;
use crate::deadline::Deadline;
use crate::frontend::{self, ImportedKernel};
use crate::interpreter::arguments::{DescribedArgument, Prepared, npy_header, prepare};
use crate::interpreter::memory::{Element, Region};
use crate::interpreter::one_buffer;
use crate::interpreter::{
    self, Code, Event, Grid, How, Input, Races, Ran, Schedule, Turn, Turns, Watched, Workers, Wrong, is_of_launch,
};
use crate::launch::Extent;
use crate::pipeline::input_fault::Culprit;
use crate::pipeline::{AskedLaunch, Settings};
use crate::replay;
use crate::report::{self, count};
use crate::verdict::Undecided;
use contents::is_given;
pub use contents::length;

/// Steps for each second of the time limit, so that a run ends at the same step everywhere and in
/// time.
const STEPS_PER_SECOND: u64 = 50_000_000;

/// The most threads of a launch that could be run in time.
const MOST_THREADS: u64 = 1 << 36;

/// The most bytes for registers and memory of the threads that run at the same time.
const MOST_BYTES: u64 = 8 << 30;

/// Runs every requested kernel.
pub fn run(arguments: &RunArguments, steps: &mut Steps) -> anyhow::Result<ExitStatus> {
    refuse_folder(&arguments.input, "run")?;
    if arguments.program {
        return run_program(arguments, steps);
    }
    let mut document = Document::new(arguments);
    match run_all(arguments, &mut document, steps) {
        Ok(status) => {
            document.end()?;
            Ok(status)
        }
        Err(error) => {
            // The error is printed on stderr, too.
            document.errors.push(format!("{error:#}"));
            document.end()?;
            Err(error)
        }
    }
}

/// Runs the program of a file.
fn run_program(arguments: &RunArguments, steps: &mut Steps) -> anyhow::Result<ExitStatus> {
    let settings = Settings::of(&arguments.kernel)?;
    let input = config::single(&arguments.input, &arguments.kernel)?;
    let module = frontend::import(&arguments.input, &input.frontend)?;
    report::say_unless_empty(&module.diagnostics);
    report::say_unless_empty(&report::left_out::notes(&module.left_out));
    steps.next();
    program::run(&module, arguments, &settings)
}

fn run_all(arguments: &RunArguments, document: &mut Document<'_>, steps: &mut Steps) -> anyhow::Result<ExitStatus> {
    let settings = Settings::of(&arguments.kernel)?;
    let input = config::single(&arguments.input, &arguments.kernel)?;
    let module = frontend::import(&arguments.input, &input.frontend)?;
    report::say_unless_empty(&module.diagnostics);
    report::say_unless_empty(&report::left_out::notes(&module.left_out));
    let wanted: Vec<&ImportedKernel> = module.kernels.iter().filter(|kernel| settings.wants(kernel)).collect();
    if wanted.is_empty() {
        let known: Vec<&str> = module.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        bail!("no kernel `{}` in the input; there are: {}", settings.kernels.join("`, `"), known.join(", "));
    }
    if wanted.len() > 1 && !(arguments.arguments.is_empty() && arguments.save.is_empty()) {
        let names: Vec<&str> = wanted.iter().map(|kernel| kernel.name.as_str()).collect();
        bail!("--arg and --save are for one kernel; choose it with --kernel: {}", names.join(", "));
    }
    let mut worst = ExitStatus::Verified;
    let mut is_at_fault = false;
    for imported in wanted {
        let kernel = match &imported.kernel {
            Ok(kernel) => kernel,
            Err(refusal) => {
                document.refused(format!("kernel {}: {refusal}", imported.name));
                worst = worse(worst, ExitStatus::Unknown(Undecided::NotRead));
                continue;
            }
        };
        let settings = input.settings(imported, &settings).map_err(|fault| anyhow!(fault.message))?;
        for launch in settings.launches(imported) {
            steps.next();
            // The other kernels are run all the same.
            match run_one((imported, kernel), &launch, arguments, &settings, document) {
                Ok(status) => worst = worse(worst, status),
                Err(error) => {
                    document.refused(format!("{error:#}"));
                    is_at_fault = true;
                }
            }
        }
    }
    Ok(if is_at_fault { ExitStatus::Input(Culprit::CommandLine) } else { worst })
}

/// The report of all runs: printed in words at once, unless a file or a program is to have it.
struct Document<'a> {
    format: RunFormat,
    output: Option<&'a Path>,
    text: String,
    kernels: Vec<json::Kernel>,
    errors: Vec<String>,
}

impl<'a> Document<'a> {
    fn new(arguments: &'a RunArguments) -> Self {
        let (format, output) = (arguments.format, arguments.output.as_deref());
        Self { format, output, text: String::new(), kernels: Vec::new(), errors: Vec::new() }
    }

    /// A kernel that cannot be run.
    fn refused(&mut self, why: String) {
        report::say(&format!("error: {why}"));
        self.errors.push(why);
    }

    fn add(&mut self, executed: &Executed<'_>, imported: &ImportedKernel) -> anyhow::Result<()> {
        match self.format {
            RunFormat::Json => self.kernels.push(json::Kernel::new(executed, imported)),
            RunFormat::Text if self.output.is_some() => writeln!(self.text, "{}", executed.text(imported)?)?,
            RunFormat::Text => report::show(&format!("{}\n", executed.text(imported)?))?,
        }
        Ok(())
    }

    fn end(self) -> anyhow::Result<()> {
        let text = match self.format {
            RunFormat::Json => json::render(&self.kernels, &self.errors)?,
            RunFormat::Text => self.text,
        };
        if let Some(path) = self.output {
            return write_file(path, &text);
        }
        report::show(&text)
    }
}

/// The worse of two statuses: a defect is worse than an unknown, which is worse than nothing.
fn worse(a: ExitStatus, b: ExitStatus) -> ExitStatus {
    match (a, b) {
        (ExitStatus::Defect, _) | (_, ExitStatus::Verified) => a,
        (_, ExitStatus::Defect) | (ExitStatus::Verified, _) => b,
        _ => a,
    }
}

/// A kernel that has been run, with the inputs of the run.
pub struct Executed<'a> {
    /// The number of groups that were run; 0 for all.
    only_groups: usize,
    /// The kernel, with the facts given about its arguments.
    pub kernel: Cow<'a, VerifiedKernel>,
    /// Its register form.
    pub code: Code,
    /// The launch.
    pub grid: Grid,
    /// The input at its start.
    pub start: Input,
    /// Its arguments in words.
    pub described: Vec<DescribedArgument>,
    /// The format of each array's elements.
    pub elements: Vec<Option<Element>>,
    /// The outcome.
    pub ran: Ran,
    /// The number of turns of a given schedule whose threads could not run.
    pub left_out: u64,
    /// The time limit.
    pub timeout: Duration,
    /// The time taken.
    pub seconds: Duration,
}

fn run_one(
    (imported, kernel): (&ImportedKernel, &VerifiedKernel),
    asked: &AskedLaunch,
    arguments: &RunArguments,
    settings: &Settings,
    document: &mut Document<'_>,
) -> anyhow::Result<ExitStatus> {
    let executed = execute(imported, kernel, asked, arguments, settings)?;
    document.add(&executed, imported)?;
    for saved in &arguments.save {
        save(&executed.kernel, &executed.ran.regions, &executed.elements, saved)?;
    }
    Ok(executed.status())
}

/// Runs one kernel in one launch.
pub fn execute<'a>(
    imported: &ImportedKernel,
    kernel: &'a VerifiedKernel,
    asked: &AskedLaunch,
    arguments: &RunArguments,
    settings: &Settings,
) -> anyhow::Result<Executed<'a>> {
    let timeout = settings.prove.timeout;
    let deadline = if arguments.kernel.timeout.is_zero() { Deadline::NEVER } else { Deadline::after(timeout) };
    let name = &imported.name;
    let given = settings.given(imported, kernel, &asked.request).map_err(|error| anyhow!(error))?;
    let one_buffer = one_buffer::applied(given.for_runs(), &arguments.arguments);
    let one_buffer = one_buffer.map_err(|error| anyhow!("kernel {name}: {error}"))?;
    let kernel = one_buffer.map_or_else(|| Cow::<VerifiedKernel>::Owned(given.for_runs().clone()), Cow::Owned);
    let grid = grid(&kernel, asked, settings).with_context(|| format!("kernel {name}"))?;
    let launched = &given.options.arguments;
    let prepared =
        prepare(&kernel, &grid, &arguments.arguments, launched).map_err(|error| anyhow!("kernel {name}: {error}"))?;
    let Prepared { input, described, elements } = prepared;
    let code = replay::code(&kernel);
    let bytes = interpreter::bytes_at_once(&code, &grid, &input);
    if bytes > MOST_BYTES {
        bail!("kernel {name}: the threads that run at the same time need {} MiB; choose a smaller launch", bytes >> 20);
    }
    let most_steps = match timeout {
        _ if arguments.kernel.timeout.is_zero() || timeout.as_secs() > u64::from(u32::MAX) => u64::MAX,
        _ => STEPS_PER_SECOND.saturating_mul(timeout.as_secs().max(1)),
    };
    let begun = Instant::now();
    let races = Races {
        tolerant: !arguments.kernel.checks.no_benign_tolerance,
        within_groups: arguments.kernel.checks.only_intra_group,
        between: arguments.between.map(|between| between.checked(&grid)).transpose()?,
    };
    let groups = only_groups(&arguments.only_groups, &grid)?;
    let only_groups = groups.as_ref().map_or(0, Vec::len);
    let how = How {
        most_steps,
        schedule: match &arguments.schedule {
            Asked::Schedule(schedule) => *schedule,
            Asked::File(_) => Schedule::InOrder,
        },
        warps_in_lock_step: settings.lockstep.warps_in_lock_step,
        lanes_apart: arguments.lanes_apart,
        returned_arrive: settings.lockstep.exited_threads_arrive,
        races: (!arguments.kernel.checks.only_divergence).then_some(races),
        groups,
        workers: Workers::ONE,
        deadline,
    };
    let in_lock_step = how.warps_in_lock_step;
    let given = turns(&arguments.schedule, &grid)?;
    if in_lock_step && (given.is_some() || arguments.save_schedule.is_some()) {
        bail!("kernel {name}: the turns of single threads are nothing to warps in lock-step (--warp-sync)");
    }
    let keep = arguments.save_schedule.is_some();
    if matches!(how.schedule, Schedule::Stale(_)) && (how.races.is_none() || keep || in_lock_step) {
        let why = "reads of older values need a search for races, have no turns, and are not for warps in lock-step";
        bail!("kernel {name}: {why} (--schedule=stale)");
    }
    let run = || {
        let workers = Workers::of(rayon::current_num_threads());
        interpreter::run_by_turns((&code, &grid), input.clone(), How { workers, ..how }, given.as_deref(), keep)
    };
    let Some((mut ran, made, left_out)) = Settings::on_workers(settings.jobs, run)? else {
        bail!(
            "kernel {name}: the accesses of so many threads cannot be told apart; choose a smaller launch, or do not look \
             for races (--only-divergence)"
        );
    };
    if let Some(path) = &arguments.save_schedule {
        save_turns(path, &made)?;
    }
    leave_out_early_reads(&mut ran);
    let seconds = begun.elapsed();
    Ok(Executed { only_groups, kernel, code, grid, start: input, described, elements, ran, left_out, timeout, seconds })
}

/// The groups that are run, in ascending order; `None` for all.
fn only_groups(asked: &[u64], grid: &Grid) -> anyhow::Result<Option<Vec<u64>>> {
    if let Some(group) = asked.iter().find(|&&group| group >= grid.groups()) {
        bail!("--only-groups: there is no group {group} in {}", launch_in_words(grid));
    }
    let groups: BTreeSet<u64> = asked.iter().copied().collect();
    Ok((!groups.is_empty()).then(|| groups.into_iter().collect()))
}

/// Removes reads of local memory that come before another thread's write.
///
/// Such a read races with the write, and comes first by chance: the race is the defect. If races
/// are not searched for, it is not known which reads these are.
fn leave_out_early_reads(ran: &mut Ran) {
    let races = ran.events.iter().filter_map(|event| match event.what {
        Wrong::Race(race) => Some(race.array),
        _ => None,
    });
    let (racing, looked): (Vec<_>, bool) = (races.collect(), ran.watched.is_some());
    ran.events.retain(|event| match event.what {
        Wrong::Unwritten { array, .. } => looked && !racing.contains(&array),
        _ => true,
    });
}

impl Executed<'_> {
    /// The report of the run.
    pub fn text(&self, imported: &ImportedKernel) -> anyhow::Result<String> {
        let (kernel, grid, ran) = (&*self.kernel, &self.grid, &self.ran);
        let mut text = String::new();
        for event in &ran.events {
            events::write_event(&mut text, kernel, &self.code, grid, event)?;
        }
        if let Some(watched) = &ran.watched {
            events::write_unsure(&mut text, kernel, &self.code, watched)?;
        }
        if self.left_out > 0 {
            let turns = count(self.left_out, "turn");
            writeln!(text, "note: {turns} of the schedule left out, as the thread waits or has returned\n")?;
        }
        writeln!(text, "{} {} ({}:{})", outcome(ran), imported.name, imported.file, imported.line)?;
        if let Some(why) = self.unfinished() {
            writeln!(text, "  {why}")?;
        }
        let only = match self.only_groups {
            0 => String::new(),
            some => format!(", of which {} run", count(some, "group")),
        };
        writeln!(text, "  launch: {}{only}", launch_in_words(grid))?;
        if !self.described.is_empty() {
            let described: Vec<String> = self.described.iter().map(ToString::to_string).collect();
            writeln!(text, "  arguments: {}", described.join("; "))?;
        }
        let arrays = contents::shown(kernel, &ran.regions, &self.elements);
        arrays.iter().try_for_each(|array| writeln!(text, "  {array}"))?;
        writeln!(text, "  {}", cost(grid, ran, self.seconds))?;
        Ok(text)
    }

    /// The reason why the run was broken off, if it was.
    pub fn unfinished(&self) -> Option<String> {
        let limit = format!("{} s (--timeout)", self.timeout.as_secs_f64());
        match (self.ran.broken_off, self.ran.is_late) {
            (false, _) => None,
            (true, true) => Some(format!("not finished in {limit}")),
            (true, false) => Some(format!("not finished in the steps that stand for {limit}")),
        }
    }

    /// Its exit status.
    pub fn status(&self) -> ExitStatus {
        status(&self.ran)
    }
}

/// The sizes of the launch, which must be known.
fn grid(kernel: &VerifiedKernel, asked: &AskedLaunch, settings: &Settings) -> anyhow::Result<Grid> {
    let launch = asked.request.resolve(kernel)?.launch;
    let known = |size: [Extent; 3]| -> Option<[u32; 3]> {
        let [x, y, z] = size.map(Extent::known);
        Some([x?, y?, z?])
    };
    let (Some(local_size), Some(num_groups)) = (known(launch.local_size), known(launch.num_groups)) else {
        bail!("a run needs sizes: give --local-size and --num-groups (or --block-dim and --grid-dim)");
    };
    let threads =
        local_size.iter().chain(&num_groups).try_fold(1u64, |product, &size| product.checked_mul(size.into()));
    if threads.is_none_or(|threads| threads > MOST_THREADS) {
        bail!("a launch of more than {MOST_THREADS} threads cannot be run");
    }
    let used = (0..3).rev().find(|&d| local_size[d] > 1 || num_groups[d] > 1).unwrap_or(0);
    let used = u32::try_from(used + 1).expect("three dimensions");
    Ok(Grid {
        local_size,
        num_groups,
        global_offset: launch.global_offset,
        dimensions: launch.dimensions.unwrap_or(used),
        warp_size: settings.lockstep.warp_size_for(kernel.language).min(64),
    })
}

fn status(ran: &Ran) -> ExitStatus {
    let is_made_up = Event::is_made_up;
    let is_defect = |event: &Event| !is_made_up(event) && !matches!(event.what, Wrong::Assumption | Wrong::Refused(_));
    if let Some(first) = ran.events.iter().find(|event| is_defect(event) || is_made_up(event)) {
        match (is_defect(first), ran.events.iter().any(is_defect)) {
            (true, _) => return ExitStatus::Defect,
            // Results of an invented value do not count.
            (false, true) => return ExitStatus::Unknown(Undecided::NotRead),
            (false, false) => {}
        }
    }
    let is_unsure = |watched: &Watched| watched.exhausted || !watched.unsure.is_empty();
    if ran.broken_off || ran.watched.as_ref().is_some_and(is_unsure) {
        return ExitStatus::Unknown(Undecided::OutOfTime);
    }
    let has_ended_early = ran.events.iter().any(|event| !is_made_up(event));
    if has_ended_early { ExitStatus::Unknown(Undecided::NotRead) } else { ExitStatus::Verified }
}

fn outcome(ran: &Ran) -> &'static str {
    match status(ran) {
        ExitStatus::Defect => "defect",
        ExitStatus::Unknown(_) => "unfinished",
        _ => "ran",
    }
}

fn launch_in_words(grid: &Grid) -> String {
    let size = |size: [u32; 3]| {
        let used = usize::try_from(grid.dimensions).expect("three dimensions");
        size[..used].iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
    };
    let noun = |count: u64, noun: &str| if count == 1 { noun.to_owned() } else { format!("{noun}s") };
    let (groups, threads) = (noun(grid.groups(), "group"), noun(grid.group_threads(), "thread"));
    format!("{} {groups} of {} {threads}", size(grid.num_groups), size(grid.local_size))
}

fn cost(grid: &Grid, ran: &Ran, seconds: Duration) -> String {
    let threads = grid.groups() * grid.group_threads();
    let rate = ran.steps.checked_div(u64::try_from(seconds.as_micros()).unwrap_or(u64::MAX)).unwrap_or(0);
    let touched: u64 = ran.regions.iter().map(Region::touched).sum();
    let races = match &ran.watched {
        Some(Watched { bytes, places: 0, .. }) => format!(", {} KiB to find races", bytes / 1024),
        Some(Watched { bytes, places, .. }) => {
            let places = count(*places, "place");
            format!(", {} KiB to find races, {places} through which threads learn from each other", bytes / 1024)
        }
        None => ", races not looked for".to_owned(),
    };
    format!(
        "{}, {}, {:.2} s ({rate} million a second), {} KiB of memory touched{races}",
        count(threads, "thread"),
        count(ran.steps, "step"),
        seconds.as_secs_f64(),
        touched / 1024
    )
}

/// An array to be saved: its name and the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    array: String,
    /// The file.
    pub path: PathBuf,
}

/// The two threads to which the search for races is restricted.
///
/// Each is given by its group's number and its number in the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between(pub [(u64, u32); 2]);

impl Between {
    /// The two threads, which must be threads of the launch.
    fn checked(self, grid: &Grid) -> anyhow::Result<[(u64, u32); 2]> {
        for (group, thread) in self.0 {
            if group >= grid.groups() || u64::from(thread) >= grid.group_threads() {
                bail!("--between: there is no thread {thread} of group {group} in {}", launch_in_words(grid));
            }
        }
        Ok(self.0)
    }
}

/// Reads `GROUP:THREAD,GROUP:THREAD`.
pub fn parse_between(text: &str) -> Result<Between, String> {
    let thread = |text: &str| {
        let (group, thread) = text.split_once(':')?;
        Some((group.trim().parse().ok()?, thread.trim().parse().ok()?))
    };
    let both = text.split_once(',').and_then(|(first, second)| Some([thread(first)?, thread(second)?]));
    both.map(Between).ok_or_else(|| "two threads are GROUP:THREAD,GROUP:THREAD, such as 0:5,1:0".to_owned())
}

/// The requested schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// One of these schedules.
    Schedule(Schedule),
    /// The turns in this file.
    File(PathBuf),
}

/// The turns of a file, one a line, if a file is given; `#` begins a comment.
fn turns(asked: &Asked, grid: &Grid) -> anyhow::Result<Option<Vec<Turn>>> {
    let Asked::File(path) = asked else { return Ok(None) };
    let text = bounded::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.split('#').next().unwrap_or_default()));
    let turn = |(number, line): (u32, &str)| {
        let turn: Turn = line.parse().map_err(|error| anyhow!("{}:{number}: {error}", path.display()))?;
        if turn.group >= grid.groups() || u64::from(turn.thread) >= grid.group_threads() {
            bail!("{}:{number}: there is no such thread in {}", path.display(), launch_in_words(grid));
        }
        Ok(turn)
    };
    let turns = lines.filter(|(_, line)| !line.trim().is_empty()).map(turn);
    turns.collect::<anyhow::Result<_>>().map(Some)
}

/// Writes the turns of a run, so that they can be repeated.
fn save_turns(path: &Path, turns: &Turns) -> anyhow::Result<()> {
    if turns.is_cut {
        bail!("{}: the run has more turns than are kept", path.display());
    }
    write_with(path, |file| turns.made.iter().try_for_each(|turn| writeln!(file, "{turn}")))
}

/// Reads a schedule: `in-order`, `round-robin`, `round-robin=STEPS`, `random`, `random=SEED`,
/// `file:PATH`.
pub fn parse_schedule(text: &str) -> Result<Asked, String> {
    match text.strip_prefix("file:") {
        Some("") => Err("name the file of the schedule: file:PATH".to_owned()),
        Some(path) => Ok(Asked::File(PathBuf::from(path))),
        None => parse_named(text).map(Asked::Schedule),
    }
}

fn parse_named(text: &str) -> Result<Schedule, String> {
    let (name, number) = match text.split_once('=') {
        Some((name, number)) => {
            let number: u64 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
            (name, Some(number))
        }
        None => (text, None),
    };
    match (name, number) {
        ("in-order", None) => Ok(Schedule::InOrder),
        ("round-robin", Some(0)) => Err("a turn has at least one step".to_owned()),
        ("round-robin", steps) => Ok(Schedule::RoundRobin(steps.unwrap_or(1))),
        ("random", seed) => Ok(Schedule::Random(seed.unwrap_or(0))),
        ("stale", seed) => Ok(Schedule::Stale(seed.unwrap_or(0))),
        _ => {
            let all = "in-order, round-robin, round-robin=STEPS, random, random=SEED, stale, stale=SEED or file:PATH";
            Err(format!("a schedule is {all}"))
        }
    }
}

/// Reads `NAME=FILE`.
pub fn parse_saved(text: &str) -> Result<Saved, String> {
    match text.split_once('=') {
        Some((array, path)) if !array.is_empty() && !path.is_empty() => {
            Ok(Saved { array: array.to_owned(), path: PathBuf::from(path) })
        }
        _ => Err("what is saved is NAME=FILE, such as out=out.npy".to_owned()),
    }
}

fn save(
    kernel: &VerifiedKernel,
    regions: &[Region],
    elements: &[Option<Element>],
    Saved { array, path }: &Saved,
) -> anyhow::Result<()> {
    let arrays = kernel.arrays.values().zip(regions).zip(elements);
    let mut given = arrays.filter(|((data, region), _)| is_given(data) && is_of_launch(data.space) && region.size > 0);
    let Some(((_, region), element)) = given.find(|((data, _), _)| data.name == *array) else {
        bail!("kernel {} has no array `{array}` that could be saved", kernel.name);
    };
    // Bytes are the default element type.
    let element = element.unwrap_or(Element::Unsigned(1));
    let elements = length(region) / element.bytes();
    write_with(path, |file| {
        if has_ending(path, "npy") {
            file.write_all(&npy_header(element, elements))?;
        }
        region.contents(elements * element.bytes()).try_for_each(|page| file.write_all(&page))
    })
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}
