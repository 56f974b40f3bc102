//! Arguments of `merkhet generate`.

use clap::Args;

const AFTER_HELP: &str = "\
Examples:
  merkhet generate
      List the families of models.
  merkhet generate fischer-a 10 > fischer.xta
      Write a model; the query that belongs to it stands in a comment at its start.
  merkhet check fischer.xta -q \"$(merkhet generate fischer-a 10 --query)\"
      Check it.";

fn parse_value(text: &str) -> Result<u32, String> {
    let expected = "expected a number, as in `merkhet generate fischer-a 10`; `merkhet generate` lists what families take";
    text.parse().map_err(|_| expected.to_owned())
}

/// Arguments of `merkhet generate`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct GenerateArgs {
    /// The family; without it all of them are listed.
    pub family: Option<String>,

    /// The values of its parameters, in order.
    #[arg(value_parser = parse_value)]
    pub values: Vec<u32>,

    /// Print the query that belongs to the model instead of the model.
    #[arg(long, requires = "family")]
    pub query: bool,
}
