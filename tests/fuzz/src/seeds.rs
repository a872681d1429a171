//! The initial corpus of a fuzzer: the kernels of this repository, in each target's format.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use lockstep::frontend::{self, clang};
use lockstep_ir::kernel;

use crate::{scratch, settings_of};

/// Words of `lockstep run` and the like.
pub const LINES: [&str; 12] = [
    "--local-size 4 --num-groups 2",
    "--local-size 2x2 --num-groups [2,1] --arg n=7",
    "--global-size 8 --local_size=4 --global-offset 3",
    "--blockDim=4 --gridDim=2 --arg a=iota:float*64 --schedule round-robin=3",
    "--local-size 4 --num-groups 1 --arg b=int[1,-2,3] --arg a=zeros --schedule random=7",
    "--local-size 4 --num-groups 2 --arg a=random@7:float*16 --arg x=0.5 --warp-sync 2",
    "--local-size 4 --num-groups 2 --arg b=among@3:int[0,1,4] --arg t=zeros:float*8",
    "--local-size 4 --num-groups 2 --arg 'b=int{0: 5, 7: 9}' --arg s=uint[1,2]",
    "--local-size 4 --num-groups 2 --between 0:1,1:2 --no-benign-tolerance",
    "--local-size '*' --num-groups 2 --kernel-args launched,*,*,5",
    "--local-size 4 --num-groups 2 --kernel-arrays launched,64,128 --timeout 1",
    "--local-size 0x4 --num-groups 1e3 --assume 'n > 4' -D N=3 -I .",
];

/// Writes the seeds of a target into a folder.
pub fn write(target: &str, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let mut number = 0;
    let mut add = |bytes: &[u8]| {
        number += 1;
        fs::write(folder.join(format!("seed{number}")), bytes)
    };
    match target {
        "kernel_text" => {
            for path in kernels("examples")? {
                texts(&path).iter().try_for_each(|text| add(text.as_bytes()))?;
            }
        }
        "llvm_module" => {
            for path in kernels("examples")? {
                modules(&path).iter().try_for_each(|module| add(module))?;
            }
        }
        "llvm_bitcode" => {
            for path in kernels("examples")? {
                bitcode(&path).iter().try_for_each(|module| add(module))?;
            }
        }
        "launch_arguments" => LINES.iter().try_for_each(|line| add(line.as_bytes()))?,
        "suite_header" => {
            for path in kernels("examples")?.into_iter().chain(kernels("tests/kernels")?) {
                let text = fs::read_to_string(&path)?;
                add(text.lines().take(2).collect::<Vec<_>>().join("\n").as_bytes())?;
            }
        }
        _ => anyhow::bail!("no target {target}"),
    }
    Ok(())
}

/// The kernels' files below a folder of the repository.
pub fn kernels(folder: &str) -> anyhow::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths
        .retain(|path| path.extension().is_some_and(|ending| ["cl", "cu", "hip"].iter().any(|known| ending == *known)));
    paths.sort();
    Ok(paths)
}

/// The kernels of a file in the kernel IR's text; none if Clang refuses the file.
pub fn texts(path: &Path) -> Vec<String> {
    let Ok(settings) = settings_of(&["lockstep", "verify", &path.display().to_string()]) else { return Vec::new() };
    let Ok(module) = frontend::import(path, &settings.frontend) else { return Vec::new() };
    module.kernels.iter().filter_map(|imported| Some(kernel::print(imported.kernel.as_ref().ok()?))).collect()
}

/// A file as LLVM IR, if a Clang is found that writes its text; none if the file is refused.
pub fn modules(path: &Path) -> Vec<Vec<u8>> {
    bitcode(path).and_then(|bitcode| as_text(&bitcode)).into_iter().collect()
}

/// A file as LLVM bitcode; none if the file is refused.
fn bitcode(path: &Path) -> Option<Vec<u8>> {
    let settings = settings_of(&["lockstep", "verify", &path.display().to_string()]).ok()?;
    let language = frontend::language_of(path, &settings.frontend)?;
    Some(clang::compile(path, language, &settings.frontend, &|| ()).ok()?.bitcode)
}

fn as_text(bitcode: &[u8]) -> Option<Vec<u8>> {
    let path = scratch().join("seed.bc");
    fs::write(&path, bitcode).ok()?;
    let output = Command::new("clang-19").args(["-x", "ir", "-S", "-emit-llvm", "-o", "-"]).arg(path).output().ok()?;
    output.status.success().then_some(output.stdout)
}
