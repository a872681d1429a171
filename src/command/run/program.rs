//! `run --program`: executes the host's code of a file, and the kernels that it launches.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use serde::Serialize;

use super::{STEPS_PER_SECOND, json as of_runs, launch_in_words};
use crate::command::arguments::{RunArguments, RunFormat};
use crate::command::exit::ExitStatus;
use crate::command::output::write_file;
use crate::deadline::Deadline;
use crate::frontend::{Module, OwnProgram};
use crate::host::{Cause, StopKind};
use crate::interpreter::Workers;
use crate::pipeline::Settings;
use crate::pipeline::of_program::kernels;
use crate::replay::program::{Launched, Limits, ProgramRun, run_program};
use crate::report::{self, Colour, Sources, count, json};
use crate::verdict::Undecided;

/// Runs the program of a file, searches the launches of the wanted kernels for defects, and prints
/// the result.
pub fn run(module: &Module, arguments: &RunArguments, settings: &Settings) -> anyhow::Result<ExitStatus> {
    let program = module.kernels.iter().find_map(|kernel| kernel.program.as_deref());
    let lacks = "there is no `main` that launches kernels (--program); --host names the other files of the program";
    let program = program.ok_or_else(|| anyhow!("{lacks}"))?;
    let takes_arguments = !arguments.arguments.is_empty() || !arguments.save.is_empty();
    if takes_arguments {
        bail!("--arg and --save are for one kernel; with --program the host's code gives the arguments");
    }
    let mut watched = kernels(program, None);
    for (kernel, of_program) in watched.iter_mut().zip(&program.kernels) {
        let imported = module.kernels.iter().find(|imported| imported.symbol == of_program.symbol);
        let is_wanted = |name: &String| *name == of_program.symbol || *name == of_program.name;
        kernel.is_watched = match imported {
            Some(imported) => settings.wants(imported),
            None => settings.kernels.is_empty() || settings.kernels.iter().any(is_wanted),
        };
    }
    let timeout = settings.prove.timeout;
    let is_limited = !arguments.kernel.timeout.is_zero() && u32::try_from(timeout.as_secs()).is_ok();
    let steps = STEPS_PER_SECOND.saturating_mul(timeout.as_secs().max(1));
    let steps = if is_limited { steps } else { u64::MAX };
    let deadline = if is_limited { Deadline::after(timeout) } else { Deadline::NEVER };
    let begun = Instant::now();
    let run = || {
        let workers = Workers::of(rayon::current_num_threads());
        let bytes = settings.memory_bytes.unwrap_or(u64::MAX) / 4;
        let limits = Limits {
            host_steps: steps,
            kernel_steps: steps,
            bytes,
            deadline,
            workers,
            ends_at_defect: false,
            only_overlapping: false,
        };
        run_program(&program.host, &arguments.program_arguments, &watched, &settings.lockstep, limits)
    };
    let ran = Settings::on_workers(settings.jobs, run)?;
    let report = Report { program, ran: &ran, seconds: begun.elapsed() };
    let text = match arguments.format {
        RunFormat::Text => report.text()?,
        RunFormat::Json => report.json()?,
    };
    match &arguments.output {
        Some(path) => write_file(path, &text)?,
        None => report::show(&text)?,
    }
    Ok(status(&ran))
}

fn status(ran: &ProgramRun) -> ExitStatus {
    match &ran.ended.cause {
        _ if ran.launched.iter().any(|launched| !launched.findings.is_empty()) => ExitStatus::Defect,
        Cause::Returned(_) | Cause::Exit(_) => ExitStatus::Verified,
        Cause::Stopped(stopped) if stopped.kind == StopKind::Limit => ExitStatus::Unknown(Undecided::OutOfTime),
        Cause::Stopped(_) => ExitStatus::Unknown(Undecided::NotRead),
    }
}

/// A run and its program.
struct Report<'a> {
    program: &'a OwnProgram,
    ran: &'a ProgramRun,
    seconds: Duration,
}

impl Report<'_> {
    fn text(&self) -> anyhow::Result<String> {
        let mut text = String::new();
        let mut sources = self.sources();
        for launched in &self.ran.launched {
            for finding in &launched.findings {
                writeln!(text, "{}", report::finding(finding, &mut sources, Colour::IfTerminal))?;
            }
            let outcome = if launched.findings.is_empty() { "ran" } else { "defect" };
            writeln!(text, "{outcome} {}", self.named(launched))?;
            let noun = if launched.whole == 1 { "launch" } else { "launches" };
            let first = launch_in_words(&launched.grid);
            writeln!(text, "  {} {noun} to the end; the first: {first}\n", launched.whole)?;
        }
        if self.ran.launched.is_empty() {
            writeln!(text, "no launch of a kernel\n")?;
        }
        writeln!(text, "{}", self.end())?;
        let (host, kernels) = (count(self.ran.ended.steps, "step"), count(self.ran.kernel_steps, "step"));
        writeln!(text, "{host} of the host, {kernels} of kernels, {:.2} s", self.seconds.as_secs_f64())?;
        Ok(text)
    }

    /// The sources that findings show.
    fn sources(&self) -> Sources {
        Sources::named(self.program.kernels.iter().flat_map(|kernel| &kernel.sources))
    }

    /// A kernel with the places of its declaration and of its launch.
    fn named(&self, launched: &Launched) -> String {
        let kernel = &self.program.kernels[launched.kernel];
        let (file, line) = &kernel.place;
        let name = format!("{} ({file}:{line})", kernel.name);
        match &launched.place {
            Some((file, line)) => format!("{name}, launched at {file}:{line}"),
            None => name,
        }
    }

    /// The end of the run in words.
    fn end(&self) -> String {
        let ended = &self.ran.ended;
        match &ended.cause {
            Cause::Returned(number) => format!("the program ends: `main` returns {number}"),
            Cause::Exit(number) => format!("the program ends itself with {number}"),
            Cause::Stopped(stopped) => {
                let places = &self.program.host.places;
                let place = ended.place.and_then(|place| places.get(usize::try_from(place).ok()?));
                let at = place.map_or(String::new(), |(file, line)| format!(" ({file}:{line})"));
                format!("not run to its end{at}: {}", stopped.reason)
            }
        }
    }

    fn json(&self) -> anyhow::Result<String> {
        let mut sources = self.sources();
        let mut launched = Vec::new();
        for one in &self.ran.launched {
            launched.push(JsonLaunched {
                name: &self.program.kernels[one.kernel].name,
                at: one.place.as_ref().map(|(file, line)| JsonPlace { file, line: *line }),
                block: one.grid.local_size,
                grid: one.grid.num_groups,
                launches: one.whole,
                findings: one.findings.iter().map(|finding| json::finding_alone(finding, &mut sources)).collect(),
            });
        }
        let is_whole = !matches!(self.ran.ended.cause, Cause::Stopped(_));
        of_runs::render_program(&JsonProgram { launched, is_whole, end: self.end() })
    }
}

/// A run of a program, as JSON.
#[derive(Serialize)]
pub struct JsonProgram<'a> {
    launched: Vec<JsonLaunched<'a>>,
    /// Whether the program came to its end.
    is_whole: bool,
    end: String,
}

#[derive(Serialize)]
struct JsonLaunched<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<JsonPlace<'a>>,
    block: [u32; 3],
    grid: [u32; 3],
    /// The number of launches that ran to their ends.
    launches: u64,
    findings: Vec<serde_json::Value>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
}
