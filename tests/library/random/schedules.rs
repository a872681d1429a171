//! Schedules of threads that may wait for each other in loops.
//!
//! Each step of a schedule is one that the interpreter could also choose by itself, so every
//! schedule is a possible run. The schedules differ in who gets ahead of whom:
//!
//! * one thread after the other, in every order of few threads: a thread sees all signals of the
//!   earlier ones, and none of the later ones;
//! * threads that alternate by few steps, or by chance: a thread sees a part of the signals.

use lockstep::interpreter::{Grid, Schedule, Turn};

/// The number of schedules by chance for each input.
const BY_CHANCE: u64 = 20;

/// The most orders of threads that are tried for each input.
const MOST_ORDERS: usize = 12;

/// The steps of a thread before the next one in the order: most threads end or wait before that.
const STEPS: u64 = 150;

/// The number of times that each thread of an order has a turn.
const ROUNDS: usize = 4;

/// An order of the threads' steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The interpreter's own.
    Of(Schedule),
    /// By these turns.
    Turns(Vec<Turn>),
}

/// The schedules for an input.
pub fn of(grid: &Grid, input: u64) -> impl Iterator<Item = Order> {
    let by_chance = (0..BY_CHANCE).map(move |seed| Order::Of(Schedule::Random(seed.wrapping_mul(0x9E37_79B9) ^ input)));
    few(grid, input).chain(by_chance)
}

/// Few schedules that differ as far as possible.
pub fn few(grid: &Grid, input: u64) -> impl Iterator<Item = Order> + use<> {
    let own = [Schedule::InOrder, Schedule::RoundRobin(1), Schedule::RoundRobin(3 + input % 8)].map(Order::Of);
    own.into_iter().chain(one_after_the_other(grid).into_iter().map(Order::Turns))
}

/// The threads one after the other, in different orders.
fn one_after_the_other(grid: &Grid) -> Vec<Vec<Turn>> {
    let of_group = u32::try_from(grid.group_threads()).expect("few threads");
    let threads = (0..grid.groups()).flat_map(|group| (0..of_group).map(move |thread| (group, thread)));
    let mut orders = Vec::new();
    permute(&mut threads.collect(), 0, &mut orders);
    let all = orders.len();
    // The first and the last differ in everything.
    let chosen = (0..all.min(MOST_ORDERS)).map(|at| at * (all - 1) / (all.min(MOST_ORDERS) - 1).max(1));
    chosen.map(|at| turns(&orders[at])).collect()
}

fn turns(order: &[(u64, u32)]) -> Vec<Turn> {
    let round = order.iter().map(|&(group, thread)| Turn { group, thread, steps: STEPS });
    std::iter::repeat_n(round, ROUNDS).flatten().collect()
}

fn permute(threads: &mut Vec<(u64, u32)>, from: usize, orders: &mut Vec<Vec<(u64, u32)>>) {
    if from == threads.len() {
        return orders.push(threads.clone());
    }
    for at in from..threads.len() {
        threads.swap(from, at);
        permute(threads, from + 1, orders);
        threads.swap(from, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(group: u32, groups: u32) -> Grid {
        Grid {
            local_size: [group, 1, 1],
            num_groups: [groups, 1, 1],
            global_offset: [0; 3],
            dimensions: 1,
            warp_size: 32,
        }
    }

    #[test]
    fn few_threads_run_in_all_orders() {
        let orders = one_after_the_other(&grid(1, 3));
        assert_eq!(orders.len(), 6);
        let first: Vec<u64> = orders.iter().map(|turns| turns[0].group).collect();
        assert!([0, 1, 2].iter().all(|group| first.contains(group)));
        assert_eq!(one_after_the_other(&grid(1, 1)).len(), 1);
    }

    #[test]
    fn many_threads_run_in_some_orders() {
        let orders = one_after_the_other(&grid(2, 3));
        assert_eq!(orders.len(), MOST_ORDERS);
        assert!(orders.iter().any(|turns| turns[0].group == 2));
        assert!(of(&grid(2, 3), 1).count() > orders.len());
    }
}
