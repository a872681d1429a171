//! Functions behind the containers of libstdc++: lists and hash tables.
//!
//! A node of a list begins with the next node and the one before it. The numbers of buckets of a
//! hash table are those of libstdc++, as they decide in which order a program visits its elements.

use super::{Answer, Arguments, Host, Routine, tree};
use crate::Stopped;
use crate::machine::Halt;
use crate::memory::Memory;
use crate::numbers::{count, float, index};

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    list(name).or_else(|| hashing(name)).or_else(|| tree::routine(name))
}

fn list(name: &str) -> Option<Routine> {
    let function = name.strip_prefix("_ZNSt8__detail15_List_node_base")?;
    Some(Routine::Plain(match function {
        "7_M_hookEPS0_" => hook,
        "9_M_unhookEv" => unhook,
        "11_M_transferEPS0_S1_" => transfer,
        "4swapERS0_S1_" => swap,
        "10_M_reverseEv" => reverse,
        _ => return None,
    }))
}

fn hashing(name: &str) -> Option<Routine> {
    Some(match name {
        "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm" => Routine::Pair(need_rehash),
        "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm" => {
            Routine::Plain(|host, arguments| next_buckets(&mut host.memory, arguments.word(0), arguments.word(1)))
        }
        "_ZSt11_Hash_bytesPKvmm" => Routine::Plain(hash_bytes),
        _ => return None,
    })
}

/// The offset of the link to the node before.
const PREVIOUS: u64 = 8;

/// Makes one node the next one of another.
fn link(memory: &mut Memory, node: u64, next: u64) -> Result<(), Stopped> {
    memory.write_number(node, next, 8)?;
    memory.write_number(next.wrapping_add(PREVIOUS), node, 8)
}

fn next(memory: &Memory, node: u64) -> Result<u64, Stopped> {
    memory.read_number(node, 8)
}

fn previous(memory: &Memory, node: u64) -> Result<u64, Stopped> {
    memory.read_number(node.wrapping_add(PREVIOUS), 8)
}

/// Puts a node before another one.
fn hook(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (memory, node, position) = (&mut host.memory, arguments.word(0), arguments.word(1));
    let before = previous(memory, position)?;
    link(memory, before, node)?;
    link(memory, node, position)?;
    Ok(0)
}

fn unhook(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (memory, node) = (&mut host.memory, arguments.word(0));
    let (before, after) = (previous(memory, node)?, next(memory, node)?);
    link(memory, before, after)?;
    Ok(0)
}

/// Moves nodes from the first one up to the last one, which stays, before another node.
fn transfer(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let memory = &mut host.memory;
    let [position, first, last] = [0, 1, 2].map(|argument| arguments.word(argument));
    if position == last {
        return Ok(0);
    }
    let [before_last, before_first] = [previous(memory, last)?, previous(memory, first)?];
    let before = previous(memory, position)?;
    link(memory, before_last, position)?;
    link(memory, before_first, last)?;
    link(memory, before, first)?;
    Ok(0)
}

/// Exchanges the links of each node of a list.
fn reverse(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (memory, header) = (&mut host.memory, arguments.word(0));
    let mut node = header;
    loop {
        let (before, after) = (previous(memory, node)?, next(memory, node)?);
        memory.write_number(node, before, 8)?;
        memory.write_number(node.wrapping_add(PREVIOUS), after, 8)?;
        memory.touch(64);
        node = after;
        if node == header {
            return Ok(0);
        }
        if memory.touched() > MOST_TOUCHED {
            return Err(Stopped::fault("a list does not come back to its beginning").into());
        }
    }
}

/// The bytes that one call may touch.
const MOST_TOUCHED: u64 = 1 << 33;

/// Exchanges two lists by their headers. One that links to itself is empty.
fn swap(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (memory, lists) = (&mut host.memory, [arguments.word(0), arguments.word(1)]);
    let ends = |list: u64| Ok::<_, Stopped>((next(memory, list)?, previous(memory, list)?));
    let [a, b] = [ends(lists[0])?, ends(lists[1])?];
    for (list, (first, last), old) in [(lists[0], b, lists[1]), (lists[1], a, lists[0])] {
        if first == old {
            link(memory, list, list)?;
        } else {
            link(memory, list, first)?;
            link(memory, last, list)?;
        }
    }
    Ok(0)
}

/// The offset of the number of elements at which a table grows, behind its load factor.
const NEXT_RESIZE: u64 = 8;

/// The load factor of a table by its policy.
fn load_factor(memory: &Memory, policy: u64) -> Result<f64, Stopped> {
    Ok(float(memory.read_number(policy, 4)?).into())
}

/// The number of elements for a number of buckets, or of buckets for one of elements.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is rounded down")]
fn floor(number: f64) -> u64 {
    number as u64
}

#[expect(clippy::cast_precision_loss, reason = "libstdc++ computes with floats, too")]
fn number(count: u64) -> f64 {
    count as f64
}

fn need_rehash(host: &mut Host<'_>, arguments: Arguments<'_>) -> Result<[u64; 2], Halt> {
    let memory = &mut host.memory;
    let [policy, buckets, elements, new] = [0, 1, 2, 3].map(|argument| arguments.word(argument));
    let next_resize = memory.read_number(policy.wrapping_add(NEXT_RESIZE), 8)?;
    let wanted = elements.wrapping_add(new);
    if wanted <= next_resize {
        return Ok([0, 0]);
    }
    let factor = load_factor(memory, policy)?;
    let least = number(wanted.max(if next_resize == 0 { 11 } else { 0 })) / factor;
    if least >= number(buckets) {
        let buckets = floor(least).saturating_add(1).max(buckets.wrapping_mul(2));
        return Ok([1, next_buckets(memory, policy, buckets)?]);
    }
    memory.write_number(policy.wrapping_add(NEXT_RESIZE), floor(number(buckets) * factor), 8)?;
    Ok([0, 0])
}

/// The number of buckets that a table with at least so many gets.
fn next_buckets(memory: &mut Memory, policy: u64, least: u64) -> Answer {
    const SMALL: [u64; 14] = [1, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13];
    if least == 0 {
        return Ok(1);
    }
    let large = || PRIMES[PRIMES[6..].partition_point(|&prime| u64::from(prime) < least) + 6..].first().copied();
    let buckets = SMALL.get(index(least)).copied().or_else(|| large().map(u64::from));
    let buckets = buckets.ok_or_else(|| Stopped::limit("the program has a very large hash table"))?;
    let resize = floor(number(buckets) * load_factor(memory, policy)?);
    memory.write_number(policy.wrapping_add(NEXT_RESIZE), resize, 8)?;
    Ok(buckets)
}

/// The hash of libstdc++ on bytes: `MurmurHash` of 64 bits.
fn hash_bytes(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let [address, length, seed] = [0, 1, 2].map(|argument| arguments.word(argument));
    if length == 0 {
        return Ok(hash(&[], seed));
    }
    let result = hash(host.memory.read(address, length)?, seed);
    host.memory.touch(length);
    Ok(result)
}

fn hash(bytes: &[u8], seed: u64) -> u64 {
    const FACTOR: u64 = 0xC6A4_A793_5BD1_E995;
    let mixed = |word: u64| word ^ word >> 47;
    let mut hash = seed ^ count(bytes.len()).wrapping_mul(FACTOR);
    for chunk in bytes.chunks(8) {
        let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let data = if chunk.len() == 8 { mixed(word.wrapping_mul(FACTOR)).wrapping_mul(FACTOR) } else { word };
        hash = (hash ^ data).wrapping_mul(FACTOR);
    }
    mixed(mixed(hash).wrapping_mul(FACTOR))
}

/// The numbers of buckets of libstdc++ below 2³².
#[rustfmt::skip]
const PRIMES: [u32; 256] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113,
    127, 137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503,
    541, 577, 619, 661, 709, 761, 823, 887, 953, 1_031, 1_109, 1_193, 1_289, 1_381, 1_493, 1_613, 1_741, 1_879, 2_029,
    2_179, 2_357, 2_549, 2_753, 2_971, 3_209, 3_469, 3_739, 4_027, 4_349, 4_703, 5_087, 5_503, 5_953, 6_427, 6_949,
    7_517, 8_123, 8_783, 9_497, 10_273, 11_113, 12_011, 12_983, 14_033, 15_173, 16_411, 17_749, 19_183, 20_753,
    22_447, 24_281, 26_267, 28_411, 30_727, 33_223, 35_933, 38_873, 42_043, 45_481, 49_201, 53_201, 57_557, 62_233,
    67_307, 72_817, 78_779, 85_229, 92_203, 99_733, 107_897, 116_731, 126_271, 136_607, 147_793, 159_871, 172_933,
    187_091, 202_409, 218_971, 236_897, 256_279, 277_261, 299_951, 324_503, 351_061, 379_787, 410_857, 444_487,
    480_881, 520_241, 562_841, 608_903, 658_753, 712_697, 771_049, 834_181, 902_483, 976_369, 1_056_323, 1_142_821,
    1_236_397, 1_337_629, 1_447_153, 1_565_659, 1_693_859, 1_832_561, 1_982_627, 2_144_977, 2_320_627, 2_510_653,
    2_716_249, 2_938_679, 3_179_303, 3_439_651, 3_721_303, 4_026_031, 4_355_707, 4_712_381, 5_098_259, 5_515_729,
    5_967_347, 6_456_007, 6_984_629, 7_556_579, 8_175_383, 8_844_859, 9_569_143, 10_352_717, 11_200_489, 12_117_689,
    13_109_983, 14_183_539, 15_345_007, 16_601_593, 17_961_079, 19_431_899, 21_023_161, 22_744_717, 24_607_243,
    26_622_317, 28_802_401, 31_160_981, 33_712_729, 36_473_443, 39_460_231, 42_691_603, 46_187_573, 49_969_847,
    54_061_849, 58_488_943, 63_278_561, 68_460_391, 74_066_549, 80_131_819, 86_693_767, 93_793_069, 101_473_717,
    109_783_337, 118_773_397, 128_499_677, 139_022_417, 150_406_843, 162_723_577, 176_048_909, 190_465_427,
    206_062_531, 222_936_881, 241_193_053, 260_944_219, 282_312_799, 305_431_229, 330_442_829, 357_502_601,
    386_778_277, 418_451_333, 452_718_089, 489_790_921, 529_899_637, 573_292_817, 620_239_453, 671_030_513,
    725_980_837, 785_430_967, 849_749_479, 919_334_987, 994_618_837, 1_076_067_617, 1_164_186_217, 1_259_520_799,
    1_362_662_261, 1_474_249_943, 1_594_975_441, 1_725_587_117, 1_866_894_511, 2_019_773_507, 2_185_171_673,
    2_364_114_217, 2_557_710_269, 2_767_159_799, 2_993_761_039, 3_238_918_481, 3_504_151_727, 3_791_104_843,
    4_101_556_399, 4_294_967_291,];
