//! The runtime API of CUDA, and that of OpenCL in [`opencl`].
//!
//! For CUDA, there is one device, of compute capability 8.0. Everything is done at once, so all
//! streams and events are done. A call succeeds or ends the run, but for a launch with sizes that
//! no device has: it fails as on a device, and the program may ask for the error.

mod copies;
mod devices;
mod launches;
mod memory;
mod opencl;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use crate::library::{Answer, Arguments, Host, Routine};
use crate::numbers::low;
use launches::Configuration;

/// The errors of the runtime API.
mod error {
    pub const INVALID_VALUE: u64 = 1;
    pub const INVALID_CONFIGURATION: u64 = 9;
    pub const INVALID_PITCH: u64 = 12;
}

/// The state of the runtime API.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The sizes of the next launch.
    configuration: Option<Configuration>,
    /// The addresses of its arguments, if they are passed one by one.
    set_up: Vec<u64>,
    /// The error that the program has not asked for yet.
    last_error: u64,
    /// The number of streams, events and the like so far.
    handles: u64,
    /// The addresses of texts.
    texts: FxHashMap<&'static str, u64>,
    opencl: opencl::State,
}

/// The routine of this name, with or without the types that C++ adds to it.
pub fn routine(name: &str) -> Option<Routine> {
    // The functions of OpenCL have their names in C++, too.
    if let Some(routine) = opencl::routine(name) {
        return Some(routine);
    }
    let name = plain_name(name);
    let tables = [memory::routine, copies::routine, launches::routine, devices::routine, others];
    name.starts_with("cuda").then(|| tables.iter().find_map(|table| table(name))).flatten().or_else(|| {
        let tables = [launches::hidden, devices::of_samples];
        tables.iter().find_map(|table| table(name))
    })
}

/// The name of a function at global scope without what C++ adds: `_Z8cudaFreePv` is `cudaFree`.
pub fn plain_name(symbol: &str) -> &str {
    let Some(mangled) = symbol.strip_prefix("_Z") else { return symbol };
    let mangled = mangled.strip_prefix('L').unwrap_or(mangled);
    let digits = mangled.bytes().take_while(u8::is_ascii_digit).count();
    let length = mangled[..digits].parse::<usize>().ok();
    length.and_then(|length| mangled[digits..].get(..length)).unwrap_or(symbol)
}

/// The functions for errors, streams and events.
fn others(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "cudaGetLastError" => |host, _| Ok(std::mem::take(&mut host.toolkit.last_error)),
        "cudaPeekAtLastError" => |host, _| Ok(host.toolkit.last_error),
        "cudaGetErrorString" => |host, arguments| text(host, error_texts(arguments)[0]),
        "cudaGetErrorName" => |host, arguments| text(host, error_texts(arguments)[1]),
        "cudaStreamCreate"
        | "cudaStreamCreateWithFlags"
        | "cudaStreamCreateWithPriority"
        | "cudaEventCreate"
        | "cudaEventCreateWithFlags"
        | "cudaDeviceGetDefaultMemPool"
        | "cudaDeviceGetMemPool" => create_handle,
        "cudaEventElapsedTime" => |host, arguments| {
            host.memory.write_number(arguments.word(0), 1f32.to_bits().into(), 4)?;
            Ok(0)
        },
        "cudaStreamGetPriority" | "cudaStreamGetFlags" => |host, arguments| {
            host.memory.write_number(arguments.word(1), 0, 4)?;
            Ok(0)
        },
        "cudaStreamIsCapturing" => |host, arguments| {
            host.memory.write_number(arguments.word(1), 0, 4)?;
            Ok(0)
        },
        _ => return without_effect(name),
    }))
}

/// The functions that do nothing that a run sees, and succeed.
fn without_effect(name: &str) -> Option<Routine> {
    const WITHOUT: [&str; 39] = [
        "cudaCtxResetPersistingL2Cache",
        "cudaDeviceDisablePeerAccess",
        "cudaDeviceEnablePeerAccess",
        "cudaDeviceReset",
        "cudaDeviceSetCacheConfig",
        "cudaDeviceSetLimit",
        "cudaDeviceSetMemPool",
        "cudaDeviceSetSharedMemConfig",
        "cudaDeviceSynchronize",
        "cudaEventDestroy",
        "cudaEventQuery",
        "cudaEventRecord",
        "cudaEventRecordWithFlags",
        "cudaEventSynchronize",
        "cudaFuncSetAttribute",
        "cudaFuncSetCacheConfig",
        "cudaFuncSetSharedMemConfig",
        "cudaInitDevice",
        "cudaMemAdvise",
        "cudaMemPoolSetAttribute",
        "cudaMemPoolTrimTo",
        "cudaMemPrefetchAsync",
        "cudaProfilerInitialize",
        "cudaProfilerStart",
        "cudaProfilerStop",
        "cudaSetDevice",
        "cudaSetDeviceFlags",
        "cudaSetValidDevices",
        "cudaStreamAttachMemAsync",
        "cudaStreamDestroy",
        "cudaStreamQuery",
        "cudaStreamSetAttribute",
        "cudaStreamSynchronize",
        "cudaStreamWaitEvent",
        "cudaThreadExit",
        "cudaThreadSetCacheConfig",
        "cudaThreadSetLimit",
        "cudaThreadSynchronize",
        "cudaMemPoolDestroy",
    ];
    WITHOUT.contains(&name).then_some(Routine::Constant(0))
}

/// A handle is not null, and points to nothing.
fn create_handle(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    host.toolkit.handles += 1;
    let handle = 0x1000 + 16 * host.toolkit.handles;
    host.memory.write_number(arguments.word(0), handle, 8)?;
    Ok(0)
}

/// The description and the name of an error.
fn error_texts(arguments: Arguments<'_>) -> [&'static str; 2] {
    match u64::from(low(arguments.word(0))) {
        0 => ["no error", "cudaSuccess"],
        error::INVALID_VALUE => ["invalid argument", "cudaErrorInvalidValue"],
        error::INVALID_CONFIGURATION => ["invalid configuration argument", "cudaErrorInvalidConfiguration"],
        error::INVALID_PITCH => ["invalid pitch argument", "cudaErrorInvalidPitchValue"],
        _ => ["unknown error", "cudaErrorUnknown"],
    }
}

/// The address of a text.
fn text(host: &mut Host<'_>, text: &'static str) -> Answer {
    if let Some(&address) = host.toolkit.texts.get(text) {
        return Ok(address);
    }
    let address = host.memory.allocate_text(format!("{text}\0").as_bytes())?;
    host.toolkit.texts.insert(text, address);
    Ok(address)
}

/// Fails with an error that the program may ask for.
fn fail(host: &mut Host<'_>, error: u64) -> u64 {
    host.toolkit.last_error = error;
    error
}
