//! The platform, the device, contexts and command queues.

use super::{Root, Thing, What, answer, check, check_all, created, error, not_answered, not_created, object, text};
use crate::Stopped;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::numbers::{low, of_int};

/// The largest sizes of a group.
pub const LARGEST_GROUP: u64 = 1024;

/// The bytes at a multiple of which a part of a buffer begins.
pub const ALIGNMENT: u64 = 128;

/// The most bytes of a buffer.
pub const LARGEST_BUFFER: u64 = 1 << 30;

/// The size of local memory.
pub const LOCAL_BYTES: u64 = 48 << 10;

/// The kinds of devices that the device is one of: the default, and GPUs.
const TYPES: u64 = 1 | GPU;
const GPU: u64 = 1 << 2;

/// The kinds of devices that exist.
const ALL_TYPES: u64 = 0b1_1111;

/// The properties of a command queue.
const PROPERTIES_OF_QUEUE: u32 = 0x1093;
pub const PROFILING: u64 = 1 << 1;
const ON_DEVICE: u64 = 1 << 2;

/// The extensions of the device.
const EXTENSIONS: &str = "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics \
    cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store cl_khr_fp64";

/// The numbers of the device by their queries, with their sizes in bytes.
const NUMBERS: [(u32, u8, u64); 64] = [
    (0x1000, 8, GPU),            // CL_DEVICE_TYPE
    (0x1001, 4, 0x10DE),         // CL_DEVICE_VENDOR_ID
    (0x1002, 4, 16),             // CL_DEVICE_MAX_COMPUTE_UNITS
    (0x1003, 4, 3),              // CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS
    (0x1004, 8, LARGEST_GROUP),  // CL_DEVICE_MAX_WORK_GROUP_SIZE
    (0x1006, 4, 1),              // CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
    (0x1007, 4, 1),              // ..._SHORT
    (0x1008, 4, 1),              // ..._INT
    (0x1009, 4, 1),              // ..._LONG
    (0x100A, 4, 1),              // ..._FLOAT
    (0x100B, 4, 1),              // ..._DOUBLE
    (0x100C, 4, 1410),           // CL_DEVICE_MAX_CLOCK_FREQUENCY
    (0x100D, 4, 64),             // CL_DEVICE_ADDRESS_BITS
    (0x100E, 4, 0),              // CL_DEVICE_MAX_READ_IMAGE_ARGS
    (0x100F, 4, 0),              // CL_DEVICE_MAX_WRITE_IMAGE_ARGS
    (0x1010, 8, LARGEST_BUFFER), // CL_DEVICE_MAX_MEM_ALLOC_SIZE
    (0x1011, 8, 0),              // CL_DEVICE_IMAGE2D_MAX_WIDTH
    (0x1012, 8, 0),              // CL_DEVICE_IMAGE2D_MAX_HEIGHT
    (0x1013, 8, 0),              // CL_DEVICE_IMAGE3D_MAX_WIDTH
    (0x1014, 8, 0),              // CL_DEVICE_IMAGE3D_MAX_HEIGHT
    (0x1015, 8, 0),              // CL_DEVICE_IMAGE3D_MAX_DEPTH
    (0x1016, 4, 0),              // CL_DEVICE_IMAGE_SUPPORT
    (0x1017, 8, 4352),           // CL_DEVICE_MAX_PARAMETER_SIZE
    (0x1018, 4, 0),              // CL_DEVICE_MAX_SAMPLERS
    (0x1019, 4, 8 * ALIGNMENT),  // CL_DEVICE_MEM_BASE_ADDR_ALIGN
    (0x101A, 4, 128),            // CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE
    (0x101B, 8, 0b11_1111),      // CL_DEVICE_SINGLE_FP_CONFIG
    (0x101C, 4, 2),              // CL_DEVICE_GLOBAL_MEM_CACHE_TYPE
    (0x101D, 4, 128),            // CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE
    (0x101E, 8, 4 << 20),        // CL_DEVICE_GLOBAL_MEM_CACHE_SIZE
    (0x101F, 8, 4 << 30),        // CL_DEVICE_GLOBAL_MEM_SIZE
    (0x1020, 8, 64 << 10),       // CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE
    (0x1021, 4, 9),              // CL_DEVICE_MAX_CONSTANT_ARGS
    (0x1022, 4, 1),              // CL_DEVICE_LOCAL_MEM_TYPE
    (0x1023, 8, LOCAL_BYTES),    // CL_DEVICE_LOCAL_MEM_SIZE
    (0x1024, 4, 0),              // CL_DEVICE_ERROR_CORRECTION_SUPPORT
    (0x1025, 8, 1000),           // CL_DEVICE_PROFILING_TIMER_RESOLUTION
    (0x1026, 4, 1),              // CL_DEVICE_ENDIAN_LITTLE
    (0x1027, 4, 1),              // CL_DEVICE_AVAILABLE
    (0x1028, 4, 1),              // CL_DEVICE_COMPILER_AVAILABLE
    (0x1029, 8, 1),              // CL_DEVICE_EXECUTION_CAPABILITIES
    (0x102A, 8, 0b11),           // CL_DEVICE_QUEUE_PROPERTIES
    (0x1032, 8, 0b11_1111),      // CL_DEVICE_DOUBLE_FP_CONFIG
    (0x1034, 4, 0),              // CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF
    (0x1035, 4, 0),              // CL_DEVICE_HOST_UNIFIED_MEMORY
    (0x1036, 4, 1),              // CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR
    (0x1037, 4, 1),              // ..._SHORT
    (0x1038, 4, 1),              // ..._INT
    (0x1039, 4, 1),              // ..._LONG
    (0x103A, 4, 1),              // ..._FLOAT
    (0x103B, 4, 1),              // ..._DOUBLE
    (0x103C, 4, 0),              // ..._HALF
    (0x103E, 4, 1),              // CL_DEVICE_LINKER_AVAILABLE
    (0x1042, 8, 0),              // CL_DEVICE_PARENT_DEVICE
    (0x1043, 4, 1),              // CL_DEVICE_PARTITION_MAX_SUB_DEVICES
    (0x1045, 8, 0),              // CL_DEVICE_PARTITION_AFFINITY_DOMAIN
    (0x1047, 4, 1),              // CL_DEVICE_REFERENCE_COUNT
    (0x1048, 4, 1),              // CL_DEVICE_PREFERRED_INTEROP_USER_SYNC
    (0x1049, 8, 1 << 20),        // CL_DEVICE_PRINTF_BUFFER_SIZE
    (0x1053, 8, 0),              // CL_DEVICE_SVM_CAPABILITIES
    (0x1054, 8, 0),              // CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE
    (0x1055, 4, 0),              // CL_DEVICE_MAX_PIPE_ARGS
    (0x1058, 4, 0),              // CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
    (0x1067, 8, 32),             // CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
];

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "clGetPlatformIDs" => platforms,
        "clGetPlatformInfo" => platform_info,
        "clGetDeviceIDs" => devices,
        "clGetDeviceInfo" => device_info,
        "clCreateContext" => create_context,
        "clCreateContextFromType" => create_context_from_type,
        "clGetContextInfo" => context_info,
        "clCreateCommandQueue" => |host, arguments| {
            let [context, device, properties, status] = [0, 1, 2, 3].map(|argument| arguments.word(argument));
            create_queue(host, [context, device], properties, status)
        },
        "clCreateCommandQueueWithProperties" => create_queue_with_properties,
        "clGetCommandQueueInfo" => queue_info,
        _ => return None,
    }))
}

/// The platform and the device.
fn root(host: &mut Host<'_>) -> Result<Root, Stopped> {
    if let Some(root) = host.toolkit.opencl.root {
        return Ok(root);
    }
    let root = Root { platform: super::create(host, Thing::Platform)?, device: super::create(host, Thing::Device)? };
    host.toolkit.opencl.root = Some(root);
    Ok(root)
}

/// The handle of the device.
pub fn device(host: &mut Host<'_>) -> Result<u64, Stopped> {
    Ok(root(host)?.device)
}

/// Writes the only handle of a list, and the length of the list.
fn list_one(host: &mut Host<'_>, handle: u64, [room, to, number]: [u64; 3]) -> Answer {
    let room = low(room);
    if (to == 0 && number == 0) || (to != 0 && room == 0) {
        return Ok(of_int(error::INVALID_VALUE));
    }
    host.write_out(to, handle, 8)?;
    host.write_out(number, 1, 4)?;
    Ok(0)
}

fn platforms(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let platform = root(host)?.platform;
    list_one(host, platform, [0, 1, 2].map(|argument| arguments.word(argument)))
}

fn platform_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    check_platform(host, arguments.word(0))?;
    let answered = match low(arguments.word(1)) {
        0x0900 => "FULL_PROFILE",
        0x0901 => "OpenCL 1.2 Lockstep",
        0x0902 | 0x0903 => "Lockstep",
        0x0904 => EXTENSIONS,
        query => return Err(not_answered("clGetPlatformInfo", query).into()),
    };
    answer(host, arguments, 2, &text(answered))
}

/// Stops unless a handle is that of the platform. Null stands for it.
fn check_platform(host: &Host<'_>, handle: u64) -> Result<(), Stopped> {
    if handle == 0 { Ok(()) } else { check(host, handle, What::Platform) }
}

fn devices(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    check_platform(host, arguments.word(0))?;
    let (device, types) = (root(host)?.device, arguments.word(1));
    // The constant for all kinds has more bits than there are kinds.
    if types & ALL_TYPES == 0 {
        return Ok(of_int(error::INVALID_DEVICE_TYPE));
    }
    if types & TYPES == 0 {
        host.write_out(arguments.word(4), 0, 4)?;
        return Ok(of_int(error::DEVICE_NOT_FOUND));
    }
    list_one(host, device, [2, 3, 4].map(|argument| arguments.word(argument)))
}

fn device_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    check(host, arguments.word(0), What::Device)?;
    let query = low(arguments.word(1));
    if let Some((_, bytes, number)) = NUMBERS.iter().find(|(known, ..)| *known == query) {
        return answer(host, arguments, 2, &number.to_le_bytes()[..usize::from(*bytes)]);
    }
    let answered = match query {
        0x1005 => [LARGEST_GROUP; 3].iter().flat_map(|size| size.to_le_bytes()).collect(),
        0x1031 => root(host)?.platform.to_le_bytes().to_vec(),
        // The ways in which it may be divided: none.
        0x1044 | 0x1046 => 0u64.to_le_bytes().to_vec(),
        0x102B | 0x102C => text("Lockstep"),
        0x102D => text("1.0"),
        0x102E => text("FULL_PROFILE"),
        0x102F => text("OpenCL 1.2 Lockstep"),
        0x1030 => text(EXTENSIONS),
        0x103D => text("OpenCL C 1.2 Lockstep"),
        0x103F | 0x105B => text(""),
        _ => return Err(not_answered("clGetDeviceInfo", query).into()),
    };
    answer(host, arguments, 2, &answered)
}

/// The function that is passed is called for errors alone.
fn create_context(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (number, devices, status) = (low(arguments.word(1)), arguments.word(2), arguments.word(5));
    if number == 0 || devices == 0 {
        return not_created(host, error::INVALID_VALUE, status);
    }
    check_all(host, number.into(), devices, What::Device)?;
    created(host, Thing::Context, status)
}

fn create_context_from_type(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (types, status) = (arguments.word(1), arguments.word(4));
    root(host)?;
    if types & ALL_TYPES == 0 {
        return not_created(host, error::INVALID_DEVICE_TYPE, status);
    }
    if types & TYPES == 0 {
        return not_created(host, error::DEVICE_NOT_FOUND, status);
    }
    created(host, Thing::Context, status)
}

fn context_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let references = object(host, arguments.word(0), What::Context)?.references;
    let answered = match low(arguments.word(1)) {
        0x1080 => low(references).to_le_bytes().to_vec(),
        0x1081 => device(host)?.to_le_bytes().to_vec(),
        0x1083 => 1u32.to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetContextInfo", query).into()),
    };
    answer(host, arguments, 2, &answered)
}

fn create_queue(host: &mut Host<'_>, [context, device]: [u64; 2], properties: u64, status: u64) -> Answer {
    check(host, context, What::Context)?;
    check(host, device, What::Device)?;
    if properties & ON_DEVICE != 0 {
        return Err(Stopped::not_known("creates a command queue on the device").into());
    }
    created(host, Thing::Queue { properties }, status)
}

/// The properties are a list of names and values, which zero ends.
fn create_queue_with_properties(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [context, device, mut list, status] = [0, 1, 2, 3].map(|argument| arguments.word(argument));
    let mut properties = 0;
    while list != 0 {
        match (low(host.memory.read_number(list, 8)?), host.memory.read_number(list.wrapping_add(8), 8)) {
            (0, _) => break,
            (PROPERTIES_OF_QUEUE, value) => properties = value?,
            (other, _) => {
                let reason = format!("creates a command queue with property {other:#x}, which is not known");
                return Err(Stopped::not_known(reason).into());
            }
        }
        list = list.wrapping_add(16);
    }
    create_queue(host, [context, device], properties, status)
}

/// The properties of a command queue.
pub fn properties(host: &Host<'_>, queue: u64) -> Result<u64, Stopped> {
    match object(host, queue, What::Queue)?.thing {
        Thing::Queue { properties } => Ok(properties),
        _ => Ok(0),
    }
}

fn queue_info(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (references, properties) =
        (object(host, arguments.word(0), What::Queue)?.references, properties(host, arguments.word(0))?);
    let answered = match low(arguments.word(1)) {
        0x1091 => device(host)?.to_le_bytes().to_vec(),
        0x1092 => low(references).to_le_bytes().to_vec(),
        PROPERTIES_OF_QUEUE => properties.to_le_bytes().to_vec(),
        query => return Err(not_answered("clGetCommandQueueInfo", query).into()),
    };
    answer(host, arguments, 2, &answered)
}
