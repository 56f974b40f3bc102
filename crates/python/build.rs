//! What an extension module says to the linker.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
