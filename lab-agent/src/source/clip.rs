//! A clip, over and over.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::AudioStream;

use super::audio::of_s16le;
use crate::fault::{Outcome, invalid};

/// Ten minutes: nobody listens longer to what comes again.
const LONGEST_BYTES: usize = 10 * 60 * 48_000 * 2;

/// Where in the clip the take is.
pub struct Clip {
    samples: Vec<i16>,
    next: usize,
}

impl Clip {
    /// Of a request that was checked.
    pub fn new(clip: &AudioStream) -> Self {
        Self {
            samples: of_s16le(&clip.source_s16le_48k_mono).collect(),
            next: clip.start_sample as usize,
        }
    }

    /// So many samples more.
    pub fn next(&mut self, count: usize) -> Vec<i16> {
        let mut samples = Vec::with_capacity(count);
        while samples.len() < count {
            let end = self.samples.len().min(self.next + count - samples.len());
            samples.extend_from_slice(&self.samples[self.next..end]);
            self.next = end % self.samples.len();
        }
        samples
    }
}

/// Whether it can be played over and over.
pub fn check(clip: &AudioStream) -> Outcome<()> {
    let bytes = clip.source_s16le_48k_mono.len();
    if bytes == 0 || !bytes.is_multiple_of(2) || bytes > LONGEST_BYTES {
        return invalid(format!(
            "audio.source_s16le_48k_mono has {bytes} bytes: give whole 16-bit samples, ten minutes \
             of them at most"
        ));
    }
    let samples = bytes as u64 / 2;
    if clip.start_sample >= samples {
        return invalid(format!(
            "audio.start_sample is {}, but the clip has {samples} samples",
            clip.start_sample
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_begins_where_asked_and_comes_again() {
        let samples = [10_i16, 11, 12, 13, 14];
        let mut clip = Clip::new(&AudioStream {
            source_s16le_48k_mono: samples.iter().flat_map(|s| s.to_le_bytes()).collect(),
            start_sample: 3,
            ..AudioStream::default()
        });
        assert_eq!(clip.next(1), [13]);
        assert_eq!(clip.next(8), [14, 10, 11, 12, 13, 14, 10, 11]);
        assert_eq!(clip.next(3), [12, 13, 14]);
    }
}
