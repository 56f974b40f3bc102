//! Asks a query of the example's model: `cargo run -p rust-lattice 'E<> Counter.Error'`.

use merkhet::Config;

fn main() {
    let query = std::env::args().nth(1);
    let query = query.as_deref().unwrap_or("E<> Counter.Error");
    match rust_lattice::answer(query, &Config::default()) {
        Ok(answer) => println!("{query}: {answer:?}"),
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    }
}
