//! The order of the agent's rooms: each imports only those below it, and no two
//! files import each other, by whatever detour.
// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// From the top down; those in a row do not import each other.
const LAYERS: [&[&str]; 9] = [
    &["main"],
    &["commands"],
    &["serve", "guest"],
    &["engine"],
    &["boot"],
    &["source", "endpoint"],
    &["lane", "capture"],
    &["punctual", "waiting"],
    &[
        "clock",
        "fault",
        "forking",
        "random",
        "socket_option",
        "spool",
    ],
];

/// A file by the names that lead to it: `engine/demo/mod.rs` is engine, demo.
type Name = Vec<String>;
type Imports = BTreeMap<Name, BTreeSet<Name>>;

#[test]
fn no_room_imports_one_above_it_or_beside_it() {
    let rank = |room: &str| {
        let rank = LAYERS.iter().position(|row| row.contains(&room));
        rank.unwrap_or_else(|| panic!("{room} has no place in the order: give it one"))
    };
    let room = |name: &Name| name.first().map_or("main", String::as_str).to_owned();
    for (file, imported) in imports(&sources()) {
        for other in imported {
            let (from, to) = (room(&file), room(&other));
            assert!(
                from == to || rank(&from) < rank(&to),
                "{} imports {}",
                file.join("::"),
                other.join("::")
            );
        }
    }
}

#[test]
fn no_file_is_imported_by_what_it_imports() {
    let imports = imports(&sources());
    if let Some(circle) = circle(&imports) {
        panic!("a circle of imports: {circle}");
    }
}

/// A check that finds nothing has to find something once.
#[test]
fn what_is_forbidden_is_seen() {
    let file = |name: &str, text: &str| {
        let name: Name = name.split('/').map(str::to_owned).collect();
        (name, text.to_owned())
    };
    let sources = BTreeMap::from([
        file("a", "mod b;\npub fn go() { b::go() }"),
        file("a/b", "use crate::{fault::Fault, c::{d, E}};"),
        file("c", "mod d;"),
        file("c/d", "// use crate::a;\nuse super::super::a::go;"),
        file("fault", "fn quiet() {}"),
    ]);
    let imports = imports(&sources);
    let of = |name: &str| {
        let name: Name = name.split('/').map(str::to_owned).collect();
        let imported = imports[&name].iter().map(|other| other.join("::"));
        imported.collect::<Vec<_>>()
    };
    assert_eq!(of("a/b"), ["c", "c::d", "fault"]);
    assert_eq!(of("c/d"), ["a"]);
    assert_eq!(circle(&imports).unwrap(), "a → a::b → c::d → a");
}

/// What the product is made of, tests left out.
fn sources() -> BTreeMap<Name, String> {
    let mut sources = BTreeMap::new();
    // As it is when this runs: the build may be another checkout's.
    let part = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    read(&Path::new(&part).join("src"), &Vec::new(), &mut sources);
    sources
}

fn read(folder: &Path, name: &Name, sources: &mut BTreeMap<Name, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let below = [name.clone(), vec![stem.clone()]].concat();
        if path.is_dir() {
            read(&path, &below, sources);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let of_folder = ["mod", "main"].contains(&stem.as_str());
            let text = fs::read_to_string(&path).unwrap();
            let product = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let product = product.split("#[cfg(test)]\n#[allow").next().unwrap();
            let name = if of_folder { name.clone() } else { below };
            sources.insert(name, product.to_owned());
        }
    }
}

fn imports(sources: &BTreeMap<Name, String>) -> Imports {
    let one = |(name, text): (&Name, &String)| {
        let lines = text.lines().map(|line| line.split("//").next().unwrap());
        let words = words(&lines.collect::<Vec<_>>().join("\n"));
        let mut imported = BTreeSet::new();
        let mut at = 0;
        while at < words.len() {
            let (paths, next) = paths(&words, at);
            for path in paths {
                imported.extend(file(name, &path, sources).filter(|other| other != name));
            }
            at = next.max(at + 1);
        }
        (name.clone(), imported)
    };
    sources.iter().map(one).collect()
}

/// Names, `::`, braces, commas.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_name = false;
    for sign in text.replace("::", "\u{1}").chars() {
        let of_name = sign.is_alphanumeric() || sign == '_';
        if of_name && in_name {
            words.last_mut().unwrap().push(sign);
        } else if !sign.is_whitespace() {
            words.push(sign.to_string());
        }
        in_name = of_name;
    }
    words
}

/// The paths that begin at a word, braces told apart, and where the next begins.
fn paths(words: &[String], at: usize) -> (Vec<Vec<String>>, usize) {
    let is_name =
        |word: &String| word.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
    if !words.get(at).is_some_and(is_name) {
        return (Vec::new(), at + 1);
    }
    let mut path = vec![words[at].clone()];
    let mut at = at + 1;
    while words.get(at).is_some_and(|word| word == "\u{1}") {
        match words.get(at + 1) {
            Some(word) if is_name(word) => {
                path.push(word.clone());
                at += 2;
            }
            Some(word) if word == "{" => {
                let mut all = Vec::new();
                at += 2;
                while words.get(at).is_some_and(|word| word != "}") {
                    let (below, next) = paths(words, at);
                    all.extend(below.into_iter().map(|rest| [path.clone(), rest].concat()));
                    at = next;
                }
                return (all, at + 1);
            }
            _ => return (vec![path], at + 1),
        }
    }
    (vec![path], at)
}

/// The file that a path in another one leads into.
fn file(from: &Name, path: &[String], sources: &BTreeMap<Name, String>) -> Option<Name> {
    if path.len() < 2 {
        return None;
    }
    let (mut name, rest) = match path.first()?.as_str() {
        "crate" => (Vec::new(), &path[1..]),
        "super" => {
            let up = path.iter().take_while(|word| *word == "super").count();
            (from[..from.len() - up].to_vec(), &path[up..])
        }
        "self" => (from.clone(), &path[1..]),
        // A file of one's own folder; what else has its name was imported.
        first => {
            let below = [from.clone(), vec![first.to_owned()]].concat();
            if !sources.contains_key(&below) {
                return None;
            }
            (from.clone(), path)
        }
    };
    for word in rest {
        let below = [name.clone(), vec![word.clone()]].concat();
        if !sources.contains_key(&below) {
            break;
        }
        name = below;
    }
    Some(name)
}

/// A way from a file back to it, if there is one.
fn circle(imports: &Imports) -> Option<String> {
    let mut done = BTreeSet::new();
    for file in imports.keys() {
        let mut way = vec![file.clone()];
        if let Some(circle) = go_on(imports, &mut way, &mut done) {
            return Some(circle);
        }
    }
    None
}

fn go_on(imports: &Imports, way: &mut Vec<Name>, done: &mut BTreeSet<Name>) -> Option<String> {
    let here = way.last()?.clone();
    if done.contains(&here) {
        return None;
    }
    for next in imports.get(&here).into_iter().flatten() {
        if let Some(start) = way.iter().position(|before| before == next) {
            let names = way[start..]
                .iter()
                .chain([next])
                .map(|name| name.join("::"));
            return Some(names.collect::<Vec<_>>().join(" → "));
        }
        way.push(next.clone());
        if let Some(circle) = go_on(imports, way, done) {
            return Some(circle);
        }
        way.pop();
    }
    done.insert(here);
    None
}
