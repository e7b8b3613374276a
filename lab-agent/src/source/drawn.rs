//! Messages whose sizes and gaps are drawn, in bursts or evenly: what models of
//! applications and of web clients are.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::DrawnStream;

use super::distribution::Drawing;
use super::{LONGEST_STREAM_BYTES, MOST_MESSAGES, Message, Stream};
use crate::fault::{Outcome, invalid};
use crate::random::SplitMix;

impl Stream for DrawnStream {
    fn messages(&self, seed: u64) -> Outcome<Vec<Message>> {
        let most = match self.messages as usize {
            0 if self.lasts_us == 0 => {
                return invalid("drawn has no end: give lasts_us, messages or both");
            }
            0 => MOST_MESSAGES + 1,
            messages @ 1..=MOST_MESSAGES => messages,
            _ => {
                return invalid(format!("drawn.messages must be at most {MOST_MESSAGES}"));
            }
        };
        let last_ns = match self.lasts_us {
            0 => u64::MAX,
            lasts_us => lasts_us.saturating_mul(1000),
        };
        let sizes = Drawing::new(self.payload_bytes.as_ref(), "drawn.payload_bytes")?;
        let mut gaps = Gaps::new(self)?;
        let mut random = SplitMix(seed);
        gaps.begin_burst(&mut random);
        let mut messages: Vec<Message> = Vec::new();
        let (mut at_ns, mut bytes) = (0u64, 0);
        while messages.len() < most && at_ns <= last_ns {
            let size = sizes.draw(&mut random).round().max(1.0) as usize;
            bytes = size.saturating_add(bytes);
            if bytes > LONGEST_STREAM_BYTES {
                return invalid(format!(
                    "drawn has more than {} MiB after {} s: let it end earlier, or draw smaller \
                     messages",
                    LONGEST_STREAM_BYTES >> 20,
                    at_ns / 1_000_000_000
                ));
            }
            messages.push(Message {
                at_ns,
                bytes: random.bytes(size),
            });
            at_ns = at_ns.saturating_add(gaps.next_ns(&mut random));
        }
        if messages.len() > MOST_MESSAGES {
            return invalid(format!(
                "drawn has more than {MOST_MESSAGES} messages: let it end earlier, or draw longer \
                 gaps"
            ));
        }
        Ok(messages)
    }
}

/// The times between messages.
struct Gaps<'a> {
    in_burst: Drawing<'a>,
    bursts: Option<Bursts<'a>>,
    /// Of the burst, after the message that was made last.
    left: u64,
}

struct Bursts<'a> {
    messages: Drawing<'a>,
    pause: Drawing<'a>,
}

impl<'a> Gaps<'a> {
    fn new(stream: &'a DrawnStream) -> Outcome<Self> {
        let (messages, pause) = (stream.burst_messages.as_ref(), stream.pause_us.as_ref());
        let bursts = if messages.is_some() || pause.is_some() {
            Some(Bursts {
                messages: Drawing::new(messages, "drawn.burst_messages")?,
                pause: Drawing::new(pause, "drawn.pause_us")?,
            })
        } else {
            None
        };
        Ok(Self {
            in_burst: Drawing::new(stream.gap_us.as_ref(), "drawn.gap_us")?,
            bursts,
            left: u64::MAX,
        })
    }

    fn begin_burst(&mut self, random: &mut SplitMix) {
        if let Some(bursts) = &self.bursts {
            let messages = bursts.messages.draw(random).round().max(1.0);
            self.left = messages as u64 - 1;
        }
    }

    fn next_ns(&mut self, random: &mut SplitMix) -> u64 {
        let us = match &self.bursts {
            Some(bursts) if self.left == 0 => {
                let pause_us = bursts.pause.draw(random);
                self.begin_burst(random);
                pause_us
            }
            _ => {
                self.left -= 1;
                self.in_burst.draw(random)
            }
        };
        (us * 1000.0).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use lab_proto::distribution::Kind;
    use lab_proto::{Distribution, UniformDistribution};

    use super::*;

    const MS_US: f64 = 1000.0;
    const MS_NS: u64 = 1_000_000;

    fn constant(value: f64) -> Distribution {
        Distribution {
            kind: Some(Kind::Constant(value)),
        }
    }

    fn stream() -> DrawnStream {
        DrawnStream {
            payload_bytes: Some(Distribution {
                kind: Some(Kind::Uniform(UniformDistribution {
                    lowest: 10.0,
                    highest: 90.0,
                })),
            }),
            gap_us: Some(constant(20.0 * MS_US)),
            lasts_us: 100_000,
            ..DrawnStream::default()
        }
    }

    fn times_ms(stream: &DrawnStream) -> Vec<u64> {
        let messages = stream.messages(3).unwrap();
        messages.iter().map(|one| one.at_ns / MS_NS).collect()
    }

    fn said(stream: &DrawnStream) -> String {
        stream.messages(3).unwrap_err().to_string()
    }

    #[test]
    fn it_ends_with_its_time_or_its_messages() {
        assert_eq!(times_ms(&stream()), [0, 20, 40, 60, 80, 100]);
        let few = DrawnStream {
            messages: 2,
            ..stream()
        };
        assert_eq!(times_ms(&few), [0, 20]);
        let unbounded = DrawnStream {
            lasts_us: 0,
            ..stream()
        };
        assert!(said(&unbounded).starts_with("drawn has no end"));
    }

    #[test]
    fn bursts_have_their_messages_and_pauses_between_them() {
        let bursts = DrawnStream {
            burst_messages: Some(constant(3.0)),
            pause_us: Some(constant(1000.0 * MS_US)),
            lasts_us: 2_000_000,
            ..stream()
        };
        assert_eq!(times_ms(&bursts), [0, 20, 40, 1040, 1060, 1080]);
        let half = DrawnStream {
            pause_us: None,
            ..bursts
        };
        assert!(said(&half).starts_with("drawn.pause_us is not set"));
    }

    #[test]
    fn the_seed_decides_everything() {
        let [once, again, other] = [3, 3, 4].map(|seed| stream().messages(seed).unwrap());
        assert_eq!(once, again);
        assert_ne!(once, other);
        assert!(once.iter().all(|one| (10..=90).contains(&one.bytes.len())));
    }

    #[test]
    fn what_fits_into_no_session_is_refused_before_it_is_made() {
        let standing = DrawnStream {
            payload_bytes: Some(constant(1.0)),
            gap_us: Some(constant(0.0)),
            ..stream()
        };
        assert!(said(&standing).contains("more than 1000000 messages"));
        let many = DrawnStream {
            messages: 1_000_001,
            ..stream()
        };
        assert!(said(&many).starts_with("drawn.messages"));
        let huge = DrawnStream {
            payload_bytes: Some(constant(1e300)),
            ..stream()
        };
        assert!(said(&huge).starts_with("drawn has more than 32 MiB"));
        let later = DrawnStream {
            gap_us: Some(constant(1e300)),
            ..stream()
        };
        assert_eq!(times_ms(&later), [0]);
    }
}
