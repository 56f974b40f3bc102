//! Sessions with a table of logins that must not become full (section 2.1, figure 5).
//!
//! The users of a pair share a seat: one of them logs in only if the other one may be out. So some user of each pair is
//! absent, always; but naive joins forget who. The model's joining strategy keeps at least one pair in mind.

use super::super::{Generator, Language, Model, Parameter, wrong_number};

/// The family.
pub(in super::super) const DATABASE: Generator = Generator {
    name: "lattice-database",
    summary: "Sessions with a database of logins that cannot become full; with a joining strategy",
    language: Language::Xta,
    parameters: &[Parameter {
        name: "N",
        summary: "the number of users",
        low: 2,
        high: 200,
        default: None,
    }],
    build,
};

fn build(values: &[u32]) -> Result<Model, String> {
    let &[n] = values else {
        return wrong_number();
    };
    let query = "A[] not logins.mayBeFull()";
    let absent = vec!["1"; n as usize].join(", ");
    let present = vec!["0"; n as usize].join(", ");
    let text = format!(
        "\
// Sessions of {n} users, one after the other: each logs a user in or out. The users 2k and 2k+1 share a seat.
// {query}
//
// Compare --lattice join --joining all (inconclusive), --lattice join (with the strategy below) and --lattice cegar.

const int N = {n};
typedef int[0, N - 1] user_t;

extern PresentAbsentSet;
PresentAbsentSet logins[N] = {{ {{ {present} }}, {{ {absent} }} }};
user_t user;

int partner(const int u) {{ return u % 2 == 0 ? (u + 1 < N ? u + 1 : u) : u - 1; }}

// Of some pair it is still known that one of the two is absent, and whether the other one may log in.
bool known(const PresentAbsentSet &s[N], const int u) {{
    return u != partner(u)
        && ((s.absent[u] == 1 && s.absent[partner(u)] == 1) || (s.absent[u] == 1 && s.present[partner(u)] == 1));
}}

// The refined joining strategy: do not join if the result might get full.
bool joinable(const PresentAbsentSet &a[N], const PresentAbsentSet &b[N]) {{
    PresentAbsentSet c[N] = a;
    c.join(b);
    return exists (u : user_t) known(c, u);
}}

process Session() {{
    state Idle, Chosen, Login, Logout;
    init Idle;
    trans
        Idle -> Chosen {{ select u : user_t; assign user = u; }},
        Chosen -> Login {{ guard logins.mayLack(user) && logins.mayLack(partner(user)); }},
        Chosen -> Logout {{ guard logins.mayContain(user); }},
        Chosen -> Idle {{ assign user = 0; }},
        Login -> Idle {{ assign logins.insert(user), user = 0; }},
        Logout -> Idle {{ assign logins.remove(user), user = 0; }};
}}

system Session;
"
    );
    Ok(Model {
        text,
        query: Some(query.into()),
    })
}
