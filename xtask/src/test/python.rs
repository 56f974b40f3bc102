//! Packages from PyPI, each in an environment of its own below the target folder.

use std::path::PathBuf;
use std::process::Command;

/// The folder with the programs of an environment that has the package, which is made if it is not there. `module` is what
/// Python imports.
pub fn environment(name: &str, package: &str, module: &str) -> Result<PathBuf, String> {
    let venv = crate::corpus::target_folder().join(name).join("venv");
    let programs = venv.join("bin");
    let python = programs.join("python");
    let has_package = || {
        let mut command = Command::new(&python);
        command.args(["-c", &format!("import {module}")]);
        command.output().is_ok_and(|output| output.status.success())
    };
    if has_package() {
        return Ok(programs);
    }
    let quiet = |mut command: Command, what: &str| match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) => Err(format!("{what} failed")),
        Err(error) => Err(format!("{what}: {error}")),
    };
    let mut create = Command::new("python3");
    create.args(["-m", "venv"]).arg(&venv);
    quiet(create, "python3 -m venv")?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet"]);
    install.args(["--timeout", "20", "--retries", "1", package]);
    quiet(install, "pip install")?;
    match has_package() {
        true => Ok(programs),
        false => Err("the installed package cannot be imported".into()),
    }
}
