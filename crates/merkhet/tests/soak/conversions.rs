//! Networks in other languages: written, read again, and asked the same.

use merkhet::network::{Network, Query, QueryKind, SiteId, print};
use merkhet::{Answer, Config, Model};
use merkhet_interop::convert::{Form, Original, convert};

use crate::material::Material;
use crate::threads::{decided, differs};

fn answer(network: &Network, query: &Query) -> Result<Answer, String> {
    let config = Config {
        threads: 1,
        ..Config::default()
    };
    let report = merkhet::check(network, query, &config, &mut |_| {});
    Ok(report.map_err(|failure| format!("{failure:?}"))?.answer)
}

/// The number of discrete states, if there is no fault among them.
fn states(network: &Network) -> Option<u64> {
    let query = Query {
        text: String::new(),
        comment: String::new(),
        kind: QueryKind::Explore,
        site: SiteId::NONE,
    };
    let config = Config {
        threads: 1,
        reduce: Some(Vec::new()),
        ..Config::default()
    };
    let report = merkhet::check(network, &query, &config, &mut |_| {}).ok()?;
    (!report.answer.is_unknown()).then_some(report.figures.discrete)
}

fn read(name: &str, text: &str) -> Result<Model, String> {
    let model = Model::read(name, text.as_bytes());
    match model.has_errors() {
        true => Err(format!(
            "{name} does not read: {:?}\n{text}",
            model.diagnostics
        )),
        false => Ok(model),
    }
}

pub fn check(material: &Material, _: u64) -> Result<u64, String> {
    let Material::Network(network, queries) = material else {
        return Err("no network".into());
    };
    // What cannot be said in XTA is refused there; what can be said must mean the same.
    let Ok(text) = print::xta(network) else {
        return Ok(0);
    };
    let mut model = read("written.xta", &text)?;
    let mut compared = 0;
    for (query, holds) in decided(network, queries) {
        let single = Material::Network(network.clone(), vec![query.clone()]);
        let Ok((_, words)) = single.text() else {
            continue;
        };
        let asked = model.query(&words);
        let asked = asked
            .query
            .ok_or_else(|| format!("{words}: {:?}\n{text}", asked.diagnostics))?;
        let written = model.network().ok_or("no network")?;
        if let Some(what) = differs(&answer(written, &asked)?, holds) {
            return Err(format!("as XTA: {what}\n{words}\n{text}"));
        }
        compared += 1;
    }
    let Some(expected) = states(network) else {
        return Ok(compared);
    };
    let original = Original {
        tree: model.tree(),
        sources: &model.sources,
        network: model.network().ok_or("no network")?,
    };
    let forms = [
        (Form::Xta, "again.xta"),
        (Form::Xml, "again.xml"),
        (Form::Tck, "again.tck"),
    ];
    for (form, name) in forms {
        let Ok(converted) = convert(original, "soak", form) else {
            continue;
        };
        let again = read(name, &converted.text)?;
        let found = states(again.network().ok_or("no network")?);
        // In TChecker's language committed edges and arrays may take other discrete states.
        if form != Form::Tck && found != Some(expected) {
            return Err(format!(
                "{name}: {found:?} discrete states instead of {expected}\n{text}"
            ));
        }
        compared += 1;
    }
    Ok(compared)
}
