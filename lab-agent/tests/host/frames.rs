//! The packets of a capture.
// SPDX-License-Identifier: Apache-2.0

/// A frame of a capture: when, whether it left, and its bytes.
pub struct Frame<'a> {
    pub at_ns: u64,
    pub left: bool,
    pub bytes: &'a [u8],
}

impl Frame<'_> {
    pub const CE: u8 = 3;
    pub const ECE: u8 = 1 << 6;
    pub const CWR: u8 = 1 << 7;
    pub const SYN: u8 = 1 << 1;

    pub fn ecn(&self) -> u8 {
        self.bytes[15] & 3
    }

    pub fn source(&self) -> [u8; 4] {
        self.bytes[26..30].try_into().unwrap()
    }

    pub fn destination(&self) -> [u8; 4] {
        self.bytes[30..34].try_into().unwrap()
    }

    pub fn ip_checksum_holds(&self) -> bool {
        let words = self.bytes[14..34].chunks(2);
        let sum: u32 = words
            .map(|word| u32::from(u16::from_be_bytes([word[0], word[1]])))
            .sum();
        (sum & 0xffff) + (sum >> 16) == 0xffff
    }

    pub fn tcp_flags(&self) -> u8 {
        self.bytes[47]
    }

    pub fn has_data(&self) -> bool {
        let ip_bytes = usize::from(u16::from_be_bytes([self.bytes[16], self.bytes[17]]));
        ip_bytes > 20 + usize::from(self.bytes[46] >> 4) * 4
    }

    pub fn is_full(&self) -> bool {
        self.bytes.len() > 1400
    }

    /// Identification, addresses, ports and sequence number.
    pub fn key(&self) -> Vec<u8> {
        [&self.bytes[18..20], &self.bytes[26..42]].concat()
    }
}

/// The frames of a pcapng file as the agent writes it: Ethernet, IPv4 without options.
pub fn frames(file: &[u8]) -> Vec<Frame<'_>> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let mut found = Vec::new();
    let mut at = 0;
    while at < file.len() {
        if word(at) == 6 {
            let kept = word(at + 20) as usize;
            let flags = at + 28 + kept.next_multiple_of(4) + 4;
            found.push(Frame {
                at_ns: u64::from(word(at + 12)) << 32 | u64::from(word(at + 16)),
                left: word(flags) & 3 == 2,
                bytes: &file[at + 28..at + 28 + kept],
            });
        }
        at += word(at + 4) as usize;
    }
    assert!(!found.is_empty());
    found
}
