//! Messages that the caller wrote down, once or over and over.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{ReplayMessage, ReplayStream};

use super::{LONGEST_STREAM_BYTES, MOST_MESSAGES, Message, Stream};
use crate::fault::{Outcome, invalid};
use crate::random::SplitMix;

impl Stream for ReplayStream {
    fn messages(&self, seed: u64) -> Outcome<Vec<Message>> {
        check(self)?;
        let mut random = SplitMix(seed);
        let mut messages = Vec::new();
        let (mut begins_ns, mut bytes) = (0u64, 0);
        loop {
            for message in &self.messages {
                let at_ns = begins_ns.saturating_add(message.at_ns);
                if self.lasts_ns != 0 && at_ns > self.lasts_ns {
                    return Ok(messages);
                }
                let payload = content(message, &mut random);
                bytes += payload.len();
                if messages.len() == MOST_MESSAGES || bytes > LONGEST_STREAM_BYTES {
                    return invalid(format!(
                        "replay has more than {MOST_MESSAGES} messages or {} MiB: let it end \
                         earlier (lasts_ns)",
                        LONGEST_STREAM_BYTES >> 20
                    ));
                }
                messages.push(Message {
                    at_ns,
                    bytes: payload,
                });
            }
            if self.every_ns == 0 || self.messages.is_empty() {
                return Ok(messages);
            }
            begins_ns = begins_ns.saturating_add(self.every_ns);
        }
    }
}

fn content(message: &ReplayMessage, random: &mut SplitMix) -> Vec<u8> {
    match message.payload_bytes {
        0 => message.payload.clone(),
        // Bounded, so that what is too much is found out without making it.
        bytes => random.bytes((bytes as usize).min(LONGEST_STREAM_BYTES + 1)),
    }
}

fn check(stream: &ReplayStream) -> Outcome<()> {
    for (index, message) in stream.messages.iter().enumerate() {
        match (message.payload.is_empty(), message.payload_bytes) {
            (true, 0) => {
                return invalid(format!(
                    "replay.messages[{index}].payload is empty: give at least one byte"
                ));
            }
            (true, _) | (false, 0) => {}
            (false, _) => {
                return invalid(format!(
                    "replay.messages[{index}] has payload and payload_bytes: give one of them"
                ));
            }
        }
        let earlier = index.checked_sub(1).map(|before| &stream.messages[before]);
        if earlier.is_some_and(|earlier| earlier.at_ns > message.at_ns) {
            return invalid(format!(
                "replay.messages[{index}].at_ns is before the message in front of it: sort \
                 the messages by time"
            ));
        }
    }
    let last_ns = stream.messages.last().map_or(0, |message| message.at_ns);
    if stream.every_ns != 0 && stream.every_ns < last_ns {
        return invalid(
            "replay.every_ns is before the last message: let it begin again after that",
        );
    }
    if stream.every_ns != 0 && stream.lasts_ns == 0 {
        return invalid("replay.every_ns goes on without end: give lasts_ns");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> ReplayStream {
        let message = |at_ns, payload_bytes| ReplayMessage {
            at_ns,
            payload_bytes,
            ..ReplayMessage::default()
        };
        ReplayStream {
            messages: vec![message(5, 10), message(30, 20)],
            ..ReplayStream::default()
        }
    }

    fn sent(stream: &ReplayStream) -> Vec<(u64, usize)> {
        let messages = stream.messages(3).unwrap();
        messages
            .iter()
            .map(|one| (one.at_ns, one.bytes.len()))
            .collect()
    }

    fn said(stream: &ReplayStream) -> String {
        stream.messages(3).unwrap_err().to_string()
    }

    #[test]
    fn it_is_sent_once_or_as_often_as_its_time_allows() {
        assert_eq!(sent(&stream()), [(5, 10), (30, 20)]);
        let looped = ReplayStream {
            every_ns: 100,
            lasts_ns: 210,
            ..stream()
        };
        let times = [(5, 10), (30, 20), (105, 10), (130, 20), (205, 10)];
        assert_eq!(sent(&looped), times);
        let cut = ReplayStream {
            lasts_ns: 29,
            ..stream()
        };
        assert_eq!(sent(&cut), [(5, 10)]);
    }

    #[test]
    fn what_cannot_be_sent_is_refused_by_name() {
        let endless = ReplayStream {
            every_ns: 100,
            ..stream()
        };
        assert!(said(&endless).contains("give lasts_ns"));
        let overlapping = ReplayStream {
            every_ns: 29,
            lasts_ns: 1000,
            ..stream()
        };
        assert!(said(&overlapping).starts_with("replay.every_ns"));
        let mut both = stream();
        both.messages[1].payload = vec![1];
        assert!(said(&both).starts_with("replay.messages[1] has payload and payload_bytes"));
        let mut huge = stream();
        huge.messages[0].payload_bytes = u32::MAX;
        assert!(said(&huge).starts_with("replay has more than"));
        let many = ReplayStream {
            every_ns: 30,
            lasts_ns: u64::MAX,
            ..stream()
        };
        assert!(said(&many).starts_with("replay has more than"));
    }
}
