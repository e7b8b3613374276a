//! Typing in vi and nano over a lane, and what both refuse to those who want
//! more than to edit their text.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Editor, TerminalEnd};

use crate::agent::{Agent, lane, of_senders};
use crate::ssh_typist::Typist;

const TEXT: &str = "The first line.\nDen andre linjen: æøå.\n";

async fn vi(agent: &Agent) -> Typist {
    Typist::open(agent, lane(0.0, &[]), Editor::Vi, TEXT).await
}

async fn nano(agent: &Agent) -> Typist {
    Typist::open(agent, lane(0.0, &[]), Editor::Nano, TEXT).await
}

/// The terminal still edits, and what it saves is the text with `x` before it.
async fn still_edits(mut typist: Typist, to_insert: &str, to_leave: &str) {
    typist.press(to_insert).await;
    typist.type_in(to_leave).await;
    let result = typist.ended().await;
    assert_eq!(result.end(), TerminalEnd::EditorLeft);
    let text = String::from_utf8(result.text).unwrap();
    assert_eq!(text, format!("x{TEXT}"));
}

async fn vi_still_edits(typist: Typist) {
    still_edits(typist, "\x1bggIx\x1b", ":wq\r").await;
}

async fn nano_still_edits(typist: Typist) {
    // To the beginning, a character, save, leave.
    still_edits(typist, "\x1b\\", "x\x13\x18").await;
}

#[tokio::test]
async fn what_is_typed_in_nano_is_echoed_and_saved() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = nano(&agent).await;
    assert!(typist.shown().contains("The first line."));
    assert!(typist.shown().contains("æøå"));
    for key in ["K", "l", "å"] {
        typist.press(key).await;
        typist.until(key).await;
    }
    typist.type_in("\x13\x18").await;
    let result = typist.ended().await;
    assert_eq!(result.end(), TerminalEnd::EditorLeft);
    let text = String::from_utf8(result.text).unwrap();
    assert_eq!(text, format!("Klå{TEXT}"));
}

#[tokio::test]
async fn what_is_typed_in_vi_is_echoed_and_saved() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = vi(&agent).await;
    assert!(typist.shown().contains("The first line."));
    typist.press("i").await;
    typist.until("INSERT").await;
    for key in ["K", "l", "å"] {
        typist.press(key).await;
        typist.until(key).await;
    }
    typist.press("\x1b").await;
    typist.type_in(":wq\r").await;
    let result = typist.ended().await;
    assert_eq!(result.end(), TerminalEnd::EditorLeft);
    let text = String::from_utf8(result.text).unwrap();
    assert_eq!(text, format!("Klå{TEXT}"));
}

/// Backspace and arrows, as people know them.
#[tokio::test]
async fn a_mistake_is_corrected_in_both() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = nano(&agent).await;
    for key in ["\x1bOC", "\x1bOC", "\x1bOC", "\x7f", "E"] {
        typist.press(key).await;
    }
    typist.until("E").await;
    let result = typist.finish().await;
    assert!(result.text.starts_with(b"ThE first"));

    let mut typist = vi(&agent).await;
    typist.press("i").await;
    for key in ["\x1bOC", "\x1bOC", "\x1bOC", "\x7f", "E"] {
        typist.press(key).await;
    }
    typist.until("E").await;
    let result = typist.finish().await;
    assert!(result.text.starts_with(b"ThE first"));
}

/// The first thing that anybody sees is the editor, and it says the same of every
/// session.
#[tokio::test]
async fn nothing_is_shown_but_the_editor() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    for editor in [Editor::Vi, Editor::Nano] {
        let plain = Typist::open(&agent, lane(0.0, &[]), editor, TEXT).await;
        let every = lane(0.05, &of_senders());
        let modified = Typist::open(&agent, every, editor, TEXT).await;
        assert_eq!(plain.shown(), modified.shown());
        // Nor is the page's title set, or anything else outside of the screen.
        for word in [
            "\x1b]",
            "elcome",
            "ast login",
            "SSH",
            "ssh",
            "10.9.",
            "typist",
        ] {
            assert!(!plain.shown().contains(word), "{}", plain.shown());
        }
        let (one, other) = (plain.finish().await, modified.finish().await);
        assert_eq!(one.end(), TerminalEnd::Finished);
        assert_eq!(other.end(), TerminalEnd::Finished);
    }
}

#[tokio::test]
async fn vi_starts_no_shell() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = vi(&agent).await;
    for command in [
        ":!id\r",
        ":sh\r",
        ":shell\r",
        ":terminal\r",
        ":r !id\r",
        ":w !id\r",
        ":%!id\r",
        "!!id\r",
        ":make\r",
        ":grep x\r",
        ":stop\r",
        ":suspend\r",
    ] {
        typist.type_in(command).await;
        // Whatever it said, the next command is asked for.
        typist.press("\r\x1b").await;
    }
    typist.type_in(":!id\r").await;
    typist.until("E145").await;
    typist.press("\r").await;
    assert!(!typist.shown().contains("uid="), "{}", typist.shown());
    vi_still_edits(typist).await;
}

#[tokio::test]
async fn vi_finds_no_file_but_the_text() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = vi(&agent).await;
    for path in [
        "/proc/sys/net/ipv4/tcp_rdb",
        "/proc/self/status",
        "/sys/class/net",
        "/etc/shadow",
        "/etc/sshd_config",
        "/etc/host_key",
        "/terminal/server/bin/sshd",
        "/spool/job.pb",
    ] {
        typist.type_in(&format!(":e! {path}\r")).await;
        typist.until("[New").await;
    }
    // What of it is left: the one line that names the user.
    typist.type_in(":e! /etc/passwd\r").await;
    let passwd = typist.until("typist").await;
    assert!(!passwd.contains("root"), "{passwd}");
    typist.type_in(":e! text\r").await;
    typist.until("The first").await;
    vi_still_edits(typist).await;
}

#[tokio::test]
async fn vi_writes_nowhere_but_at_home() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = vi(&agent).await;
    for path in [
        "/other",
        "/etc/passwd",
        "/etc/vimrc",
        "/bin/vim",
        "/dev/pts/x",
    ] {
        typist.type_in(&format!(":w! {path}\r")).await;
        typist.until("E212").await;
        typist.press("\r").await;
    }
    vi_still_edits(typist).await;
}

#[tokio::test]
async fn nano_reads_writes_and_runs_nothing_else() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = nano(&agent).await;
    // Insert a file.
    typist.press("\x12").await;
    typist.until("disabled in restricted mode").await;
    // Execute a command, with all that its prompt would offer; then suspend.
    typist.type_in("\x14\x1a\x14\x13").await;
    typist.press("\x1a").await;
    // Save: the name that is offered is the text's, and cannot be changed.
    typist.press("\x0f").await;
    typist.until("File Name to Write: text").await;
    typist.type_in("/other\r").await;
    typist.until("Wrote 2 lines").await;
    for word in ["Command to execute", "File to insert", "/other"] {
        assert!(!typist.shown().contains(word), "{}", typist.shown());
    }
    nano_still_edits(typist).await;
}

/// ^Z, ^\ and ^C are keys like any other, at both ends.
#[tokio::test]
async fn no_key_is_a_signal() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = vi(&agent).await;
    for key in ["\x1a", "\x1c", "\x1a", "\x1c", "\x03"] {
        typist.press(key).await;
    }
    // What is typed before vi is done with ^C, it throws away. ^G tells of the file.
    typist.press_until("\x07", "line 1 of 2").await;
    vi_still_edits(typist).await;
    let mut typist = nano(&agent).await;
    for key in ["\x1a", "\x03", "\x1a"] {
        typist.press(key).await;
    }
    nano_still_edits(typist).await;
}

/// `~.` after Enter would end an SSH client that listens to it, and `~C` open its
/// own command line.
#[tokio::test]
async fn the_client_takes_no_commands() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = nano(&agent).await;
    for escape in ["\r~.", "\r~C", "\r~?", "\r~#", "\r~&", "\r~\x1a", "\r~B"] {
        typist.type_in(escape).await;
    }
    typist.type_in("Z").await;
    typist.until("Z").await;
    assert!(!typist.shown().contains("ssh>"), "{}", typist.shown());
    let result = typist.finish().await;
    assert_eq!(result.end(), TerminalEnd::Finished);
    let text = String::from_utf8(result.text).unwrap();
    assert!(text.starts_with("\n~.\n~C\n~?\n~#\n~&\n~"), "{text}");
}

/// A megabyte of keys is taken, one after the other, and the editor has it.
#[tokio::test]
async fn a_stuck_key_is_typed() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "1"]);
    let mut typist = nano(&agent).await;
    for _ in 0..50 {
        typist.press(&"k".repeat(100)).await;
    }
    typist.press("Z").await;
    typist.until("Z").await;
    let result = typist.finish().await;
    let text = String::from_utf8(result.text).unwrap();
    assert!(text.starts_with(&format!("{}Z", "k".repeat(5000))));
}
