//! Cache analysis of a binary search, for its worst-case execution time (section 2.3).

use super::super::{Generator, Language, Model, Parameter, wrong_number};

/// The family.
pub(in super::super) const CACHE: Generator = Generator {
    name: "lattice-cache",
    summary: "Worst-case execution time of binary searches, with an abstract cache",
    language: Language::Xta,
    parameters: &[
        Parameter {
            name: "N",
            summary: "the size of the array",
            low: 1,
            high: 1000,
            default: Some(100),
        },
        Parameter {
            name: "S",
            summary: "how many searches follow each other",
            low: 1,
            high: 10,
            default: Some(2),
        },
        Parameter {
            name: "W",
            summary: "the number of lines of each of the two sets of the cache",
            low: 1,
            high: 16,
            default: Some(4),
        },
    ],
    build,
};

fn build(values: &[u32]) -> Result<Model, String> {
    let &[n, searches, ways] = values else {
        return wrong_number();
    };
    let query = "sup: time";
    let text = format!(
        "\
// The worst-case execution time of {searches} binary searches in an array of {n} elements, with a cache of 2 sets of
// {ways} lines and least recently used replacement. The cache is a must analysis: what may miss counts as a miss.
// {query}
//
// A line holds 4 elements. The code takes 4 further lines: the head of the loop, its two branches, and the end.

const int N = {n};
const int SEARCHES = {searches};
const int HIT = 1;
const int MISS = 10;
const int CODE = (N + 3) / 4;

extern AbstractCache;
extern MaxInteger;
AbstractCache cache[2][{ways}][CODE + 4];
MaxInteger time;

int[0, N] low = 0;
int[-1, N - 1] high = N - 1;
int[0, SEARCHES] done = 0;

void access(const int line) {{
    time = time + cache.cost(line, HIT, MISS);
    cache.access(line);
}}
int middle() {{ return (low + high) / 2; }}

process Program() {{
    state Head, Load, Compare, Smaller, Larger, End, Finished;
    init Head;
    trans
        Head -> Load {{ guard low <= high; assign access(CODE); }},
        Head -> End {{ guard low > high; assign access(CODE); }},
        Load -> Compare {{ assign access(middle() / 4); }},
        Compare -> Smaller {{ assign access(CODE + 1); }},
        Compare -> Larger {{ assign access(CODE + 2); }},
        Compare -> End {{ }},
        Smaller -> Head {{ assign high = middle() - 1; }},
        Larger -> Head {{ assign low = middle() + 1; }},
        End -> Head {{ guard done < SEARCHES - 1; assign access(CODE + 3), done = done + 1, low = 0, high = N - 1; }},
        End -> Finished {{ guard done == SEARCHES - 1; assign access(CODE + 3), done = SEARCHES, low = 0, high = N - 1; }};
}}

system Program;
"
    );
    Ok(Model {
        text,
        query: Some(query.into()),
    })
}
