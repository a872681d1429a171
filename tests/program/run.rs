//! `lockstep run`: the results of kernels, and their errors.

use std::fs;

use crate::command::{ADD, Folder, check};

/// Runs a kernel; the exit status must be this, and every part on stdout.
#[track_caller]
fn runs(source: (&str, &str), words: &[&str], status: i32, parts: &[&str]) -> Folder {
    let folder = Folder::new(&[(source.0, source.1.as_bytes())]);
    let output = folder.run(&[&["run", source.0], words].concat());
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "stdout:\n{stdout}\nstderr:\n{stderr}");
    for part in parts {
        assert!(stdout.contains(part), "`{part}` is missing in:\n{stdout}");
    }
    folder
}

/// Checks that a kernel is not run, and that stderr contains this.
#[track_caller]
fn refuses(source: (&str, &str), words: &[&str], part: &str) {
    let output = Folder::new(&[(source.0, source.1.as_bytes())]).run(&[&["run", source.0], words].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains(part), "`{part}` is missing in:\n{stderr}");
}

const SIZES: [&str; 2] = ["--local-size=8", "--num-groups=4"];

#[test]
fn numbers_are_added() {
    let words = [&SIZES[..], &["--arg", "a=iota:int*32", "--arg", "b=[10, 20, 30]"]].concat();
    let parts =
        ["ran add", "32 elements", ": 10, 21, 32, 3, 4,", "error: read of 4 bytes at byte 12 of b, outside of it"];
    runs(("a.cl", ADD), &words, 1, &parts[1..]);
    let words = [&SIZES[..], &["--arg", "a=iota:int*32", "--arg", "b=5"]].concat();
    runs(
        ("a.cl", ADD),
        &words,
        0,
        &[parts[0], ": 5, 6, 7, 8, 9, 10, 11, 12, …", "4 groups of 8 threads", "32 threads"],
    );
}

#[test]
fn runs_are_told_to_programs() {
    let source = format!("{ADD}__kernel void same(__global int *a) {{ a[0] = get_global_id(0); }}\n");
    let words = [&SIZES[..], &["--format=json", "--output=runs.json"]].concat();
    let folder = runs(("a.cl", &source), &words, 1, &[]);
    let text = fs::read_to_string(folder.path("runs.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["schema"], "lockstep-run/1");
    let [add, same] = report["kernels"].as_array().unwrap().as_slice() else { panic!("{text}") };
    assert_eq!((&add["name"], &add["outcome"]), (&"add".into(), &"ran".into()));
    assert_eq!((&add["events"], add.get("reason")), (&serde_json::json!([]), None));
    assert_eq!(add["statistics"]["threads"], 32);
    assert_eq!((&same["outcome"], &same["events"][0]["kind"]), (&"defect".into(), &"race".into()));
    let race = &same["events"][0];
    assert_eq!(race["message"], "write-write race on a at byte 0, within a group");
    assert_eq!((&race["array"], &race["offset_bytes"]), (&"a".into(), &0.into()));
    for (side, thread) in [(race, 1), (&race["other"], 0)] {
        assert_eq!((&side["file"], &side["line"], &side["access"]), (&"a.cl".into(), &5.into(), &"write".into()));
        assert_eq!(
            (&side["block"], &side["thread"]),
            (&serde_json::json!([0, 0, 0]), &serde_json::json!([thread, 0, 0]))
        );
    }
    // The same report in words, in a file.
    let folder = runs(("a.cl", &source), &[&SIZES[..], &["-o", "runs.txt"]].concat(), 1, &[]);
    let text = fs::read_to_string(folder.path("runs.txt")).unwrap();
    assert!(text.contains("ran add (a.cl:1)") && text.contains("defect same (a.cl:5)"), "{text}");
}

/// A fault in the launch of one kernel does not affect the others.
#[test]
fn kernels_that_can_be_run_are_run() {
    let source = "__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(__global int *a) { a[get_global_id(0)] = 4; }\n\
                  __kernel void any(__global int *a) { a[get_global_id(0)] = 5; }\n";
    let folder = runs(("a.cl", source), &SIZES, 3, &["ran any"]);
    check(&folder, &["run", "a.cl", SIZES[0], SIZES[1]], 3, &["error: kernel four"]);
}

#[test]
fn arguments_left_out_are_reported() {
    let told = ["a = zeros, of any size (chosen here)", "b = zeros, of any size (chosen here)"];
    runs(("a.cl", ADD), &SIZES, 0, &told);
}

/// A tree of sums in local memory: without the barrier inside the loop half of the group would come
/// too early.
const SUM: &str = "__kernel void sum(__global const int *in, __global int *out, __local int *part, int n) {\n  \
    int id = get_local_id(0), size = get_local_size(0);\n  part[id] = get_global_id(0) < n ? in[get_global_id(0)] : 0;\n  \
    for (int by = size / 2; by > 0; by /= 2) {\n    barrier(CLK_LOCAL_MEM_FENCE);\n    \
    if (id < by) part[id] += part[id + by];\n  }\n  if (id == 0) out[get_group_id(0)] = part[0];\n}\n";

#[test]
fn a_group_sums_up() {
    let words = [
        "--local-size=64",
        "--num-groups=2",
        "--arg",
        "in=iota:int*128",
        "--arg",
        "out=zeros:int*2",
        "--arg",
        "part=256",
    ];
    // 0 + … + 63, 64 + … + 127.
    runs(("a.cl", SUM), &words, 0, &["out: 2 elements", ": 2016, 6112\n", "n = 128 (chosen here)"]);
    // 0 + … + 63 and 64 + … + 99.
    let fewer = [&words[..], &["--arg", "n=100"]].concat();
    runs(("a.cl", SUM), &fewer, 0, &[": 2016, 2934\n"]);
}

#[test]
fn a_barrier_that_some_do_not_reach() {
    let source = "__kernel void k(__global int *a) {\n  if (get_local_id(0) < 4) barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
    runs(("a.cl", source), &SIZES, 1, &["defect k", "thread (4, 0, 0) has returned", "a.cl:2:28"]);
    let source = "__kernel void k(__global int *a) {\n  if (get_local_id(0) < 4) barrier(CLK_LOCAL_MEM_FENCE);\n  \
                  else barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
    runs(("a.cl", source), &SIZES, 1, &["thread (4, 0, 0) waits at a.cl:3:8", "a.cl:2:28"]);
}

#[test]
fn an_assertion_fails() {
    let source = "__kernel void k(__global int *a) { __assert(get_global_id(0) < 31); }\n";
    runs(("a.cl", source), &SIZES, 1, &["an assertion does not hold", "thread (7, 0, 0) of group (3, 0, 0)"]);
}

#[test]
fn atomics_count() {
    let source = "__kernel void k(__global int *count) { atomic_add(&count[get_global_id(0) % 3], 2); }\n";
    runs(("a.cl", source), &[&SIZES[..], &["--arg", "count=[0, 0, 100]"]].concat(), 0, &[": 22, 22, 120\n"]);
}

/// The memory behind a pointer in a struct is given by the field's name.
#[test]
fn memory_behind_a_field() {
    let source = "struct Row { int *cells; int length; };\n\
                  __global__ void k(Row in, Row out) {\n  int i = threadIdx.x;\n  \
                  if (i < in.length) out.cells[i] = 2 * in.cells[i];\n}\n";
    // A pointer has 8 bytes, so the length is the third number.
    let words = ["--block-dim=4", "--grid-dim=1", "--arg", "in=uint{2:3}", "--arg", "in.cells=[5, 6, 7, 8]"];
    runs(("a.cu", source), &words, 0, &["in.cells = [5, 6, 7, 8]", ": 10, 12, 14, 0, "]);
    // A number of the struct has its own name, too.
    let words = ["--block-dim=4", "--grid-dim=1", "--arg", "in.length=2", "--arg", "in.cells=[5, 6, 7, 8]"];
    runs(("a.cu", source), &words, 0, &["in.length = 2; in.cells = [5, 6, 7, 8]", ": 10, 12, 0, 0, "]);
    let unknown = ["--block-dim=4", "--grid-dim=1", "--arg", "in.size=3"];
    refuses(("a.cu", source), &unknown, "no parameter `in.size`; there are: in, out, in.length, in.cells, out.cells");
}

/// The set of active lanes is arbitrary: a lane may be told that it is alone.
#[test]
fn lanes_that_are_told_that_they_are_alone() {
    let source = "__global__ void k(unsigned *masks) { masks[threadIdx.x] = __activemask(); }\n";
    let words = ["--block-dim=4", "--grid-dim=1", "--arg", "masks=zeros:uint*4"];
    runs(("a.cu", source), &words, 0, &[": 15, 15, 15, 15\n"]);
    runs(("a.cu", source), &[&words[..], &["--lanes-apart"]].concat(), 0, &[": 1, 2, 4, 8\n"]);
    let in_step = [&words[..], &["--lanes-apart", "--warp-sync=32"]].concat();
    refuses(("a.cu", source), &in_step, "'--lanes-apart' cannot be used with '--warp-sync");
}

#[test]
fn lanes_exchange_what_they_have() {
    let source = "__global__ void k(int *out, unsigned *votes) {\n  int lane = threadIdx.x % 32, sum = threadIdx.x;\n  \
                  for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffff, sum, by);\n  \
                  if (lane == 0) out[threadIdx.x / 32] = sum;\n  \
                  votes[threadIdx.x / 32] = __ballot_sync(0xffffffff, lane % 8 == 1);\n  \
                  unsigned least = __reduce_min_sync(0xffffffff, threadIdx.x - 5) + __reduce_max_sync(0xffffffff, 7u);\n  \
                  int lowest = __reduce_min_sync(0xffffffff, (int)threadIdx.x - 5);\n  \
                  if (threadIdx.x == blockDim.x - 1) votes[2] = least, out[2] = lowest;\n}\n";
    // Sums of 0 … 31 and of 32 … 63. As unsigned numbers, the least of -5 … 26 is 0, and the least
    // of 27 … 58 is 27.
    let words = ["--block-dim=64", "--grid-dim=1", "--arg", "out=zeros:int*3", "--arg", "votes=zeros:uint*3"];
    let ballot = 0x0202_0202;
    runs(("a.cu", source), &words, 0, &[": 496, 1520, 27\n", &format!(": {ballot}, {ballot}, 34\n")]);
    let words = ["--block-dim=32", "--grid-dim=1", "--arg", "out=zeros:int*3", "--arg", "votes=zeros:uint*3"];
    runs(("a.cu", source), &words, 0, &[": 496, 0, -5\n", &format!(": {ballot}, 0, 7\n")]);
}

#[test]
fn groups_wait_for_each_other() {
    let source = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n\
                  __global__ void k(int *a, int *b) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  a[i] = i;\n  \
                  cg::this_grid().sync();\n  b[i] = a[gridDim.x * blockDim.x - 1 - i];\n}\n";
    let words = ["--block-dim=4", "--grid-dim=2", "--arg", "b=zeros:int*8"];
    runs(("a.cu", source), &words, 0, &["b: 8 elements", ": 7, 6, 5, 4, 3, 2, 1, 0\n"]);
}

#[test]
fn floats_are_rounded_as_on_a_device() {
    let source = "__kernel void k(__global float *out, float a, float b, float c) {\n  out[0] = a / b;\n  \
                  out[1] = fma(a, b, c);\n  out[2] = (float)16777217;\n  out[3] = (int)-2.5f;\n}\n";
    let words = [
        "--local-size=1",
        "--num-groups=1",
        "--arg",
        "out=zeros:float*4",
        "--arg",
        "a=1",
        "--arg",
        "b=3",
        "--arg",
        "c=0.5",
    ];
    runs(("a.cl", source), &words, 0, &[": 0.33333334, 3.5, 16777216, -2\n"]);
    let words =
        ["--local-size=1", "--num-groups=1", "--arg=out=zeros:float*4", "--arg=a=1.5f", "--arg=b=inf", "--arg=c=1"];
    runs(("a.cl", source), &words, 0, &[": 0, inf, 16777216, -2\n"]);
}

#[test]
fn sizes_and_arguments_of_the_sources_launch() {
    let source = "__global__ void k(int *out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  \
                  if (i < n) out[i] = n;\n}\nint main() {\n  int *p;\n  cudaMalloc(&p, 64);\n  k<<<2, 8>>>(p, 3);\n}\n";
    runs(("a.cu", source), &["--arg", "out=zeros:int*5"], 0, &["2 groups of 8 threads", ": 3, 3, 3, 0, 0\n"]);
}

#[test]
fn values_for_the_proof_are_values_for_the_run() {
    let source = "struct pair { int a, b; };\n\
                  __kernel void k(__global int *out, struct pair pair, int n) { out[0] = pair.a; out[1] = pair.b + n; }\n";
    let words =
        ["--local-size=1", "--num-groups=1", "--arg", "out=zeros:int*2", "--kernel-args", "k,0x0000000500000007,10"];
    runs(("a.cl", source), &words, 0, &["n = 10", ": 7, 15\n"]);
    let words = [&words[..], &["--arg", "n=20"]].concat();
    runs(("a.cl", source), &words, 0, &["n = 20", ": 7, 25\n", "1 group of 1 thread\n"]);
}

#[test]
fn arrays_are_read_and_saved() {
    let words = [&SIZES[..], &["--arg", "a=iota:int*3", "--arg", "b=1", "--save", "a=a.npy"]].concat();
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let words = [&["run", "a.cl", "--local-size=3", "--num-groups=1"], &words[2..]].concat();
    assert_eq!(folder.run(&words).status.code(), Some(0));
    let saved = fs::read(folder.path("a.npy")).unwrap();
    assert_eq!(&saved[..8], b"\x93NUMPY\x01\x00");
    assert_eq!(saved.len(), 128 + 12);
    assert_eq!(&saved[128..], [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    let again = ["run", "a.cl", "--local-size=3", "--num-groups=1", "--arg", "a=file:a.npy", "--arg", "b=10"];
    let output = folder.run(&again);
    assert!(String::from_utf8_lossy(&output.stdout).contains(": 11, 12, 13\n"), "{output:?}");
}

#[test]
fn operations_not_executed_are_named() {
    let source = "__kernel void k(__global int *a, read_only image2d_t image, sampler_t sampler) {\n  \
                  a[0] = read_imagei(image, sampler, (int2)(0, 0)).x;\n}\n";
    let told = ["unfinished k", "a read of an image with a sampler is not executed", "a.cl:2:10"];
    runs(("a.cl", source), &SIZES, 2, &told);
}

#[test]
fn bytes_that_overlap_are_moved() {
    let source = "__global__ void k(int *out, size_t n) { __builtin_memmove(out + 1, out, n); }\n";
    let words = ["--block-dim=1", "--grid-dim=1", "--arg", "out=iota:int*6", "--arg", "n=16"];
    runs(("a.cu", source), &words, 0, &[": 0, 0, 1, 2, 3, 5\n"]);
}

/// The copy takes more than a thread's turn.
#[test]
fn many_bytes_are_moved_at_once() {
    let source = "__global__ void k(char *out, const char *in, size_t n) { __builtin_memcpy(out, in, n); }\n";
    let words = ["--block-dim=1", "--grid-dim=1", "--arg=n=16777216", "--arg=in=3"];
    let out = "--arg=out=zeros:char*16777216";
    runs(("a.cu", source), &[&words[..], &[out]].concat(), 0, &["16777216 elements", ": 3, 3, 3, 3, 3, 3, 3, 3, …"]);
    // Both sides of a copy are reported.
    let words = ["--block-dim=1", "--grid-dim=1", "--arg=n=8", "--arg=in=zeros:char*2", "--arg=out=zeros:char*4"];
    let told = ["read of 8 bytes at byte 0 of in", "write of 8 bytes at byte 0 of out"];
    runs(("a.cu", source), &words, 1, &told);
}

#[test]
fn assertions_about_proofs_are_passed_over() {
    let source = "__kernel void k(__global int *a) { __assert(__enabled() && get_global_id(0) >= 0); }\n";
    runs(("a.cl", source), &SIZES, 0, &["ran k"]);
}

#[test]
fn pointers_of_32_bits() {
    let source = "__kernel void k(__global char *out, __global char *other) {\n  volatile size_t i = 3000000u;\n  \
                  __global char *q[1];\n  q[0] = out + i;\n  q[0][get_global_id(0)] = 1;\n  q[0] = other;\n  \
                  if (get_global_id(0) + 1 == get_global_size(0)) {\n    q[0][0] = 2;\n    \
                  out[0] = out[i + get_global_id(0)] + other[0] + (q[0] == other);\n  }\n}\n";
    runs(("a.cl", source), &[&SIZES[..], &["--pointer-bits=32"]].concat(), 0, &["digest"]);
    let words = ["--local-size=32", "--num-groups=1", "--pointer-bits=32", "--arg=other=zeros:char*1"];
    // The last thread has written the value that all read at the end.
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let output = folder.run(&[&["run", "a.cl"], &words[..], &["--save=out=out.raw"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let saved = fs::read(folder.path("out.raw")).unwrap();
    assert_eq!((saved[0], saved[3_000_000], saved[3_000_031]), (4, 1, 1));
}

#[test]
fn errors_after_a_made_up_value_are_no_defect() {
    let source = "__kernel void k(__global int *a, float x) { __assert(lgamma(x) == 1.0f); }\n";
    runs(("a.cl", source), &SIZES, 2, &["what lgamma returns is not known", "unfinished k"]);
}

#[test]
fn a_group_that_hangs_is_told_once() {
    let source = "__global__ void k(int *a) { if (threadIdx.x == 1) return; __syncthreads(); }\n";
    let folder = runs(("a.cu", source), &["--block-dim=4", "--grid-dim=3"], 1, &["thread (1, 0, 0) has returned"]);
    let output = folder.run(&["run", "a.cu", "--block-dim=4", "--grid-dim=3"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("waits for ever").count(), 1);
}

/// The barrier of a warp waits for lanes that reach one with the same mask, wherever it stands.
#[test]
fn a_warp_meets_at_different_barriers() {
    let source = "__global__ void k(int *out) {\n  __shared__ int half[2];\n  int upper = threadIdx.x >= 16;\n  \
                  if (upper) {\n    half[1] = 5;\n    __syncwarp();\n  } else {\n    half[0] = 7;\n    __syncwarp();\n  }\n  \
                  __syncthreads();\n  out[threadIdx.x] = half[!upper];\n}\n";
    runs(
        ("a.cu", source),
        &["--block-dim=32", "--grid-dim=1", "--arg=out=zeros:int*32"],
        0,
        &[": 5, 5, 5, 5, 5, 5, 5, 5, …"],
    );
    let other = source.replace("half[0] = 7;\n    __syncwarp();", "half[0] = 7;\n    __syncwarp(0xffff);");
    runs(("a.cu", &other), &["--block-dim=32", "--grid-dim=1"], 1, &["waits for ever"]);
}

#[test]
fn a_thread_that_spins_lets_others_come() {
    let source = "__kernel void k(__global volatile int *flag, __global int *out) {\n  \
                  if (get_local_id(0) == 0) while (atomic_or(flag, 0) == 0);\n  else atomic_xchg(flag, 1);\n  out[get_local_id(0)] = 3;\n}\n";
    let words = ["--local-size=2", "--num-groups=1", "--arg=flag=zeros:int*1", "--arg=out=zeros:int*2"];
    runs(("a.cl", source), &words, 0, &[": 3, 3\n"]);
}

/// A thread of the second group ends early because an assumption fails: nobody is reported as
/// waiting for it.
#[test]
fn a_group_that_cannot_go_on_is_not_waited_for() {
    let source = "#include <cooperative_groups.h>\n__global__ void k(int *a, int n) {\n  \
                  if (blockIdx.x == 1) __assume(n == 7);\n  cooperative_groups::this_grid().sync();\n}\n";
    runs(("a.cu", source), &["--block-dim=1", "--grid-dim=2", "--arg=n=1"], 2, &["what is assumed does not hold"]);
    let returns = source.replace("__assume(n == 7);", "return;");
    runs(
        ("a.cu", &returns),
        &["--block-dim=1", "--grid-dim=2"],
        1,
        &["waits for ever", "thread (0, 0, 0) has returned"],
    );
}

#[test]
fn launches_that_are_too_large() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let words = ["run", "a.cl", "--local-size=1", "--num-groups=[4194304,4194304,4194304]"];
    check(&folder, &words, 3, &["more than 68719476736 threads"]);
    let source = "__kernel void k(__global int *a) { volatile char many[5000000000UL]; many[0] = 1; }\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    check(&folder, &["run", "a.cl", "--local-size=2", "--num-groups=1"], 3, &["MiB", "choose a smaller launch"]);
    let folder = Folder::new(&[("a.cl", SUM.as_bytes())]);
    let words = ["run", "a.cl", "--local-size=2", "--num-groups=1", "--arg=part=18446744073709551615"];
    check(&folder, &words, 3, &["no size of local memory"]);
}

/// A sum of the contents of an array and a struct.
const STRUCT: &str = "typedef struct { unsigned n; float x; } pair;\n\
    __kernel void k(__global int *a, __global int *b, pair s) {\n  int i = get_global_id(0);\n  \
    b[i] = a[i] + (int)s.n * (s.x > 0 ? 2 : 1);\n}\n";

#[test]
fn single_elements_are_given() {
    let words = ["--local-size=4", "--num-groups=1", "--arg=b=zeros:int*4"];
    let with = |arguments: &[&'static str]| [&words[..], arguments].concat();
    // 1.5 is 0x3fc00000.
    runs(("a.cl", STRUCT), &with(&["--arg=a=int{0: 5, 3: 7}", "--arg=s=uint{0: 50}"]), 0, &[": 55, 50, 50, 57\n"]);
    let both = ["--arg=a=int{ 1 : -1 }", "--arg=s=uint{0: 50, 1: 0x3fc00000}"];
    runs(("a.cl", STRUCT), &with(&both), 0, &[": 100, 99, 100, 100\n"]);
    // A number given by its name counts more than the bytes.
    let named = ["--arg=a=int{ 1 : -1 }", "--arg=s=uint{0: 50, 1: 0x3fc00000}", "--arg=s.n=7"];
    runs(("a.cl", STRUCT), &with(&named), 0, &[": 14, 13, 14, 14\n"]);
    runs(
        ("a.cl", STRUCT),
        &with(&["--arg=a=int{}", "--arg=s.x=-1.5"]),
        0,
        &["s.n = 4 (chosen here)", ": 4, 4, 4, 4\n"],
    );
    runs(("a.cl", STRUCT), &with(&["--arg=a=among:int[3]", "--arg=s=uint{}"]), 0, &[": 3, 3, 3, 3\n"]);
    let drawn =
        runs(("a.cl", STRUCT), &with(&["--arg=a=among@7:int[20, 40]", "--arg=s=uint{}", "--save=b=b.npy"]), 0, &[]);
    let saved = fs::read(drawn.path("b.npy")).expect("it was saved");
    let elements: Vec<i32> =
        saved[saved.len() - 16..].chunks(4).map(|bytes| i32::from_le_bytes(bytes.try_into().expect("four"))).collect();
    assert!(elements.iter().all(|element| [20, 40].contains(element)), "{elements:?}");
}

#[test]
fn single_elements_that_are_wrong() {
    let folder = Folder::new(&[("a.cl", STRUCT.as_bytes())]);
    let wrong = |value: &str, part: &str| {
        let words = [&["run", "a.cl"][..], &SIZES, &["--arg", value]].concat();
        check(&folder, &words, 3, &[part]);
    };
    wrong("a=int{0 5}", "`0 5` is no element, such as 7: 9");
    wrong("a=int{x: 5}", "`x` is no index");
    wrong("a=int{0: y}", "`y` is no number of 32 bits");
    wrong("a=colour{1: 2}", "`colour` is no type");
    wrong("a=among:int", "name the values, as in among:int[0, 1, 4]");
    wrong("a=among:int[]", "`` is no number of 32 bits");
    wrong("a=among@x:int[1]", "`x` is no seed");
    wrong("s=uint{2: 5}", "element 2 is beyond its 8 bytes");
    wrong("s=5", "name the type of its elements");
}

#[test]
fn a_lane_that_the_mask_does_not_name() {
    let source = "__global__ void k(int *a) {\n  \
        if (threadIdx.x < 8) a[threadIdx.x] = __shfl_sync(0xffu >> MISSING, (int)threadIdx.x, 0);\n}\n";
    let words = ["--block-dim=32", "--grid-dim=1", "-DMISSING=0"];
    runs(("a.cu", source), &words, 0, &["ran k"]);
    let words = ["--block-dim=32", "--grid-dim=1", "-DMISSING=1"];
    let parts = ["defect k", "is not among the lanes that the mask names", "thread (7, 0, 0) of group (0, 0, 0)"];
    runs(("a.cu", source), &words, 1, &parts);
}

/// A lane that waits with one mask does not wait for a lane with another.
#[test]
fn lanes_whose_masks_differ() {
    let shuffle = |behind: &str| {
        format!(
            "__global__ void k(int *a) {{\n  unsigned lane = threadIdx.x;\n  \
             unsigned mask = lane < 16 ? 0xffffffff : 0xffff0000;\n  a[lane] = __shfl_xor_sync(mask, lane, 1);\n{behind}}}\n"
        )
    };
    let words = ["--block-dim=32", "--grid-dim=1"];
    let parts = ["waits for ever: thread (16, 0, 0) waits at a.cu:5:", "--> a.cu:4:"];
    runs(("a.cu", &shuffle("  __syncwarp();\n  a[lane]++;\n")), &words, 1, &parts);
    // Returned lanes are not waited for.
    runs(("a.cu", &shuffle("")), &words, 0, &[": 1, 0, 3, 2, 5, 4, 7, 6, …"]);
    let at_one_place = "__global__ void k(int *a) {\n  unsigned mask = threadIdx.x < 16 ? 0xffffffff : 0xfffffffe;\n  \
                        a[threadIdx.x] = __shfl_xor_sync(mask, threadIdx.x, 1);\n}\n";
    for threads in ["--block-dim=32", "--block-dim=64"] {
        let parts = ["waits for ever: thread (16, 0, 0) waits at a.cu:3:"];
        runs(("a.cu", at_one_place), &[threads, "--grid-dim=1"], 1, &parts);
    }
}

#[test]
fn a_trap_ends_the_launch() {
    let source = |behind: &str| {
        format!(
            "__global__ void k(volatile int *a, int n) {{\n  if (threadIdx.x == 0) {{\n    if (n > 3) __trap();\n    \
             a[1] = 1;\n  }}\n{behind}  a[2] = n;\n}}\n"
        )
    };
    let words = ["--block-dim=32", "--grid-dim=1", "--only-divergence", "--arg=a=zeros:int*3"];
    let behind = ["", "  __syncthreads();\n", "  __syncwarp();\n", "  while (threadIdx.x > 0 && a[1] == 0) {}\n"];
    for (behind, last) in behind.into_iter().zip([5, 0, 0, 0]) {
        let source = source(behind);
        let trapped = [&words[..], &["--arg=n=5"]].concat();
        let folder = runs(("a.cu", &source), &trapped, 1, &["a trap ends the launch", &format!(": 0, 0, {last}\n")]);
        let told = String::from_utf8(folder.run(&[&["run", "a.cu"], &trapped[..]].concat()).stdout).unwrap();
        assert_eq!(told.matches("error: ").count(), 1, "{told}");
        runs(("a.cu", &source), &[&words[..], &["--arg=n=3"]].concat(), 0, &[": 0, 1, 3\n"]);
    }
}

/// No thread passes the barrier of the launch without the trapping thread.
///
/// A possible trap between a fence and a store separates the two.
#[test]
fn races_beside_a_trap() {
    let grid = "#include <cooperative_groups.h>\n__global__ void k(int *a) {\n  if (blockIdx.x == 3) __trap();\n  \
                cooperative_groups::this_grid().sync();\n  a[threadIdx.x] = blockIdx.x;\n}\n";
    let trapped = "a trap ends the launch";
    let told = |folder: Folder, words: &[&str]| {
        let told = folder.run(&[&["run", "a.cu"], words].concat()).stdout;
        String::from_utf8(told).unwrap().matches("error: ").count()
    };
    let words = ["--block-dim=32", "--grid-dim=4", "--arg=a=zeros:int*32"];
    assert_eq!(told(runs(("a.cu", grid), &words, 1, &[trapped, ": 0, 0, 0,"]), &words), 1);
    let fence = "__global__ void k(int *data, int *flag, int n) {\n  if (threadIdx.x == 0) {\n    *data = 1;\n    __threadfence();\n    \
                 if (n > 1000) {\n      __threadfence();\n      __trap();\n    }\n    *flag = 1;\n  } else if (threadIdx.x == 1) {\n    \
                 int f = *flag;\n    __threadfence();\n    if (f) *data = 2;\n  }\n}\n";
    let parts = ["write-read race on flag", "write-write race on data"];
    runs(("a.cu", fence), &["--block-dim=32", "--grid-dim=1", "--arg=n=5"], 1, &parts);
}

#[test]
fn arguments_that_are_wrong() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let wrong = |words: &[&str], parts: &[&str]| check(&folder, &[&["run", "a.cl"], words].concat(), 3, parts);
    wrong(&[], &["a run needs sizes", "--local-size"]);
    let with = |value: &'static str| [&SIZES[..], &["--arg", value]].concat();
    wrong(&with("c=1"), &["no parameter `c`", "a, b"]);
    wrong(&with("a"), &["NAME=VALUE"]);
    wrong(&with("a=zeros:colour*3"), &["`colour` is no type"]);
    wrong(&with("a=zeros:int*many"), &["`many` is no number of elements"]);
    wrong(&with("a=[1, two]"), &["`two` is no number of 32 bits"]);
    wrong(&with("a=[4294967296]"), &["`4294967296` is no number of 32 bits"]);
    wrong(&with("a=file:nowhere"), &["cannot read nowhere"]);
    wrong(&[&SIZES[..], &["--arg=a=1", "--arg=a=2"]].concat(), &["`a` is given twice"]);
    wrong(&[&SIZES[..], &["--save=c=c.npy"]].concat(), &["no array `c`"]);
    wrong(&with("a=zeros:int*99999999999999"), &["are too many"]);
}

#[test]
fn a_run_that_takes_too_long_is_broken_off() {
    let source =
        "__kernel void k(__global volatile int *a) { for (int n = 0; a[0] == 0; n++) a[1 + get_global_id(0)] = n; }\n";
    runs(("a.cl", source), &[&SIZES[..], &["--timeout=1"]].concat(), 2, &["unfinished k"]);
    let words = [&SIZES[..], &["--timeout=1", "--format=json", "--output=run.json"]].concat();
    let folder = runs(("a.cl", source), &words, 2, &[]);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("run.json")).unwrap()).unwrap();
    let reason = report["kernels"][0]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("not finished in") && reason.ends_with("1 s (--timeout)"), "{reason}");
}

/// The schedules in which no thread waits for another without letting it continue.
const FAIR: [&str; 3] = ["--schedule=in-order", "--schedule=round-robin=3", "--schedule=random=2"];

/// A launch that never ends is detected long before the limit, or at it; one that ends after a
/// while does so.
#[test]
fn threads_that_wait_for_ever_in_loops() {
    let kernel = |body: &str| format!("__kernel void k(__global volatile int *a, __local int *l) {{\n{body}\n}}\n");
    let words = |schedule| [&SIZES[..], &["--arg=a=zeros:int*4", "--arg=l=64", "--timeout=1", schedule]].concat();
    let told = "error: waits for ever in a loop: no thread that runs still changes what it depends on\n  --> a.cl:2:";
    let one = "if (get_global_id(0) == 0) ";
    let bodies = [
        ("while (a[0] == 0);".to_owned(), 1),
        // The others change memory, and end.
        (format!("{one}while (a[0] == 0); else a[get_local_id(0) & 3] = 0;"), 1),
        (format!("{one}while (atomic_or(a, 0) == 0); else atomic_xchg(a, 1);"), 0),
        // The stored value is the one that is already there.
        ("do a[1] = 7; while (a[0] == 0);".to_owned(), 1),
        (format!("{one}for (int n = 0; a[0] == 0 && n < 9999; n++);"), 0),
        ("while (atomic_cmpxchg(a, 0, 1)); atomic_inc(a + 1); atomic_xchg(a, 0);".to_owned(), 0),
        ("while (atomic_cmpxchg(a, 0, 1)); atomic_inc(a + 1);".to_owned(), 1),
        // The others of the group wait for the one in the loop.
        (format!("{one}while (a[0] == 0); barrier(CLK_LOCAL_MEM_FENCE);"), 1),
    ];
    for (body, status) in &bodies {
        for schedule in FAIR {
            let source = kernel(body);
            let parts = if *status == 1 { vec!["defect k", told] } else { vec!["ran k"] };
            let words = [&words(schedule)[..], &["--only-divergence"]].concat();
            runs(("a.cl", &source), &words, *status, &parts);
        }
    }
}

/// Each of two threads has one lock, and waits for the other's: the outcome depends on the
/// schedule.
#[test]
fn locks_that_are_taken_in_two_orders() {
    let source = "__kernel void k(__global int *lock) {\n  int first = get_group_id(0), second = 1 - first;\n  \
                  while (atomic_cmpxchg(lock + first, 0, 1));\n  while (atomic_cmpxchg(lock + second, 0, 1));\n  \
                  atomic_xchg(lock + second, 0);\n  atomic_xchg(lock + first, 0);\n}\n";
    let words =
        |schedule| ["--local-size=1", "--num-groups=2", "--arg=lock=zeros:int*2", "--timeout=1", schedule].to_vec();
    runs(("a.cl", source), &words("--schedule=in-order"), 0, &["ran k"]);
    let told = "error: waits for ever in a loop: no thread that runs still changes what it depends on\n  --> a.cl:4:";
    runs(("a.cl", source), &words("--schedule=round-robin"), 1, &["defect k", told]);
}

/// In lock-step the lane that has the lock waits for those that want it.
#[test]
fn a_lock_within_a_warp() {
    let source = "__global__ void k(int *lock, int *count) {\n  while (atomicCAS(lock, 0, 1) != 0);\n  atomicAdd(count, 1);\n  \
                  __threadfence();\n  atomicExch(lock, 0);\n}\n";
    let words = ["--block-dim=32", "--grid-dim=1", "--arg=lock=zeros:int*1", "--arg=count=zeros:int*1", "--timeout=1"];
    runs(("a.cu", source), &words, 0, &["ran k", "count: 1 element", ": 32\n"]);
    // No device promises that the lanes in the loop come first.
    runs(("a.cu", source), &[&words[..], &["--warp-sync=32"]].concat(), 2, &["unfinished k"]);
}

/// The lanes of the first warp synchronise, and others wait for the next action of the first lane.
#[test]
fn a_warp_goes_on_while_another_one_waits_for_it() {
    let source = "__global__ void k(int *flag) {\n  if (threadIdx.x < 32) {\n    __syncwarp();\n    \
                  if (threadIdx.x == 0) atomicExch(flag, 1);\n  } else {\n    while (atomicAdd(flag, 0) == 0);\n  }\n}\n";
    for schedule in FAIR {
        let words = ["--block-dim=64", "--grid-dim=1", "--arg=flag=zeros:int*1", "--timeout=1", schedule];
        runs(("a.cu", source), &words, 0, &["ran k"]);
    }
}

/// Launches that end elsewhere, though no run here shows it: they are not reported as waiting for
/// ever.
#[test]
fn who_may_go_on_does_not_wait_for_ever() {
    let cuda = |body: &str| format!("__global__ void k(int *flag) {{\n  int t = threadIdx.x;\n  {body}\n}}\n");
    let spin = "while (atomicAdd(flag, 0) == 0);";
    let clock = cuda("long long t0 = clock64(); while (clock64() - t0 < 1000);");
    // No lane waits at a function without a mask.
    let unmasked = cuda(&format!("if (t == 0) {{ {spin} }} else if (__activemask() != 0) atomicExch(flag, 1);"));
    let opencl = "int ready(int);\n__kernel void k(__global int *flag) { while (ready(3) != 77); }\n".to_owned();
    let copy = "__kernel void k(__global int *flag, __global const int *in) {\n  __local int part[2];\n  \
                if (get_local_id(0) == 1) while (atomic_or(flag, 0) == 0);\n  \
                event_t e = async_work_group_copy(part, in, 2, 0);\n  \
                if (get_local_id(0) == 0) atomic_xchg(flag, 1);\n  wait_group_events(1, &e);\n}\n"
        .to_owned();
    for (name, source, threads) in
        [("a.cu", clock, "32"), ("a.cu", unmasked, "2"), ("a.cl", opencl, "2"), ("a.cl", copy, "2")]
    {
        let size = format!("--local-size={threads}");
        let words = [size.as_str(), "--num-groups=1", "--arg=flag=zeros:int*1", "--timeout=1"];
        let folder = runs((name, &source), &words, 2, &["unfinished k"]);
        let output = folder.run(&[&["run", name], &words[..]].concat());
        assert!(!String::from_utf8_lossy(&output.stdout).contains("for ever"), "{output:?}");
    }
    // Numbered barriers do not wait for lanes that have returned, whatever other warps do.
    let body = format!(
        "if (t < 31) {{ asm volatile(\"bar.sync 1, 32;\" ::: \"memory\"); if (t == 0) atomicExch(flag, 1); }} \
         else if (t > 31) {{ {spin} }}"
    );
    let words = ["--block-dim=64", "--grid-dim=1", "--arg=flag=zeros:int*1", "--timeout=1"];
    for schedule in FAIR {
        runs(("a.cu", &cuda(&body)), &[&words[..], &[schedule]].concat(), 0, &["ran k"]);
    }
}

/// Lanes have arrived at a numbered barrier and returned.
///
/// A lane that returns later releases no lane, which is reported.
#[test]
fn nobody_waits_at_a_barrier_that_is_complete() {
    let source = "__global__ void k(int *a) {\n  if (threadIdx.x < 31) asm volatile(\"bar.arrive 1, 32;\" ::: \"memory\");\n  \
                  else a[0] = 1;\n}\n";
    for schedule in FAIR {
        let told = ["error: nobody waits at barrier 1 for the threads that arrive there (32 of 32 threads have come)"];
        runs(("a.cu", source), &["--block-dim=32", "--grid-dim=1", schedule], 1, &told);
    }
}

/// Arrivals at a numbered barrier are for a thread that waits there before the group ends.
#[test]
fn arrivals_are_for_somebody_who_waits() {
    let bar = |what: &str| format!("asm volatile(\"{what};\" ::: \"memory\");");
    let kernel = |first: &str, second: &str| {
        format!(
            "__global__ void k(int *a) {{\n  if (threadIdx.x < 32) {{ {} }}\n  else {{ {} }}\n}}\n",
            bar(first),
            bar(second)
        )
    };
    let half = "error: nobody waits at barrier 1 for the threads that arrive there (32 of 64 threads have come)\n  --> a.cu:2:";
    let all =
        "error: nobody waits at barrier 1 for the threads that arrive there (64 of 64 threads have come)\n  --> a.cu:";
    let cases = [
        (kernel("bar.arrive 1, 64", "bar.sync 1, 64"), None),
        (kernel("bar.sync 1, 64", "bar.arrive 1, 64"), None),
        // One warp arrives, and the other one uses another barrier.
        (kernel("bar.arrive 1, 64", "bar.sync 2, 32"), Some(half)),
        // Both arrive: the barrier is complete, and nobody has waited.
        (kernel("bar.arrive 1, 64", "bar.arrive 1, 64"), Some(all)),
        // The second round has begun and has not ended.
        (
            kernel("bar.arrive 1, 64; bar.arrive 1, 64", "bar.sync 1, 64"),
            Some("nobody waits at barrier 1 for the threads that arrive there ("),
        ),
        // A warp has arrived as a whole when its other lanes have returned.
        (
            "__global__ void k(int *a) {\n  if (threadIdx.x < 16) asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\");\n  \
             else a[threadIdx.x] = 1;\n}\n"
                .to_owned(),
            Some(half),
        ),
    ];
    for (source, told) in &cases {
        for schedule in FAIR {
            let words = ["--block-dim=64", "--grid-dim=1", schedule];
            match told {
                Some(told) => runs(("a.cu", source), &words, 1, &[told]),
                None => runs(("a.cu", source), &words, 0, &["ran k"]),
            };
        }
    }
}

/// The run takes the value of a function without a body to be zero, and its reports may depend on
/// that.
#[test]
fn reports_after_an_unknown_value_are_unfinished() {
    let source = "int slot(int);\n__kernel void k(__global int *a) { a[slot(get_local_id(0))] = get_local_id(0); }\n";
    let words = ["--local-size=2", "--num-groups=1"];
    let told =
        ["unfinished k", "note: what this returns is not known: it is taken to be zero\n  --> a.cl:2:", "race on a"];
    let folder = runs(("a.cl", source), &words, 2, &told);
    let output = folder.run(&[&["verify", "a.cl"], &words[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(2) && text.contains("possible") && !text.contains("confirmed: "), "{text}");
}

/// Returned threads count as having arrived at a barrier, if requested.
#[test]
fn returned_threads_arrive_if_asked() {
    let source =
        "__kernel void k(__local int *l) {\n  if (get_local_id(0) == 1) return;\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
    let words = ["--local-size=2", "--num-groups=1", "--arg=l=64"];
    runs(("a.cl", source), &words, 1, &["waits for ever: thread (1, 0, 0) has returned"]);
    runs(("a.cl", source), &[&words[..], &["--exited-threads=arrive"]].concat(), 0, &["ran k"]);
}

/// Waiting for a thread that could not continue is not reported as waiting for ever.
#[test]
fn who_waits_for_a_thread_that_stands() {
    let source = "__global__ void k(int *flag, int n) {\n  if (blockIdx.x == 0) { __assume(n == 7); atomicExch(flag, 1); }\n  \
                  else while (atomicAdd(flag, 0) == 0);\n}\n";
    let words = ["--block-dim=1", "--grid-dim=2", "--arg=flag=zeros:int*1", "--timeout=1"];
    runs(("a.cu", source), &[&words[..], &["--arg=n=7"]].concat(), 0, &["ran k"]);
    let output = runs(("a.cu", source), &[&words[..], &["--arg=n=1"]].concat(), 2, &["what is assumed does not hold"])
        .run(&[&["run", "a.cu"], &words[..], &["--arg=n=1"]].concat());
    assert!(!String::from_utf8_lossy(&output.stdout).contains("for ever"), "{output:?}");
}

/// Two threads of a group, and two groups: each race is reported with both accesses, whichever came
/// first.
#[test]
fn races_are_found() {
    let source = "__kernel void k(__global int *a, __local int *l) {\n  l[get_local_id(0) / 2] = get_local_id(0);\n  \
                  a[get_local_id(0)] = get_group_id(0);\n}\n";
    let words = [&SIZES[..], &["--arg=l=64"]].concat();
    let parts = [
        "error: write-write race on l at byte 0, within a group",
        "= thread (0, 0, 0) of group (0, 0, 0) writes it at a.cl:2:26",
        "error: write-write race on a at byte 0, between groups",
        "= thread (0, 0, 0) of group (1, 0, 0)",
    ];
    runs(("a.cl", source), &words, 1, &parts);
    for schedule in ["--schedule=round-robin", "--schedule=round-robin=3", "--schedule=random", "--schedule=random=5"] {
        runs(("a.cl", source), &[&words[..], &[schedule]].concat(), 1, &["race on l at byte", "race on a at byte"]);
    }
    // Only the requested races are searched for.
    let within = runs(("a.cl", source), &[&words[..], &["--only-intra-group"]].concat(), 1, &["race on l"]);
    let output = within.run(&[&["run", "a.cl", "--only-intra-group"], &words[..]].concat());
    assert!(!String::from_utf8_lossy(&output.stdout).contains("race on a"));
    runs(("a.cl", source), &[&words[..], &["--only-divergence"]].concat(), 0, &["races not looked for"]);
}

/// All write the same value.
#[test]
fn writes_of_the_same_value_are_tolerated_unless_asked() {
    let source = "__kernel void k(__global int *a) { a[0] = 7; }\n";
    runs(("a.cl", source), &SIZES, 0, &["ran k"]);
    runs(("a.cl", source), &[&SIZES[..], &["--no-benign-tolerance"]].concat(), 1, &["write-write race on a at byte 0"]);
}

/// The first group waits for a write of the second one.
#[test]
fn a_group_may_wait_for_a_later_one() {
    let source = "__global__ void k(int *data, int *flag, int *out) {\n  if (threadIdx.x > 0) return;\n  \
                  if (blockIdx.x == 0) {\n    while (atomicAdd(flag, 0) == 0);\n    __threadfence();\n    out[0] = data[0];\n  \
                  } else {\n    data[0] = 42;\n    __threadfence();\n    atomicExch(flag, 1);\n  }\n}\n";
    let words = ["--block-dim=8", "--grid-dim=2", "--arg=out=zeros:int*1"];
    for schedule in ["in-order", "round-robin", "random=2"] {
        runs(("a.cu", source), &[&words[..], &["--schedule", schedule]].concat(), 0, &["out: 1 elements", ": 42\n"]);
    }
    let unfenced = source.replace("    data[0] = 42;\n    __threadfence();\n", "    data[0] = 42;\n");
    runs(("a.cu", &unfenced), &words, 1, &["write-read race on data", "between groups"]);
}

/// Lanes read the values that others of the warp have written in the step before.
///
/// The two paths of a branch are not ordered.
#[test]
fn warps_in_lock_step() {
    let shift = "__global__ void k(int *a) {\n  int i = threadIdx.x;\n  a[i] = i;\n  int left = a[(i + 31) % 32];\n  a[i] = left;\n}\n";
    let words = ["--block-dim=32", "--grid-dim=1", "--arg=a=zeros:int*32"];
    runs(("a.cu", shift), &words, 1, &["write-read race on a"]);
    runs(("a.cu", shift), &[&words[..], &["--warp-sync=32"]].concat(), 0, &[": 31, 0, 1, 2, 3, 4, 5, 6, …"]);
    let branch = "__global__ void k(int *a) {\n  if (threadIdx.x % 2) a[0] = 1;\n  else a[0] = 2;\n}\n";
    runs(("a.cu", branch), &[&words[..], &["--warp-sync=32"]].concat(), 1, &["write-write race on a at byte 0"]);
}

#[test]
fn schedules_are_read() {
    for (schedule, what) in [
        ("round-robin=0", "a turn has at least one step"),
        ("random=x", "`x` is no number"),
        ("in-order=3", "a schedule is in-order, round-robin"),
        ("backwards", "a schedule is in-order, round-robin"),
    ] {
        let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
        let output = folder.run(&["run", "a.cl", "--schedule", schedule]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(3) && stderr.contains(what), "{schedule}: {stderr}");
    }
}

/// The launch is long enough for several workers to share it.
#[test]
fn it_does_not_matter_how_many_workers_there_are() {
    let source = "__kernel void k(__global int *a, __global int *b) {\n  int i = get_global_id(0), g = get_group_id(0);\n  \
                  a[i] = 3 * b[i] + b[0];\n  b[200000 + g] = get_local_id(0);\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let told = |jobs: &str| {
        let sizes = ["--local-size=64", "--num-groups=2048", "--arg", "b=iota:int*202000"];
        let output = folder.run(&[&["run", "a.cl", "-j", jobs], &sizes[..]].concat());
        let text = String::from_utf8(output.stdout).expect("a text");
        let (before, seconds) = text.rsplit_once(" steps, ").expect("what it cost");
        let (_, after) = seconds.rsplit_once(" million a second").expect("how fast");
        format!("{before} {after}")
    };
    let one = told("1");
    // The last of 2048 groups leave the array, and each of them has a race.
    for part in ["write-write race on b at byte 800000, within a group", "byte 808000 of b, outside", "131072 threads"]
    {
        assert!(one.contains(part), "`{part}` is missing in:\n{one}");
    }
    for jobs in ["2", "3", "0"] {
        assert_eq!(told(jobs), one, "-j {jobs}");
    }
}

/// The language determines whether an undefined quotient is an error.
#[test]
fn undefined_arithmetic_is_told() {
    let source = |kernel: &str| {
        format!("{kernel} void k({} int *out, int n, int d) {{\n  out[0] = n + 1;\n  out[1] = n / d;\n}}\n", {
            if kernel == "__kernel" { "__global" } else { "" }
        })
    };
    let (cuda, opencl) = (source("__global__"), source("__kernel"));
    let alone = ["--local-size=1", "--num-groups=1", "--arg=out=zeros:int*2"];
    let words = |numbers: [&'static str; 2]| [&alone[..], &numbers].concat();
    let overflow = ["defect k", "error: signed overflow: 2147483647 + 1 does not fit in 32 bits", ": -2147483648, "];
    for (name, source) in [("a.cu", &cuda), ("a.cl", &opencl)] {
        runs((name, source), &words(["--arg=n=2147483646", "--arg=d=1"]), 0, &["ran k", ": 2147483647, 2147483646\n"]);
        runs((name, source), &words(["--arg=n=2147483647", "--arg=d=3"]), 1, &overflow);
    }
    let by_zero = words(["--arg=n=7", "--arg=d=0"]);
    runs(("a.cu", &cuda), &by_zero, 1, &["error: division by zero: 7 / 0\n  --> a.cu:3:"]);
    runs(("a.cl", &opencl), &by_zero, 0, &["note: division by zero: 7 / 0, for which the language takes any value"]);
    let too_large = words(["--arg=n=-2147483648", "--arg=d=-1"]);
    runs(("a.cu", &cuda), &too_large, 1, &["error: signed overflow: -2147483648 / -1 does not fit in 32 bits"]);
}

/// OpenCL C takes shift distances modulo the width, C++ does not.
#[test]
fn distances_of_the_width_or_more() {
    let alone = ["--local-size=1", "--num-groups=1", "--arg=out=zeros:uint*1", "--arg=n=33"];
    let source = "__kernel void k(__global uint *out, uint n) { out[0] = 1u << n; }\n";
    runs(("a.cl", source), &alone, 0, &["ran k", ": 2\n"]);
    let source = "__global__ void k(unsigned *out, unsigned n) { out[0] = 1u << n; }\n";
    runs(("a.cu", source), &alone, 1, &["error: shift by the width or more: 1 << 33 in 32 bits"]);
}

/// Arithmetic of unsigned numbers is defined, and so is `mul24` of small numbers whose product is
/// large.
#[test]
fn arithmetic_that_wraps_by_the_rules() {
    let source = "__kernel void k(__global int *out, uint n, int m) {\n  out[0] = n + 1;\n  out[1] = mul24(m, m);\n  \
                  out[2] = mad24(m, m, m);\n}\n";
    let words = ["--local-size=1", "--num-groups=1", "--arg=out=zeros:int*3", "--arg=n=4294967295", "--arg=m=1048576"];
    runs(("a.cl", source), &words, 0, &["ran k", ": 0, 0, 1048576\n"]);
}

/// A group's copies: the operands that must agree between its threads, and the wait that must not
/// be forgotten.
#[test]
fn copies_that_a_group_starts() {
    let source = "__kernel void k(__global int *out, __global const int *in, int n, int stride) {\n  __local int part[8];\n  \
                  event_t e = async_work_group_copy(part, in, n > 0 ? 8 : get_local_id(0), 0);\n  \
                  if (n != 1) wait_group_events(1, &e);\n  \
                  e = async_work_group_strided_copy(out, part, 8, stride, 0);\n  wait_group_events(1, &e);\n}\n";
    let words = |n: &'static str, stride: &'static str| {
        [&["--local-size=8", "--num-groups=1", "--arg=in=iota:int*8", "--arg=out=zeros:int*24"][..], &[n, stride]]
            .concat()
    };
    runs(("a.cl", source), &words("--arg=n=2", "--arg=stride=3"), 0, &["ran k", ": 0, 0, 0, 1, 0, 0, 2, 0, …"]);
    let outside = "write of 4 bytes at byte 96 of out, outside of it";
    runs(("a.cl", source), &words("--arg=n=2", "--arg=stride=4"), 1, &[outside]);
    let differs = "does with the group what thread (0, 0, 0) does with other operands\n  --> a.cl:3:";
    runs(("a.cl", source), &words("--arg=n=0", "--arg=stride=1"), 1, &[differs]);
    let forgotten =
        ["nobody waits for this copy before the threads of the group return\n  --> a.cl:3:", "race on part"];
    runs(("a.cl", source), &words("--arg=n=1", "--arg=stride=1"), 1, &forgotten);
}

/// All threads of a group must reach a copy, and a wait for one.
#[test]
fn a_copy_that_some_do_not_start() {
    let source = "__kernel void k(__global const int *in) {\n  __local int part[8];\n  if (get_local_id(0) == 3) return;\n  \
                  event_t e = async_work_group_copy(part, in, 8, 0);\n  wait_group_events(1, &e);\n}\n";
    let told = ["defect k", "waits for ever: thread (3, 0, 0) has returned\n  --> a.cl:4:"];
    runs(("a.cl", source), &["--local-size=8", "--num-groups=1"], 1, &told);
}

/// Numbered barriers wait for as many threads as they name, by whole warps; returned lanes do not
/// count.
#[test]
fn barriers_with_numbers() {
    let source = "__global__ void k(int *out, int id, int count, int last) {\n  int t = threadIdx.x;\n  \
                  if (t < last) asm volatile(\"bar.sync %0, %1;\" :: \"r\"(id), \"r\"(count) : \"memory\");\n  \
                  atomicAdd(out, 1);\n}\n";
    let run = |numbers: [&str; 3], threads: &str, status: i32, part: &str| {
        let threads = format!("--block-dim={threads}");
        let [id, count, last] = ["id", "count", "last"].map(|name| format!("--arg={name}="));
        let numbers =
            [format!("{id}{}", numbers[0]), format!("{count}{}", numbers[1]), format!("{last}{}", numbers[2])];
        let mut words = vec!["--grid-dim=1", "--arg=out=zeros:int*1", threads.as_str()];
        words.extend(numbers.iter().map(String::as_str));
        runs(("a.cu", source), &words, status, &[part]);
    };
    run(["3", "64", "64"], "128", 0, ": 128\n");
    run(["3", "64", "128"], "128", 0, ": 128\n");
    // A warp of eight threads arrives as a whole all the same.
    run(["3", "64", "64"], "40", 0, ": 40\n");
    run(["3", "64", "32"], "64", 1, "waits for ever: thread (32, 0, 0) has returned\n  --> a.cu:3:");
    run(["3", "128", "64"], "64", 1, "waits for ever\n  --> a.cu:3:");
    // Half of a warp does not arrive.
    run(["3", "32", "16"], "32", 0, ": 32\n");
    run(["3", "40", "64"], "64", 1, "barrier 3 for 40 threads: numbers are below 16, threads whole warps of 32");
    run(["16", "64", "64"], "64", 1, "barrier 16 for 64 threads: numbers are below 16");
    run(["0", "64", "64"], "64", 0, ": 64\n");
}

/// Pixels by integer coordinates: an image's initial and final contents, its size, and the pixels
/// outside of it.
#[test]
fn images_by_coordinates() {
    let source = "__kernel void k(read_only image2d_t in, write_only image2d_t out, int x) {\n  \
                  int2 at = (int2)(get_global_id(0), get_global_id(1));\n  \
                  float4 pixel = read_imagef(in, (int2)(at.x + x, at.y));\n  \
                  int4 more = (int4)((int)pixel.x, (int)pixel.w, get_image_width(in), get_image_height(in));\n  \
                  write_imagei(out, at, more);\n}\n";
    let words = |x: &'static str| {
        let sizes = ["--local-size=[2,2]", "--num-groups=[1,1]", "--arg=in=iota:float*3x2", "--arg=out=zeros:int*2x2"];
        [&sizes[..], &[x]].concat()
    };
    // The pixel (1, 0) begins with the fourth float, (0, 1) with the twelfth.
    let told = ["ran k", "out: 16 elements", ": 0, 3, 3, 2, 4, 7, 3, 2, …"];
    runs(("a.cl", source), &words("--arg=x=0"), 0, &told);
    runs(("a.cl", source), &words("--arg=x=1"), 0, &["ran k", ": 4, 7, 3, 2, 8, 11, 3, 2, …"]);
    let outside = "error: read of pixel (3, 0) of in, which has 3x2\n  --> a.cl:3:";
    runs(("a.cl", source), &words("--arg=x=2"), 1, &[outside]);
    let outside = "error: read of pixel (-1, 0) of in, which has 3x2\n  --> a.cl:3:";
    runs(("a.cl", source), &words("--arg=x=-1"), 1, &[outside]);
    runs(
        ("a.cl", source),
        &["--local-size=2", "--num-groups=1", "--arg=x=0"],
        0,
        &["in = zeros*16384x16384 (chosen here)"],
    );
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    for (image, told) in [
        ("--arg=in=zeros:float", "an image is given with its sizes: such as zeros:float*64x64"),
        ("--arg=in=zeros:float*64", "an image is given with its sizes: such as zeros:float*64x64"),
        ("--arg=in=float[1, 2, 3, 4]*2x1", "16 bytes are not what 2x1 pixels of 16 bytes take"),
    ] {
        let output = folder.run(&["run", "a.cl", "--local-size=2", "--num-groups=1", image]);
        assert_eq!(output.status.code(), Some(3), "{image}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{image}: {output:?}");
    }
}

/// A random run is repeated by its turns, and a schedule can be written by hand.
#[test]
fn a_schedule_that_is_given() {
    let source = "__kernel void k(__global int *order, __global int *next) {\n  \
                  order[atomic_inc(next)] = get_global_id(0);\n}\n";
    let launch = ["--local-size=4", "--num-groups=2", "--arg=order=zeros:int*8", "--arg=next=zeros:int*1"];
    let words = |more: &[&'static str]| [&launch[..], more].concat();
    let folder = runs(("a.cl", source), &words(&["--schedule=random=3", "--save-schedule=turns"]), 0, &["ran k"]);
    let first = folder.run(&[&["run", "a.cl"], &words(&["--schedule=random=3"])[..]].concat());
    let again =
        folder.run(&[&["run", "a.cl"], &words(&["--schedule=file:turns", "--save-schedule=turns2"])[..]].concat());
    let order = |output: &std::process::Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().find(|line| line.trim_start().starts_with("order:")).map(str::to_owned)
    };
    assert!(order(&again).is_some_and(|order| !order.ends_with("0, 1, 2, 3, 4, 5, 6, 7")), "{again:?}");
    assert_eq!(order(&first), order(&again));
    let [saved, twice] = ["turns", "turns2"].map(|name| fs::read_to_string(folder.path(name)).expect("saved"));
    assert_eq!(saved, twice);

    fs::write(folder.path("mine"), "# the last one first\n1:3 1000\n0:2 1000 # then this one\n1:3 5\n")
        .expect("written");
    let mine = folder.run(&[&["run", "a.cl"], &words(&["--schedule=file:mine"])[..]].concat());
    assert!(order(&mine).is_some_and(|order| order.ends_with(": 7, 2, 0, 1, 3, 4, 5, 6")), "{mine:?}");
    assert!(String::from_utf8_lossy(&mine.stdout).contains("note: 1 turn of the schedule left out"), "{mine:?}");
    for (turns, told) in [("0:9 1\n", "bad:1: there is no such thread"), ("\n0:1\n", "bad:2: `0:1` is no turn")] {
        fs::write(folder.path("bad"), turns).expect("written");
        let output = folder.run(&[&["run", "a.cl"], &words(&["--schedule=file:bad"])[..]].concat());
        assert_eq!(output.status.code(), Some(3));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
}

#[test]
fn one_buffer_is_given_twice() {
    let copy = "__kernel void copy(__global int *to, __global const int *from) {\n  \
                to[get_global_id(0)] = from[get_global_id(0) + 1];\n}\n";
    let source = ("copy.cl", copy);
    let with = |from: &'static str| [&SIZES[..], &["--arg", "to=iota:int*64", "--arg", from]].concat();
    runs(source, &with("from=iota:int*64"), 0, &["ran copy", "from: 64 elements"]);
    runs(source, &with("from=@to"), 1, &["error: read-write race on to at byte", "from = @to"]);
    runs(source, &with("from=@to+124"), 0, &["ran copy", ": 32, 33, 34, 35,"]);
    runs(source, &with("from=@to+120"), 1, &["error: read-write race on to at byte 124"]);
    for (from, part) in [
        ("from=@other", "--arg from: `other` points to no buffer"),
        ("from=@from", "--arg from: `from` has no buffer of its own"),
        ("from=@to+far", "--arg from: `far` is not a number of bytes"),
    ] {
        refuses(source, &with(from), part);
    }
}

/// Blocks of one cluster may add at cluster scope; those of different clusters race.
#[test]
fn cluster_scope_claims_no_race_and_excludes_none() {
    let source = "__global__ void add(unsigned *count) {\n  \
                  asm volatile(\"red.relaxed.cluster.global.add.u32 [%0], 1;\" :: \"l\"(count) : \"memory\");\n}\n";
    let note =
        "note: this operation has the scope of a cluster, whose groups are not known; a race may have been missed";
    runs(("add.cu", source), &["--block-dim=2", "--grid-dim=2"], 2, &[note, "unfinished add"]);
    runs(("add.cu", source), &["--block-dim=2", "--grid-dim=1"], 0, &["ran add"]);
    let mixed = source.replace("}\n", "  *count = 0;\n}\n");
    runs(("add.cu", &mixed), &["--block-dim=2", "--grid-dim=2"], 1, &["write-atomic race on count", note]);
}

/// Two blocks, of which at most one should enter.
fn entry(fence: &str) -> String {
    format!(
        "#include <cuda/atomic>
using flag = cuda::atomic<int, cuda::thread_scope_device>;
__global__ void enter(flag *wants, int *data) {{
  wants[blockIdx.x].store(1, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(cuda::memory_order_{fence}, cuda::thread_scope_device);
  if (wants[1 - blockIdx.x].load(cuda::memory_order_relaxed) == 0) *data = blockIdx.x;
}}
"
    )
}

#[test]
fn reads_see_older_values_where_the_model_allows_it() {
    let sizes = ["--local-size=1", "--num-groups=2", "--arg=wants=zeros:int", "--arg=data=zeros:int"];
    let fails = |fence: &str, schedule: &str| {
        let folder = Folder::new(&[("a.cu", entry(fence).as_bytes())]);
        let seeds = 1..=20;
        let failing = seeds.filter(|seed| {
            let schedule = format!("--schedule={schedule}={seed}");
            let output = folder.run(&[&["run", "a.cu", &schedule], &sizes[..]].concat());
            assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
            output.status.code() == Some(1)
        });
        failing.count()
    };
    let both = fails("acq_rel", "stale");
    assert!((1..20).contains(&both), "{both}");
    assert_eq!((fails("acq_rel", "random"), fails("seq_cst", "stale")), (0, 0));
}

#[test]
fn older_values_need_the_order_of_accesses() {
    let folder = Folder::new(&[("a.cu", entry("acq_rel").as_bytes())]);
    for word in ["--only-divergence", "--save-schedule=turns", "--warp-sync=32"] {
        let output = folder.run(&["run", "a.cu", "--local-size=1", "--num-groups=2", "--schedule=stale", word]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("--schedule=stale"), "{word}: {output:?}");
    }
}
