//! Functions of `<stdio.h>` that read files.
//!
//! A run reads no file. The sources of its kernels are part of the program, and a file that it
//! opens has one of these texts if it has the name. Any other file ends the run.

use rustc_hash::FxHashMap;

use super::{Answer, Arguments, Host, Routine};
use crate::Stopped;
use crate::numbers::{count, index, of_bool, of_int};

/// The result of a function that fails, and the end of a file.
const FAILED: i32 = -1;

/// The places from which `fseek` counts.
const FROM_START: i32 = 0;
const FROM_HERE: i32 = 1;
const FROM_END: i32 = 2;

/// The files that the program has opened, by their handles.
#[derive(Clone, Debug, Default)]
pub struct State {
    open: FxHashMap<u64, OpenFile>,
}

/// A file that is open.
#[derive(Clone, Copy, Debug)]
struct OpenFile {
    /// Its index among the sources.
    source: usize,
    /// The next byte.
    at: u64,
    /// Whether the program has tried to read behind the last byte.
    is_at_end: bool,
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "fopen" | "fopen64" => open,
        "fclose" => close,
        "fseek" | "fseeko" | "fseeko64" => seek,
        "ftell" | "ftello" | "ftello64" => |host, arguments| Ok(file(host, arguments.word(0))?.at),
        "rewind" => |host, arguments| {
            let file = file(host, arguments.word(0))?;
            (file.at, file.is_at_end) = (0, false);
            Ok(0)
        },
        "fread" | "fread_unlocked" => read,
        "fgets" | "fgets_unlocked" => read_line,
        "fgetc" | "getc" | "_IO_getc" | "fgetc_unlocked" | "getc_unlocked" => |host, arguments| {
            let next = take(host, arguments.word(0), 1)?;
            Ok(next.first().map_or(of_int(FAILED), |&byte| byte.into()))
        },
        "feof" | "feof_unlocked" => |host, arguments| Ok(of_bool(file(host, arguments.word(0))?.is_at_end)),
        "ferror" | "ferror_unlocked" => |host, arguments| {
            file(host, arguments.word(0))?;
            Ok(0)
        },
        _ => return None,
    }))
}

fn open(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [path, mode] = [0, 1].map(|argument| host.text(arguments.word(argument)));
    let (path, mode) = (path?, mode?);
    let path = String::from_utf8_lossy(&path).into_owned();
    if mode.first() != Some(&b'r') || mode.contains(&b'+') {
        return Err(Stopped::not_known(format!("calls `fopen` to write `{path}`")).into());
    }
    let Some(source) = named(&host.program.sources.files, &path) else {
        let reason = format!("calls `fopen` for `{path}`, and a run reads no file but sources of kernels");
        return Err(Stopped::not_known(reason).into());
    };
    let handle = host.memory.allocate_text(&[0])?;
    host.files.open.insert(handle, OpenFile { source, at: 0, is_at_end: false });
    Ok(handle)
}

/// The file with the longest end in common with a path, in whole names.
fn named(files: &[(String, Vec<u8>)], path: &str) -> Option<usize> {
    let names = |path: &str| -> Vec<String> {
        path.split('/').filter(|name| !matches!(*name, "" | ".")).rev().map(str::to_owned).collect()
    };
    let sought = names(path);
    let common = |(file, _): &(String, Vec<u8>)| names(file).iter().zip(&sought).take_while(|(a, b)| a == b).count();
    let mut best = (0, None);
    for (index, common) in files.iter().map(common).enumerate() {
        if common > best.0 {
            best = (common, Some(index));
        }
    }
    best.1
}

fn file<'h>(host: &'h mut Host<'_>, handle: u64) -> Result<&'h mut OpenFile, Stopped> {
    host.files.open.get_mut(&handle).ok_or_else(|| Stopped::not_known("reads a stream that is no open file"))
}

fn close(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let handle = arguments.word(0);
    file(host, handle)?;
    host.files.open.remove(&handle);
    host.memory.release_local(handle);
    Ok(0)
}

fn seek(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let source = file(host, arguments.word(0))?.source;
    let size = count(host.program.sources.files[source].1.len());
    let file = file(host, arguments.word(0))?;
    let from = match arguments.int(2) {
        FROM_START => 0,
        FROM_HERE => file.at,
        FROM_END => size,
        _ => return Ok(of_int(FAILED)),
    };
    let at = from.checked_add_signed(arguments.word(1).cast_signed()).filter(|at| i64::try_from(*at).is_ok());
    let Some(at) = at else { return Ok(of_int(FAILED)) };
    (file.at, file.is_at_end) = (at, false);
    Ok(0)
}

/// The next bytes of a file, at most this many.
fn take<'a>(host: &mut Host<'a>, handle: u64, most: u64) -> Result<&'a [u8], Stopped> {
    let program = host.program;
    let file = file(host, handle)?;
    let rest = program.sources.files[file.source].1.get(index(file.at)..).unwrap_or_default();
    let taken = &rest[..rest.len().min(index(most))];
    file.at += count(taken.len());
    file.is_at_end |= count(taken.len()) < most;
    Ok(taken)
}

fn read(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (to, size, number) = (arguments.word(0), arguments.word(1), arguments.word(2));
    let taken = take(host, arguments.word(3), size.saturating_mul(number))?.to_vec();
    if !taken.is_empty() {
        host.memory.write(to, &taken)?;
    }
    Ok(count(taken.len()).checked_div(size).unwrap_or(0))
}

/// Reads up to the end of a line, which is kept, or as many bytes as there is room for.
fn read_line(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (to, handle) = (arguments.word(0), arguments.word(2));
    let Ok(room) = u64::try_from(arguments.int(1)) else { return Ok(0) };
    let Some(most) = room.checked_sub(1) else { return Ok(0) };
    let start = file(host, handle)?.at;
    let mut line = take(host, handle, most)?;
    if let Some(end) = line.iter().position(|&byte| byte == b'\n') {
        line = &line[..=end];
        let file = file(host, handle)?;
        (file.at, file.is_at_end) = (start + count(line.len()), false);
    }
    if line.is_empty() && most > 0 {
        return Ok(0);
    }
    let line = [line, &[0]].concat();
    host.memory.write(to, &line)?;
    Ok(to)
}
