//! Builds the pattern databases of a model and searches with them: for measuring abstraction and search alone.
//!
//! `pa MODEL QUERIES HEURISTIC [greedy|lifo|astar|index] [-v]`; `index` measures the lookup of vectors instead of searching.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{
    Config, Estimate, Estimates, HeuristicFacts, Limits, Strategy, TieBreak, Unguided, Unranked,
    search,
};
use merkhet_heuristics::pa::{Options, PredicateAbstraction, Stop};
use merkhet_heuristics::{DEAD_END, HeuristicSpec};
use merkhet_lower::{lower_model, lower_query};
use merkhet_network::{Formula, QueryKind};
use merkhet_semantics::{GoalId, Options as Precision, State, System};
use merkhet_syntax::{FileId, SourceMap, read_model, read_queries_as};

struct Guide(PredicateAbstraction);

impl Estimates for Guide {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: true,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        match self.0.estimate(state.memory, state.zone) {
            DEAD_END => Estimate::DeadEnd,
            value => Estimate::Finite(value),
        }
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Guide {}

impl Unranked for Guide {}

/// The time of a lookup in the largest database, by scan and by columns; the questions are search states as its own vectors
/// describe them.
fn measure_index(abstraction: &PredicateAbstraction) {
    const QUESTIONS: usize = 1000;
    let largest = abstraction
        .databases()
        .iter()
        .map(|lookup| &lookup.database);
    let Some(database) = largest.max_by_key(|database| database.len()) else {
        return;
    };
    let open = |at: usize| -> Vec<u64> {
        let (truths, falses) = database.vector(at).split_at(database.vector(at).len() / 2);
        falses.iter().chain(truths).map(|word| !word).collect()
    };
    let step = (database.len() / QUESTIONS).max(1);
    let questions: Vec<Vec<u64>> = (0..database.len()).step_by(step).map(open).collect();
    let timed = |name: &str, answer: &mut dyn FnMut(&[u64]) -> u32| {
        let start = Instant::now();
        let sum: u64 = questions.iter().map(|q| u64::from(answer(q))).sum();
        let each = start.elapsed().as_nanos() / questions.len() as u128;
        println!("  {name}: {each} ns a lookup, sum of distances {sum}");
    };
    println!("{} vectors, {} lookups", database.len(), questions.len());
    timed("scan", &mut |q| {
        let fits =
            |at: &usize| (database.vector(*at).iter().zip(q)).all(|(set, open)| set & !open == 0);
        database.distance_of((0..database.len()).find(fits))
    });
    let mut columns = database.clone();
    timed("columns", &mut |q| columns.distance(q));
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let argument =
        |index: usize, default: &str| arguments.get(index).cloned().unwrap_or(default.into());
    let read = |path: &str| std::fs::read(path).map_err(|error| format!("{path}: {error}"));
    let (path, queries) = (argument(1, ""), argument(2, ""));
    let bytes = read(&path)?;
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, &path, &bytes);
    let (lowered, diagnostics) = lower_model(&read_model(&path, &bytes).0, &sources);
    let mut lowered = lowered.ok_or_else(|| format!("{diagnostics:?}"))?;
    let (trees, _) = read_queries_as(FileId(16), &read(&queries)?);
    let tree = trees.first().ok_or("no query")?;
    let query = lower_query(&mut lowered, tree, &sources).map_err(|all| format!("{all:?}"))?;
    let network = &lowered.network;
    let goal = match query.kind {
        QueryKind::Possibly(goal) => goal,
        QueryKind::Invariantly(p) => Formula::Not(Box::new(p)),
        _ => return Err("not a query of reachability".into()),
    };
    let spec = argument(3, "pa").parse::<HeuristicSpec>();
    let spec = spec.map_err(|error| error.to_string())?;
    let options = *spec.options::<Options>().ok_or("not of the family pa")?;
    let start = Instant::now();
    let abstraction = PredicateAbstraction::new(network, &goal, options, Stop::default());
    let prepared = start.elapsed();
    if argument(5, "") == "-v" {
        for summary in abstraction.summaries() {
            println!(
                "  layers {:?} complete {}",
                summary.layers, summary.complete
            );
            for (predicate, in_text) in &summary.predicates {
                let mark = if *in_text { ' ' } else { '*' };
                println!("   {mark} {predicate}");
            }
        }
    }
    let sizes: Vec<String> = (abstraction.databases().iter())
        .map(|l| {
            let d = &l.database;
            format!("{}p/{}s/{}l", d.predicates.len(), d.len(), d.layers())
        })
        .collect();
    if argument(4, "") == "index" {
        measure_index(&abstraction);
        return Ok(());
    }
    let bytes = abstraction.bytes();
    let strategy = match argument(4, "greedy").as_str() {
        "lifo" => Strategy::Greedy(TieBreak::Lifo),
        "astar" => Strategy::AStar,
        _ => Strategy::Greedy(TieBreak::Fifo),
    };
    let demand = Demand {
        formulas: &[&goal],
        ..Demand::default()
    };
    let precision = Precision {
        demand,
        ..Precision::default()
    };
    let system = System::new(network, &precision).map_err(|error| error.to_string())?;
    let config = Config {
        strategy,
        goal: Some(GoalId(0)),
        limits: Limits {
            states: Some(2_000_000),
            ..Limits::default()
        },
        ..Config::default()
    };
    let start = Instant::now();
    let outcome = search(&system, &config, &mut Guide(abstraction), &mut |_| {})
        .map_err(|failure| failure.fault.describe(network))?;
    let name = path.rsplit('/').next().unwrap_or("");
    println!(
        "{name} {options}: explored {} depth {} prepared {prepared:.3?} search {:.3?} {} kB [{}]",
        outcome.statistics.explored,
        outcome.statistics.max_depth,
        start.elapsed(),
        bytes / 1024,
        sizes.join(" ")
    );
    Ok(())
}
