//! Whether everybody in a terminal waits for a key: then the screen is complete.
// SPDX-License-Identifier: Apache-2.0
use std::fs;

/// Some processes of the guest.
pub struct Processes {
    ids: Vec<i32>,
}

impl Processes {
    /// These, and all that they have started.
    pub fn with_descendants(first: &[i32]) -> Self {
        let mut ids = first.to_vec();
        let all: Vec<(i32, i32)> = fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(|id| Some((id, parent(&stat(id)?)?)))
            .collect();
        let mut known = 0;
        while known < ids.len() {
            let children = all.iter().filter(|(_, parent)| *parent == ids[known]);
            let children: Vec<i32> = children.map(|&(id, _)| id).collect();
            ids.extend(children);
            known += 1;
        }
        Self { ids }
    }

    /// Whether none of them has anything to do.
    pub fn sleep(&self) -> bool {
        let mut states = self.ids.iter().map(|&id| state(&stat(id)?));
        states.all(|state| state == Some('S'))
    }
}

fn stat(id: i32) -> Option<String> {
    fs::read_to_string(format!("/proc/{id}/stat")).ok()
}

/// The fields after the name, which may hold anything.
fn fields(stat: &str) -> Option<std::str::SplitWhitespace<'_>> {
    Some(stat.rsplit_once(')')?.1.split_whitespace())
}

fn state(stat: &str) -> Option<char> {
    fields(stat)?.next()?.chars().next()
}

fn parent(stat: &str) -> Option<i32> {
    fields(stat)?.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_look_like_the_fields() {
        let stat = "12 (a) S 7 (b) R 3 4 5";
        assert_eq!((state(stat), parent(stat)), (Some('R'), Some(3)));
    }

    #[test]
    fn who_works_does_not_sleep() {
        let own = std::process::id() as i32;
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let processes = Processes::with_descendants(&[own]);
        assert!(processes.ids.contains(&(child.id() as i32)));
        let sleeping = Processes::with_descendants(&[child.id() as i32]);
        while !sleeping.sleep() {}
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!sleeping.sleep());
    }
}
