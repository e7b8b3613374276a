//! Chunks as a capture has them, payload left out (RFC 9260, section 3.3; RFC 8260,
//! section 2.1).
// SPDX-License-Identifier: Apache-2.0

/// What a chunk says, as far as the analysis needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// DATA or I-DATA.
    Data(Data),
    /// SACK, or SHUTDOWN, which acknowledges cumulatively, too.
    Sack(Sack),
}

/// A message or a fragment of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Transmission sequence number.
    pub tsn: u32,
    /// The stream's number in the stream, or of I-DATA the message's.
    pub message: u32,
    /// Bytes of the message in it.
    pub bytes: u32,
    /// Which stream.
    pub stream: u16,
    flags: u8,
}

/// An acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sack {
    /// All up to this one are there.
    pub cumulative: u32,
    /// How many TSNs beyond it the last gap ack block ends; 0 without any.
    pub beyond: u32,
    /// How many gap ack blocks.
    pub blocks: u16,
    /// How many TSNs it reports as duplicates.
    pub duplicates: u16,
}

impl Data {
    const END: u8 = 1;
    const BEGINNING: u8 = 1 << 1;
    const UNORDERED: u8 = 1 << 2;
    /// I-DATA counts messages by numbers of their own, unordered ones too.
    const NUMBERED: u8 = 1 << 7;

    pub(crate) fn new(tsn: u32, stream: u16, message: u32, bytes: u32, flags: u8) -> Self {
        Self {
            tsn,
            message,
            bytes,
            stream,
            flags: flags & (Self::END | Self::BEGINNING | Self::UNORDERED),
        }
    }

    /// The same, as I-DATA has it.
    pub(crate) fn numbered(self) -> Self {
        Self {
            flags: self.flags | Self::NUMBERED,
            ..self
        }
    }

    pub(crate) fn is_numbered(&self) -> bool {
        self.flags & Self::NUMBERED != 0
    }

    /// Whether a message begins with it.
    pub fn begins(&self) -> bool {
        self.flags & Self::BEGINNING != 0
    }

    /// Whether a message ends with it.
    pub fn ends(&self) -> bool {
        self.flags & Self::END != 0
    }

    /// Whether its message waits for none before it.
    pub fn is_unordered(&self) -> bool {
        self.flags & Self::UNORDERED != 0
    }
}
