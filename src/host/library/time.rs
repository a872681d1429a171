//! Clocks, which count the calls that read them.

use super::{Answer, Arguments, Host, Routine};

/// The second at which every run begins.
const START: u64 = 1_700_000_000;

/// The nanoseconds of a call.
const STEP: u64 = 1_000_000;

const SECOND: u64 = 1_000_000_000;

/// The time of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    nanoseconds: u64,
}

impl Clock {
    /// The nanoseconds since the start of the run, which go on.
    fn next(&mut self) -> u64 {
        self.nanoseconds += STEP;
        self.nanoseconds
    }
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "time" => |host, arguments| {
            host.write_out(arguments.word(0), START, 8)?;
            Ok(START)
        },
        "clock" => |host, _| Ok(host.clock.next() / 1000),
        "clock_gettime" => |host, arguments| write_time(host, arguments.word(1), 1),
        "timespec_get" => |host, arguments| {
            write_time(host, arguments.word(0), 1)?;
            Ok(arguments.word(1))
        },
        "gettimeofday" => |host, arguments| write_time(host, arguments.word(0), 1000),
        "_ZNSt6chrono3_V212system_clock3nowEv" => |host, _| Ok(START * SECOND + host.clock.next()),
        "_ZNSt6chrono3_V212steady_clock3nowEv" => |host, _| Ok(host.clock.next()),
        "omp_get_wtime" => omp_get_wtime,
        "sleep" | "usleep" | "nanosleep" | "sched_yield" => |_, _| Ok(0),
        _ => return None,
    }))
}

/// Writes seconds, and the rest in units of some nanoseconds.
fn write_time(host: &mut Host<'_>, pointer: u64, unit: u64) -> Answer {
    let time = host.clock.next();
    host.write_out(pointer, START + time / SECOND, 8)?;
    if pointer != 0 {
        host.memory.write_number(pointer.wrapping_add(8), time % SECOND / unit, 8)?;
    }
    Ok(0)
}

#[expect(clippy::cast_precision_loss, reason = "a time in seconds needs no more digits")]
#[expect(clippy::unnecessary_wraps, reason = "the other routines may fail")]
fn omp_get_wtime(host: &mut Host<'_>, _: Arguments<'_>) -> Answer {
    Ok((host.clock.next() as f64 / 1e9).to_bits())
}
