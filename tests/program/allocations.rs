//! The sizes of the memory that hosts allocate, against which accesses are checked.

use crate::command::Folder;

/// The kernels. `at` says which elements of `n` a thread writes.
const KERNELS: &str = "#include <cstdlib>\n#include <vector>\n\
    __global__ void fill(float *p, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  \
    if (i < n) p[i] = 1.0f;\n}\n\
    struct Pair { float *data; int count; };\n\
    __global__ void fill_pair(Pair pair) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  \
    if (i < pair.count) pair.data[i] = 1.0f;\n}\n\
    __global__ void smooth(const float *in, float *out, int width, int height) {\n  \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n  \
    if (x < width && y < height) out[y * width + x] = in[y * width + x];\n}\n\
    __global__ void turn(const float *in, float *out, int width, int height) {\n  \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n  \
    if (x < width && y < height) out[x * width + y] = in[y * width + x];\n}\n";

/// The report on one kernel of a program with this host code behind the kernels.
fn report(kernel: &str, host: &str) -> serde_json::Value {
    let folder = Folder::new(&[("a.cu", [KERNELS, host].concat().as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--format=json", "--kernel", kernel]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["kernels"][0].clone()
}

fn main_of(body: &str) -> String {
    format!("int main(int argc, char **argv) {{\n  int n = atoi(argv[1]);\n  if (n < 1) return 1;\n{body}}}\n")
}

/// Whether a proof rests on the assumption that accesses stay inside arrays of unknown size.
fn assumes_inside(kernel: &serde_json::Value) -> bool {
    kernel["assumptions"].to_string().contains("accesses stay inside arrays whose sizes are not known")
}

/// The memory of a vector of Thrust.
const RAW: &str = "thrust::raw_pointer_cast(v.data())";

const THRUST: &str = "#include <thrust/device_vector.h>\n#include <thrust/fill.h>\n";

const FILL: &str = "fill<<<(n + 255) / 256, 256>>>(p, n);";

#[test]
fn allocations_that_are_large_enough_need_no_assumption() {
    for (kernel, before, body) in [
        ("fill", "", format!("  float *p; cudaMalloc(&p, n * sizeof(float)); {FILL}\n")),
        ("fill", "", format!("  float *p; cudaMalloc(&p, (n + 1) * sizeof(float)); {FILL}\n")),
        ("fill", "", format!("  float *p; size_t bytes = 4; bytes *= n; cudaMalloc((void **)&p, bytes); {FILL}\n")),
        (
            "fill",
            "static float *room(int n) { float *p; cudaMalloc(&p, n * 4); return p; }\n",
            format!("  float *p = room(n), *q = room(2 * n); {FILL}\n  cudaFree(q);\n"),
        ),
        ("fill", "static float *p;\n", format!("  cudaMalloc(&p, n * 4); {FILL}\n")),
        ("fill", "", format!("  std::vector<float> h(n); float *p; cudaMalloc(&p, h.size() * 4); {FILL}\n")),
        (
            "fill",
            "static float *copy(const std::vector<float> &h) {\n  float *p; cudaMalloc(&p, h.size() * 4);\n  \
             cudaMemcpy(p, h.data(), h.size() * 4, cudaMemcpyHostToDevice);\n  return p;\n}\n",
            format!("  std::vector<float> h(n); float *p = copy(h); {FILL}\n"),
        ),
        (
            "fill_pair",
            "",
            "  Pair pair; pair.count = n; cudaMalloc(&pair.data, n * 4); fill_pair<<<(n + 255) / 256, 256>>>(pair);\n"
                .to_owned(),
        ),
        (
            "fill",
            "",
            "  float *p[2]; for (float *&one : p) cudaMalloc(&one, n * 4);\n  \
             for (int r = 0; r < 9; r++) fill<<<(n + 255) / 256, 256>>>(p[r % 2], n);\n"
                .to_owned(),
        ),
        ("fill", THRUST, format!("  thrust::device_vector<float> v(n); float *p = {RAW}; {FILL}\n")),
        (
            "fill",
            THRUST,
            format!(
                "  thrust::host_vector<float> h(n); h[0] = 2; thrust::device_vector<float> v = h, w = v;\n  \
                 thrust::fill(v.begin(), v.end(), 1.0f); float *p = {RAW}; {FILL}\n  w = v;\n"
            ),
        ),
        ("fill", THRUST, format!("  thrust::device_vector<float> v; v.resize(n); float *p = {RAW}; {FILL}\n")),
        (
            "smooth",
            "",
            "  int m = atoi(argv[2]); if (m < 1) return 1;\n  float *a, *b; cudaMalloc(&a, n * m * 4); \
             cudaMalloc(&b, n * m * 4);\n  for (int r = 0; r < 9; r++) {\n    \
             smooth<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, n, m);\n    \
             float *c = a; a = b; b = c;\n  }\n"
                .to_owned(),
        ),
    ] {
        let host = [before, &main_of(&body)].concat();
        let kernel = report(kernel, &host);
        assert_eq!(kernel["verdict"], "verified", "{host}{kernel}");
        assert!(!assumes_inside(&kernel), "{host}{kernel}");
        assert!(kernel["assumptions"].to_string().contains("as the source allocates it"), "{host}{kernel}");
    }
}

#[test]
fn allocations_that_are_too_small_are_found() {
    for (kernel, before, body) in [
        ("fill", "", format!("  float *p; cudaMalloc(&p, (n - 1) * sizeof(float)); {FILL}\n")),
        ("fill", "", format!("  float *p; cudaMalloc(&p, n); {FILL}\n")),
        (
            "fill",
            "static float *room(int n) { float *p; cudaMalloc(&p, n * 4); return p; }\n",
            format!("  float *p = room(n - 1), *q = room(2 * n); {FILL}\n  cudaFree(q);\n"),
        ),
        ("fill", "", format!("  std::vector<float> h(n / 2); float *p; cudaMalloc(&p, h.size() * 4); {FILL}\n")),
        ("fill", THRUST, format!("  thrust::device_vector<float> v(n - 1); float *p = {RAW}; {FILL}\n")),
        (
            "fill",
            THRUST,
            format!(
                "  thrust::host_vector<float> h(n - 1); thrust::device_vector<float> v = h; float *p = {RAW}; {FILL}\n"
            ),
        ),
        (
            "fill",
            THRUST,
            format!(
                "  thrust::device_vector<float> v(n); v.resize(n - 1); v.shrink_to_fit(); float *p = {RAW}; {FILL}\n"
            ),
        ),
        (
            "fill_pair",
            "",
            "  Pair pair; pair.count = n; cudaMalloc(&pair.data, n * 2); fill_pair<<<(n + 255) / 256, 256>>>(pair);\n"
                .to_owned(),
        ),
        (
            "smooth",
            "",
            "  int m = atoi(argv[2]); if (m < 1) return 1;\n  float *a, *b; cudaMalloc(&a, (n * m - 1) * 4); \
             cudaMalloc(&b, (n * m - 1) * 4);\n  for (int r = 0; r < 9; r++) {\n    \
             smooth<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, n, m);\n    \
             float *c = a; a = b; b = c;\n  }\n"
                .to_owned(),
        ),
    ] {
        let host = [before, &main_of(&body)].concat();
        let kernel = report(kernel, &host);
        assert_eq!(kernel["verdict"], "defect", "{host}{kernel}");
        let finding = &kernel["findings"][0];
        assert_eq!((&finding["code"], &finding["confirmed"]), (&"LS0107".into(), &true.into()), "{host}{finding}");
    }
}

/// Where `width >= height`, no two threads write one cell, and the last cell is beyond `width *
/// height` cells.
#[test]
fn preconditions_are_compared_with_what_the_host_allocates() {
    let host = |cells: &str| {
        main_of(&format!(
            "  int m = atoi(argv[2]); if (m < 1) return 1;\n  float *a, *b; cudaMalloc(&a, n * m * 4); \
             cudaMalloc(&b, {cells} * 4);\n  \
             turn<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, n, m);\n"
        ))
    };
    let kernel = report("turn", &host("n * n"));
    assert_eq!((&kernel["verdict"], &kernel["requires"][0]), (&"conditional".into(), &"width >= height".into()));
    assert!(!assumes_inside(&kernel), "{kernel}");
    let kernel = report("turn", &host("n * m"));
    let findings = kernel["findings"].as_array().expect("findings");
    let is_outside = |finding: &serde_json::Value| finding["code"] == "LS0107" && finding["confirmed"] == true;
    assert_eq!(kernel["verdict"], "defect", "{kernel}");
    assert!(findings.iter().any(is_outside), "{kernel}");
}

/// In each of these programs, some launch may get memory of another size than a careless look at
/// the calls says.
#[test]
fn sizes_that_are_not_sure_stay_assumptions() {
    for (before, body) in [
        // The memory of the iteration before, which is smaller.
        (
            "",
            "  float *p, *q = nullptr;\n  for (int r = 0; r < 3; r++) {\n    cudaMalloc(&p, n * 4);\n    \
             if (q) fill<<<(n + 255) / 256, 256>>>(q, n);\n    q = p; n *= 2;\n  }\n",
        ),
        // A pointer that moves, at first by nothing.
        (
            "",
            "  float *p; cudaMalloc(&p, n * 4);\n  \
             for (int r = 0; r < n; r++) fill<<<(n + 255) / 256, 256>>>(p + r, n);\n",
        ),
        ("", "  float *p; cudaMalloc(&p, n * 4); fill<<<(n + 255) / 256, 256>>>(p + 1, n);\n"),
        // The size wraps around for some numbers, for which there is no launch.
        ("", "  float *p; cudaMalloc(&p, (n + 1) * 4); fill<<<(n + 255) / 256, 256>>>(p, n);\n"),
        // One of several sizes.
        (
            "",
            "  float *p; if (argc > 2) cudaMalloc(&p, n * 4); else cudaMalloc(&p, n * 2);\n  \
             fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        (
            "",
            "  float *p[2]; cudaMalloc(&p[0], n * 4); cudaMalloc(&p[1], n * 2);\n  \
             for (int r = 0; r < 2; r++) fill<<<(n + 255) / 256, 256>>>(p[r], n);\n",
        ),
        (
            "",
            "  float *p[9]; for (int r = 0; r < 9; r++) cudaMalloc(&p[r], (n - r) * 4);\n  \
             fill<<<(n + 255) / 256, 256>>>(p[8], n);\n",
        ),
        // A vector that becomes smaller, perhaps.
        (
            THRUST,
            "  thrust::device_vector<float> v(n); if (argc > 2) v = thrust::device_vector<float>(n / 2);\n  \
             fill<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(v.data()), n);\n",
        ),
        // Memory of the call before.
        (
            "static float *p;\nstatic void step(int n) {\n  if (p) fill<<<(n + 255) / 256, 256>>>(p, n);\n  \
             cudaMalloc(&p, n * 4);\n}\n",
            "  step(n); step(2 * n);\n",
        ),
        // Other functions know the variable.
        (
            "void change(float **);\n",
            "  float *p; cudaMalloc(&p, n * 4); change(&p); fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        ("float *p; void change();\n", "  cudaMalloc(&p, n * 4); change(); fill<<<(n + 255) / 256, 256>>>(p, n);\n"),
        // Vectors that change.
        (
            "",
            "  std::vector<float> h(n); h.resize(n / 2); float *p; cudaMalloc(&p, h.size() * 4);\n  \
             fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        (
            "void change(std::vector<float> &);\n",
            "  std::vector<float> h(n); change(h); float *p; cudaMalloc(&p, h.size() * 4);\n  \
             fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        // Functions that are executed again, and functions that know the vector as something else.
        (
            "static float *g;\nstatic void f(int n) {\n  cudaMalloc(&g, n * 4); if (n > 1) f(n - 1);\n  \
             fill<<<(n + 255) / 256, 256>>>(g, n);\n}\n",
            "  f(n);\n",
        ),
        (
            "",
            "  auto keep = [](const std::vector<int> &rows, auto &data) { data.resize(rows.size()); };\n  \
             std::vector<int> rows{1, 2, 3}; std::vector<float> data(n); keep(rows, data);\n  \
             float *p; cudaMalloc(&p, data.size() * 4); fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        (
            "void grow(const std::vector<float> &, void *);\n",
            "  std::vector<float> s(2), h(n); grow(s, &h); float *p; cudaMalloc(&p, h.size() * 4);\n  \
             fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        (
            "static void cut(const std::vector<float> &v) { const_cast<std::vector<float> &>(v).resize(1); }\n",
            "  std::vector<float> h(n); cut(h); float *p; cudaMalloc(&p, h.size() * 4);\n  \
             fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        // A pointer that is written as bytes, or as a number.
        (
            "static void copy(void *d, const void *s, int k) {\n  \
             for (int i = 0; i < k; i++) ((char *)d)[i] = ((const char *)s)[i];\n}\n",
            "  float *p, *q; cudaMalloc(&p, n * 4); cudaMalloc(&q, 4); if (argc > 2) copy(&p, &q, sizeof p);\n  \
             fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        // Functions of the program with the toolkit's name, and one that another file may replace.
        (
            "__attribute__((noinline)) static cudaError_t cudaMalloc(float **p, long long bits) {\n  \
             return cudaMalloc((void **)p, (size_t)bits / 8);\n}\n",
            "  float *p; cudaMalloc(&p, n * 32ll); fill<<<(8 * n + 255) / 256, 256>>>(p, 8 * n);\n",
        ),
        (
            "__attribute__((weak)) float *room(int n) { float *p; cudaMalloc(&p, n * 4); return p; }\n",
            "  float *p = room(n); fill<<<(n + 255) / 256, 256>>>(p, n);\n",
        ),
        // No memory at all.
        ("", "  float *p = nullptr; if (argc > 2) cudaMalloc(&p, n * 4);\n  fill<<<(n + 255) / 256, 256>>>(p, n);\n"),
        // A variable with memory from the start, and one that is copied over.
        (
            "static float small[4]; static float *g = small;\n",
            "  if (argc > 2) cudaMalloc(&g, n * 4);\n  fill<<<(n + 255) / 256, 256>>>(g, n);\n",
        ),
        (
            "struct Tagged { long tag; float *p; };\n",
            "  Tagged s, *d; cudaMalloc(&s.p, n * 4); cudaMalloc(&d, sizeof s);\n  \
             cudaMemcpy(&s, d, sizeof s, cudaMemcpyDeviceToHost); fill<<<(n + 255) / 256, 256>>>(s.p, n);\n",
        ),
        // A method that is said to be constant.
        (
            "struct Box { mutable float *p; void shrink() const; };\n",
            "  Box b; cudaMalloc(&b.p, n * 4); b.shrink(); fill<<<(n + 255) / 256, 256>>>(b.p, n);\n",
        ),
        // The number is computed again, with memory from before.
        (
            "#include <csetjmp>\nstatic jmp_buf buffer;\n",
            "  float *p; int k = setjmp(buffer); int m = rand(); if (m < 1) return 1;\n  \
             if (k == 0) { cudaMalloc(&p, m * 4); if (m > 5) longjmp(buffer, 1); }\n  \
             fill<<<(m + 255) / 256, 256>>>(p, m);\n",
        ),
    ] {
        let host = [before, &main_of(body)].concat();
        let kernel = report("fill", &host);
        assert_eq!(kernel["verdict"], "verified", "{host}{kernel}");
        assert!(assumes_inside(&kernel), "{host}{kernel}");
    }
}

/// The memory is large enough for each number that passes the condition, which is no relation.
#[test]
fn conditions_that_are_not_followed_leave_no_defect() {
    for (before, condition) in [
        ("bool valid(int n);\n", "!valid(n)"),
        ("", "__builtin_popcount(n) != 1"),
        ("#include <cmath>\n", "n / 32.0 != std::floor(n / 32.0)"),
    ] {
        let body = format!(
            "  if (n < 32 || n > 4096 || {condition}) return 1;\n  float *p; cudaMalloc(&p, n / 32 * 32 * 4); {FILL}\n"
        );
        let host = [before, &main_of(&body)].concat();
        let kernel = report("fill", &host);
        assert_eq!(kernel["verdict"], "verified", "{host}{kernel}");
        assert!(assumes_inside(&kernel), "{host}{kernel}");
    }
    let body = format!("  if (n < 32 || n > 4096) return 1;\n  float *p; cudaMalloc(&p, n / 32 * 32 * 4); {FILL}\n");
    assert_eq!(report("fill", &main_of(&body))["verdict"], "defect", "{body}");
}
