//! Lattices on the command line: joining strategies as rules, the picture of joins that led astray, and what is refused.

mod support;

use serde_json::Value;
use support::{code, run, stderr};

fn database(arguments: &[&str]) -> std::process::Output {
    let path = |name: &str| support::example(name).display().to_string();
    let (model, query) = (path("lattice/database.xta"), path("lattice/database.q"));
    let mut all = vec!["check", &model, &query, "--format", "json"];
    all.extend(arguments);
    run(&all)
}

#[test]
fn a_rule_on_the_command_line_makes_naive_joins_conclusive() {
    let known = "if:exists (u : user_t) known(logins, u)";
    let naive = ["--lattice", "join", "--joining", "all"];
    for (rules, expected) in [
        (&[][..], Some(3)),
        (&["--joining", known], Some(0)),
        (
            &["--joining", known, "--joining", "alike:Session.Idle"],
            Some(0),
        ),
        (&["--joining", "apart:logins"], Some(0)),
    ] {
        let found = database(&[&naive[..], rules].concat());
        assert_eq!(code(&found), expected, "{rules:?}: {}", stderr(&found));
        let report: Value = serde_json::from_slice(&found.stdout).expect("a report");
        let joins = report["results"][0]["joins"].as_u64();
        assert_eq!(
            joins == Some(0),
            rules.contains(&"apart:logins"),
            "{rules:?}"
        );
    }
}

#[test]
fn strategies_that_mean_nothing_are_bad_usage() {
    for (arguments, message) in [
        (
            &["--lattice", "join", "--joining", "some"][..],
            "same-zone, if:",
        ),
        (
            &["--lattice", "join", "--joining", "apart:user"],
            "`user` is no lattice variable",
        ),
        (
            &[
                "--lattice",
                "join",
                "--joining",
                "if:logins.mayBeEmptyish()",
            ],
            "mayBeEmptyish",
        ),
        (
            &[
                "--lattice",
                "join",
                "--joining",
                "all",
                "--joining",
                "model",
            ],
            "takes one",
        ),
        (
            &["--lattice", "cover", "--joining", "alike:user"],
            "nothing is joined otherwise",
        ),
        (&["--joining", "alike:user"], "nothing is joined otherwise"),
        (
            &[
                "--lattice",
                "join",
                "--joining",
                "alike:user",
                "--reduce",
                "coi",
            ],
            "use --reduce none",
        ),
        (
            &["--lattice", "cegar", "--splits-out", "splits.txt"],
            "use .svg",
        ),
        (&["--splits-out", "splits.svg"], "nothing else leads astray"),
    ] {
        let found = database(arguments);
        assert_eq!(code(&found), Some(2), "{arguments:?}");
        assert!(
            stderr(&found).contains(message),
            "{arguments:?}: {}",
            stderr(&found)
        );
    }
}

#[test]
fn joins_that_led_astray_are_drawn() {
    let folder = std::env::temp_dir().join(format!("merkhet-splits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("splits.svg");
    let name = file.display().to_string();
    let arguments = [
        "--lattice",
        "cegar",
        "--joining",
        "all",
        "--splits-out",
        &name,
    ];
    assert_eq!(code(&database(&arguments)), Some(0));
    let drawn = std::fs::read_to_string(&file).expect("a picture");
    assert!(
        drawn.starts_with("<svg ") && drawn.contains("joined at (Session."),
        "{drawn}"
    );
    assert!(drawn.contains("not from either part"), "{drawn}");
    // It may be drawn again, and nothing else is replaced.
    assert_eq!(code(&database(&arguments)), Some(0));
    std::fs::write(&file, "mine").expect("written");
    assert_eq!(code(&database(&arguments)), Some(2));
    std::fs::remove_dir_all(&folder).expect("removed");
}
