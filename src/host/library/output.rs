//! Functions of `<stdio.h>` that write, and those of the process.
//!
//! Output is not kept: a function returns only the number of bytes that it would write.

use super::format::format;
use super::{Answer, Arguments, Host, Routine};
use crate::machine::Halt;
use crate::numbers::{byte, count, index, low, of_int};
use crate::{StopKind, Stopped};

/// The number of the error of a function that does not exist.
const NOT_THERE: i32 = -1;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    formatted(name).or_else(|| plain(name)).or_else(|| process(name))
}

fn formatted(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "printf" => |host, arguments| printed(host, arguments, 0),
        "__printf_chk" => |host, arguments| printed(host, arguments, 1),
        "fprintf" => |host, arguments| {
            check_stream(host, arguments.word(0))?;
            printed(host, arguments, 1)
        },
        "__fprintf_chk" => |host, arguments| {
            check_stream(host, arguments.word(0))?;
            printed(host, arguments, 2)
        },
        // The arguments of these are behind a list.
        "vprintf" => |_, _| Ok(1),
        "vfprintf" => |host, arguments| {
            check_stream(host, arguments.word(0))?;
            Ok(1)
        },
        "sprintf" => |host, arguments| written(host, arguments, u64::MAX, 1),
        "__sprintf_chk" => |host, arguments| written(host, arguments, u64::MAX, 3),
        "snprintf" => |host, arguments| written(host, arguments, arguments.word(1), 2),
        "__snprintf_chk" => |host, arguments| written(host, arguments, arguments.word(1), 4),
        _ => return None,
    }))
}

fn plain(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "puts" => |host, arguments| Ok(count(host.memory.text(arguments.word(0), u64::MAX)?.len() + 1)),
        "perror" => |_, _| Ok(0),
        "putchar" | "putchar_unlocked" => |_, arguments| Ok(byte(arguments.word(0)).into()),
        "fputs" | "fputs_unlocked" => |host, arguments| {
            check_stream(host, arguments.word(1))?;
            host.memory.text(arguments.word(0), u64::MAX)?;
            Ok(1)
        },
        "fputc" | "putc" | "_IO_putc" => |host, arguments| {
            check_stream(host, arguments.word(1))?;
            Ok(byte(arguments.word(0)).into())
        },
        "fwrite" | "fwrite_unlocked" => |host, arguments| {
            check_stream(host, arguments.word(3))?;
            let (size, number) = (arguments.word(1), arguments.word(2));
            host.memory.read(arguments.word(0), size.saturating_mul(number))?;
            Ok(if size == 0 { 0 } else { number })
        },
        // Without a stream, it flushes all of them.
        "fflush" => |host, arguments| match arguments.word(0) {
            0 => Ok(0),
            stream => check_stream(host, stream),
        },
        "setvbuf" | "setbuf" | "setlinebuf" => |host, arguments| check_stream(host, arguments.word(0)),
        _ => return None,
    }))
}

fn process(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "exit" | "_exit" | "_Exit" | "quick_exit" => |_, arguments| Err(Halt::Exit(arguments.int(0))),
        "abort" => |_, _| Err(Stopped::fault("the program aborts").into()),
        "__assert_fail" => assertion,
        // Nothing is called at the end of the program.
        "atexit" | "__cxa_atexit" | "at_quick_exit" | "__cxa_thread_atexit" | "on_exit" => |_, _| Ok(0),
        "getenv" | "secure_getenv" | "signal" | "setlocale" => |_, _| Ok(0),
        "getpid" => |_, _| Ok(1000),
        "__errno_location" => |host, _| Ok(host.errno),
        "omp_get_max_threads" | "omp_get_num_procs" | "omp_get_num_threads" => |_, _| Ok(1),
        "omp_get_thread_num" | "omp_in_parallel" | "omp_set_num_threads" | "omp_set_dynamic" | "omp_set_nested" => {
            |_, _| Ok(0)
        }
        "pthread_mutex_init" | "pthread_mutex_destroy" | "pthread_mutex_lock" | "pthread_mutex_unlock" => |_, _| Ok(0),
        "access" => |_, _| Ok(of_int(NOT_THERE)),
        _ => return None,
    }))
}

fn check_stream(host: &Host<'_>, stream: u64) -> Answer {
    if host.streams.is_c_output(stream) {
        return Ok(0);
    }
    Err(Stopped::not_known("writes to a stream that is not a standard one").into())
}

/// The number of bytes that a function prints by the format that is this argument.
///
/// If a conversion is not known, that number is not either. Programs do not look at it.
fn printed(host: &mut Host<'_>, arguments: Arguments<'_>, argument: usize) -> Answer {
    match format(host, arguments.word(argument), arguments.from(argument + 1)) {
        Ok(bytes) => Ok(low(count(bytes.len())).into()),
        Err(Stopped { kind: StopKind::NotKnown, .. }) => Ok(1),
        Err(stopped) => Err(stopped.into()),
    }
}

/// Writes what is formatted into at most this many bytes, with a zero at their end.
fn written(host: &mut Host<'_>, arguments: Arguments<'_>, most: u64, argument: usize) -> Answer {
    let mut bytes = format(host, arguments.word(argument), arguments.from(argument + 1))?;
    let length = count(bytes.len());
    if most > 0 {
        bytes.truncate(index(most - 1));
        bytes.push(0);
        host.memory.write(arguments.word(0), &bytes)?;
    }
    Ok(low(length).into())
}

fn assertion(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [condition, file] = [0, 1].map(|argument| {
        let text = host.memory.text(arguments.word(argument), 200).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    });
    let line = low(arguments.word(2));
    Err(Stopped::fault(format!("the assertion `{condition}` fails at {file}:{line}")).into())
}
