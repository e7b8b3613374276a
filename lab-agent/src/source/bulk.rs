//! One write that keeps the socket full: what a thick stream is.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::BulkStream;

use super::{LONGEST_STREAM_BYTES, Message, Stream};
use crate::fault::{Fault, Outcome};
use crate::random::SplitMix;

impl Stream for BulkStream {
    fn messages(&self, seed: u64) -> Outcome<Vec<Message>> {
        let bytes = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        if !(1..=LONGEST_STREAM_BYTES).contains(&bytes) {
            return Err(Fault::Invalid(format!(
                "bulk.bytes must be 1 to {LONGEST_STREAM_BYTES}"
            )));
        }
        Ok(vec![Message {
            at_ns: 0,
            bytes: SplitMix(seed).bytes(bytes),
        }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one_message_of_the_seed() {
        let stream = BulkStream { bytes: 100_001 };
        let [once, again, other] = [3, 3, 4].map(|seed| stream.messages(seed).unwrap());
        assert_eq!(once.len(), 1);
        assert_eq!(once[0].bytes.len(), 100_001);
        assert_eq!(once[0].bytes, again[0].bytes);
        assert_ne!(once[0].bytes, other[0].bytes);
    }

    #[test]
    fn a_size_that_fits_into_no_guest_names_its_field() {
        for bytes in [0, u64::MAX] {
            let fault = BulkStream { bytes }.messages(1).err().unwrap();
            fault.expect_invalid("bulk.bytes");
        }
    }
}
