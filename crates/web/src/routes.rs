//! The addresses: the page's files for everybody on this machine, and `POST /api/…` for those who have the key.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::files::{Denied, LARGEST};
use crate::protocol::{
    CancelRequest, Done, GenerateRequest, OpenRequest, Problem, RunRequest, SaveRequest, Session,
    SessionRequest, SimulateRequest, Text,
};
use crate::session::Refusal;
use crate::worker::{Request as Ask, Response as Answer};
use crate::{Shared, assets, child, hello};

type All = State<Arc<Shared>>;

/// The largest request: a file, escaped as JSON.
const LARGEST_REQUEST: usize = 2 * LARGEST as usize;

/// Pages may load what this server sends, and nothing else; nobody may frame them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers requests until the process ends.
pub async fn answer(listener: std::net::TcpListener, shared: Arc<Shared>) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    listener.set_nonblocking(true).map_err(said)?;
    let listener = tokio::net::TcpListener::from_std(listener).map_err(said)?;
    axum::serve(listener, router(shared)).await.map_err(said)
}

/// All addresses.
pub fn router(shared: Arc<Shared>) -> Router {
    let api = Router::new()
        .route("/hello", post(greet))
        .route("/files", post(list))
        .route("/open", post(open))
        .route("/save", post(save))
        .route("/model", post(model))
        .route("/convert", post(convert))
        .route("/generate", post(generate))
        .route("/simulate", post(simulate))
        .route("/run", post(run))
        .route("/cancel", post(cancel))
        .layer(middleware::from_fn_with_state(shared.clone(), with_key));
    Router::new()
        .route("/", get(|| async { assets::page("index.html") }))
        .route(
            "/{file}",
            get(|Path(file): Path<String>| async move { assets::page(&file) }),
        )
        .route(
            "/api/session",
            post(session).layer(DefaultBodyLimit::max(4096)),
        )
        .nest("/api", api)
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(middleware::from_fn_with_state(shared.clone(), at_home))
        .with_state(shared)
}

/// Refuses other names and other sites, and says what pages may do.
async fn at_home(State(shared): All, request: Request, next: Next) -> Response {
    if let Err(refusal) = shared.session.at_home(request.headers()) {
        return refused(refusal);
    }
    // The body's own limit holds while it is read; what is announced as longer is not waited for.
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > LARGEST_REQUEST as u64) {
        let limit = format!("a request of more than {} MiB", LARGEST_REQUEST >> 20);
        return problem(StatusCode::PAYLOAD_TOO_LARGE, &limit, None);
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::CACHE_CONTROL, "no-store");
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    response
}

async fn with_key(
    State(shared): All,
    headers: HeaderMap,
    request: Request,
    next: Next,
) -> Response {
    match shared.session.has_key(&headers) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refused(refusal),
    }
}

fn refused(refusal: Refusal) -> Response {
    let (error, hint) = match refusal {
        Refusal::Host => (
            "this name is not served",
            "open the address that `merkhet serve` printed",
        ),
        Refusal::Origin => (
            "another site may not ask",
            "open the address that `merkhet serve` printed",
        ),
        Refusal::Key => (
            "the key is missing or of another server",
            "open the address that `merkhet serve` printed",
        ),
    };
    problem(StatusCode::FORBIDDEN, error, Some(hint))
}

fn problem(status: StatusCode, error: &str, hint: Option<&str>) -> Response {
    let body = Problem {
        error: error.into(),
        hint: hint.map(str::to_owned),
    };
    (status, Json(body)).into_response()
}

/// Reads a request's body; what is malformed gets an error that says where.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Response> {
    serde_json::from_slice(body).map_err(|error| {
        problem(
            StatusCode::BAD_REQUEST,
            &format!("a malformed request: {error}"),
            None,
        )
    })
}

fn reply<T: Serialize>(result: Result<T, Response>) -> Response {
    match result {
        Ok(answer) => Json(answer).into_response(),
        Err(response) => response,
    }
}

fn denied(why: Denied) -> Response {
    match why {
        Denied::Forbidden(error) => problem(StatusCode::FORBIDDEN, &error, None),
        Denied::Missing(error) => problem(StatusCode::NOT_FOUND, &error, None),
        Denied::Changed(error) => problem(
            StatusCode::CONFLICT,
            &error,
            Some("open it again, or save under another name"),
        ),
    }
}

async fn session(State(shared): All, body: Bytes) -> Response {
    reply(read::<SessionRequest>(&body).and_then(|request| {
        let key = shared.session.exchange(&request.token);
        key.map(|key| Session { key }).ok_or_else(|| {
            if let Ok(address) = shared.session.another() {
                eprintln!("a token was used again; a new address: {address}");
            }
            let hint = "the program printed a new one";
            problem(
                StatusCode::FORBIDDEN,
                "this address was used already",
                Some(hint),
            )
        })
    }))
}

async fn greet(State(shared): All) -> Response {
    Json(hello::hello(&shared)).into_response()
}

async fn list(State(shared): All) -> Response {
    Json(shared.folder.list()).into_response()
}

async fn open(State(shared): All, body: Bytes) -> Response {
    reply(read::<OpenRequest>(&body).and_then(|one| shared.folder.read(&one.path).map_err(denied)))
}

async fn save(State(shared): All, body: Bytes) -> Response {
    reply(read::<SaveRequest>(&body).and_then(|one| {
        let saved = shared
            .folder
            .write(&one.path, &one.text, one.was.as_deref());
        saved.map_err(denied)
    }))
}

async fn model(State(shared): All, body: Bytes) -> Response {
    match read::<Text>(&body) {
        Ok(text) => worker(&shared, Ask::Model(text)).await,
        Err(response) => response,
    }
}

async fn convert(State(shared): All, body: Bytes) -> Response {
    match read::<Text>(&body) {
        Ok(text) => worker(&shared, Ask::Convert(text)).await,
        Err(response) => response,
    }
}

async fn generate(State(shared): All, body: Bytes) -> Response {
    match read::<GenerateRequest>(&body) {
        Ok(request) => worker(&shared, Ask::Generate(request)).await,
        Err(response) => response,
    }
}

async fn simulate(State(shared): All, body: Bytes) -> Response {
    match read::<SimulateRequest>(&body) {
        Ok(request) => worker(&shared, Ask::Simulate(request)).await,
        Err(response) => response,
    }
}

async fn worker(shared: &Shared, ask: Ask) -> Response {
    match child::ask(&shared.options.program, &ask).await {
        Ok(Answer::Model(model)) => Json(model).into_response(),
        Ok(Answer::Text(text)) => Json(text).into_response(),
        Ok(Answer::Simulation(walk)) => Json(walk).into_response(),
        Ok(Answer::Problem(one)) => problem(
            StatusCode::UNPROCESSABLE_ENTITY,
            &one.error,
            one.hint.as_deref(),
        ),
        Err(error) => problem(StatusCode::UNPROCESSABLE_ENTITY, &error, None),
    }
}

async fn run(State(shared): All, body: Bytes) -> Response {
    let request = match read::<RunRequest>(&body) {
        Ok(request) => request,
        Err(response) => return response,
    };
    let events = match shared.runs.start(&shared.options.program, &request) {
        Ok(events) => events,
        Err(error) => return problem(StatusCode::TOO_MANY_REQUESTS, &error, None),
    };
    let lines = ReceiverStream::new(events).map(|event| {
        let mut line = serde_json::to_vec(&event).unwrap_or_default();
        line.push(b'\n');
        Ok::<_, Infallible>(Bytes::from(line))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    (kind, Body::from_stream(lines)).into_response()
}

async fn cancel(State(shared): All, body: Bytes) -> Response {
    reply(read::<CancelRequest>(&body).map(|one| Done {
        done: shared.runs.cancel(one.run),
    }))
}
