//! Reads the litmus format of herd and Dat3M, as far as PTX programs of this model need it.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{Ordering, Scope};

use super::program::{Asks, Change, Condition, Instruction, Litmus, Means, Operand, Question, Term, Thread};

/// A program, or what in it is not known here.
pub fn litmus(text: &str) -> Result<Litmus, String> {
    let (head, rest) = text.split_once('{').ok_or("it has no first values")?;
    let (first, rest) = rest.split_once('}').ok_or("its first values have no end")?;
    let at =
        ["~exists", "exists", "forall"].iter().filter_map(|word| rest.find(word)).min().ok_or("it asks nothing")?;
    let (body, question) = rest.split_at(at);
    let name = head.split_whitespace().nth(1).unwrap_or("litmus").to_owned();
    let mut reader = Reader { litmus: Litmus { name, places: Vec::new(), threads: Vec::new(), question: never() } };
    let mut rows = body.split(';').map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let threads = rows.next().ok_or("it has no threads")?;
    for thread in &threads {
        let thread = placed(thread)?;
        reader.litmus.threads.push(thread);
    }
    for given in first.split(';').map(str::trim).filter(|given| !given.is_empty()) {
        reader.first_value(given)?;
    }
    let columns: Vec<Vec<&str>> = rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    for thread in 0..threads.len() {
        let cells = columns.iter().filter_map(|row| row.get(thread).copied()).filter(|cell| !cell.is_empty());
        reader.body(thread, &cells.collect::<Vec<_>>())?;
    }
    reader.litmus.question = reader.question(question)?;
    Ok(reader.litmus)
}

/// A question that stands for one that is not read yet.
fn never() -> Question {
    let condition = Condition::Compare { is_equal: true, a: Term::Constant(0), b: Term::Constant(0) };
    Question { asks: Asks::Exists, condition }
}

/// `P0@cta 0,gpu 0`
fn placed(text: &str) -> Result<Thread, String> {
    let numbers: Vec<u32> =
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [_, block, device] => Ok(Thread { block, device, registers: Vec::new(), body: Vec::new() }),
        _ => Err(format!("unknown place of a thread: {text}")),
    }
}

struct Reader {
    litmus: Litmus,
}

impl Reader {
    /// `x = 0` or `P1:r0 = 0`
    fn first_value(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once('=').ok_or_else(|| format!("unknown first value: {text}"))?;
        let value = value.trim().parse().map_err(|_| format!("unknown number: {text}"))?;
        if let Some((thread, register)) = name.split_once(':') {
            let thread = self.thread(thread)?;
            let register = self.register(thread, register.trim());
            self.litmus.threads[thread].registers[register].1 = value;
            return Ok(());
        }
        if name.contains(['@', '[', ' ']) && name.trim().contains(['@', '[', ' ']) {
            return Err(format!("unknown kind of place: {name}"));
        }
        let place = self.place(name.trim());
        self.litmus.places[place].1 = value;
        Ok(())
    }

    fn thread(&self, text: &str) -> Result<usize, String> {
        let number = text.trim().trim_start_matches('P').parse::<usize>();
        number
            .ok()
            .filter(|&thread| thread < self.litmus.threads.len())
            .ok_or_else(|| format!("unknown thread: {text}"))
    }

    /// The number of a register, which is 0 at first.
    fn register(&mut self, thread: usize, name: &str) -> usize {
        numbered(&mut self.litmus.threads[thread].registers, name)
    }

    fn place(&mut self, name: &str) -> usize {
        numbered(&mut self.litmus.places, name)
    }

    // --- Instructions ----------------------------------------------------------------------------

    fn body(&mut self, thread: usize, cells: &[&str]) -> Result<(), String> {
        let mut labels = BTreeMap::new();
        let mut lines = Vec::new();
        for cell in cells {
            match cell.strip_suffix(':') {
                Some(label) => {
                    labels.insert(label, lines.len());
                }
                None => lines.push(*cell),
            }
        }
        for line in lines {
            let instruction = self.instruction(thread, line, &labels)?;
            self.litmus.threads[thread].body.push(instruction);
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        thread: usize,
        line: &str,
        labels: &BTreeMap<&str, usize>,
    ) -> Result<Instruction, String> {
        let unknown = || format!("unknown instruction: {line}");
        let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operands: Vec<&str> = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
        let parts: Vec<&str> = name.split('.').collect();
        let label = |name: &str| labels.get(name).copied().ok_or_else(|| format!("unknown label: {line}"));
        Ok(match (&parts[..], &operands[..]) {
            (["ld"], [to, value]) => {
                let to = self.register(thread, to);
                Instruction::Set(to, self.operand(thread, value), Operand::Constant(0))
            }
            (["add"], [to, a, b]) => {
                let to = self.register(thread, to);
                Instruction::Set(to, self.operand(thread, a), self.operand(thread, b))
            }
            (["ld", means @ ..], [to, place]) => {
                let to = self.register(thread, to);
                Instruction::Load { to, place: self.place(place), means: means_of(means).ok_or_else(unknown)? }
            }
            (["st", means @ ..], [place, value]) => {
                let means = means_of(means).ok_or_else(unknown)?;
                Instruction::Store { place: self.place(place), value: self.operand(thread, value), means }
            }
            (["atom", means @ .., change], [to, place, rest @ ..]) => {
                let to = Some(self.register(thread, to));
                self.update((thread, to, place), means, change, rest).ok_or_else(unknown)?
            }
            (["red", means @ .., change], [place, rest @ ..]) => {
                self.update((thread, None, place), means, change, rest).ok_or_else(unknown)?
            }
            (["fence", means @ ..], []) => match means_of(means) {
                Some(Means::Strong(ordering, scope)) => Instruction::Fence(ordering, scope),
                _ => return Err(unknown()),
            },
            (["bar", "cta", "sync"], [number]) => Instruction::Barrier(number.parse().map_err(|_| unknown())?),
            (["beq" | "bne"], [a, b, to]) => {
                let (a, b) = (self.operand(thread, a), self.operand(thread, b));
                Instruction::Branch { if_equal: parts[0] == "beq", a, b, to: label(to)? }
            }
            (["goto"], [to]) => Instruction::Jump(label(to)?),
            _ => return Err(unknown()),
        })
    }

    fn operand(&mut self, thread: usize, text: &str) -> Operand {
        text.parse().map_or_else(|_| Operand::Register(self.register(thread, text)), Operand::Constant)
    }

    fn update(
        &mut self,
        (thread, to, place): (usize, Option<usize>, &str),
        means: &[&str],
        change: &str,
        operands: &[&str],
    ) -> Option<Instruction> {
        let Some(Means::Strong(ordering, scope)) = means_of(means) else { return None };
        let operands: Vec<Operand> = operands.iter().map(|operand| self.operand(thread, operand)).collect();
        let change = match (change, &operands[..]) {
            ("add", &[by]) => Change::Add(by),
            ("sub", &[by]) => Change::Subtract(by),
            ("exch", &[new]) => Change::Exchange(new),
            ("cas", &[expected, new]) => Change::CompareAndSwap(expected, new),
            _ => return None,
        };
        Some(Instruction::Update { to, place: self.place(place), change, ordering, scope })
    }

    // --- Questions -------------------------------------------------------------------------------

    fn question(&mut self, text: &str) -> Result<Question, String> {
        let text = text.trim();
        let (word, condition) = text.split_at(text.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(text.len()));
        let asks = match word {
            "exists" => Asks::Exists,
            "~exists" => Asks::Never,
            "forall" => Asks::Always,
            _ => return Err(format!("unknown question: {text}")),
        };
        let condition: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
        Ok(Question { asks, condition: self.condition(&condition)? })
    }

    fn condition(&mut self, text: &str) -> Result<Condition, String> {
        for (word, is_or) in [("\\/", true), ("/\\", false)] {
            if let Some((a, b)) = split_outside(text, word) {
                let [a, b] = [Box::new(self.condition(a)?), Box::new(self.condition(b)?)];
                return Ok(if is_or { Condition::Or(a, b) } else { Condition::And(a, b) });
            }
        }
        if let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            return self.condition(inside);
        }
        let (is_equal, a, b) = text
            .split_once("!=")
            .map(|(a, b)| (false, a, b))
            .or_else(|| text.split_once("==").or_else(|| text.split_once('=')).map(|(a, b)| (true, a, b)))
            .ok_or_else(|| format!("unknown condition: {text}"))?;
        Ok(Condition::Compare { is_equal, a: self.term(a)?, b: self.term(b)? })
    }

    fn term(&mut self, text: &str) -> Result<Term, String> {
        if let Ok(number) = text.parse() {
            return Ok(Term::Constant(number));
        }
        if let Some((thread, register)) = text.split_once(':') {
            let thread = self.thread(thread)?;
            return Ok(Term::Register(thread, self.register(thread, register)));
        }
        Ok(Term::Place(self.place(text)))
    }
}

/// The number of a name, which may be new.
fn numbered(names: &mut Vec<(String, u32)>, name: &str) -> usize {
    names.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        names.push((name.to_owned(), 0));
        names.len() - 1
    })
}

/// `weak`, or an ordering and a scope
fn means_of(parts: &[&str]) -> Option<Means> {
    let ordering = match *parts.first()? {
        "weak" => return (parts.len() == 1).then_some(Means::Weak),
        "relaxed" => Ordering::Relaxed,
        "acquire" => Ordering::Acquire,
        "release" => Ordering::Release,
        "acq_rel" => Ordering::AcquireRelease,
        "sc" => Ordering::SequentiallyConsistent,
        _ => return None,
    };
    let scope = match parts.get(1..)? {
        ["cta"] => Scope::Group,
        ["gpu"] => Scope::Device,
        ["sys"] => Scope::System,
        _ => return None,
    };
    Some(Means::Strong(ordering, scope))
}

/// The sides of an operator that is in no parentheses.
fn split_outside<'a>(text: &'a str, operator: &str) -> Option<(&'a str, &'a str)> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && text[at..].starts_with(operator) => {
                return Some((&text[..at], &text[at + operator.len()..]));
            }
            _ => {}
        }
    }
    None
}
