//! The frames that captures are nearly all made of, read without looking for
//! anything else: TCP or SCTP over IPv4, neither with options nor in fragments.
// SPDX-License-Identifier: Apache-2.0

use std::net::Ipv4Addr;

use super::frame::{Datagram, TCP};
use super::sctp::SCTP;
use super::sum;
use crate::capture::Protocol;

const HEADER_BYTES: usize = 20;
/// Of IP and TCP, without options.
const LEAST_BYTES: usize = 40;
/// The same of IP and SCTP, with one chunk.
const LEAST_SCTP_BYTES: usize = 36;
/// More fragments, and the fragment's offset.
const FRAGMENT: u16 = 0x3fff;

/// None when anything about it is unusual: then whoever looks closer decides. The
/// frame went on for `cut_bytes` more than was kept of it.
pub(super) fn datagram(ip: &[u8], cut_bytes: usize) -> Option<Datagram<'_>> {
    let header: &[u8; HEADER_BYTES] = ip.first_chunk()?;
    let field = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
    let address =
        |at: usize| Ipv4Addr::new(header[at], header[at + 1], header[at + 2], header[at + 3]);
    let whole_bytes = usize::from(field(2));
    let (protocol, least_bytes) = match header[9] {
        TCP => (Protocol::Tcp, LEAST_BYTES),
        SCTP => (Protocol::Sctp, LEAST_SCTP_BYTES),
        _ => return None,
    };
    let usual = header[0] == 0x45
        && field(6) & FRAGMENT == 0
        && whole_bytes >= least_bytes
        && whole_bytes <= ip.len() + cut_bytes
        && is_sound(header, field(10));
    usual.then(|| Datagram {
        source: address(12).into(),
        destination: address(16).into(),
        sockets: ip[12..].first_chunk(),
        ip_id: Some(field(4)).filter(|id| *id != 0),
        length: whole_bytes - HEADER_BYTES,
        header_damaged: false,
        protocol: Some(protocol),
        is_fragment: false,
        kept: &ip[HEADER_BYTES..whole_bytes.min(ip.len())],
    })
}

/// Zero where the card fills it in. A field of ones, which no sum gives, is not sound.
fn is_sound(header: &[u8; HEADER_BYTES], field: u16) -> bool {
    field == 0 || (field != 0xffff && sum::folded(sum::of(header)) == sum::SOUND)
}
