//! Traces as text on standard error: states, delays and transitions with exact times.

use std::fmt::Write;

use merkhet::network::{Address, ClockId, Network, Region};
use merkhet::replay::{ConcreteState, Replayed};

use super::numbering::Numbering;

/// The whole trace.
pub fn render(numbering: &Numbering<'_>, run: &Replayed) -> String {
    let network = numbering.network;
    let scale = run.scale;
    let mut text = String::new();
    state(network, &run.initial, scale, &mut text);
    let mut at = run.initial.clone();
    for step in &run.steps {
        delay(network, &at, step.delay, scale, &mut text);
        text.push_str("\nTransitions:\n");
        for taken in &step.edges {
            let process = network.process(taken.process);
            let labels = numbering.labels(process, numbering.taken(taken));
            let _ = writeln!(
                text,
                "  {name}.{}->{name}.{} {{ {}, {}, {} }}",
                taken.source,
                taken.target,
                labels.guard,
                labels.sync,
                labels.update,
                name = process.name,
            );
        }
        text.push('\n');
        Replayed::advance(&mut at, step);
        state(network, &at, scale, &mut text);
    }
    delay(network, &at, run.last_delay, scale, &mut text);
    text
}

fn state(network: &Network, state: &ConcreteState, scale: i64, text: &mut String) {
    text.push_str("State:\n( ");
    for (process, location) in network.process_ids().zip(&state.locations) {
        let location = &network.location(process, *location).name;
        let _ = write!(text, "{}.{location} ", network.process(process).name);
    }
    text.push_str(")\n");
    for (region, cells) in [(Region::State, &state.cells), (Region::Meta, &state.meta)] {
        for (offset, value) in cells.iter().enumerate() {
            let offset = offset as u32;
            let name = network.cell_name(Address { region, offset });
            let _ = write!(text, "{name}={value} ");
        }
    }
    for (clock, value) in network.clock_ids().zip(&state.clocks) {
        let clock: ClockId = clock;
        let name = &network.clocks[clock.index()].name;
        let _ = write!(text, "{name}={} ", decimal(*value, scale));
    }
    text.push('\n');
}

/// A delay and the state after it. Where a clock may stand still only the delay is shown.
fn delay(network: &Network, before: &ConcreteState, by: i128, scale: i64, text: &mut String) {
    if by == 0 {
        return;
    }
    let _ = writeln!(text, "\nDelay: {}", decimal(by, scale));
    let mut locations = network.process_ids().zip(&before.locations);
    if locations.all(|(process, at)| network.location(process, *at).invariant.rates.is_empty()) {
        let mut after = before.clone();
        after.clocks.iter_mut().for_each(|clock| *clock += by);
        text.push('\n');
        state(network, &after, scale, text);
    }
}

/// A number of time units: a decimal where it is one, else a fraction.
fn decimal(value: i128, scale: i64) -> String {
    const PLACES: i128 = 1_000_000;
    let scale = i128::from(scale.max(1));
    match value.checked_mul(PLACES) {
        Some(scaled) if scaled % scale == 0 => {
            let millionths = scaled / scale;
            let sign = if millionths < 0 { "-" } else { "" };
            let (whole, part) = ((millionths / PLACES).abs(), (millionths % PLACES).abs());
            let digits = format!("{sign}{whole}.{part:06}");
            digits
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_string()
        }
        _ => crate::view::results::ratio(value, scale as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn times_are_decimals_where_they_can_be() {
        let numbers = [(0, 3), (6, 3), (7, 2), (-1, 4), (1, 3), (20, 6)];
        let texts = numbers.map(|(value, scale)| decimal(value, scale));
        assert_eq!(texts, ["0", "2", "3.5", "-0.25", "1/3", "10/3"]);
    }
}
