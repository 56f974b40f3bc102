//! Who takes part: one address a line.

use std::fmt;

/// The addresses of all processes, by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(pub Vec<String>);

/// What is wrong with a list of hosts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadHosts {
    /// The line, from 1; 0 where it is about the whole list.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for BadHosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.why),
            line => write!(f, "line {line}: {}", self.why),
        }
    }
}

/// The port where a line names none.
pub const PORT: u16 = 4827;

impl Hosts {
    /// Reads a list: a line a process, as `host:port`, `host` or `[address]:port`. Empty lines and what follows a `#` do not count.
    pub fn read(text: &str) -> Result<Hosts, BadHosts> {
        let mut hosts: Vec<String> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let address = address(line).map_err(|why| BadHosts {
                line: index + 1,
                why,
            })?;
            if hosts.contains(&address) {
                let why =
                    format!("{address} is there twice; every process needs a port of its own");
                return Err(BadHosts {
                    line: index + 1,
                    why,
                });
            }
            hosts.push(address);
        }
        let most = merkhet::MOST_PROCESSES;
        let why = match hosts.len() {
            0 => "there is no host in it".to_owned(),
            count if count > most => format!("{count} hosts are more than {most}"),
            _ => return Ok(Hosts(hosts)),
        };
        Err(BadHosts { line: 0, why })
    }
}

fn address(line: &str) -> Result<String, String> {
    if line.contains(char::is_whitespace) {
        return Err(format!("`{line}` is more than one address"));
    }
    let (host, port) = match line.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        Some(_) if !line.starts_with('[') => {
            return Err(format!("`{line}`: write an IPv6 address as [address]:port"));
        }
        _ => (line, None),
    };
    if host.is_empty() {
        return Err(format!("`{line}` names no host"));
    }
    match port.map(str::parse::<u16>) {
        None => Ok(format!("{host}:{PORT}")),
        Some(Ok(1..)) => Ok(line.to_owned()),
        Some(_) => Err(format!("`{line}`: the port is a number from 1 to 65535")),
    }
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[test]
    fn lists_are_read() {
        let hosts = Hosts::read("# all\n a:1 \n\nb # the other\n[::1]:7\n[::1]\n").expect("hosts");
        assert_eq!(hosts.0, ["a:1", "b:4827", "[::1]:7", "[::1]:4827"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, expected) in [
            ("", "there is no host in it"),
            (
                "a:1\na:1",
                "line 2: a:1 is there twice; every process needs a port of its own",
            ),
            ("a b", "line 1: `a b` is more than one address"),
            ("a:0", "line 1: `a:0`: the port is a number from 1 to 65535"),
            ("a:x", "line 1: `a:x`: the port is a number from 1 to 65535"),
            (":5", "line 1: `:5` names no host"),
            (
                "::1",
                "line 1: `::1`: write an IPv6 address as [address]:port",
            ),
        ] {
            let error = Hosts::read(text).expect_err(text);
            assert_eq!(error.to_string(), expected);
        }
        let many: String = (0..2000).map(|n| format!("h{n}\n")).collect();
        assert!(Hosts::read(&many).is_err());
    }
}
