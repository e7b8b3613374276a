//! Generates Rust from the two protocol files. protox parses them in Rust, so
//! that no `protoc` has to be installed.
// SPDX-License-Identifier: Apache-2.0

/// Enumerations of which a command line names the values: theirs without the prefix, in lower case.
const NAMED: [(&str, &str); 3] = [
    ("Mechanism", "MECHANISM_UNSPECIFIED"),
    ("Baseline", "BASELINE_UNSPECIFIED"),
    ("HiddenLossResponse", "HIDDEN_LOSS_RESPONSE_UNSPECIFIED"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=lab.proto");
    println!("cargo:rerun-if-changed=guest.proto");
    println!("cargo:rerun-if-changed=registry.proto");
    let descriptors = protox::compile(["lab.proto", "guest.proto"], ["."])?;
    let mut code =
        tonic_prost_build::configure().type_attribute(".", "#[derive(serde::Serialize)]");
    for (name, unset) in NAMED {
        code = code
            .enum_attribute(
                format!(".thinlab.lab.v1.{name}"),
                "#[derive(clap::ValueEnum)] #[value(rename_all = \"snake_case\")]",
            )
            .field_attribute(format!(".thinlab.lab.v1.{name}.{unset}"), "#[value(skip)]");
    }
    code.compile_fds(descriptors)?;
    Ok(())
}
