//! What `verifyta -h` and `verifyta -v` print.

/// The release whose options and output are followed. Wrappers read it as the word after `UPPAAL`.
const COMPATIBLE: &str = "4.1.26";

/// The line of `-v`.
pub fn version() -> String {
    format!(
        "Merkhet {}, which speaks the language of UPPAAL {COMPATIBLE} verifyta\n",
        crate::version::LONG
    )
}

/// The text of `-h`.
pub const HELP: &str = "\
Usage: verifyta [OPTION]... MODEL [QUERY]

Checks the queries of a file, or those embedded in the model, and answers in the words of UPPAAL's verifyta.
MODEL is a .xml, .xta or .ta file; QUERY a .q file, or - for standard input.

  -o 0|1|2   search order: breadth first (default), depth first, random depth first
  -t 0|1|2   print some, a shortest or a fastest trace on standard error
  -f BASE    write traces to BASE-N.xtr instead; needs -t
  -X BASE    write traces to BASE-N.xml instead; needs -t
  -r N       the seed of random choices
  -u         print a summary after each query
  -s         do not show progress
  -q         do not print the options
  -n 0..4    extrapolation: automatic (default), none, differences, by location, lower and upper bounds
  -Z         bit-state hashing: a state may be missed, and then the answer is MAY or MAY NOT
  --query-index N
             check only the query with this number, counted from 0
  -h, -v     this help; the version

Taken for the sake of scripts; answers do not depend on them:
  -A         convex-hull approximation (answers are exact all the same)
  -C         matrices instead of compact constraints
  -S 0|1|2   space optimisation: none, conservative (default), aggressive
  -H N, -z N sizes of hash tables
  -T, -y, -Y, --no-summary, --no-progress, --silence-progress, --keep-tmp

Refused with a message: everything of statistical model checking and of strategies.
UPPAAL_COMPILE_ONLY=1 in the environment prints the model in the intermediate format and ends.

Exit code: 0 whatever the verdicts are, 1 for an error in the model, a query or the run.
`merkhet check` has exit codes for verdicts, JSON, JUnit, time limits and guided search.
";
