//! `merkhet check --hosts`: this process is one of several.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use merkhet::network::{Network, Query};
use merkhet::{
    Cluster, ClusterReport, Config, Exchange, Failure, Identity, Lost, Model, ModelQuery,
    PartKeeper, ProcessShare, Progress,
};
use merkhet_cluster::Session;
use merkhet_cluster::connect::Plan;
use merkhet_cluster::hosts::Hosts;

use crate::args::{CheckArgs, NUMBERS};
use crate::checkpoint::Hash;
use crate::checkpoint::parts::PartFiles;
use crate::exit::Exit;
use crate::guard::Guard;
use crate::output;

/// The number that words of no search have: the last one, with the exit code of all.
const LAST: [u8; 10] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

/// Where this process stands among others.
pub(super) struct Place {
    hosts: Hosts,
    pub number: usize,
}

/// Reads where this process stands, if it is one of several. The error is a sentence.
pub(super) fn place(args: &CheckArgs) -> Result<Option<Place>, String> {
    let Some(path) = &args.cluster.hosts else {
        return Ok(None);
    };
    let name = path.display();
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let hosts = Hosts::read(&text).map_err(|error| format!("{name}: {error}"))?;
    let told = || {
        let named = |variable: &&str| std::env::var(variable).ok();
        NUMBERS
            .iter()
            .find_map(|variable| Some((*variable, named(variable)?)))
    };
    let number = match (args.cluster.process, told()) {
        (Some(number), _) => number,
        (None, Some((variable, text))) => (text.parse())
            .map_err(|_| format!("{variable} is `{text}`, and no number of a process"))?,
        (None, None) => {
            return Err(format!(
                "--hosts needs --process: the line of this process in {name}, from 0"
            ));
        }
    };
    match hosts.0.len() {
        count if number < count => Ok(Some(Place { hosts, number })),
        count => Err(format!(
            "there is no process {number}: {name} has {count} lines, which count from 0"
        )),
    }
}

/// A process among others.
pub(super) struct Joined {
    session: Session<'static>,
    search: u64,
    /// How far each process is, as it was told last.
    pub shares: Rc<RefCell<Vec<ProcessShare>>>,
}

/// What the processes must have in common.
fn plan(args: &CheckArgs, network: &Network, queries: &[ModelQuery], config: &Config) -> Plan {
    let digest = |text: &str| {
        let mut hash = Hash::default();
        hash.update(text.as_bytes());
        hash.value()
    };
    let program = std::env::current_exe().and_then(std::fs::read);
    let mut hash = Hash::default();
    hash.update(&program.unwrap_or_default());
    let texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
    let model = format!("{} {texts:?}", merkhet::replay::fingerprint(network));
    let identities = queries.iter().filter_map(|query| query.query.as_ref());
    let identities = identities.map(|asked| Identity::of(network, asked, config).to_string());
    let kept = (args.checkpoint.is_some(), args.resume);
    let options = format!("{kept:?} {}", identities.collect::<String>());
    Plan {
        program: hash.value(),
        model: digest(&model),
        options: digest(&options),
    }
}

/// Refuses what several processes do not do, and waits for the others. The error is a sentence.
pub(super) fn join(
    place: &Place,
    args: &CheckArgs,
    model: &Model,
    queries: &[ModelQuery],
    config: &Config,
) -> Result<Joined, String> {
    let Some(network) = model.network() else {
        return Err("finite models (.smv) are decided by one process; leave --hosts out".into());
    };
    if args.all_traces.is_some() {
        return Err("--all-traces is for one process".into());
    }
    for query in queries.iter().filter_map(|query| query.query.as_ref()) {
        let written_down = args.checkpoint.is_some();
        if let Some(why) = merkhet::not_in_cluster(network, query, config, written_down) {
            return Err(format!("`{}`: {why}", query.text));
        }
    }
    let shares = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&shares);
    let session = Session::connect(
        &place.hosts,
        place.number,
        plan(args, network, queries, config),
        args.cluster.wait,
        &|| config.limits.cancel.load(Ordering::SeqCst),
        move |shares| *seen.borrow_mut() = shares.to_vec(),
    )?;
    Ok(Joined {
        session,
        search: 0,
        shares,
    })
}

impl Joined {
    /// Decides a query together with the others.
    pub fn check(
        &mut self,
        network: &Network,
        query: &Query,
        config: &Config,
        keeper: Option<&mut PartFiles>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<ClusterReport, Failure> {
        self.search += 1;
        let cluster = Cluster {
            exchange: &mut self.session,
            keeper: keeper.map(|keeper| keeper as &mut dyn PartKeeper),
            search: self.search,
        };
        merkhet::check_in_cluster(network, query, config, cluster, observe)
    }

    /// The part of a search that this process writes down.
    pub fn keeper(&self, args: &CheckArgs, identity: Identity, guard: &Guard) -> Option<PartFiles> {
        let (number, count) = (self.session.number(), self.session.processes());
        let folder = args.checkpoint.as_ref()?;
        Some(PartFiles::new(
            folder,
            args.every,
            identity,
            args.resume,
            (number, count),
            guard.writing(),
        ))
    }

    /// Tells the others how all ended, and parts from them.
    pub fn end(mut self, exit: Exit) {
        for to in 1..self.session.processes() {
            let word = [&LAST[..], &[exit.code()]].concat();
            self.session.tell(to, word);
        }
        let _ = self.session.turn(Duration::ZERO);
        self.session.finish();
    }

    /// Waits until the first process has told how all ended.
    fn wait(mut self) -> Result<Exit, Lost> {
        loop {
            while let Some((_, word)) = self.session.told() {
                if let Some([code]) = word.strip_prefix(&LAST) {
                    self.session.finish();
                    return Ok(Exit::Foreign(*code));
                }
            }
            self.session.turn(Duration::from_millis(20))?;
        }
    }
}

/// The life of a process that does not report: its exit code is that of the first one.
pub(super) fn follow(
    mut joined: Joined,
    number: usize,
    args: &CheckArgs,
    model: &Model,
    queries: &[ModelQuery],
    config: &Config,
    guard: &Guard,
) -> Exit {
    let Some(network) = model.network() else {
        return Exit::Internal;
    };
    for query in queries {
        let Some(asked) = &query.query else { continue };
        let identity = Identity::of(network, asked, config);
        let mut keeper = joined.keeper(args, identity, guard);
        let outcome = joined.check(network, asked, config, keeper.as_mut(), &mut |_| {});
        match outcome {
            Ok(_) => {}
            Err(Failure::Undecidable(why)) => {
                output::error(&format!("process {number}: {why}"));
                // Who sees first that a process is gone is not to be taken for the one that was.
                std::thread::sleep(Duration::from_millis(300));
                return Exit::Undecided;
            }
            Err(failure) => {
                output::error(&format!("process {number}: {failure}"));
                return Exit::of(&failure);
            }
        }
    }
    match joined.wait() {
        Ok(exit) => exit,
        Err(lost) => {
            output::error(&format!("process {number}: {lost}"));
            std::thread::sleep(Duration::from_millis(300));
            Exit::Undecided
        }
    }
}
