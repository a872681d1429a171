//! Redundant invariants, which neither readers nor other verifiers need.

use lockstep_ir::sequential::{Expression, Node, Program};

/// Removes invariants that contain another one of the same loop as a part.
///
/// For example, `p ==> q || r` is removed beside `p ==> q`, `q`, or `!p`.
///
/// The remaining invariants are equivalent.
pub fn leave_out_implied(program: &mut Program) {
    let expressions = &program.expressions;
    let parts = |condition: Expression| match expressions.node(condition) {
        Node::Or(parts) => parts.to_vec(),
        _ => vec![condition],
    };
    for data in program.loops.values_mut() {
        let all: Vec<Vec<Expression>> = data.invariants.iter().map(|invariant| parts(invariant.condition)).collect();
        data.invariants.retain(|invariant| {
            let own = parts(invariant.condition);
            !all.iter().any(|other| other.len() < own.len() && other.iter().all(|part| own.contains(part)))
        });
    }
}
