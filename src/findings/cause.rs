//! Findings with one cause are one finding.
//!
//! A missing barrier lets every access before it race with every access behind it. Shown one by
//! one, these pairs bury the next cause. So of the findings that one change would mend, the first
//! is shown, and the others are named in it ([`Finding::also`]).
//!
//! * Races within a group, with both accesses in one iteration of every loop, have one cause if a
//!   barrier at one point of the source would separate each pair.
//! * Races within a group, with the accesses in different iterations of a loop, have one cause if
//!   it is the same loop.
//! * Races of an access with itself have one cause if the place is the same.
//! * Races between groups, and accesses out of bounds, have one cause if the array is the same.
//!
//! The pairs of the first kind are intervals of the source, from one access to the other. The least
//! number of points that meet every interval is found by taking intervals in the order of their
//! ends, and the end of each that no point meets yet. Calls count as the place of the call.
//!
//! This concerns the presentation only. No finding is lost, and no verdict depends on it. A
//! finding that no run has shown is never the one shown for a confirmed one.

use lockstep_verdict::hinge::Hinge;
use lockstep_verdict::{AccessShown, Finding};

use super::{out_of_bounds, race};

/// Joins the findings that have one cause. The order of those that remain is kept.
pub fn join(findings: &mut Vec<Finding>) {
    let all = std::mem::take(findings);
    let groups = groups(&all);
    // The index of the finding that is shown, by group.
    let mut shown: Vec<Option<usize>> = vec![None; all.len()];
    // A confirmed finding is shown before possible ones.
    let by_certainty = [true, false].into_iter().flat_map(|confirmed| {
        all.iter().enumerate().filter(move |(_, finding)| finding.confirmed == confirmed).map(|(index, _)| index)
    });
    for index in by_certainty.collect::<Vec<_>>() {
        shown[groups[index]].get_or_insert(index);
    }
    let mut also: Vec<Vec<Finding>> = vec![Vec::new(); all.len()];
    let mut kept: Vec<(usize, Finding)> = Vec::new();
    for (index, finding) in all.into_iter().enumerate() {
        match shown[groups[index]] {
            Some(first) if first != index => also[first].push(finding),
            _ => kept.push((index, finding)),
        }
    }
    *findings = kept
        .into_iter()
        .map(|(index, finding)| Finding { also: std::mem::take(&mut also[index]), ..finding })
        .collect();
}

/// Puts findings that hold for every argument first, then those that hinge on arguments, and those
/// that no run has shown last.
pub fn order(findings: &mut [Finding]) {
    let hinges = |finding: &Finding| finding.hinges.iter().any(|hinge| matches!(hinge, Hinge::Parameter { .. }));
    findings.sort_by_key(|finding| (!finding.confirmed, hinges(finding)));
}

/// The number of each finding's group.
fn groups(findings: &[Finding]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..findings.len()).collect();
    let cuts = cuts(findings);
    for (index, finding) in findings.iter().enumerate() {
        let same = |other: &usize| {
            let between = match (&cuts[index], &cuts[*other]) {
                (Some(one), Some(another)) => one == another,
                (None, None) => has_one_cause(finding, &findings[*other]),
                _ => false,
            };
            between && finding.code == findings[*other].code
        };
        if let Some(first) = (0..index).find(same) {
            groups[index] = groups[first];
        }
    }
    groups
}

fn has_one_cause(a: &Finding, b: &Finding) -> bool {
    match (a.code, a.scope) {
        (code, Some(race::WITHIN_GROUP)) if race::CODES.contains(&code) => match (is_of_itself(a), is_of_itself(b)) {
            (true, true) => a.array == b.array && places(a) == places(b),
            (false, false) => a.scope == b.scope && loop_of(a).is_some() && loop_of(a) == loop_of(b),
            _ => false,
        },
        (code, _) if race::CODES.contains(&code) => a.scope == b.scope && a.array == b.array,
        (out_of_bounds::CODE, _) => a.array == b.array,
        _ => false,
    }
}

/// A position in the source: the lines and columns of the calls around it, outermost first, and its
/// own.
type Position = Vec<(u32, u32)>;

fn position(access: &AccessShown) -> Position {
    let calls = access.stack.iter().rev().map(|frame| (frame.line, frame.column));
    calls.chain([(access.line, access.column)]).collect()
}

fn places(finding: &Finding) -> Vec<Position> {
    let mut places: Vec<Position> = finding.accesses.iter().map(position).collect();
    places.sort();
    places
}

fn is_of_itself(finding: &Finding) -> bool {
    matches!(places(finding).as_slice(), [first, second] if first == second)
}

/// The innermost loop around both accesses in whose different iterations they are: its line.
fn loop_of(finding: &Finding) -> Option<u32> {
    let [first, second] = finding.accesses.as_slice() else { return None };
    let differs = first.loops.iter().rev().find(|one| {
        second
            .loops
            .iter()
            .any(|other| other.line == one.line && other.file == one.file && other.iteration != one.iteration)
    });
    differs.map(|one| one.line)
}

/// The point at which a barrier would separate the accesses of each race that a barrier in
/// straight-line code can mend, as the number of the point.
fn cuts(findings: &[Finding]) -> Vec<Option<usize>> {
    let is_cut = |finding: &Finding| {
        finding.kind == race::KIND
            && finding.scope == Some(race::WITHIN_GROUP)
            && finding.accesses.len() == 2
            && !is_of_itself(finding)
            && loop_of(finding).is_none()
    };
    let mut intervals: Vec<(Position, Position, usize)> = Vec::new();
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| is_cut(finding)) {
        if let Ok([first, last]) = <[Position; 2]>::try_from(places(finding)) {
            intervals.push((last, first, index));
        }
    }
    intervals.sort();
    let mut cuts = vec![None; findings.len()];
    let mut points: Vec<Position> = Vec::new();
    for (last, first, index) in intervals {
        // A point lies immediately before the later access of the interval for which it was made.
        if points.last().is_none_or(|point| *point <= first) {
            points.push(last);
        }
        cuts[index] = Some(points.len());
    }
    cuts
}

#[cfg(test)]
mod tests {
    use lockstep_verdict::LoopIteration;
    use lockstep_verdict::act::Act;

    use super::*;

    fn access(line: u32, iteration: Option<u64>) -> AccessShown {
        let in_loop = |iteration| LoopIteration { file: "a".into(), line: 1, iteration, calls: 0 };
        AccessShown {
            file: "a".into(),
            line,
            column: 1,
            act: Act::Read,
            block: Vec::new(),
            thread: Vec::new(),
            loops: iteration.map(in_loop).into_iter().collect(),
            stack: Vec::new(),
            arithmetic: String::new(),
        }
    }

    fn race(scope: &'static str, array: &str, accesses: [AccessShown; 2]) -> Finding {
        Finding {
            code: race::CODE,
            kind: race::KIND,
            scope: Some(scope),
            confirmed: true,
            array: Some(array.to_owned()),
            accesses: accesses.into(),
            ..Finding::default()
        }
    }

    fn within(array: &str, first: u32, second: u32) -> Finding {
        race(race::WITHIN_GROUP, array, [access(first, None), access(second, None)])
    }

    /// The lines of the findings that are shown, each with the number of others of its cause.
    fn joined(mut findings: Vec<Finding>) -> Vec<(u32, u32, usize)> {
        join(&mut findings);
        findings.iter().map(|one| (one.accesses[0].line, one.accesses[1].line, one.also.len())).collect()
    }

    #[test]
    fn pairs_that_one_barrier_separates_are_one_finding() {
        let findings = vec![within("s", 4, 6), within("q", 5, 6), within("s", 4, 7), within("s", 6, 7)];
        assert_eq!(joined(findings), [(4, 6, 2), (6, 7, 0)]);
    }

    #[test]
    fn pairs_without_a_common_point_are_apart() {
        assert_eq!(joined(vec![within("s", 6, 7), within("s", 2, 4)]), [(6, 7, 0), (2, 4, 0)]);
    }

    #[test]
    fn races_around_a_loop_are_no_races_within_an_iteration() {
        let around = |first| race(race::WITHIN_GROUP, "s", [access(first, Some(1)), access(3, Some(2))]);
        let within = race(race::WITHIN_GROUP, "s", [access(3, Some(1)), access(4, Some(1))]);
        assert_eq!(joined(vec![around(4), within, around(5)]), [(4, 3, 1), (3, 4, 0)]);
    }

    #[test]
    fn races_between_groups_are_joined_by_array() {
        let between = |array, line| race(race::BETWEEN_GROUPS, array, [access(line, None), access(line, None)]);
        assert_eq!(joined(vec![between("a", 1), between("b", 2), between("a", 3)]), [(1, 1, 1), (2, 2, 0)]);
    }

    #[test]
    fn a_possible_finding_never_stands_for_a_confirmed_one() {
        let mut possible = within("s", 4, 6);
        possible.confirmed = false;
        assert_eq!(joined(vec![possible, within("s", 4, 7)]), [(4, 7, 1)]);
    }
}
