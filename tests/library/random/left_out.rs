//! Programs without a part that a proof may rely on: a verifier that misses it is detected.

use lockstep_ir::kernel::{Ordering, Scope};

use super::program::{Condition, Counter, Means, Program, Relation, Statement, Value};
use super::vocabulary::Vocabulary;

/// The omitted part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Barriers of groups.
    Barriers,
    /// Barriers of some of the group's warps.
    NamedBarriers,
    /// Barriers of warps.
    WarpBarriers,
    /// Waits for copies.
    Waits,
    /// Waits of a thread for its own copies.
    OwnWaits,
    /// The unknown result of a function without a body: it is 0.
    Unknowns,
    /// The bound of a column: it may equal the width of a row.
    Edges,
    /// The steps of counters: all numbers are the same.
    Steps,
    /// Fences.
    Fences,
    /// The orderings of atomic operations: all are relaxed.
    Orderings,
    /// The scopes of fences and atomic operations: all are the group's.
    Scopes,
}

impl LeftOut {
    /// Each part, and the vocabulary of the kernels that have it.
    pub const ALL: [(Self, Option<Vocabulary>); 8] = [
        (Self::Barriers, None),
        (Self::NamedBarriers, Some(Vocabulary::NamedBarriers)),
        (Self::WarpBarriers, Some(Vocabulary::Warps)),
        (Self::Waits, Some(Vocabulary::Copies)),
        (Self::OwnWaits, Some(Vocabulary::OwnCopies)),
        (Self::Unknowns, Some(Vocabulary::Calls)),
        (Self::Edges, Some(Vocabulary::Rows)),
        (Self::Steps, Some(Vocabulary::Tickets)),
    ];

    /// The parts of synchronisation through memory.
    pub const OF_SIGNALS: [Self; 3] = [Self::Fences, Self::Orderings, Self::Scopes];

    /// The program without this part.
    pub fn of(self, program: &Program) -> Program {
        let mut without = Program { body: self.statements(&program.body), ..program.clone() };
        if self == Self::Steps {
            for array in &mut without.arrays {
                array.counter = array.counter.map(|counter| Counter { step: 0, ..counter });
            }
        }
        without
    }

    fn statements(self, statements: &[Statement]) -> Vec<Statement> {
        statements.iter().filter_map(|statement| self.statement(statement)).collect()
    }

    fn statement(self, statement: &Statement) -> Option<Statement> {
        match (self, statement) {
            (Self::Barriers, Statement::Barrier { .. })
            | (Self::NamedBarriers, Statement::NamedBarrier { .. })
            | (Self::WarpBarriers, Statement::WarpBarrier { .. })
            | (Self::Waits, Statement::Wait { .. })
            | (Self::OwnWaits, Statement::OwnWait { .. })
            | (Self::Fences, Statement::Fence { .. }) => None,
            (Self::Scopes, Statement::Fence { ordering, local, global, .. }) => {
                Some(Statement::Fence { ordering: *ordering, scope: Scope::Group, local: *local, global: *global })
            }
            (Self::Orderings | Self::Scopes, Statement::Signal { operation, means, place, operands, to }) => {
                let (operation, place, operands) = (*operation, place.clone(), operands.clone());
                Some(Statement::Signal { operation, means: self.means(*means), place, operands, to: *to })
            }
            (Self::Unknowns, Statement::Call { to, .. }) => Some(Statement::Assign(*to, Value::Constant(0))),
            (_, Statement::If { condition, then, otherwise }) => Some(Statement::If {
                condition: self.condition(condition),
                then: self.statements(then),
                otherwise: self.statements(otherwise),
            }),
            (_, Statement::Loop { number, form, is_checked_last, body }) => Some(Statement::Loop {
                number: *number,
                form: form.clone(),
                is_checked_last: *is_checked_last,
                body: self.statements(body),
            }),
            (_, Statement::While { condition, is_checked_last, body }) => Some(Statement::While {
                condition: condition.clone(),
                is_checked_last: *is_checked_last,
                body: self.statements(body),
            }),
            (_, other) => Some(other.clone()),
        }
    }

    fn means(self, means: Means) -> Means {
        match means {
            Means::Atomic(_, scope) if self == Self::Orderings => Means::Atomic(Ordering::Relaxed, scope),
            Means::Atomic(ordering, _) if self == Self::Scopes => Means::Atomic(ordering, Scope::Group),
            other => other,
        }
    }

    fn condition(self, condition: &Condition) -> Condition {
        match condition {
            Condition::Compare(Relation::Less, column, Value::Width) if self == Self::Edges => {
                Condition::Compare(Relation::LessEqual, column.clone(), Value::Width)
            }
            Condition::And(a, b) => Condition::And(Box::new(self.condition(a)), Box::new(self.condition(b))),
            other => other.clone(),
        }
    }
}
