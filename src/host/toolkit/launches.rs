//! Launches of kernels.

use super::error;
use super::plain_name;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::numbers::{index, low};
use crate::{Launch, LaunchArguments, Stopped};

/// The sizes of a launch, between the call that pushes them and the one that pops them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    num_groups: [u32; 3],
    local_size: [u32; 3],
    shared_bytes: u64,
    stream: u64,
    /// The place of `<<<...>>>`.
    place: Option<u32>,
}

/// The most threads of a block.
const MOST_THREADS: u64 = 1024;

/// The largest sizes of a launch.
const LARGEST_GRID: [u32; 3] = [0x7FFF_FFFF, 0xFFFF, 0xFFFF];
const LARGEST_BLOCK: [u32; 3] = [1024, 1024, 64];

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "cudaLaunchKernel" | "cudaLaunchCooperativeKernel" => launch_kernel,
        "cudaLaunchKernelExC" => launch_with_attributes,
        "cudaConfigureCall" => push,
        "cudaSetupArgument" => set_up_argument,
        "cudaLaunch" => launch_configured,
        _ => return None,
    }))
}

/// The routine of this name among those that compilers alone call.
pub fn hidden(name: &str) -> Option<Routine> {
    Some(match name {
        "__cudaPushCallConfiguration" => Routine::Plain(push),
        "__cudaPopCallConfiguration" => Routine::Plain(pop),
        "__cudaRegisterFatBinary" => Routine::Constant(0x1000),
        "__cudaRegisterFatBinaryEnd"
        | "__cudaUnregisterFatBinary"
        | "__cudaRegisterFunction"
        | "__cudaRegisterVar"
        | "__cudaRegisterManagedVar"
        | "__cudaRegisterTexture"
        | "__cudaRegisterSurface"
        | "__cudaInitModule" => Routine::Constant(0),
        _ => return None,
    })
}

/// A `dim3` in two arguments: the first one has two sizes.
fn sizes(arguments: Arguments<'_>, first: usize) -> [u32; 3] {
    let (xy, z) = (arguments.word(first), arguments.word(first + 1));
    [low(xy), low(xy >> 32), low(z)]
}

#[expect(clippy::unnecessary_wraps, reason = "the other routines may fail")]
fn push(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    host.toolkit.configuration = Some(Configuration {
        num_groups: sizes(arguments, 0),
        local_size: sizes(arguments, 2),
        shared_bytes: arguments.word(4),
        stream: arguments.word(5),
        place: host.place,
    });
    Ok(0)
}

/// The place is kept for the launch that follows.
fn pop(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let Some(configuration) = host.toolkit.configuration else {
        return Err(Stopped::not_known("takes the sizes of a launch that has none").into());
    };
    for (pointer, sizes) in [(0, configuration.num_groups), (1, configuration.local_size)] {
        let bytes: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        host.memory.write(arguments.word(pointer), &bytes)?;
    }
    host.memory.write_number(arguments.word(2), configuration.shared_bytes, 8)?;
    host.memory.write_number(arguments.word(3), configuration.stream, 8)?;
    Ok(0)
}

/// The address of an argument, which lives until the launch; in their order.
#[expect(clippy::unnecessary_wraps, reason = "the other routines may fail")]
fn set_up_argument(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    host.toolkit.set_up.push(arguments.word(0));
    Ok(0)
}

/// Launches as before CUDA 9.2: the sizes and the arguments have been passed one by one.
fn launch_configured(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let addresses = std::mem::take(&mut host.toolkit.set_up);
    let Some(Configuration { num_groups, local_size, shared_bytes, .. }) = host.toolkit.configuration else {
        return Err(Stopped::not_known("launches a kernel without sizes").into());
    };
    let bytes: Vec<u8> = addresses.iter().flat_map(|address| address.to_le_bytes()).collect();
    let list = host.memory.allocate_text(&bytes)?;
    let result = launch(host, arguments.word(0), [num_groups, local_size], shared_bytes, list);
    host.memory.release_local(list);
    result
}

fn launch_kernel(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let sizes = [sizes(arguments, 1), sizes(arguments, 3)];
    launch(host, arguments.word(0), sizes, arguments.word(6), arguments.word(5))
}

/// Launches by a `cudaLaunchConfig_t`. Its attributes are not known.
fn launch_with_attributes(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let configuration = arguments.word(0);
    let [grid, grid_and_block, block, shared, _stream, _attributes, attributes] =
        super::copies::words(host, configuration)?;
    if low(attributes) != 0 {
        return Err(Stopped::not_known("launches a kernel with attributes").into());
    }
    let sizes =
        [[low(grid), low(grid >> 32), low(grid_and_block)], [low(grid_and_block >> 32), low(block), low(block >> 32)]];
    launch(host, arguments.word(1), sizes, shared, arguments.word(2))
}

fn launch(host: &mut Host<'_>, kernel: u64, sizes: [[u32; 3]; 2], shared_bytes: u64, arguments: u64) -> Answer {
    let pushed = host.toolkit.configuration.take();
    let [num_groups, local_size] = sizes;
    let symbol = symbol(host, kernel)?;
    if !is_possible(num_groups, local_size) {
        return Ok(super::fail(host, error::INVALID_CONFIGURATION));
    }
    let place = pushed.map_or(host.place, |pushed| pushed.place);
    let (global_offset, arguments) = ([0; 3], LaunchArguments::Pointers(arguments));
    let launch =
        Launch { symbol, place, dimensions: None, num_groups, local_size, global_offset, shared_bytes, arguments };
    host.device.launch(&launch, &mut host.memory)?;
    Ok(0)
}

/// The symbol of the kernel whose stub is at an address.
fn symbol(host: &Host<'_>, kernel: u64) -> Result<String, Stopped> {
    let function = host.memory.function_at(kernel).and_then(|number| host.program.functions.get(index(number.into())));
    let Some(function) = function else {
        return Err(Stopped::fault(format!("the program launches address {kernel:#x}, where no kernel is")));
    };
    let name = plain_name(&function.name);
    function.stub_of.clone().ok_or_else(|| Stopped::not_known(format!("launches `{name}`, which is not a kernel")))
}

/// Whether a device has launches of these sizes.
fn is_possible(num_groups: [u32; 3], local_size: [u32; 3]) -> bool {
    let within = |sizes: [u32; 3], largest: [u32; 3]| {
        sizes.iter().zip(largest).all(|(&size, largest)| (1..=largest).contains(&size))
    };
    let threads: u64 = local_size.iter().map(|&size| u64::from(size)).fold(1, u64::saturating_mul);
    within(num_groups, LARGEST_GRID) && within(local_size, LARGEST_BLOCK) && threads <= MOST_THREADS
}
