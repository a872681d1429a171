//! The usual preconditions, all together.
//!
//! Most kernels are made for numbers that are not negative, divisors that are not zero, columns
//! that fit into their rows, matrices whose elements 32 bits can count, and groups that lie side by
//! side. A kernel may need all
//! of them, and a proof with some takes longest: it fails, or does not end. So trials with all
//! usual conditions come before the [`search`](super::search), which tries the cheapest
//! conjunctions first. From a successful trial, conditions are left out as long as the kernel is
//! still proved.

use super::roles::Roles;
use super::search::Trial;
use super::templates::{FITS, IS_SMALL, NO_WRAP, Origin, POSITIVE, SIGN, Template};

/// The most conditions in a trial.
const MOST: usize = 12;

/// The usual conditions among the templates, for a trial each: without products, with bounds of
/// products, and with bounds of their factors, with which most proofs are easy.
pub fn usual(templates: &[Template], roles: &Roles) -> [Vec<usize>; 3] {
    let is_counted = |name: &str| roles.factors.contains(name) || roles.totals.contains(name);
    // An id that is compared with a parameter is as small as this is.
    let is_of_two = |template: &Template| template.assumption.names().len() == 2;
    let is_multiplied = |template: &Template| {
        template.assumption.names().into_iter().all(is_counted) && (is_of_two(template) || roles.totals.is_empty())
    };
    // A divisor is not zero.
    let has_sign = |template: &Template| {
        let is_divisor = template.assumption.names().into_iter().all(|name| roles.divisors.contains(name));
        template.cost == if is_divisor { POSITIVE } else { SIGN }
    };
    let of_rows = |template: &Template, cost| template.origin == Origin::Rows && template.cost == cost;
    let always =
        |template: &Template| template.origin == Origin::Groups || has_sign(template) || of_rows(template, FITS);
    let all = |is_more: &dyn Fn(&Template) -> bool| {
        let of = |is_meant: &dyn Fn(&Template) -> bool| {
            (0..templates.len()).filter(|&index| is_meant(&templates[index])).collect::<Vec<_>>()
        };
        let chosen = [of(&always), of(&|template| is_more(template) && !always(template))].concat();
        let mut chosen: Vec<usize> = chosen.into_iter().take(MOST).collect();
        chosen.sort_unstable();
        chosen
    };
    [
        all(&|_| false),
        all(&|template| of_rows(template, NO_WRAP)),
        all(&|template| template.cost == IS_SMALL && is_multiplied(template)),
    ]
}

/// Leaves out conditions that are not needed: those of one cost together or one after the other,
/// the cheapest first. They are the ones that are needed least, and a proof without a condition
/// that is needed takes longest.
pub fn minimised<T>(
    mut chosen: Vec<usize>,
    mut proof: T,
    costs: &dyn Fn(usize) -> u32,
    prove: &mut dyn FnMut(&[usize]) -> Option<Trial<T>>,
) -> (Vec<usize>, T) {
    let mut parts = chosen.clone();
    parts.sort_by_key(|&index| costs(index));
    let classes = parts.chunk_by(|a, b| costs(*a) == costs(*b)).map(<[usize]>::to_vec);
    let mut pending: Vec<Vec<usize>> = classes.collect();
    pending.reverse();
    while let Some(left_out) = pending.pop() {
        let fewer: Vec<usize> = chosen.iter().copied().filter(|index| !left_out.contains(index)).collect();
        let trial = if fewer.is_empty() { Some(Trial::Open) } else { prove(&fewer) };
        match trial {
            Some(Trial::Proved(simpler)) => (chosen, proof) = (fewer, simpler),
            Some(Trial::Fails(_) | Trial::Open) if left_out.len() > 1 => {
                pending.extend(left_out.into_iter().rev().map(|index| vec![index]));
            }
            Some(Trial::Fails(_) | Trial::Open) => {}
            None => break,
        }
    }
    (chosen, proof)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_are_not_needed_are_left_out() {
        let mut tried = Vec::new();
        let mut prove = |chosen: &[usize]| {
            tried.push(chosen.to_vec());
            let proves = chosen.contains(&2) && (chosen.contains(&0) || chosen.contains(&1));
            Some(if proves { Trial::Proved(chosen.len()) } else { Trial::Open })
        };
        // The conditions 0 and 1 cost the same.
        let costs = |index: usize| u32::try_from(index.max(1)).unwrap();
        assert_eq!(minimised(vec![0, 1, 2, 3], 4, &costs, &mut prove), (vec![1, 2], 2));
        assert_eq!(tried, [vec![2, 3], vec![1, 2, 3], vec![2, 3], vec![1, 3], vec![1, 2]]);
    }

    #[test]
    fn the_end_of_the_search_ends_it() {
        let mut prove = |_: &[usize]| None;
        assert_eq!(minimised(vec![0, 1], 4, &|_| 1, &mut prove), (vec![0, 1], 4));
    }
}
