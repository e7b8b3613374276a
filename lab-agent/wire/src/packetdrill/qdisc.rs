//! What `tc qdisc … root KIND` does: one message of route netlink.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result, bail};
use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketType, recv, send, socket};

const RTM_NEWQDISC: u16 = 36;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_ACK: u16 = 4;
const NLM_F_REPLACE: u16 = 0x100;
const NLM_F_CREATE: u16 = 0x400;
const NLMSG_ERROR: u16 = 2;
const TC_H_ROOT: u32 = u32::MAX;
const TCA_KIND: u16 = 1;
const HEADER_BYTES: usize = 16;

/// Gives an interface a queueing discipline with its defaults. False: this
/// kernel has none of this kind.
pub fn set(interface: u32, kind: &str) -> Result<bool> {
    let mut body = vec![0; 4]; // struct tcmsg: family, padding
    body.extend(interface.to_ne_bytes());
    body.extend(0u32.to_ne_bytes()); // the kernel chooses the handle
    body.extend(TC_H_ROOT.to_ne_bytes());
    body.extend(0u32.to_ne_bytes());
    body.extend((4 + kind.len() as u16 + 1).to_ne_bytes());
    body.extend(TCA_KIND.to_ne_bytes());
    body.extend(kind.bytes());
    body.push(0);
    body.resize(body.len().next_multiple_of(4), 0);
    let mut message = ((HEADER_BYTES + body.len()) as u32).to_ne_bytes().to_vec();
    message.extend(RTM_NEWQDISC.to_ne_bytes());
    let flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE;
    message.extend(flags.to_ne_bytes());
    message.extend([0; 8]); // sequence and port
    message.extend(body);

    let netlink = socket(AddressFamily::NETLINK, SocketType::RAW, None)
        .context("opening a netlink socket")?;
    send(&netlink, &message, SendFlags::empty()).context("asking for a queueing discipline")?;
    let mut answer = [0u8; 512];
    let (length, _) =
        recv(&netlink, &mut answer[..], RecvFlags::empty()).context("reading netlink's answer")?;
    let kind_of_answer = u16::from_ne_bytes([answer[4], answer[5]]);
    if length < HEADER_BYTES + 4 || kind_of_answer != NLMSG_ERROR {
        bail!("netlink gave no answer to the queueing discipline {kind}");
    }
    let error = answer[HEADER_BYTES..HEADER_BYTES + 4]
        .try_into()
        .expect("four bytes");
    match i32::from_ne_bytes(error) {
        0 => Ok(true),
        error if error == -Errno::NOENT.raw_os_error() => Ok(false),
        error => Err(Errno::from_raw_os_error(-error))
            .with_context(|| format!("setting the queueing discipline {kind}")),
    }
}
