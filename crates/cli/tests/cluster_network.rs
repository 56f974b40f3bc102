//! Several processes in network namespaces, each with an address of its own: they see what one does; with delays and losses where
//! the kernel can make them; and a cut cable ends the run.

#![cfg(target_os = "linux")]

mod support;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{code, merkhet, run, stderr, stdout};

/// Says that something is left out, so that `cargo xtask test` counts it as skipped.
fn skip(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test").to_owned();
    let _ = std::io::stdout().write_all(format!("\n[skipped] {test}: {why}\n").as_bytes());
}

fn ip(words: &str) -> Result<(), String> {
    tool("ip", words)
}

fn tool(name: &str, words: &str) -> Result<(), String> {
    let output = Command::new(name).args(words.split_whitespace()).output();
    let output = output.map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{name} {words}: {}", stderr(&output).trim())),
    }
}

/// Hosts in namespaces around a bridge in one more. They go with this.
struct Network {
    names: Vec<String>,
    bridge: String,
}

impl Network {
    fn new(tag: &str, count: usize) -> Result<Network, String> {
        let name = |part: &str| format!("mk{}{tag}{part}", std::process::id() % 10_000);
        let network = Network {
            names: (0..count).map(|number| name(&number.to_string())).collect(),
            bridge: name("b"),
        };
        let bridge = &network.bridge;
        ip(&format!("netns add {bridge}"))?;
        ip(&format!("-n {bridge} link add name br0 type bridge"))?;
        ip(&format!("-n {bridge} link set dev br0 up"))?;
        for (number, host) in network.names.iter().enumerate() {
            ip(&format!("netns add {host}"))?;
            ip(&format!("-n {host} link set lo up"))?;
            ip(&format!(
                "-n {host} link add name eth0 type veth peer name p{number} netns {bridge}"
            ))?;
            ip(&format!("-n {bridge} link set dev p{number} master br0 up"))?;
            ip(&format!(
                "-n {host} addr add {}/24 dev eth0",
                Network::address(number)
            ))?;
            ip(&format!("-n {host} link set dev eth0 up"))?;
        }
        Ok(network)
    }

    fn address(number: usize) -> String {
        format!("10.213.7.{}", number + 1)
    }

    fn hosts(&self, folder: &Path) -> PathBuf {
        let line = |number: usize| format!("{}:4827\n", Network::address(number));
        let file = folder.join("hosts.txt");
        let text: String = (0..self.names.len()).map(line).collect();
        std::fs::write(&file, text).expect("written");
        file
    }

    fn start(&self, number: usize, hosts: &Path, arguments: &[&str]) -> Child {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[number]]);
        command.arg(env!("CARGO_BIN_EXE_merkhet")).args(arguments);
        command.arg("--hosts").arg(hosts);
        command.args(["--process", &number.to_string()]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    fn check(&self, hosts: &Path, arguments: &[&str]) -> Vec<Output> {
        let all: Vec<Child> = (0..self.names.len())
            .map(|number| self.start(number, hosts, arguments))
            .collect();
        let end = |process: Child| process.wait_with_output().expect("it ends");
        all.into_iter().map(end).collect()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for name in self.names.iter().chain([&self.bridge]) {
            let _ = ip(&format!("netns del {name}"));
        }
    }
}

fn network(tag: &str, count: usize) -> Option<Network> {
    match Network::new(tag, count) {
        Ok(network) => Some(network),
        Err(why) => {
            skip(&format!("no network namespaces here ({why})"));
            None
        }
    }
}

fn fischer(folder: &Path, processes: u64) -> PathBuf {
    let model = folder.join("fischer.tck");
    let text = stdout(&run(["generate", "fischer", &processes.to_string()]));
    std::fs::write(&model, text).expect("written");
    model
}

fn stored(output: &Output) -> Value {
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)));
    let result = &report["results"][0];
    serde_json::json!([result["verdict"], result["stored"]])
}

#[test]
fn hosts_with_their_own_addresses_see_what_one_does() {
    let Some(network) = network("a", 3) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let model = fischer(folder.path(), 5);
    let model = model.to_str().expect("a name");
    let hosts = network.hosts(folder.path());
    let arguments = [
        "check",
        model,
        "--extrapolation",
        "m",
        "--inclusion",
        "zone",
        "--format",
        "json",
    ];
    let one = stored(&merkhet().args(arguments).output().expect("it starts"));
    assert_eq!(stored(&network.check(&hosts, &arguments)[0]), one);
    for host in &network.names {
        let netem =
            format!("netns exec {host} tc qdisc add dev eth0 root netem delay 5ms loss 0.1%");
        if let Err(why) = ip(&netem) {
            return skip(&format!("no delays and losses here ({why})"));
        }
    }
    assert_eq!(stored(&network.check(&hosts, &arguments)[0]), one);
}

#[test]
fn a_cut_cable_ends_all() {
    let Some(network) = network("c", 2) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    // Long enough for the cable to be cut in the middle.
    let model = fischer(folder.path(), 12);
    let model = model.to_str().expect("a name");
    let hosts = network.hosts(folder.path());
    let arguments = [
        "check",
        model,
        "--memory-limit",
        "2GiB",
        "--timeout",
        "120s",
    ];
    let both = [0, 1].map(|number| network.start(number, &hosts, &arguments));
    std::thread::sleep(Duration::from_secs(4));
    ip(&format!("-n {} link set p1 down", network.bridge)).expect("cut");
    let cut = Instant::now();
    for process in both {
        let output = process.wait_with_output().expect("it ends");
        let told = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(code(&output), Some(3), "{told}");
        assert!(told.contains("is lost"), "{told}");
    }
    assert!(
        cut.elapsed() < Duration::from_secs(40),
        "{:?}",
        cut.elapsed()
    );
}
