//! The files that `lab-agent analyze` writes when asked: pictures, a page, curves,
//! tables, captures with comments. All of them appear whole, or none does.
// SPDX-License-Identifier: Apache-2.0

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use tempfile::NamedTempFile;
use thinlab_plot::picture::{Picture, Series, boxes, cdf, ladder, sequence};
use thinlab_plot::{
    Connection, Entry, Latencies, Span, Weight, comment, message_table, packet_table, page,
};
use thinlab_trace::{Analysis, Capture, End, records};

use super::numbers;

/// Which files to write.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files")]
pub struct Outputs {
    /// One HTML page with the figures and all pictures; it opens from disk and
    /// fetches nothing.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Four pictures: time-sequence.svg, ladder.svg, cdf.svg, boxes.svg, each as
    /// wide as a column of a paper.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Complete latency curves as text, a line per latency: latency in ms, share at
    /// or below it. transport-by-message.txt, transport-by-byte.txt, the same for
    /// application, and for sojourn with --writes.
    #[arg(long, value_name = "DIR")]
    cdfs: Option<PathBuf>,
    /// messages.parquet and packets.parquet, a row per message and per packet, with
    /// the names of the JSON.
    #[arg(long, value_name = "DIR")]
    parquet: Option<PathBuf>,
    /// The sender's capture as pcapng with a comment on each packet, for Wireshark:
    /// new, bundle, retransmission (fast or timeout, which one, spurious), ACK,
    /// dupACK, SCTP's chunks, and when it arrived or that it was lost. Else it stays as
    /// it is.
    #[arg(long, value_name = "FILE")]
    comment_sender: Option<PathBuf>,
    /// The receiver's capture, in the same way.
    #[arg(long, value_name = "FILE")]
    comment_receiver: Option<PathBuf>,
    /// Which time the time-sequence diagram and the ladder show: FROM..UNTIL, in
    /// seconds since the first byte of the stream left. By default the whole
    /// connection and the stretch around the message that waited longest.
    #[arg(long, value_name = "FROM..UNTIL", allow_hyphen_values = true)]
    between: Option<Between>,
    /// When the application wrote each message: a file with ns since 1970 by the
    /// sender's clock, one a line. Adds sojourn latency, from the write to
    /// availability in order.
    #[arg(long, value_name = "FILE")]
    writes: Option<PathBuf>,
}

/// A time in seconds, as a person gives it.
#[derive(Clone, Copy, Debug)]
struct Between(Span);

impl FromStr for Between {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected FROM..UNTIL in seconds, such as 1.5..2.25";
        let (from, until) = text.split_once("..").ok_or(EXPECTED)?;
        let ns = |text: &str| {
            let seconds: f64 = text.trim().parse().map_err(|_| EXPECTED)?;
            if seconds.abs() > 1e9 || seconds.is_nan() {
                return Err("expected no more than 30 years");
            }
            Ok((seconds * 1e9).round() as i64)
        };
        let (from_ns, until_ns) = (ns(from)?, ns(until)?);
        if until_ns <= from_ns {
            return Err("expected an end after the beginning");
        }
        Ok(Self(Span { from_ns, until_ns }))
    }
}

/// What a file is to hold.
type File = (PathBuf, Vec<u8>);

impl Outputs {
    /// Refuses what cannot be written or would replace a capture, before anything
    /// is read.
    pub(super) fn check(&self, captures: [&Path; 2]) -> Result<()> {
        let named = |name: &'static str, path: &Option<PathBuf>| path.clone().map(|it| (name, it));
        let files = [
            named("--html", &self.html),
            named("--comment-sender", &self.comment_sender),
            named("--comment-receiver", &self.comment_receiver),
        ];
        let mut known: Vec<PathBuf> = Vec::new();
        let captures = captures.map(|capture| fs::canonicalize(capture).ok());
        for (name, path) in files.into_iter().flatten() {
            let Some(file) = path.file_name() else {
                bail!("{name}: {} is no file name", path.display());
            };
            let folder = fs::canonicalize(folder_of(&path)).with_context(|| {
                format!("{name}: the folder of {} cannot be found", path.display())
            })?;
            if path.exists() && !path.is_file() {
                bail!(
                    "{name}: {} is no regular file: choose another name",
                    path.display()
                );
            }
            let place = folder.join(file);
            if captures.iter().flatten().any(|capture| *capture == place) {
                bail!(
                    "{name}: {} is a capture to be read: choose another name",
                    path.display()
                );
            }
            if known.contains(&place) {
                bail!(
                    "{name}: {} is asked for twice: choose another name",
                    path.display()
                );
            }
            known.push(place);
        }
        let folders = [
            ("--plots", &self.plots),
            ("--cdfs", &self.cdfs),
            ("--parquet", &self.parquet),
        ];
        for (name, folder) in folders {
            let Some(folder) = folder else { continue };
            if !folder.is_dir() && (folder.exists() || !folder_of(folder).is_dir()) {
                bail!(
                    "{name}: {} is no folder and cannot become one: choose another",
                    folder.display()
                );
            }
        }
        Ok(())
    }

    /// Writes all files asked for; `paths` are the captures'.
    pub(super) fn write(
        &self,
        paths: [&Path; 2],
        captures: [&Capture; 2],
        analysis: &Analysis,
    ) -> Result<()> {
        let records = records(captures[0], captures[1], analysis)?;
        let label = format!("{} → {}", name(paths[0]), name(paths[1]));
        let connection = Connection::new(&label, analysis, &records);
        let mut files = self.shown(&connection)?;
        for (end, capture, target) in [
            (End::Sender, paths[0], &self.comment_sender),
            (End::Receiver, paths[1], &self.comment_receiver),
        ] {
            let Some(target) = target else { continue };
            let bytes = fs::read(capture)
                .with_context(|| format!("{} cannot be read", capture.display()))?;
            let commented =
                comment(&bytes, end, &connection).with_context(|| capture.display().to_string())?;
            files.push((target.clone(), commented));
        }
        let mut made = Vec::new();
        let folders = [&self.plots, &self.cdfs, &self.parquet];
        for folder in folders.into_iter().flatten() {
            if !folder.is_dir() {
                fs::create_dir(folder)
                    .with_context(|| format!("{} cannot be made", folder.display()))?;
                made.push(folder);
            }
        }
        write_all(&files).inspect_err(|_| {
            for folder in made {
                let _ = fs::remove_dir(folder);
            }
        })
    }

    /// Whether a capture with comments is asked for.
    pub(super) fn comments(&self) -> bool {
        self.comment_sender.is_some() || self.comment_receiver.is_some()
    }

    /// Whether a file is asked for.
    pub(super) fn any(&self) -> bool {
        let asked = [
            &self.html,
            &self.plots,
            &self.cdfs,
            &self.parquet,
            &self.comment_sender,
            &self.comment_receiver,
        ];
        asked.into_iter().any(Option::is_some)
    }

    fn shown(&self, connection: &Connection) -> Result<Vec<File>> {
        let analysis = connection.analysis();
        let written_ns = match &self.writes {
            Some(path) => Some(writes(path, analysis.messages.len())?),
            None => None,
        };
        let latencies = |weight| {
            let latencies = Latencies::of(analysis, weight);
            match &written_ns {
                Some(written_ns) => latencies.with_writes(analysis, weight, written_ns),
                None => latencies,
            }
        };
        let span = self.between.map(|between| between.0);
        let by_message = latencies(Weight::Message);
        let mut files = Vec::new();
        if let Some(folder) = &self.plots {
            let series = [Series {
                label: connection.label,
                latencies: &by_message,
            }];
            let pictures: [Picture; 4] = [
                sequence(connection, span)?,
                ladder(connection, span)?,
                cdf(&series),
                boxes(&series),
            ];
            files.extend(pictures.map(|picture| {
                let path = folder.join(format!("{}.svg", picture.name));
                (path, picture.document().into_bytes())
            }));
        }
        if let Some(folder) = &self.cdfs {
            for (weight, words) in [(Weight::Message, "message"), (Weight::Byte, "byte")] {
                files.extend(latencies(weight).named().map(|(layer, curve)| {
                    let path = folder.join(format!("{layer}-by-{words}.txt"));
                    (path, curve.text().into_bytes())
                }));
            }
        }
        if let Some(folder) = &self.parquet {
            files.push((folder.join("messages.parquet"), message_table(connection)?));
            files.push((folder.join("packets.parquet"), packet_table(connection)?));
        }
        if let Some(path) = &self.html {
            let entry = Entry {
                connection,
                latencies: &by_message,
                span,
            };
            files.push((path.clone(), page(&entry)?.into_bytes()));
        }
        Ok(files)
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str() != OsStr::new("") => folder,
        _ => Path::new("."),
    }
}

/// When the messages were written, one a line, as many as there are messages.
fn writes(path: &Path, messages: usize) -> Result<Vec<i64>> {
    let written_ns: Vec<i64> = numbers::read(path, "instant in ns since 1970")?;
    if written_ns.len() != messages {
        bail!(
            "{} has {} instants for {messages} messages: give one for each message, and say where messages end with \
             --message-ends or --message-bytes",
            path.display(),
            written_ns.len()
        );
    }
    Ok(written_ns)
}

/// First all contents under other names, then all renamed: a full disk leaves
/// what was there before.
fn write_all(files: &[File]) -> Result<()> {
    let mut unfinished = Vec::new();
    for (path, content) in files {
        let write = || -> std::io::Result<NamedTempFile> {
            let mut file = tempfile::Builder::new()
                .prefix(".")
                .suffix(".unfinished")
                .permissions(Permissions::from_mode(0o666))
                .tempfile_in(folder_of(path))?;
            file.write_all(content)?;
            file.as_file().sync_data()?;
            Ok(file)
        };
        unfinished.push(write().with_context(|| format!("{} cannot be written", path.display()))?);
    }
    for (file, (path, _)) in unfinished.into_iter().zip(files) {
        file.persist(path)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Between, write_all};

    #[test]
    fn times_are_read_or_refused() {
        let between: Between = "-0.5..1.25".parse().unwrap();
        assert_eq!(
            (between.0.from_ns, between.0.until_ns),
            (-500_000_000, 1_250_000_000)
        );
        for wrong in [
            "", "1", "1..", "2..1", "1..1", "nan..1", "0..1e300", "a..b", "0..inf",
        ] {
            assert!(wrong.parse::<Between>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn when_one_file_fails_none_appears() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        std::fs::write(&kept, "before").unwrap();
        let nowhere = folder.path().join("gone").join("file");
        let error = write_all(&[(kept.clone(), b"after".into()), (nowhere, vec![])]).unwrap_err();
        assert!(
            error.to_string().contains("gone/file cannot be written"),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "before");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no rest"
        );
        write_all(&[(kept.clone(), b"after".into())]).unwrap();
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "after");
    }
}
