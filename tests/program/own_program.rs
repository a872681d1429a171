//! Runs of whole programs: `run --program`, and the verdicts that rest on such runs.

use std::process::Output;

use crate::command::Folder;

/// Each thread adds to the place that a table names.
const SCATTER: &str = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n\
    __global__ void scatter(const int *to, float *out, int n) {\n  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[to[i]] += 1.0f;\n}\n";

/// A program that fills the table on the host.
fn scattering(fill: &str) -> String {
    format!(
        "{SCATTER}int main() {{\n  const int n = 256;\n  std::vector<int> to(n);\n  {fill}\n  int *t; float *o;\n  \
         cudaMalloc(&t, n * sizeof(int)); cudaMalloc(&o, n * sizeof(float));\n  \
         cudaMemcpy(t, to.data(), n * sizeof(int), cudaMemcpyHostToDevice);\n  \
         scatter<<<n / 64, 64>>>(t, o, n);\n  return 0;\n}}\n"
    )
}

const PERMUTATION: &str = "for (int i = 0; i < n; i++) to[i] = (i * 37 + 5) % n;";
const PAIRS: &str = "for (int i = 0; i < n; i++) to[i] = i / 2;";
const OUTSIDE: &str = "for (int i = 0; i < n; i++) to[i] = i + 1;";

fn run(source: &str, words: &[&str]) -> Output {
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    folder.run(&[&["run", "a.cu", "--program"], words].concat())
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

/// The output of a run, which has this exit status.
fn ran(status: i32, source: &str, words: &[&str]) -> String {
    let output = run(source, words);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    text
}

/// The report on the only kernel of a program.
fn verified(source: &str) -> serde_json::Value {
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--format=json", "--without=preconditions"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["kernels"][0].clone()
}

#[test]
fn contents_that_the_host_computes_are_those_of_the_run() {
    let right = ran(0, &scattering(PERMUTATION), &[]);
    assert!(
        right.contains("ran scatter (a.cu:5), launched at a.cu:16") && right.contains("`main` returns 0"),
        "{right}"
    );
    assert!(ran(1, &scattering(PAIRS), &[]).contains("error[LS0101]"));
    let outside = ran(1, &scattering(OUTSIDE), &[]);
    assert!(outside.contains("out[256]") && outside.contains("outside of an array"), "{outside}");
}

#[test]
fn a_defect_of_the_own_run_is_one_of_the_program() {
    for (fill, code) in [(PAIRS, "LS0101"), (OUTSIDE, "LS0107")] {
        let kernel = verified(&scattering(fill));
        assert_eq!(kernel["verdict"], "defect", "{fill}: {kernel}");
        let finding = &kernel["findings"][0];
        assert_eq!((&finding["code"], &finding["confirmed"]), (&code.into(), &true.into()), "{fill}: {kernel}");
        assert!(finding["command"].as_str().is_some_and(|command| command.ends_with("--program")), "{finding}");
    }
}

#[test]
fn a_run_without_the_defect_leaves_it_possible() {
    let kernel = verified(&scattering(PERMUTATION));
    assert_eq!(kernel["verdict"], "unknown", "{kernel}");
    let because = kernel["findings"][0]["because"].to_string();
    assert!(because.contains("the program without options makes this launch"), "{because}");
}

/// New memory has zeros in a run of the program, but any contents on a device.
#[test]
fn contents_that_the_program_leaves_open_excuse_nothing() {
    let program = |fill: &str| {
        format!(
            "#include <cuda_runtime.h>\n\
             __global__ void count(const int *flags, float *sum) {{\n  \
             if (flags[threadIdx.x] > 0) sum[0] += 1;\n}}\n\
             int main() {{\n  int *f; float *s;\n  \
             cudaMalloc(&f, 64 * sizeof(int)); cudaMalloc(&s, sizeof(float));\n  {fill}\n  \
             count<<<1, 64>>>(f, s);\n  return 0;\n}}\n"
        )
    };
    assert_eq!(verified(&program("cudaMemset(f, 0, 64 * sizeof(int));"))["verdict"], "unknown");
    // The sum decides nothing.
    for fill in ["", "cudaMemset(s, 0, sizeof(float));"] {
        let kernel = verified(&program(fill));
        assert_eq!(
            (&kernel["verdict"], &kernel["findings"][0]["confirmed"]),
            (&"defect".into(), &true.into()),
            "{kernel}"
        );
    }
}

#[test]
fn variables_of_the_device_have_what_the_host_writes() {
    let program = |table: &str| {
        format!(
            "__constant__ int shift[2];\n__device__ int base = 3;\n\
             __global__ void move(int *a) {{\n  int i = threadIdx.x;\n  \
             a[i * shift[0] + shift[1] + base - 3] = i;\n}}\n\
             int main() {{\n  int table[2] = {table};\n  int *a; cudaMalloc(&a, 200 * sizeof(int));\n  \
             cudaMemcpyToSymbol(shift, table, sizeof table);\n  move<<<1, 64>>>(a);\n  return 0;\n}}\n"
        )
    };
    ran(0, &program("{2, 5}"), &[]);
    assert!(ran(1, &program("{0, 5}"), &[]).contains("LS0101"));
    assert!(ran(1, &program("{3, 20}"), &[]).contains("a[200]"));
}

#[test]
fn variables_of_the_device_begin_with_their_initial_contents() {
    let program = |variables: &str| {
        format!(
            "{variables}\n__global__ void at(int *a) {{ a[place + table[1]] = threadIdx.x; }}\n\
             int main() {{\n  int *a; cudaMalloc(&a, 8 * sizeof(int));\n  at<<<1, 1>>>(a);\n  return 0;\n}}\n"
        )
    };
    ran(0, &program("__device__ int place = 3; __constant__ int table[2] = {9, 4};"), &[]);
    for variables in [
        "__device__ int place = 4; __constant__ int table[2] = {9, 4};",
        "__device__ int place = 3; __constant__ int table[2] = {9, 5};",
        "__device__ int place = -1; __constant__ int table[2];",
    ] {
        assert!(ran(1, &program(variables), &[]).contains("LS0107"), "{variables}");
    }
    let address =
        "__device__ int other; __device__ int *at_other = &other; __constant__ int table[2];\n#define place *at_other";
    assert!(ran(2, &program(address), &[]).contains("`at_other`, whose contents are not known"));
}

#[test]
fn one_buffer_may_be_passed_twice_and_in_parts() {
    let program = |arguments: &str| {
        format!(
            "__global__ void shift(const int *in, int *out) {{\n  int i = threadIdx.x;\n  out[i] = in[i + 1];\n}}\n\
             int main() {{\n  int *a, *b; cudaMalloc(&a, 80 * sizeof(int)); cudaMalloc(&b, 80 * sizeof(int));\n  \
             shift<<<1, 64>>>({arguments});\n  return 0;\n}}\n"
        )
    };
    ran(0, &program("a, b"), &[]);
    ran(0, &program("a + 15, b + 16"), &[]);
    assert!(ran(1, &program("a, a"), &[]).contains("LS0101"));
    // Reads are one element ahead of writes, and meet those of the next thread.
    assert!(ran(1, &program("a + 3, a + 3"), &[]).contains("LS0101"));
    ran(0, &program("a + 14, a + 15"), &[]);
    assert!(ran(1, &program("a + 16, b"), &[]).contains("[80]"));
}

#[test]
fn loops_of_the_host_follow_what_kernels_compute() {
    // The defect is in the round in which the distance is 8.
    let program = |place: &str| {
        format!(
            "__global__ void round(int *distance, int *a, int *more) {{\n  int i = threadIdx.x;\n  \
             if (*distance == 8) a[{place}] = i;\n  __syncthreads();\n  if (i == 0) {{ *distance *= 2; \
             *more = *distance < 32; }}\n}}\n\
             int main() {{\n  int *d, *a, *m, one = 1, more = 1, rounds = 0;\n  cudaMalloc(&d, 4); \
             cudaMalloc(&a, 256); cudaMalloc(&m, 4);\n  cudaMemcpy(d, &one, 4, cudaMemcpyHostToDevice);\n  \
             while (more) {{\n    round<<<1, 64>>>(d, a, m);\n    \
             cudaMemcpy(&more, m, 4, cudaMemcpyDeviceToHost);\n    rounds++;\n  }}\n  return rounds;\n}}\n"
        )
    };
    let right = ran(0, &program("i"), &[]);
    assert!(right.contains("5 launches to the end") && right.contains("`main` returns 5"), "{right}");
    assert!(ran(1, &program("i / 2"), &[]).contains("LS0101"));
}

#[test]
fn the_program_gets_the_given_words() {
    let source = "#include <cstdlib>\n__global__ void set(int *a, int n) {\n  int i = threadIdx.x;\n  \
        a[i % n] = i;\n}\nint main(int argc, char **argv) {\n  int n = argc > 1 ? atoi(argv[1]) : 64;\n  int *a; \
        cudaMalloc(&a, 256);\n  set<<<1, 64>>>(a, n);\n  return argc;\n}\n";
    assert!(ran(0, source, &[]).contains("`main` returns 1"));
    let other = ran(1, source, &["--program-arg", "32"]);
    assert!(other.contains("LS0101") && other.contains("`main` returns 2"), "{other}");
}

#[test]
fn other_places_of_the_program_are_not_searched_for_one_kernel() {
    let source = "__global__ void wrong(int *a) { a[0] = threadIdx.x; }\n\
        __global__ void right(int *a) { a[threadIdx.x] = 1; }\n\
        int main() {\n  int *a; cudaMalloc(&a, 256);\n  wrong<<<1, 64>>>(a);\n  right<<<1, 64>>>(a);\n}\n";
    ran(1, source, &[]);
    let one = ran(0, source, &["--kernel=right"]);
    assert!(one.contains("ran right") && !one.contains("wrong"), "{one}");
}

#[test]
fn the_end_of_a_run_is_told() {
    let program = |body: &str| {
        format!(
            "#include <cstdio>\n#include <cstdlib>\n#include <stdexcept>\n#include <string>\n\
             __global__ void set(int *a) {{ a[threadIdx.x] = 1; }}\nextern void elsewhere();\n\
             static int deep(int n) {{ return n ? deep(n + 1) + 1 : 0; }}\n\
             int main(int argc, char **argv) {{\n  int *a; cudaMalloc(&a, 256);\n  {body}\n  \
             set<<<1, 64>>>(a);\n  return 0;\n}}\n"
        )
    };
    for (body, said) in [
        ("elsewhere();", "elsewhere"),
        ("return fopen(\"x\", \"r\") != nullptr;", "fopen"),
        ("throw std::runtime_error(\"x\");", "exception"),
        ("a[0] = 1;", "device"),
        ("int *volatile p = nullptr; *p = 1;", "where nothing is"),
        ("int *volatile p = (int *)malloc(8); p[argc + 1] = 1;", "at offset 8 of an allocation of 8 bytes"),
        ("for (volatile int i = 0;;) i = 1;", "steps"),
        ("argc = deep(argc);", "calls functions in 100000 others"),
        ("malloc(1ull << 50);", "memory"),
        (
            "void *volatile to = &&two; int n = 3; goto *to; one: n = 5; two: if (n == 3) exit(n); to = &&one; goto *to;",
            "a constant of an unknown kind",
        ),
        ("exit(7);", "ends itself with 7"),
    ] {
        let output = run(&program(body), &["--timeout=2"]);
        let text = text(&output);
        let status = if body.starts_with("exit") { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(status), "{body}: {text}");
        assert!(text.contains(said), "{body}: {text}");
    }
}

#[test]
fn the_result_is_json_too() {
    let output = run(&scattering(PAIRS), &["--format=json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let launched = &report["program"]["launched"][0];
    assert_eq!((&launched["name"], &launched["at"]["line"]), (&"scatter".into(), &16.into()), "{report}");
    assert_eq!(launched["findings"][0]["code"], "LS0101", "{report}");
    assert_eq!(report["program"]["is_whole"], true, "{report}");
}

/// A program that launches a kernel twice, with two tables.
fn scattering_twice(first: &str, between: &str, second: &str) -> String {
    let source =
        scattering(first).replace("#include <cstdio>", "#include <cmath>\nvoid elsewhere();\n#include <cstdio>");
    let again = format!(
        "{between}  {second}\n  cudaMemcpy(t, to.data(), n * sizeof(int), cudaMemcpyHostToDevice);\n  \
         scatter<<<n / 64, 64>>>(t, o, n);\n  return 0;"
    );
    source.replace("return 0;", &again)
}

#[test]
fn each_launch_counts() {
    let kernel = verified(&scattering_twice(PERMUTATION, "", PAIRS));
    assert_eq!(kernel["verdict"], "defect", "{kernel}");
    let kernel = verified(&scattering_twice(PERMUTATION, "", PERMUTATION));
    assert_eq!(kernel["verdict"], "unknown", "{kernel}");
    // Nothing is known of the second launch.
    let kernel = verified(&scattering_twice(PERMUTATION, "elsewhere();\n", PAIRS));
    assert_eq!(kernel["verdict"], "defect", "{kernel}");
    assert!(!kernel["findings"].to_string().contains("without options"), "{kernel}");
}

#[test]
fn variables_of_one_name_are_told_apart_or_refused() {
    let source = "namespace A { __device__ int v = 1; } namespace B { __device__ int v = 2; }\n\
        __global__ void k(int *o) { o[threadIdx.x * (B::v - A::v)] = threadIdx.x; }\n\
        int main() { int *o; cudaMalloc(&o, 1024); k<<<1, 32>>>(o); return 0; }\n";
    assert!(ran(2, source, &[]).contains("several variables `v`"));
}

#[test]
fn classes_of_floats_are_not_guessed() {
    let source = "#include <cmath>\n__global__ void k(int *a, int s) { a[threadIdx.x * s] = threadIdx.x; }\n\
        int main() { volatile double x = 2.5; int *a; cudaMalloc(&a, 1024); \
        k<<<1, 64>>>(a, std::isnormal(x) ? 2 : 0); return 0; }\n";
    let output = run(source, &[]);
    assert_ne!(output.status.code(), Some(1), "{}", text(&output));
}

#[test]
fn pointers_in_memory_are_not_followed() {
    // Each row is one of the program's, and no thread accesses an element of another.
    let rows = "__global__ void each(float **rows, int n) { for (int r = 0; r < n; r++) rows[r][threadIdx.x] = r; }\n\
        int main() { float *h[4], **d; for (auto &p : h) cudaMalloc(&p, 256); cudaMalloc(&d, sizeof h); \
        cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); each<<<1, 64>>>(d, 4); return 0; }\n";
    assert!(ran(2, rows, &[]).contains("follows pointers in memory"));
    let stored = "__global__ void put(int **to, int *a) { to[threadIdx.x] = a + threadIdx.x; }\n\
        int main() { int **t, *a; cudaMalloc(&t, 512); cudaMalloc(&a, 256); put<<<1, 64>>>(t, a); return 0; }\n";
    assert!(ran(2, stored, &[]).contains("follows pointers in memory"));
    // A pointer in a struct that is passed is one of the launch.
    let passed = "struct S { int *a; int n; };\n__global__ void set(S s) { if (threadIdx.x < s.n) s.a[threadIdx.x] = 1; }\n\
        int main() { S s; s.n = 64; cudaMalloc(&s.a, 256); set<<<1, 64>>>(s); return 0; }\n";
    ran(0, passed, &[]);
}

/// A program that launches a kernel with this body through a table, in groups of 64.
fn through_a_table(body: &str, fill: &str) -> String {
    format!(
        "#include <cuda_runtime.h>\n#include <cstdlib>\n\
         __global__ void first(int *a, const int *b, int n) {{\n  __shared__ int tile[64];\n  \
         int t = threadIdx.x;\n  {body}\n}}\n\
         __global__ void second(int *a, const int *b, int n) {{ a[threadIdx.x] = n; }}\n\
         typedef void (*Kernel)(int *, const int *, int);\nstatic const Kernel table[] = {{first, second}};\n\
         int main(int argc, char **argv) {{\n  int n = argc > 1 ? atoi(argv[1]) : 8;\n  int *a, *b;\n  \
         cudaMalloc(&a, 256 * sizeof(int)); cudaMalloc(&b, 256 * sizeof(int));\n  {fill}\n  \
         for (Kernel kernel : table) kernel<<<4, 64>>>(a, b, n);\n  return 0;\n}}\n"
    )
}

/// The report on a kernel that is launched through a table.
fn through_an_address(body: &str, fill: &str, words: &[&str]) -> serde_json::Value {
    let folder = Folder::new(&[("a.cu", through_a_table(body, fill).as_bytes())]);
    let output = folder.run(&[&["verify", "a.cu", "--format=json", "--kernel=first"], words].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["kernels"][0].clone()
}

#[test]
fn groups_of_launches_through_an_address_are_those_of_the_run() {
    let fill = "cudaMemset(a, 0, 256 * sizeof(int)); cudaMemset(b, 0, 256 * sizeof(int));";
    // The places are a permutation in groups of 64, and not in groups of 63 or 128.
    let permuted = "a[blockIdx.x * blockDim.x + t * (blockDim.x / 21) % blockDim.x] = t;";
    let kernel = through_an_address(permuted, fill, &[]);
    assert_eq!(
        (&kernel["verdict"], &kernel["requires"][0]),
        (&"conditional".into(), &"blockDim.x == 64".into()),
        "{kernel}"
    );
    let because = kernel["findings"][0]["because"].to_string();
    assert!(because.contains("the host computes the size of groups"), "{kernel}");
    // The finding in groups of 64 is the first one, and those in others are only possible.
    let unsynchronised = "tile[t] = t; a[blockIdx.x * blockDim.x + t] = tile[63 - t];";
    let kernel = through_an_address(unsynchronised, fill, &[]);
    assert_eq!(kernel["verdict"], "defect", "{kernel}");
    let findings = kernel["findings"].as_array().expect("findings");
    assert_eq!((&findings[0]["code"], &findings[0]["confirmed"]), (&"LS0101".into(), &true.into()), "{kernel}");
    let others: Vec<_> = findings.iter().filter(|finding| finding["confirmed"] == false).collect();
    assert!(others.iter().any(|finding| finding["code"] == "LS0107"), "{kernel}");
    let because = others[0]["because"].to_string();
    assert!(because.contains("the host computes the size of groups"), "{because}");
}

/// Contents that the program leaves open excuse nothing, but the size of groups does.
#[test]
fn other_groups_than_those_of_the_run_leave_a_defect_possible() {
    let body = "if (b[t & 1] == 77 && t > 63) tile[t] = 1; a[blockIdx.x * blockDim.x + t] = t;";
    let kernel = through_an_address(body, "", &["--without=preconditions"]);
    let finding = &kernel["findings"][0];
    assert_eq!((&kernel["verdict"], &finding["code"]), (&"unknown".into(), &"LS0107".into()), "{kernel}");
    assert!(finding["because"].to_string().contains("launches groups of 64 threads"), "{kernel}");
}

/// The run does not have the defect, but it has its groups.
#[test]
fn a_defect_in_the_groups_of_the_run_needs_no_other_number_of_it() {
    let guarded = "a[blockIdx.x * 64 + t] = t; if (n * n % 7 == 2) { tile[t] = n; a[t] = tile[63 - t]; }";
    let kernel = through_an_address(guarded, "", &["--without=preconditions"]);
    assert_eq!(
        (&kernel["verdict"], &kernel["by_default"]["verdict"]),
        (&"defect".into(), &"verified".into()),
        "{kernel}"
    );
    let finding = &kernel["findings"][0];
    let command = finding["command"].as_str().unwrap_or_default();
    assert!(finding["confirmed"] == true && command.contains("--local-size=64"), "{kernel}");
}

#[test]
fn a_defect_of_the_run_leaves_those_of_other_contents_possible() {
    let program = scattering(OUTSIDE);
    let raced = program.replace("out[to[i]] += 1.0f;", "{ out[to[i]] += 1.0f; out[i] += 1.0f; }");
    let kernel = verified(&raced);
    assert_eq!(kernel["verdict"], "defect", "{kernel}");
    let findings = kernel["findings"].as_array().expect("findings");
    assert!(findings[0]["command"].as_str().is_some_and(|command| command.ends_with("--program")), "{kernel}");
    let others: Vec<_> = findings.iter().filter(|finding| finding["confirmed"] == false).collect();
    assert!(others.iter().any(|finding| finding["because"].to_string().contains("ends at another defect")), "{kernel}");
}

/// A launch that is repeated is not made again if nothing it reads has changed.
#[test]
fn repeated_launches_are_made_as_long_as_they_change_something() {
    let program = |kernel: &str, between: &str| {
        format!(
            "#include <cuda_runtime.h>\n__global__ void step(const int *from, int *to) {{\n  {kernel}\n}}\n\
             int main() {{\n  int *a, *b;\n  cudaMalloc(&a, 64 * sizeof(int)); cudaMalloc(&b, 64 * sizeof(int));\n  \
             cudaMemset(a, 0, 64 * sizeof(int)); cudaMemset(b, 0, 64 * sizeof(int));\n  \
             for (int i = 0; i < 40; i++) {{\n    step<<<1, 32>>>(a, b);\n    {between}\n  }}\n  return 0;\n}}\n"
        )
    };
    let steps = |text: &str| -> u64 {
        let line = text.lines().find(|line| line.contains("steps of kernels")).expect("the steps");
        let number = line.split("host, ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
        number.parse().expect("a number")
    };
    let through = "to[from[threadIdx.x] + threadIdx.x] = 1;";
    let repeated = ran(0, &program(through, ""), &[]);
    assert!(repeated.contains("40 launches to the end"), "{repeated}");
    let changing = ran(0, &program(through, "cudaMemset(b, i, 64 * sizeof(int));"), &[]);
    assert!(steps(&changing) > 30 * steps(&repeated), "{repeated} {changing}");
    // The host changes what the kernel reads, with the toolkit or by itself ...
    for between in [
        "if (i == 37) cudaMemset(a, 1, 64 * sizeof(int));",
        "int large = 500; if (i == 37) cudaMemcpy(a + 5, &large, sizeof large, cudaMemcpyHostToDevice);",
        "if (i == 37) { cudaFree(a); cudaMalloc(&a, 8 * sizeof(int)); }",
    ] {
        assert!(ran(1, &program(through, between), &[]).contains("LS0107"), "{between}");
    }
    // ... or the kernel does, or another one.
    let counting = "to[from[0] / 37 * 64 + threadIdx.x] = 1; int *same = (int *)from; if (!threadIdx.x) same[0]++;";
    assert!(ran(1, &program(counting, ""), &[]).contains("LS0107"));
    let atomic = "if (atomicAdd(to, 1) == 37 * 32) to[64] = from[0];";
    assert!(ran(1, &program(atomic, ""), &[]).contains("LS0107"));
    let other = "int *c; cudaMalloc(&c, 128); cudaMemset(c, 0, 128); if (i == 37) step<<<1, 32>>>(c, a);";
    assert!(ran(1, &program("to[from[threadIdx.x] * 40 + threadIdx.x] = 1;", other), &[]).contains("LS0107"));
}

/// The order of atomic operations is no content: arrays that the program fills are known all the
/// same.
#[test]
fn atomic_operations_do_not_make_contents_unknown() {
    let program = |most: &str| {
        format!(
            "#include <cuda_runtime.h>\n#include <string>\n__constant__ int table[8];\n\
             __global__ void collect(int m, int *count, int *out) {{\n  int sum = 0;\n  \
             for (int j = 0; j < m; j++) {{\n    if (table[j] == 7) return;\n    sum += table[j];\n  }}\n  \
             int place = atomicAdd(count, 1);\n  if (place < 64) out[place] = sum;\n}}\n\
             int main(int argc, char **argv) {{\n  std::string word = argc > 1 ? argv[1] : \"word\";\n  \
             if (word.size() > {most}) return 1;\n  int *count, *out, filled[8] = {{1, 2, 3, 4, 5, 6, 8, 9}};\n  \
             cudaMalloc(&count, 4); cudaMalloc(&out, 256);\n  cudaMemset(count, 0, 4); cudaMemset(out, 0, 256);\n  \
             cudaMemcpyToSymbol(table, filled, sizeof filled);\n  \
             collect<<<1, 64>>>((int)word.size(){}, count, out);\n  return 0;\n}}\n",
            if most == "8" { "" } else { " + 5" }
        )
    };
    // A longer word than any that the host lets through, and no word of the default's length.
    for most in ["8", "3"] {
        let kernel = verified(&program(most));
        let finding = &kernel["findings"][0];
        assert_eq!((&kernel["verdict"], &finding["code"]), (&"unknown".into(), &"LS0107".into()), "{kernel}");
        assert!(finding["because"].to_string().contains("a run shows it"), "{kernel}");
    }
    let kernel = verified(&program("4"));
    assert_eq!((&kernel["verdict"], &kernel["findings"][0]["code"]), (&"defect".into(), &"LS0107".into()), "{kernel}");
}

/// The containers of Thrust, in CUDA and in HIP. The program checks them itself.
#[test]
fn containers_of_thrust_are_executed() {
    let source = include_str!("thrust_containers.cu");
    for (file, source) in [
        ("a.cu", source.to_owned()),
        ("a.hip", format!("#include <hip/hip_runtime.h>\n{}", source.replace("thrust::cuda::", "thrust::hip::"))),
    ] {
        for standard in ["--clang-arg=-std=c++14", "--clang-arg=-std=c++20"] {
            let output = Folder::new(&[(file, source.as_bytes())]).run(&["run", file, "--program", standard]);
            let text = text(&output);
            assert!(output.status.code() == Some(0) && text.contains("the program ends: `main` returns 0"), "{text}");
            assert_eq!(text.matches("1 launch to the end").count(), 3, "{text}");
        }
    }
}

/// A program that fills the table with containers of Thrust.
fn scattering_by_thrust(fill: &str, behind: &str) -> String {
    format!(
        "#include <thrust/device_vector.h>\n#include <thrust/sequence.h>\n#include <thrust/sort.h>\n{SCATTER}\
         int main() {{\n  const int n = 256;\n  thrust::host_vector<int> to(n);\n  {fill}\n  \
         thrust::device_vector<int> t = to;\n  thrust::device_vector<float> o(n);\n  \
         scatter<<<n / 64, 64>>>(thrust::raw_pointer_cast(t.data()), thrust::raw_pointer_cast(&o[0]), n);\n  \
         {behind}\n  return 0;\n}}\n"
    )
}

#[test]
fn vectors_of_thrust_have_what_the_host_writes() {
    for (fill, verdict, code) in [
        (PERMUTATION, "unknown", "LS0101"),
        ("thrust::sequence(to.begin(), to.end());", "unknown", "LS0101"),
        (PAIRS, "defect", "LS0101"),
        ("thrust::fill(to.begin(), to.end(), 7);", "defect", "LS0101"),
        (OUTSIDE, "defect", "LS0107"),
        ("thrust::sequence(to.begin(), to.end(), 1);", "defect", "LS0107"),
    ] {
        let kernel = verified(&scattering_by_thrust(fill, ""));
        assert_eq!(kernel["verdict"], verdict, "{fill}: {kernel}");
        assert_eq!(kernel["findings"][0]["code"], code, "{fill}: {kernel}");
    }
    // The end of a run is told where the program calls Thrust.
    let output = ran(2, &scattering_by_thrust(PERMUTATION, "thrust::sort(o.begin(), o.end());"), &[]);
    assert!(output.contains("not run to its end (a.cu:19)") && output.contains("sort"), "{output}");
}

/// A program that passes two elements of an array of buffers, the second by a computed index. Both
/// are the first buffer at times.
fn passing_buffers(kernel: &str, second: &str, elements: &str) -> String {
    format!(
        "#include <cstdlib>\n{kernel}\
         int main(int argc, char **argv) {{\n  int n = {elements};\n  float *p[2];\n  \
         cudaMalloc(&p[0], n * 4); cudaMalloc(&p[1], n * 4);\n  int s = argc > 1 ? 1 : 0;\n  \
         for (int t = 0; t < 4; t++) change<<<(n + 255) / 256, 256>>>(p[s], {second}, n);\n  return 0;\n}}\n"
    )
}

/// Each thread reads the element of the next one.
const SHIFT: &str = "__global__ void change(float *out, const float *in, int n) {\n  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i + 1 < n) out[i] = in[i + 1];\n}\n";

const SCALE: &str = "__global__ void change(float *out, const float *in, int n) {\n  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 2 * in[i];\n}\n";

#[test]
fn a_run_shows_buffers_that_are_passed_twice() {
    let apart = "memory that does not overlap";
    // The buffers are different ones in each launch of the program.
    let kernel = verified(&passing_buffers(SHIFT, "p[1 - s * (t & 1)]", "4096"));
    assert_eq!(kernel["verdict"], "verified", "{kernel}");
    assert!(kernel["assumptions"].to_string().contains(apart), "{kernel}");
    let kernel = verified(&passing_buffers(SHIFT, "p[t & 1]", "4096"));
    assert_eq!(kernel["verdict"], "defect", "{kernel}");
    let finding = &kernel["findings"][0];
    assert_eq!((&finding["code"], &finding["confirmed"]), (&"LS0101".into(), &true.into()), "{kernel}");
    assert!(finding["command"].as_str().is_some_and(|command| command.ends_with("--program")), "{finding}");
}

/// No launch of these runs has a defect, but some pass one buffer twice.
#[test]
fn a_kernel_whose_buffers_are_one_in_the_run_is_decided_for_that() {
    let kernel = verified(&passing_buffers(SCALE, "p[t & 1]", "4096"));
    assert_eq!(kernel["verdict"], "verified", "{kernel}");
    assert!(kernel["assumptions"].to_string().contains("point to one buffer, or the two do not overlap"), "{kernel}");
    // Without options there is one element, and nothing is read.
    let kernel = verified(&passing_buffers(SHIFT, "p[t & 1]", "argc > 2 ? atoi(argv[1]) : 1"));
    assert_ne!(kernel["verdict"], "verified", "{kernel}");
}

/// A kernel whose writes go where a variable of the device says, and the code of its host.
fn by_a_variable(space: &str, index: &str, host: &str) -> String {
    format!(
        "#include <cstdio>\n{space} int to[8];\n\
         __global__ void scatter(int *out, const int *in, int n) {{\n  \
         int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[{index}] = in[i];\n}}\n\
         void read_table(int *);\n{host}"
    )
}

/// A run of the kernel alone leaves the variable at zero, which the host may write.
#[test]
fn defects_that_hinge_on_variables_that_the_host_sets_are_possible() {
    let launch = "int *in, *out; cudaMalloc(&in, 4096); cudaMalloc(&out, 4096);\n  \
                  static int values[1024]; for (int i = 0; i < 1024; i++) values[i] = i;\n  \
                  cudaMemcpy(in, values, 4096, cudaMemcpyHostToDevice);\n  scatter<<<4, 256>>>(out, in, 1024);\n  return 0;\n}\n";
    let set = "cudaMemcpyToSymbol(to, host, sizeof to);";
    let of_file = format!(
        "int main() {{\n  int host[8]; FILE *f = fopen(\"table\", \"rb\");\n  \
         if (!f || fread(host, 4, 8, f) != 8) return 1;\n  {set} {launch}"
    );
    let elsewhere = format!("int main() {{\n  int host[8]; read_table(host); {set} {launch}");
    let without_main = format!("int launch(const int *host) {{\n  {set} {launch}");
    let by_address = format!(
        "int main() {{\n  int host[8]; read_table(host); void *p; cudaGetSymbolAddress(&p, to);\n  \
         cudaMemcpy(p, host, sizeof to, cudaMemcpyHostToDevice); {launch}"
    );
    let rows = "(i >> 3) * 8 + to[i & 7]";
    for space in ["__constant__", "__device__"] {
        for host in [&of_file, &elsewhere, &without_main, &by_address] {
            let kernel = verified(&by_a_variable(space, rows, host));
            assert_eq!(kernel["verdict"], "unknown", "{space} {host}: {kernel}");
            let because = kernel["findings"][0]["because"].to_string();
            assert!(because.contains("initial contents of `to`, which the host sets"), "{because}");
            // The same, whatever the host sets.
            let kernel = verified(&by_a_variable(space, "(i >> 3) * 8 + (to[i & 7] & 3)", host));
            assert_eq!(kernel["verdict"], "defect", "{space} {host}: {kernel}");
        }
        // The program's own run has what the host sets.
        for (value, verdict) in [("7 - i", "unknown"), ("i / 2", "defect")] {
            let host = format!(
                "int main() {{\n  int host[8]; for (int i = 0; i < 8; i++) host[i] = {value};\n  {set} {launch}"
            );
            let kernel = verified(&by_a_variable(space, rows, &host));
            assert_eq!(kernel["verdict"], verdict, "{space} {value}: {kernel}");
        }
        // No host sets it.
        let read = "int host[8]; cudaMemcpyFromSymbol(host, to, sizeof to);";
        for host in [String::new(), format!("int main() {{\n  {launch}"), format!("int main() {{\n  {read} {launch}")] {
            let kernel = verified(&by_a_variable(space, rows, &host));
            assert_eq!(kernel["verdict"], "defect", "{space} {host}: {kernel}");
        }
    }
}

/// The run would have tried that accesses are inside, and that buffers are apart.
#[test]
fn an_early_end_of_the_run_is_told_with_a_proof() {
    let program = |call: &str, size: &str| {
        format!(
            "#include <cstdlib>\n{SCALE}int unknown_function();\n\
             int main(int argc, char **argv) {{\n  int n = 256;\n  {call}\n  float *a, *b;\n  \
             cudaMalloc(&a, {size}); cudaMalloc(&b, {size});\n  change<<<1, 256>>>(a, b, n);\n  return 0;\n}}\n"
        )
    };
    let open = "(strtol(argv[argc - 1], 0, 0) | 1) * n * 4";
    let kernel = verified(&program("n = unknown_function() & 0;", open));
    assert_eq!(kernel["verdict"], "verified", "{kernel}");
    let run = &kernel["unfinished_run"];
    assert_eq!(run["at"], serde_json::json!({"file": "a.cu", "line": 9}), "{kernel}");
    assert!(run["reason"].as_str().is_some_and(|reason| reason.contains("unknown_function")), "{kernel}");
    let folder = Folder::new(&[("a.cu", program("n = unknown_function() & 0;", open).as_bytes())]);
    let output = text(&folder.run(&["verify", "a.cu"]));
    assert!(output.contains("not checked: the program's own run, which tries such assumptions, ends early (a.cu:9)"));
    // A run to the end, and a proof that needs none.
    for (call, size) in [("", open), ("unknown_function();", "n * 4")] {
        let kernel = verified(&program(call, size));
        assert_eq!(kernel["verdict"], "verified", "{kernel}");
        assert!(kernel.get("unfinished_run").is_none(), "{kernel}");
    }
}
