//! The workbench: a page that the program serves to a browser on the same machine.
//!
//! The server reads no model itself. A process of its own does ([`worker`]), and checks run as `merkhet check` does, so that
//! whatever a model needs ends that process and not the server. [`protocol`] is what page and server say to each other.

#![forbid(unsafe_code)]

mod assets;
mod child;
mod files;
mod hello;
pub mod protocol;
mod routes;
mod run;
mod session;
pub mod worker;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use files::Folder;
use run::Runs;
use session::Session;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// A model or a folder.
    pub target: PathBuf,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The program that is started for runs and workers: its `check` and `worker` commands are used.
    pub program: PathBuf,
    /// Its version.
    pub version: String,
}

/// All that requests share.
struct Shared {
    session: Session,
    folder: Folder,
    runs: Runs,
    options: Options,
}

/// A server that listens, and has not begun to answer.
pub struct Server {
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Opens the folder and the port; the error is a sentence.
    pub fn open(options: Options) -> Result<Server, String> {
        let folder = Folder::open(&options.target)?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = std::net::TcpListener::bind(address).map_err(|error| {
            format!("cannot listen on {address}: {error}; `--port 0` takes any port that is free")
        })?;
        let port = listener
            .local_addr()
            .map_err(|error| error.to_string())?
            .port();
        let session = Session::new(port)?;
        let shared = Shared {
            session,
            folder,
            runs: Runs::default(),
            options,
        };
        Ok(Server {
            listener,
            shared: Arc::new(shared),
        })
    }

    /// The address to open in a browser, with the token that serves once.
    pub fn address(&self) -> String {
        self.shared.session.address()
    }

    /// Answers requests until the process ends; the error is a sentence.
    pub fn run(self) -> Result<(), String> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        runtime.block_on(routes::answer(self.listener, self.shared))
    }
}
