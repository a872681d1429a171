//! The projection of a program to its first thread.

use super::{Claim, Expression, ObligationKind, Program, Role, Statement, Variable};

impl Program {
    /// The statements that concern the first thread, under names without `$1`. Only the user's
    /// assertions remain, and none of the race instrumentation. The result is for reading only:
    /// proofs are about two threads.
    pub fn of_first_thread(mut self) -> Self {
        self.suggested.clear();
        let body = std::mem::take(&mut self.body);
        self.body = self.kept(body);
        for index in self.loops.keys().collect::<Vec<_>>() {
            let body = std::mem::take(&mut self.loops[index].body);
            self.loops[index].body = self.kept(body);
        }
        self.expressions.rename_first_thread();
        self
    }

    fn kept(&self, statements: Vec<Statement>) -> Vec<Statement> {
        statements.into_iter().filter(|statement| self.keeps(statement)).collect()
    }

    fn keeps(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Assign { variable, .. } | Statement::Havoc { variable, .. } => {
                let data = &self.expressions.variables()[*variable];
                let ghost = matches!(data.role, Role::Hit(_) | Role::Written(_) | Role::Recorded(_));
                !ghost && !self.is_second(*variable)
            }
            Statement::Assume { condition, .. } => !self.mentions_second(*condition),
            Statement::Assert { condition, obligation, .. } => match self.obligations[*obligation].kind {
                ObligationKind::Claim { claim: Claim::Assertion, .. } => !self.mentions_second(*condition),
                ObligationKind::Race { .. }
                | ObligationKind::BarrierDivergence { .. }
                | ObligationKind::GroupOperationDivergence
                | ObligationKind::Claim { .. }
                | ObligationKind::WarpDivergence { .. }
                | ObligationKind::NamedBarrier(_)
                | ObligationKind::Signal(_)
                | ObligationKind::Digits { .. }
                | ObligationKind::OutOfBounds { .. }
                | ObligationKind::InvariantEntry
                | ObligationKind::InvariantStep => false,
            },
            Statement::Loop(_) => true,
        }
    }

    fn is_second(&self, variable: Variable) -> bool {
        self.expressions.variables()[variable].thread == Some(1)
    }

    fn mentions_second(&self, expression: Expression) -> bool {
        let mut found = false;
        self.expressions.for_each_variable(expression, |variable| found |= self.is_second(variable));
        found
    }
}
