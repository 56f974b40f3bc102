//! Several processes on this machine: verdicts, counts and runs of one; what breaks, what is written down, and the recipes.
//!
//! `MERKHET_CLUSTER_KILLS=50 MERKHET_CLUSTER_FISCHER=7` makes the test of kills as long as it is meant to be.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{code, example, merkhet, run, stderr, stdout};

fn number(variable: &str, otherwise: u64) -> u64 {
    let given = std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok());
    given.unwrap_or(otherwise)
}

fn fischer(folder: &Path, processes: u64) -> PathBuf {
    let model = folder.join("fischer.tck");
    let text = stdout(&run(["generate", "fischer", &processes.to_string()]));
    std::fs::write(&model, text).expect("written");
    model
}

/// Processes of this machine that check with these arguments.
fn together(count: usize, arguments: &[&str]) -> Command {
    let mut command = merkhet();
    command.args(["cluster", "run", "--processes", &count.to_string(), "--"]);
    command.arg("check").args(arguments);
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)))
}

#[test]
fn several_processes_give_one_report() {
    let model = example("fischer-flawed.xml");
    let model = model.to_str().expect("a name");
    for count in [1, 2, 3] {
        let arguments = [model, "--search", "bfs", "--format", "json"];
        let output = output(&mut together(count, &arguments));
        let report = report(&output);
        let results = report["results"].as_array().expect("results");
        let verdicts: Vec<&str> = (results.iter())
            .map(|result| result["verdict"].as_str().expect("a verdict"))
            .collect();
        assert_eq!(verdicts, ["satisfied", "violated", "satisfied"], "{count}");
        assert_eq!(code(&output), Some(1), "{}", stderr(&output));
        for result in results {
            let processes = result["processes"].as_array().expect("processes");
            assert_eq!(processes.len(), count);
        }
        assert!(
            results[1]["trace"]["steps"]
                .as_array()
                .is_some_and(|steps| !steps.is_empty())
        );
    }
}

#[test]
fn everything_is_seen_once_and_shortest_runs_stay_shortest() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = fischer(folder.path(), 5);
    let model = model.to_str().expect("a name");
    let everything = [
        model,
        "--extrapolation",
        "m",
        "--inclusion",
        "zone",
        "--format",
        "json",
    ];
    let one = report(&output(merkhet().arg("check").args(everything)));
    for count in [2, 3, 5] {
        let many = report(&output(&mut together(count, &everything)));
        let (one, many) = (&one["results"][0], &many["results"][0]);
        assert_eq!(many["verdict"], one["verdict"]);
        assert_eq!(many["stored"], one["stored"], "{count} processes");
        let shares = many["processes"].as_array().expect("processes");
        assert!(
            shares
                .iter()
                .all(|share| share["explored"].as_u64() > Some(0))
        );
        let sum: u64 = shares
            .iter()
            .filter_map(|share| share["stored"].as_u64())
            .sum();
        assert_eq!(Some(sum), many["stored"].as_u64());
    }
    let flawed = example("fischer-flawed.xml");
    let flawed = flawed.to_str().expect("a name");
    for search in ["bfs", "astar"] {
        let shortest = [
            flawed, "--search", search, "--trace", "shortest", "--format", "json",
        ];
        let length = |output: &Output| {
            let report = report(output);
            report["results"][1]["trace"]["steps"]
                .as_array()
                .map(Vec::len)
        };
        let one = length(&output(merkhet().arg("check").args(shortest)));
        assert!(one.is_some());
        assert_eq!(
            length(&output(&mut together(3, &shortest))),
            one,
            "{search}"
        );
    }
}

#[test]
fn what_is_not_distributed_is_refused_with_a_sentence() {
    let lamp = example("lamp.xml");
    let lamp = lamp.to_str().expect("a name");
    let handshake = example("handshake.smv");
    let handshake = handshake.to_str().expect("a name");
    let cases: [(&[&str], &str); 7] = [
        (
            &[lamp, "-q", "A<> Lamp.Off"],
            "A<>, E[] and --> are for one process",
        ),
        (&[lamp, "-q", "sup: Lamp.x"], ""),
        (
            &[lamp, "-q", "E<> Lamp.Off", "--search", "walk"],
            "walks need no cluster",
        ),
        (
            &[lamp, "-q", "E<> Lamp.Off", "--bitstate"],
            "--bitstate is for one process",
        ),
        (
            &[lamp, "-q", "E<> Lamp.Off", "--threads", "2"],
            "start more processes",
        ),
        (
            &[lamp, "-q", "E<> Lamp.Off", "--reduce", "coi"],
            "--reduce is for one process",
        ),
        (&[handshake], "decided by one process"),
    ];
    for (arguments, expected) in cases {
        let output = output(&mut together(2, arguments));
        assert_eq!(code(&output), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    for (arguments, expected) in [
        (&["lint", lamp][..], "what follows `--` is `check MODEL …`"),
        (&["check", lamp, "--process", "1"], "sets --process itself"),
    ] {
        let mut command = merkhet();
        command
            .args(["cluster", "run", "-p", "2", "--"])
            .args(arguments);
        let output = output(&mut command);
        assert_eq!(code(&output), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

/// Ports that are free just now, as a list of hosts.
fn hosts(folder: &Path, count: usize) -> PathBuf {
    let listeners: Vec<_> = (0..count)
        .map(|_| std::net::TcpListener::bind("127.0.0.1:0").expect("a port"))
        .collect();
    let line = |listener: &std::net::TcpListener| {
        format!("{}\n", listener.local_addr().expect("an address"))
    };
    let file = folder.join("hosts.txt");
    std::fs::write(&file, listeners.iter().map(line).collect::<String>()).expect("written");
    file
}

/// One process of several.
fn process(model: &Path, hosts: &Path, number: usize, arguments: &[&str]) -> Child {
    let mut command = merkhet();
    command.arg("check").arg(model).args(arguments);
    command.arg("--hosts").arg(hosts);
    command.args(["--process", &number.to_string()]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

#[test]
fn processes_that_are_about_something_else_take_no_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (model, other) = (example("fischer.xml"), example("lamp.xml"));
    let query = ["-q", "E<> true", "--wait", "10s"];
    let seed = ["-q", "E<> true", "--wait", "10s", "--seed", "5"];
    for (second, arguments, expected) in [
        (&other, &query[..], "has another model or other queries"),
        (&model, &seed[..], "was started with other options"),
    ] {
        let hosts = hosts(folder, 2);
        let processes = [
            process(&model, &hosts, 0, &query),
            process(second, &hosts, 1, arguments),
        ];
        for process in processes {
            let output = process.wait_with_output().expect("it ends");
            assert_eq!(code(&output), Some(2), "{}", stderr(&output));
            assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        }
    }
    let alone = hosts(folder, 2);
    let waits = process(&model, &alone, 0, &["-q", "E<> true", "--wait", "1s"]);
    let output = waits.wait_with_output().expect("it ends");
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains("has not come within 1 s"),
        "{}",
        stderr(&output)
    );
}

/// A little generator of random numbers.
fn random(state: &mut u64, below: u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// Whichever process is killed, all end within seconds, and nobody gives a verdict; what was written down goes on, with whatever
/// number of processes, to the verdict and the count of one.
#[test]
fn a_process_that_is_killed_ends_all_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let model = fischer(folder, number("MERKHET_CLUSTER_FISCHER", 5));
    let name = model.to_str().expect("a name");
    let begun = Instant::now();
    let one = output(merkhet().arg("check").args([
        name,
        "--extrapolation",
        "m",
        "--inclusion",
        "zone",
        "--format",
        "json",
    ]));
    let whole = begun.elapsed();
    let one = report(&one);
    let mut state = number("MERKHET_SEED", 1);
    let (mut killed, mut resumed) = (0, 0);
    for _ in 0..number("MERKHET_CLUSTER_KILLS", 4) {
        let parts = folder.join("parts");
        let _ = std::fs::remove_dir_all(&parts);
        let kept = parts.to_str().expect("a name");
        let arguments = [
            "--extrapolation",
            "m",
            "--inclusion",
            "zone",
            "--format",
            "json",
            "--checkpoint",
            kept,
            "--every",
            "50ms",
            "--wait",
            "5s",
        ];
        let count = 2 + random(&mut state, 3) as usize;
        let list = hosts(folder, count);
        let mut all: Vec<Child> = (0..count)
            .map(|number| process(&model, &list, number, &arguments))
            .collect();
        let victim = random(&mut state, count as u64) as usize;
        let most = whole.as_millis().max(100) as u64;
        std::thread::sleep(Duration::from_millis(random(&mut state, most)));
        let _ = all[victim].kill();
        let at = Instant::now();
        let outputs: Vec<Output> = (all.into_iter())
            .map(|process| process.wait_with_output().expect("it ends"))
            .collect();
        assert!(at.elapsed() < Duration::from_secs(20), "{:?}", at.elapsed());
        if code(&outputs[victim]).is_none() {
            for (number, output) in outputs
                .iter()
                .enumerate()
                .filter(|(number, _)| *number != victim)
            {
                // It was killed after all was decided, or while the processes were meeting.
                let ended = matches!(code(output), Some(0 | 2 | 3));
                assert!(
                    ended,
                    "process {number}: {:?} {}",
                    output.status,
                    stderr(output)
                );
                if code(output) == Some(3) {
                    killed += 1;
                    let told = stderr(output);
                    let text = stdout(output);
                    assert!(
                        told.contains("is lost") || text.contains("is lost"),
                        "{told}{text}"
                    );
                }
            }
        }
        // Perhaps it is all over already, or nothing was written yet.
        let resume: &[&str] = match parts.join("checkpoint").exists() {
            true => &["--resume"],
            false => &[],
        };
        resumed += resume.len();
        let others = 1 + random(&mut state, 4) as usize;
        let mut command = together(others, &[name]);
        command.args(arguments).args(resume);
        let again = output(&mut command);
        let many = report(&again);
        let (one, many) = (&one["results"][0], &many["results"][0]);
        assert_eq!(many["verdict"], one["verdict"], "{}", stderr(&again));
        assert_eq!(
            many["stored"], one["stored"],
            "{count} and {others} processes, {resume:?}"
        );
    }
    println!("{killed} ends by a kill, {resumed} resumptions");
}

#[test]
fn a_limit_ends_all_and_what_was_written_down_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let model = fischer(folder, 5);
    let name = model.to_str().expect("a name");
    let parts = folder.join("parts");
    let kept = parts.to_str().expect("a name");
    let arguments = [
        name,
        "--extrapolation",
        "m",
        "--inclusion",
        "zone",
        "--format",
        "json",
        "--checkpoint",
        kept,
    ];
    let limited = output(together(2, &arguments).args(["--max-states", "2000"]));
    assert_eq!(code(&limited), Some(3), "{}", stderr(&limited));
    assert_eq!(
        report(&limited)["results"][0]["reason"],
        "state limit reached"
    );
    let refused = output(&mut together(2, &arguments));
    assert_eq!(code(&refused), Some(2));
    assert!(
        stderr(&refused).contains("there is a checkpoint already"),
        "{}",
        stderr(&refused)
    );
    let changed = output(together(2, &arguments).args(["--resume", "--search", "dfs"]));
    assert_eq!(code(&changed), Some(2));
    assert!(
        stderr(&changed).contains("of another search"),
        "{}",
        stderr(&changed)
    );
    let one = output(merkhet().arg("check").args(&arguments[..7]));
    for count in [2, 3] {
        let copy = folder.join(format!("copy{count}"));
        std::fs::create_dir(&copy).expect("made");
        for entry in std::fs::read_dir(&parts).expect("parts") {
            let entry = entry.expect("an entry");
            std::fs::copy(entry.path(), copy.join(entry.file_name())).expect("copied");
        }
        let mut command = together(count, &arguments[..7]);
        command.arg("--checkpoint").arg(&copy).arg("--resume");
        let resumed = output(&mut command);
        let (resumed, one) = (report(&resumed), report(&one));
        assert_eq!(resumed["results"][0]["stored"], one["results"][0]["stored"]);
    }
}

/// A script in the folder.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    let all = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, all).expect("permitted");
    path
}

fn recipe(name: &str) -> PathBuf {
    example("cluster").join(name)
}

/// The first of some ports that are likely to be free.
fn ports() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    20_000 + (now.map_or(0, |now| now.as_nanos() as u64) / 1000) % 1000 * 8
}

fn decides(output: &Output) {
    assert_eq!(
        code(output),
        Some(0),
        "{}{}",
        stdout(output),
        stderr(output)
    );
    assert!(
        stdout(output).contains("1 query: 1 satisfied"),
        "{}",
        stdout(output)
    );
    assert!(stdout(output).contains("2 processes"), "{}", stdout(output));
}

#[test]
fn the_recipe_for_ssh_works_with_something_that_looks_like_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let ssh = script(folder, "ssh", "#!/bin/sh\nshift\nexec sh -c \"$*\"\n");
    let mut command = Command::new(recipe("ssh.sh"));
    command.arg(hosts(folder, 2)).arg(example("fischer.xml"));
    command.args(["-q", "A[] not deadlock", "--search", "bfs"]);
    command
        .env("MERKHET", env!("CARGO_BIN_EXE_merkhet"))
        .env("MERKHET_SSH", ssh);
    decides(&output(&mut command));
}

#[test]
fn the_recipe_for_slurm_works_with_something_that_looks_like_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    script(folder, "scontrol", "#!/bin/sh\necho localhost\n");
    let srun = "#!/bin/sh\nshift\nSLURM_PROCID=1 \"$@\" > /dev/null &\nSLURM_PROCID=0 \"$@\"\nstatus=$?\nwait\nexit $status\n";
    script(folder, "srun", srun);
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(recipe("slurm.sbatch"));
    command
        .arg(example("fischer.xml"))
        .args(["-q", "A[] not deadlock", "--search", "bfs"]);
    command.env("PATH", format!("{}:{path}", folder.display()));
    command.env("MERKHET", env!("CARGO_BIN_EXE_merkhet"));
    command.env("MERKHET_SHARED_FOLDER", folder);
    command.env("MERKHET_PORT", ports().to_string());
    command
        .env("SLURM_JOB_ID", "7")
        .env("SLURM_JOB_NODELIST", "localhost");
    command.env("SLURM_NTASKS_PER_NODE", "2");
    decides(&output(&mut command));
}

/// The command of the job's container, with names of this machine instead of the pods'.
#[test]
fn the_recipe_for_kubernetes_works_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let text = std::fs::read_to_string(recipe("kubernetes.yaml")).expect("read");
    let (_, rest) = text.split_once("            - |\n").expect("a command");
    let (command, _) = rest.split_once("          env:").expect("its end");
    let port = ports() + 4000;
    let command = command.replace(
        "merkhet-$number.merkhet:4827",
        &format!("localhost:$(({port} + number))"),
    );
    assert!(command.contains("localhost"), "{command}");
    let start = |number: usize| {
        let own = folder.join(number.to_string());
        let command = command.replace("/tmp/hosts", own.to_str().expect("a name"));
        let mut shell = Command::new("/bin/sh");
        shell
            .arg("-c")
            .arg(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        shell
            .env("PROCESSES", "2")
            .env("MODEL", folder.join("one.xta"));
        shell.env("JOB_COMPLETION_INDEX", number.to_string());
        shell.env("MERKHET", env!("CARGO_BIN_EXE_merkhet"));
        shell.spawn().expect("a shell")
    };
    let model = "clock x; process P() { state a { x <= 3 }, b; init a; trans a -> b { guard x >= 1; }; } system P;";
    std::fs::write(folder.join("one.xta"), model).expect("written");
    std::fs::write(folder.join("one.q"), "E<> P.b\n").expect("written");
    let all = [start(0), start(1)];
    let mut outputs = all
        .into_iter()
        .map(|process| process.wait_with_output().expect("it ends"));
    decides(&outputs.next().expect("the first"));
    assert_eq!(code(&outputs.next().expect("the second")), Some(0));
}
