//! Recorded launches (`--json`): requests for the pipeline, and their list.
//!
//! A recording's facts about a launch become its preconditions. Launches of one file with the same
//! flags share its import; identical launches are verified once.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lockstep_ir::kernel::Language;

use super::flag_line;
use super::inputs::outside;
use crate::bounded;
use crate::frontend::FrontendOptions;
use crate::frontend::clang::refuse_response_files;
use crate::launch::recorded::{self, HostCall, RecordedArgument, RecordedLaunch};
use crate::launch::{Extent, LaunchRequest, Size};
use crate::pipeline::input_fault::{Culprit, InputFault};
use crate::pipeline::{AskedLaunch, Input, Settings};

/// All files of recorded launches.
#[derive(Debug, Default)]
pub struct Recordings {
    files: Vec<(PathBuf, Vec<RecordedLaunch>)>,
    /// The faults of the files.
    pub faults: Vec<InputFault>,
    /// Notes on parts that have no effect.
    pub notes: Vec<String>,
}

/// Reads files of recorded launches, and keeps only the launch with this number if one is given.
pub fn read(paths: &[PathBuf], number: Option<usize>) -> Recordings {
    let mut recordings = Recordings::default();
    for path in paths {
        match read_file(path, number) {
            Ok(launches) => recordings.files.push((path.clone(), launches)),
            Err(fault) => recordings.faults.push(fault),
        }
    }
    recordings
}

fn read_file(path: &Path, number: Option<usize>) -> Result<Vec<RecordedLaunch>, InputFault> {
    let shown = path.display();
    let text = bounded::read_to_string(path)
        .map_err(|cause| InputFault::command_line(format!("cannot read {shown}: {cause}")))?;
    let fault = |message| InputFault { culprit: Culprit::Recording, message };
    let mut launches = recorded::read(&text).map_err(|error| fault(format!("{shown}:{error}")))?;
    if launches.is_empty() {
        return Err(fault(format!("{shown}: no recorded launch")));
    }
    if let Some(number) = number {
        if number >= launches.len() {
            return Err(fault(format!(
                "{shown} has {}, and none of number {number}",
                launches_counted(launches.len())
            )));
        }
        launches = vec![launches.swap_remove(number)];
    }
    Ok(launches)
}

/// The fault of a requested kernel without a launch, if all launches could be read.
pub fn never_launched(name: &str) -> InputFault {
    InputFault::command_line(format!("no recorded launch of kernel {name}"))
}

fn launches_counted(count: usize) -> String {
    if count == 1 { "1 launch".to_owned() } else { format!("{count} launches") }
}

impl Recordings {
    /// The requests to the pipeline, in the order of the launches.
    pub fn inputs(&mut self, settings: &Settings) -> Vec<Input> {
        let mut inputs: Vec<(Flags, Input)> = Vec::new();
        for (file, launches) in &self.files {
            for launch in launches {
                let at = (file.display().to_string(), launch.line);
                let fault = |message: &str| InputFault {
                    culprit: Culprit::Recording,
                    message: format!("{}:{}: kernel {}: {message}", at.0, at.1, launch.entry_point),
                };
                let asked = asked(launch, at.clone(), &settings.launch);
                let flags = match Flags::read(&launch.compiler_flags) {
                    Ok(flags) => flags,
                    Err(message) => {
                        self.faults.push(fault(&message));
                        continue;
                    }
                };
                if let Err(error) = asked.request.check() {
                    self.faults.push(fault(&error.to_string()));
                    continue;
                }
                for word in &flags.others {
                    let note = format!("{}: the compiler flag {word} has no effect", at.0);
                    if !self.notes.contains(&note) {
                        self.notes.push(note);
                    }
                }
                let path = file.parent().unwrap_or(Path::new("")).join(&launch.kernel_file);
                let frontend = settings.frontend.in_tree_of(file);
                if path.exists() && !frontend.may_read(&path) {
                    let what = format!("{}:{}: kernel {}: {}", at.0, at.1, launch.entry_point, path.display());
                    self.faults.push(InputFault { culprit: Culprit::Recording, ..outside(&what, file) });
                    continue;
                }
                add(&mut inputs, &flags, path, launch.language, (launch.entry_point.clone(), asked), &frontend);
            }
        }
        inputs.into_iter().map(|(_, input)| input).collect()
    }

    /// The launches as text.
    pub fn list(&self) -> String {
        let mut text = String::new();
        for (file, launches) in &self.files {
            for (number, launch) in launches.iter().enumerate() {
                list_one(&mut text, &format!("{}:{}", file.display(), launch.line), number, launch);
            }
        }
        text
    }
}

/// Adds a launch to the input that shares its import, and to the identical launch.
fn add(
    inputs: &mut Vec<(Flags, Input)>,
    flags: &Flags,
    path: PathBuf,
    language: Language,
    (kernel, asked): (String, AskedLaunch),
    options: &FrontendOptions,
) {
    let same = |(known, input): &&mut (Flags, Input)| {
        known == flags && input.path == path && input.frontend.language == Some(language)
    };
    let Some((_, input)) = inputs.iter_mut().find(same) else {
        let frontend = flags.added_to(options, language);
        let input = Input { path, frontend, recorded: vec![(kernel, asked)], found_in: None, special: None };
        inputs.push((flags.clone(), input));
        return;
    };
    let same = |(name, known): &&mut (String, AskedLaunch)| {
        *name == kernel && known.request == asked.request && known.arguments == asked.arguments
    };
    let Some((_, known)) = input.recorded.iter_mut().find(same) else {
        input.recorded.push((kernel, asked));
        return;
    };
    known.recorded_at.extend(asked.recorded_at);
    let new: Vec<_> = asked.places.into_iter().filter(|place| !known.places.contains(place)).collect();
    known.places.extend(new);
}

/// The request for a recorded launch.
fn asked(launch: &RecordedLaunch, at: (String, u32), others: &LaunchRequest) -> AskedLaunch {
    let launches = launch.calls.iter().filter(|call| is_launch(call));
    AskedLaunch {
        request: LaunchRequest {
            local_size: launch.local_size.clone(),
            num_groups: None,
            global_size: Some(launch.global_size.clone()),
            global_offset: launch.global_offset,
            ..others.clone()
        },
        escapes: Vec::new(),
        places: launches.map(|call| (call.compilation_unit.clone(), call.line_number)).collect(),
        recorded_at: vec![at],
        arguments: launch.arguments.clone(),
    }
}

fn is_launch(call: &HostCall) -> bool {
    ["clEnqueueNDRangeKernel", "clEnqueueTask", "cudaLaunchKernel", "hipLaunchKernel", "cuLaunchKernel"]
        .contains(&call.function_name.as_str())
}

/// The flags that a kernel is compiled with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Flags {
    defines: Vec<String>,
    includes: Vec<PathBuf>,
    cl_std: Option<String>,
    for_clang: Vec<String>,
    /// The flags that have no effect here.
    others: Vec<String>,
}

impl Flags {
    fn read(text: &str) -> Result<Self, String> {
        let mut flags = Self::default();
        let words = flag_line::split(text).map_err(|cause| format!("the compiler flags have a {cause}"))?;
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut or_next = |value: &str| match value {
                "" => words.next().ok_or_else(|| format!("the compiler flag {word} has no value")),
                value => Ok(value.to_owned()),
            };
            if let Some(value) = word.strip_prefix("-D") {
                flags.defines.push(or_next(value)?);
            } else if let Some(value) = word.strip_prefix("-I") {
                flags.includes.push(or_next(value)?.into());
            } else if let Some(value) = word.strip_prefix("-cl-std=") {
                flags.cl_std = Some(value.to_owned());
            } else if word == "-cl-single-precision-constant" {
                flags.for_clang.push(word);
            } else {
                flags.others.push(word);
            }
        }
        let passed = flags.defines.iter().map(|value| format!("-D{value}"));
        let passed: Vec<String> = passed.chain(flags.for_clang.iter().cloned()).collect();
        refuse_response_files(&passed).map_err(|cause| format!("the compiler flag {cause}"))?;
        Ok(flags)
    }

    /// The flags added to these options.
    ///
    /// The command line's own come first, so that a recording's definitions take precedence.
    fn added_to(&self, options: &FrontendOptions, language: Language) -> FrontendOptions {
        let mut options = options.clone();
        options.defines.extend(self.defines.iter().cloned());
        options.includes.extend(self.includes.iter().cloned());
        options.clang_arguments.extend(self.for_clang.iter().cloned());
        options.cl_std = options.cl_std.or_else(|| self.cl_std.clone());
        options.language = Some(language);
        options.source_launches = false;
        options
    }
}

fn list_one(text: &mut String, at: &str, number: usize, launch: &RecordedLaunch) {
    let size = |size: &Size| {
        let extents = size.iter().map(|extent| match extent {
            Extent::Known(number) => number.to_string(),
            Extent::Open => "*".to_owned(),
        });
        extents.collect::<Vec<_>>().join("x")
    };
    let groups = launch.local_size.as_ref().map_or("any size".to_owned(), |local| format!("{} threads", size(local)));
    // Writing to a string does not fail.
    let _ = writeln!(text, "[{number}] {} ({}), recorded in {at}", launch.entry_point, launch.kernel_file);
    let _ = writeln!(text, "  {} threads in groups of {groups}", size(&launch.global_size));
    if launch.global_offset != [0; 3] {
        let [x, y, z] = launch.global_offset;
        let _ = writeln!(text, "  global ids from ({x}, {y}, {z})");
    }
    if !launch.compiler_flags.trim().is_empty() {
        let _ = writeln!(text, "  compiled with {}", launch.compiler_flags.trim());
    }
    for (index, argument) in launch.arguments.iter().flatten().enumerate() {
        let argument = match argument {
            RecordedArgument::Scalar(Some(value)) => format!("{value:#x}"),
            RecordedArgument::Scalar(None) => "any scalar".to_owned(),
            RecordedArgument::Array { size: Some(size), .. } => format!("an array of {}", bytes(*size)),
            RecordedArgument::Array { size: None, .. } => "an array of any size".to_owned(),
            RecordedArgument::Image => "an image".to_owned(),
            RecordedArgument::Sampler => "a sampler".to_owned(),
        };
        let _ = writeln!(text, "  argument {index}: {argument}");
    }
    for HostCall { function_name, compilation_unit, line_number } in &launch.calls {
        let _ = writeln!(text, "  {function_name} called in {compilation_unit}:{line_number}");
    }
}

fn bytes(size: u64) -> String {
    crate::report::count(size, "byte")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_compiler() {
        let flags = Flags::read(r#"-D N=4 -DNAME="a b" -I inc -I/usr -cl-std=CL1.2 -cl-mad-enable"#).unwrap();
        assert_eq!(flags.defines, ["N=4", "NAME=a b"]);
        assert_eq!(flags.includes, [Path::new("inc"), Path::new("/usr")]);
        assert_eq!((flags.cl_std.as_deref(), &flags.others[..]), (Some("CL1.2"), &["-cl-mad-enable".to_owned()][..]));
        assert!(Flags::read("-DA -D").unwrap_err().contains("-D has no value"));
        assert!(Flags::read("-DA 'b").unwrap_err().contains("missing closing quote"));
    }
}
