//! Users that log in one at a time, in the form that the counts of figure 4 fit: 16·N·7^(N-1) transitions explicitly and
//! 7·N·4^(N-1) by covering.

use super::super::{Generator, Language, Model, Parameter, wrong_number};

/// The family.
pub(in super::super) const SESSIONS: Generator = Generator {
    name: "lattice-sessions",
    summary: "Users log in to work while the others wait; as many transitions as figure 4 of the paper counts",
    language: Language::Xta,
    parameters: &[Parameter {
        name: "N",
        summary: "the number of users",
        low: 2,
        high: 100,
        default: None,
    }],
    build,
};

fn build(values: &[u32]) -> Result<Model, String> {
    let &[n] = values else {
        return wrong_number();
    };
    let query = "A[] forall (i : user_t) forall (j : user_t) (User(i).Working && User(j).Working imply i == j)";
    let text = format!(
        "\
// {n} users of one database, which serves one session at a time: while somebody works, nobody else moves.
// {query}
//
// present[i]: user i is certainly in the table of logins; absent[i]: user i certainly is not. Knowing less allows more,
// so both are vectors that are joined by intersection. At the start nothing is known of who logged out properly.
//
// A user who does not work is at Start, of which nothing is known, or at one of three locations, certainly absent or not:
// 7 ways, 4 if what is covered is left out. A user has 7 edges, which can be taken in 16 of these ways and of those of a
// user who works, and in 7 of those that are left by covering. The others make 7^(N-1) and 4^(N-1) ways of these each.

const int N = {n};
typedef int[0, N - 1] user_t;

extern IntersectionBitVector;
IntersectionBitVector present[N];
IntersectionBitVector absent[N];

process User(const user_t me) {{
    state Start, Menu, Form, Login, Working;
    commit Working;
    init Start;
    trans
        Start -> Menu {{ }},
        Menu -> Form {{ }},
        Form -> Login {{ }},
        Login -> Working {{ guard present.num0s() == N; }},
        Working -> Working {{ assign present[me] = 1, absent[me] = 0; }},
        Working -> Menu {{ assign present[me] = 0, absent[me] = 1; }},
        Working -> Login {{ assign present[me] = 0, absent[me] = 1; }};
}}

system User;
"
    );
    Ok(Model {
        text,
        query: Some(query.into()),
    })
}
