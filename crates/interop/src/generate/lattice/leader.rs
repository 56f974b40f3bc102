//! Leader election over a medium that loses and duplicates messages (section 2.2, figure 6).
//!
//! What was ever sent stays in a pool, which only grows: duplication is reading a message twice, loss is not reading it.

use super::super::{Generator, Language, Model, Parameter, wrong_number};

/// The family.
pub(in super::super) const LEADER: Generator = Generator {
    name: "lattice-leader",
    summary: "Leader election in a ring over a lossy, duplicating medium; messages as a pool",
    language: Language::Xta,
    parameters: &[Parameter {
        name: "N",
        summary: "the number of agents",
        low: 2,
        high: 400,
        default: None,
    }],
    build,
};

fn build(values: &[u32]) -> Result<Model, String> {
    let &[n] = values else {
        return wrong_number();
    };
    let query = "A[] forall (i : agent_t) (Agent(i).Leader imply i == N - 1)";
    let text = format!(
        "\
// {n} agents in a ring elect the one with the largest number. An agent sends its number to its neighbour, passes on
// larger numbers, drops smaller ones, and is the leader when its own number comes back.
// {query}
//
// The medium loses and duplicates: what was ever sent stays in the pool and may be read at any time, or never. Sending
// again what is in the pool changes nothing and is left out.

const int N = {n};
typedef int[0, N - 1] agent_t;

extern MessagePool;
MessagePool pool[N * N];

// The message with a number to an agent.
int[0, N * N - 1] message(const agent_t to, const agent_t number) {{ return to * N + number; }}
agent_t next(const agent_t agent) {{ return agent == 0 ? N - 1 : agent - 1; }}

process Agent(const agent_t me) {{
    state Member, Leader;
    init Member;
    trans
        Member -> Member {{
            guard !pool.has(message(next(me), me));
            assign pool.send(message(next(me), me));
        }},
        Member -> Member {{
            select number : agent_t;
            guard number > me && pool.has(message(me, number)) && !pool.has(message(next(me), number));
            assign pool.send(message(next(me), number));
        }},
        Member -> Leader {{ guard pool.has(message(me, me)); }};
}}

system Agent;
"
    );
    Ok(Model {
        text,
        query: Some(query.into()),
    })
}
