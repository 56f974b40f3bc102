//! Accepting a certificate or refusing it: which rules its claim needs.
//!
//! States are taken from memory or from a file, one after the other, into one list ([`Checker`]); boxes and ranked zones,
//! which are few, as a whole.

use std::io::Read;

use merkhet_network::{Formula, Network, Query, QueryKind};

use crate::certificates::boxes;
use crate::certificates::certificate::{Certificate, Ends};
use crate::certificates::certify::{Checker, Refusal, refuse};
use crate::certificates::file::{CertificateReader, ReadError};
use crate::certificates::fingerprint::fingerprint;
use crate::certificates::runs::{self, Claim};
use crate::certificates::values::{self, Question};
use crate::rules::Rules;

/// Accepts a certificate as a proof of the answer to its query; or refuses it. For exploration it only has to be closed.
pub fn certify(network: &Network, query: &Query, certificate: &Certificate) -> Result<(), Refusal> {
    let mut judge = Judge::of(network, query, certificate, 1)?;
    if let Some(checker) = &mut judge.checker {
        (certificate.entries.iter()).try_for_each(|entry| checker.push(entry))?;
    }
    judge.judge(certificate)
}

/// As [`certify`], with several threads, and taking the certificate apart on the way: there are never two lists of its
/// states.
pub fn certify_owned(
    network: &Network,
    query: &Query,
    mut certificate: Certificate,
    threads: usize,
) -> Result<(), Refusal> {
    let mut judge = Judge::of(network, query, &certificate, threads)?;
    if let Some(checker) = &mut judge.checker {
        let entries = std::mem::take(&mut certificate.entries).into_iter();
        entries
            .into_iter()
            .try_for_each(|entry| checker.push(&entry))?;
    }
    judge.judge(&certificate)
}

/// As [`certify_owned`], with the states as they are read. Says which ends of ranges were claimed.
pub fn certify_reading(
    network: &Network,
    query: &Query,
    reader: CertificateReader<impl Read>,
    threads: usize,
) -> Result<Result<Vec<Ends>, Refusal>, ReadError> {
    let mut reader = reader;
    // What is few, or has no list of states, is taken as a whole.
    let whole = |reader: CertificateReader<_>| {
        let certificate = reader.whole()?;
        let ends = certificate.ends.clone();
        Ok(certify_owned(network, query, certificate, threads).map(|()| ends))
    };
    let mut judge = match Judge::of(network, query, reader.head(), threads) {
        Ok(judge) if !reader.has_boxes() => judge,
        Ok(_) => return whole(reader),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some(checker) = &mut judge.checker else {
        return whole(reader);
    };
    while let Some(entry) = reader.next_entry()? {
        if let Err(refusal) = checker.push(&entry) {
            return Ok(Err(refusal));
        }
    }
    let rest = reader.whole()?;
    Ok(judge.judge(&rest).map(|()| rest.ends))
}

/// What checks a certificate, by the kind of its claim.
struct Judge<'n> {
    network: &'n Network,
    query: &'n Query,
    threads: usize,
    /// Takes the states, unless they are boxes.
    checker: Option<Checker<'n>>,
    claim: Option<Claim<'n>>,
    /// What must not be reached, for a claim about all states.
    bad: Option<(&'n Formula, bool)>,
}

impl<'n> Judge<'n> {
    /// For a certificate of which the states need not be there yet.
    fn of(
        network: &'n Network,
        query: &'n Query,
        head: &Certificate,
        threads: usize,
    ) -> Result<Judge<'n>, Refusal> {
        if head.fingerprint != fingerprint(network) {
            return Err(refuse("it is about another model"));
        }
        let mut judge = Judge {
            network,
            query,
            threads,
            checker: None,
            claim: Claim::of(&query.kind),
            bad: None,
        };
        let boxes = head.entries.iter().any(|entry| entry.tops.is_some());
        judge.bad = match &query.kind {
            QueryKind::Possibly(formula) => Some((formula, true)),
            QueryKind::Invariantly(formula) => Some((formula, false)),
            _ => None,
        };
        if !boxes || judge.claim.is_some() || Question::of(&query.kind).is_some() {
            judge.checker = Some(Checker::new(Rules { network }, judge.bad, &head.bounds)?);
        }
        Ok(judge)
    }

    /// Judges the rest of the certificate, once the checker has its states.
    fn judge(self, rest: &Certificate) -> Result<(), Refusal> {
        if let (Some(claim), Some(checker)) = (self.claim, &self.checker) {
            return runs::check(checker, claim, rest, self.threads);
        }
        if !rest.ranked.is_empty() {
            return Err(refuse("ranked zones are for A<>, E[] and --> only"));
        }
        let question = Question::of(&self.query.kind);
        match (self.checker, question) {
            (Some(checker), Some(question)) => {
                values::check(checker, self.query, question, rest, self.threads)
            }
            (Some(checker), None) => checker.check(self.threads),
            (None, _) => boxes::check(self.network, self.bad, rest),
        }
    }
}
