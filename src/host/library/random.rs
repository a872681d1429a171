//! The generators of random numbers, which give the numbers of glibc.

use super::{Answer, Arguments, Host, Routine};
use crate::Stopped;
use crate::numbers::{low, of_int};

/// The degree of the generator behind `rand`, and the distance of the numbers that it adds.
const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The generator behind `rand` and `random`: each number is the sum of two before it.
#[derive(Clone, Debug)]
pub struct Random {
    numbers: [u32; DEGREE],
    front: usize,
    /// The 48 bits behind `drand48`.
    state_48: u64,
}

impl Default for Random {
    fn default() -> Self {
        let mut random = Self { numbers: [0; DEGREE], front: 0, state_48: 0 };
        random.seed(1);
        random
    }
}

impl Random {
    /// Begins anew from a seed.
    fn seed(&mut self, seed: u32) {
        let mut word = seed.max(1).cast_signed();
        for number in &mut self.numbers {
            *number = word.cast_unsigned();
            // 16807 times the number, modulo 2^31 - 1.
            let next = 16807 * i64::from(word % 127_773) - 2836 * i64::from(word / 127_773);
            word = i32::try_from(if next < 0 { next + 0x7FFF_FFFF } else { next }).unwrap_or(0);
        }
        self.front = SEPARATION;
        for _ in 0..10 * DEGREE {
            self.next();
        }
    }

    /// The next number of 31 bits.
    fn next(&mut self) -> i32 {
        let back = (self.front + DEGREE - SEPARATION) % DEGREE;
        let sum = self.numbers[self.front].wrapping_add(self.numbers[back]);
        self.numbers[self.front] = sum;
        self.front = (self.front + 1) % DEGREE;
        (sum >> 1).cast_signed()
    }

    /// The next number of 48 bits.
    fn next_48(&mut self) -> u64 {
        self.state_48 = after_48(self.state_48);
        self.state_48
    }
}

/// The number of 48 bits that follows another one.
fn after_48(state: u64) -> u64 {
    state.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & 0xFFFF_FFFF_FFFF
}

/// 48 bits as a fraction.
fn fraction(bits: u64) -> f64 {
    f64::from_bits(1f64.to_bits() | bits << 4) - 1.0
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "rand" | "random" => |host, _| Ok(of_int(host.random.next())),
        "srand" | "srandom" => |host, arguments| {
            host.random.seed(low(arguments.word(0)));
            Ok(0)
        },
        "rand_r" => rand_r,
        "srand48" => |host, arguments| {
            host.random.state_48 = u64::from(low(arguments.word(0))) << 16 | 0x330E;
            Ok(0)
        },
        "drand48" => |host, _| Ok(fraction(host.random.next_48()).to_bits()),
        "lrand48" => |host, _| Ok(host.random.next_48() >> 17),
        "mrand48" => |host, _| Ok(i64::from(low(host.random.next_48() >> 16).cast_signed()).cast_unsigned()),
        "erand48" => |host, arguments| Ok(fraction(next_at(host, arguments.word(0))?).to_bits()),
        "nrand48" => |host, arguments| Ok(next_at(host, arguments.word(0))? >> 17),
        _ => return None,
    }))
}

/// The next number of the generator whose state is at an address.
fn next_at(host: &mut Host<'_>, address: u64) -> Result<u64, Stopped> {
    let next = after_48(host.memory.read_number(address, 6)?);
    host.memory.write_number(address, next, 6)?;
    Ok(next)
}

fn rand_r(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let seed = arguments.word(0);
    let mut next = low(host.memory.read_number(seed, 4)?);
    let mut result = 0;
    for (shift, range) in [(0, 2048), (10, 1024), (10, 1024)] {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12345);
        result = (result << shift) ^ (next / 65536 % range);
    }
    host.memory.write_number(seed, next.into(), 4)?;
    Ok(result.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<const N: usize>(seed: u32) -> [i32; N] {
        let mut random = Random::default();
        random.seed(seed);
        [(); N].map(|()| random.next())
    }

    #[test]
    fn the_numbers_are_those_of_glibc() {
        assert_eq!(numbers(1), [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915, 1_957_747_793]);
        assert_eq!(numbers(0), numbers::<5>(1));
        assert_eq!(numbers(42), [71_876_166, 708_592_740, 1_483_128_881]);
        assert_eq!(Random::default().next(), 1_804_289_383);
    }
}
