//! Tests of single functions of the runtime API.

use super::{plain_name, routine};
use crate::StopKind;
use crate::library::Host;
use crate::library::tests::with_host;
use crate::memory::Kind;
use crate::numbers::of_float;

/// The values of `cudaMemcpyKind`.
const TO_DEVICE: u64 = 1;
const TO_HOST: u64 = 2;
const WITHIN_DEVICE: u64 = 3;
const DEFAULT: u64 = 4;

/// The address of new memory of the device.
fn device(host: &mut Host<'_>, bytes: u64) -> u64 {
    let pointer = host.room(8);
    assert_eq!(host.call("cudaMalloc", &[pointer, bytes]), 0);
    host.number(pointer)
}

fn bytes_of_device(host: &Host<'_>, address: u64) -> Vec<u8> {
    let (object, _) = host.memory.object_at(address).expect("it is there");
    host.memory.bytes_of_device(object).expect("it is of the device").to_vec()
}

#[test]
fn bytes_are_copied_between_both_sides() {
    with_host(&[], |host| {
        let (text, room, a, b) = (host.put("abcdefg"), host.room(8), device(host, 8), device(host, 8));
        assert_eq!(host.call("cudaMemcpy", &[a, text, 8, TO_DEVICE]), 0);
        host.call("cudaMemcpyAsync", &[b, a, 8, WITHIN_DEVICE, 0]);
        host.call("cudaMemset", &[b + 1, u64::from(b'x'), 2]);
        host.call("cudaMemcpy", &[room, b, 8, TO_HOST]);
        assert_eq!(host.string(room), "axxdefg");
        host.call("cudaMemcpyPeer", &[b, 0, a, 0, 8]);
        host.call("cudaMemcpy", &[room, b, 8, DEFAULT]);
        assert_eq!(host.string(room), "abcdefg");
        assert_eq!(host.call("cudaMemcpy", &[0, 0, 0, TO_DEVICE]), 0);
        assert_eq!(host.call("cudaMemcpy", &[a, b, 8, 9]), 1);
        assert_eq!(host.call("cudaGetLastError", &[]), 1);
        assert_eq!(host.call("cudaGetLastError", &[]), 0);
        for arguments in
            [[a, text, 9, TO_DEVICE], [a + 1, text, 8, TO_DEVICE], [room, a, 8, TO_DEVICE], [0, a, 8, DEFAULT]]
        {
            assert_eq!(host.stop("cudaMemcpy", &arguments), StopKind::Fault, "{arguments:?}");
        }
        assert_eq!(host.stop("cudaMemset", &[room, 0, 8]), StopKind::Fault);
        assert_eq!(host.stop("strlen", &[a]), StopKind::Fault);
    });
}

#[test]
fn rows_are_copied() {
    with_host(&[], |host| {
        let (pointer, pitch) = (host.room(8), host.room(8));
        assert_eq!(host.call("cudaMallocPitch", &[pointer, pitch, 3, 2]), 0);
        let (matrix, pitch) = (host.number(pointer), host.number(pitch));
        let (text, room) = (host.put("abcdef"), host.room(7));
        assert_eq!((pitch, bytes_of_device(host, matrix).len()), (512, 1024));
        assert_eq!(host.call("cudaMemset2D", &[matrix, pitch, 1, 512, 2]), 0);
        assert_eq!(host.call("cudaMemcpy2D", &[matrix, pitch, text, 3, 3, 2, TO_DEVICE]), 0);
        assert_eq!(bytes_of_device(host, matrix)[511..516], *b"\x01def\x01");
        host.call("cudaMemcpy2DAsync", &[room, 3, matrix, pitch, 3, 2, TO_HOST, 0]);
        assert_eq!(host.string(room), "abcdef");
        assert_eq!(host.call("cudaMemcpy2D", &[room, 2, matrix, pitch, 3, 2, TO_HOST]), 12);
        assert_eq!(host.stop("cudaMemcpy2D", &[room, 3, matrix, pitch, 3, 3, TO_HOST]), StopKind::Fault);
        assert_eq!(host.stop("cudaMemset2D", &[matrix, 1 << 63, 1, 512, u64::MAX]), StopKind::Limit);
    });
}

#[test]
fn boxes_are_copied() {
    with_host(&[], |host| {
        let (pitched, extent) = (host.room(32), host.words(&[2, 2, 2]));
        assert_eq!(host.call("cudaMalloc3D", &[pitched, extent]), 0);
        let address = host.number(pitched);
        assert_eq!([8, 16, 24].map(|offset| host.number(pitched + offset)), [512, 2, 2]);
        assert_eq!(host.call("cudaMemset3D", &[pitched, u64::from(b'x'), extent]), 0);
        let text = host.put("abcdefgh");
        // One byte of each row, from the second one of the text on.
        let parameters = [0, 1, 0, 0, text, 2, 2, 2, 0, 0, 1, 1, address, 512, 2, 2, 1, 1, 1, TO_DEVICE];
        let parameters = host.words(&parameters);
        assert_eq!(host.call("cudaMemcpy3D", &[parameters]), 0);
        let bytes = bytes_of_device(host, address);
        assert_eq!([bytes[0], bytes[512], bytes[1024], bytes[1536]], *b"xxxb");
        let array = host.words(&[8; 20]);
        assert_eq!(host.stop("cudaMemcpy3D", &[array]), StopKind::NotKnown);
    });
}

#[test]
fn symbols_are_variables_of_the_device() {
    with_host(&["table"], |host| {
        let table = host.memory.address_of(host.memory.variable("table").expect("it is there"));
        let (text, room) = (host.put("abc"), host.room(4));
        let to = "_Z18cudaMemcpyToSymbolIA4_fE9cudaErrorRKT_PKvmm14cudaMemcpyKind";
        assert_eq!(host.call(to, &[table, text, 4, 8, TO_DEVICE]), 0);
        assert_eq!(bytes_of_device(host, table)[7..12], *b"\0abc\0");
        assert_eq!(host.call("cudaMemcpyFromSymbol", &[room, table, 4, 8, TO_HOST]), 0);
        assert_eq!(host.string(room), "abc");
        let pointer = host.words(&[table]);
        let out = host.room(8);
        host.call("cudaGetSymbolAddress", &[out, pointer]);
        assert_eq!(host.number(out), table);
        host.call("cudaGetSymbolSize", &[out, table]);
        assert_eq!(host.number(out), 512);
        assert_eq!(host.stop("cudaMemcpyToSymbol", &[out, text, 4, 0, TO_DEVICE]), StopKind::Fault);
        assert_eq!(host.stop("cudaMemcpyToSymbol", &[table, text, 4, 510, TO_DEVICE]), StopKind::Fault);
        let memory = device(host, 4);
        assert_eq!(host.stop("cudaMemcpy", &[memory, table, 4, TO_DEVICE]), StopKind::NotKnown);
    });
}

#[test]
fn each_kind_of_memory_is_freed_by_its_own_function() {
    with_host(&[], |host| {
        let (memory, pointer) = (device(host, 4), host.room(8));
        assert_eq!(host.stop("free", &[memory]), StopKind::Fault);
        assert_eq!(host.stop("cudaFree", &[memory + 1]), StopKind::Fault);
        assert_eq!(host.stop("cudaFree", &[pointer]), StopKind::Fault);
        assert_eq!((host.call("cudaFree", &[memory]), host.call("cudaFree", &[0])), (0, 0));
        assert_eq!(host.stop("cudaFree", &[memory]), StopKind::Fault);
        assert_eq!(device(host, 0), 0);
        for (name, ty) in [("cudaMallocManaged", 3), ("cudaMallocHost", 1), ("cudaHostAlloc", 1)] {
            host.call(name, &[pointer, 16, 0]);
            let both = host.number(pointer);
            host.memory.write_number(both, 5, 8).expect("the host may");
            assert_eq!(bytes_of_device(host, both)[0], 5);
            let attributes = host.room(24);
            host.call("cudaPointerGetAttributes", &[attributes, both]);
            assert_eq!([0, 8, 16].map(|offset| host.number(attributes + offset)), [ty, both, both]);
            assert_eq!(host.call("cudaFree", &[both]), 0);
        }
    });
}

#[test]
fn registered_memory_is_of_both_sides() {
    with_host(&[], |host| {
        let (memory, pointer) = (host.call("malloc", &[8]), host.room(8));
        let (object, _) = host.memory.object_at(memory).expect("it is there");
        assert_eq!(host.call("cudaHostGetDevicePointer", &[pointer, memory, 0]), 1);
        assert_eq!(host.call("cudaHostRegister", &[memory, 8, 0]), 0);
        assert_eq!(host.call("cudaHostGetDevicePointer", &[pointer, memory, 0]), 0);
        assert_eq!((host.number(pointer), host.memory.kind(object)), (memory, Kind::Managed));
        assert_eq!(host.call("cudaHostUnregister", &[memory]), 0);
        assert_eq!(host.memory.kind(object), Kind::Host);
        assert_eq!(host.call("free", &[memory]), 0);
    });
}

#[test]
fn the_device_is_described() {
    with_host(&[], |host| {
        let out = host.room(8);
        for (name, arguments, expected) in [
            ("cudaGetDevice", vec![out], 0),
            ("cudaGetDeviceCount", vec![out], 1),
            ("cudaDeviceGetAttribute", vec![out, 10, 0], 32),
            ("cudaDeviceGetAttribute", vec![out, 16, 0], 108),
            ("cudaDeviceGetAttribute", vec![out, 75, 0], 8),
            ("cudaDeviceGetLimit", vec![out, 2], 1 << 23),
            ("_Z45cudaOccupancyMaxActiveBlocksPerMultiprocessorIPFvPiEE9cudaErrorS0_T_im", vec![out, 0, 64, 0], 2),
        ] {
            host.memory.write_number(out, 0, 8).expect("it is there");
            assert_eq!(host.call(name, &arguments), 0);
            assert_eq!(host.number(out), expected, "{name} {arguments:?}");
        }
        let properties = host.room(784);
        assert_eq!(host.call("cudaGetDeviceProperties", &[properties, 0]), 0);
        assert_eq!(host.string(properties), "NVIDIA A100-SXM4-40GB");
        let int = |offset: u64| host.memory.read_number(properties + offset, 4).expect("it is there");
        // The warp size, the largest block and grid, the compute capability, the multiprocessors.
        assert_eq!([308, 320, 332, 336, 360, 364, 388].map(int), [32, 1024, 64, 0x7FFF_FFFF, 8, 0, 108]);
        let small = host.room(783);
        assert_eq!(host.stop("cudaGetDeviceProperties", &[small, 0]), StopKind::Fault);
    });
}

#[test]
fn streams_and_events_are_always_done() {
    with_host(&[], |host| {
        let (stream, event, time) = (host.room(8), host.room(8), host.room(4));
        host.call("cudaStreamCreate", &[stream]);
        host.call("_Z15cudaEventCreatePP10CUevent_stj", &[event, 0]);
        assert!(host.number(stream) != 0 && host.number(event) != host.number(stream));
        for name in ["cudaStreamSynchronize", "cudaStreamQuery", "cudaEventQuery", "cudaDeviceSynchronize"] {
            assert_eq!(host.call(name, &[1]), 0);
        }
        host.call("cudaEventElapsedTime", &[time, 1, 2]);
        assert_eq!(host.memory.read_number(time, 4), Ok(of_float(1.0)));
        let text = host.call("cudaGetErrorString", &[0]);
        assert_eq!((host.string(text).as_str(), host.call("cudaGetErrorString", &[0])), ("no error", text));
        let text = host.call("cudaGetErrorName", &[9]);
        assert_eq!(host.string(text), "cudaErrorInvalidConfiguration");
    });
}

#[test]
fn only_kernels_are_launched() {
    with_host(&[], |host| {
        for name in ["cudaLaunchKernel", "_Z16cudaLaunchKernelIFvPiEE9cudaErrorPKT_4dim3S5_PPvmP11CUstream_st"] {
            let room = host.room(8);
            assert_eq!(host.stop(name, &[room, 1, 1, 1, 1, 0, 0, 0]), StopKind::Fault);
        }
        assert_eq!(host.stop("__cudaPopCallConfiguration", &[0, 0, 0, 0]), StopKind::NotKnown);
        let configuration = host.words(&[1 | 1 << 32, 1 | 1 << 32, 1 | 1 << 32, 0, 0, 0, 1]);
        assert_eq!(host.stop("cudaLaunchKernelExC", &[configuration, 0, 0]), StopKind::NotKnown);
        assert_eq!(host.call("__cudaRegisterFatBinary", &[0]), 0x1000);
    });
}

#[test]
fn plain_names_are_those_of_the_source() {
    for (symbol, name) in [
        ("cudaMalloc", "cudaMalloc"),
        ("_Z10cudaMallocIfE9cudaErrorPPT_m", "cudaMalloc"),
        ("_ZL8cudaFreePv", "cudaFree"),
        ("_ZN1a8cudaFreeEPv", "_ZN1a8cudaFreeEPv"),
        ("_Z99cudaFreePv", "_Z99cudaFreePv"),
        ("_Z99999999999999999999999x", "_Z99999999999999999999999x"),
        ("_Z", "_Z"),
        ("_Z1é", "_Z1é"),
    ] {
        assert_eq!(plain_name(symbol), name);
    }
}

#[test]
fn names_of_the_toolkit_are_found() {
    for name in ["cudaMemcpy", "_Z18cudaMemcpyToSymbolIA4_fE9cudaErrorRKT_PKvmm14cudaMemcpyKind", "cudaLaunchKernel"] {
        assert!(routine(name).is_some(), "{name}");
    }
    assert!(routine("cudaGraphLaunch").is_none() && routine("_Z8cudaMineiPv").is_none());
}
