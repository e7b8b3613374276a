//! Generates Rust from the two protocol files. protox parses them in Rust, so
//! that no `protoc` has to be installed.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::path::Path;

use prost_reflect::DescriptorPool;

type Failure = Box<dyn std::error::Error>;

/// Enumerations of which a command line names the values: theirs without the prefix, in lower case.
const NAMED: [(&str, &str); 4] = [
    ("Mechanism", "MECHANISM_UNSPECIFIED"),
    ("Baseline", "BASELINE_UNSPECIFIED"),
    ("HiddenLossResponse", "HIDDEN_LOSS_RESPONSE_UNSPECIFIED"),
    ("QueueDiscipline", "QUEUE_DISCIPLINE_UNSPECIFIED"),
];

fn main() -> Result<(), Failure> {
    println!("cargo:rerun-if-changed=lab.proto");
    println!("cargo:rerun-if-changed=guest.proto");
    println!("cargo:rerun-if-changed=registry.proto");
    let mut contract = protox::Compiler::new(["."])?;
    contract
        .include_source_info(true)
        .include_imports(true)
        .open_files(["lab.proto", "guest.proto"])?;
    let mut code =
        tonic_prost_build::configure().type_attribute(".", "#[derive(serde::Serialize)]");
    // Bytes are shared with what they are decoded from: a guest sends them from its job's file.
    code = code.bytes(".thinlab.guest.v1.TransferFlow.stream");
    for (name, unset) in NAMED {
        code = code
            .enum_attribute(
                format!(".thinlab.lab.v1.{name}"),
                "#[derive(clap::ValueEnum)] #[value(rename_all = \"snake_case\")]",
            )
            .field_attribute(format!(".thinlab.lab.v1.{name}.{unset}"), "#[value(skip)]");
    }
    code.compile_fds(contract.file_descriptor_set())?;
    let sets = sets(&contract.descriptor_pool()).ok_or("no options of mechanisms")?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("sets.rs"), sets)?;
    Ok(())
}

/// `Mechanism::PAPERS`, `Baseline::OF_SCTP` and their like, of the sets and the protocols that the
/// contract names.
fn sets(pool: &DescriptorPool) -> Option<String> {
    let mut all = String::new();
    for of in ["Mechanism", "Baseline"] {
        all += &sets_of(pool, of)?;
    }
    Some(all)
}

fn sets_of(pool: &DescriptorPool, of: &str) -> Option<String> {
    let told = pool.get_extension_by_name("thinlab.registry.value")?;
    let prefix = of.to_uppercase() + "_";
    let mut sets = BTreeMap::<String, Vec<String>>::new();
    for value in pool
        .get_enum_by_name(&format!("thinlab.lab.v1.{of}"))?
        .values()
    {
        let options = value.options();
        if !options.has_extension(&told) {
            continue;
        }
        let term = options.get_extension(&told);
        let named = |field: &str| -> Option<Vec<String>> {
            let names = term.as_message()?.get_field_by_name(field)?;
            let names = names.as_list()?.iter();
            names
                .map(|name| Some(name.as_str()?.to_uppercase()))
                .collect()
        };
        let mut protocols = named("protocols")?;
        if protocols.is_empty() {
            protocols.push("TCP".into());
        }
        let protocols = protocols.into_iter().map(|name| format!("OF_{name}"));
        let short = value.name().strip_prefix(&prefix)?;
        for name in named("sets")?.into_iter().chain(protocols) {
            let holds = sets.entry(name).or_default();
            holds.push(format!("Self::{}", camel(short)));
        }
    }
    let consts = sets.iter().map(|(name, holds)| {
        let (count, holds) = (holds.len(), holds.join(", "));
        format!("pub const {name}: [Self; {count}] = [{holds}];")
    });
    let consts = consts.collect::<Vec<_>>().join("\n");
    Some(format!("impl {of} {{\n{consts}\n}}\n"))
}

/// `TailCopy` of `TAIL_COPY`.
fn camel(upper_snake: &str) -> String {
    let words = upper_snake.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| word[..1].to_owned() + &word[1..].to_lowercase())
        .collect()
}
