//! Launches in the host code of CUDA sources: the launches found, and their effect on the kernels.

use crate::command::{Folder, check};

#[test]
fn a_stub_s_own_launch_is_not_one_of_the_source() {
    // The form of a toolkit's headers since CUDA 9.2: a stub calls `cudaLaunchKernel` with the
    // pushed sizes, and a template calls the function that is not a template.
    let source = "extern \"C\" int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);\n\
        template <class T> int cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, int shared) {\n  \
        return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, 0);\n}\n\
        __global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n\
        int main() {\n  int *a = 0;\n  void *all[] = { &a };\n  k<<<4, 64>>>(a);\n  \
        return cudaLaunchKernel(k, dim3(2), dim3(32), all, 0);\n}\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let words = ["verify", "a.cu", "--clang-arg=-Xclang", "--clang-arg=-target-sdk-version=12.4"];
    let output = folder.run(&words);
    let text = String::from_utf8_lossy(&output.stdout);
    let launches: Vec<&str> = text.lines().filter(|line| line.contains("launch:")).map(str::trim).collect();
    let expected = [
        "launch: 4 groups of 64 threads, as line 9 launches it",
        "launch: 2 groups of 32 threads, as line 10 launches it",
    ];
    assert_eq!(launches, expected, "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// The lines about launches in `verify`'s output for a CUDA file, each after the verdict and the
/// kernel.
#[track_caller]
fn launches_of(source: &str) -> Vec<String> {
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--without=preconditions"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let mut launches = Vec::new();
    let mut kernel = String::new();
    for line in text.lines() {
        match line.trim().strip_prefix("launch: ") {
            Some(launch) => launches.push(format!("{kernel}: {launch}")),
            None if line.contains("(a.cu:") && !line.contains("because: ") => {
                line.split(" (").next().unwrap_or_default().clone_into(&mut kernel);
            }
            None => {}
        }
    }
    assert!(!launches.is_empty(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    launches
}

/// All groups write to the same places: a launch with one group is verified, and a launch with more
/// is a defect.
const OF_ONE_GROUP: &str = "__global__ void k(int *a, int n) { a[threadIdx.x] = blockIdx.x; }\n";

#[test]
fn launches_through_pointers_are_followed() {
    let source = "template <class K, class... A> void launch(K kernel, dim3 g, dim3 b, A... all) { kernel<<<g, b>>>(all...); }\n\
        typedef void (*Kernel)(int *, int);\n\
        void run(Kernel kernel, int g, int *a) {\n  kernel<<<g, 64>>>(a, 1);\n}\n\
        int choose();\n\
        __global__ void other(int *a, int n) { a[threadIdx.x] = blockIdx.x; }\n\
        int main() {\n  int *a = 0;\n  k<<<1, 64>>>(a, 1);\n  launch(k, dim3(4), dim3(64), a, 1);\n  \
        auto p = &k;\n  p<<<6, 64>>>(a, 1);\n  run(k, 8, a);\n  \
        try {\n    (choose() ? k : other)<<<2, 64>>>(a, choose() ? choose() : 1);\n  } catch (int) {}\n  \
        cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 64);\n  \
        return p == k;\n}\n";
    let expected = [
        "defect k: 4 groups of 64 threads, with n = 1, as line 2 launches it",
        "defect k: 8 groups of 64 threads, with n = 1, as line 5 launches it",
        "verified k: 1 group of 64 threads, with n = 1, as line 11 launches it",
        "defect k: 6 groups of 64 threads, with n = 1, as line 14 launches it",
        "defect k: 2 groups of 64 threads, as line 17 launches it",
        "defect other: 2 groups of 64 threads, as line 17 launches it",
    ];
    assert_eq!(launches_of(&[OF_ONE_GROUP, source].concat()), expected);
}

/// The list of the arguments changes between two launches, which stand in blocks of their own.
#[test]
fn aliases_are_those_of_each_launch() {
    let launch = "if (cudaLaunchKernel((void *)k, dim3(1), dim3(64), list) != 0) return 1;";
    let source = format!(
        "__global__ void k(int *to, const int *from) {{ to[threadIdx.x] = from[threadIdx.x + 1]; }}\n\
         int main() {{\n  int *p, *q;\n  cudaMalloc(&p, 512);\n  cudaMalloc(&q, 512);\n  void *list[] = {{&p, &q}};\n  \
         {launch}\n  list[1] = &p;\n  {launch}\n  return 0;\n}}\n"
    );
    let expected = [
        "verified k: 1 group of 64 threads, as line 7 launches it",
        "defect k: 1 group of 64 threads, as line 9 launches it",
    ];
    assert_eq!(launches_of(&source), expected);
}

#[test]
fn many_launches_are_joined_dimension_by_dimension() {
    // Only the last launch extends in the second dimension, of which the kernel knows nothing.
    let calls: Vec<String> = (1..=9).map(|groups| format!("  k<<<{groups}, 64>>>(a);\n")).collect();
    let calls = calls.concat();
    let source = |last: &str| {
        format!(
            "__global__ void k(int *a) {{ a[blockIdx.x * 64 + threadIdx.x] = clock(); }}\nvoid run(int *a) {{\n{calls}{last}}}\n"
        )
    };
    let lines = "as lines 3, 4, 5, 6, 7, 8, 9, 10, 11";
    let same = format!("verified k: any number of groups of 64 threads, {lines} launch it");
    assert_eq!(launches_of(&source("")), [same]);
    let [launch] = &launches_of(&source("  k<<<1, dim3(64, 2)>>>(a);\n"))[..] else { panic!("several launches") };
    // No run knows the value of a clock.
    assert!(launch.starts_with("unknown k: ") && launch.ends_with(&format!("{lines}, 12 launch it")), "{launch}");
}

#[test]
fn constant_arguments_are_those_of_the_launch() {
    // Rows with as many cells as the launch is wide do not overlap.
    let kernels = "struct Pair { int a, b; };\nstruct Two { long a, b; };\nstruct Empty {};\n\
        __global__ void rows(int *out, int width) { out[blockIdx.x * width + threadIdx.x] = blockIdx.x; }\n\
        __global__ void mixed(bool b, signed char c, float f, int *out, unsigned long long big, Pair p, int width) {\n  \
        out[blockIdx.x * width + threadIdx.x] = blockIdx.x;\n}\n\
        __global__ void shifted(Two two, long width, Empty empty, int *out) {\n  \
        out[blockIdx.x * width + threadIdx.x] = blockIdx.x;\n}\n";
    let main = "static void run(int *out, int width) { rows<<<4, 64>>>(out, width); }\n\
        int main(int number, char **) {\n  int *out = 0;\n  rows<<<4, 64>>>(out, 64);\n  rows<<<4, 64>>>(out, 63);\n  \
        rows<<<4, 64>>>(out, number);\n  mixed<<<4, 64>>>(true, -2, 1, out, 1ull << 40, Pair{1, 2}, 64);\n  \
        shifted<<<4, 64>>>(Two{1, 64}, 7, Empty{}, out);\n  run(out, 65);\n  void *all[2];\n  \
        cudaLaunchKernel((const void *)rows, dim3(4), dim3(64), all, 0);\n}\n";
    let launch = "4 groups of 64 threads";
    let expected = [
        format!("verified rows: {launch}, with width = 65, as line 11 launches it"),
        format!("verified rows: {launch}, with width = 64, as line 14 launches it"),
        format!("defect rows: {launch}, with width = 63, as line 15 launches it"),
        format!("defect rows: {launch}, as line 16 launches it"),
        // Arguments in memory are not followed, and may never be what the defect needs.
        format!("unknown rows: {launch}, as line 21 launches it"),
        // No kernel reads a field of the structs.
        format!(
            "verified mixed: {launch}, with c = 254 (-2 if signed), big = 1099511627776, width = 64, as line 17 launches it"
        ),
        format!("defect shifted: {launch}, with width = 7, as line 18 launches it"),
    ];
    assert_eq!(launches_of(&[kernels, main].concat()), expected);

    let source = [kernels, "int main() { rows<<<4, 64>>>(0, 64); }\n"].concat();
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    for (options, expected) in [
        (&["--kernel=rows"][..], "verified rows"),
        (&["--kernel=rows", "--kernel-args=rows,63"], "defect rows"),
        (&["--kernel=rows", "--open-sizes"], "defect rows"),
        (&["--kernel=rows", "--block-dim=64", "--grid-dim=4"], "defect rows"),
    ] {
        let output = folder.run(&[&["verify", "a.cu", "--without=preconditions"], options].concat());
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(expected), "{options:?}: {text}");
    }
}

#[test]
fn sizes_and_arguments_are_computed_of_each_other() {
    let source = "struct Two { long a, b; };\n\
        __global__ void row(int *out, int width, long long n) { out[blockIdx.y * width + blockIdx.x * 64 + threadIdx.x] = blockIdx.y; }\n\
        __global__ void behind(int *out, Two two, int width) { out[blockIdx.y * width + blockIdx.x * 64 + threadIdx.x] = blockIdx.y; }\n\
        int ask(); void change(int *); void look(const int &);\n\
        void a(int *out, int width, long long n) { row<<<dim3(width / 64, n), 64>>>(out, width, n); }\n\
        void b(int *out, int width) { int blocks = (width + 63) / 64; row<<<dim3(blocks, 2), 64>>>(out, blocks * 64, ask()); }\n\
        void c(int *out, int width) { dim3 g(width / 64, 2); change(&width); row<<<g, 64>>>(out, width, ask()); }\n\
        void d(int *out, int width) { dim3 g(width / 64, 2); for (;;) { row<<<g, 64>>>(out, width, ask()); width /= 2; } }\n\
        void e(int *out, int width) { behind<<<dim3(width / 64, 2), 64>>>(out, Two{1, 2}, width); }\n\
        void f(int *out) { dim3 g; change((int *)&g); row<<<g, 64>>>(out, ask(), ask()); }\n\
        void g(int *out, int width) { look(width); row<<<dim3(width / 64, 4), 64>>>(out, width, ask()); }\n\
        void h(int *out) { unsigned u; int v; row<<<dim3(u, 4), 64>>>(out, v, ask()); }\n\
        void i(int *out, long long n) { row<<<dim3(n, 5), 64>>>(out, 64 * n, n); }\n";
    // A value computed before it changes, or from an uninitialised variable, is no relation.
    let expected = [
        "verified row: any number of groups of 64x1 threads, as line 5 launches it",
        "verified row: *x2 groups of 64x1 threads (* is any number), as line 6 launches it",
        "unknown row: *x2 groups of 64x1 threads (* is any number), as lines 7, 8 launch it",
        "unknown row: any number of groups of 64x1x1 threads, as line 10 launches it",
        "verified row: *x4 groups of 64x1 threads (* is any number), as line 11 launches it",
        "defect row: *x4 groups of 64x1 threads (* is any number), as line 12 launches it",
        "verified row: *x5 groups of 64x1 threads (* is any number), as line 13 launches it",
        "verified behind: *x2 groups of 64x1 threads (* is any number), as line 9 launches it",
    ];
    assert_eq!(launches_of(source), expected);

    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--without=preconditions"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let said = |line: &str| line.trim().strip_suffix(" (as the source launches it)").map(str::to_owned);
    let relations: Vec<String> = text.lines().filter_map(said).collect();
    let expected = [
        "- gridDim.x is width / 64",
        "- gridDim.y is (int)n",
        "- width is gridDim.x * 64",
        "- n is from -2147483648 to 2147483647",
        "- gridDim.x is from 1 to 33554431",
        "- gridDim.x is width / 64",
        "- n is from -2147483648 to 2147483647",
        "- width is (int)n * 64",
        "- gridDim.x is (int)n",
        "- gridDim.x is width / 64",
    ];
    assert_eq!(relations, expected);
}

#[test]
fn launches_of_functions_that_main_does_not_call_are_open() {
    let launches = "void others(int *a, int n) { k<<<n, 64>>>(a, n); }\n\
        static void mine(int *a, int n) { k<<<n, 64>>>(a, n); }\n\
        void (*const table[])(int *, int) = { mine };\n\
        int main() { table[0](0, 1); }\n";
    let expected = [
        "defect k: any number of groups of 64 threads, as line 2 launches it",
        "verified k: 1 group of 64 threads, with n = 1, as line 3 launches it",
    ];
    assert_eq!(launches_of(&[OF_ONE_GROUP, launches].concat()), expected);
}

#[test]
fn a_launch_whose_line_is_not_known_is_any() {
    let launches = "__attribute__((nodebug)) void run(int *a, int n) { k<<<n, 64>>>(a, n); }\n\
        void start() { k<<<1, 64>>>(0, 1); }\n";
    let expected = [
        "verified k: 1 group of 64 threads, with n = 1, as line 3 launches it",
        "defect k: any number of groups of any size, as the kernel's address goes where it is not followed in line 1",
    ];
    assert_eq!(launches_of(&[OF_ONE_GROUP, launches].concat()), expected);
}

/// Sources with a launch that must not be missed, and whose number must not be taken for another.
const LAUNCHES_TO_MISS: [(&str, &[&str]); 5] = [
    // Kernels determine the value of a managed variable, even if the host never writes to it.
    (
        "__device__ __managed__ int n, flag;\n__global__ void change() { n = 8; flag = 1; }\n\
        int main() {\n  n = 1;\n  change<<<1, 1>>>();\n  cudaDeviceSynchronize();\n  k<<<n, 64>>>(0, n);\n  \
        if (flag) {\n    k<<<7, 64>>>(0, 1);\n  }\n}\n",
        &[
            "defect k: any number of groups of 64 threads, as line 8 launches it",
            "defect k: 7 groups of 64 threads, with n = 1, as line 10 launches it",
            "verified change: 1 group of 1 thread, as line 6 launches it",
        ],
    ),
    // Another file may define a function that replaces a weak one.
    (
        "__attribute__((weak)) int groups() { return 1; }\nint main() { k<<<groups(), 64>>>(0, 1); }\n",
        &["defect k: any number of groups of 64 threads, with n = 1, as line 3 launches it"],
    ),
    // A name that looks like the toolkit's.
    (
        "namespace my { __attribute__((noinline)) void cudaLaunchKernel(int g) { k<<<g, 64>>>(0, 1); } }\n\
        int main() { my::cudaLaunchKernel(8); }\n",
        &["defect k: 8 groups of 64 threads, with n = 1, as line 2 launches it"],
    ),
    // Every thread of the host adds one.
    (
        "int main() {\n  int g = 0;\n#pragma omp parallel num_threads(8) reduction(+:g)\n  g += 1;\n  k<<<g, 64>>>(0, 1);\n}\n",
        &["defect k: any number of groups of 64 threads, with n = 1, as line 6 launches it"],
    ),
    // The marker and the arguments of one launch are not those of the next.
    (
        "int main() {\n  void (*p)(int *, int) = k;\n  void *all[2];\n  \
        cudaLaunchKernel((void *)k, dim3(1), dim3(64), all, 0, 0);\n  cudaConfigureCall(8, 64);\n  p(0, 1);\n}\n",
        &[
            "verified k: 1 group of 64 threads, as line 5 launches it",
            "defect k: any number of groups of any size, as the kernel's address goes where it is not followed in line 7",
        ],
    ),
];

#[test]
fn launches_that_hide() {
    for (source, expected) in LAUNCHES_TO_MISS {
        assert_eq!(launches_of(&[OF_ONE_GROUP, source].concat()), expected, "{source}");
    }
}

#[test]
fn kernels_whose_addresses_escape_are_launched_in_any_way() {
    let direct = "int main() {\n  int *a = 0;\n  k<<<1, 64>>>(a, 1);\n";
    let any = "defect k: any number of groups of any size, as the kernel's address goes where it is not followed in";
    for (before, after, place) in [
        ("", "", None),
        ("void keep(void (*)(int *, int));\n", "  keep(k);\n", Some("line 6")),
        ("void keep(void *);\n", "  keep((void *)k);\n  keep((void *)&k);\n", Some("lines 6, 7")),
        ("void (*table[2])(int *, int) = { k, 0 };\n", "  table[a[1]]<<<5, 64>>>(a, 1);\n", Some("line 2")),
        ("struct L { void (*k)(int *, int); void call(); };\n", "  L l;\n  l.k = k;\n  l.call();\n", Some("line 7")),
        // If exceptions are caught, every call that may throw ends its block.
        (
            "template <class F> void in_turn(F f) { f(); }\n",
            "  try { in_turn([&] { k<<<1, 64>>>(a, 1); }); } catch (int) {}\n",
            None,
        ),
        ("", "  cudaLaunchConfig_t c = {};\n  cudaLaunchKernelEx(&c, k, a, 1);\n", Some("line 6")),
    ] {
        let source = [OF_ONE_GROUP, before, direct, after, "  return 0;\n}\n"].concat();
        let lines = before.lines().count();
        let again = if after.contains("catch") { ", 6 launch it" } else { " launches it" };
        let plural = if after.contains("catch") { "lines" } else { "line" };
        let known = format!("verified k: 1 group of 64 threads, with n = 1, as {plural} {}{again}", 4 + lines);
        let all: Vec<String> = [known].into_iter().chain(place.map(|place| format!("{any} {place}"))).collect();
        assert_eq!(launches_of(&source), all, "{source}");
    }
    // A launch that reads its kernel from a table of constants is followed.
    let table = "static void (*const table[])(int *, int) = { k };\n\
        int main() { for (int i = 0; i < 1; i++) table[0]<<<1, 64>>>(0, 1); }\n";
    let followed = ["verified k: 1 group of 64 threads, with n = 1, as line 3 launches it"];
    assert_eq!(launches_of(&[OF_ONE_GROUP, table].concat()), followed);
}

#[test]
fn a_launch_gives_the_size_of_dynamic_shared_memory() {
    let kernel = "extern __shared__ int dyn[];\n\
        __global__ void k(int *o) {\n  dyn[threadIdx.x] = 1;\n  __syncthreads();\n  o[threadIdx.x] = dyn[threadIdx.x];\n}\n\
        __global__ void without(int *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
    let main = "int main(int number, char **) {\n  k<<<1, 64, 63 * sizeof(int)>>>(0);\n  k<<<1, 64>>>(0);\n  \
        k<<<1, 64, 64 * sizeof(int)>>>(0);\n  k<<<1, 64, number>>>(0);\n  void *all[1];\n  \
        cudaLaunchKernel((const void *)k, dim3(1), dim3(64), all, 256);\n  \
        without<<<1, 64>>>(0);\n  without<<<1, 64, 4>>>(0);\n}\n";
    let source = [kernel, main].concat();
    let expected = [
        "defect k: 1 group of 64 threads, 252 bytes of dynamic shared memory, as line 9 launches it",
        "defect k: 1 group of 64 threads, 0 bytes of dynamic shared memory, as line 10 launches it",
        "verified k: 1 group of 64 threads, 256 bytes of dynamic shared memory, as lines 11, 14 launch it",
        "verified k: 1 group of 64 threads, as line 12 launches it",
        "verified without: 1 group of 64 threads, as lines 15, 16 launch it",
    ];
    assert_eq!(launches_of(&source), expected);

    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--format=json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let codes = |kernel: &serde_json::Value| -> Vec<String> {
        let findings = kernel["findings"].as_array().expect("findings").iter();
        findings.map(|finding| finding["code"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let kernels = report["kernels"].as_array().expect("kernels");
    for (kernel, bytes) in kernels.iter().zip([252, 0]) {
        assert_eq!(kernel["launch"]["shared_bytes"], bytes);
        let codes = codes(kernel);
        assert!(!codes.is_empty() && codes.iter().all(|code| code == "LS0107"), "{codes:?}");
    }
    // The size is assumed to suffice only if it is not known.
    let enough = "accesses stay inside dyn, of which every launch gives enough bytes";
    let assumes = |kernel: &serde_json::Value| kernel["assumptions"].to_string().contains(enough);
    assert_eq!(kernels[2..].iter().map(assumes).collect::<Vec<_>>(), [false, true, false]);
    let output = folder.run(&["verify", "a.cu", "--kernel=k", "--local-size=64", "--num-groups=1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains(enough), "{text}");
}

#[test]
fn headers_for_the_host_and_of_what_is_refused_leave_the_other_kernels_their_verdicts() {
    let source = "#include <cuda/barrier>\n#include <helper_cuda.h>\n#include <nvtx3/nvToolsExt.h>\n#include <nvrtc.h>\n\
        __global__ void good(int *a) { a[threadIdx.x] = 1; }\n\
        __global__ void waits(int *a) {\n  __shared__ cuda::barrier<cuda::thread_scope_device> b;\n  \
        b.arrive_and_wait();\n  a[threadIdx.x] = 1;\n}\n\
        int main(int n, char **words) {\n  findCudaDevice(n, (const char **)words);\n  int *a;\n  \
        checkCudaErrors(cudaMalloc(&a, 256));\n  nvtxRangePush(\"good\");\n  good<<<1, 64>>>(a);\n  \
        getLastCudaError(\"good\");\n  waits<<<1, 64>>>(a);\n  nvtxRangePop();\n}\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for part in ["verified good (a.cu:5)", "unknown waits (a.cu:6)", "cuda::barrier (a.cu:8)", "1 group of 64 threads"]
    {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_kernel_that_launches_another_is_told_so() {
    let source = "__global__ void child(int *a) { a[threadIdx.x] = 1; }\n\
        __global__ void parent(int *a) { child<<<4, 64>>>(a); }\n";
    check(&Folder::new(&[("a.cu", source.as_bytes())]), &["verify", "a.cu"], 3, &["dynamic parallelism"]);
}

#[test]
fn sources_see_which_headers_are_there() {
    // Helpers meant for hosts with and without CUDA do the same.
    let helper = "#if defined __DRIVER_TYPES_H__ && defined __CUDA_RUNTIME_H__\n#define CHECK(e) ((e) == cudaSuccess ? 0 : 1)\n#endif\n\
        #ifdef CUBLAS_API_H_\nstatic bool bad(cublasStatus_t status) { return status != CUBLAS_STATUS_SUCCESS; }\n#endif\n\
        #ifdef _CUFFT_H_\nstatic bool bad(cufftResult status) { return status == CUFFT_INVALID_PLAN; }\n#endif\n";
    let source = "#include <cublas_v2.h>\n#include <cufft.h>\n#include <omp.h>\n#include \"helper.h\"\n\
        __global__ void k(unsigned *a) { a[blockIdx.x * 64 + threadIdx.x] = UINT_MAX; }\n\
        int main() {\n  clock_t now = clock();\n  k<<<omp_get_num_procs(), 64>>>(0);\n  \
        return bad(cufftDestroy(0)) + CHECK(cudaDeviceSynchronize());\n}\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes()), ("helper.h", helper.as_bytes())]);
    let output = folder.run(&["verify", "a.cu"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("verified k "), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn launches_and_kernels_in_several_files() {
    let header = "\n\n\n__global__ void k(int *a) { a[blockIdx.x * 64 + threadIdx.x] = 1; }\n\
        inline void start() { k<<<3, 64>>>(0); }\n";
    let source = "#include \"k.h\"\nint main() {\n  start();\n  k<<<4, 64>>>(0);\n  k<<<3, 64>>>(0);\n}\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes()), ("k.h", header.as_bytes())]);
    let output = folder.run(&["verify", "a.cu"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for launch in [
        "launch: 4 groups of 64 threads, as line 4 of a.cu launches it",
        "launch: 3 groups of 64 threads, as lines 5, 5 of a.cu launch it",
    ] {
        assert!(text.contains(launch), "{text}");
    }
}

/// The ranges and conditions that the launches in this host code give
/// `k(int *, int n, unsigned u)`.
fn host_facts(host: &str) -> Vec<String> {
    let device = "#include <cstdlib>\n#include <algorithm>\n\
        __global__ void k(int *a, int n, unsigned u) { if (n > 0 && u > 0) a[threadIdx.x] = n; }\n\
        int ask(); void warn(); [[noreturn]] void fail();\n";
    let folder = Folder::new(&[("a.cu", [device, host].concat().as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--without=preconditions"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("verified k"), "{host}: {text}");
    let said =
        |line: &str| line.trim().strip_prefix("- ")?.strip_suffix(" (as the source launches it)").map(str::to_owned);
    text.lines().filter_map(said).filter(|said| !said.starts_with("the argument")).collect()
}

#[test]
fn host_checks_bound_arguments() {
    for (host, expected) in [
        ("if (n < 1 || n > 512) return; k<<<1, 32>>>(a, n, 1);", &["n is from 1 to 512"][..]),
        ("if (n < 1) fail(); k<<<1, 32>>>(a, n, 1);", &["n is at least 1"]),
        ("if (n < 1) exit(1); if (u >= 8) abort(); k<<<1, 32>>>(a, n, u);", &["n is at least 1", "u is from 0 to 7"]),
        ("if (n > 0 && n <= 64) k<<<1, 32>>>(a, n, 1);", &["n is from 1 to 64"]),
        ("if (!(n > 0 && n <= 64)) return; k<<<1, 32>>>(a, n, 1);", &["n is from 1 to 64"]),
        ("if (n % 32 != 0 || n <= 0) return; k<<<1, 32>>>(a, n, 1);", &["n is at least 1, and a multiple of 32"]),
        ("if (n <= 0 || (n & (n - 1))) return; k<<<1, 32>>>(a, n, 1);", &["n is at least 1, and a power of two"]),
        ("k<<<1, 32>>>(a, std::min(std::max(n, 4), 9), 1);", &["n is from 4 to 9"]),
        ("k<<<1, 32>>>(a, n & 12, u % 10);", &["n is from 0 to 12", "u is from 0 to 9"]),
        ("if (n < (int)u) k<<<1, 32>>>(a, n, u);", &["n < u"]),
        ("long big = (long)n * 4; if (big < 0 || big > 64) return; k<<<1, 32>>>(a, n, 1);", &["n is from 0 to 16"]),
        // A mask with a gap rounds nothing down.
        ("if (n < 16 || n > 31) return; k<<<1, 32>>>(a, n & -24, 1);", &["n is from 0 to 31"]),
        ("if (n < 16 || n > 31) return; k<<<1, 32>>>(a, n & -8, 1);", &["n is from 16 to 24, and a multiple of 8"]),
        // Loops.
        ("for (int j = 32; j <= 1024; j *= 2) k<<<1, 32>>>(a, j, 1);", &["n is from 32 to 1024, and a power of two"]),
        ("for (int j = 256; j > 0; j /= 2) k<<<1, 32>>>(a, j, 1);", &["n is from 1 to 256, and a power of two"]),
        ("for (int j = 256; j > 0; j >>= 1) k<<<1, 32>>>(a, j, 1);", &["n is from 1 to 256, and a power of two"]),
        (
            "for (int j = 3; j < 100; j += 8) k<<<1, 32>>>(a, j, 1);",
            &["n is from 3 to 99, and 3 more than a multiple of 8"],
        ),
        ("for (int j = n; j-- > 0;) k<<<1, 32>>>(a, j, 1);", &["n is at least 0"]),
        (
            "for (int i = 0; i < 9; i++) for (int j = i; j < 9; j++) k<<<1, 32>>>(a, j, i);",
            &["n is from 0 to 8", "u is from 0 to 8"],
        ),
        // Numbers that the kernel does not get.
        (
            "int m = ask(); for (int j = 0; j < m; j++) k<<<1, 32>>>(a, j, 4 * m);",
            &["u is host.call * 4", "n < host.call", "n is at least 0", "host.call is at least 1"],
        ),
        ("int m = ask(); for (int j = 0; j < m; j++) k<<<1, 32>>>(a, j, 1);", &["n is at least 0"]),
        ("int m = ask(), o = ask(); if (m < o) k<<<1, 32>>>(a, m + 1, 1);", &[]),
        ("for (unsigned j = 0; j < 9; j++) k<<<1, 32>>>(a, 1, j);", &["u is from 0 to 8"]),
        // No check of the value that is passed.
        ("if (n < 1) warn(); k<<<1, 32>>>(a, n, 1);", &[]),
        ("if (n < 1) return; n = ask(); k<<<1, 32>>>(a, n, 1);", &[]),
        ("if (n < 1) return; n *= 2; k<<<1, 32>>>(a, n, 1);", &["n is at least 2, and a multiple of 2"]),
        ("while (n > 0) { n = ask(); k<<<1, 32>>>(a, n, 1); }", &[]),
        ("do k<<<1, 32>>>(a, n, 1); while (n-- > 0);", &[]),
        ("if (n > 5 || u > 5) k<<<1, 32>>>(a, n, u);", &[]),
        ("if (u - 1 > 5) return; k<<<1, 32>>>(a, 1, u);", &["u is from 1 to 6"]),
        ("if (u + 3 > 5) return; k<<<1, 32>>>(a, 1, u);", &["u is from -3 to 2"]),
        ("if (u > 5) return; u -= 3; k<<<1, 32>>>(a, 1, u);", &["u is from -3 to 2"]),
        ("for (unsigned j = 1; j != 0; j *= 2) k<<<1, 32>>>(a, 1, j);", &["u is 0 or a power of two"]),
        ("for (unsigned j = 7; j != u; j += 5) k<<<1, 32>>>(a, 1, j);", &[]),
        ("for (int j = 1; j < 9; j = ask()) k<<<1, 32>>>(a, j, 1);", &["n is at most 8"]),
        ("int j = 0; do { k<<<1, 32>>>(a, j, 1); j += n; } while (j < 100);", &["n is at most 99"]),
        ("goto in; for (;;) { if (n < 1) return; in: k<<<1, 32>>>(a, n, 1); n = ask(); }", &[]),
    ] {
        let found = host_facts(&format!("void f(int *a, int n, unsigned u) {{ {host} }}\n"));
        assert_eq!(found, expected, "{host}");
    }
}

/// The facts that a launch in this host code gives the fields of a struct.
fn facts_of_fields(host: &str) -> Vec<String> {
    let device = "#include <cstdlib>\nstruct P { int *out; int n; short m; char c; int big[3]; struct { int x, y; } dim; };\n\
        __global__ void k(P p) { if (p.n > 0 && p.m > p.c && p.big[1] > p.dim.y) p.out[threadIdx.x] = 1; }\n\
        int ask(); void look(const P &); extern P *kept;\n\
        static void set(P &p, int n) { p.n = n; p.dim.y = 2 * n; }\n";
    let body = format!(
        "void f(P *q, int n) {{ P p{{}}; p.m = ask(); p.c = ask(); p.big[1] = ask(); p.dim.y = ask(); {host} }}\n"
    );
    let folder = Folder::new(&[("a.cu", [device, &body].concat().as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--without=preconditions"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("verified k"), "{host}: {text}{}", String::from_utf8_lossy(&output.stderr));
    let said =
        |line: &str| line.trim().strip_prefix("- ")?.strip_suffix(" (as the source launches it)").map(str::to_owned);
    text.lines().filter_map(said).collect()
}

#[test]
fn fields_of_structs_have_the_values_of_the_host() {
    let checked = "if (n < 1 || n > 512) return;";
    for (host, expected) in [
        ("p.n = n; k<<<1, 32>>>(p);", &["p.n is from 1 to 512"][..]),
        ("set(p, n); k<<<1, 32>>>(p);", &["p.dim.y is p.n * 2", "p.n is from 1 to 512"]),
        ("p.n = 9; p.m = -3; k<<<1, 32>>>(p);", &["the argument p.n is 9", "the argument p.m is 65533 (-3 if signed)"]),
        (
            "set(p, n); cudaMalloc(&p.out, 4); P r = p; k<<<1, 32>>>(r);",
            &["p.dim.y is p.n * 2", "p.n is from 1 to 512"],
        ),
        (
            "set(p, n); cudaMalloc(&p.out, 4); cudaMemcpyToSymbol(\"x\", &p, 8); k<<<1, 32>>>(p);",
            &["p.dim.y is p.n * 2", "p.n is from 1 to 512"],
        ),
        ("set(p, n); *q = p; k<<<1, 32>>>(*q);", &["p.dim.y is p.n * 2", "p.n is from 1 to 512"]),
        // Changed after the check, in the copy, in a loop, by others.
        ("p.n = n; p.n = ask(); k<<<1, 32>>>(p);", &[]),
        (
            "set(p, n); P r = p; r.n++; p.n = 7; k<<<1, 32>>>(r);",
            &["p.n is host.n + 1", "p.dim.y is host.n * 2", "host.n is from 1 to 512"],
        ),
        ("set(p, n); for (;;) { k<<<1, 32>>>(p); p.n = ask(); p.dim.y = ask(); }", &[]),
        ("set(p, n); look(p); k<<<1, 32>>>(p);", &[]),
        ("look(p); set(p, n); k<<<1, 32>>>(p);", &["p.dim.y is p.n * 2", "p.n is from 1 to 512"]),
        ("look(p); set(p, n); ask(); k<<<1, 32>>>(p);", &[]),
        ("kept = &p; set(p, n); cudaDeviceSynchronize(); k<<<1, 32>>>(p);", &[]),
        ("set(p, n); *q = p; ask(); k<<<1, 32>>>(*q);", &[]),
        (
            "set(p, n); cudaMalloc((void **)&p.n, 4); k<<<1, 32>>>(p);",
            // The fields are parts of the pointer.
            &[
                "p.n is (int)host.number",
                "p.m is (short)(host.number / 4294967296)",
                "p.c is (char)(host.number / 281474976710656)",
                "p.dim.y is from 2 to 1024, and a multiple of 2",
            ],
        ),
        ("set(p, n); cudaMemcpy(&p, q, sizeof p, cudaMemcpyDeviceToHost); k<<<1, 32>>>(p);", &[]),
        ("set(p, n); ((char *)&p)[ask()] = 1; k<<<1, 32>>>(p);", &[]),
    ] {
        assert_eq!(facts_of_fields(&format!("{checked} {host}")), expected, "{host}");
    }
}

#[test]
fn calls_within_a_file_bound_parameters() {
    let helper = "static __attribute__((noinline)) void f(int *a, int n) { k<<<1, 32>>>(a, n, 1); }\n";
    for (host, expected) in [
        ("void g(int *a) { for (int i = 2; i < 8; i++) f(a, i); f(a, 11); }", &["n is from 2 to 11"][..]),
        ("void g(int *a) { f(a, 4); f(a, ask()); }", &[]),
        ("void g(int *a) { f(a, 4); f(a, 5); } void (*other)(int *, int) = f;", &[]),
    ] {
        assert_eq!(host_facts(&[helper, host].concat()), expected, "{host}");
    }
    let many: Vec<String> = (1..=12).map(|n| format!("  k<<<1, 32>>>(a, {}, 1);\n", 8 * n)).collect();
    assert_eq!(
        host_facts(&format!("void f(int *a) {{\n{}}}\n", many.concat())),
        ["n is from 8 to 96, and a multiple of 8"]
    );
}

#[test]
fn allocations_bound_arrays_in_the_launch_without_options() {
    let kernel = "#include <cstdlib>\nvoid *get();\n\
        __global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i LESS n) a[i] = 1; }\n";
    // The program cannot be executed.
    let main = "int main(int argc, char **argv) {\n  get(); int n = argc > 1 ? atoi(argv[1]) : 1000;\n  float *a; BODY\n  \
        k<<<(n + 255) / 256, 256>>>(a, n);\n}\n";
    for (body, less, expected) in [
        ("cudaMalloc(&a, n * sizeof(float));", "<", "verified"),
        ("cudaMalloc(&a, n * sizeof(float));", "<=", "defect"),
        ("cudaMalloc((void **)&a, n * 4 - 4);", "<", "defect"),
        ("for (int i = 0; i < n; i++) rand(); cudaMalloc(&a, n * 4);", "<=", "defect"),
        // These leave the size open.
        ("cudaMalloc(&a, atoi(argv[2]));", "<=", "verified"),
        ("cudaMalloc(&a, n * 4); if (argc > 3) cudaMalloc(&a, n * 8);", "<=", "verified"),
        ("cudaMalloc(&a, n * 4); a = (float *)get();", "<=", "verified"),
        ("cudaMalloc(&a, n * 4); a += 2;", "<=", "verified"),
    ] {
        let source = [kernel.replace("LESS", less), main.replace("BODY", body)].concat();
        let folder = Folder::new(&[("a.cu", source.as_bytes())]);
        let output = folder.run(&["verify", "a.cu", "--format=json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let kernel = &report["kernels"][0];
        assert_eq!(kernel["verdict"], expected, "{body} {less}: {kernel}");
        if expected == "defect" {
            assert_eq!(kernel["by_default"]["verdict"], "defect", "{kernel}");
            let witness = kernel["findings"][0]["witness"].as_array().expect("a witness");
            let words: Vec<&str> = witness.iter().filter_map(serde_json::Value::as_str).collect();
            let again = folder.run(&[&["run", "a.cu"], words.as_slice()].concat());
            assert_eq!(again.status.code(), Some(1), "{words:?}: {}", String::from_utf8_lossy(&again.stdout));
        }
    }
}

#[test]
fn contents_that_the_program_may_have_excuse_a_defect() {
    let kernel = "#include <cstdlib>\n\
        __global__ void fill(int *out, const int *rows, int n) {\n  int row = blockIdx.x * blockDim.x + threadIdx.x;\n  \
        if (row < n) for (int at = rows[row]; at LESS rows[row + 1]; at++) out[at] = row;\n}\n";
    let main = "int main(int argc, char **argv) {\n  int n = argc > 1 ? atoi(argv[1]) : 1000, *rows, *out;\n  \
        cudaMalloc(&rows, (n + 1) * sizeof(int)); cudaMalloc(&out, atoi(argv[2]));\n  \
        fill<<<(n + 255) / 256, 256>>>(out, rows, n);\n}\n";
    for (less, verdict, by_default) in [("<", "conditional", "conditional"), ("<=", "defect", "defect")] {
        let source = [kernel.replace("LESS", less), main.to_owned()].concat();
        let folder = Folder::new(&[("a.cu", source.as_bytes())]);
        let output = folder.run(&["verify", "a.cu", "--format=json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let kernel = &report["kernels"][0];
        assert_eq!(kernel["verdict"], verdict, "{kernel}");
        assert_eq!(kernel["by_default"]["verdict"], by_default, "{kernel}");
        let requires =
            if verdict == "conditional" { serde_json::json!(["sorted(rows)"]) } else { serde_json::json!([]) };
        assert_eq!(*kernel.get("requires").unwrap_or(&serde_json::json!([])), requires, "{kernel}");
    }
}

#[test]
fn contents_that_the_program_may_not_have_leave_a_defect_possible() {
    let kernel = "#include <cstdlib>\nvoid elsewhere();\n\
        __global__ void place(int *out, const int *first, const int *cell, const int *rank, int n) {\n  \
        int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[first[cell[i]] + rank[i]] OP i;\n}\n";
    // The program cannot be executed.
    let main = "int main(int argc, char **argv) {\n  elsewhere();\n  \
        int n = argc > 1 ? atoi(argv[1]) : 1000, *out, *first, *cell, *rank;\n  \
        cudaMalloc(&out, n * 4); cudaMalloc(&first, n * 4); cudaMalloc(&cell, n * 4); cudaMalloc(&rank, n * 4);\n  \
        place<<<(n + 255) / 256, 256>>>(out, first, cell, rank, n);\n}\n";
    // A sum needs an atomic operation, and nobody needs sums of single numbers. Without a host the
    // kernel may have any contents.
    for (op, main, verdict, confirmed) in
        [("=", main, "unknown", false), ("+=", main, "defect", true), ("=", "", "defect", true)]
    {
        let folder = Folder::new(&[("a.cu", [kernel.replace("OP", op), main.to_owned()].concat().as_bytes())]);
        let output = folder.run(&["verify", "a.cu", "--format=json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let kernel = &report["kernels"][0];
        assert_eq!(kernel["verdict"], verdict, "{op}: {kernel}");
        assert_eq!(kernel["findings"][0]["confirmed"], confirmed, "{op}: {kernel}");
        if !confirmed {
            let text = String::from_utf8_lossy(&folder.run(&["verify", "a.cu"]).stdout).into_owned();
            assert!(text.contains("a run shows it with contents of its own"), "{op}: {text}");
        }
    }
}

/// The launch without options has the numbers with which a loop before it ends.
#[test]
fn loops_before_the_launch_are_executed() {
    // The program cannot be executed.
    let kernel = "#include <cstdlib>\nvoid elsewhere();\n\
        __global__ void k(int *a, int p, int q) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = a[i + 1]; }\n";
    for (host, p, q) in [
        ("int n = argc > 1 ? atoi(argv[1]) : 1000, p = 64, q = 0; while (p < n) { p *= 2; q++; }", "1024", "4"),
        ("int p = 64, q = 7; for (int i = 1; i < argc; i++) q = atoi(argv[i]);", "64", "7"),
        ("int p = 0, q = 1; for (int i = 0; i < 10; i++) for (int j = 0; j < i; j++) p += j; q = p + 1;", "120", "121"),
        ("int p = 0, q; for (q = 8; q > 3; q--) p = 5;", "5", "3"),
        // An end in a part of the body that not each iteration comes to.
        ("int p = 0, q = 1024; for (; p < q; p++) { if (p == 7) { if (q % 1024 == 0) break; } }", "7", "1024"),
    ] {
        let main = format!(
            "int main(int argc, char **argv) {{ elsewhere(); {host} int *a; cudaMalloc(&a, 4); k<<<2, 32>>>(a, p, q); }}\n"
        );
        let folder = Folder::new(&[("a.cu", [kernel, &main].concat().as_bytes())]);
        let output = folder.run(&["verify", "a.cu", "--format=json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let kernel = &report["kernels"][0];
        let known = |name: &str| {
            let by_default = kernel["by_default"]["arguments"][name].as_str();
            by_default.or(kernel["launch"]["arguments"][name].as_str()).unwrap_or_default().to_owned()
        };
        assert_eq!((known("p").as_str(), known("q").as_str()), (p, q), "{host}: {kernel}");
    }
}

/// The report on the first kernel of a source, verified with these words.
fn first_kernel(source: &str, words: &[&str]) -> serde_json::Value {
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&[&["verify", "a.cu", "--format=json"], words].concat());
    let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["kernels"][0].take()
}

/// A launch behind a flag that an option sets is none without options.
#[test]
fn flags_decide_whether_there_is_a_launch_without_options() {
    let program = |launched: &str| {
        format!(
            "#include <cstdlib>\n#include <cstring>\nvoid elsewhere();\n\
             __global__ void k(int *a, int p) {{ a[0] = threadIdx.x + p; }}\n\
             int main(int argc, char **argv) {{\n  elsewhere(); bool fast = false, slow = true; int p = 3;\n  \
             for (int i = 1; i < argc; i++) {{\n    if (!strcmp(argv[i], \"-f\")) fast = true;\n    \
             if (!strcmp(argv[i], \"-s\")) slow = false;\n    else p = atoi(argv[i]);\n  }}\n  \
             int *a; cudaMalloc(&a, 4);\n  if ({launched}) k<<<2, 32>>>(a, p);\n}}\n"
        )
    };
    for (launched, is_there) in [("slow", true), ("!fast", true), ("fast", false), ("!slow", false)] {
        let kernel = first_kernel(&program(launched), &[]);
        assert_eq!(kernel["by_default"].is_object(), is_there, "{launched}: {kernel}");
    }
}

/// A program whose `main` is in another file passes numbers that are not known here. A defect
/// hinges on such a number if the launch does not have it with another one.
#[test]
fn numbers_from_other_files_may_be_any_or_few() {
    let program = |index: &str, host: &str| {
        format!(
            "__global__ void tile(int *a, int pitch, int n) {{\n  \
             int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n  a[{index}] = x + 32 * y;\n}}\n\
             {host}\n"
        )
    };
    let plain = "void launch(int *a, int pitch, int n) { tile<<<dim3(4, 4), dim3(8, 8)>>>(a, pitch, n); }";
    let bounded = "void launch(int *a, int pitch, int n) {\n  \
        if (pitch > 16) return;\n  tile<<<dim3(4, 4), dim3(8, 8)>>>(a, pitch, n);\n}";
    let computed = "int ask(int *);\nvoid launch(int *a, int n) {\n  \
        int pitch = ask(a);\n  tile<<<dim3(4, 4), dim3(8, 8)>>>(a, pitch, n);\n}";
    let in_program = format!("{plain}\nint main(int count, char **) {{ launch(0, count, count); }}");
    for (index, host, verdict) in [
        ("y * pitch + x", plain, "unknown"),
        ("y * pitch + x", computed, "unknown"),
        // Both must be large, one more than the other.
        ("y * pitch + (x & 7) + (x >> 3) * n", plain, "unknown"),
        // The number of words is any.
        ("y * pitch + x", in_program.as_str(), "defect"),
        // No allowed number is large enough.
        ("y * pitch + x", bounded, "defect"),
        ("(y * 31 + x) & 1023", plain, "defect"),
        ("n + (y * pitch + x) / 2", plain, "defect"),
    ] {
        let kernel = first_kernel(&program(index, host), &["--without=preconditions"]);
        assert_eq!(kernel["verdict"], verdict, "{index}, {host}: {kernel}");
        let because = kernel["findings"][0]["because"].to_string();
        assert_eq!(because.contains("where that is not followed"), verdict == "unknown", "{kernel}");
    }
}

/// Findings about kernels that a program does not launch are only possible, unless sizes are given.
#[test]
fn kernels_that_nobody_launches_have_possible_findings() {
    let program = |host: &str| {
        format!(
            "#include <cuda_runtime.h>\n__global__ void used(int *a) {{ a[threadIdx.x] = 1; }}\n\
             extern \"C\" __global__ void unused(int *a) {{ a[threadIdx.x] = a[threadIdx.x + 1]; }}\n{host}\n"
        )
    };
    let main = "int main() { int *a; cudaMalloc(&a, 256); used<<<1, 64>>>(a); return 0; }";
    let by_name = "#include <cuda.h>\nint main() {\n  CUmodule m; CUfunction f; cuModuleLoad(&m, \"a\");\n  \
        cuModuleGetFunction(&f, m, \"unused\"); cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0); return 0;\n}";
    let uncalled = format!("void launch(int *a) {{ unused<<<1, 64>>>(a); }}\n{main}");
    let called = uncalled.replace("return 0;", "launch(a); return 0;");
    let weak = called.replace("void launch", "__attribute__((weak)) void launch");
    let library = "void launch(int *a) { used<<<1, 64>>>(a); }";
    let escaping = format!("void take(void *);\nvoid give() {{ take((void *)unused); }}\n{main}");
    let sized = ["--local-size=64", "--num-groups=1"];
    for (host, words, verdict) in [
        (main, &[][..], "unknown"),
        (main, &sized, "defect"),
        (main, &["--open-sizes"], "defect"),
        (by_name, &[], "defect"),
        (uncalled.as_str(), &[], "unknown"),
        (called.as_str(), &[], "defect"),
        (weak.as_str(), &[], "defect"),
        (library, &[], "defect"),
        (escaping.as_str(), &[], "defect"),
    ] {
        let words = [&["--kernel=unused", "--without=preconditions"], words].concat();
        let kernel = first_kernel(&program(host), &words);
        assert_eq!(kernel["verdict"], verdict, "{host}: {kernel}");
        let because = kernel["findings"][0]["because"].to_string();
        assert_eq!(because.contains("comes to no launch of the kernel"), verdict == "unknown", "{host}: {kernel}");
    }
}

/// A node of a graph is a launch with the sizes in a struct.
#[test]
fn nodes_of_graphs_are_launches() {
    let program = |between: &str, groups: u32| {
        format!(
            "{OF_ONE_GROUP}#include <string.h>\nvoid elsewhere(cudaKernelNodeParams *);\n\
             int main(int argc, char **argv) {{\n  cudaGraph_t graph; cudaGraphNode_t node; int *a, n = argc;\n  \
             cudaMalloc(&a, 4096); cudaGraphCreate(&graph, 0);\n  void *arguments[] = {{&a, &n}};\n  \
             cudaKernelNodeParams params; memset(&params, 0, sizeof params);\n  params.func = (void *)k;\n  \
             params.gridDim = dim3({groups}, 1, 1); params.blockDim = dim3(64, 1, 1);\n  \
             params.kernelParams = arguments;\n  {between}\n  \
             cudaGraphAddKernelNode(&node, graph, 0, 0, &params);\n  return 0;\n}}\n"
        )
    };
    let launch = "of 64 threads, as line 13 launches it";
    assert_eq!(launches_of(&program("", 1)), [format!("verified k: 1 group {launch}")]);
    assert_eq!(launches_of(&program("", 2)), [format!("defect k: 2 groups {launch}")]);
    let chosen = launches_of(&program("if (argc > 1) params.gridDim.x = 2;", 1));
    assert_eq!(chosen, [format!("defect k: any number of groups {launch}")]);
    // Each node has the sizes that were stored last.
    let earlier = "cudaGraphAddKernelNode(&node, graph, 0, 0, &params); params.gridDim.x = 2;";
    let launches = launches_of(&program(earlier, 1));
    assert_eq!(launches.len(), 2, "{launches:?}");
    assert!(launches.iter().any(|one| one.starts_with("defect k: 2 groups")), "{launches:?}");
    for hidden in [
        "elsewhere(&params);",
        "cudaKernelNodeParams copy; memcpy(&copy, &params, sizeof copy); elsewhere(&copy);",
        "static cudaKernelNodeParams *kept; kept = &params; elsewhere(nullptr);",
        "cudaKernelNodeParams other; cudaGraphKernelNodeGetParams(node, &other); cudaGraphKernelNodeSetParams(node, &other);",
        "void *f = *(void *volatile *)&params.func; cudaLaunchKernel(f, dim3(2), dim3(64), arguments, 0, 0);",
    ] {
        let launches = launches_of(&program(hidden, 1));
        assert!(launches.iter().any(|one| one.contains("goes where it is not followed")), "{hidden}: {launches:?}");
    }
}

/// A node in a function without debug information has no line, and is a launch of any size.
#[test]
fn a_node_whose_line_is_not_known_is_any() {
    let program = |attribute: &str| {
        format!(
            "{OF_ONE_GROUP}{attribute} int main(int argc, char **argv) {{\n  cudaGraph_t graph; cudaGraphNode_t node;\n  \
             cudaKernelNodeParams params = {{}}; params.func = (void *)k;\n  \
             params.gridDim = dim3(1); params.blockDim = dim3(64);\n  \
             cudaGraphAddKernelNode(&node, graph, 0, 0, &params);\n  return 0;\n}}\n"
        )
    };
    let known = launches_of(&program(""));
    assert!(known.len() == 1 && known[0].starts_with("verified k: 1 group of 64 threads"), "{known:?}");
    let unknown = launches_of(&program("__attribute__((nodebug))"));
    assert!(unknown.iter().any(|one| one.contains("any number of groups of any size")), "{unknown:?}");
}

/// Launches count in each file of the source, whatever the first one says.
#[test]
fn launches_in_included_files_are_seen() {
    let kernels = "__global__ void flip(int *a) {\n  __shared__ int tile[64]; tile[threadIdx.x] = 1; __syncthreads();\n  \
        a[64 * blockIdx.x + threadIdx.x] = tile[63 - threadIdx.x];\n}\n\
        inline void launch(int *a) { flip<<<4, 64>>>(a); }\n";
    let main = "#include \"kernels.cuh\"\nint main() { int *a; cudaMalloc(&a, 4 * 64 * 4); launch(a); return 0; }\n";
    let folder = Folder::new(&[("a.cu", main.as_bytes()), ("kernels.cuh", kernels.as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--format=json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let kernel = &report["kernels"][0];
    assert_eq!(kernel["verdict"], "verified", "{report}");
    assert_eq!(kernel["launch"]["at"], serde_json::json!([{"file": "kernels.cuh", "line": 5}]), "{report}");
}

/// `min` and `max` of the toolkit bound sizes and arguments.
#[test]
fn smallest_and_largest_numbers_are_followed() {
    let source = "__global__ void k(int *a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = n; }\n\
        int all(int *a) { int n = 1 << 12; unsigned m = 96;\n\
        k<<<max(n / 256, 3), min(n, 64)>>>(a, min(7u, m));\n\
        k<<<min(-1, 2) + 3, max(64l, 32l)>>>(a, max(-1, 5u));\n  return 0; }\n";
    let expected = [
        "verified k: 16 groups of 64 threads, with n = 7, as line 3 launches it",
        "verified k: 2 groups of 64 threads, with n = 4294967295 (-1 if signed), as line 4 launches it",
    ];
    assert_eq!(launches_of(source), expected);
}

/// A host that computes the size of its groups where that is not followed.
#[test]
fn groups_that_the_host_computes_elsewhere_have_possible_findings() {
    let program = |body: &str, size: &str| {
        format!(
            "#include <cstdlib>\nint ask();\n__global__ void k(int *a, int n) {{\n  __shared__ int tile[128]; \
             int t = threadIdx.x;\n  {body}\n}}\n\
             int main(int argc, char **argv) {{\n  int *a; cudaMalloc(&a, 4096);\n  k<<<1, {size}>>>(a, 3);\n}}\n"
        )
    };
    let reversed = "tile[t] = t; __syncthreads(); a[t] = tile[blockDim.x - 1 - t];";
    let racing = "tile[t & 127] = t; a[t] = tile[(t + 1) & 127];";
    for (body, size, verdict) in [
        (reversed, "ask()", "unknown"),
        (reversed, "argc > 1 ? atoi(argv[1]) : 64", "defect"),
        (reversed, "128", "verified"),
        (racing, "ask()", "defect"),
    ] {
        let kernel = first_kernel(&program(body, size), &["--without=preconditions"]);
        assert_eq!(kernel["verdict"], verdict, "{body}, {size}: {kernel}");
        let because = kernel["findings"][0]["because"].to_string();
        assert_eq!(because.contains("the size of groups"), verdict == "unknown", "{kernel}");
    }
}
