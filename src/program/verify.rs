//! `lockstep verify`: kernels are judged, and the report is written.

use std::mem;

use anyhow::Context;

use super::{confine, explain, patches};
use crate::command::arguments::{FormatName, RecordedArguments, VerifyArguments};
use crate::command::config::{Configurations, write_requires};
use crate::command::exit::ExitStatus;
use crate::command::inputs::Inputs;
use crate::command::output::write_file;
use crate::command::recorded::Recordings;
use crate::command::{inputs, recorded, worker};
use crate::findings::cause;
use crate::judge;
use crate::pipeline::{self, Input, InputFault};
use crate::report::{self, Baseline, Colour, Document, Format, Progress, allow, fingerprint};
use crate::sandbox;
use crate::verdict::KernelReport;
use crate::version;
use crate::witness;
use crate::worker::signals;

/// Verifies the kernels of the inputs.
pub fn verify(arguments: &VerifyArguments) -> anyhow::Result<ExitStatus> {
    if let Some(code) = &arguments.explain {
        return explain(code);
    }
    let format = match arguments.format {
        FormatName::Text if arguments.quiet => Format::Quiet,
        FormatName::Text => Format::Text,
        FormatName::Json => Format::Json,
        FormatName::Sarif => Format::Sarif,
        FormatName::Html => Format::Html,
    };
    arguments.witness.as_deref().map_or(Ok(()), witness::check)?;
    arguments.fix_suggestions.as_deref().map_or(Ok(()), patches::check)?;
    let baseline = arguments.baseline.as_deref().map(Baseline::read).transpose()?;
    let mut settings = pipeline::Settings {
        cache: arguments.cache.cache(),
        drawn: format == Format::Html,
        recheck: arguments.recheck.solver()?,
        seeks_preconditions: true,
        seeks_by_runs: true,
        ..pipeline::Settings::of(&arguments.kernel)?
    };
    settings.prove.goes_on = true;
    let RecordedArguments { json, list_intercepted, verify_intercepted, verify_all_intercepted } = arguments.recorded;
    // Clap does not enforce a requirement if an option that conflicts with it is present.
    if !json && (list_intercepted || verify_intercepted.is_some() || verify_all_intercepted) {
        anyhow::bail!("--list-intercepted, --verify-intercepted and --verify-all-intercepted need --recorded-launches");
    }
    let mut recordings =
        if json { recorded::read(&arguments.inputs, verify_intercepted) } else { Recordings::default() };
    let inputs = match (json, list_intercepted) {
        (true, true) => Inputs::default(),
        (true, false) => Inputs { files: recordings.inputs(&settings), ..Inputs::default() },
        (false, _) => inputs::find(&arguments.inputs, &settings),
    };
    let mut configurations = Configurations::new(&arguments.kernel, json);
    let inputs = Inputs { files: configurations.apply(inputs.files), ..inputs };
    let progress = if arguments.quiet { Progress::none() } else { Progress::new() };
    let mut outcome = judge::verify(&inputs.files, &settings, &progress);
    progress.finish();
    outcome.errors.extend(outcome.interruption());
    // From here on only printing is left.
    signals::forget();
    outcome.errors.splice(0..0, inputs.faults);
    outcome.errors.splice(0..0, configurations.faults);
    outcome.errors.extend(failed_rechecks(&outcome.reports));
    outcome.diagnostics.splice(0..0, inputs.notes.iter().map(|note| format!("note: {note}")));
    outcome.diagnostics.splice(0..0, configurations.notes.iter().map(|note| format!("note: {note}")));
    if let sandbox::Status::Partial(missing) = sandbox::status()
        && !inputs.files.is_empty()
        && !settings.frontend.no_sandbox
    {
        outcome
            .diagnostics
            .insert(0, format!("note: the sandbox is not whole: the kernel of this machine lacks {missing}"));
    }
    if recordings.faults.is_empty() {
        outcome.errors.extend(outcome.never_launched.iter().map(|name| recorded::never_launched(name)));
    }
    outcome.errors.splice(0..0, mem::take(&mut recordings.faults));
    outcome.diagnostics.extend(recordings.notes.iter().map(|note| format!("note: {note}")));
    fingerprint::assign(&mut outcome.reports);
    witness::add_commands(&mut outcome.reports, &inputs.files, &settings, &arguments.kernel.config);
    let is_whole = outcome.errors.is_empty() && asks_for_everything(arguments, &settings);
    outcome.diagnostics.extend(allow::set_aside(&mut outcome.reports, is_whole));
    for diagnostics in outcome.diagnostics.iter().filter(|_| !arguments.quiet) {
        report::say(diagnostics.trim_end());
    }
    let errors: Vec<&str> = outcome.errors.iter().map(|error| error.message.as_str()).collect();
    for error in &errors {
        report::say(&format!("error: {error}"));
    }
    let comparison = baseline.map(|baseline| baseline.set_aside(&mut outcome.reports));
    let status = ExitStatus::of(&outcome, arguments.accept_requires);
    // Comments and baselines are about findings, one by one. A baseline is a report in SARIF.
    for report in outcome.reports.iter_mut().filter(|_| format != Format::Sarif) {
        cause::join(&mut report.findings);
        cause::order(&mut report.findings);
    }
    if list_intercepted {
        report::show(&recordings.list())?;
        return Ok(status);
    }
    let command: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let configurations = origins(&outcome.reports, &inputs.files);
    let document = Document {
        tool: &version::tool(),
        reports: &outcome.reports,
        errors: &errors,
        diagnostics: &outcome.diagnostics,
        left_out: &outcome.left_out,
        comparison: comparison.as_ref(),
        command: &command,
        configurations: &configurations,
    };
    let silent = arguments.silent && status == ExitStatus::Verified;
    match &arguments.output {
        Some(path) => write_file(path, &report::render(format, &document, Colour::Never)?)?,
        None if silent => {}
        None => report::show(&report::render(format, &document, Colour::IfTerminal)?)?,
    }
    if let Some(path) = arguments.write_requires.as_ref().filter(|_| outcome.interrupted.is_none()) {
        let kernels = write_requires(path, &outcome.reports, &inputs.files)?;
        let kernels = report::count(kernels, "kernel");
        report::say(&format!("note: preconditions of {kernels} were added to {}", path.display()));
    }
    if let Some(folder) = arguments.fix_suggestions.as_ref().filter(|_| outcome.interrupted.is_none()) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for note in patches::write(folder, &outcome.reports)? {
            report::say(&note);
        }
    }
    let Some(folder) = arguments.witness.as_ref().filter(|_| outcome.interrupted.is_none()) else { return Ok(status) };
    let written = worker::in_worker("the writing of witnesses", arguments.kernel.allowance(), |steps| {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        confine(&arguments.kernel, &[folder])?;
        let notes = witness::write(folder, &outcome.reports, &inputs.files, &settings, || steps.next())?;
        for note in &notes {
            report::say(note);
        }
        Ok(ExitStatus::Verified)
    })?;
    Ok(if written == ExitStatus::Verified { status } else { written })
}

/// Whether the command line asks for all kernels and all checks.
fn asks_for_everything(arguments: &VerifyArguments, settings: &pipeline::Settings) -> bool {
    settings.kernels.is_empty()
        && settings.lockstep.checks_all_races()
        && !settings.only_intra_group
        && arguments.kernel.checks.no_check.is_empty()
}

/// For each report, the configuration that changed the settings of its kernel.
fn origins(reports: &[KernelReport], inputs: &[Input]) -> Vec<Option<String>> {
    let special = |report: &KernelReport| inputs.get(report.input)?.special.as_ref();
    reports.iter().map(|report| Some(special(report)?.origin().display().to_string())).collect()
}

/// The error for a second solver that gave no answers, if so.
fn failed_rechecks(reports: &[KernelReport]) -> Option<InputFault> {
    let rechecked = || reports.iter().filter_map(|report| report.rechecked.as_ref());
    let first = rechecked().find_map(|rechecked| Some((&rechecked.solver, rechecked.failure.as_ref()?)));
    let questions = report::count(rechecked().map(|rechecked| rechecked.failed).sum::<usize>(), "question");
    first.map(|(solver, what)| {
        InputFault::command_line(format!("--recheck: `{solver}` gave no answer to {questions}; of the first it {what}"))
    })
}
