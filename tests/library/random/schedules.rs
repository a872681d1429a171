//! Schedules of threads that may wait for each other in loops.
//!
//! Each step of a schedule is one that the interpreter could also choose by itself, so every
//! schedule is a possible run. The schedules differ in who gets ahead of whom:
//!
//! * one thread after the other until it waits, in every order of few threads: a thread sees all
//!   signals of the earlier ones, and none of the later ones;
//! * one group after the other until it waits for another one;
//! * threads that alternate by few steps, or by chance: a thread sees a part of the signals;
//! * the same by chance, and reads that see older values, as relaxed order allows.

use lockstep::interpreter::{Grid, Schedule, Turn};

/// The number of schedules by chance for each input.
const BY_CHANCE: u64 = 20;

/// The number of those in which reads see older values.
const STALE: u64 = 12;

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
    let stale = (0..STALE).map(move |seed| Order::Of(Schedule::Stale(seed.wrapping_mul(0x9E37_79B9) ^ input)));
    few(grid, input).chain(by_chance).chain(stale)
}

/// Few schedules that differ as far as possible.
pub fn few(grid: &Grid, input: u64) -> impl Iterator<Item = Order> + use<> {
    let own = [Schedule::InOrder, Schedule::RoundRobin(1), Schedule::RoundRobin(3 + input % 8)].map(Order::Of);
    own.into_iter().chain(threads_in_order(grid).chain(groups_in_order(grid)).map(Order::Turns))
}

/// The threads one after the other, in different orders.
fn threads_in_order(grid: &Grid) -> impl Iterator<Item = Vec<Turn>> + use<> {
    let threads: Vec<(u64, u32)> = (0..grid.groups()).flat_map(|group| threads(grid, group)).collect();
    some_orders(threads).into_iter().map(|order| rounds(&order))
}

/// The groups one after the other, in different orders; the threads of each take turns, as each may
/// wait at barriers.
fn groups_in_order(grid: &Grid) -> impl Iterator<Item = Vec<Turn>> + use<> {
    let grid = *grid;
    let orders = some_orders((0..grid.groups()).collect());
    let turns =
        move |order: Vec<u64>| order.into_iter().flat_map(move |group| rounds(&threads(&grid, group))).collect();
    orders.into_iter().map(turns)
}

fn threads(grid: &Grid, group: u64) -> Vec<(u64, u32)> {
    let count = u32::try_from(grid.group_threads()).expect("few threads");
    (0..count).map(|thread| (group, thread)).collect()
}

/// Turns of threads in this order, again and again.
fn rounds(order: &[(u64, u32)]) -> Vec<Turn> {
    let round = order.iter().map(|&(group, thread)| Turn { group, thread, steps: STEPS });
    std::iter::repeat_n(round, ROUNDS).flatten().collect()
}

/// All orders, or some of many that differ as far as possible.
fn some_orders<T: Clone>(mut all: Vec<T>) -> Vec<Vec<T>> {
    let mut orders = Vec::new();
    permute(&mut all, 0, &mut orders);
    let count = orders.len().min(MOST_ORDERS);
    let last = orders.len() - 1;
    (0..count).map(|at| orders[at * last / (count - 1).max(1)].clone()).collect()
}

fn permute<T: Clone>(all: &mut Vec<T>, from: usize, orders: &mut Vec<Vec<T>>) {
    if from == all.len() {
        return orders.push(all.clone());
    }
    for at in from..all.len() {
        all.swap(from, at);
        permute(all, from + 1, orders);
        all.swap(from, at);
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
        let orders: Vec<Vec<Turn>> = threads_in_order(&grid(1, 3)).collect();
        assert_eq!(orders.len(), 6);
        let first: Vec<u64> = orders.iter().map(|turns| turns[0].group).collect();
        assert!([0, 1, 2].iter().all(|group| first.contains(group)));
        assert_eq!(threads_in_order(&grid(1, 1)).count(), 1);
    }

    #[test]
    fn a_group_may_end_before_another_begins() {
        let mut orders = groups_in_order(&grid(2, 2));
        let is_late = |turns: Vec<Turn>| {
            turns.iter().rposition(|turn| turn.group == 1) < turns.iter().position(|turn| turn.group == 0)
        };
        assert!(orders.any(is_late));
    }

    #[test]
    fn many_threads_run_in_some_orders() {
        let orders: Vec<Vec<Turn>> = threads_in_order(&grid(2, 3)).collect();
        assert_eq!(orders.len(), MOST_ORDERS);
        assert!(orders.iter().any(|turns| turns[0].group == 2));
        assert!(of(&grid(2, 3), 1).count() > orders.len());
    }
}
