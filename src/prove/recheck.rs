//! Checks a proof with a second solver.
//!
//! **The questions.** A proof by induction rests only on the invariants that were kept, and on
//! nothing else that inference did. So the program with these invariants at its loops' heads is
//! encoded again, with its loops cut. The questions are those of [`super::questions`]: do the
//! invariants hold before each loop, does an iteration preserve them, and does each assertion hold?
//! A proof by execution rests on executing the loops to their ends, so that encoding is made again,
//! and its assertions are checked. If no such pair of threads exists, the question is whether the
//! preconditions contradict each other.
//!
//! **The method.** The script uses bit-vectors, arrays and uninterpreted functions, whatever theory
//! our solver used (integers, digits). Claims about the same accesses are checked together, from
//! the facts about these accesses alone: leaving out facts is sound for a proof. If the answer is
//! not `unsat`, each claim is checked by itself, with every fact; only then does `sat` count.
//!
//! **Limits.** The check does not cover claims that are true by the construction of the expressions
//! (they are counted). It does not cover that the program models the kernel, or that the program
//! has an execution.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use lockstep_ir::sequential::{Expression, Program, Site, emit_smtlib};
use lockstep_options::deadline::Deadline;
use lockstep_solver::{Answer, SecondSolver};
use lockstep_transform::lockstep::Variants;
use lockstep_verdict::Rechecked;
use lockstep_verdict::reason::QuestionClaim;
use tempfile::NamedTempFile;

use crate::encode::sites::Sites;
use crate::encode::{Encoding, Mode, encode};
use crate::questions::{claim, groups};
use crate::search::unroll::ROUNDS;
use crate::{Conclusion, Outcome, Proof, ProveOptions, prove_all};

/// Decides the programs of a kernel without using remembered results.
///
/// If all are proved, the proofs are checked. The error describes the claim for which the second
/// solver found a model.
pub fn conclude_and_recheck(
    pairs: &[Option<&Variants>],
    options: &ProveOptions,
    solver: &SecondSolver,
    annotated: bool,
) -> (Vec<Option<Conclusion>>, Option<Result<Rechecked, String>>) {
    let proofs = prove_all(pairs, options);
    let is_proof = |proof: &Proof| matches!(proof.outcome, Outcome::Proved | Outcome::Impossible(_));
    let proved = options.only_defects.is_none() && proofs.iter().flatten().all(is_proof);
    let rechecked = proved.then(|| {
        let mut check = Recheck::new(solver, options.deadline);
        let begun = Instant::now();
        for (variants, proof) in pairs.iter().zip(&proofs) {
            if let (Some(variants), Some(proof)) = (variants, proof) {
                check.proof(variants.plain(), proof)?;
            }
        }
        check.result.seconds = begun.elapsed().as_secs_f64();
        Ok(check.result)
    });
    let conclusion = |proof: Proof| Conclusion {
        outcome: proof.outcome,
        statistics: proof.statistics,
        annotated: annotated.then_some(proof.annotated),
    };
    (proofs.into_iter().map(|proof| proof.map(conclusion)).collect(), rechecked)
}

struct Recheck<'a> {
    solver: &'a SecondSolver,
    deadline: Deadline,
    result: Rechecked,
}

impl<'a> Recheck<'a> {
    fn new(solver: &'a SecondSolver, deadline: Deadline) -> Self {
        let limit_seconds = solver.limit.as_secs_f64();
        Self {
            solver,
            deadline,
            result: Rechecked { solver: solver.command.clone(), limit_seconds, ..Rechecked::default() },
        }
    }

    fn proof(&mut self, program: &Program, proof: &Proof) -> Result<(), String> {
        match proof.outcome {
            Outcome::Impossible(_) => self.contradiction(program),
            _ if proof.executed => {
                let mut encodings = ROUNDS.iter().map(|&bounds| encode(program, &[], Mode::Unroll(bounds)));
                match encodings.find(|encoding| encoding.complete) {
                    Some(encoding) => self.encoding(program, encoding),
                    None => Err("the proof is one by execution, and no execution of the loops is complete".to_owned()),
                }
            }
            _ => self.encoding(&proof.annotated, encode(&proof.annotated, &[], Mode::Cut)),
        }
    }

    /// Checks that no such pair of threads exists.
    fn contradiction(&mut self, program: &Program) -> Result<(), String> {
        let conditions = program.preconditions.iter().chain(&program.exact);
        let conditions: Vec<Expression> = conditions.map(|precondition| precondition.condition).collect();
        let script = emit_smtlib(&program.expressions, &conditions);
        self.ask_for_good(&format!("; {}: the preconditions contradict each other\n{script}", one_line(&program.name)))
    }

    fn encoding(&mut self, program: &Program, mut encoding: Encoding) -> Result<(), String> {
        self.result.by_construction += encoding.trivial_goals;
        let mut sites = Sites::default();
        for group in groups(&encoding) {
            for goals in by_sites(&mut sites, &encoding, group) {
                let all = facts_at(&encoding, goals[0]);
                let own = own_facts(&mut sites, &encoding, &all, &goals);
                // A fact that was left out may be needed.
                let says_all = goals.len() == 1 && own.len() == all.len();
                let script = script(program, &mut encoding, own, &goals);
                if says_all {
                    self.ask_for_good(&script)?;
                    continue;
                }
                match self.ask(&script).0 {
                    Answer::Satisfiable | Answer::Undecided => self.one_by_one(program, &mut encoding, &goals)?,
                    answer => self.count(answer),
                }
            }
        }
        Ok(())
    }

    /// Checks each claim by itself, with every fact that is known at its position.
    fn one_by_one(&mut self, program: &Program, encoding: &mut Encoding, goals: &[usize]) -> Result<(), String> {
        for &goal in goals {
            let facts = facts_at(encoding, goal);
            self.ask_for_good(&script(program, encoding, facts, &[goal]))?;
        }
        Ok(())
    }

    /// Asks a question whose answer is final.
    ///
    /// The error reports a model, with the question's file, which is kept.
    fn ask_for_good(&mut self, script: &str) -> Result<(), String> {
        let (answer, file) = self.ask(script);
        if answer != Answer::Satisfiable {
            self.count(answer);
            return Ok(());
        }
        let what = script.lines().next().unwrap_or_default().trim_start_matches("; ");
        let place = file.and_then(|file| keep(file.path()).ok()).map_or_else(
            || "(its file could not be kept)".to_owned(),
            |path| format!("the question is in {}", path.display()),
        );
        Err(format!("`{}` answers sat where the proof needs unsat: {what}; {place}", self.solver.command))
    }

    /// The answer to a script, and its file.
    fn ask(&self, script: &str) -> (Answer, Option<NamedTempFile>) {
        let file = tempfile::Builder::new().suffix(".smt2").tempfile();
        let written = file.and_then(|mut file| file.write_all(script.as_bytes()).map(|()| file));
        match written {
            Ok(file) => (self.solver.ask(file.path(), self.deadline), Some(file)),
            Err(cause) => (Answer::Failed(format!("is not asked: a script cannot be written: {cause}")), None),
        }
    }

    fn count(&mut self, answer: Answer) {
        match answer {
            Answer::Unsatisfiable => self.result.unsatisfiable += 1,
            Answer::Satisfiable | Answer::Undecided => self.result.undecided += 1,
            Answer::Failed(what) => {
                self.result.failed += 1;
                self.result.failure.get_or_insert(what);
            }
        }
    }
}

/// Copies a question out of the run's temporary folder, which is deleted with the run.
fn keep(question: &Path) -> io::Result<PathBuf> {
    let place = std::env::temp_dir();
    let (mut file, path) =
        tempfile::Builder::new().prefix("lockstep-recheck-").suffix(".smt2").tempfile_in(place)?.keep()?;
    io::copy(&mut File::open(question)?, &mut file)?;
    Ok(path)
}

/// The goals of a group, partitioned by the sites that they mention.
fn by_sites(sites: &mut Sites, encoding: &Encoding, group: Vec<usize>) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<Rc<BTreeSet<Site>>, Vec<usize>> = BTreeMap::new();
    for goal in group {
        parts.entry(sites.of(&encoding.expressions, encoding.goals[goal].condition)).or_default().push(goal);
    }
    parts.into_values().collect()
}

/// The facts at a goal's position, including earlier claims.
fn facts_at(encoding: &Encoding, goal: usize) -> Vec<Expression> {
    let mut facts: Vec<Expression> =
        encoding.facts_before(encoding.goals[goal].position).map(|(_, fact)| fact.condition).collect();
    facts.reverse();
    facts
}

/// The facts among these that mention no sites beyond those of some goals, and that matter to them.
fn own_facts(sites: &mut Sites, encoding: &Encoding, facts: &[Expression], goals: &[usize]) -> Vec<Expression> {
    let e = &encoding.expressions;
    let (mut spoken_of, mut concerned) = (BTreeSet::new(), Some(BTreeSet::new()));
    for &goal in goals {
        let goal = &encoding.goals[goal];
        spoken_of.extend(sites.of(e, goal.condition).iter().copied());
        // If anything other than an access is asserted, all facts may matter.
        concerned = concerned.zip(goal.checked).map(|(mut all, site)| {
            all.insert(site);
            all
        });
    }
    let concerned = concerned.map_or_else(BTreeSet::new, |checked| &checked | &spoken_of);
    let mut is_own = |fact: Expression| sites.of(e, fact).is_subset(&spoken_of) && encoding.matters(fact, &concerned);
    facts.iter().copied().filter(|&fact| is_own(fact)).collect()
}

/// A claim as a comment: the number of an assertion with its line, or an invariant.
fn comment(claim: QuestionClaim) -> String {
    match claim {
        QuestionClaim::Assertion(obligation, goal) => match goal.place {
            Some(place) => format!("{obligation} at {}:{}", place.file, place.line),
            None => obligation.to_string(),
        },
        QuestionClaim::Invariant { family, condition } => format!("[{family}] {condition}"),
    }
}

/// A script that asks whether one of some goals can fail under these facts; its first line says so.
fn script(program: &Program, encoding: &mut Encoding, facts: Vec<Expression>, goals: &[usize]) -> String {
    let claims: Vec<String> = goals.iter().map(|&goal| comment(claim(program, encoding.goals[goal].subject))).collect();
    let Encoding { expressions: e, goals: all, .. } = encoding;
    let failing: Vec<Expression> = goals.iter().map(|&goal| e.not(all[goal].condition)).collect();
    let one_fails = e.or(failing);
    let assertions: Vec<Expression> = facts.into_iter().chain([one_fails]).collect();
    let claims = claims.iter().map(|claim| one_line(claim)).collect::<Vec<_>>().join("\n; ");
    format!("; {}: {claims}\n{}", one_line(&program.name), emit_smtlib(e, &assertions))
}

fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}
