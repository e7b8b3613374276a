//! A hostile program in the editor's place: what somebody could do who got an
//! editor to run code. Each attempt gets nothing, another session on the same
//! host goes on undisturbed, and what can be seen is the same in every mode.
//!
//! The program is only in the image that these tests make.
// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;
use std::sync::OnceLock;

use lab_proto::{Editor, Mechanism, TerminalEnd};

use crate::agent::{Agent, lane, of_senders};
use crate::archive;
use crate::ssh_typist::Typist;

const PROGRAM: &str = "terminal/server/bin/nano";
/// As the image has its programs.
const EXECUTABLE: u32 = 0o100_711;

/// A terminal's image with the hostile program as nano.
fn image() -> &'static PathBuf {
    static IMAGE: OnceLock<PathBuf> = OnceLock::new();
    IMAGE.get_or_init(|| {
        // A later run writes over it: nothing here is told when the tests end.
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let own = |name| folder.join(format!("{name}-{}", std::process::id()));
        let program = own("attempts");
        archive::compile("attempts", &program);
        let terminal = std::env::var_os("THINLAB_TERMINAL")
            .expect("THINLAB_TERMINAL is not set: run `make test`");
        let mut archive = std::fs::read(terminal).unwrap();
        // A later record takes the place of an earlier one.
        archive::append(
            &mut archive,
            PROGRAM,
            EXECUTABLE,
            &std::fs::read(&program).unwrap(),
        );
        std::fs::remove_file(program).unwrap();
        archive::end(&mut archive);
        std::fs::write(own("image"), archive).unwrap();
        let path = folder.join("hostile-terminal.cpio");
        std::fs::rename(own("image"), &path).unwrap();
        path
    })
}

/// A host with somebody who means no harm, in vi, and the hostile program.
struct Both {
    _agent: Agent,
    honest: Typist,
    hostile: Typist,
}

impl Both {
    async fn open() -> Self {
        let agent = Agent::start_with_terminal(image());
        let honest = Typist::open(&agent, lane(0.0, &[]), Editor::Vi, "honest\n").await;
        let hostile = hostile(&agent, &[]).await;
        Self {
            _agent: agent,
            honest,
            hostile,
        }
    }

    /// Open, and the hostile program begins an attempt.
    async fn attempting(name: &str) -> Self {
        let mut both = Self::open().await;
        both.hostile.press(&format!("{name}\r")).await;
        both
    }

    /// The other session types on, saves and leaves.
    async fn honest_goes_on(mut self) {
        self.honest.press("i").await;
        self.honest.until("INSERT").await;
        for key in ["u", "n", "d", "i", "s"] {
            self.honest.press(key).await;
            self.honest.until(key).await;
        }
        self.honest.type_in("\x1b:wq\r").await;
        let result = self.honest.ended().await;
        assert_eq!(result.end(), TerminalEnd::EditorLeft);
        assert_eq!(result.text, b"undishonest\n");
    }
}

async fn hostile(agent: &Agent, mechanisms: &[Mechanism]) -> Typist {
    let mut typist = Typist::open(agent, lane(0.0, mechanisms), Editor::Nano, "text\n").await;
    typist.until("ready: done").await;
    typist
}

/// The lines of an attempt after which the other session has gone on.
async fn attempted(name: &str) -> Vec<String> {
    let mut both = Both::open().await;
    let lines = attempt(&mut both.hostile, name).await;
    both.honest_goes_on().await;
    lines
}

/// The same of an attempt that wins nothing: of its lines only these may end in a
/// number above 0.
async fn in_vain(name: &str, expected: &[&str]) -> Vec<String> {
    let lines = Box::pin(attempted(name)).await;
    for line in &lines {
        let harmless = line == "done" || line.ends_with(" 0");
        assert!(
            harmless || expected.contains(&line.as_str()),
            "{line} in {lines:?}"
        );
    }
    assert!(lines.len() > 1, "{lines:?}");
    lines
}

/// How the session of an attempt ends after which the other session has gone on.
async fn ended_by(name: &str) -> TerminalEnd {
    let mut both = Both::attempting(name).await;
    let result = both.hostile.ended().await;
    both.honest_goes_on().await;
    result.end()
}

/// The attempt's lines, each without its name.
async fn attempt(hostile: &mut Typist, name: &str) -> Vec<String> {
    hostile.press(&format!("{name}\r")).await;
    let shown = hostile.until(&format!("{name}: done")).await;
    let prefix = format!("{name}: ");
    let lines = shown.lines().filter_map(|line| line.strip_prefix(&prefix));
    lines.map(str::to_owned).collect()
}

fn number(lines: &[String], what: &str) -> u64 {
    let line = lines.iter().find_map(|line| line.strip_prefix(what));
    let line = line.unwrap_or_else(|| panic!("no {what} in {lines:?}"));
    line.trim().parse().unwrap()
}

#[tokio::test]
async fn a_fork_bomb_has_no_second_process() {
    let lines = in_vain("processes", &[]).await;
    assert_eq!(number(&lines, "forked"), 0);
    assert_eq!(number(&lines, "threads"), 0);
}

#[tokio::test]
async fn there_is_no_shell_and_nothing_written_can_be_run() {
    in_vain("programs", &[]).await;
}

#[tokio::test]
async fn a_memory_hog_gets_its_share_and_no_more() {
    let lines = Box::pin(attempted("memory")).await;
    assert!(number(&lines, "mapped_mib") <= 32, "{lines:?}");
    assert!(number(&lines, "memory_files_mib") <= 12, "{lines:?}");
    assert!(number(&lines, "pipes_mib") <= 1, "{lines:?}");
    for channel in [
        "shared_memory",
        "message_queue",
        "semaphores",
        "posix_queue",
    ] {
        assert_eq!(number(&lines, channel), 0, "{lines:?}");
    }
}

#[tokio::test]
async fn the_disk_is_a_megabyte_of_a_few_files() {
    let lines = Box::pin(attempted("disk")).await;
    assert!(number(&lines, "files") <= 16, "{lines:?}");
    assert!(number(&lines, "kib") <= 1024, "{lines:?}");
    assert_eq!(number(&lines, "elsewhere"), 0, "{lines:?}");
}

/// One at a time: each takes what it can have of a processor, and the machine may
/// have two.
static ENDLESS: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

async fn endless_and_the_other_goes_on(name: &str) {
    let _alone = ENDLESS.lock().await;
    let mut both = Both::attempting(name).await;
    both.hostile.until(&format!("{name}: begins")).await;
    both.honest_goes_on().await;
}

#[tokio::test]
async fn a_spin_leaves_others_their_time() {
    Box::pin(endless_and_the_other_goes_on("spin")).await;
}

/// In the guest's kernel instead of in the program.
#[tokio::test]
async fn a_storm_of_system_calls_leaves_others_their_time() {
    Box::pin(endless_and_the_other_goes_on("storm")).await;
}

/// In one long call after the other.
#[tokio::test]
async fn long_system_calls_leave_others_their_time() {
    Box::pin(endless_and_the_other_goes_on("long_calls")).await;
}

#[tokio::test]
async fn there_is_no_network() {
    let lines = in_vain("network", &["interfaces 1"]).await;
    assert_eq!(number(&lines, "reached"), 0);
}

#[tokio::test]
async fn the_kernels_settings_are_out_of_sight() {
    // The kernel's own, where the lane's is reno.
    in_vain("settings", &["congestion cubic"]).await;
}

#[tokio::test]
async fn no_right_can_be_had() {
    in_vain("rights", &[]).await;
}

#[tokio::test]
async fn nobody_else_is_there() {
    // sshd, its part that speaks to the client, the editor's starter, the program.
    in_vain("others", &["processes 4", "terminals 1", "host terminal"]).await;
}

#[tokio::test]
async fn a_slaughter_ends_its_own_session_only() {
    assert_ne!(Box::pin(ended_by("slaughter")).await, TerminalEnd::Finished);
}

#[tokio::test]
async fn what_will_not_end_is_ended() {
    let mut both = Both::open().await;
    attempt(&mut both.hostile, "stubborn").await;
    let Both {
        _agent: agent,
        honest,
        hostile,
    } = both;
    let result = hostile.finish().await;
    assert_eq!(result.end(), TerminalEnd::Finished);
    let again = self::hostile(&agent, &[]).await;
    drop(again);
    Both {
        hostile: self::hostile(&agent, &[]).await,
        honest,
        _agent: agent,
    }
    .honest_goes_on()
    .await;
}

#[tokio::test]
async fn a_flood_of_output_is_cut_off() {
    assert_eq!(Box::pin(ended_by("flood")).await, TerminalEnd::Limit);
}

/// The page's terminal has to bear them; on the way they change nothing, and the
/// agent answers no question.
#[tokio::test]
async fn terminal_escapes_reach_only_their_own_screen() {
    let mut both = Both::attempting("escapes").await;
    let shown = both.hostile.until("without end").await;
    assert!(shown.contains("\x1b]0;stolen"), "{shown:?}");
    both.hostile.press("\rothers\r").await;
    both.hostile.until("others: done").await;
    assert!(!both.honest.shown().contains("stolen"));
    both.honest_goes_on().await;
}

/// All that a program can see: files, surroundings, bounds, the kernel.
#[tokio::test]
async fn all_that_is_seen_is_the_same_in_every_mode() {
    let agent = Agent::start_with_terminal(image());
    let mut seen = Vec::new();
    for mechanisms in [&[][..], &of_senders()] {
        let mut hostile = hostile(&agent, mechanisms).await;
        seen.push(attempt(&mut hostile, "all_seen").await);
        hostile.finish().await;
    }
    assert!(seen[0].len() > 50, "{:?}", seen[0]);
    assert_eq!(seen[0], seen[1]);
}
