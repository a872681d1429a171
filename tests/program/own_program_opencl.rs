//! Runs of whole programs with a host of OpenCL: `run --program`, and verdicts that rest on such
//! runs.

use std::process::Output;

use crate::command::Folder;

/// The part that all hosts share: a program of `a.cl`, a buffer with contents, and a kernel.
const HOST: &str = r#"#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static cl_device_id device; static cl_context context; static cl_command_queue queue; static cl_program program;
static void set_up(const char *path, const char *options) {
    cl_int status;
    cl_platform_id platform;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    FILE *file = fopen(path, "r");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = (char *)malloc(size + 1);
    text[fread(text, 1, size, file)] = 0;
    fclose(file);
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &status);
    free(text);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) exit(1);
}
static cl_mem buffer(size_t bytes, void *contents) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0), bytes, contents, NULL);
}
static cl_kernel named(const char *name) { return clCreateKernel(program, name, NULL); }
static void set(cl_kernel k, int index, size_t bytes, const void *value) { clSetKernelArg(k, index, bytes, value); }
static cl_int launch(cl_kernel k, size_t global, size_t local) {
    return clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);
}
static int element(cl_mem memory, int index) {
    int value = 0;
    clEnqueueReadBuffer(queue, memory, CL_TRUE, index * sizeof(int), sizeof(int), &value, 0, NULL, NULL);
    return value;
}
int main(int argc, char **argv) {
    set_up("a.cl", "-cl-std=CL1.2");
"#;

/// A host with this body of `main`, which returns 0.
fn host(body: &str) -> String {
    format!("{HOST}{body}\nreturn 0;\n}}\n")
}

fn folder(kernels: &str, body: &str) -> Folder {
    Folder::new(&[("a.cl", kernels.as_bytes()), ("main.c", host(body).as_bytes())])
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

/// The output of a run, which has this exit status.
#[track_caller]
fn ran_in(folder: &Folder, status: i32, words: &[&str]) -> String {
    let output = folder.run(&[&["run", "a.cl", "--program", "--host", "main.c"], words].concat());
    let text = text(&output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    text
}

#[track_caller]
fn ran(status: i32, kernels: &str, body: &str) -> String {
    ran_in(&folder(kernels, body), status, &[])
}

/// Each thread adds to the place that a table names.
const SCATTER: &str = "__kernel void scatter(__global const int *to, __global float *out, int n) {\n  \
    int i = get_global_id(0);\n  if (i < n) out[to[i]] += 1.0f;\n}\n";

/// A host's body that fills the table.
fn scattering(fill: &str) -> String {
    format!(
        "int n = 256, *to = malloc(n * sizeof(int));\nfor (int i = 0; i < n; i++) to[i] = {fill};\n\
         cl_mem t = buffer(n * sizeof(int), to), o = buffer(n * sizeof(float), NULL);\n\
         cl_kernel k = named(\"scatter\");\n\
         set(k, 0, sizeof t, &t); set(k, 1, sizeof o, &o); set(k, 2, sizeof n, &n);\n\
         size_t global = n, local = 64;\n\
         clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);"
    )
}

const PERMUTATION: &str = "(i * 37 + 5) % n";
const PAIRS: &str = "i / 2";
const OUTSIDE: &str = "i + 1";

/// The line of the launch in these hosts.
fn line_of_launch(fill: &str) -> usize {
    let text = host(&scattering(fill));
    text.lines().position(|line| line.starts_with("clEnqueueNDRangeKernel")).expect("it is there") + 1
}

/// The report of `verify` on the only kernel.
fn verified(folder: &Folder, inputs: &[&str]) -> serde_json::Value {
    let output = folder.run(&[&["verify", "--format=json"], inputs].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["kernels"][0].clone()
}

#[test]
fn contents_that_the_host_computes_are_those_of_the_run() {
    let right = ran(0, SCATTER, &scattering(PERMUTATION));
    let launched = format!("ran scatter (a.cl:1), launched at main.c:{}", line_of_launch(PERMUTATION));
    assert!(right.contains(&launched) && right.contains("`main` returns 0"), "{right}");
    assert!(ran(1, SCATTER, &scattering(PAIRS)).contains("error[LS0101]"));
    let outside = ran(1, SCATTER, &scattering(OUTSIDE));
    assert!(outside.contains("out[256]") && outside.contains("outside of an array"), "{outside}");
}

/// The command in the report runs the program again, and shows the defect.
#[test]
fn a_defect_of_the_own_run_is_one_of_the_program() {
    for (fill, code) in [(PAIRS, "LS0101"), (OUTSIDE, "LS0107")] {
        let folder = folder(SCATTER, &scattering(fill));
        for inputs in [&["a.cl", "main.c"][..], &["a.cl", "--host=main.c"], &["."]] {
            let kernel = verified(&folder, inputs);
            assert_eq!(kernel["verdict"], "defect", "{fill}: {kernel}");
            let finding = &kernel["findings"][0];
            assert_eq!((&finding["code"], &finding["confirmed"]), (&code.into(), &true.into()), "{fill}: {kernel}");
            let command = finding["command"].as_str().expect("it has one");
            assert!(command.contains("--program --host="), "{command}");
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            let again = folder.run(&words);
            assert_eq!(again.status.code(), Some(1), "{command}: {}", text(&again));
            assert!(text(&again).contains(&format!("error[{code}]")), "{command}: {}", text(&again));
        }
    }
}

#[test]
fn a_run_without_the_defect_leaves_it_possible() {
    let kernel = verified(&folder(SCATTER, &scattering(PERMUTATION)), &["a.cl", "main.c"]);
    assert_eq!(kernel["verdict"], "unknown", "{kernel}");
    let because = kernel["findings"][0]["because"].to_string();
    assert!(because.contains("the program without options makes this launch"), "{because}");
}

#[test]
fn local_memory_has_the_size_that_the_host_gives() {
    let kernels = "__kernel void reverse(__global int *a, __local int *t) {\n  int i = get_local_id(0);\n  \
        t[i] = a[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[i] = t[63 - i];\n}\n";
    let body = |bytes: &str| {
        format!(
            "int in[64]; for (int i = 0; i < 64; i++) in[i] = i;\n\
             cl_mem a = buffer(sizeof in, in); cl_kernel k = named(\"reverse\");\n\
             set(k, 0, sizeof a, &a); set(k, 1, {bytes}, NULL);\nlaunch(k, 64, 64);\n\
             if (element(a, 3) != 60) return 9;"
        )
    };
    assert!(ran(0, kernels, &body("64 * sizeof(int)")).contains("`main` returns 0"));
    let small = ran(1, kernels, &body("32 * sizeof(int)"));
    assert!(small.contains("LS0107") && small.contains("t[32], which has 32 elements"), "{small}");
    let large = ran(0, kernels, &body("49 * 1024"));
    assert!(large.contains("no launch of a kernel") && large.contains("`main` returns 9"), "{large}");
}

#[test]
fn one_buffer_may_be_passed_twice_and_in_parts() {
    let kernels = "__kernel void shift(__global const int *in, __global int *out) {\n  int i = get_global_id(0);\n  \
        out[i] = in[i + 1];\n}\n";
    let body = |first: &str, second: &str| {
        format!(
            "cl_mem a = buffer(1024, NULL), b = buffer(1024, NULL);\n\
             cl_buffer_region lower = {{0, 512}}, upper = {{512, 512}}, end = {{512 + 128, 256}};\n\
             cl_mem low = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &lower, NULL);\n\
             cl_mem high = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &upper, NULL);\n\
             cl_mem last = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &end, NULL);\n\
             cl_kernel k = named(\"shift\");\n\
             set(k, 0, sizeof a, &{first}); set(k, 1, sizeof a, &{second});\nlaunch(k, 64, 64);\n\
             if (!low || !high || !last) return 9;"
        )
    };
    for (first, second) in [("a", "b"), ("low", "high"), ("high", "low"), ("b", "a"), ("low", "last")] {
        assert!(ran(0, kernels, &body(first, second)).contains("`main` returns 0"), "{first}, {second}");
    }
    for (first, second) in [("a", "a"), ("a", "low"), ("high", "high"), ("high", "last")] {
        assert!(ran(1, kernels, &body(first, second)).contains("LS0101"), "{first}, {second}");
    }
}

#[test]
fn sizes_and_offsets_are_those_of_the_launch() {
    let kernels = "__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void mark(__global int *a, int width) {\n  \
        if (get_work_dim() == 2)\n    \
        a[get_global_id(1) * width + get_global_id(0)] = get_local_size(0) * 100 + get_global_offset(0);\n}\n\
        __kernel void plain(__global int *a, int width) { a[get_global_id(0)] = get_local_size(0); }\n";
    let body = |name: &str, dimensions: u32, offset: &str, local: &str, checked: &str| {
        format!(
            "int width = 32; cl_mem a = buffer(32 * 16 * sizeof(int), NULL); cl_kernel k = named(\"{name}\");\n\
             set(k, 0, sizeof a, &a); set(k, 1, sizeof width, &width);\n\
             size_t offset[2] = {offset}, global[2] = {{24, 12}}, local[2] = {{8, 2}}, other[2] = {{16, 4}};\n\
             cl_int status = clEnqueueNDRangeKernel(queue, k, {dimensions}, offset, global, {local}, 0, NULL, NULL);\n\
             if (!({checked})) return 9;\n(void)local; (void)other;"
        )
    };
    let returns = |number: u32, body: &str| {
        let ran = ran(0, kernels, body);
        assert!(ran.contains(&format!("`main` returns {number}")), "{body}: {ran}");
    };
    let marked =
        "status == 0 && element(a, 4 * 32 + 8) == 808 && element(a, 4 * 32 + 7) == 0 && element(a, 3 * 32 + 8) == 0";
    returns(0, &body("mark", 2, "{8, 4}", "local", marked));
    returns(0, &body("mark", 2, "{8, 4}", "NULL", marked));
    returns(9, &body("mark", 2, "{8, 3}", "local", marked));
    returns(0, &body("mark", 2, "{8, 4}", "other", "status == CL_INVALID_WORK_GROUP_SIZE"));
    returns(0, &body("mark", 1, "{8, 4}", "NULL", "status == CL_INVALID_WORK_GROUP_SIZE"));
    returns(0, &body("plain", 1, "{0, 0}", "NULL", "status == 0 && element(a, 23) == 8 && element(a, 24) == 0"));
    returns(0, &body("plain", 1, "{0, 0}", "other", "status == CL_INVALID_WORK_GROUP_SIZE"));
    let outside = ran(1, kernels, &body("mark", 2, "{8, 5}", "local", "1"));
    assert!(outside.contains("LS0107"), "{outside}");
}

#[test]
fn arguments_have_all_types() {
    let kernels = "typedef struct { int a; float b; char c[3]; } record;\n\
        __kernel void all(__global int *out, record r, float3 v, uchar4 u, double d, short s, __constant int *c, \
        __global int *none) {\n  \
        out[0] = r.a + (int)r.b + r.c[2] + (int)v.z + u.w + (int)d + s + c[1] + (none == 0);\n}\n";
    let body = |last: &str| {
        format!(
            "struct {{ int a; float b; char c[3]; }} r = {{1, 2.5f, {{0, 0, 4}}}}; cl_float3 v = {{{{0, 0, 8.5f}}}};\n\
             cl_uchar4 u = {{{{0, 0, 0, 16}}}}; cl_double d = 32.5; cl_short s = 64; int c[2] = {{0, 128}};\n\
             cl_mem out = buffer(4, NULL), constant = buffer(sizeof c, c); cl_kernel k = named(\"all\");\n\
             set(k, 0, sizeof out, &out); set(k, 1, sizeof r, &r); set(k, 2, sizeof v, &v); set(k, 3, sizeof u, &u);\n\
             set(k, 4, sizeof d, &d); set(k, 5, sizeof s, &s); set(k, 6, sizeof constant, &constant);\n{last}\n\
             launch(k, 1, 1);\nif (element(out, 0) != 256) return element(out, 0);"
        )
    };
    assert!(ran(0, kernels, &body("set(k, 7, sizeof(cl_mem), NULL);")).contains("`main` returns 0"));
    assert!(ran(0, kernels, &body("set(k, 7, sizeof out, &out);")).contains("`main` returns 255"));
    for (last, said) in [
        ("", "before its argument 7 is set"),
        ("set(k, 7, sizeof out, &k);", "argument 7 of `all` to no buffer"),
        ("set(k, 7, 16, NULL);", "argument 7 of `all` to no buffer"),
        ("set(k, 7, 8, NULL); set(k, 8, 8, &out);", "argument 8 of `all`, which has 8"),
        ("set(k, 7, 8, NULL); set(k, 5, sizeof(int), &d);", "argument 5 of `all` with 4 bytes, and it has 2"),
        ("set(k, 7, 8, NULL); set(k, 4, 8, NULL);", "argument 4 of `all` to local memory"),
        ("set(k, 7, 8, NULL); clReleaseMemObject(constant);", "argument 6 of `all` to no buffer"),
    ] {
        let ran = ran(2, kernels, &body(last));
        assert!(ran.contains(said), "{last}: {ran}");
    }
}

#[test]
fn images_are_not_known() {
    let kernels = "__kernel void shrink(__read_only image2d_t in, __global int *out) {\n  \
        out[0] = read_imagei(in, CLK_ADDRESS_NONE, (int2)(0, 0)).x;\n}\n";
    let body = "cl_mem a = buffer(64, NULL); cl_kernel k = named(\"shrink\");\n\
        set(k, 0, sizeof a, &a); set(k, 1, sizeof a, &a);\nlaunch(k, 1, 1);";
    let ran = ran(2, kernels, body);
    assert!(ran.contains("sets argument 0 of `shrink` to an image"), "{ran}");
}

/// A host may have variables with the names of those in kernels.
#[test]
fn variables_of_kernels_are_not_those_of_the_host() {
    let kernels = "__constant int table[4] = {1, 2, 3, 4};\n__global int calls = 10;\n\
        __kernel void count(__global int *out) { out[0] = table[3] + calls++; }\n";
    let body = "static volatile int calls = 5; static volatile int table[4]; extern int elsewhere;\n\
        cl_mem out = buffer(4, NULL); cl_kernel k = named(\"count\"); set(k, 0, sizeof out, &out);\n\
        launch(k, 1, 1); if (element(out, 0) != 14) return 1;\n\
        launch(k, 1, 1); if (element(out, 0) != 15 || calls != 5 || table[3] != 0) return 2;";
    let with = |global: &str| {
        format!(
            "#include <stddef.h>\nint calls = 7;\nint table[4];\n{}",
            global.replace("static volatile int calls = 5; static volatile int table[4];", "")
        )
    };
    assert!(ran(0, kernels, body).contains("`main` returns 0"));
    let source = with(&host(body).replace("calls != 5", "calls != 7"));
    let folder = Folder::new(&[("a.cl", kernels.as_bytes()), ("main.c", source.as_bytes())]);
    assert!(ran_in(&folder, 0, &[]).contains("`main` returns 0"));
}

#[test]
fn commands_on_buffers_are_done() {
    let kernels = "__kernel void twice(__global int *a) { a[get_global_id(0)] *= 2; }\n";
    let body = |place: &str| {
        format!(
            "int in[64], pattern = 7; for (int i = 0; i < 64; i++) in[i] = i;\n\
             cl_mem a = buffer(sizeof in, in), b = buffer(sizeof in, NULL); cl_event event; cl_int status;\n\
             clEnqueueFillBuffer(queue, b, &pattern, sizeof pattern, 0, sizeof in, 0, NULL, NULL);\n\
             clEnqueueCopyBuffer(queue, a, b, 0, 32 * sizeof(int), 32 * sizeof(int), 0, NULL, &event);\n\
             clWaitForEvents(1, &event); clReleaseEvent(event);\n\
             int *p = clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE, 0, 16, 0, NULL, NULL, &status);\n\
             p[{place}] = 100;\nclEnqueueUnmapMemObject(queue, b, p, 0, NULL, NULL);\n\
             cl_kernel k = named(\"twice\"); set(k, 0, sizeof b, &b); launch(k, 64, 32); clFinish(queue);\n\
             if (element(b, 2) != 14 || element(b, 3) != 200 || element(b, 33) != 2 || element(a, 1) != 1) return 9;\n\
             size_t size; clGetMemObjectInfo(b, CL_MEM_SIZE, sizeof size, &size, NULL); if (size != 256) return 8;\n\
             clReleaseMemObject(a); clReleaseMemObject(b); clReleaseKernel(k); clReleaseProgram(program);\n\
             clReleaseCommandQueue(queue); clReleaseContext(context);"
        )
    };
    assert!(ran(0, kernels, &body("3")).contains("`main` returns 0"));
    assert!(ran(0, kernels, &body("1")).contains("`main` returns 9"));
    assert!(ran(2, kernels, &body("4")).contains("an object of the library of 16 bytes"));
}

#[test]
fn the_end_of_a_run_is_told() {
    let kernels = "__kernel void set(__global int *a) { a[get_global_id(0)] = 1; }\n";
    for (body, said) in [
        ("clSVMAlloc(context, 0, 64, 0);", "`clSVMAlloc`, which is not known"),
        ("clCreateImage(context, 0, NULL, NULL, NULL, NULL);", "`clCreateImage`"),
        ("size_t o[3]; clEnqueueReadBufferRect(queue, 0, 1, o, o, o, 0, 0, 0, 0, o, 0, NULL, NULL);", "BufferRect`"),
        ("clCreateUserEvent(context, NULL);", "`clCreateUserEvent`"),
        ("char r[9]; clGetDeviceInfo(device, 0x4242, 9, r, NULL);", "`clGetDeviceInfo` with query 0x4242"),
        ("fopen(\"b.cl\", \"r\");", "`fopen` for `b.cl`"),
        ("fopen(\"a.cl\", \"w\");", "`fopen` to write `a.cl`"),
        ("clFinish((cl_command_queue)context);", "in place of a command queue"),
        ("clReleaseContext(context); clCreateBuffer(context, 1, 4, NULL, NULL);", "in place of a context"),
        ("clFinish(NULL);", "null in place of a command queue"),
        ("clBuildProgram(program, 0, NULL, \"-DN=4\", NULL, NULL);", "give -DN=4"),
        ("launch(named(\"missing\"), 64, 64);", "launches `missing`, which cannot be read"),
        ("buffer(1ull << 29, NULL); buffer(1ull << 30, NULL); buffer(1ull << 30, NULL);", "memory"),
    ] {
        let ran = ran(2, kernels, body);
        assert!(ran.contains(said) && ran.contains("not run to its end (main.c:"), "{body}: {ran}");
    }
}

#[test]
fn macros_of_the_program_are_given() {
    let kernels = "__kernel void set(__global int *a) { a[get_global_id(0) % N] = get_global_id(0); }\n";
    let body = "clBuildProgram(program, 0, NULL, \"-DN=64 -D OTHER\", NULL, NULL);\n\
        cl_mem a = buffer(256, NULL); cl_kernel k = named(\"set\"); set(k, 0, sizeof a, &a); launch(k, 64, 64);";
    let folder = folder(kernels, body);
    ran_in(&folder, 0, &["-DN=64", "-DOTHER=1"]);
    assert!(ran_in(&folder, 2, &["-DN=32", "-DOTHER=1"]).contains("give -DN=64"));
    assert!(ran_in(&folder, 2, &["-DN=64"]).contains("give -DOTHER"));
}

/// A program that reads several files has the kernels of each.
#[test]
fn kernels_of_other_files_are_not_known() {
    let kernel = |name: &str| {
        format!("__kernel void {name}(__global int *a) {{ a[get_global_id(0) / 2] = get_global_id(0); }}\n")
    };
    let body = |order: &str| {
        format!(
            "cl_program own = program; set_up(\"b.cl\", NULL); cl_program other = program; cl_kernel k;\n\
             cl_mem a = buffer(256, NULL);\n\
             for (int i = 0; i < 2; i++) {{\n  program = i == {order} ? own : other;\n  k = named(\"k\");\n  \
             set(k, 0, sizeof a, &a);\n  launch(k, 64, 64);\n}}"
        )
    };
    let folder = |order: &str, other: &str| {
        let (kernel, other, host) = (kernel("k"), format!("// Another file.\n{}", kernel(other)), host(&body(order)));
        Folder::new(&[("a.cl", kernel.as_bytes()), ("b.cl", other.as_bytes()), ("main.c", host.as_bytes())])
    };
    let first = ran_in(&folder("0", "other"), 1, &[]);
    assert!(first.contains("LS0101") && first.contains("launches `k` of b.cl, which is another file"), "{first}");
    let second = ran_in(&folder("1", "other"), 2, &[]);
    assert!(!second.contains("LS0101") && second.contains("which is another file"), "{second}");
    // It is open which of two kernels with one name a host launches.
    let both = folder("0", "k");
    let output = both.run(&["verify", ".", "--format=json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert!(!report.to_string().contains("--program"), "{report}");
}

#[test]
fn hosts_in_cxx_are_run() {
    let source = "#include <CL/cl.h>\n#include <cstdio>\n#include <vector>\n#include <string>\n\
        int main() {\n  cl_device_id device; clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);\n  \
        cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);\n  \
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);\n  \
        std::string text;\n  std::FILE *file = std::fopen(\"kernels/a.cl\", \"r\");\n  \
        for (char line[100]; std::fgets(line, sizeof line, file);) text += line;\n  std::fclose(file);\n  \
        const char *source = text.c_str(); size_t length = text.size();\n  \
        cl_program program = clCreateProgramWithSource(context, 1, &source, &length, nullptr);\n  \
        clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr);\n  \
        std::vector<int> to(256);\n  for (size_t i = 0; i < to.size(); i++) to[i] = FILL;\n  \
        cl_mem t = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1024, to.data(), nullptr);\n  \
        cl_mem o = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 1024, nullptr, nullptr);\n  \
        cl_kernel k = clCreateKernel(program, \"scatter\", nullptr);\n  int n = 256;\n  size_t global = 256;\n  \
        clSetKernelArg(k, 0, sizeof t, &t); clSetKernelArg(k, 1, sizeof o, &o); clSetKernelArg(k, 2, sizeof n, &n);\n  \
        clEnqueueNDRangeKernel(queue, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);\n}\n";
    for (fill, status) in [("255 - i", 0), ("i & 127", 1)] {
        let source = source.replace("FILL", fill);
        let folder = Folder::new(&[("kernels/a.cl", SCATTER.as_bytes()), ("src/main.cpp", source.as_bytes())]);
        let output = folder.run(&["run", "kernels/a.cl", "--program", "--host", "src/main.cpp"]);
        assert_eq!(output.status.code(), Some(status), "{}", text(&output));
        assert!(text(&output).contains("launched at src/main.cpp:24"), "{}", text(&output));
    }
}

#[test]
fn a_host_without_a_main_is_no_program() {
    let source = host("").replace("int main(", "int other(");
    let folder = Folder::new(&[("a.cl", SCATTER.as_bytes()), ("main.c", source.as_bytes())]);
    assert!(ran_in(&folder, 3, &[]).contains("--host names the other files"));
    let output = folder.run(&["run", "a.cl", "--program"]);
    assert!(text(&output).contains("--host names the other files"), "{}", text(&output));
}
