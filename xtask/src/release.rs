//! `cargo xtask release`: what a person downloads, built and tried.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Outcome, Steps, cargo, run_command, workspace_root};

/// What `cargo xtask release --help` prints.
pub const HELP: &str = "\
Builds the program for one target and packs it into target/release-files: an archive with manual pages, completions, licences
and examples, a Debian package, a bill of materials, and SHA256SUMS. Then each is tried as a user would.

Options:
  --target NAME   the target, as rustc names it; this machine's by default
  --binary FILE   pack this program instead of building one
  --dry-run       say at the end what of a release was not made here, and why; nothing is published in any case

The Debian package is installed into a clean root made by debootstrap, where that is there and this user may; the archive is
unpacked by release/install.sh into an empty folder. cargo-deb and cargo-cyclonedx are used where they are installed.";

struct Options {
    target: String,
    binary: Option<PathBuf>,
    dry_run: bool,
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        target: host()?,
        binary: None,
        dry_run: false,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || {
            rest.next()
                .cloned()
                .ok_or(format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--target" => options.target = value()?,
            "--binary" => options.binary = Some(value()?.into()),
            "--dry-run" => options.dry_run = true,
            other => {
                return Err(format!(
                    "`{other}` is no option; `cargo xtask release --help` lists them"
                ));
            }
        }
    }
    Ok(options)
}

/// What rustc calls this machine.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output();
    let text = output.map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or("rustc does not name its host".into())
}

/// The version of the workspace.
fn version() -> Result<String, String> {
    let manifest = workspace_root().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).map_err(|error| error.to_string())?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("version = "));
    line.map(|version| version.trim_matches('"').to_owned())
        .ok_or("Cargo.toml has no version".into())
}

/// Builds, packs and tries; an error names what failed.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = options(arguments)?;
    let version = version()?;
    let files = crate::corpus::target_folder().join("release-files");
    let _ = std::fs::remove_dir_all(&files);
    std::fs::create_dir_all(&files).map_err(|error| format!("{}: {error}", files.display()))?;
    let program = program(&options)?;
    let name = format!("merkhet-{version}-{}", options.target);
    let mut steps = Steps::default();
    steps.run("archive", || {
        archive(&program, &files, &name, &options.target)
    });
    steps.run("deb", || debian(&program, &files, &options.target));
    steps.run("bill of materials", || materials(&files, &name));
    steps.run("checksums", || checksums(&files));
    let foreign = host()? != options.target;
    steps.run("install the archive", || match foreign {
        true => Outcome::Skipped(format!("this machine does not run {}", options.target)),
        false => install_archive(&files, &version),
    });
    steps.run("install the deb", || match foreign {
        true => Outcome::Skipped(format!("this machine does not run {}", options.target)),
        false => install_debian(&files),
    });
    steps.run("baseline", || baseline(&program, foreign));
    if options.dry_run {
        steps.run("other targets", || {
            Outcome::Skipped(others(&options.target))
        });
    }
    println!("==> summary");
    steps
        .finished
        .iter()
        .for_each(|step| println!("{}", step.line()));
    match steps.failed().is_empty() {
        true => Ok(()),
        false => Err(steps.failed().join(", ")),
    }
}

/// The targets of a release, and which of them this toolchain has.
fn others(own: &str) -> String {
    const TARGETS: [&str; 6] = [
        "x86_64-unknown-linux-gnu",
        "x86_64-unknown-linux-musl",
        "aarch64-unknown-linux-gnu",
        "x86_64-apple-darwin",
        "aarch64-apple-darwin",
        "x86_64-pc-windows-msvc",
    ];
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let libraries = PathBuf::from(root.unwrap_or_default()).join("lib/rustlib");
    let missing = TARGETS
        .iter()
        .filter(|one| **one != own && !libraries.join(one).exists());
    let missing: Vec<&str> = missing.copied().collect();
    format!(
        "the toolchain here has no library for {}; the release workflow builds them",
        missing.join(", ")
    )
}

fn program(options: &Options) -> Result<PathBuf, String> {
    if let Some(binary) = &options.binary {
        return match binary.exists() {
            true => binary.canonicalize().map_err(|error| error.to_string()),
            false => Err(format!("{} is not there", binary.display())),
        };
    }
    let mut build = cargo();
    build.args(["build", "--release", "--locked", "--package", "merkhet-cli"]);
    // A build for this machine by name would go to a folder of its own.
    let foreign = host()? != options.target;
    if foreign {
        build.args(["--target", &options.target]);
    }
    // What is packed runs on every processor of its target; vector code is chosen at run time.
    build.env_remove("RUSTFLAGS");
    if let Outcome::Failed(why) = run_command(build) {
        return Err(format!("cargo build --release: {why}"));
    }
    let folder = crate::corpus::target_folder();
    let folder = if foreign {
        folder.join(&options.target)
    } else {
        folder
    };
    let ending = if options.target.contains("windows") {
        ".exe"
    } else {
        ""
    };
    Ok(folder.join("release").join(format!("merkhet{ending}")))
}

/// Runs a command quietly; what it said, where it failed.
fn quiet(command: &mut Command) -> Result<String, String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let last: Vec<&str> = said.lines().rev().take(3).collect();
            Err(format!("{shown}: {} ({})", output.status, last.join(" | ")))
        }
        Err(error) => Err(format!("{shown}: {error}")),
    }
}

fn done(result: Result<(), String>) -> Outcome {
    match result {
        Ok(()) => Outcome::Passed,
        Err(why) => Outcome::Failed(why),
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Manual pages and completions, which the program writes itself.
fn papers(program: &Path, folder: &Path) -> Result<(), String> {
    let man = folder.join("man");
    let completions = folder.join("completions");
    for one in [&man, &completions] {
        std::fs::create_dir_all(one).map_err(|error| error.to_string())?;
    }
    quiet(Command::new(program).args(["man", "--out"]).arg(&man))?;
    for (shell, file) in [
        ("bash", "merkhet.bash"),
        ("zsh", "_merkhet"),
        ("fish", "merkhet.fish"),
    ] {
        let text = quiet(Command::new(program).args(["completions", shell]))?;
        std::fs::write(completions.join(file), text).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn archive(program: &Path, files: &Path, name: &str, target: &str) -> Outcome {
    done((|| {
        let staging = crate::corpus::target_folder().join("release-staging");
        let _ = std::fs::remove_dir_all(&staging);
        let folder = staging.join(name);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let put = |from: PathBuf, to: &str| {
            std::fs::copy(&from, folder.join(to))
                .map_err(|error| format!("{}: {error}", from.display()))
        };
        let file = program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        put(program.to_owned(), &file)?;
        for text in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            put(workspace_root().join(text), text)?;
        }
        copy(&workspace_root().join("examples"), &folder.join("examples"))
            .map_err(|error| error.to_string())?;
        let _ = std::fs::remove_dir_all(folder.join("examples/rust-lattice"));
        // A program for another machine cannot write its own papers.
        if host()? == target {
            papers(program, &folder)?;
        }
        let archive = files.join(format!("{name}.tar.gz"));
        quiet(
            Command::new("tar")
                .arg("-czf")
                .arg(&archive)
                .arg("-C")
                .arg(&staging)
                .arg(name),
        )?;
        Ok(())
    })())
}

/// A Debian package: by cargo-deb where it is installed, with the metadata in crates/cli/Cargo.toml.
fn debian(program: &Path, files: &Path, target: &str) -> Outcome {
    if !target.contains("linux") {
        return Outcome::Skipped("Debian packages are for Linux".into());
    }
    if !crate::steps::has_cargo_command("deb") {
        return Outcome::Skipped(
            "there is no cargo-deb; `cargo install cargo-deb --locked` gets it".into(),
        );
    }
    // cargo-deb packs what lies where a release build would have put it.
    let built = crate::corpus::target_folder().join("release/merkhet");
    if built != program {
        let placed = built.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(error) = placed.and_then(|()| std::fs::copy(program, &built).map(|_| ())) {
            return Outcome::Failed(format!("{}: {error}", built.display()));
        }
    }
    done((|| {
        papers(
            program,
            &crate::corpus::target_folder().join("release-papers"),
        )?;
        let mut command = cargo();
        command
            .args(["deb", "--no-build", "--package", "merkhet-cli", "--output"])
            .arg(files);
        quiet(&mut command).map(|_| ())
    })())
}

fn materials(files: &Path, name: &str) -> Outcome {
    if !crate::steps::has_cargo_command("cyclonedx") {
        return Outcome::Skipped(
            "there is no cargo-cyclonedx; `cargo install cargo-cyclonedx --locked` gets it".into(),
        );
    }
    done((|| {
        let mut command = cargo();
        command.args([
            "cyclonedx",
            "--format",
            "json",
            "--manifest-path",
            "crates/cli/Cargo.toml",
        ]);
        command.args(["--override-filename", "bill-of-materials"]);
        quiet(&mut command)?;
        let mut found = None;
        let crates = std::fs::read_dir(workspace_root().join("crates"))
            .map_err(|error| error.to_string())?;
        // One is written for each member; that of the program names everything.
        for folder in crates.flatten() {
            let bill = folder.path().join("bill-of-materials.json");
            if bill.exists() && folder.file_name() == "cli" {
                found = std::fs::read(&bill).ok();
            }
            let _ = std::fs::remove_file(bill);
        }
        for folder in ["xtask", "examples/rust-lattice"] {
            let _ =
                std::fs::remove_file(workspace_root().join(folder).join("bill-of-materials.json"));
        }
        let bill = found.ok_or("cargo cyclonedx wrote no bill for the program")?;
        std::fs::write(files.join(format!("{name}.cdx.json")), bill)
            .map_err(|error| error.to_string())
    })())
}

fn checksums(files: &Path) -> Outcome {
    done((|| {
        let entries = std::fs::read_dir(files).map_err(|error| error.to_string())?;
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        let sums = quiet(Command::new("sha256sum").args(&names).current_dir(files))?;
        print!("{sums}");
        std::fs::write(files.join("SHA256SUMS"), sums).map_err(|error| error.to_string())
    })())
}

/// Checks Fischer's protocol with an installed program.
fn tried(command: &mut Command) -> Result<(), String> {
    let said = quiet(command)?;
    match said.contains("4 satisfied") {
        true => Ok(()),
        false => Err(format!(
            "Fischer's protocol came out as: {}",
            said.lines().last().unwrap_or("")
        )),
    }
}

fn install_archive(files: &Path, version: &str) -> Outcome {
    done((|| {
        let into = crate::corpus::target_folder().join("release-try");
        let _ = std::fs::remove_dir_all(&into);
        let mut install = Command::new("sh");
        install
            .arg(workspace_root().join("release/install.sh"))
            .arg(version);
        install
            .env("MERKHET_FROM", files)
            .env("MERKHET_INTO", &into);
        quiet(&mut install)?;
        let mut check = Command::new(into.join("merkhet"));
        tried(
            check
                .args(["check", "--color=never"])
                .arg(workspace_root().join("examples/fischer.xml")),
        )
    })())
}

/// The package in a root that has nothing but Debian's smallest system.
fn install_debian(files: &Path) -> Outcome {
    let entries = std::fs::read_dir(files).into_iter().flatten().flatten();
    let package = entries
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|one| one == "deb"));
    let Some(package) = package else {
        return Outcome::Skipped("no package was made".into());
    };
    let root = crate::corpus::target_folder().join("release-root");
    if !root.join("bin/sh").exists() {
        let _ = std::fs::remove_dir_all(&root);
        // The mirror that this machine's own packages come from, where it names one.
        let mut make = Command::new("debootstrap");
        make.args(["--variant=minbase", "stable"]).arg(&root);
        if let Some(mirror) = std::env::var_os("MERKHET_DEBIAN_MIRROR") {
            make.arg(mirror);
        }
        if let Err(why) = quiet(&mut make) {
            let _ = std::fs::remove_dir_all(&root);
            return Outcome::Skipped(format!(
                "no clean root: {why}; it needs debootstrap, root, and a mirror of Debian (MERKHET_DEBIAN_MIRROR names one)"
            ));
        }
    }
    done((|| {
        let copied = root.join("merkhet.deb");
        std::fs::copy(&package, &copied).map_err(|error| error.to_string())?;
        quiet(
            Command::new("chroot")
                .arg(&root)
                .args(["dpkg", "--install", "/merkhet.deb"]),
        )?;
        let mut check = Command::new("chroot");
        check.arg(&root).args([
            "merkhet",
            "check",
            "--color=never",
            "/usr/share/merkhet/examples/fischer.xml",
        ]);
        tried(&mut check)
    })())
}

/// Whether the program runs on the oldest processor of its target: under an emulator without vector extensions.
fn baseline(program: &Path, foreign: bool) -> Outcome {
    if foreign || !cfg!(target_arch = "x86_64") {
        return Outcome::Skipped("this is tried on x86-64 only".into());
    }
    let there = Command::new("qemu-x86_64").arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        return Outcome::Skipped(
            "there is no qemu-x86_64; Debian's package `qemu-user` has it".into(),
        );
    }
    let mut check = Command::new("timeout");
    check.args([
        "120",
        "qemu-x86_64",
        "-cpu",
        "qemu64,-avx,-avx2,-sse4.1,-sse4.2,-ssse3",
    ]);
    check.arg(program).args([
        "check",
        "--color=never",
        "--search=bfs",
        "--query=E<> Lamp.Lit",
    ]);
    check.arg(workspace_root().join("examples/lamp.xml"));
    match check.output() {
        Ok(output) if output.status.success() => Outcome::Passed,
        // An emulated processor may be too slow here; an illegal instruction is another thing.
        Ok(output) if output.status.code() == Some(124) => {
            Outcome::Skipped("the emulator did not finish within two minutes".into())
        }
        Ok(output) => Outcome::Failed(format!(
            "{}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => Outcome::Failed(error.to_string()),
    }
}
