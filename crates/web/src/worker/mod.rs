//! Looks at a model on behalf of the page, in a process of its own: a model that needs too much memory or time ends this
//! process and not the server.
//!
//! One request as JSON on standard input, one answer on standard output.

mod model;
mod simulate;

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::protocol::{GenerateRequest, ModelView, Problem, SimulateRequest, Simulation, Text};

/// What a worker can be asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Request {
    /// How a model is understood.
    Model(Text),
    /// The model in UPPAAL's XTA.
    Convert(Text),
    /// Walk along steps.
    Simulate(SimulateRequest),
    /// Write a member of a family.
    Generate(GenerateRequest),
}

/// What it answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "lowercase")]
pub enum Response {
    /// How a model is understood.
    Model(Box<ModelView>),
    /// A model's text.
    Text(Text),
    /// Where a walk has come to.
    Simulation(Box<Simulation>),
    /// It could not be done.
    Problem(Problem),
}

/// Answers the request on standard input; the error is a sentence.
pub fn work(memory: u64) -> Result<(), String> {
    limit(memory);
    let mut text = Vec::new();
    std::io::stdin()
        .read_to_end(&mut text)
        .map_err(|error| error.to_string())?;
    let request = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    let answer = serde_json::to_vec(&answer(request)).map_err(|error| error.to_string())?;
    std::io::stdout()
        .write_all(&answer)
        .map_err(|error| error.to_string())
}

/// Answers a request.
pub fn answer(request: Request) -> Response {
    let done = match request {
        Request::Model(text) => Ok(Response::Model(Box::new(model::view(&text)))),
        Request::Convert(text) => model::as_xta(&text).map(Response::Text),
        Request::Simulate(request) => {
            simulate::walk(&request).map(|walk| Response::Simulation(Box::new(walk)))
        }
        Request::Generate(request) => model::generate(&request).map(Response::Text),
    };
    done.unwrap_or_else(|error| Response::Problem(Problem { error, hint: None }))
}

/// Bounds the memory that this process may take; the stack of the thread that works counts, too.
#[cfg(target_os = "linux")]
fn limit(memory: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bound = Rlimit {
        current: Some(memory),
        maximum: Some(memory),
    };
    // Without the bound the server's own limit on time still holds.
    let _ = setrlimit(Resource::As, bound);
}

#[cfg(not(target_os = "linux"))]
fn limit(_memory: u64) {}
