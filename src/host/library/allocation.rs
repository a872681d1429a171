//! Allocations of the host.

use super::{Answer, Arguments, Host, Routine};
use crate::Stopped;
use crate::memory::{Kind, Origin, Side};

/// The number of the error of an argument that is wrong.
const EINVAL: u64 = 22;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "malloc" => |host, arguments| allocated(host, arguments.word(0)),
        "calloc" => |host, arguments| match arguments.word(0).checked_mul(arguments.word(1)) {
            Some(bytes) => allocated(host, bytes),
            None => Ok(0),
        },
        "realloc" => realloc,
        "free" => |host, arguments| freed(host, arguments.word(0)),
        "aligned_alloc" | "memalign" => |host, arguments| allocated(host, arguments.word(1)),
        "posix_memalign" => posix_memalign,
        // The forms at a place that is given.
        "_ZnwmPv" | "_ZnamPv" => |_, arguments| Ok(arguments.word(1)),
        "_ZdlPvS_" | "_ZdaPvS_" => |_, _| Ok(0),
        _ if is_operator(name, ["_Znwm", "_Znam"]) => |host, arguments| allocated(host, arguments.word(0)),
        _ if is_operator(name, ["_ZdlPv", "_ZdaPv"]) => |host, arguments| freed(host, arguments.word(0)),
        _ => return None,
    }))
}

/// Whether a function is one of these operators, with or without a size, an alignment and
/// `nothrow`.
fn is_operator(name: &str, operators: [&str; 2]) -> bool {
    let rest = operators.iter().find_map(|operator| name.strip_prefix(operator));
    let rest = rest.map(|rest| rest.strip_prefix('m').unwrap_or(rest));
    let rest = rest.map(|rest| rest.strip_prefix("St11align_val_t").unwrap_or(rest));
    matches!(rest, Some("" | "RKSt9nothrow_t"))
}

/// The address of new memory. An object begins where any alignment is kept.
pub fn allocated(host: &mut Host<'_>, bytes: u64) -> Answer {
    Ok(host.memory.allocate(Kind::Host, bytes)?)
}

/// Frees memory that the host has allocated.
pub fn freed(host: &mut Host<'_>, address: u64) -> Answer {
    if address == 0 {
        return Ok(0);
    }
    match host.memory.allocation_at(address) {
        Some((object, Origin::Heap)) => host.memory.release(object),
        Some(_) => return Err(Stopped::fault("the program frees memory of the toolkit as its own").into()),
        None => return Err(host.memory.refused_free(address).into()),
    }
    Ok(0)
}

fn realloc(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (old, bytes) = (arguments.word(0), arguments.word(1));
    if old == 0 {
        return allocated(host, bytes);
    }
    let Some((object, Origin::Heap)) = host.memory.allocation_at(old) else { return freed(host, old) };
    if bytes == 0 {
        return freed(host, old);
    }
    let kept = host.memory.size(object).min(bytes);
    let new = allocated(host, bytes)?;
    host.memory.copy(new, old, kept, Side::Host)?;
    freed(host, old)?;
    Ok(new)
}

fn posix_memalign(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let alignment = arguments.word(1);
    if !alignment.is_power_of_two() || alignment < 8 {
        return Ok(EINVAL);
    }
    let address = allocated(host, arguments.word(2))?;
    host.memory.write_number(arguments.word(0), address, 8)?;
    Ok(0)
}
