//! Tests of single routines. The expected results are those of glibc and libstdc++.

use lockstep_ir::host::{HostProgram, Variable};

use super::*;
use crate::memory::Kind;
use crate::numbers::of_int;
use crate::{Launch, StopKind};

/// A device that runs nothing.
struct NoDevice;

impl Device for NoDevice {
    fn launch(&mut self, _: &Launch, _: &mut Memory) -> Result<(), Stopped> {
        Err(Stopped::not_known("a launch"))
    }
}

/// Runs a test on a program with these variables of other files, of 512 bytes.
pub fn with_host(names: &[&str], test: impl FnOnce(&mut Host<'_>)) {
    let variable =
        |name: &&str| Variable { name: (*name).into(), bytes: 512, is_elsewhere: true, ..Variable::default() };
    let program = HostProgram { variables: names.iter().map(variable).collect(), ..HostProgram::default() };
    let mut device = NoDevice;
    test(&mut Host::new(&program, &mut device, crate::memory::MOST_BYTES).expect("it is small"));
}

impl Host<'_> {
    fn try_call(&mut self, name: &str, arguments: &[u64]) -> Result<[u64; 2], Halt> {
        routine(name).unwrap_or_else(|| panic!("{name} is not known")).call(self, arguments)
    }

    pub fn call(&mut self, name: &str, arguments: &[u64]) -> u64 {
        self.try_call(name, arguments).unwrap_or_else(|halt| panic!("{name}: {halt:?}"))[0]
    }

    /// The reason why a call stops.
    pub fn stop(&mut self, name: &str, arguments: &[u64]) -> StopKind {
        match self.try_call(name, arguments) {
            Err(Halt::Stopped(stopped)) => stopped.kind,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// The address of a text.
    pub fn put(&mut self, text: &str) -> u64 {
        self.memory.allocate_text(format!("{text}\0").as_bytes()).expect("it is small")
    }

    /// The address of empty memory.
    pub fn room(&mut self, bytes: u64) -> u64 {
        self.memory.allocate(Kind::Host, bytes).expect("it is small")
    }

    /// Writes words one behind the other, and gives their address.
    pub fn words(&mut self, words: &[u64]) -> u64 {
        let address = self.room(8 * words.len() as u64);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.memory.write(address, &bytes).expect("it is there");
        address
    }

    pub fn string(&mut self, address: u64) -> String {
        String::from_utf8(self.text(address).expect("a text")).expect("UTF-8")
    }

    pub fn number(&self, address: u64) -> u64 {
        self.memory.read_number(address, 8).expect("it is there")
    }
}

const D: fn(f64) -> u64 = f64::to_bits;

fn check_format(format: &str, arguments: &[u64], expected: &str) {
    with_host(&[], |host| {
        let (format, room) = (host.put(format), host.room(4096));
        let length = host.call("sprintf", &[&[room, format], arguments].concat());
        assert_eq!(host.string(room), expected);
        assert_eq!(length, expected.len() as u64);
        assert_eq!(host.call("printf", &[&[format], arguments].concat()), length);
    });
}

#[test]
fn integers_are_formatted_as_in_c() {
    let (seven, minus) = (of_int(-7), of_int(-5));
    check_format("%d|%5d|%-5d|%05d|%+d|% d", &[seven, 42, 42, 42, 42, 42], "-7|   42|42   |00042|+42| 42");
    check_format(
        "%.3d|%8.3d|%x|%#X|%#o|%u",
        &[5, minus, 255, 255, 8, 0xFFFF_FFFF],
        "005|    -005|ff|0XFF|010|4294967295",
    );
    let longs = [300, 70000, 1 << 40, u64::MAX, u64::MAX];
    check_format("%hhd|%hd|%ld|%zu|%lld", &longs, "44|4464|1099511627776|18446744073709551615|-1");
    check_format("%*d|%-*d|%.*f", &[6, 42, 6, 42, 2, D(3.14259)], "    42|42    |3.14");
    check_format("%#.0f|%#x|%.0d|%5s|", &[D(3.0), 0, 0, 0], "3.|0||(null)|");
    check_format("%lu %i %X", &[u64::MAX, 1 << 31, 0xDEAD_BEEF], "18446744073709551615 -2147483648 DEADBEEF");
}

#[test]
fn floats_are_formatted_as_in_c() {
    let numbers = [3.14259, 2.675, 1e3 / 3.0, 2.25, -3.14259, 2.5].map(D);
    check_format("%f|%.2f|%10.3f|%-10.1f|%010.2f|%+.0f", &numbers, "3.142590|2.67|   333.333|2.2       |-000003.14|+2");
    let numbers = [12_345.678, 0.000_123_45, 5.5, 1e5, 1e6, 0.0001, 1e-10].map(D);
    check_format("%e|%.2E|%.0e|%g|%g|%g|%G", &numbers, "1.234568e+04|1.23E-04|6e+00|100000|1e+06|0.0001|1E-10");
    let numbers = [0.0, 123_456_789.0, 9.9996, 1.5, 1e100, 0.1].map(D);
    check_format("%g|%g|%.3g|%#g|%g|%g", &numbers, "0|1.23457e+08|10|1.50000|1e+100|0.1");
    let infinity = f64::INFINITY;
    let numbers = [infinity, -infinity, f64::NAN, infinity, infinity].map(D);
    check_format("%f|%F|%5.1f|%-8e|%08f", &numbers, "inf|-INF|  nan|inf     |     inf");
    let numbers = [0.1, 1.0 / 3.0, 0.25, 0.5, 1.5].map(D);
    check_format("%.20g|%.17g|%.1f|%.0f|%.0f", &numbers, "0.10000000000000000555|0.33333333333333331|0.2|0|2");
}

#[test]
fn texts_are_formatted_as_in_c() {
    with_host(&[], |host| {
        let (format, text, room) = (host.put("%s|%10s|%-10s|%.2s|%c|%%|%5c|%p|%p"), host.put("abc"), host.room(100));
        let arguments = [room, format, text, text, text, text, 120, 121, 0, 0x1234];
        host.call("sprintf", &arguments);
        assert_eq!(host.string(room), "abc|       abc|abc       |ab|x|%|    y|(nil)|0x1234");
        let short = host.room(4);
        assert_eq!(host.call("snprintf", &[short, 4, format, text, text, text, text, 120, 121, 0, 0x1234]), 51);
        assert_eq!(host.string(short), "abc");
        assert_eq!(host.stop("sprintf", &[short, format, text]), StopKind::Fault);
        for format in ["%a", "%n", "%", "%ls", "%99999999999d", "%5000d"] {
            let format = host.put(format);
            assert_eq!(host.stop("sprintf", &[room, format]), StopKind::NotKnown);
            assert_eq!(host.call("printf", &[format]), 1);
        }
    });
}

#[test]
fn random_numbers_are_those_of_glibc() {
    with_host(&[], |host| {
        let next = |host: &mut Host<'_>| host.call("rand", &[]);
        assert_eq!([(); 3].map(|()| next(host)), [1_804_289_383, 846_930_886, 1_681_692_777]);
        host.call("srand", &[42]);
        assert_eq!(next(host), 71_876_166);
        host.call("srand", &[3_000_000_000]);
        assert_eq!([(); 2].map(|()| next(host)), [2_058_147_116, 854_483_408]);
        host.call("srandom", &[0x7FFF_FFFF]);
        assert_eq!(host.call("random", &[]), 1_065_668_062);
        host.call("srand", &[12345]);
        (0..1000).for_each(|_| _ = next(host));
        assert_eq!(next(host), 1_842_355_799);
        assert_eq!(host.call("drand48", &[]), D(3.907_985_046_680_551e-14));
        host.call("srand48", &[42]);
        assert_eq!(host.call("mrand48", &[]), (-1_097_256_770i64).cast_unsigned());
        assert_eq!(host.call("lrand48", &[]), 735_945_821);
        assert_eq!(host.call("drand48", &[]), D(0.111_085_282_444_161_49));
        let seed = host.room(8);
        host.memory.write_number(seed, 7, 4).expect("it is there");
        assert_eq!((host.call("rand_r", &[seed]), host.number(seed)), (1_187_592_820, 712_265_938));
        host.memory.write(seed, &[1, 0, 2, 0, 3, 0]).expect("it is there");
        assert_eq!(host.call("erand48", &[seed]), D(0.441_996_322_688_709_14));
        assert_eq!(host.call("nrand48", &[seed]), 565_063_343);
        assert_eq!(host.memory.read_number(seed, 6), Ok(0x435C_5D5F_F123));
    });
}

#[test]
fn numbers_are_read_from_strings() {
    with_host(&[], |host| {
        let end = host.room(8);
        let text = host.put(" -42x");
        assert_eq!(host.call("atoi", &[text]), of_int(-42));
        assert_eq!(host.call("strtol", &[text, end, 10]), (-42i64).cast_unsigned());
        assert_eq!(host.number(end), text + 4);
        let text = host.put("0x7fffffffffffffffff");
        assert_eq!(host.call("strtol", &[text, 0, 16]), i64::MAX.cast_unsigned());
        let errno = host.call("__errno_location", &[]);
        assert_eq!(host.memory.read_number(errno, 4), Ok(34));
        let text = host.put("-1");
        assert_eq!(host.call("strtoul", &[text, 0, 10]), u64::MAX);
        for (text, expected) in [("1e400", f64::INFINITY), ("4.9e-324", 4.9e-324), ("x", 0.0), (" 2.5e1e", 25.0)] {
            let text = host.put(text);
            assert_eq!(host.call("strtod", &[text, 0]), D(expected));
        }
        let text = host.put("0.1 ");
        assert_eq!(host.call("strtof", &[text, end]), of_float(0.1));
        assert_eq!(host.number(end), text + 3);
        let text = host.put(&"1".repeat(5000));
        assert_eq!(host.stop("atoi", &[text]), StopKind::NotKnown);
    });
}

#[test]
fn strings_are_compared_and_searched() {
    with_host(&[], |host| {
        let (a, b) = (host.put("Hello, world"), host.put("hello"));
        assert_eq!(host.call("strlen", &[a]), 12);
        assert_eq!(host.call("strcmp", &[a, b]), of_int(-1));
        assert_eq!(host.call("strncasecmp", &[a, b, 5]), 0);
        assert_eq!(host.call("strchr", &[a, u64::from(b'o')]), a + 4);
        assert_eq!(host.call("strrchr", &[a, u64::from(b'o')]), a + 8);
        assert_eq!(host.call("strchr", &[a, 0]), a + 12);
        let world = host.put("wor");
        assert_eq!(host.call("strstr", &[a, world]), a + 7);
        assert_eq!(host.call("strcspn", &[a, world]), 4);
        assert_eq!(host.call("strpbrk", &[b, world]), b + 4);
        assert_eq!(host.call("memchr", &[a, u64::from(b'H'), u64::MAX]), a);
        assert_eq!(host.stop("memchr", &[a, u64::from(b'z'), 14]), StopKind::Fault);
        let room = host.room(12);
        assert_eq!(host.stop("strcpy", &[room, a]), StopKind::Fault);
        host.call("strncpy", &[room, a, 12]);
        assert_eq!(host.stop("strlen", &[room]), StopKind::Fault);
        assert_eq!(host.call("strnlen", &[room, 12]), 12);
        let (text, separators) = (host.put(",,ab,c,"), host.put(","));
        let token = host.call("strtok", &[text, separators]);
        assert_eq!(host.string(token), "ab");
        let token = host.call("strtok", &[0, separators]);
        assert_eq!(host.string(token), "c");
        assert_eq!(host.call("strtok", &[0, separators]), 0);
    });
}

#[test]
fn memory_is_allocated_and_freed() {
    with_host(&[], |host| {
        let old = host.call("calloc", &[4, 4]);
        host.memory.write_number(old + 12, 7, 4).expect("it is there");
        let new = host.call("realloc", &[old, 100]);
        assert_eq!(host.memory.read_number(new + 12, 4), Ok(7));
        assert_eq!(host.stop("free", &[old]), StopKind::Fault);
        assert_eq!(host.stop("free", &[new + 4]), StopKind::Fault);
        host.call("_ZdlPvm", &[new, 100]);
        assert_eq!(host.call("free", &[0]), 0);
        assert_eq!(host.call("calloc", &[1 << 40, 1 << 40]), 0);
        assert_eq!(host.stop("malloc", &[1 << 40]), StopKind::Limit);
        assert_eq!(host.call("_ZnwmPv", &[8, 42]), 42);
        assert_ne!(host.call("_ZnamRKSt9nothrow_t", &[8, 0]), 0);
        assert_eq!(host.stop("free", &[host.errno]), StopKind::Fault);
    });
}

#[test]
fn functions_of_floats_are_those_of_c() {
    with_host(&[], |host| {
        assert_eq!(host.call("sin", &[D(1.0)]), D(1f64.sin()));
        assert_eq!(host.call("powf", &[of_float(2.0), of_float(0.5)]), of_float(std::f32::consts::SQRT_2));
        assert_eq!(host.call("logl", &[D(1.0)]), D(0.0));
        assert_eq!(host.call("ceill", &[D(1.5)]), D(2.0));
        assert_eq!(host.call("fabsf", &[of_float(-1.0)]), of_float(1.0));
        assert_eq!(host.call("erf", &[D(0.0)]), D(0.0));
        assert_eq!(host.call("lround", &[D(2.5)]), 3);
        assert_eq!(host.call("lround", &[D(-2.5)]), (-3i64).cast_unsigned());
        assert_eq!(host.call("lrint", &[D(2.5)]), 2);
        assert_eq!(host.call("ldexp", &[D(1.5), of_int(-1)]), D(0.75));
        assert_eq!(host.call("abs", &[of_int(-3)]), 3);
        assert_eq!(host.call("labs", &[(-3i64).cast_unsigned()]), 3);
        assert_eq!([0, 1, 8].map(|bits| host.call("ffs", &[bits])), [0, 1, 4]);
        let whole = host.room(8);
        assert_eq!(host.call("modf", &[D(-1.5), whole]), D(-0.5));
        assert_eq!(host.number(whole), D(-1.0));
        assert_eq!(host.call("frexp", &[D(8.0), whole]), D(0.5));
        assert_eq!(host.memory.read_number(whole, 4), Ok(4));
        for name in ["l", "f", "labl", "cei", "ell", ""] {
            assert!(routine(name).is_none(), "{name}");
        }
    });
}

#[test]
fn streams_of_c_are_the_standard_ones() {
    with_host(&["stdout", "stderr"], |host| {
        let text = host.put("x");
        for name in ["stdout", "stderr"] {
            let stream = host.number(host.memory.address_of(host.memory.variable(name).expect("it is there")));
            assert_eq!(host.call("fprintf", &[stream, text]), 1);
            assert_eq!(host.call("fputs", &[text, stream]), 1);
            assert_eq!(host.call("fwrite", &[text, 1, 2, stream]), 2);
        }
        assert_eq!(host.stop("fprintf", &[text, text]), StopKind::NotKnown);
        assert_eq!(host.stop("fflush", &[8]), StopKind::NotKnown);
        assert_eq!(host.call("fflush", &[0]), 0);
    });
}

#[test]
fn streams_of_cxx_have_the_layout_of_libstdcxx() {
    with_host(&["_ZSt4cout"], |host| {
        let stream = host.memory.address_of(host.memory.variable("_ZSt4cout").expect("it is there"));
        assert_eq!(host.call("_ZNSolsEi", &[stream, 3]), stream);
        assert_eq!(host.call("_ZNSo3putEc", &[stream, 10]), stream);
        // `std::endl` finds the base by the table, and there the facet that widens a character.
        let base = stream + host.number(host.number(stream) - 24);
        let facet = host.number(base + 240);
        assert_eq!((base, host.memory.read_number(facet + 57 + 10, 1)), (stream + 8, Ok(10)));
        host.call("_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate", &[base, 0]);
        let other = host.room(272);
        assert_eq!(host.stop("_ZNSolsEi", &[other, 3]), StopKind::NotKnown);
    });
}

#[test]
fn variables_are_initialised_once() {
    with_host(&[], |host| {
        let guard = host.room(8);
        assert_eq!(host.call("__cxa_guard_acquire", &[guard]), 1);
        host.call("__cxa_guard_release", &[guard]);
        assert_eq!(host.call("__cxa_guard_acquire", &[guard]), 0);
    });
}

#[test]
fn hash_tables_grow_as_in_libstdcxx() {
    with_host(&[], |host| {
        let policy = host.room(16);
        let need = "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm";
        let grow = |host: &mut Host<'_>, factor: f32, buckets: u64, until: u64| {
            host.memory.write_number(policy, of_float(factor), 4).expect("it is there");
            let (mut buckets, mut all) = (buckets, Vec::new());
            for elements in 0..until {
                if let [1, new] = host.try_call(need, &[policy, buckets, elements, 1]).expect("it is known") {
                    buckets = new;
                    all.push(new);
                }
            }
            all
        };
        let expected = [13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172_933, 351_061];
        assert_eq!(grow(host, 1.0, 1, 200_000), expected);
        host.memory.write_number(policy, of_float(0.7), 4).expect("it is there");
        let next = "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm";
        assert_eq!(host.call(next, &[policy, 143]), 149);
        assert_eq!(grow(host, 0.7, 149, 1000).last(), Some(&2971));
        assert_eq!(host.stop(next, &[policy, 1 << 33]), StopKind::Limit);
        let hash = |host: &mut Host<'_>, text: &str| {
            let address = host.put(text);
            host.call("_ZSt11_Hash_bytesPKvmm", &[address, text.len() as u64, 0xC70F_6907])
        };
        assert_eq!(hash(host, ""), 0x553E_9390_1E46_2A6E);
        assert_eq!(hash(host, "abc"), 0x32D8_2BF8_ED3D_BA39);
        assert_eq!(hash(host, "hello world 12345"), 0x37B_B90B_3247_0A6B);
    });
}

/// A set of numbers in the layout of `std::set<int>`, and what the program's part of it does.
struct Set {
    header: u64,
    size: u64,
    /// A hash of the trees so far.
    hash: u64,
}

impl Set {
    fn new(host: &mut Host<'_>) -> Self {
        let header = host.room(32);
        for child in [16, 24] {
            host.memory.write_number(header + child, header, 8).expect("it is there");
        }
        Self { header, size: 0, hash: 0xCBF2_9CE4_8422_2325 }
    }

    fn mix(&mut self, value: u64) {
        self.hash = (self.hash ^ value).wrapping_mul(0x100_0000_01B3);
    }

    fn value(host: &Host<'_>, node: u64) -> u64 {
        host.memory.read_number(node + 32, 4).expect("it is there")
    }

    /// The node with a value, or the parent that it would have.
    fn find(&self, host: &Host<'_>, value: u64) -> (u64, u64) {
        let (mut node, mut parent) = (host.number(self.header + 8), self.header);
        while node != 0 && Self::value(host, node) != value {
            parent = node;
            node = host.number(node + if value < Self::value(host, node) { 16 } else { 24 });
        }
        (node, parent)
    }

    fn insert(&mut self, host: &mut Host<'_>, value: u64) {
        if let (0, parent) = self.find(host, value) {
            let node = host.room(40);
            host.memory.write_number(node + 32, value, 4).expect("it is there");
            let is_left = parent == self.header || value < Self::value(host, parent);
            let insert = "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_";
            host.call(insert, &[u64::from(is_left), node, parent, self.header]);
            self.size += 1;
        }
    }

    fn erase(&mut self, host: &mut Host<'_>, value: u64) {
        if let (node @ 1.., _) = self.find(host, value) {
            let erase = "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_";
            assert_eq!(host.call(erase, &[node, self.header]), node);
            host.call("free", &[node]);
            self.size -= 1;
        }
    }

    fn dump(&mut self, host: &Host<'_>, node: u64) {
        if node == 0 {
            return self.mix(0);
        }
        self.mix(host.memory.read_number(node, 4).expect("it is there") + 1);
        self.mix(Self::value(host, node));
        self.dump(host, host.number(node + 16));
        self.dump(host, host.number(node + 24));
    }
}

#[test]
fn trees_are_those_of_libstdcxx() {
    with_host(&[], |host| {
        let (mut set, mut state) = (Set::new(host), 1u64);
        for step in 0..3000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = (state >> 33) % 700;
            if state >> 60 < 9 {
                set.insert(host, value);
            } else {
                set.erase(host, value);
            }
            if step % 100 == 0 {
                set.dump(host, host.number(set.header + 8));
                set.mix(set.size);
            }
        }
        let (first, last) = (host.number(set.header + 16), host.number(set.header + 24));
        set.mix(Set::value(host, first));
        set.mix(Set::value(host, last));
        assert_eq!((set.hash, set.size), (0xED6D_3D91_252A_A558, 397));
        check_order(host, &set, first, last);
    });
}

/// Visits all nodes in both directions.
fn check_order(host: &mut Host<'_>, set: &Set, first: u64, last: u64) {
    for (step, start, is_up) in [("in", first, true), ("de", last, false)] {
        let name = format!("_ZSt18_Rb_tree_{step}crementPKSt18_Rb_tree_node_base");
        let (mut node, mut values) = (start, Vec::new());
        while node != set.header {
            values.push(Set::value(host, node));
            node = host.call(&name, &[node]);
            assert!(values.len() <= 397);
        }
        assert_eq!(values.len(), 397);
        assert!(values.is_sorted_by(|a, b| if is_up { a < b } else { a > b }));
    }
    let back = host.call("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", &[set.header]);
    assert_eq!(back, last);
}

#[test]
fn trees_that_are_cycles_are_faults() {
    with_host(&[], |host| {
        let node = host.room(40);
        for part in [8, 16, 24] {
            host.memory.write_number(node + part, node, 8).expect("it is there");
        }
        for name in [
            "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
            "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
        ] {
            assert_eq!(host.stop(name, &[node, node]), StopKind::Fault);
        }
    });
}

/// The links of a list from its header on, forwards.
fn links(host: &Host<'_>, header: u64) -> Vec<u64> {
    let next = |&node: &u64| {
        let next = host.number(node);
        assert_eq!(host.number(next + 8), node);
        Some(next).filter(|&next| next != header)
    };
    std::iter::successors(Some(header), next).skip(1).collect()
}

#[test]
fn lists_are_linked() {
    with_host(&[], |host| {
        let member = |name: &str| format!("_ZNSt8__detail15_List_node_base{name}");
        let [a, b, one, two, three] = [(); 5].map(|()| host.room(16));
        for header in [a, b] {
            host.memory.write_number(header, header, 8).expect("it is there");
            host.memory.write_number(header + 8, header, 8).expect("it is there");
        }
        for node in [one, two, three] {
            host.call(&member("7_M_hookEPS0_"), &[node, a]);
        }
        assert_eq!(links(host, a), [one, two, three]);
        host.call(&member("11_M_transferEPS0_S1_"), &[b, two, a]);
        assert_eq!((links(host, a), links(host, b)), (vec![one], vec![two, three]));
        host.call(&member("4swapERS0_S1_"), &[a, b]);
        assert_eq!((links(host, a), links(host, b)), (vec![two, three], vec![one]));
        host.call(&member("9_M_unhookEv"), &[one]);
        host.call(&member("4swapERS0_S1_"), &[a, b]);
        assert_eq!((links(host, a), links(host, b)), (vec![], vec![two, three]));
    });
}

#[test]
fn strings_of_cxx_grow() {
    with_host(&[], |host| {
        let member = |name: &str| format!("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE{name}");
        let reading = |name: &str| format!("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE{name}");
        let string = host.room(32);
        host.memory.write_number(string, string + 16, 8).expect("it is there");
        let text = |host: &mut Host<'_>| {
            let (characters, length) = (host.number(string), host.number(string + 8));
            let found = host.string(characters);
            assert_eq!(found.len() as u64, length);
            found
        };
        let (abc, long) = (host.put("abc"), host.put("0123456789abcdef"));
        assert_eq!(host.call(&member("9_M_appendEPKcm"), &[string, abc, 3]), string);
        assert_eq!(host.number(string), string + 16);
        host.call(&member("9_M_appendEPKcm"), &[string, long, 16]);
        assert_eq!((text(host).as_str(), host.number(string + 16)), ("abc0123456789abcdef", 30));
        host.call(&member("10_M_replaceEmmPKcm"), &[string, 1, 2, long, 1]);
        host.call(&member("8_M_eraseEmm"), &[string, 3, u64::MAX]);
        assert_eq!(text(host), "a00");
        host.call(&member("14_M_replace_auxEmmmc"), &[string, 3, 0, 2, u64::from(b'x')]);
        host.call(&member("6resizeEmc"), &[string, 7, u64::from(b'y')]);
        assert_eq!(text(host), "a00xxyy");
        assert_eq!(host.call(&reading("7compareEPKc"), &[string, abc]), of_int(-1));
        assert_eq!(host.call(&reading("4findEcm"), &[string, u64::from(b'y'), 6]), 6);
        assert_eq!(host.call(&reading("5rfindEcm"), &[string, u64::from(b'x'), u64::MAX]), 4);
        assert_eq!(host.call(&reading("4findEPKcmm"), &[string, long, 0, 1]), 1);
        assert_eq!(host.call(&reading("4findEPKcmm"), &[string, abc, 0, 3]), u64::MAX);
        assert_eq!(host.call(&reading("13find_first_ofEPKcmm"), &[string, long, 1, 3]), 1);
        assert_eq!(host.call(&reading("16find_last_not_ofEPKcmm"), &[string, abc, u64::MAX, 3]), 6);
        let other = host.room(32);
        host.memory.write_number(other, other + 16, 8).expect("it is there");
        host.call(&member("9_M_assignERKS4_"), &[other, string]);
        assert_eq!(host.call(&reading("7compareERKS4_"), &[other, string]), 0);
        host.call(&member("7reserveEm"), &[other, 100]);
        assert_eq!((host.number(other + 16), host.call(&reading("7compareERKS4_"), &[other, string])), (100, 0));
        assert_eq!(host.stop(&member("9_M_appendEPKcm"), &[string, long, 18]), StopKind::Fault);
        assert_eq!(host.stop(&member("10_M_replaceEmmPKcm"), &[string, 8, 0, long, 1]), StopKind::Thrown);
        let wanted = host.room(8);
        host.memory.write_number(wanted, 1 << 62, 8).expect("it is there");
        assert_eq!(host.stop(&member("9_M_createERmm"), &[string, wanted, 0]), StopKind::Thrown);
    });
}

#[test]
fn clocks_go_on() {
    with_host(&[], |host| {
        assert_eq!(host.call("time", &[0]), 1_700_000_000);
        let [first, second] = [(); 2].map(|()| host.call("_ZNSt6chrono3_V212steady_clock3nowEv", &[]));
        assert_eq!(second - first, 1_000_000);
        let time = host.room(16);
        host.call("clock_gettime", &[1, time]);
        assert_eq!((host.number(time), host.number(time + 8)), (1_700_000_000, 3_000_000));
        host.call("gettimeofday", &[time, 0]);
        assert_eq!(host.number(time + 8), 4000);
    });
}
