//! `verify --witness DIR`: each confirmed finding as a portable folder that runs it again.
//!
//! `DIR/KERNEL-NUMBER-CODE/` has the source with the files that it includes ([`sources`]), and
//! `run.sh` with the words of `lockstep run` ([`command_line`]). It also has `WITNESS.md` with a
//! description, and for OpenCL C `host.c` ([`host`]). The folder's contents are run at once. The
//! run confirms the defect, and shows how much of each array it touches.

mod command_line;
mod host;
mod sources;
mod text;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Parser;
use lockstep_ir::kernel::{Language, VerifiedKernel};

use crate::command::arguments::{Arguments, Command, ConfigArguments, RunArguments};
use crate::command::exit::ExitStatus;
use crate::command::run::{Executed, execute, length};
use crate::frontend::{self, ImportedKernel, Module, language_of};
use crate::interpreter::arguments::npy_header;
use crate::interpreter::memory::{Element, Region};
use crate::pipeline::{Input, Settings};
use crate::replay::Places;
use crate::replay::program::WHOLE_PROGRAM;
use crate::verdict::{Finding, KernelReport};
use sources::Copied;

/// The first line of a witness's description, which marks its folder as a witness.
const MARK: &str = "<!-- written by lockstep verify --witness -->";

/// The file that begins with it.
const STORY: &str = "WITNESS.md";

/// The longest part of a folder's name taken from a kernel's name.
const LONGEST_NAME: usize = 80;

/// The longest word of an argument that does not go into a file.
const LONGEST_WORD: usize = 120;

/// The most bytes of an array that are put into a file.
const MOST_IN_FILE: u64 = 16 << 20;

/// Whether witnesses can be written below this folder, which is a folder or does not exist.
pub fn check(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("--witness: {} is not a folder", folder.display());
    }
    Ok(())
}

/// Writes the witnesses of all confirmed findings, and returns messages about them.
///
/// An existing folder that is not a witness is an error, and nothing is written then. `next` is
/// called before each witness.
pub fn write(
    folder: &Path,
    reports: &[KernelReport],
    inputs: &[Input],
    settings: &Settings,
    mut next: impl FnMut(),
) -> anyhow::Result<Vec<String>> {
    check(folder)?;
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    for report in reports {
        let with_witness = report.findings.iter().filter_map(|finding| Some((finding, finding.witness.as_ref()?)));
        for (finding, witness) in with_witness {
            if witness.words.iter().any(|word| word == WHOLE_PROGRAM) {
                let command = witness.command.join(" ");
                notes.push(format!("note: {} needs the whole program, which is no folder: {command}", finding.code));
                continue;
            }
            let name = safe(&report.name);
            let number = numbers.entry(name.clone()).or_default();
            *number += 1;
            let place = folder.join(format!("{name}-{number}-{}", finding.code));
            refuse_others(&place)?;
            all.push((place, report, finding));
        }
    }
    for (place, report, finding) in all {
        next();
        let input = inputs.get(report.input).ok_or_else(|| anyhow!("a report of no input"))?;
        let one = One { place: &place, report, finding, input, settings };
        notes.extend(one.write().with_context(|| format!("cannot write the witness {}", place.display()))?);
    }
    Ok(notes)
}

/// Gives each confirmed finding the command that runs it again: `lockstep run`, with the flags
/// under which its kernel was verified. It reads the same configuration.
pub fn add_commands(reports: &mut [KernelReport], inputs: &[Input], settings: &Settings, config: &ConfigArguments) {
    for report in reports {
        if report.findings.iter().all(|finding| finding.witness.is_none()) {
            continue;
        }
        let Some(input) = inputs.get(report.input) else { continue };
        let is_piped = config.piped.as_ref() == Some(&input.path);
        let path = if is_piped { "-".to_owned() } else { as_argument(&input.path) };
        let mut first = vec!["lockstep".to_owned(), "run".to_owned(), path];
        first.extend(flags(report, input, settings, is_piped));
        first.extend(config.no_config.then(|| "--no-config".to_owned()));
        first.extend(config.config.as_ref().map(|path| format!("--config={}", path.display())));
        for witness in report.findings.iter_mut().filter_map(|finding| finding.witness.as_mut()) {
            witness.command = first.iter().chain(&witness.words).cloned().collect();
        }
    }
}

/// A path that no command line takes for an option.
fn as_argument(path: &Path) -> String {
    let path = path.display().to_string();
    if path.starts_with('-') { format!("./{path}") } else { path }
}

/// The flags with which `lockstep run` runs the kernel of a report as it was verified.
fn flags(report: &KernelReport, input: &Input, settings: &Settings, is_piped: bool) -> Vec<String> {
    let settings = input.settings_of(&report.name, settings);
    let mut flags = command_line::flags(&settings, &input.frontend, &report.name);
    // The folder of the standard input is known without it.
    flags.retain(|flag| !(is_piped && flag.starts_with("--clang-arg=-iquote")));
    flags.extend(input.frontend.includes.iter().map(|folder| format!("-I{}", folder.display())));
    flags
}

/// A name that is valid for a file everywhere.
pub fn safe(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = name.chars().map(plain).take(LONGEST_NAME).collect();
    // A name that begins with a dash could be taken for an option.
    if name.starts_with('-') { format!("_{name}") } else { name }
}

/// Refuses to replace files that were not written here.
fn refuse_others(place: &Path) -> anyhow::Result<()> {
    let entries = match fs::read_dir(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("--witness: {}", place.display())),
        Ok(mut entries) => entries.next().is_some(),
    };
    let is_ours = || fs::read_to_string(place.join(STORY)).is_ok_and(|text| text.starts_with(MARK));
    if entries && !is_ours() {
        bail!("--witness: {} is there already and is no witness; remove it or choose another folder", place.display());
    }
    Ok(())
}

/// One finding and the place of its witness.
struct One<'a> {
    place: &'a Path,
    report: &'a KernelReport,
    finding: &'a Finding,
    input: &'a Input,
    settings: &'a Settings,
}

impl One<'_> {
    /// Writes the folder and runs its contents; returns a message about the run.
    fn write(&self) -> anyhow::Result<Option<String>> {
        fs::create_dir_all(self.place)?;
        // If the writing is interrupted, the next run recognises the folder and writes over it.
        self.put(STORY, &format!("{MARK}\nThe writing of this witness was interrupted.\n"))?;
        let language = language_of(&self.input.path, &self.input.frontend)
            .ok_or_else(|| anyhow!("{} is of no known language", self.input.path.display()))?;
        let copied = sources::copy(&self.input.path, language, &self.input.frontend, self.place)?;
        let settings = self.input.settings_of(&self.report.name, self.settings);
        let mut flags = command_line::flags(&settings, &self.input.frontend, &self.report.name);
        // All settings are flags, wherever the folder is moved to.
        flags.push("--no-config".to_owned());
        let given = self.finding.witness.as_ref().map(|witness| witness.words.clone()).unwrap_or_default();

        let (arguments, settings) = self.parsed(&copied, &flags, &given)?;
        let module = frontend::import(&arguments.input, &settings.frontend)?;
        let (imported, kernel) = chosen(&module, &settings)?;
        let asked = settings.launches(imported).into_iter().next().ok_or_else(|| anyhow!("no launch"))?;
        let executed = execute(imported, kernel, &asked, &arguments, &settings)?;

        let given = self.with_files(given, &executed)?;
        let (line, rest) = command_line::command_line(&copied, &flags, &given);
        self.put_script("run.sh", &text::script(&line, &rest))?;
        let host = (language == Language::OpenCl).then(|| {
            let header = host::annotations(&copied.texts);
            host::program(&executed, &copied, &self.input.frontend, header.is_some()).map(|program| (program, header))
        });
        if let Some(Ok((program, header))) = &host {
            self.put("host.c", program)?;
            if let Some(header) = header {
                self.put(host::ANNOTATIONS, header)?;
            }
        }
        let no_host = match host {
            None => Some("CUDA and HIP kernels get no host program".to_owned()),
            Some(Err(why)) => Some(why),
            Some(Ok(_)) => None,
        };
        let happened = self.happened(&executed, &copied);
        let told = executed.text(imported)?.replace(&format!("{}/", self.place.display()), "");
        let story = text::Story { report: self.report, finding: self.finding, line: &line, rest: &rest, no_host, told };
        self.put(STORY, &format!("{MARK}\n{}", story.text(happened)?))?;
        let again = format!("note: {}: run again as a whole it does not show this finding", self.place.display());
        Ok((!happened).then_some(again))
    }

    fn put(&self, name: &str, text: &str) -> anyhow::Result<()> {
        fs::write(self.place.join(name), text).with_context(|| name.to_owned())
    }

    /// A file that is executable from the beginning: in the sandbox no mode is changed.
    fn put_script(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.place.join(name);
        let put = || {
            match fs::remove_file(&path) {
                Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
                _ => {}
            }
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o755).open(&path)?;
            file.write_all(text.as_bytes())
        };
        put().with_context(|| name.to_owned())
    }

    /// The words of `lockstep run`, parsed, for the files in the folder.
    fn parsed(&self, copied: &Copied, flags: &[String], given: &[String]) -> anyhow::Result<(RunArguments, Settings)> {
        let includes = copied.includes.iter().map(|folder| format!("-I{}", self.place.join(folder).display()));
        let source = self.place.join(&copied.source).display().to_string();
        let words = ["lockstep".to_owned(), "run".to_owned()].into_iter().chain(flags.iter().cloned());
        let words = words.chain(includes).chain(given.iter().cloned()).chain(["--".to_owned(), source]);
        match Arguments::try_parse_from(words)?.command {
            Command::Run(arguments) => {
                let settings = Settings::of(&arguments.kernel)?;
                Ok((arguments, settings))
            }
            _ => bail!("the words of a witness are those of a run"),
        }
    }

    /// The arguments, with long ones put into files that hold everything that the run touches.
    fn with_files(&self, given: Vec<String>, executed: &Executed<'_>) -> anyhow::Result<Vec<String>> {
        let mut all = Vec::with_capacity(given.len());
        for word in given {
            let argument = word.strip_prefix("--arg=").and_then(|argument| argument.split_once('='));
            let Some((name, _)) = argument.filter(|_| word.len() > LONGEST_WORD) else {
                all.push(word);
                continue;
            };
            match self.file_of(name, executed)? {
                Some(file) => all.push(format!("--arg={name}=file:{file}")),
                None => all.push(word),
            }
        }
        Ok(all)
    }

    /// Writes the initial contents of an array into a file, and returns its name.
    ///
    /// `None` if the file would be too long.
    fn file_of(&self, name: &str, executed: &Executed<'_>) -> anyhow::Result<Option<String>> {
        let arrays = executed.kernel.arrays.values().zip(&executed.ran.regions).zip(&executed.elements);
        let found = arrays
            .zip(&executed.start.regions)
            .find(|(((data, region), _), _)| data.name == name && region.size > 0 && length(region) <= MOST_IN_FILE);
        let Some((((_, region), element), start)) = found else { return Ok(None) };
        let element = element.unwrap_or(Element::Unsigned(1));
        let (elements, file) = (length(region) / element.bytes(), format!("{}.npy", safe(name)));
        let bytes: Vec<u8> = Region::contents(start, elements * element.bytes()).flatten().collect();
        fs::write(self.place.join(&file), [npy_header(element, elements), bytes].concat())?;
        Ok(Some(file))
    }

    /// Whether the run of the whole launch has the finding.
    fn happened(&self, executed: &Executed<'_>, copied: &Copied) -> bool {
        let places = Places {
            kernel: &executed.kernel,
            code: &executed.code,
            grid: &executed.grid,
            returned_count_as_come: self.settings.lockstep.exited_threads_arrive,
        };
        let mut finding = self.finding.clone();
        for access in &mut finding.accesses {
            let given = fs::canonicalize(&access.file).ok();
            let file = copied.files.iter().find(|(from, _)| given.as_ref() == Some(from));
            if let Some((_, to)) = file {
                access.file = self.place.join(to).display().to_string();
            }
        }
        let events: Vec<_> = executed.ran.events.iter().collect();
        matches!(executed.status(), ExitStatus::Defect) && places.confirm(&mut finding, &events, true)
    }
}

/// The kernel that the words name.
fn chosen<'m>(module: &'m Module, settings: &Settings) -> anyhow::Result<(&'m ImportedKernel, &'m VerifiedKernel)> {
    let imported = module.kernels.iter().find(|kernel| settings.wants(kernel));
    let imported = imported.ok_or_else(|| anyhow!("the copied source has no such kernel"))?;
    let kernel = imported.kernel.as_ref().map_err(|refusal| anyhow!("{refusal}"))?;
    Ok((imported, kernel))
}

/// A path with slashes, which all systems accept.
fn with_slashes(path: &Path) -> String {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/")
}

/// Copied files: the original path, and the path in the folder.
type Files = Vec<(PathBuf, PathBuf)>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        assert_eq!(safe("ns::scale<float *>"), "ns__scale_float___");
        assert_eq!(safe("../x"), "___x");
        assert_eq!(safe("-k"), "_-k");
        assert_eq!(safe(&"k".repeat(200)).len(), LONGEST_NAME);
    }

    #[test]
    fn folders_of_others_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(refuse_others(&folder.path().join("nothing")).is_ok());
        assert!(refuse_others(folder.path()).is_ok());
        fs::write(folder.path().join("thesis.tex"), "x").expect("a file");
        assert!(refuse_others(folder.path()).is_err());
        fs::write(folder.path().join(STORY), format!("{MARK}\n# x")).expect("a file");
        assert!(refuse_others(folder.path()).is_ok());
        assert!(check(&folder.path().join("thesis.tex")).is_err());
    }
}
