//! Questions about the device, which has the numbers of an NVIDIA A100.

use super::memory::TOTAL;
use crate::library::{Answer, Arguments, Host, Routine};
use crate::memory::Side;
use crate::numbers::{low, of_int};

/// The version of CUDA.
const VERSION: u64 = 12040;

/// The size of `cudaDeviceProp` in the headers of Lockstep.
const PROPERTIES_SIZE: u64 = 784;

/// The numbers in `cudaDeviceProp`, by their offsets, with their sizes in bytes.
const PROPERTIES: [(u64, u8, u64); 36] = [
    (288, 8, TOTAL),       // totalGlobalMem
    (296, 8, 49_152),      // sharedMemPerBlock
    (304, 4, 65_536),      // regsPerBlock
    (308, 4, 32),          // warpSize
    (312, 8, 0x7FFF_FFFF), // memPitch
    (320, 4, 1024),        // maxThreadsPerBlock
    (324, 4, 1024),        // maxThreadsDim
    (328, 4, 1024),
    (332, 4, 64),
    (336, 4, 0x7FFF_FFFF), // maxGridSize
    (340, 4, 0xFFFF),
    (344, 4, 0xFFFF),
    (348, 4, 1_410_000),  // clockRate
    (352, 8, 65_536),     // totalConstMem
    (360, 4, 8),          // major
    (368, 8, 512),        // textureAlignment
    (376, 8, 32),         // texturePitchAlignment
    (384, 4, 1),          // deviceOverlap
    (388, 4, 108),        // multiProcessorCount
    (400, 4, 1),          // canMapHostMemory
    (568, 8, 512),        // surfaceAlignment
    (576, 4, 1),          // concurrentKernels
    (600, 4, 3),          // asyncEngineCount
    (604, 4, 1),          // unifiedAddressing
    (608, 4, 1_215_000),  // memoryClockRate
    (612, 4, 5120),       // memoryBusWidth
    (616, 4, 41_943_040), // l2CacheSize
    (624, 4, 2048),       // maxThreadsPerMultiProcessor
    (640, 8, 167_936),    // sharedMemPerMultiprocessor
    (648, 4, 65_536),     // regsPerMultiprocessor
    (652, 4, 1),          // managedMemory
    (676, 4, 1),          // concurrentManagedAccess
    (680, 4, 1),          // computePreemptionSupported
    (688, 4, 1),          // cooperativeLaunch
    (696, 8, 166_912),    // sharedMemPerBlockOptin
    (712, 4, 32),         // maxBlocksPerMultiProcessor
];

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "cudaGetDevice" | "cudaChooseDevice" | "cudaDeviceCanAccessPeer" => |host, a| write(host, a.word(0), 0),
        "cudaGetDeviceCount" => |host, a| write(host, a.word(0), 1),
        "cudaDriverGetVersion" | "cudaRuntimeGetVersion" => |host, a| write(host, a.word(0), VERSION),
        "cudaDeviceGetStreamPriorityRange" => |host, a| {
            host.write_out(a.word(0), 0, 4)?;
            host.write_out(a.word(1), u64::from((-5i32).cast_unsigned()), 4)?;
            Ok(0)
        },
        "cudaGetDeviceProperties" | "cudaGetDeviceProperties_v2" => properties,
        "cudaDeviceGetAttribute" => |host, a| write(host, a.word(0), attribute(low(a.word(1)))),
        "cudaDeviceGetLimit" => |host, a| {
            host.memory.write_number(a.word(0), limit(low(a.word(1))), 8)?;
            Ok(0)
        },
        "cudaFuncGetAttributes" => function_attributes,
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor" | "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => {
            |host, a| write(host, a.word(0), 2)
        }
        "cudaOccupancyMaxPotentialBlockSize" | "cudaOccupancyMaxPotentialBlockSizeWithFlags" => |host, a| {
            let limit = u64::try_from(a.int(4)).unwrap_or(0);
            write(host, a.word(0), 216)?;
            write(host, a.word(1), if limit == 0 { 256 } else { limit.min(256) })
        },
        "cudaOccupancyAvailableDynamicSMemPerBlock" => |host, a| {
            host.memory.write_number(a.word(0), 49_152, 8)?;
            Ok(0)
        },
        _ => return None,
    }))
}

/// The routine of this name among the helpers of NVIDIA's samples.
pub fn of_samples(name: &str) -> Option<Routine> {
    Some(match name {
        "findCudaDevice" | "gpuDeviceInit" | "gpuGetMaxGflopsDeviceId" => Routine::Constant(0),
        "checkCudaCapabilities" => Routine::Constant(1),
        "_ConvertSMVer2Cores" => Routine::Constant(64),
        "sdkCreateTimer" => Routine::Plain(|host, a| {
            host.memory.write_number(a.word(0), 0x1000, 8)?;
            Ok(1)
        }),
        "sdkDeleteTimer" | "sdkStartTimer" | "sdkStopTimer" | "sdkResetTimer" => Routine::Constant(1),
        "sdkGetTimerValue" | "sdkGetAverageTimerValue" => Routine::Plain(|_, _| Ok(1f32.to_bits().into())),
        _ => return None,
    })
}

/// Writes an `int`.
fn write(host: &mut Host<'_>, pointer: u64, value: u64) -> Answer {
    host.memory.write_number(pointer, value, 4)?;
    Ok(0)
}

fn properties(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let to = arguments.word(0);
    host.memory.fill(to, 0, PROPERTIES_SIZE, Side::Host)?;
    host.memory.write(to, b"NVIDIA A100-SXM4-40GB")?;
    for (offset, bytes, number) in PROPERTIES {
        host.memory.write_number(to.wrapping_add(offset), number, bytes)?;
    }
    Ok(0)
}

/// An attribute of the device, by its number in `cudaDeviceAttr`.
fn attribute(number: u32) -> u64 {
    match number {
        // The sizes of blocks and grids.
        1..=3 => 1024,
        4 => 64,
        5 => 0x7FFF_FFFF,
        6 | 7 => 0xFFFF,
        // Memory and registers of a block, the warp size, and the largest pitch.
        8 => 49_152,
        9 | 12 | 82 => 65_536,
        10 => 32,
        11 => 0x7FFF_FFFF,
        97 => 166_912,
        111 => 1024,
        // Clocks, and what there is on the chip.
        13 => 1_410_000,
        16 => 108,
        36 => 1_215_000,
        37 => 5120,
        38 => 41_943_040,
        39 => 2048,
        40 => 3,
        81 => 167_936,
        87 => 2,
        106 => 32,
        108 => 31_457_280,
        109 => 134_213_632,
        // Alignments of textures.
        14 | 30 => 512,
        51 => 32,
        // The compute capability.
        75 => 8,
        76 => 0,
        // Abilities that it has.
        15 | 19 | 31 | 32 | 41 | 78..=80 | 83 | 89..=91 | 95 | 96 | 98 | 99 | 115 => 1,
        _ => 0,
    }
}

/// A limit of the device, by its number in `cudaLimit`.
fn limit(number: u32) -> u64 {
    match number {
        0 => 1024,
        1 => 1 << 20,
        2 => 1 << 23,
        _ => 0,
    }
}

/// Writes a `cudaFuncAttributes`: of the kernel itself, nothing is known.
fn function_attributes(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let to = arguments.word(0);
    host.memory.fill(to, 0, 80, Side::Host)?;
    for (offset, number) in [(24, 1024), (28, 32), (32, 80), (36, 80), (44, 49_152), (48, -1)] {
        host.memory.write_number(to.wrapping_add(offset), of_int(number), 4)?;
    }
    Ok(0)
}
