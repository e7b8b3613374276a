//! WAVE files of the one kind that the lab knows: 48 kHz, mono, 16 bits.
// SPDX-License-Identifier: Apache-2.0
use crate::fault::{Fault, Outcome};

const SAMPLE_RATE_HZ: u32 = 48_000;
const PCM: u16 = 1;

/// The samples' bytes (little-endian) of a file.
///
/// # Errors
/// `Invalid` for anything else than 48 kHz mono 16-bit PCM.
pub fn read(file: &[u8]) -> Outcome<Vec<u8>> {
    let other = || {
        Fault::Invalid(
            "--audio is not a 48 kHz mono 16-bit WAVE file: convert it, for instance with `sox IN \
             -r 48000 -c 1 -b 16 OUT.wav`"
                .into(),
        )
    };
    if file.get(..4) != Some(b"RIFF") || file.get(8..12) != Some(b"WAVE") {
        return Err(other());
    }
    let mut format = None;
    let mut rest = &file[12..];
    while let Some((header, tail)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let content = &tail[..length.min(tail.len())];
        match &header[..4] {
            b"fmt " if content.len() >= 16 => {
                let word = |at: usize| u16::from_le_bytes([content[at], content[at + 1]]);
                let rate = u32::from(word(4)) | u32::from(word(6)) << 16;
                format = Some((word(0), word(2), rate, word(14)));
            }
            b"data" if format == Some((PCM, 1, SAMPLE_RATE_HZ, 16)) => {
                return Ok(content[..content.len() & !1].to_vec());
            }
            _ => {}
        }
        rest = tail.get(length.next_multiple_of(2)..).unwrap_or_default();
    }
    Err(other())
}

/// A file of the samples.
pub fn write(samples: &[i16]) -> Vec<u8> {
    let data_bytes = samples.len() as u32 * 2;
    let mut file = Vec::with_capacity(44 + samples.len() * 2);
    file.extend(b"RIFF");
    file.extend((36 + data_bytes).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16u32.to_le_bytes());
    file.extend(PCM.to_le_bytes());
    file.extend(1u16.to_le_bytes()); // channels
    file.extend(SAMPLE_RATE_HZ.to_le_bytes());
    file.extend((SAMPLE_RATE_HZ * 2).to_le_bytes()); // bytes a second
    file.extend(2u16.to_le_bytes()); // bytes a sample
    file.extend(16u16.to_le_bytes());
    file.extend(b"data");
    file.extend(data_bytes.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let file = write(&[1, -2, 3]);
        assert_eq!(read(&file).unwrap(), [1, 0, 0xfe, 0xff, 3, 0]);
    }

    #[test]
    fn another_rate_is_refused_with_a_remedy() {
        let mut file = write(&[1, 2]);
        file[24..28].copy_from_slice(&44_100u32.to_le_bytes());
        assert!(read(&file).unwrap_err().to_string().contains("sox"));
        assert!(read(b"RIFF").is_err());
    }
}
