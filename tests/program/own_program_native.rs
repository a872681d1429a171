//! The host's code of a program computes what the machine computes: each program here is run by
//! `run --program`, and as a program of the machine.

use std::process::Command;

use crate::command::Folder;

/// The headers, and a number that all bits of a computation go into.
const BEFORE: &str = r"
#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
#ifdef __CUDA__
__global__ void unused(int *p) { p[threadIdx.x] = 1; }
#endif
static uint64_t all = 14695981039346656037u;
static void mix(uint64_t bits) { all = (all ^ bits) * 1099511628211u; }
static void mixed(double value) { uint64_t bits; std::memcpy(&bits, &value, 8); mix(bits); }
static void mixf(float value) { uint32_t bits; std::memcpy(&bits, &value, 4); mix(bits); }
";

const AFTER: &str = r"
int main(int argc, char **) {
    compute(argc);
#ifdef __CUDA__
    if (argc > 50) unused<<<1, 1>>>(nullptr);
#endif
    const uint32_t folded = uint32_t(all ^ all >> 32);
    return int(folded & 0x7FFFFFFF);
}
";

/// `compute` for each program, by name. `n` is 1, which no compiler knows.
const PROGRAMS: [(&str, &str); 22] = [
    ("integers", "void compute(int n) {
        for (int i = -40 * n; i < 40; i++) {
            int8_t a = i * 37; uint16_t b = i * 977; int32_t c = i * 123456789u; uint64_t d = i * 0x9E3779B97F4A7C15u;
            mix(uint64_t(a / (i | 1)) + b % 7 + (c >> 3) + (d >> 5) + (a < b) + (c < a) * 2 + (d > b) * 4);
            mix(uint64_t(c) << (i & 31)); mix(uint32_t(c) >> (i & 31)); mix(int64_t(c) * a - b);
            mix(__builtin_popcountll(d)); mix(__builtin_clz(b | 1)); mix(__builtin_ctzll(d | 256)); mix(__builtin_bswap32(c));
            mix((d << 13 | d >> 51)); mix((uint32_t(c) << 7 | uint32_t(c) >> 25)); mix(std::abs(c)); mix(std::min(a, int8_t(n)));
            int sum; mix(__builtin_add_overflow(c, c, &sum)); mix(uint32_t(sum));
            long long product; mix(__builtin_mul_overflow((long long)d, 3LL * c, &product)); mix(product);
        }
    }"),
    ("floats", "void compute(int n) {
        for (int i = -30 * n; i < 30; i++) {
            float a = i * 0.37f; double b = i / 7.0;
            mixf(a * 3 - 1 / (a + 100)); mixed(b * b - a); mixf(std::sqrt(std::fabs(a))); mixed(std::sqrt(std::fabs(b)));
            mixf(std::floor(a)); mixed(std::ceil(b)); mixed(std::trunc(b)); mixed(std::round(b)); mixed(std::fmod(b, 1.3));
            mix(int(a)); mix(unsigned(std::fabs(b))); mix((long long)(b * 1e12)); mixf(float(b)); mixed(std::copysign(b, -a));
            mix(a < b); mix(a == b); mix(!(a <= b)); mix(std::isnan(b / 0 - b / 0)); mixed(std::fma(b, b, a));
            mixed(std::fmax(a, b)); mixf(fminf(a, 1.5f)); mixed(std::ldexp(b, 3)); mix(std::lround(b));
            mixed(n ? uint64_t(i) * 3.0 : 0); mixf(uint64_t(i * 1000003u)); mixed(double(int64_t(i) << 40));
        }
    }"),
    ("sorting", "struct Item { int key; float weight; bool operator<(const Item &o) const { return key < o.key; } };
    void compute(int n) {
        std::vector<Item> items; for (int i = 0; i < 1000 * n; i++) items.push_back({(i * 7919) % 1009, i * 0.5f});
        std::sort(items.begin(), items.end()); for (auto &i : items) { mix(i.key); mixf(i.weight); }
        std::vector<int> v(500); std::iota(v.begin(), v.end(), -250);
        std::stable_sort(v.begin(), v.end(), [](int a, int b) { return a * a < b * b; }); for (int x : v) mix(x);
        std::nth_element(v.begin(), v.begin() + 100, v.end()); mix(v[100]); std::reverse(v.begin(), v.end());
        std::partial_sum(v.begin(), v.end(), v.begin()); mix(std::accumulate(v.begin(), v.end(), 0));
        std::make_heap(v.begin(), v.end()); std::pop_heap(v.begin(), v.end()); mix(v.back());
        mix(std::lower_bound(items.begin(), items.end(), Item{500, 0}) - items.begin());
        v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x & 1; }), v.end()); mix(v.size());
    }"),
    ("trees", "void compute(int n) {
        std::map<int, double> m; for (int i = 0; i < 700 * n; i++) m[(i * 7919) % 701] += i * 0.25;
        for (int i = 0; i < 300; i += 3) m.erase(i); for (auto &[k, v] : m) { mix(k); mixed(v); }
        std::set<std::pair<int, int>> s; for (int i = 0; i < 100; i++) s.insert({i % 10, -i});
        for (auto &p : s) mix(p.first * 1000 + p.second); mix(s.count({3, -13})); mix(m.lower_bound(350)->first);
        std::multimap<int, int> mm; for (int i = 0; i < 50; i++) mm.emplace(i % 5, i); for (auto &p : mm) mix(p.second);
    }"),
    ("tables", "void compute(int n) {
        std::unordered_map<int, int> m; for (int i = 0; i < 2000 * n; i++) m[i * 31 % 977] += i;
        uint64_t sum = 0; for (auto &p : m) sum += uint64_t(p.first) * p.second; mix(sum); mix(m.size()); mix(m.bucket_count());
        m.erase(5); mix(m.find(5) == m.end()); m.rehash(5000); mix(m.bucket_count());
    }"),
    ("texts", "void compute(int n) {
        std::string s = \"abc\"; for (int i = 0; i < 30 * n; i++) s += char('a' + i % 26); s.insert(3, \"--\"); s.replace(0, 2, \"xyz\");
        mix(s.size()); for (char c : s) mix(c); mix(s.find(\"mno\")); mix(s.rfind('a')); mix(s.substr(5, 9) < s.substr(6));
        std::string t = std::to_string(12345 * n) + \"/\" + std::to_string(-7); for (char c : t) mix(c); mix(std::stoi(\"77\") + std::stod(\"2.5\"));
        s.erase(2, 4); s.resize(60, 'q'); s.push_back('!'); mix(s.compare(t) > 0); mix(t == \"12345/-7\"); mix(s.find_first_of(\"q!\"));
        std::vector<std::string> words{\"one\", \"two two two two two two\", \"three\"}; std::sort(words.begin(), words.end());
        for (auto &w : words) for (char c : w) mix(c);
    }"),
    ("words_of_c", "void compute(int n) {
        char buffer[200]; snprintf(buffer, sizeof buffer, \"%d|%5u|%-6s|%08.3f|%x|%c|%ld|%%|%e\", -5 * n, 42u, \"ab\", 3.14159, 255, 'z', 1L << 40, 12345.678);
        mix(strlen(buffer)); for (char *c = buffer; *c; c++) mix(*c); mix(atoi(\"  -17x\")); mixed(atof(\"2.75e2\")); char *end;
        mix(strtol(\"0x1fz\", &end, 16)); mix(*end); mix(strcmp(\"abc\", \"abd\") < 0); mix(strncmp(\"abc\", \"abd\", 2)); mix(strchr(buffer, '|') - buffer);
        char copy[200]; strcpy(copy, buffer); strcat(copy, \"tail\"); mix(strstr(copy, \"tail\") - copy); memmove(copy + 3, copy, 20); mix(memcmp(copy, buffer, 10) > 0);
        memset(copy, 'x', 5); for (int i = 0; i < 30; i++) mix(copy[i]); mix(strspn(\"aab\", \"a\"));
    }"),
    ("randomness", "void compute(int n) {
        std::mt19937 g(123 * n); std::uniform_int_distribution<int> d(-5, 99); std::mt19937_64 h(7);
        for (int i = 0; i < 800; i++) { mix(g()); mix(d(g)); mix(h()); } std::uniform_real_distribution<float> r(0, 1);
        for (int i = 0; i < 50; i++) mixf(r(g)); srand(5); for (int i = 0; i < 50; i++) mix(rand()); mix(rand() % 100);
        std::minstd_rand q(3); std::vector<int> v(100); std::iota(v.begin(), v.end(), 0); std::shuffle(v.begin(), v.end(), q); for (int x : v) mix(x);
        srand48(9); for (int i = 0; i < 10; i++) mixed(drand48()); std::bernoulli_distribution b(0.3); for (int i = 0; i < 20; i++) mix(b(g));
    }"),
    ("structs_in_registers", "struct P { float x, y; }; struct Q { int a; double b; }; struct R { char c[3]; }; struct S { long l[5]; };
    __attribute__((noinline)) P p(P a, float s) { return {a.x * s, a.y + s}; } __attribute__((noinline)) Q q(Q a, P b) { return {int(a.b) + 1, a.a + b.x}; }
    __attribute__((noinline)) R r(R a) { std::swap(a.c[0], a.c[2]); return a; } __attribute__((noinline)) S s(S a) { a.l[2] += 7; return a; }
    __attribute__((noinline)) long t(S a, int i) { a.l[i] = 1; return a.l[0] + a.l[4]; } struct V { float f[3]; }; __attribute__((noinline)) V v(V a, V b) { return {a.f[0] + b.f[2], a.f[1], b.f[1]}; }
    void compute(int n) { P a = p({1.5f, 2.5f}, n); mixf(a.x); mixf(a.y); Q b = q({n, 3.5}, a); mix(b.a); mixed(b.b); R c = r({{'a', 'b', char(n)}}); mix(c.c[0]); mix(c.c[2]);
        S d = s({{1, 2, 3, 4, n}}); mix(t(d, 1)); mix(d.l[1]); mix(d.l[2]); V e = v({{1, 2, 3}}, {{4, 5, float(n)}}); mixf(e.f[0] + e.f[1] * e.f[2]);
        auto f = std::make_tuple(n, 2.5, 'c'); mixed(std::get<1>(f) + std::get<2>(f)); std::pair<float, int> g{1.5f, n}; mix(g.second); mixf(g.first); }"),
    ("virtual_functions", "struct Shape { virtual ~Shape() { mix(9); } virtual double area() const = 0; virtual int id() const { return 1; } };
    struct Square : Shape { double s; Square(double s) : s(s) {} double area() const override { return s * s; } };
    struct Named { virtual int name() { return 5; } int x = 4; }; struct Circle : Shape, Named { double r; Circle(double r) : r(r) {} double area() const override { return 3 * r * r; } int id() const override { return 2; } int name() override { return x + 2; } };
    void compute(int n) { std::vector<std::unique_ptr<Shape>> all; for (int i = 0; i < 10 * n; i++) if (i % 3) all.emplace_back(new Square(i)); else all.emplace_back(new Circle(i));
        for (auto &s : all) { mixed(s->area()); mix(s->id()); } Circle c(2); Named *m = &c; mix(m->name()); }"),
    ("functions_as_values", "static int twice(int x) { return 2 * x; } static int square(int x) { return x * x; }
    void compute(int n) { int (*table[])(int) = {twice, square}; for (int i = 0; i < 20; i++) mix(table[i * n % 2](i));
        int base = 5 * n; std::function<int(int)> f = [&](int x) { return x + base; }; base++; mix(f(3)); auto g = std::bind(f, 7); mix(g());
        std::function<int(int)> fib = [&](int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }; mix(fib(15)); }"),
    ("containers", "void compute(int n) { std::deque<int> d; for (int i = 0; i < 300 * n; i++) { d.push_back(i); if (i % 3 == 0) d.pop_front(); d.push_front(-i); } for (int x : d) mix(x);
        std::list<int> l; for (int i = 0; i < 40; i++) l.push_back(i * 7 % 41); l.sort(); l.reverse(); l.remove(7); for (int x : l) mix(x);
        std::priority_queue<int> q; for (int i = 0; i < 60; i++) q.push(i * 13 % 61); while (!q.empty()) { mix(q.top()); q.pop(); }
        std::bitset<100> b; for (int i = 0; i < 100; i += 7) b.set(i); mix(b.count()); b <<= 3; mix(b[10]); std::array<short, 5> a{1, 2, 3}; mix(a[2] + a[4]);
        std::vector<std::vector<float>> m(10, std::vector<float>(10)); for (int i = 0; i < 10; i++) m[i][(i * 3) % 10] = i; for (auto &r : m) for (float x : r) mixf(x);
        std::vector<bool> bits(70); bits[66] = true; bits.flip(); mix(std::count(bits.begin(), bits.end(), true)); }"),
    ("pointers", "struct Node { int value; Node *next; }; void compute(int n) { Node *head = nullptr; for (int i = 0; i < 50 * n; i++) head = new Node{i, head};
        long sum = 0; for (Node *p = head; p; p = p->next) sum = sum * 3 + p->value; mix(sum); while (head) { Node *next = head->next; delete head; head = next; }
        int *a = (int *)malloc(40 * sizeof(int)); for (int i = 0; i < 40; i++) a[i] = i * i; a = (int *)realloc(a, 80 * sizeof(int)); int *b = a + 17; mix(b[-3] + *(b + 2)); mix(b - a); mix(b > a); free(a);
        auto s = std::make_shared<int>(5); auto t = s; mix(s.use_count()); std::weak_ptr<int> w = s; s.reset(); t.reset(); mix(w.expired()); }"),
    ("loops", "void compute(int n) { unsigned a = n, b = 0, c = 3; for (int i = 0; i < 200; i++) { unsigned t = a; a = b + i; b = c ^ t; c = t * 5 + 1; if (i % 17 == 3) continue; if (c == 12345) break; mix(a); }
        for (int i = 0; i < 60; i++) switch (i * n % 9) { case 0: mix(1); case 1: mix(2); break; case 4: mix(3); break; case 7: mix(i); default: mix(9); }
        int x = 0; do { x += 3; if (x % 5 == 0) goto out; } while (x < 100); out: mix(x); }"),
    ("unions_and_bits", "union U { float f; uint32_t u; struct { uint16_t low, high; }; }; struct B { unsigned a : 3, b : 7; int c : 5; bool d : 1; };
    void compute(int n) { U u; u.f = 1.5f * n; mix(u.u); mix(u.high); u.low = 7; mixf(u.f); B b{}; b.a = 5 + n; b.b = 100; b.c = -3 * n; b.d = n; mix(b.a * 1000 + b.b * 10 + b.d); mix(b.c);
        volatile int v = n; v = v + 1; mix(v); long double l = 3; l = l * n / 4; mixed(double(l)); mix(sizeof(B)); }"),
    ("beginnings", "static int order = 0; struct Early { int at; Early() : at(++order * 10) {} }; static Early first, second; static std::vector<int> table = {3, 1, 2}; static const std::string name = \"a longer name than fits inside\";
    int later() { static int calls = 100; static Early local; return ++calls + local.at; } thread_local int own = 4;
    void compute(int n) { mix(first.at); mix(second.at); mix(table[n]); mix(name.size()); mix(later()); mix(later()); own += n; mix(own); mix(order); }"),
    ("vectors", "typedef float F4 __attribute__((vector_size(16))); typedef int I4 __attribute__((vector_size(16)));
    void compute(int n) { F4 a = {1, 2, 3, float(n)}, b = {4, 3, 2, 1}; F4 c = a * b + a; for (int i = 0; i < 4; i++) mixf(c[i]); I4 m = a < b; for (int i = 0; i < 4; i++) mix(m[i]);
        I4 d = {1, 2, 3, n}; d = d << 2 | d; for (int i = 0; i < 4; i++) mix(d[i]); F4 e = __builtin_shufflevector(a, b, 0, 5, 2, 7); mixf(e[1] + e[3]); I4 f = __builtin_convertvector(c, I4); mix(f[2]); }"),
    ("many_arguments", "__attribute__((noinline)) double many(int a, double b, char c, float d, long e, double f, int g, int h, int i, double j, int k, float l) { return a + b * c - d + e / (f + 1) + g * h - i + j * k + l; }
    template <class... T> double total(T... values) { return (0.0 + ... + values); }
    void compute(int n) { mixed(many(n, 2.5, 3, 4.5f, 5, 6.5, 7, 8, 9, 10.5, 11, 12.5f)); mixed(total(1, 2.5, 'a', 3.5f, n)); }"),
    ("matrices", "void compute(int n) { const int m = 24 * n; std::vector<double> a(m * m), b(m * m), c(m * m); for (int i = 0; i < m * m; i++) { a[i] = i % 13 / 13.0; b[i] = i % 7 / 7.0; }
        for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) { double s = 0; for (int k = 0; k < m; k++) s += a[i * m + k] * b[k * m + j]; c[i * m + j] = s; } for (double x : c) mixed(x);
        float grid[12][10] = {}; for (int y = 1; y < 11; y++) for (int x = 1; x < 9; x++) grid[y][x] = grid[y - 1][x] + x * 0.1f + grid[y][x - 1]; mixf(grid[10][8]); }"),
    ("graphs", "void compute(int n) { const int nodes = 200; std::vector<int> offsets(nodes + 1), edges; std::mt19937 g(n); for (int v = 0; v < nodes; v++) { offsets[v] = edges.size(); for (int e = g() % 6; e > 0; e--) edges.push_back(g() % nodes); } offsets[nodes] = edges.size();
        std::vector<int> level(nodes, -1); std::queue<int> q; q.push(0); level[0] = 0; while (!q.empty()) { int v = q.front(); q.pop(); for (int e = offsets[v]; e < offsets[v + 1]; e++) if (level[edges[e]] < 0) { level[edges[e]] = level[v] + 1; q.push(edges[e]); } } for (int l : level) mix(l); }"),
    ("exceptions_not_thrown", "struct Guard { int *p; ~Guard() { *p += 5; } }; static int checked(int x) { int count = 0; try { Guard g{&count}; if (x > 100) throw 5; std::vector<int> v(x); v.at(x - 1) = 3; count += v.at(0) + v[x - 1]; } catch (int e) { return e; } catch (...) { return -1; } return count; }
    void compute(int n) { for (int i = 1; i < 20; i++) mix(checked(i * n)); }"),
    ("atomics", "void compute(int n) { int a = n; mix(__sync_fetch_and_add(&a, 5)); mix(__atomic_exchange_n(&a, 9, __ATOMIC_SEQ_CST)); int e = 9; mix(__atomic_compare_exchange_n(&a, &e, 4, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); mix(a); e = 8; mix(__atomic_compare_exchange_n(&a, &e, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); mix(e); unsigned b = 7; mix(__atomic_fetch_and(&b, 5u, __ATOMIC_RELAXED)); mix(b); }"),
];

/// The number that `main` returns on this machine, of which a process gives the lowest byte only.
fn on_this_machine(folder: &Folder, name: &str) -> i32 {
    let path = |ending: &str| folder.path(&format!("{name}{ending}"));
    let source = std::fs::read_to_string(path(".cu")).expect("it was written");
    let told = source.replace("return int(folded", "printf(\"%d\", int(folded & 0x7FFFFFFF)); return int(folded");
    std::fs::write(path(".cpp"), told).expect("a file");
    let compiled = Command::new("clang++-19")
        .args(["-std=c++17", "-O1", "-ffp-contract=off", "-w", "-o"])
        .args([path(""), path(".cpp")])
        .status()
        .expect("Clang");
    assert!(compiled.success(), "{name}");
    let ran = Command::new(path("")).output().expect("a program");
    String::from_utf8_lossy(&ran.stdout).parse().expect("a number")
}

#[test]
fn programs_compute_what_the_machine_computes() {
    let files: Vec<(String, String)> =
        PROGRAMS.iter().map(|(name, compute)| (format!("{name}.cu"), format!("{BEFORE}{compute}{AFTER}"))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let folder = Folder::new(&files);
    for (name, _) in PROGRAMS {
        let expected = on_this_machine(&folder, name);
        let output = folder.run(&["run", &format!("{name}.cu"), "--program"]);
        let text = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
        assert!(text.contains(&format!("`main` returns {expected}\n")), "{name}: {expected} on this machine; {text}");
    }
}
