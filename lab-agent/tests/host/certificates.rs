//! Certificates as `thinlab certificates` makes them, and such as will not do,
//! by another program.
// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};
use std::process::Command;

/// An authority in a folder of its own.
pub struct Authority {
    folder: PathBuf,
}

impl Authority {
    /// Makes one.
    pub fn new(folder: PathBuf) -> Self {
        std::fs::create_dir_all(&folder).unwrap();
        let authority = ["req", "-x509", "-subj", "/CN=parts", "-days", "30"];
        openssl(
            &folder,
            &[
                &authority[..],
                &new_key("authority-key.pem", "authority.pem"),
            ]
            .concat(),
        );
        Self { folder }
    }

    /// The folder of a machine, found as `localhost`, whose certificate holds for so many days.
    pub fn machine(&self, name: &str, days: i32) -> PathBuf {
        self.named(name, "DNS:localhost", days)
    }

    /// The same, found by another name.
    pub fn named(&self, name: &str, found_as: &str, days: i32) -> PathBuf {
        let theirs = self.folder.join(name);
        std::fs::create_dir_all(&theirs).unwrap();
        let extensions = format!(
            "subjectAltName={found_as}\nbasicConstraints=critical,CA:false\n\
             extendedKeyUsage=serverAuth,clientAuth\n"
        );
        std::fs::write(theirs.join("extensions"), extensions).unwrap();
        openssl(
            &theirs,
            &[
                &["req", "-subj", "/CN=machine"][..],
                &new_key("key.pem", "request.pem"),
            ]
            .concat(),
        );
        openssl(
            &theirs,
            &[
                &[
                    "x509",
                    "-req",
                    "-in",
                    "request.pem",
                    "-extfile",
                    "extensions",
                ][..],
                &["-CA", "../authority.pem", "-CAkey", "../authority-key.pem"],
                &["-CAcreateserial", "-days", &days.to_string()],
                &["-out", "certificate.pem"],
            ]
            .concat(),
        );
        std::fs::copy(
            self.folder.join("authority.pem"),
            theirs.join("authority.pem"),
        )
        .unwrap();
        theirs
    }
}

fn new_key<'a>(file: &'a str, out: &'a str) -> [&'a str; 9] {
    let (kind, curve) = ("ec", "ec_paramgen_curve:prime256v1");
    let key = ["-nodes", "-newkey", kind, "-pkeyopt", curve, "-keyout"];
    [
        key[0], key[1], key[2], key[3], key[4], key[5], file, "-out", out,
    ]
}

fn openssl(folder: &Path, words: &[&str]) {
    let done = Command::new("openssl")
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "openssl {words:?}: {said}");
}
