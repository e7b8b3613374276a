//! pcapng blocks: section header, one interface, enhanced packets
//! (draft-ietf-opsawg-pcapng, §4). Stamps are nanoseconds since 1970.
// SPDX-License-Identifier: Apache-2.0

/// One captured packet.
pub struct Packet<'a> {
    /// Nanoseconds since 1970 by the host's clock.
    pub at_ns: u64,
    /// Left this interface, or arrived at it.
    pub outgoing: bool,
    /// From the Ethernet header on, whole.
    pub bytes: &'a [u8],
}

/// What the file says about where it comes from.
pub struct Source {
    /// Operating system and kernel release.
    pub system: String,
    /// Node and interface.
    pub interface: String,
}

const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION: u32 = 1;
const ENHANCED_PACKET: u32 = 6;
const BYTE_ORDER: u32 = 0x1a2b_3c4d;
const LINK_TYPE_ETHERNET: u16 = 1;
const OPTION_END: u16 = 0;
const SECTION_OS: u16 = 3;
const SECTION_APPLICATION: u16 = 4;
const INTERFACE_NAME: u16 = 2;
const INTERFACE_RESOLUTION: u16 = 9;
const PACKET_FLAGS: u16 = 2;
const INBOUND: u32 = 1;
const OUTBOUND: u32 = 2;
/// Stamps count 10⁻⁹ s.
const NANOSECONDS: u8 = 9;

/// The blocks that open a file.
pub fn header(source: &Source) -> Vec<u8> {
    let mut bytes = Vec::new();
    block(&mut bytes, SECTION_HEADER, |b| {
        b.extend(BYTE_ORDER.to_le_bytes());
        b.extend(1u16.to_le_bytes()); // version 1.0
        b.extend(0u16.to_le_bytes());
        b.extend(u64::MAX.to_le_bytes()); // section length: not said
        option(b, SECTION_OS, source.system.as_bytes());
        let application = concat!("lab-agent ", env!("CARGO_PKG_VERSION"));
        option(b, SECTION_APPLICATION, application.as_bytes());
        option(b, OPTION_END, &[]);
    });
    block(&mut bytes, INTERFACE_DESCRIPTION, |b| {
        b.extend(LINK_TYPE_ETHERNET.to_le_bytes());
        b.extend(0u16.to_le_bytes());
        b.extend(0u32.to_le_bytes()); // no limit on captured length
        option(b, INTERFACE_NAME, source.interface.as_bytes());
        option(b, INTERFACE_RESOLUTION, &[NANOSECONDS]);
        option(b, OPTION_END, &[]);
    });
    bytes
}

/// Appends a packet's block.
pub fn append(bytes: &mut Vec<u8>, packet: &Packet<'_>) {
    append_cut(bytes, packet, packet.bytes.len());
}

/// The same of a packet of which only the first `kept` bytes are told.
pub fn append_cut(bytes: &mut Vec<u8>, packet: &Packet<'_>, kept: usize) {
    let kept = &packet.bytes[..kept.min(packet.bytes.len())];
    block(bytes, ENHANCED_PACKET, |b| {
        b.extend(0u32.to_le_bytes()); // interface
        b.extend(((packet.at_ns >> 32) as u32).to_le_bytes());
        b.extend((packet.at_ns as u32).to_le_bytes());
        b.extend((kept.len() as u32).to_le_bytes());
        b.extend((packet.bytes.len() as u32).to_le_bytes());
        b.extend(kept);
        pad(b, kept.len());
        let direction = if packet.outgoing { OUTBOUND } else { INBOUND };
        option(b, PACKET_FLAGS, &direction.to_le_bytes());
        option(b, OPTION_END, &[]);
    });
}

fn block(bytes: &mut Vec<u8>, kind: u32, body: impl FnOnce(&mut Vec<u8>)) {
    let start = bytes.len();
    bytes.extend(kind.to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    body(bytes);
    let length = ((bytes.len() - start + 4) as u32).to_le_bytes();
    bytes.extend(length);
    bytes[start + 4..start + 8].copy_from_slice(&length);
}

fn option(bytes: &mut Vec<u8>, code: u16, value: &[u8]) {
    bytes.extend(code.to_le_bytes());
    bytes.extend((value.len() as u16).to_le_bytes());
    bytes.extend(value);
    pad(bytes, value.len());
}

fn pad(bytes: &mut Vec<u8>, length: usize) {
    bytes.resize(bytes.len() + length.next_multiple_of(4) - length, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_read_back_as_it_was_written() {
        let mut file = header(&Source {
            system: "Linux 6.12".into(),
            interface: "sender:lane0".into(),
        });
        let at_ns = (7 << 32) + 5;
        append(
            &mut file,
            &Packet {
                at_ns,
                outgoing: true,
                bytes: &[1, 2, 3, 4, 5],
            },
        );
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        let mut blocks = Vec::new();
        let mut at = 0;
        while at < file.len() {
            let length = word(at + 4) as usize;
            assert_eq!(word(at + length - 4) as usize, length, "both lengths agree");
            blocks.push((word(at), at));
            at += length;
        }
        let kinds: Vec<u32> = blocks.iter().map(|b| b.0).collect();
        assert_eq!(
            kinds,
            [SECTION_HEADER, INTERFACE_DESCRIPTION, ENHANCED_PACKET]
        );
        let packet = blocks[2].1;
        assert_eq!((word(packet + 12), word(packet + 16)), (7, 5));
        assert_eq!(word(packet + 20), 5);
        assert_eq!(file[packet + 28..packet + 33], [1, 2, 3, 4, 5]);
    }
}
