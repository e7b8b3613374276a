//! Generates Rust from the two protocol files. protox parses them in Rust, so
//! that no `protoc` has to be installed.
// SPDX-License-Identifier: Apache-2.0

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=lab.proto");
    println!("cargo:rerun-if-changed=guest.proto");
    println!("cargo:rerun-if-changed=registry.proto");
    let descriptors = protox::compile(["lab.proto", "guest.proto"], ["."])?;
    tonic_prost_build::configure()
        .type_attribute(".", "#[derive(serde::Serialize)]")
        .compile_fds(descriptors)?;
    Ok(())
}
