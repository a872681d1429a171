//! Arguments and launches of kernels.

use super::buffers::buffer;
use super::events::{command, enqueue};
use super::programs::{Set, kernel, kernel_mut};
use super::{What, devices, error, object};
use crate::library::{Answer, Arguments, Host, Routine};
use crate::numbers::{low, of_int};
use crate::{Launch, LaunchArguments, SetArgument, Stopped};

/// The largest group size that is chosen for a launch without one.
const CHOSEN: u64 = 64;

/// The most arguments of a kernel, and the largest one.
const MOST_ARGUMENTS: u32 = 1024;
const LARGEST_ARGUMENT: u64 = 4352;

/// The most bytes of the arguments of all kernels.
const MOST_ARGUMENT_BYTES: u64 = 1 << 28;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "clSetKernelArg" => set_argument,
        "clEnqueueNDRangeKernel" => |host, arguments| {
            enqueue(host, arguments, 6, command::KERNEL, |host| {
                let [handle, dimensions, offset, global, local] =
                    [1, 2, 3, 4, 5].map(|argument| arguments.word(argument));
                match sizes(host, handle, low(dimensions), [offset, global, local])? {
                    Ok(sizes) => launch(host, handle, sizes),
                    Err(error) => Ok(of_int(error)),
                }
            })
        },
        "clEnqueueTask" => |host, arguments| {
            enqueue(host, arguments, 2, command::TASK, |host| {
                launch(host, arguments.word(1), Sizes { dimensions: 1, groups: [1; 3], local: [1; 3], offset: [0; 3] })
            })
        },
        _ => return None,
    }))
}

/// Sets an argument of a kernel.
fn set_argument(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (handle, number) = (arguments.word(0), low(arguments.word(1)));
    let (bytes, value) = (arguments.word(2), arguments.word(3));
    kernel(host, handle)?;
    if number >= MOST_ARGUMENTS {
        return Ok(of_int(error::INVALID_ARG_INDEX));
    }
    if bytes == 0 || (value != 0 && bytes > LARGEST_ARGUMENT) {
        return Ok(of_int(error::INVALID_ARG_SIZE));
    }
    let set = if value == 0 { Set::Memory(bytes) } else { Set::Bytes(host.bytes(value, bytes)?) };
    let cost = set.cost();
    let before = kernel_mut(host, handle)?.arguments.insert(number, set).map_or(0, |set| set.cost());
    let all = &mut host.toolkit.opencl.argument_bytes;
    *all = *all - before + cost;
    if *all > MOST_ARGUMENT_BYTES {
        return Err(Stopped::limit("the program sets very many arguments of kernels").into());
    }
    Ok(0)
}

/// The sizes of a launch.
#[derive(Clone, Copy)]
struct Sizes {
    dimensions: u32,
    groups: [u64; 3],
    local: [u64; 3],
    offset: [u64; 3],
}

/// The sizes at some addresses, or the error that they are.
fn sizes(
    host: &Host<'_>,
    handle: u64,
    dimensions: u32,
    [offset, global, local]: [u64; 3],
) -> Result<Result<Sizes, i32>, Stopped> {
    let kernel = kernel(host, handle)?;
    let used = match dimensions {
        1..=3 => usize::try_from(dimensions).unwrap_or(0),
        _ => return Ok(Err(error::INVALID_WORK_DIMENSION)),
    };
    if global == 0 {
        return Ok(Err(error::INVALID_GLOBAL_WORK_SIZE));
    }
    let read = |address: u64, other: u64| {
        let mut words = [other; 3];
        for (number, word) in (0..).zip(&mut words[..used]) {
            *word = host.memory.read_number(address.wrapping_add(8 * number), 8)?;
        }
        Ok::<_, Stopped>(words)
    };
    let global = read(global, 1)?;
    if global.contains(&0) {
        return Ok(Err(error::INVALID_GLOBAL_WORK_SIZE));
    }
    let offset = if offset == 0 { [0; 3] } else { read(offset, 0)? };
    let required = host.device.required_group_size(&kernel.name).map(|sizes| sizes.map(u64::from));
    let local = if local == 0 { required.unwrap_or_else(|| chosen(global)) } else { read(local, 1)? };
    if required.is_some_and(|required| required != local) || local.contains(&0) {
        return Ok(Err(error::INVALID_WORK_GROUP_SIZE));
    }
    if local.iter().any(|&size| size > devices::LARGEST_GROUP) {
        return Ok(Err(error::INVALID_WORK_ITEM_SIZE));
    }
    if local.iter().product::<u64>() > devices::LARGEST_GROUP {
        return Ok(Err(error::INVALID_WORK_GROUP_SIZE));
    }
    if global.iter().zip(local).any(|(global, local)| global % local != 0) {
        if kernel.may_have_remainders {
            return Err(Stopped::not_known("launches a kernel with smaller last groups"));
        }
        return Ok(Err(error::INVALID_WORK_GROUP_SIZE));
    }
    let groups = [0, 1, 2].map(|dimension| global[dimension] / local[dimension]);
    Ok(Ok(Sizes { dimensions, groups, local, offset }))
}

/// The group size for a launch without one: the largest power of two that divides it.
fn chosen(global: [u64; 3]) -> [u64; 3] {
    let divisor = 1 << global[0].trailing_zeros().min(CHOSEN.trailing_zeros());
    [divisor, 1, 1]
}

fn launch(host: &mut Host<'_>, handle: u64, sizes: Sizes) -> Answer {
    let arguments = set_arguments(host, handle)?;
    let local_bytes = arguments.iter().flatten().map(|argument| match argument {
        SetArgument::Memory(bytes) => *bytes,
        SetArgument::Bytes { .. } => 0,
    });
    if local_bytes.fold(0, u64::saturating_add) > devices::LOCAL_BYTES {
        return Ok(of_int(error::OUT_OF_RESOURCES));
    }
    let kernel = kernel(host, handle)?;
    let symbol = kernel.name.clone();
    if let Some((file, _)) = kernel.elsewhere.and_then(|file| host.program.sources.files.get(file)) {
        return Err(Stopped::not_known(format!("launches `{symbol}` of {file}, which is another file")).into());
    }
    let [num_groups, local_size, global_offset] = [sizes.groups, sizes.local, sizes.offset].map(narrow);
    let (Some(num_groups), Some(local_size), Some(global_offset)) = (num_groups, local_size, global_offset) else {
        return Err(Stopped::limit(format!("a launch of `{symbol}` has sizes of more than 32 bits")).into());
    };
    let launch = Launch {
        symbol,
        place: host.place,
        dimensions: Some(sizes.dimensions),
        num_groups,
        local_size,
        global_offset,
        shared_bytes: 0,
        arguments: LaunchArguments::Set(arguments),
    };
    host.device.launch(&launch, &mut host.memory)?;
    Ok(0)
}

fn narrow(sizes: [u64; 3]) -> Option<[u32; 3]> {
    let [x, y, z] = sizes.map(u32::try_from);
    Some([x.ok()?, y.ok()?, z.ok()?])
}

/// The arguments of a kernel up to the last one that is set.
fn set_arguments(host: &Host<'_>, handle: u64) -> Result<Vec<Option<SetArgument>>, Stopped> {
    let kernel = kernel(host, handle)?;
    let most = kernel.arguments.last_key_value().map_or(0, |(last, _)| last + 1);
    let of = |number: u32| match kernel.arguments.get(&number) {
        None => Ok(None),
        Some(Set::Memory(bytes)) => Ok(Some(SetArgument::Memory(*bytes))),
        Some(Set::Bytes(bytes)) => {
            let buffer = buffer_of(host, bytes)?;
            Ok(Some(SetArgument::Bytes { bytes: bytes.clone(), buffer }))
        }
    };
    (0..most).map(of).collect()
}

/// The address of the memory of the buffer whose handle some bytes are.
fn buffer_of(host: &Host<'_>, bytes: &[u8]) -> Result<Option<u64>, Stopped> {
    let Ok(handle) = bytes.try_into().map(u64::from_le_bytes) else { return Ok(None) };
    if object(host, handle, What::Buffer).is_err() {
        return Ok(None);
    }
    let buffer = buffer(host, handle)?;
    if buffer.maps.iter().any(|mapping| mapping.is_written) {
        return Err(Stopped::fault("the program launches a kernel with a buffer that it has mapped for writing"));
    }
    Ok(Some(buffer.address))
}
