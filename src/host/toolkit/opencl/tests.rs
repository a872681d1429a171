//! Tests of the API, with a device that keeps the launches.

use lockstep_ir::host::{HostProgram, KernelSources};

use crate::library::Host;
use crate::memory::{Kind, Memory};
use crate::numbers::of_int;
use crate::{Device, Launch, LaunchArguments, SetArgument, StopKind, Stopped};

/// A device that keeps the launches. The kernel `fixed` is declared with groups of 4 x 2 threads.
#[derive(Default)]
struct Recorder(Vec<Launch>);

impl Device for Recorder {
    fn launch(&mut self, launch: &Launch, _: &mut Memory) -> Result<(), Stopped> {
        self.0.push(launch.clone());
        Ok(())
    }

    fn required_group_size(&self, symbol: &str) -> Option<[u32; 3]> {
        (symbol == "fixed").then_some([4, 2, 1])
    }
}

const KERNELS: &str = "__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }\n";
const OTHERS: &str = "__kernel void k(__global int *a) { a[0] = 1; }\n";

/// Runs a test on a program with two files of kernels, and gives the launches.
fn launches(test: impl FnOnce(&mut Host<'_>)) -> Vec<Launch> {
    let files = vec![("x/k.cl".into(), KERNELS.into()), ("x/others.cl".into(), OTHERS.into())];
    let sources = KernelSources { files, defines: vec!["N=4".into(), "FAST".into()] };
    let program = HostProgram { sources, ..HostProgram::default() };
    let mut device = Recorder::default();
    test(&mut Host::new(&program, &mut device, crate::memory::MOST_BYTES).expect("it is small"));
    device.0
}

/// The handles that most calls need.
#[derive(Clone, Copy)]
struct Setup {
    device: u64,
    context: u64,
    queue: u64,
}

/// The value of `CL_QUEUE_PROFILING_ENABLE`.
const PROFILING: u64 = 2;

fn set_up(host: &mut Host<'_>) -> Setup {
    let devices = host.room(8);
    assert_eq!(host.call("clGetDeviceIDs", &[0, 4, 1, devices, 0]), 0);
    let (device, status) = (host.number(devices), host.room(4));
    let context = host.call("clCreateContext", &[0, 1, devices, 0, 0, status]);
    let queue = host.call("clCreateCommandQueue", &[context, device, PROFILING, status]);
    assert_eq!(host.memory.read_number(status, 4), Ok(0));
    Setup { device, context, queue }
}

/// The flags of a buffer.
const USE_HOST: u64 = 8;
const COPY_HOST: u64 = 32;

fn buffer(host: &mut Host<'_>, setup: Setup, bytes: u64) -> u64 {
    host.call("clCreateBuffer", &[setup.context, 1, bytes, 0, 0])
}

/// Eight bytes of a buffer from an offset on, as a text.
fn read(host: &mut Host<'_>, setup: Setup, buffer: u64, offset: u64) -> String {
    let room = host.room(9);
    assert_eq!(host.call("clEnqueueReadBuffer", &[setup.queue, buffer, 1, offset, 8, room, 0, 0, 0]), 0);
    host.string(room)
}

/// A kernel of a program of this text, which is built with these options.
fn kernel(host: &mut Host<'_>, setup: Setup, (source, options): (&str, &str), name: &str) -> u64 {
    let (text, options, name) = (host.put(source), host.put(options), host.put(name));
    let texts = host.room(8);
    host.memory.write_number(texts, text, 8).expect("it is there");
    let program = host.call("clCreateProgramWithSource", &[setup.context, 1, texts, 0, 0]);
    assert_eq!(host.call("clBuildProgram", &[program, 0, 0, options, 0, 0]), 0);
    let kernel = host.call("clCreateKernel", &[program, name, 0]);
    assert_eq!(host.call("clReleaseProgram", &[program]), 0);
    kernel
}

#[test]
fn objects_live_as_long_as_references_to_them() {
    launches(|host| {
        let Setup { device, context, queue } = set_up(host);
        assert_eq!(host.call("clRetainContext", &[context]), 0);
        assert_eq!(host.call("clReleaseContext", &[context]), 0);
        assert_eq!(host.call("clReleaseContext", &[context]), 0);
        assert_eq!(host.stop("clReleaseContext", &[context]), StopKind::Fault);
        assert_eq!(host.stop("clCreateBuffer", &[context, 1, 8, 0, 0]), StopKind::Fault);
        for wrong in [0, device, context, queue + 8, 0x1000] {
            assert_eq!(host.stop("clFinish", &[wrong]), StopKind::Fault, "{wrong:#x}");
        }
        assert_eq!(host.call("clFinish", &[queue]), 0);
        assert_eq!(host.call("clReleaseDevice", &[device]), 0);
        // A handle points to nothing.
        assert_eq!(host.stop("strlen", &[queue]), StopKind::Fault);
    });
}

#[test]
fn the_device_is_described() {
    launches(|host| {
        let (room, size) = (host.room(256), host.room(8));
        assert_eq!(host.call("clGetPlatformIDs", &[1, room, size]), 0);
        let platform = host.number(room);
        assert_eq!(host.memory.read_number(size, 4), Ok(1));
        assert_eq!(host.call("clGetPlatformIDs", &[0, room, 0]), of_int(-30));
        assert_eq!(host.call("clGetPlatformInfo", &[platform, 0x0902, 256, room, 0]), 0);
        assert_eq!(host.string(room), "Lockstep");
        // There is a GPU and no CPU.
        assert_eq!(host.call("clGetDeviceIDs", &[platform, 2, 1, room, 0]), of_int(-1));
        let device = set_up(host).device;
        for (query, bytes, expected) in [(0x1002, 4, 16), (0x1004, 8, 1024), (0x1023, 8, 48 << 10), (0x1016, 4, 0)] {
            assert_eq!(host.call("clGetDeviceInfo", &[device, query, 256, room, size]), 0);
            assert_eq!((host.number(size), host.memory.read_number(room, bytes)), (bytes.into(), Ok(expected)));
        }
        assert_eq!(host.call("clGetDeviceInfo", &[device, 0x1005, 256, room, size]), 0);
        assert_eq!((host.number(size), host.number(room + 16)), (24, 1024));
        assert_eq!(host.call("clGetDeviceInfo", &[device, 0x102B, 8, room, 0]), of_int(-30));
        assert_eq!(host.call("clGetDeviceInfo", &[device, 0x102B, 0, 0, size]), 0);
        assert_eq!(host.number(size), 9);
        assert_eq!(host.stop("clGetDeviceInfo", &[device, 0x4000, 8, room, 0]), StopKind::NotKnown);
    });
}

#[test]
fn buffers_are_written_copied_filled_and_read() {
    launches(|host| {
        let setup = set_up(host);
        let (text, a) = (host.put("abcdefgh"), buffer(host, setup, 16));
        let b = host.call("clCreateBuffer", &[setup.context, 1 | COPY_HOST, 8, text, 0]);
        let queue = setup.queue;
        assert_eq!(read(host, setup, b, 0), "abcdefgh");
        assert_eq!(host.call("clEnqueueWriteBuffer", &[queue, a, 1, 4, 8, text, 0, 0, 0]), 0);
        assert_eq!(read(host, setup, a, 6), "cdefgh");
        assert_eq!(host.call("clEnqueueCopyBuffer", &[queue, b, a, 2, 0, 4, 0, 0, 0]), 0);
        assert_eq!(read(host, setup, a, 0), "cdefabcd");
        assert_eq!(host.call("clEnqueueCopyBuffer", &[queue, a, a, 0, 3, 4, 0, 0, 0]), of_int(-8));
        assert_eq!(host.call("clEnqueueFillBuffer", &[queue, a, text + 2, 2, 2, 6, 0, 0, 0]), 0);
        assert_eq!(read(host, setup, a, 0), "cdcdcdcd");
        assert_eq!(host.call("clEnqueueFillBuffer", &[queue, a, text, 2, 1, 6, 0, 0, 0]), of_int(-30));
        for (offset, bytes) in [(9, 8), (16, 1), (0, 0), (u64::MAX, 2)] {
            let arguments = [queue, a, 1, offset, bytes, text, 0, 0, 0];
            assert_eq!(host.call("clEnqueueReadBuffer", &arguments), of_int(-30), "{offset} {bytes}");
            assert_eq!(host.call("clEnqueueWriteBuffer", &arguments), of_int(-30), "{offset} {bytes}");
        }
        let short = host.room(4);
        for name in ["clEnqueueReadBuffer", "clEnqueueWriteBuffer"] {
            assert_eq!(host.stop(name, &[queue, a, 1, 0, 8, short, 0, 0, 0]), StopKind::Fault);
            assert_eq!(host.stop(name, &[queue, queue, 1, 0, 4, short, 0, 0, 0]), StopKind::Fault);
        }
        assert_eq!(host.call("clReleaseMemObject", &[a]), 0);
        assert_eq!(host.stop("clEnqueueReadBuffer", &[queue, a, 1, 0, 4, short, 0, 0, 0]), StopKind::Fault);
    });
}

#[test]
fn buffers_are_created_with_flags_that_fit() {
    launches(|host| {
        let (setup, text, status) = (set_up(host), host.put("abcdefgh"), host.room(4));
        for (flags, bytes, from, error) in [
            (1, 0, 0, -61),
            (1, (1 << 30) + 1, 0, -61),
            (1, 8, text, -37),
            (COPY_HOST, 8, 0, -37),
            (COPY_HOST | USE_HOST, 8, text, -30),
        ] {
            assert_eq!(host.call("clCreateBuffer", &[setup.context, flags, bytes, from, status]), 0);
            assert_eq!(host.memory.read_number(status, 4), Ok(of_int(error)), "{flags} {bytes}");
        }
        assert_eq!(host.stop("clCreateBuffer", &[setup.context, COPY_HOST, 10, text, status]), StopKind::Fault);
        assert_eq!(host.stop("clCreateBuffer", &[setup.context, 1 << 10, 8, 0, status]), StopKind::NotKnown);
    });
}

#[test]
fn parts_of_buffers_share_their_memory() {
    launches(|host| {
        let (setup, text, status) = (set_up(host), host.put("abcdefgh"), host.room(4));
        let whole = buffer(host, setup, 256);
        let region = host.words(&[128, 64]);
        let part = host.call("clCreateSubBuffer", &[whole, 1, 0x1220, region, status]);
        assert_eq!(host.call("clEnqueueWriteBuffer", &[setup.queue, part, 1, 8, 8, text, 0, 0, 0]), 0);
        assert_eq!(read(host, setup, whole, 136), "abcdefgh");
        assert_eq!(host.call("clEnqueueReadBuffer", &[setup.queue, part, 1, 60, 8, text, 0, 0, 0]), of_int(-30));
        for (region, error) in [([64, 64], -13), ([128, 129], -30), ([128, 0], -61)] {
            let region = host.words(&region);
            assert_eq!(host.call("clCreateSubBuffer", &[whole, 1, 0x1220, region, status]), 0);
            assert_eq!(host.memory.read_number(status, 4), Ok(of_int(error)));
        }
        assert_eq!(host.stop("clCreateSubBuffer", &[part, 1, 0x1220, region, status]), StopKind::Fault);
        // The memory lives as long as the part.
        assert_eq!(host.call("clReleaseMemObject", &[whole]), 0);
        assert_eq!(read(host, setup, part, 8), "abcdefgh");
        assert_eq!(host.call("clReleaseMemObject", &[part]), 0);
        assert_eq!(host.stop("clReleaseMemObject", &[whole]), StopKind::Fault);
    });
}

#[test]
fn mapped_parts_go_back_if_they_were_mapped_for_writing() {
    launches(|host| {
        let (setup, text) = (set_up(host), host.put("abcdefgh"));
        let a = host.call("clCreateBuffer", &[setup.context, COPY_HOST, 8, text, 0]);
        let map = |host: &mut Host<'_>, purpose: u64| {
            host.call("clEnqueueMapBuffer", &[setup.queue, a, 1, purpose, 2, 4, 0, 0, 0, 0])
        };
        for (purpose, expected) in [(1, "abcdefgh"), (2, "abXdefgh")] {
            let mapped = map(host, purpose);
            assert_eq!(host.memory.read(mapped, 4), Ok(&b"cdef"[..]));
            host.memory.write(mapped, b"X").expect("it is of the host");
            assert_eq!(read(host, setup, a, 0), "abcdefgh");
            assert_eq!(host.call("clEnqueueUnmapMemObject", &[setup.queue, a, mapped, 0, 0, 0]), 0);
            assert_eq!(read(host, setup, a, 0), expected);
            assert_eq!(host.stop("strlen", &[mapped]), StopKind::Fault);
            assert_eq!(host.call("clEnqueueUnmapMemObject", &[setup.queue, a, mapped, 0, 0, 0]), of_int(-30));
        }
        map(host, 1);
        map(host, 1);
        assert_eq!(host.stop("clEnqueueMapBuffer", &[setup.queue, a, 1, 2, 5, 2, 0, 0, 0, 0]), StopKind::NotKnown);
        // Such a buffer is mapped where the program has given it memory.
        let own = host.call("clCreateBuffer", &[setup.context, USE_HOST, 8, text, 0]);
        host.call("clEnqueueFillBuffer", &[setup.queue, own, text, 1, 0, 8, 0, 0, 0]);
        assert_eq!(host.string(text), "abcdefgh");
        let mapped = host.call("clEnqueueMapBuffer", &[setup.queue, own, 1, 1, 2, 4, 0, 0, 0, 0]);
        assert_eq!((mapped, host.string(text).as_str()), (text + 2, "abaaaagh"));
    });
}

#[test]
fn launches_have_the_arguments_that_were_set() {
    let found = launches(|host| {
        let (setup, number) = (set_up(host), host.words(&[42]));
        let (a, k) = (buffer(host, setup, 64), kernel(host, setup, (KERNELS, "-cl-std=CL1.2"), "k"));
        let handle = host.words(&[a]);
        assert_eq!(host.call("clSetKernelArg", &[k, 0, 8, handle]), 0);
        assert_eq!(host.call("clSetKernelArg", &[k, 1, 4, number]), 0);
        assert_eq!(host.call("clSetKernelArg", &[k, 3, 256, 0]), 0);
        // A call takes the value at its time.
        host.memory.write_number(number, 43, 4).expect("it is there");
        let (offset, global, local) = (host.words(&[5, 0]), host.words(&[16, 6]), host.words(&[8, 2]));
        assert_eq!(host.call("clEnqueueNDRangeKernel", &[setup.queue, k, 2, offset, global, local, 0, 0, 0]), 0);
        assert_eq!(host.call("clEnqueueNDRangeKernel", &[setup.queue, k, 1, 0, global, 0, 0, 0, 0]), 0);
        assert_eq!(host.call("clEnqueueTask", &[setup.queue, k, 0, 0, 0]), 0);
        assert_eq!(host.call("clSetKernelArg", &[k, 3, 49 << 10, 0]), 0);
        assert_eq!(host.call("clEnqueueTask", &[setup.queue, k, 0, 0, 0]), of_int(-5));
        for (index, bytes, error) in [(1024, 4, -49), (0, 0, -51), (0, 5000, -51)] {
            assert_eq!(host.call("clSetKernelArg", &[k, index, bytes, number]), of_int(error));
        }
        assert_eq!(host.call("clReleaseKernel", &[k]), 0);
        assert_eq!(host.stop("clEnqueueTask", &[setup.queue, k, 0, 0, 0]), StopKind::Fault);
    });
    let sizes: Vec<_> = found.iter().map(|one| (one.num_groups, one.local_size, one.global_offset)).collect();
    let expected =
        [([2, 3, 1], [8, 2, 1], [5, 0, 0]), ([1, 1, 1], [16, 1, 1], [0, 0, 0]), ([1, 1, 1], [1, 1, 1], [0, 0, 0])];
    assert_eq!(sizes, expected);
    assert_eq!(found.iter().map(|one| one.dimensions).collect::<Vec<_>>(), [Some(2), Some(1), Some(1)]);
    let LaunchArguments::Set(set) = &found[0].arguments else { panic!("they were set") };
    let [Some(SetArgument::Bytes { buffer: Some(_), .. }), Some(number), None, Some(SetArgument::Memory(256))] =
        set.as_slice()
    else {
        panic!("{set:?}");
    };
    assert_eq!(*number, SetArgument::Bytes { bytes: 42u32.to_le_bytes().to_vec(), buffer: None });
}

#[test]
fn impossible_sizes_are_errors() {
    let found = launches(|host| {
        let setup = set_up(host);
        let (k, fixed) = (kernel(host, setup, (KERNELS, ""), "k"), kernel(host, setup, ("", ""), "fixed"));
        for (kernel, dimensions, global, local, error) in [
            (k, 0, &[64][..], &[64][..], -53),
            (k, 4, &[64], &[64], -53),
            (k, 1, &[0], &[64], -63),
            (k, 1, &[100], &[64], -54),
            (k, 1, &[64], &[0], -54),
            (k, 1, &[2048], &[2048], -55),
            (k, 2, &[64, 64], &[64, 64], -54),
            (fixed, 2, &[8, 8], &[8, 1], -54),
            (fixed, 2, &[8, 8], &[4, 2], 0),
        ] {
            let (global, local) = (host.words(global), host.words(local));
            let arguments = [setup.queue, kernel, dimensions, 0, global, local, 0, 0, 0];
            assert_eq!(host.call("clEnqueueNDRangeKernel", &arguments), of_int(error), "{dimensions} {error}");
        }
        let large = host.words(&[1 << 40]);
        let arguments = [setup.queue, k, 1, 0, large, 0, 0, 0, 0];
        assert_eq!(host.stop("clEnqueueNDRangeKernel", &arguments), StopKind::Limit);
        assert_eq!(host.call("clEnqueueNDRangeKernel", &[setup.queue, k, 1, 0, 0, 0, 0, 0, 0]), of_int(-63));
        // A program of version 2 may have a smaller last group.
        let second = kernel(host, setup, (KERNELS, "-cl-std=CL2.0"), "k");
        let (global, local) = (host.words(&[100]), host.words(&[64]));
        let arguments = [setup.queue, second, 1, 0, global, local, 0, 0, 0];
        assert_eq!(host.stop("clEnqueueNDRangeKernel", &arguments), StopKind::NotKnown);
        let without = host.words(&[8, 8]);
        assert_eq!(host.call("clEnqueueNDRangeKernel", &[setup.queue, fixed, 2, 0, without, 0, 0, 0, 0]), 0);
    });
    assert_eq!(found.iter().map(|one| one.num_groups).collect::<Vec<_>>(), [[2, 4, 1]; 2]);
}

#[test]
fn kernels_are_those_that_were_read() {
    let found = launches(|host| {
        let setup = set_up(host);
        let launch = |k: u64| [setup.queue, k, 0, 0, 0];
        // A text with changes, one of another file, and both files.
        let changed = kernel(host, setup, ("// generated", "-D N=4 -DFAST=1 -I."), "k");
        let other = kernel(host, setup, (OTHERS, "-DUNKNOWN"), "k");
        let both = kernel(host, setup, (&format!("#define A\n{OTHERS}{KERNELS}"), ""), "k");
        assert_eq!(host.call("clEnqueueTask", &launch(changed)), 0);
        assert_eq!(host.stop("clEnqueueTask", &launch(other)), StopKind::NotKnown);
        assert_eq!(host.call("clEnqueueTask", &launch(both)), 0);
        let (text, name) = (host.put(KERNELS), host.put("k"));
        let (texts, lengths, status) = (host.words(&[text, text]), host.words(&[10, 0]), host.room(4));
        let program = host.call("clCreateProgramWithSource", &[setup.context, 2, texts, lengths, status]);
        assert_eq!(host.call("clCreateKernel", &[program, name, status]), 0);
        assert_eq!(host.memory.read_number(status, 4), Ok(of_int(-45)));
        for options in ["-DN=5", "-D N", "-DFAST=0", "-cl-fast-relaxed-math -D OTHER"] {
            let options = host.put(options);
            assert_eq!(host.stop("clBuildProgram", &[program, 1, 0, options, 0, 0]), StopKind::Fault);
            assert_eq!(host.stop("clBuildProgram", &[program, 0, 0, options, 0, 0]), StopKind::NotKnown);
        }
        assert_eq!(host.stop("clBuildProgram", &[program, 0, 0, 0, 1, 0]), StopKind::NotKnown);
        assert_eq!(host.call("clBuildProgram", &[program, 0, 0, 0, 0, 0]), 0);
        let (log, size) = (host.room(8), host.room(8));
        assert_eq!(host.call("clGetProgramBuildInfo", &[program, setup.device, 0x1183, 8, log, size]), 0);
        assert_eq!((host.string(log).as_str(), host.number(size)), ("", 1));
        assert_ne!(host.call("clCreateKernel", &[program, name, status]), 0);
    });
    assert_eq!(found.iter().map(|launch| launch.symbol.as_str()).collect::<Vec<_>>(), ["k", "k"]);
}

#[test]
fn events_are_complete_and_have_times() {
    launches(|host| {
        let (setup, a) = (set_up(host), host.room(8));
        let buffer = buffer(host, setup, 8);
        let mut events = Vec::new();
        for _ in 0..2 {
            assert_eq!(host.call("clEnqueueWriteBuffer", &[setup.queue, buffer, 0, 0, 8, a, 0, 0, a]), 0);
            events.push(host.number(a));
        }
        let list = host.words(&events);
        assert_eq!(host.call("clWaitForEvents", &[2, list]), 0);
        assert_eq!(host.call("clEnqueueMarkerWithWaitList", &[setup.queue, 2, list, 0]), 0);
        assert_eq!(host.call("clEnqueueMarkerWithWaitList", &[setup.queue, 0, list, 0]), of_int(-57));
        let room = host.room(8);
        let mut times = Vec::new();
        for (event, query) in [(events[0], 0x1282), (events[0], 0x1283), (events[1], 0x1282), (events[1], 0x1283)] {
            assert_eq!(host.call("clGetEventProfilingInfo", &[event, query, 8, room, 0]), 0);
            times.push(host.number(room));
        }
        assert!(times[0] < times[1] && times[1] <= times[2] && times[2] < times[3], "{times:?}");
        assert_eq!(host.call("clGetEventInfo", &[events[0], 0x11D3, 8, room, 0]), 0);
        assert_eq!(host.memory.read_number(room, 4), Ok(0));
        assert_eq!(host.call("clReleaseEvent", &[events[0]]), 0);
        assert_eq!(host.stop("clWaitForEvents", &[2, list]), StopKind::Fault);
        let plain = host.call("clCreateCommandQueue", &[setup.context, setup.device, 0, 0]);
        assert_eq!(host.call("clEnqueueMarker", &[plain, room]), 0);
        let event = host.number(room);
        assert_eq!(host.call("clGetEventProfilingInfo", &[event, 0x1282, 8, room, 0]), of_int(-7));
    });
}

#[test]
fn a_buffer_that_is_mapped_for_writing_is_not_for_kernels() {
    launches(|host| {
        let setup = set_up(host);
        let (a, k) = (buffer(host, setup, 8), kernel(host, setup, (KERNELS, ""), "k"));
        let handle = host.words(&[a]);
        host.call("clSetKernelArg", &[k, 0, 8, handle]);
        let mapped = host.call("clEnqueueMapBuffer", &[setup.queue, a, 1, 2, 0, 8, 0, 0, 0, 0]);
        assert_eq!(host.stop("clEnqueueTask", &[setup.queue, k, 0, 0, 0]), StopKind::Fault);
        host.call("clEnqueueUnmapMemObject", &[setup.queue, a, mapped, 0, 0, 0]);
        assert_eq!(host.call("clEnqueueTask", &[setup.queue, k, 0, 0, 0]), 0);
    });
}

#[test]
fn sources_of_kernels_are_read_as_files() {
    launches(|host| {
        let (mode, room) = (host.put("rb"), host.room(256));
        let open = |host: &mut Host<'_>, path: &str| {
            let path = host.put(path);
            host.call("fopen", &[path, mode])
        };
        let file = open(host, "../elsewhere/k.cl");
        assert_eq!(host.call("fseek", &[file, 0, 2]), 0);
        let size = KERNELS.len() as u64;
        assert_eq!(host.call("ftell", &[file]), size);
        host.call("rewind", &[file]);
        assert_eq!(host.call("fread", &[room, 1, 255, file]), size);
        assert_eq!((host.string(room).as_str(), host.call("feof", &[file])), (KERNELS, 1));
        assert_eq!(host.call("fread", &[room, 1, 255, file]), 0);
        assert_eq!(host.call("fgetc", &[file]), of_int(-1));
        assert_eq!(host.call("fseek", &[file, (-3i64).cast_unsigned(), 1]), 0);
        assert_eq!(host.call("fgetc", &[file]), u64::from(b' '));
        assert_eq!(host.call("fseek", &[file, (-1i64).cast_unsigned(), 0]), of_int(-1));
        assert_eq!(host.call("fclose", &[file]), 0);
        assert_eq!(host.stop("fgetc", &[file]), StopKind::NotKnown);
        let other = open(host, "others.cl");
        assert_eq!(host.call("fgets", &[room, 5, other]), room);
        assert_eq!(host.string(room), OTHERS[..4]);
        assert_eq!(host.call("fgets", &[room, 255, other]), room);
        assert_eq!(host.string(room), OTHERS[4..]);
        assert_eq!((host.call("feof", &[other]), host.call("fgets", &[room, 255, other])), (0, 0));
        assert_eq!(host.call("feof", &[other]), 1);
        let short = host.room(4);
        host.call("rewind", &[other]);
        assert_eq!(host.stop("fread", &[short, 1, 5, other]), StopKind::Fault);
        let (path, write, unknown) = (host.put("k.cl"), host.put("w"), host.put("k.txt"));
        assert_eq!(host.stop("fopen", &[path, write]), StopKind::NotKnown);
        assert_eq!(host.stop("fopen", &[unknown, mode]), StopKind::NotKnown);
    });
}

#[test]
fn memory_of_the_device_has_no_address() {
    launches(|host| {
        let setup = set_up(host);
        let a = buffer(host, setup, 8);
        assert_eq!(host.stop("free", &[a]), StopKind::Fault);
        assert_eq!(host.stop("cudaFree", &[a]), StopKind::Fault);
        assert_eq!(host.memory.object_at(a).map(|(object, _)| host.memory.kind(object)), Some(Kind::Host));
        assert!(host.memory.read(a, 1).is_err());
    });
}

/// All functions of the API, and those that read files.
const NAMES: [&str; 66] = [
    "clBuildProgram",
    "clCompileProgram",
    "clCreateBuffer",
    "clCreateBufferWithProperties",
    "clCreateCommandQueue",
    "clCreateCommandQueueWithProperties",
    "clCreateContext",
    "clCreateContextFromType",
    "clCreateKernel",
    "clCreateProgramWithBinary",
    "clCreateProgramWithIL",
    "clCreateProgramWithSource",
    "clCreateSubBuffer",
    "clEnqueueBarrier",
    "clEnqueueBarrierWithWaitList",
    "clEnqueueCopyBuffer",
    "clEnqueueFillBuffer",
    "clEnqueueMapBuffer",
    "clEnqueueMarker",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueMigrateMemObjects",
    "clEnqueueNDRangeKernel",
    "clEnqueueReadBuffer",
    "clEnqueueTask",
    "clEnqueueUnmapMemObject",
    "clEnqueueWaitForEvents",
    "clEnqueueWriteBuffer",
    "clFinish",
    "clFlush",
    "clGetCommandQueueInfo",
    "clGetContextInfo",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clGetEventInfo",
    "clGetEventProfilingInfo",
    "clGetExtensionFunctionAddress",
    "clGetKernelInfo",
    "clGetKernelWorkGroupInfo",
    "clGetMemObjectInfo",
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetProgramBuildInfo",
    "clGetProgramInfo",
    "clLinkProgram",
    "clReleaseCommandQueue",
    "clReleaseContext",
    "clReleaseDevice",
    "clReleaseEvent",
    "clReleaseKernel",
    "clReleaseMemObject",
    "clReleaseProgram",
    "clRetainCommandQueue",
    "clRetainContext",
    "clRetainDevice",
    "clRetainEvent",
    "clRetainKernel",
    "clRetainMemObject",
    "clRetainProgram",
    "clSetKernelArg",
    "clWaitForEvents",
    "fopen",
    "fclose",
    "fread",
    "fgets",
    "fgetc",
    "fseek",
];

#[test]
fn arbitrary_calls_are_no_panic() {
    let mut state = 88_172_645_463_325_252u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 11).expect("64 bits") % bound
    };
    let mut succeeded = 0;
    for _ in 0..60 {
        launches(|host| {
            let setup = set_up(host);
            let (memory, k) = (buffer(host, setup, 256), kernel(host, setup, (KERNELS, ""), "k"));
            let mut words = vec![0, 1, 2, 3, 4, 8, 64, 128, 0x1220, u64::MAX, u64::MAX - 7, 1 << 40, 1 << 63];
            words.extend([setup.device, setup.context, setup.queue, memory, k]);
            words.extend([host.put("k"), host.put("r"), host.put("k.cl"), host.room(64), host.room(8)]);
            let filled: Vec<u8> = [memory, k, 64, 8].iter().flat_map(|word| word.to_le_bytes()).collect();
            let list = host.room(64);
            host.memory.write(list, &filled).expect("it is there");
            words.push(list);
            for _ in 0..2000 {
                let name = NAMES[below(NAMES.len())];
                let mut arguments: Vec<u64> = (0..10).map(|_| words[below(words.len())]).collect();
                if below(2) == 0 {
                    arguments[0] = [setup.queue, setup.context, memory, k][below(4)];
                }
                let routine = crate::library::routine(name).unwrap_or_else(|| panic!("{name} is not known"));
                if let Ok([result, _]) = routine.call(host, &arguments) {
                    succeeded += 1;
                    words.push(result);
                }
            }
        });
    }
    assert!(succeeded > 5000, "only {succeeded} succeeded");
}
