//! Starts the program for a request, with bounded time and output.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

use crate::worker::{Request, Response};

/// The longest that a worker may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most memory of a worker, its stack included.
const MEMORY: u64 = 4 << 30;

/// The largest answer of a worker.
const LARGEST_ANSWER: u64 = 64 << 20;

/// Asks a worker; the error is a sentence.
pub async fn ask(program: &Path, request: &Request) -> Result<Response, String> {
    let text = serde_json::to_vec(request).map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args(["worker", "--memory", &MEMORY.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("cannot start the program: {error}"))?;
    match tokio::time::timeout(PATIENCE, converse(&mut child, text)).await {
        Ok(answer) => answer,
        Err(_) => Err(format!(
            "this took more than {} s and was ended",
            PATIENCE.as_secs()
        )),
    }
}

async fn converse(child: &mut Child, text: Vec<u8>) -> Result<Response, String> {
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
        return Err("the program has no standard streams".into());
    };
    let mut answer = Vec::new();
    let mut limited = stdout.take(LARGEST_ANSWER);
    let write = async {
        let written = stdin.write_all(&text).await;
        drop(stdin);
        written
    };
    let (written, read) = tokio::join!(write, limited.read_to_end(&mut answer));
    let status = child.wait().await.map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!(
            "the model needs too much memory, or the program failed ({status})"
        ));
    }
    written.map_err(|error| error.to_string())?;
    read.map_err(|error| error.to_string())?;
    serde_json::from_slice(&answer)
        .map_err(|error| format!("an answer that is too long or broken: {error}"))
}
