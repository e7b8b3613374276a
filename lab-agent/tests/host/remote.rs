//! An agent for other machines: it works for who shows a certificate of its
//! authority, and for nobody else; each who is sent away is told why, and so
//! is the agent's log.
// SPDX-License-Identifier: Apache-2.0
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::agent::{Agent, eventually};
use crate::certificates::Authority;

/// What `lab-agent describe` says to that address: its output, or why it has none.
fn describe(address: &str, certificates: Option<&Path>) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
    command.args(["describe", "--connect", address]);
    if let Some(folder) = certificates {
        command.arg("--certificates").arg(folder);
    }
    let done = command.output().unwrap();
    if done.status.success() {
        Ok(String::from_utf8(done.stdout).unwrap())
    } else {
        Err(String::from_utf8(done.stderr).unwrap())
    }
}

/// What `lab-agent boot` says of an address before it boots anything.
fn refusal(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_lab-agent"))
        .args(["boot", "--kernel", "/nowhere", "--guest", "/nowhere"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(!done.status.success());
    String::from_utf8(done.stderr).unwrap()
}

#[test]
fn no_address_that_others_reach_is_opened_without_certificates() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.7:7000"] {
        let said = refusal(&["--listen", address]);
        assert!(
            said.contains(&format!("--listen tls://{address}")),
            "{said}"
        );
        assert!(said.contains("--plain"), "{said}");
    }
    let said = refusal(&["--listen", "tls://0.0.0.0:0"]);
    assert!(said.contains("needs certificates"), "{said}");
    let said = refusal(&["--listen", "tls://0.0.0.0:0", "--certificates", "/nowhere"]);
    assert!(
        said.contains("/nowhere/authority.pem cannot be read"),
        "{said}"
    );
    // With the word it goes on to its next trouble.
    let said = refusal(&["--listen", "0.0.0.0:0", "--plain"]);
    assert!(!said.contains("--listen"), "{said}");
}

#[test]
fn files_that_will_not_do_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new(folder.path().join("ours"));
    let (one, other) = (authority.machine("one", 30), authority.machine("other", 30));
    let listen = |folder: &Path| {
        let folder = folder.to_str().unwrap();
        refusal(&["--listen", "tls://127.0.0.1:0", "--certificates", folder])
    };
    std::fs::copy(other.join("key.pem"), one.join("key.pem")).unwrap();
    let said = listen(&one);
    assert!(said.contains("one/key.pem will not do"), "{said}");
    std::fs::write(other.join("certificate.pem"), "a disk was full").unwrap();
    let said = listen(&other);
    assert!(
        said.contains("other/certificate.pem cannot be read (it holds no certificate)"),
        "{said}"
    );
}

#[tokio::test]
async fn who_is_known_is_answered_and_a_stranger_is_told_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let ours = Authority::new(folder.path().join("ours"));
    let others = Authority::new(folder.path().join("others"));
    let server = ours.machine("agent", 30);
    let agent = Agent::start_for_others(&server);
    let port = agent.address().rsplit_once(':').unwrap().1;
    let (by_name, plainly) = (format!("localhost:{port}"), format!("127.0.0.1:{port}"));
    let asked_by = |folder: &Path| describe(&format!("tls://{by_name}"), Some(folder));
    let known = ours.machine("backend", 30);

    let said = asked_by(&known).unwrap();
    assert!(said.contains("kernel_release"), "{said}");

    let said = describe(&format!("tls://{plainly}"), Some(&known)).unwrap_err();
    assert!(
        said.contains("its certificate is of another name"),
        "{said}"
    );
    let stranger = others.machine("backend", 30);
    let said = asked_by(&stranger).unwrap_err();
    assert!(
        said.contains("its certificate is of another authority"),
        "{said}"
    );
    // One who knows our authority, but whom it does not know.
    std::fs::copy(known.join("authority.pem"), stranger.join("authority.pem")).unwrap();
    let said = asked_by(&stranger).unwrap_err();
    assert!(said.contains("it does not take our certificate"), "{said}");
    let said = asked_by(&ours.machine("late", -1)).unwrap_err();
    assert!(said.contains("our certificate has ended"), "{said}");
    let said = describe(&plainly, None).unwrap_err();
    assert!(said.contains("no agent answers"), "{said}");
    assert_eq!(
        first_byte_to_a_plain_caller(&plainly),
        21,
        "an alert of TLS"
    );
    assert!(!shows_nothing(&by_name).contains("kernel_release"));

    for reason in [
        "it does not take our certificate",
        "its certificate is of another authority",
        "its certificate has ended",
        "it does not encrypt",
        "it shows no certificate",
    ] {
        eventually(reason, || log_of(&server).contains(reason)).await;
    }
}

fn first_byte_to_a_plain_caller(address: &str) -> u8 {
    let mut plain = TcpStream::connect(address).unwrap();
    plain
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .unwrap();
    let mut answer = [0];
    plain.read_exact(&mut answer).unwrap();
    answer[0]
}

/// What another program hears that encrypts, and has no certificate.
fn shows_nothing(address: &str) -> String {
    let done = Command::new("openssl")
        .args(["s_client", "-alpn", "h2", "-connect", address])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn log_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap()
}
