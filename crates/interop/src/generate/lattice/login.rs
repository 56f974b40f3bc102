//! Users that log in, work and log out; what is known of the table of logins is a pair of bit vectors (section 2.1,
//! figure 4).

use super::super::{Generator, Language, Model, Parameter, wrong_number};

/// The family.
pub(in super::super) const LOGIN: Generator = Generator {
    name: "lattice-login",
    summary: "Users log in to work, one at a time; present and absent logins as bit vectors",
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
// {n} users of one database. A user logs in if, as far as is known, nobody is logged in; works; and logs out.
// {query}
//
// present[i]: user i is certainly in the table of logins; absent[i]: user i certainly is not. Knowing less allows more,
// so both are vectors that are joined by intersection. At the start nothing is known of who logged out properly.

const int N = {n};
typedef int[0, N - 1] user_t;

extern IntersectionBitVector;
IntersectionBitVector present[N];
IntersectionBitVector absent[N];

process User(const user_t me) {{
    state Start, Ready, Form, In, Working, Leaving;
    init Start;
    trans
        Start -> Ready {{ }},
        Ready -> Form {{ }},
        Form -> Ready {{ }},
        Form -> In {{ guard present.num0s() == N; assign present[me] = 1, absent[me] = 0; }},
        In -> Working {{ }},
        Working -> Leaving {{ }},
        Leaving -> Ready {{ assign present[me] = 0, absent[me] = 1; }};
}}

system User;
"
    );
    Ok(Model {
        text,
        query: Some(query.into()),
    })
}
