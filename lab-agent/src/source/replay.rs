//! Messages that the caller wrote down.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::ReplayStream;

use super::{Message, Stream};
use crate::fault::{Fault, Outcome};

impl Stream for ReplayStream {
    fn messages(&self, _: u64) -> Outcome<Vec<Message>> {
        for (index, message) in self.messages.iter().enumerate() {
            if message.payload.is_empty() {
                return Err(Fault::Invalid(format!(
                    "replay.messages[{index}].payload is empty: give at least one byte"
                )));
            }
            let earlier = index.checked_sub(1).map(|before| &self.messages[before]);
            if earlier.is_some_and(|earlier| earlier.at_ns > message.at_ns) {
                return Err(Fault::Invalid(format!(
                    "replay.messages[{index}].at_ns is before the message in front of it: sort \
                     the messages by time"
                )));
            }
        }
        let messages = self.messages.iter();
        Ok(messages
            .map(|message| Message {
                at_ns: message.at_ns,
                bytes: message.payload.clone(),
            })
            .collect())
    }
}
