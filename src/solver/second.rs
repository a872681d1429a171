//! A second solver, an external program that answers SMT-LIB scripts.
//!
//! The program is given a file and writes `unsat`, `sat` or `unknown`, and nothing else, to stdout.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use lockstep_options::deadline::Deadline;
use nix::sys::signal::Signal;
use wait_timeout::ChildExt as _;

/// A program that answers SMT-LIB scripts.
#[derive(Clone, Debug)]
pub struct SecondSolver {
    /// The command as given.
    pub command: String,
    /// The time limit for a query.
    pub limit: Duration,
    words: Vec<String>,
}

/// The answer to a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `unsat`.
    Unsatisfiable,
    /// `sat`.
    Satisfiable,
    /// `unknown`, or no answer in time.
    Undecided,
    /// Any other output, with a description of it.
    Failed(String),
}

/// The placeholder for the file in a command.
const FILE: &str = "{}";

/// A script without a model.
const CONTRADICTION: &str = "(set-logic QF_AUFBV)\n(assert false)\n(check-sat)\n";

/// The most bytes that are read of a program's output.
const MOST_BYTES: u64 = 4096;

impl SecondSolver {
    /// A solver by its command: words of a shell, in which `{}` is the file. The file comes last if
    /// the command does not mention it.
    ///
    /// # Errors
    /// The command cannot be split or run, or does not answer `unsat` to a contradiction.
    pub fn new(command: &str, limit: Duration) -> Result<Self, String> {
        let mut words = shell_words::split(command).map_err(|cause| format!("`{command}` has a {cause}"))?;
        if words.is_empty() {
            return Err("no command".to_owned());
        }
        if !words.iter().any(|word| word.contains(FILE)) {
            words.push(FILE.to_owned());
        }
        let solver = Self { command: command.to_owned(), limit, words };
        match solver.ask_script(CONTRADICTION)? {
            Answer::Unsatisfiable => Ok(solver),
            Answer::Satisfiable => Err(format!("`{command}` answers sat to a contradiction")),
            Answer::Undecided => Err(format!("`{command}` does not decide a contradiction")),
            Answer::Failed(what) => Err(format!("`{command}` {what}")),
        }
    }

    fn ask_script(&self, script: &str) -> Result<Answer, String> {
        let file = tempfile::Builder::new().suffix(".smt2").tempfile();
        let file = file.and_then(|file| std::fs::write(file.path(), script).map(|()| file));
        let file = file.map_err(|cause| format!("cannot write a script: {cause}"))?;
        Ok(self.ask(file.path(), Deadline::NEVER))
    }

    /// The answer to the script in a file, within the solver's limit and before the deadline.
    pub fn ask(&self, script: &Path, deadline: Deadline) -> Answer {
        let limit = self.limit.min(deadline.remaining());
        if limit.is_zero() {
            return Answer::Undecided;
        }
        self.run(script, limit).unwrap_or_else(|cause| Answer::Failed(format!("cannot be run: {cause}")))
    }

    fn run(&self, script: &Path, limit: Duration) -> io::Result<Answer> {
        let script = script.to_string_lossy();
        let mut words = self.words.iter().map(|word| word.replace(FILE, &script));
        let program = words.next().unwrap_or_default();
        // The output goes to files, so no process waits for another to read.
        let [mut said, mut complaints] = [tempfile::tempfile()?, tempfile::tempfile()?];
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null()).stdout(said.try_clone()?).stderr(complaints.try_clone()?);
        // SAFETY: only a system call is made between `fork` and `exec`.
        unsafe {
            command.pre_exec(|| Ok(nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?));
        }
        let mut child = command.spawn()?;
        let Some(status) = child.wait_timeout(limit)? else {
            child.kill()?;
            child.wait()?;
            return Ok(Answer::Undecided);
        };
        Ok(answer(status, &beginning(&mut said)?, &beginning(&mut complaints)?))
    }
}

fn beginning(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The answer in a program's output. Some solvers exit with status 10 for `sat` and 20 for `unsat`.
fn answer(status: ExitStatus, said: &str, complaints: &str) -> Answer {
    match (said.trim(), status.code()) {
        ("unsat", Some(0 | 20)) => Answer::Unsatisfiable,
        ("sat", Some(0 | 10)) => Answer::Satisfiable,
        ("unknown" | "timeout", Some(0)) => Answer::Undecided,
        (other, _) => {
            let line = [other, complaints.trim()].iter().find_map(|text| text.lines().next()).unwrap_or("nothing");
            Answer::Failed(format!("ended with {status} and said: {line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solver(script: &str, limit: Duration) -> Result<SecondSolver, String> {
        SecondSolver::new(&format!("sh -c {} sh", shell_words::quote(script)), limit)
    }

    /// The answer of a shell script to a satisfiable query, if the script passes the test with a
    /// contradiction.
    fn says(script: &str) -> Answer {
        let limit = Duration::from_secs(2);
        let solver = solver(&format!("if grep -q 'assert false' $1; then echo unsat; else {script}; fi"), limit);
        solver.expect("it knows contradictions").ask_script("(check-sat)\n").expect("a script is written")
    }

    #[test]
    fn answers_are_told_from_other_words() {
        assert_eq!(says("echo unsat"), Answer::Unsatisfiable);
        assert_eq!(says("echo unsat; exit 20"), Answer::Unsatisfiable);
        assert_eq!(says("echo sat"), Answer::Satisfiable);
        assert_eq!(says("echo unknown"), Answer::Undecided);
        assert_eq!(says("sleep 60"), Answer::Undecided);
        for garbage in [
            "echo unsat; exit 1",
            "echo unsat; echo sat",
            "echo unsatisfied",
            "true",
            "kill -9 $$",
            "yes | head -99999",
        ] {
            assert!(matches!(says(garbage), Answer::Failed(_)), "{garbage}: {:?}", says(garbage));
        }
        assert!(matches!(says("echo no >&2; exit 3"), Answer::Failed(why) if why.contains("3 and said: no")));
    }

    #[test]
    fn commands_that_are_no_solver_are_refused() {
        let refused = |command: &str| SecondSolver::new(command, Duration::from_secs(2)).expect_err("it is no solver");
        assert!(refused("/nowhere/solver").contains("cannot be run"), "{}", refused("/nowhere/solver"));
        assert!(refused("a 'b").contains("missing closing quote"));
        assert!(refused(" ").contains("no command"));
        assert!(refused("echo sat:{}").contains("said: sat:/"), "{}", refused("echo sat:{}"));
        assert!(refused("sh -c 'echo sat'").contains("answers sat to a contradiction"));
    }
}
