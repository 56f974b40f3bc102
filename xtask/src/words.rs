//! The words after a task's name: flags, options with a value, and the rest.

use std::str::FromStr;

/// Hands out the words one after the other.
pub struct Words<'a> {
    task: &'static str,
    rest: std::slice::Iter<'a, String>,
    /// The option that was read last.
    option: &'a str,
}

impl<'a> Words<'a> {
    /// The words of a task.
    pub fn of(task: &'static str, arguments: &'a [String]) -> Words<'a> {
        Words {
            task,
            rest: arguments.iter(),
            option: "",
        }
    }

    /// The next option, or another word.
    pub fn option(&mut self) -> Option<&'a str> {
        self.option = self.rest.next()?;
        Some(self.option)
    }

    /// The value of the option that was read last.
    pub fn value(&mut self) -> Result<&'a str, String> {
        let value = self.rest.next().map(String::as_str);
        value.ok_or_else(|| format!("`{}` needs a value", self.option))
    }

    /// The value as a number.
    pub fn number<N: FromStr>(&mut self) -> Result<N, String> {
        let (option, value) = (self.option, self.value()?);
        value
            .parse()
            .map_err(|_| format!("`{option}` needs a number, not `{value}`"))
    }

    /// The value as a list with commas.
    pub fn list(&mut self) -> Result<Vec<String>, String> {
        let parts = self.value()?.split(',').map(str::trim);
        let parts = parts.filter(|part| !part.is_empty());
        Ok(parts.map(str::to_owned).collect())
    }

    /// The value as further arguments, with blanks between them.
    pub fn arguments(&mut self) -> Result<Vec<String>, String> {
        let words = self.value()?.split_whitespace();
        Ok(words.map(str::to_owned).collect())
    }

    /// What to say of an option that the task does not know.
    pub fn unknown(&self) -> String {
        let Words { task, option, .. } = self;
        format!("unknown option `{option}`; see cargo xtask {task} --help")
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn values_belong_to_their_options() {
        let line = [
            "--runs",
            "7",
            "--rows",
            "a, b,",
            "--timeout",
            "soon",
            "--last",
        ];
        let line = line.map(str::to_owned);
        let mut words = Words::of("race", &line);
        assert_eq!(words.option(), Some("--runs"));
        assert_eq!(words.number(), Ok(7));
        assert_eq!(words.option(), Some("--rows"));
        assert_eq!(words.list(), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(words.option(), Some("--timeout"));
        let bad = words.number::<u64>().unwrap_err();
        assert_eq!(bad, "`--timeout` needs a number, not `soon`");
        assert_eq!(words.option(), Some("--last"));
        assert_eq!(words.value().unwrap_err(), "`--last` needs a value");
        assert!(words.unknown().ends_with("see cargo xtask race --help"));
    }
}
