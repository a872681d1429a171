//! Programs and kernels.
//!
//! The text of a program is not compiled. Its kernels are those that were read, by their names.
//! This is checked as far as it can be: if the text is that of another known file, the kernels are
//! not known, and a macro that the program defines must be one with which the kernels were read. A
//! text that is none of the files counts for the file of the kernels: it may be the same with
//! changes, as programs have it in a string.

use std::collections::BTreeMap;

use super::{Thing, What, answer, check, check_all, created, devices, error, not_answered, not_created, text};
use super::{object, object_mut};
use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::numbers::{count, low};

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The known file whose text it has, if there is one.
    file: Option<usize>,
    is_built: bool,
    options: String,
}

/// A kernel with its arguments.
#[derive(Clone, Debug)]
pub struct KernelObject {
    /// Its name.
    pub name: String,
    program: u64,
    /// The known file that it is in, if that is not the one whose kernels were read.
    pub elsewhere: Option<usize>,
    /// Whether its last groups may be smaller than the others.
    pub may_have_remainders: bool,
    /// The arguments that are set.
    pub arguments: BTreeMap<u32, Set>,
}

/// An argument that is set.
#[derive(Clone, Debug)]
pub enum Set {
    /// It has these bytes.
    Bytes(Vec<u8>),
    /// It is local memory of this size, or null.
    Memory(u64),
}

/// The bytes that an argument counts for beside its own.
const ARGUMENT_COST: u64 = 64;

impl Set {
    /// The bytes that it counts for.
    pub fn cost(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => ARGUMENT_COST + count(bytes.len()),
            Self::Memory(_) => ARGUMENT_COST,
        }
    }
}

impl KernelObject {
    /// The bytes that its arguments count for.
    pub fn argument_bytes(&self) -> u64 {
        self.arguments.values().map(Set::cost).sum()
    }
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "clCreateProgramWithSource" => create_of_source,
        "clCreateProgramWithBinary" => create_of_binary,
        "clCreateProgramWithIL" => |host, arguments| {
            check(host, arguments.word(0), What::Context)?;
            if arguments.word(1) == 0 || arguments.word(2) == 0 {
                return not_created(host, error::INVALID_VALUE, arguments.word(3));
            }
            create_program(host, None, arguments.word(3))
        },
        "clBuildProgram" => |host, arguments| {
            let [program, number, devices, options, called] = [0, 1, 2, 3, 4].map(|argument| arguments.word(argument));
            compile(host, program, [number, devices], options, called)?;
            program_mut(host, program)?.is_built = true;
            Ok(0)
        },
        "clCompileProgram" => |host, arguments| {
            let [program, number, devices, options, called] = [0, 1, 2, 3, 7].map(|argument| arguments.word(argument));
            compile(host, program, [number, devices], options, called)
        },
        "clLinkProgram" => link,
        "clGetProgramInfo" => program_info,
        "clGetProgramBuildInfo" => build_info,
        "clCreateKernel" => create_kernel,
        "clGetKernelInfo" => kernel_info,
        "clGetKernelWorkGroupInfo" => group_info,
        _ => return None,
    }))
}

fn program<'h>(host: &'h Host<'_>, handle: u64) -> Result<&'h Program, Stopped> {
    match &object(host, handle, What::Program)?.thing {
        Thing::Program(program) => Ok(program),
        _ => Err(super::wrong(handle, What::Program)),
    }
}

fn program_mut<'h>(host: &'h mut Host<'_>, handle: u64) -> Result<&'h mut Program, Stopped> {
    match &mut object_mut(host, handle, What::Program)?.thing {
        Thing::Program(program) => Ok(program),
        _ => Err(super::wrong(handle, What::Program)),
    }
}

/// The kernel of a handle.
pub fn kernel<'h>(host: &'h Host<'_>, handle: u64) -> Result<&'h KernelObject, Stopped> {
    match &object(host, handle, What::Kernel)?.thing {
        Thing::Kernel(kernel) => Ok(kernel),
        _ => Err(super::wrong(handle, What::Kernel)),
    }
}

pub fn kernel_mut<'h>(host: &'h mut Host<'_>, handle: u64) -> Result<&'h mut KernelObject, Stopped> {
    match &mut object_mut(host, handle, What::Kernel)?.thing {
        Thing::Kernel(kernel) => Ok(kernel),
        _ => Err(super::wrong(handle, What::Kernel)),
    }
}

fn create_program(host: &mut Host<'_>, file: Option<usize>, status: u64) -> Answer {
    created(host, Thing::Program(Program { file, is_built: false, options: String::new() }), status)
}

/// Creates a program of the texts at some addresses. One without a length ends with a zero.
fn create_of_source(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [context, number, texts, lengths, status] = [0, 1, 2, 3, 4].map(|argument| arguments.word(argument));
    check(host, context, What::Context)?;
    let number = u64::from(low(number));
    if number == 0 || texts == 0 {
        return not_created(host, error::INVALID_VALUE, status);
    }
    let mut source = Vec::new();
    for at in (0..number).map(|number| number.wrapping_mul(8)) {
        let address = host.memory.read_number(texts.wrapping_add(at), 8)?;
        let length = if lengths == 0 { 0 } else { host.memory.read_number(lengths.wrapping_add(at), 8)? };
        if address == 0 {
            return not_created(host, error::INVALID_VALUE, status);
        }
        let text = if length == 0 { host.text(address)? } else { host.bytes(address, length)? };
        if source.len() + text.len() > MOST_SOURCE {
            return Err(Stopped::limit(format!("the program builds a text of more than {MOST_SOURCE} bytes")).into());
        }
        source.extend(text);
    }
    let file = file_with(&host.program.sources.files, &source);
    create_program(host, file, status)
}

/// The most bytes of a program's text.
const MOST_SOURCE: usize = 1 << 26;

/// The first file whose text is a part of another.
fn file_with(files: &[(String, Vec<u8>)], source: &[u8]) -> Option<usize> {
    let source = String::from_utf8_lossy(source);
    let is_in_it = |(_, text): &(String, Vec<u8>)| {
        let text = String::from_utf8_lossy(text);
        !text.trim().is_empty() && source.contains(text.trim())
    };
    files.iter().position(is_in_it)
}

fn create_of_binary(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [context, number, devices, lengths, binaries, statuses, status] =
        [0, 1, 2, 3, 4, 5, 6].map(|argument| arguments.word(argument));
    check(host, context, What::Context)?;
    if [low(number).into(), devices, lengths, binaries].contains(&0) {
        return not_created(host, error::INVALID_VALUE, status);
    }
    check_all(host, low(number).into(), devices, What::Device)?;
    host.write_out(statuses, 0, 4)?;
    create_program(host, None, status)
}

/// Compiles a program with options, and calls nothing afterwards.
fn compile(host: &mut Host<'_>, handle: u64, [number, devices]: [u64; 2], options: u64, called: u64) -> Answer {
    let file = program(host, handle)?.file;
    check_all(host, low(number).into(), devices, What::Device)?;
    if called != 0 {
        return Err(Stopped::not_known("passes a function to be called when a program is built").into());
    }
    let options = if options == 0 { Vec::new() } else { host.text(options)? };
    let options = String::from_utf8_lossy(&options).into_owned();
    if matches!(file, None | Some(0)) {
        check_defines(&options, &host.program.sources.defines)?;
    }
    program_mut(host, handle)?.options = options;
    Ok(0)
}

/// Stops if options define a macro with which the kernels were not read.
fn check_defines(options: &str, known: &[String]) -> Result<(), Stopped> {
    // A macro without a value is 1.
    let whole = |define: &str| if define.contains('=') { define.to_owned() } else { format!("{define}=1") };
    let mut words = options.split_whitespace();
    while let Some(word) = words.next() {
        let Some(rest) = word.strip_prefix("-D") else { continue };
        let define = if rest.is_empty() { words.next().unwrap_or_default() } else { rest };
        if !known.iter().any(|known| whole(known) == whole(define)) {
            let reason = format!("builds its kernels with -D{define}, with which they were not read: give -D{define}");
            return Err(Stopped::not_known(reason));
        }
    }
    Ok(())
}

/// Links programs. If one may have the kernels that were read, the result has.
fn link(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [context, number, programs, called, status] = [0, 4, 5, 6, 8].map(|argument| arguments.word(argument));
    check(host, context, What::Context)?;
    let number = u64::from(low(number));
    if number == 0 || programs == 0 {
        return not_created(host, error::INVALID_VALUE, status);
    }
    if called != 0 {
        return Err(Stopped::not_known("passes a function to be called when a program is built").into());
    }
    check_all(host, number, programs, What::Program)?;
    let (mut files, mut options) = (Vec::new(), String::new());
    for at in (0..number).map(|number| number.wrapping_mul(8)) {
        let linked = program(host, host.memory.read_number(programs.wrapping_add(at), 8)?)?;
        files.push(linked.file);
        options.clone_from(&linked.options);
    }
    let file = files.iter().copied().min().flatten();
    created(host, Thing::Program(Program { file, is_built: true, options }), status)
}

fn program_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let references = object(host, arguments.word(0), What::Program)?.references;
    let answered = match low(arguments.word(1)) {
        0x1160 => low(references).to_le_bytes().to_vec(),
        0x1162 => 1u32.to_le_bytes().to_vec(),
        0x1163 => devices::device(host)?.to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetProgramInfo", query).into()),
    };
    answer(host, arguments, 2, &answered)
}

fn build_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    check(host, arguments.word(1), What::Device)?;
    let program = program(host, arguments.word(0))?;
    let answered = match low(arguments.word(2)) {
        // Done, or not begun.
        0x1181 => (if program.is_built { 0i32 } else { -1 }).to_le_bytes().to_vec(),
        0x1182 => text(&program.options),
        0x1183 => text(""),
        // The type of a binary: an executable, or none.
        0x1184 => (if program.is_built { 4u32 } else { 0 }).to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetProgramBuildInfo", query).into()),
    };
    answer(host, arguments, 3, &answered)
}

fn create_kernel(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [handle, name, status] = [0, 1, 2].map(|argument| arguments.word(argument));
    let Program { file, is_built, options } = program(host, handle)?.clone();
    if !is_built {
        return not_created(host, error::INVALID_PROGRAM_EXECUTABLE, status);
    }
    if name == 0 {
        return not_created(host, error::INVALID_VALUE, status);
    }
    let name = String::from_utf8_lossy(&host.text(name)?).into_owned();
    let is_2 = options.contains("-cl-std=CL2") || options.contains("-cl-std=CL3");
    let kernel = KernelObject {
        name,
        program: handle,
        elsewhere: file.filter(|file| *file > 0),
        may_have_remainders: is_2 && !options.contains("-cl-uniform-work-group-size"),
        arguments: BTreeMap::new(),
    };
    created(host, Thing::Kernel(kernel), status)
}

fn kernel_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let references = object(host, arguments.word(0), What::Kernel)?.references;
    let kernel = kernel(host, arguments.word(0))?;
    let answered = match low(arguments.word(1)) {
        0x1190 => text(&kernel.name),
        0x1192 => low(references).to_le_bytes().to_vec(),
        0x1194 => kernel.program.to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetKernelInfo", query).into()),
    };
    answer(host, arguments, 2, &answered)
}

/// The device may be null, as there is one.
fn group_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    if arguments.word(1) != 0 {
        check(host, arguments.word(1), What::Device)?;
    }
    let name = &kernel(host, arguments.word(0))?.name;
    let required = host.device.required_group_size(name);
    let answered = match low(arguments.word(2)) {
        0x11B0 => devices::LARGEST_GROUP.to_le_bytes().to_vec(),
        0x11B1 => required.unwrap_or_default().iter().flat_map(|&size| u64::from(size).to_le_bytes()).collect(),
        0x11B3 => 32u64.to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetKernelWorkGroupInfo", query).into()),
    };
    answer(host, arguments, 3, &answered)
}
