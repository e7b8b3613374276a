//! A terminal's end: everything is taken down, and what only the guest knows is
//! put together.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use lab_proto::Editor;
use lab_proto::guest::{KeyWrite, Passages, TerminalLeft};
use thinlab_trace::keystroke::Passage;
use tokio::time::Instant;

use super::line::relayed;
use super::pump::{End, Pump};
use super::rest;
use crate::clock::now_ns;
use crate::endpoint::ssh::Ssh;
use crate::endpoint::{connection, tcp_info};
use crate::engine::balance;
use crate::engine::captures::Captures;
use crate::fault::Outcome;
use crate::lane::{Lane, calm};
use crate::waiting::blocking;

/// Between two looks at whether the editor has answered.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Longer than an editor takes from one piece of its answer to the next.
const QUIET: Duration = Duration::from_millis(100);
const SAVE_LIMIT: Duration = Duration::from_secs(5);

/// A terminal that is over, with all that belongs to it.
pub struct Leaving {
    pub ssh: Ssh,
    pub lane: Lane,
    pub captures: Captures,
    pub pump: Pump,
    pub end: End,
    pub ready_ns: u64,
}

impl Leaving {
    /// Saves the text, ends SSH and takes stock.
    pub async fn leave(mut self, editor: Editor) -> Outcome<TerminalLeft> {
        let mut left = TerminalLeft {
            end: self.end.kind as i32,
            reason: self.end.reason.clone(),
            ready_ns: self.ready_ns,
            end_ns: now_ns(),
            ..TerminalLeft::default()
        };
        // A connection that was lost has nothing to tell.
        let [sender, receiver] = self.ssh.sockets().map(|socket| tcp_info::read(socket).ok());
        (left.tcp_info_sender, left.tcp_info_receiver) = (sender, receiver);
        tell_ways(&mut left, &self.ssh, &self.pump);
        let (mut lane, (at_sender, at_receiver)) = blocking(move || {
            let counters = self.lane.counters()?;
            let calm = calm(self.lane.spec());
            self.lane.change(&calm)?;
            Ok((self.lane, counters))
        })
        .await?;
        (left.counters, left.receiver_counters) = (at_sender, at_receiver);
        if self.end.is_live() {
            let round_trip = lane.round_trip();
            save(
                &self.ssh,
                round_trip,
                &mut self.captures,
                &mut self.pump,
                editor,
            )
            .await?;
        }
        left.text = self.ssh.text()?;
        for socket in self.ssh.sockets() {
            // One that is dead is closed already.
            let _ = connection::close_at_once(socket);
        }
        drop(self.ssh);
        rest::empty(&mut lane, &mut self.captures).await?;
        blocking(move || finish(lane, self.captures, left)).await
    }
}

/// Has the editor write the text, and waits until it has answered.
async fn save(
    ssh: &Ssh,
    round_trip: Duration,
    captures: &mut Captures,
    pump: &mut Pump,
    editor: Editor,
) -> Outcome<()> {
    pump.line.type_unseen(match editor {
        Editor::Vi => b"\x1b\x1b:w\r",
        Editor::Nano | Editor::Unspecified => b"\x13",
    })?;
    let saved = async {
        // What is there before a round trip is over answers something else.
        let mut quiet_until = Instant::now() + round_trip + QUIET;
        while Instant::now() < quiet_until {
            tokio::time::sleep(LOOK_EVERY).await;
            captures.drain()?;
            if connection::unacknowledged_at_ends(ssh.sockets())? > 0
                || !pump.line.screen()?.is_empty()
            {
                quiet_until = quiet_until.max(Instant::now() + QUIET);
            }
        }
        Ok(())
    };
    // An editor that asks a question instead, or a connection that is stuck: the
    // text is then what was saved before.
    tokio::time::timeout(SAVE_LIMIT, saved)
        .await
        .unwrap_or(Ok(()))
}

fn tell_ways(left: &mut TerminalLeft, ssh: &Ssh, pump: &Pump) {
    let keys = pump.line.keys().iter().map(|key| KeyWrite {
        number: key.number,
        at_ns: key.at_ns,
    });
    left.keys = keys.collect();
    left.screens.clone_from(&pump.screens);
    let journal = ssh.journal().lock();
    let journal = journal.expect("nothing panics while holding it");
    let relayed = relayed(&journal);
    left.key_written = Some(passages(relayed.key_written));
    left.key_delivered = Some(passages(relayed.key_delivered));
    left.echo_written = Some(passages(relayed.echo_written));
    left.echo_delivered = Some(passages(relayed.echo_delivered));
}

fn passages(passages: &[Passage]) -> Passages {
    Passages {
        offset_end: passages.iter().map(|one| one.offset_end).collect(),
        at_ns: passages.iter().map(|one| one.at_ns).collect(),
    }
}

fn finish(mut lane: Lane, captures: Captures, mut left: TerminalLeft) -> Outcome<TerminalLeft> {
    let queues = lane.queues()?;
    let seen = captures.finish()?;
    left.check = Some(balance::count(seen.sender, seen.receiver, queues));
    left.overruns = seen.overruns;
    left.sender_capture_bytes = seen.sender.file_bytes;
    left.receiver_capture_bytes = seen.receiver.file_bytes;
    Ok(left)
}
