//! The paths that only joins have, drawn as SVG: from top to bottom the transitions, the join that is to blame with what it
//! gave, and the transition that cannot be taken.

use std::fmt::Write;

use super::svg::FONT;
use crate::view::SplitView;
use crate::view::junit::escape;

/// The height of a step, the width of a character of the font, and where steps begin.
const STEP: usize = 34;
const CHARACTER: usize = 8;
const LEFT: usize = 30;

/// Steps of a path that are drawn before and after the join.
const NEAR: usize = 12;

/// What a picture begins with, for those who want to know whether a file is one.
pub const TITLE: &str = "Paths that only joined lattice elements have";

/// A part of a path.
enum Part<'s> {
    Step(&'s str),
    /// The number of steps that are not drawn.
    More(usize),
    Join(&'s SplitView),
    Ends(&'s str),
}

/// The whole document.
pub fn render(query: &str, splits: &[SplitView]) -> String {
    let columns: Vec<(usize, Vec<Part<'_>>)> = (splits.iter().enumerate())
        .map(|(index, split)| (index + 1, parts(split)))
        .collect();
    let longest = |part: &Part<'_>| words(part).iter().map(|line| line.chars().count()).max();
    let characters = (columns
        .iter()
        .flat_map(|(_, parts)| parts.iter().filter_map(longest)))
    .max();
    let width =
        (characters.unwrap_or(0).max(query.chars().count() + 8) * CHARACTER) + 2 * LEFT + 30;
    let steps: usize = columns.iter().map(|(_, parts)| parts.len() + 2).sum();
    let height = (steps + 2) * STEP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" {FONT}>\n\
         <title>{TITLE}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut y = STEP;
    text(&mut svg, LEFT, y, "bold", query);
    if splits.is_empty() {
        text(&mut svg, LEFT, y + STEP, "normal", "no join led astray");
    }
    for (number, parts) in &columns {
        y += STEP;
        text(&mut svg, LEFT, y, "bold", &format!("{number}."));
        for (index, part) in parts.iter().enumerate() {
            y += STEP;
            draw(&mut svg, y, part, index == 0);
        }
        y += STEP / 2;
    }
    svg + "</svg>\n"
}

fn parts(split: &SplitView) -> Vec<Part<'_>> {
    let (before, after) = split.path.split_at(split.after.min(split.path.len()));
    let mut parts = Vec::new();
    let hidden = before.len().saturating_sub(NEAR);
    if hidden > 0 {
        parts.push(Part::More(hidden));
    }
    parts.extend(before[hidden..].iter().map(|step| Part::Step(step)));
    parts.push(Part::Join(split));
    let Some((last, rest)) = after.split_last() else {
        return parts;
    };
    parts.extend(rest.iter().take(NEAR).map(|step| Part::Step(step)));
    if rest.len() > NEAR {
        parts.push(Part::More(rest.len() - NEAR));
    }
    parts.push(Part::Ends(last));
    parts
}

fn words(part: &Part<'_>) -> Vec<String> {
    match part {
        Part::Step(step) => vec![(*step).to_string()],
        Part::More(1) => vec!["… one more transition".into()],
        Part::More(number) => vec![format!("… {number} more transitions")],
        Part::Join(split) => vec![format!("joined at ({})", split.at), split.element.clone()],
        Part::Ends(step) => vec![format!("{step}: not from either part")],
    }
}

fn draw(svg: &mut String, y: usize, part: &Part<'_>, first: bool) {
    let colour = match part {
        Part::Join(_) | Part::Ends(_) => "#a30",
        _ => "#446",
    };
    if !first {
        let dashes = match part {
            Part::Ends(_) => " stroke-dasharray=\"3 3\"",
            _ => "",
        };
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{}\" x2=\"{LEFT}\" y2=\"{}\" stroke=\"{colour}\"{dashes}/>",
            y - STEP + 6,
            y - 8
        );
    }
    let lines = words(part);
    if let Part::Join(_) = part {
        let longest = lines.iter().map(|line| line.chars().count()).max();
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#fff4ee\" stroke=\"{colour}\"/>",
            LEFT - 8,
            y - 18,
            longest.unwrap_or(0) * CHARACTER + 36,
            STEP
        );
    } else {
        let _ = writeln!(
            svg,
            "<circle cx=\"{LEFT}\" cy=\"{}\" r=\"4\" fill=\"{colour}\"/>",
            y - 4
        );
    }
    let start = y - (lines.len() - 1) * 6;
    for (index, line) in lines.iter().enumerate() {
        text(svg, LEFT + 16, start + index * 14, "normal", line);
    }
}

fn text(svg: &mut String, x: usize, y: usize, weight: &str, words: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-weight=\"{weight}\">{}</text>",
        escape(words)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_drawn_around_the_join_that_is_to_blame() {
        let long = |number| vec!["P: A → A".to_string(); number];
        let split = |path: Vec<String>, after| SplitView {
            path,
            after,
            at: "P.B".into(),
            element: "v = {1,1} <both>".into(),
        };
        let drawn = render(
            "A[] not P.C",
            &[split(vec!["P: A → B".into(), "P: B → C".into()], 1)],
        );
        for part in [
            "A[] not P.C",
            "P: A → B<",
            "joined at (P.B)",
            "&lt;both&gt;",
            "P: B → C: not from either part",
        ] {
            assert!(drawn.contains(part), "{part}\n{drawn}");
        }
        assert_eq!(drawn.matches("<rect x=").count(), 1);
        let drawn = render("A[] not P.C", &[split(long(40), 20), split(long(3), 3)]);
        assert!(
            drawn.contains("… 8 more transitions") && drawn.contains("… 7 more transitions"),
            "{drawn}"
        );
        assert!(render("A[] not P.C", &[]).contains("no join led astray"));
    }
}
