//! `merkhet serve`: who may ask, what is refused, and that the server lives on.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

struct Server {
    child: Child,
    port: u16,
    token: String,
    folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A status and a body.
type Answer = (u16, String);

impl Server {
    fn start() -> Server {
        let folder = tempfile::tempdir().unwrap();
        let open = folder.path().join("open");
        std::fs::create_dir(&open).unwrap();
        let lamp = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lamp.xml");
        std::fs::copy(lamp, open.join("lamp.xml")).unwrap();
        std::fs::write(folder.path().join("secret.xml"), "secret").unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_merkhet"))
            .arg("serve")
            .arg(&open)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let rest = line
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .expect("an address");
        let (port, token) = rest.split_once("/#token=").expect("a token");
        Server {
            child,
            port: port.parse().unwrap(),
            token: token.into(),
            folder,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// Sends bytes as they are.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses may close before all is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.split(' ').nth(1).and_then(|code| code.parse().ok());
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        (status.unwrap_or(0), body.unwrap_or_default())
    }

    fn ask(&self, path: &str, headers: &str, body: &str) -> Answer {
        let request = format!(
            "POST /api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        self.raw(request.as_bytes())
    }

    fn key(&self) -> String {
        let (status, body) = self.ask("session", "", &format!("{{\"token\":\"{}\"}}", self.token));
        assert_eq!(status, 200, "{body}");
        let key = body.split('"').nth(3).unwrap();
        format!("Authorization: Bearer {key}\r\n")
    }

    fn lives(&self, key: &str) {
        let (status, body) = self.ask("hello", key, "{}");
        assert_eq!(status, 200, "{body}");
    }
}

#[test]
fn without_the_key_nothing_is_told() {
    let server = Server::start();
    for path in [
        "hello", "files", "open", "save", "model", "run", "cancel", "simulate", "generate",
        "convert",
    ] {
        assert_eq!(server.ask(path, "", "{}").0, 403, "{path}");
        let wrong = "Authorization: Bearer 00000000000000000000000000000000\r\n";
        assert_eq!(server.ask(path, wrong, "{}").0, 403, "{path}");
    }
    assert_eq!(server.ask("session", "", "{\"token\":\"guess\"}").0, 403);
}

#[test]
fn a_token_serves_once_and_guessing_brings_nothing() {
    let server = Server::start();
    let key = server.key();
    let again = format!("{{\"token\":\"{}\"}}", server.token);
    assert_eq!(server.ask("session", "", &again).0, 403);
    server.lives(&key);
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = Server::start();
    let key = server.key();
    let foreign = format!("{key}Origin: http://evil.example\r\n");
    assert_eq!(server.ask("hello", &foreign, "{}").0, 403);
    let request = format!(
        "POST /api/hello HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n{key}Content-Length: 2\r\n\r\n{{}}"
    );
    assert_eq!(server.raw(request.as_bytes()).0, 403);
    // Not even the page itself, under another name.
    let page = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(server.raw(page.as_bytes()).0, 403);
}

#[test]
fn the_page_may_load_nothing_from_elsewhere() {
    let server = Server::start();
    let mut stream = server.connect();
    let request = format!(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
        server.port
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let lower = text.to_lowercase();
    assert!(
        lower.contains("content-security-policy: default-src 'none'; script-src 'self'"),
        "{text}"
    );
    assert!(lower.contains("frame-ancestors 'none'"), "{text}");
    assert!(!lower.contains("access-control-allow-origin"), "{text}");
}

#[test]
fn files_outside_the_folder_stay_there() {
    let server = Server::start();
    let key = server.key();
    let outside = server.folder.path().join("secret.xml");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, server.folder.path().join("open/link.xml")).unwrap();
    for path in [
        "../secret.xml",
        "/etc/passwd",
        "link.xml",
        "open/../../secret.xml",
        "%2e%2e/secret.xml",
    ] {
        let (status, body) = server.ask("open", &key, &format!("{{\"path\":{path:?}}}"));
        assert!(status == 403 || status == 404, "{path}: {status} {body}");
        let save = format!("{{\"path\":{path:?},\"text\":\"x\",\"was\":null}}");
        let (status, body) = server.ask("save", &key, &save);
        assert!(status == 403 || status == 404, "{path}: {status} {body}");
    }
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "secret");
    // Assets are a fixed list.
    let request = format!(
        "GET /../Cargo.toml HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
        server.port
    );
    assert_eq!(server.raw(request.as_bytes()).0, 404);
    server.lives(&key);
}

#[test]
fn malformed_messages_get_an_error() {
    let server = Server::start();
    let key = server.key();
    for body in ["", "{", "[]", "{\"path\":1}", "null", "\u{0}"] {
        let (status, answer) = server.ask("open", &key, body);
        assert_eq!(status, 400, "{body}: {answer}");
        assert!(answer.contains("malformed"), "{answer}");
    }
    assert_eq!(
        server
            .raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
            .0,
        400
    );
    server.lives(&key);
}

#[test]
fn a_huge_upload_is_refused_before_it_is_read() {
    let server = Server::start();
    let key = server.key();
    let head = format!(
        "POST /api/model HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{key}Content-Length: 1073741824\r\n\r\n",
        server.port
    );
    assert_eq!(server.raw(head.as_bytes()).0, 413);
    server.lives(&key);
}

#[test]
fn many_connections_and_slow_readers_do_no_harm() {
    let server = Server::start();
    let key = server.key();
    // Open and silent, open and half a request, open and never reading.
    let mut kept = Vec::new();
    for number in 0..300 {
        let mut stream = server.connect();
        match number % 3 {
            1 => stream
                .write_all(b"POST /api/hello HTTP/1.1\r\nHost: 127")
                .unwrap(),
            2 => {
                let request = format!(
                    "GET /app.js HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
                    server.port
                );
                stream.write_all(request.as_bytes()).unwrap();
            }
            _ => {}
        }
        kept.push(stream);
    }
    server.lives(&key);
    drop(kept);
    server.lives(&key);
}

#[test]
fn a_model_is_understood_and_simulated() {
    let server = Server::start();
    let key = server.key();
    let text = "process P() { state a, b; init a; trans a -> b { }; } system P;";
    let (status, body) = server.ask(
        "model",
        &key,
        &format!("{{\"name\":\"m.xta\",\"text\":{text:?}}}"),
    );
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("\"usable\":true"), "{body}");
    let steps = "[[{\"process\":\"P\",\"edge\":0,\"origin\":0}]]";
    let request = format!("{{\"name\":\"m.xta\",\"text\":{text:?},\"steps\":{steps}}}");
    let (status, body) = server.ask("simulate", &key, &request);
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("nothing can happen any more"), "{body}");
    let request = request.replace("\"edge\":0", "\"edge\":7");
    let (status, body) = server.ask("simulate", &key, &request);
    assert_eq!(status, 422, "{body}");
    assert!(body.contains("`P` has 1 edges"), "{body}");
}

#[test]
fn a_run_ends_by_its_own_limit_and_not_the_server() {
    let server = Server::start();
    let key = server.key();
    let text = "int a; int b; int c; process P() { state s; init s; trans \
        s -> s { guard a < 30000; assign a = a + 1; }, s -> s { guard b < 30000; assign b = b + 1; }, \
        s -> s { guard c < 30000; assign c = c + 1; }; } system P;";
    let request = format!(
        "{{\"name\":\"m.xta\",\"text\":{text:?},\"query\":\"A[] a + b + c < 90000\",\"search\":\"bfs\",\"heuristic\":null,\
        \"trace\":null,\"timeout\":60,\"memory\":\"100MiB\",\"threads\":null,\"seed\":null}}"
    );
    let (status, body) = server.ask("run", &key, &request);
    assert_eq!(status, 200, "{body}");
    assert!(
        body.contains("\"kind\":\"ended\"") && body.contains("memory"),
        "{body}"
    );
    let (status, body) = server.ask("cancel", &key, "{\"run\":7}");
    assert_eq!((status, body.contains("false")), (200, true), "{body}");
    server.lives(&key);
}

#[test]
fn progress_as_json_is_for_one_model() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let check = |target: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merkhet"));
        command
            .arg("check")
            .arg(target)
            .args(["--progress", "json"]);
        command.args(more).output().unwrap()
    };
    assert_eq!(check(&examples, &[]).status.code(), Some(2));
    let text = "int a; int b; process P() { state s; init s; trans \
        s -> s { guard a < 2000; assign a = a + 1; }, s -> s { guard b < 2000; assign b = b + 1; }; } system P;";
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("grid.xta");
    std::fs::write(&model, text).unwrap();
    let output = check(
        &model,
        &["-q", "A[] a < 3000", "--search", "bfs", "--timeout", "2s"],
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<_> = said.lines().filter(|line| line.starts_with('{')).collect();
    assert!(!lines.is_empty(), "{said}");
    let field =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["explored"].as_u64();
    let explored: Vec<_> = lines.iter().map(|line| field(line).unwrap()).collect();
    assert!(explored.is_sorted() && explored[0] > 0, "{said}");
}
