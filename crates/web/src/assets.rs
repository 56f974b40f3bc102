//! The page's files, part of the program.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file's name, type and content. `page/` has the sources; `npm run build` there makes the bundle.
const FILES: &[(&str, &str, &[u8])] = &[
    (
        "index.html",
        "text/html; charset=utf-8",
        include_bytes!("../page/dist/index.html"),
    ),
    (
        "app.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../page/dist/app.js"),
    ),
    (
        "app.css",
        "text/css; charset=utf-8",
        include_bytes!("../page/dist/app.css"),
    ),
    (
        "NOTICES.txt",
        "text/plain; charset=utf-8",
        include_bytes!("../page/dist/NOTICES.txt"),
    ),
];

/// A file of the page.
pub fn page(name: &str) -> Response {
    match FILES.iter().find(|file| file.0 == name) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
    }
}
