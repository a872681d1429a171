//! A litmus program as a kernel in PTX.

use std::collections::BTreeSet;
use std::fmt::Write;

use lockstep_ir::kernel::{Ordering, Scope};

use super::program::{Change, Instruction, Litmus, Means, Operand};

/// The text of a file with a kernel, each of whose threads executes a thread of the program.
///
/// Each place is behind a parameter of its own. Threads are told apart by their indices.
pub fn ptx(litmus: &Litmus) -> String {
    program(litmus, false)
}

/// Likewise, and at its end each thread writes its registers to a further parameter, one after the
/// other in the order of threads.
pub fn ptx_with_ends(litmus: &Litmus) -> String {
    program(litmus, true)
}

fn program(litmus: &Litmus, tells_ends: bool) -> String {
    let mut text = ".version 8.3\n.target sm_80\n.address_size 64\n\n.visible .entry litmus(".to_owned();
    let ends = litmus.places.len();
    let count = ends + usize::from(tells_ends);
    let parameters: Vec<String> = (0..count).map(|place| format!(".param .u64 p{place}")).collect();
    text += &parameters.join(", ");
    text += ")\n{\n\t.reg .pred %p;\n\t.reg .u32 %block, %thread, %negative;\n";
    for (place, (name, _)) in litmus.places.iter().enumerate() {
        writeln!(text, "\t.reg .u64 %a{place};\n\tld.param.u64 %a{place}, [p{place}]; // {name}").expect("memory");
        writeln!(text, "\tcvta.to.global.u64 %a{place}, %a{place};").expect("memory");
    }
    if tells_ends {
        writeln!(text, "\t.reg .u64 %a{ends};\n\tld.param.u64 %a{ends}, [p{ends}];").expect("memory");
        writeln!(text, "\tcvta.to.global.u64 %a{ends}, %a{ends};").expect("memory");
    }
    let mut told = 0;
    text += "\tmov.u32 %block, %ctaid.x;\n\tmov.u32 %thread, %tid.x;\n";
    let mut placed: Vec<u32> = Vec::new();
    for (number, thread) in litmus.threads.iter().enumerate() {
        let in_block = placed.iter().filter(|&&block| block == thread.block).count();
        placed.push(thread.block);
        writeln!(text, "\tsetp.ne.u32 %p, %block, {};\n\t@%p bra $next{number};", thread.block).expect("memory");
        writeln!(text, "\tsetp.ne.u32 %p, %thread, {in_block};\n\t@%p bra $next{number};").expect("memory");
        for (register, (_, first)) in thread.registers.iter().enumerate() {
            writeln!(text, "\t.reg .u32 %r{number}_{register};\n\tmov.u32 %r{number}_{register}, {first};")
                .expect("memory");
        }
        let targets: BTreeSet<usize> = thread.body.iter().filter_map(target).collect();
        for (at, &instruction) in thread.body.iter().enumerate() {
            if targets.contains(&at) {
                writeln!(text, "$at{number}_{at}:").expect("memory");
            }
            writeln!(text, "\t{}", line(number, instruction)).expect("memory");
        }
        writeln!(text, "$at{number}_{}:", thread.body.len()).expect("memory");
        for register in 0..thread.registers.len() {
            if tells_ends {
                writeln!(text, "\tst.global.u32 [%a{ends}+{}], %r{number}_{register};", 4 * told).expect("memory");
            }
            told += 1;
        }
        writeln!(text, "\tbra.uni $end;\n$next{number}:").expect("memory");
    }
    text + "$end:\n\tret;\n}\n"
}

fn target(instruction: &Instruction) -> Option<usize> {
    match instruction {
        Instruction::Branch { to, .. } | Instruction::Jump(to) => Some(*to),
        _ => None,
    }
}

fn line(thread: usize, instruction: Instruction) -> String {
    let register = |register: usize| format!("%r{thread}_{register}");
    let operand = |operand: Operand| match operand {
        Operand::Constant(number) => number.to_string(),
        Operand::Register(number) => register(number),
    };
    match instruction {
        Instruction::Set(to, a, b) => {
            // The first operand must be a register.
            let to = register(to);
            format!("mov.u32 {to}, {}; add.u32 {to}, {to}, {};", operand(a), operand(b))
        }
        Instruction::Load { to, place, means } => {
            format!("ld{}.global.u32 {}, [%a{place}];", means_of(means), register(to))
        }
        Instruction::Store { place, value, means } => {
            format!("st{}.global.u32 [%a{place}], {};", means_of(means), operand(value))
        }
        Instruction::Update { to, place, change, ordering, scope } => {
            let means = strength(ordering, scope);
            let (before, name, operands) = match change {
                Change::Add(by) => (String::new(), "add.u32", operand(by)),
                Change::Subtract(by) => (
                    format!("mov.u32 %negative, {}; neg.s32 %negative, %negative; ", operand(by)),
                    "add.u32",
                    "%negative".to_owned(),
                ),
                Change::Exchange(new) => (String::new(), "exch.b32", operand(new)),
                Change::CompareAndSwap(expected, new) => {
                    (String::new(), "cas.b32", format!("{}, {}", operand(expected), operand(new)))
                }
            };
            match to {
                Some(to) => format!("{before}atom{means}.global.{name} {}, [%a{place}], {operands};", register(to)),
                None => format!("{before}red{means}.global.{name} [%a{place}], {operands};"),
            }
        }
        Instruction::Fence(ordering, scope) => format!("fence{};", strength(ordering, scope)),
        Instruction::Barrier(number) => format!("barrier.sync {number};"),
        Instruction::Branch { if_equal, a, b, to } => {
            let relation = if if_equal { "eq" } else { "ne" };
            format!("setp.{relation}.u32 %p, {}, {}; @%p bra $at{thread}_{to};", operand(a), operand(b))
        }
        Instruction::Jump(to) => format!("bra.uni $at{thread}_{to};"),
    }
}

fn means_of(means: Means) -> String {
    match means {
        Means::Weak => String::new(),
        Means::Strong(ordering, scope) => strength(ordering, scope),
    }
}

fn strength(ordering: Ordering, scope: Scope) -> String {
    let ordering = match ordering {
        Ordering::Relaxed => "relaxed",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcquireRelease => "acq_rel",
        Ordering::SequentiallyConsistent => "sc",
    };
    let scope = match scope {
        Scope::Thread | Scope::Warp | Scope::Group => "cta",
        Scope::Cluster => "cluster",
        Scope::Device => "gpu",
        Scope::System => "sys",
    };
    format!(".{ordering}.{scope}")
}
