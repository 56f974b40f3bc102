//! Plain tables: columns as wide as their widest cell.

/// Which way a column's cells are pushed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// Lays out rows of cells, each line after `indent` blanks; columns without any text are left out.
pub fn layout(indent: usize, columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..columns.len())
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| width(cell))
                .max()
        })
        .map(|widest| widest.unwrap_or(0))
        .collect();
    let header = columns
        .iter()
        .map(|(title, _)| (*title).to_owned())
        .collect();
    let mut text = String::new();
    for row in std::iter::once(&header).chain(rows) {
        let mut line = " ".repeat(indent);
        for (index, (cell, (title, align))) in row.iter().zip(columns).enumerate() {
            if widths[index] == 0 {
                continue;
            }
            let space = widths[index].max(width(title)) - width(cell);
            let (left, right) = if *align == Align::Left {
                (0, space)
            } else {
                (space, 0)
            };
            line.extend([&*" ".repeat(left), cell, &*" ".repeat(right), "  "]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn width(cell: &str) -> usize {
    cell.chars().count()
}

#[cfg(test)]
mod tests {
    use super::{Align, layout};

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let columns = [
            ("n", Align::Right),
            ("empty", Align::Left),
            ("name", Align::Left),
        ];
        let rows = [["1", "", "a"], ["10", "", "longer"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(
            layout(2, &columns, &rows),
            "   n  name\n   1  a\n  10  longer\n"
        );
    }
}
