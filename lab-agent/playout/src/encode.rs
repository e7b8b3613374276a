//! Source audio to messages sized and paced like the papers' Skype over TCP.
//!
//! User-evaluation paper, table I: payload 236 bytes on average, interarrival
//! time 34 ms on average with a median of 40 ms. Frames of 20 and 40 ms in the
//! ratio 3 : 7 have just that mean and median.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::{Application, Bitrate, Channels, Encoder, ErrorCode, SampleRate};

use crate::{Message, SAMPLES_PER_MS, ns_of_samples};

const SHORT_SAMPLES: usize = 20 * SAMPLES_PER_MS;
const LONG_SAMPLES: usize = 40 * SAMPLES_PER_MS;

/// Three of every ten messages are short: the mean is 34 ms over each ten, so
/// a clip of any length keeps it.
const BLOCK: usize = 10;
const SHORT_IN_BLOCK: usize = 3;

/// Gives messages of 236 bytes on average, prefix included, on the speech and
/// the song of `clips/` (docs/playout.md has the measured figures).
const BITRATE_BIT_PER_S: u32 = 54_800;

/// At 10 the fixed-point encoder analyses in floating point; at this bitrate
/// more effort than this buys little and costs time.
const COMPLEXITY: u8 = 5;

/// Longer than any packet of two 20 ms frames at any bitrate (RFC 6716, 3.4).
const PACKET_MAX_BYTES: usize = 2 * 1276;

/// Why audio could not be encoded.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// There is nothing to send.
    #[error("the source has no samples: give at least one")]
    Empty,
    /// The codec refused; never seen with 16-bit audio.
    #[error("libopus could not encode message {message}: {reason}")]
    Codec {
        /// Index of the message.
        message: usize,
        /// libopus' own words.
        reason: &'static str,
    },
}

/// Frames `source` (48 kHz, mono) into messages; the last is padded with
/// silence. No in-band FEC: TCP loses nothing.
pub fn encode(source: &[i16]) -> Result<Vec<Message>, EncodeError> {
    if source.is_empty() {
        return Err(EncodeError::Empty);
    }
    let mut encoder = encoder().map_err(refused(0))?;
    let mut messages = Vec::with_capacity(source.len() / (34 * SAMPLES_PER_MS) + BLOCK);
    let mut packet = vec![0; PACKET_MAX_BYTES];
    let mut frame = Vec::with_capacity(LONG_SAMPLES);
    let mut start = 0;
    for length in frame_lengths() {
        if start >= source.len() {
            break;
        }
        let captured = &source[start..source.len().min(start + length)];
        frame.clear();
        frame.extend(captured.iter().map(|sample| sample.cast_unsigned()));
        frame.resize(length, 0);
        start += length;
        let index = messages.len();
        let size = encoder
            .encode_to_slice(&frame, &mut packet)
            .map_err(refused(index))?;
        messages.push(Message {
            at_ns: ns_of_samples(start as u64),
            bytes: with_length(&packet[..size]),
        });
    }
    Ok(messages)
}

fn encoder() -> Result<Encoder, ErrorCode> {
    // `Audio`, not `Voip`: one coding mode (CELT) for speech and song alike at
    // this bitrate, without the switches between modes that could be heard.
    let mut encoder = Encoder::new(Channels::Mono, SampleRate::Hz48000, Application::Audio)?;
    encoder.set_bitrate(Bitrate::Value(BITRATE_BIT_PER_S))?;
    encoder.set_vbr(true)?;
    encoder.set_vbr_constraint(false)?;
    encoder.set_complexity(COMPLEXITY)?;
    Ok(encoder)
}

fn refused(message: usize) -> impl Fn(ErrorCode) -> EncodeError {
    move |code| EncodeError::Codec {
        message,
        reason: code.message(),
    }
}

fn with_length(packet: &[u8]) -> Vec<u8> {
    let length = u16::try_from(packet.len()).expect("a packet is shorter than PACKET_MAX_BYTES");
    let mut bytes = Vec::with_capacity(2 + packet.len());
    bytes.extend(length.to_be_bytes());
    bytes.extend(packet);
    bytes
}

/// Frame lengths in samples, endless, the same for every source: an order that
/// followed the audio would let a member of a pair differ in its framing.
fn frame_lengths() -> impl Iterator<Item = usize> {
    (0_u64..).flat_map(|block| {
        let mut lengths = [LONG_SAMPLES; BLOCK];
        lengths[..SHORT_IN_BLOCK].fill(SHORT_SAMPLES);
        let mut state = block;
        for last in (1..BLOCK).rev() {
            state = split_mix(state);
            lengths.swap(last, (state % (last as u64 + 1)) as usize);
        }
        lengths
    })
}

/// One step of `SplitMix64` (Steele, Lea, Flood 2014): a fixed order needs no
/// better randomness, and no crate that might change its own.
fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_papers_mean_and_median() {
        let mut lengths: Vec<usize> = frame_lengths().take(1000).collect();
        assert_eq!(lengths.iter().sum::<usize>(), 1000 * 34 * SAMPLES_PER_MS);
        lengths.sort_unstable();
        assert_eq!(lengths[500], 40 * SAMPLES_PER_MS);
    }

    #[test]
    fn lengths_are_not_periodic() {
        let lengths: Vec<usize> = frame_lengths().take(1000).collect();
        for period in 1..200 {
            let repeats = (period..1000).all(|at| lengths[at] == lengths[at - period]);
            assert!(!repeats, "repeats every {period} messages");
        }
    }

    #[test]
    fn instants_are_the_ends_of_the_frames() {
        let messages = encode(&vec![0; 10 * 34 * SAMPLES_PER_MS]).unwrap();
        assert_eq!(messages.len(), 10);
        assert_eq!(messages[9].at_ns, 340_000_000);
        let mut before = 0;
        for (message, length) in messages.iter().zip(frame_lengths()) {
            assert_eq!(message.at_ns - before, ns_of_samples(length as u64));
            before = message.at_ns;
        }
    }

    #[test]
    fn nothing_to_send_is_an_error() {
        assert!(matches!(encode(&[]), Err(EncodeError::Empty)));
    }
}
