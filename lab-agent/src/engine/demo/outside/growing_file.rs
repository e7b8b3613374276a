//! A lane's files, which grow while the take goes on: what each end saw, and
//! where the messages end.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{FileChunk, FileKind};
use thinlab_trace::headers_bytes;

use crate::capture::Source;
use crate::capture::pcapng::{Packet, append, append_cut, header};
use crate::engine::files::chunks;

/// The end of a file that has not gone out yet.
struct Growing {
    kind: FileKind,
    pending: Vec<u8>,
}

impl Growing {
    fn take(&mut self) -> Vec<FileChunk> {
        let bytes = std::mem::take(&mut self.pending);
        chunks(self.kind, &bytes).collect()
    }
}

/// What a capture tells of what the packets carry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// All of it.
    Kept,
    /// Nothing: it is what somebody said, who was not asked whether it may be kept.
    LeftOut,
}

/// What one end of a lane saw (pcapng).
pub struct CaptureFile {
    file: Growing,
    payload: Payload,
}

impl CaptureFile {
    /// Begins with what says where it comes from.
    pub fn new(kind: FileKind, source: &Source, payload: Payload) -> Self {
        let file = Growing {
            kind,
            pending: header(source),
        };
        Self { file, payload }
    }

    /// One packet more.
    pub fn push(&mut self, packet: &Packet<'_>) {
        let pending = &mut self.file.pending;
        match self.payload {
            Payload::Kept => append(pending, packet),
            Payload::LeftOut => append_cut(pending, packet, headers_bytes(packet.bytes)),
        }
    }

    /// What has not gone out yet.
    pub fn take(&mut self) -> Vec<FileChunk> {
        self.file.take()
    }
}

/// Where each message ends in the stream, in decimal, a line each.
pub struct MessageEnds(Growing);

impl MessageEnds {
    /// Begins empty.
    pub fn new() -> Self {
        Self(Growing {
            kind: FileKind::MessageEnds,
            pending: Vec::new(),
        })
    }

    /// One message more.
    pub fn push(&mut self, end: u64) {
        self.0.pending.extend(format!("{end}\n").bytes());
    }

    /// What has not gone out yet.
    pub fn take(&mut self) -> Vec<FileChunk> {
        self.0.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ETHERNET_BYTES: usize = 14;
    const IPV4: [u8; 2] = [0x08, 0x00];
    const IPV4_BYTES: usize = 20;
    const PROTOCOL_AT: usize = 9;
    const TCP: u8 = 6;
    const SCTP: u8 = 132;
    const DATA_OFFSET_AT: usize = 12;

    /// With four bytes of options in each header, and what is said.
    fn segment(said: &[u8]) -> Vec<u8> {
        let mut frame = vec![0; ETHERNET_BYTES];
        frame[12..].copy_from_slice(&IPV4);
        let mut ip = vec![0; 24];
        ip[0] = 0x46;
        ip[PROTOCOL_AT] = TCP;
        let mut tcp = vec![0; 24];
        tcp[DATA_OFFSET_AT] = 0x60;
        [frame, ip, tcp, said.to_vec()].concat()
    }

    fn captured(payload: Payload, frame: &[u8]) -> Vec<u8> {
        let source = Source {
            system: "Linux".into(),
            interface: "sender".into(),
        };
        let mut file = CaptureFile::new(FileKind::SenderCapture, &source, payload);
        file.push(&Packet {
            at_ns: 1,
            outgoing: true,
            bytes: frame,
        });
        file.take().into_iter().flat_map(|part| part.data).collect()
    }

    fn holds(file: &[u8], part: &[u8]) -> bool {
        file.windows(part.len()).any(|window| window == part)
    }

    #[test]
    fn what_somebody_said_is_in_no_capture_and_the_packet_is_as_long_as_it_was() {
        let said = b"somebody's own words";
        let frame = segment(said);
        assert!(holds(&captured(Payload::Kept, &frame), said));
        let file = captured(Payload::LeftOut, &frame);
        assert!(!holds(&file, &said[..4]));
        let headers = frame.len() - said.len();
        assert!(holds(&file, &frame[..headers]));
        let lengths = [headers as u32, frame.len() as u32].map(u32::to_le_bytes);
        assert!(holds(&file, lengths.as_flattened()));
    }

    /// A SACK, and what is said in two chunks behind it.
    #[test]
    fn of_sctp_all_is_kept_before_what_somebody_said_first() {
        let mut frame = segment(b"")[..ETHERNET_BYTES + 24].to_vec();
        frame[ETHERNET_BYTES + PROTOCOL_AT] = SCTP;
        let total = (24_u16 + 12 + 16 + 2 * 20).to_be_bytes();
        frame[ETHERNET_BYTES + 2..ETHERNET_BYTES + 4].copy_from_slice(&total);
        frame.extend([0; 12]);
        frame.extend([[3, 0, 0, 16].as_slice(), &[0; 12]].concat());
        let headers = frame.len() + 16;
        for word in [b"said", b"more"] {
            frame.extend([[0, 3, 0, 20].as_slice(), &[7; 12], word].concat());
        }
        let file = captured(Payload::LeftOut, &frame);
        assert!(!holds(&file, b"said") && !holds(&file, b"more"));
        assert!(holds(&file, &frame[..headers]));
        let lengths = [headers as u32, frame.len() as u32].map(u32::to_le_bytes);
        assert!(holds(&file, lengths.as_flattened()));
    }

    /// Datagrams' headers have eight bytes.
    #[test]
    fn of_datagrams_the_headers_are_kept() {
        for protocol in [17, 136] {
            let mut frame = segment(b"")[..ETHERNET_BYTES + 24].to_vec();
            frame[ETHERNET_BYTES + PROTOCOL_AT] = protocol;
            frame.extend([0; 8]);
            let headers = frame.len();
            frame.extend(b"said and more");
            assert_eq!(headers_bytes(&frame), headers, "{protocol}");
            let file = captured(Payload::LeftOut, &frame);
            assert!(!holds(&file, b"said") && holds(&file, &frame[..headers]));
        }
    }

    #[test]
    fn of_what_is_no_segment_only_what_can_hold_no_words_is_kept() {
        let mut icmp = segment(b"quoted");
        icmp[ETHERNET_BYTES + PROTOCOL_AT] = 1;
        assert_eq!(headers_bytes(&icmp), ETHERNET_BYTES + IPV4_BYTES);
        for length in 0..segment(b"").len() {
            assert!(headers_bytes(&segment(b"")[..length]) <= segment(b"").len());
        }
    }
}
