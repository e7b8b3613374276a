//! What `tc qdisc … root` does: one message of route netlink.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result, bail};
use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketType, recv, send, socket};

const RTM_NEWQDISC: u16 = 36;
const RTM_DELQDISC: u16 = 37;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_ACK: u16 = 4;
const NLM_F_REPLACE: u16 = 0x100;
const NLM_F_CREATE: u16 = 0x400;
const NLMSG_ERROR: u16 = 2;
const TC_H_ROOT: u32 = u32::MAX;
const TCA_KIND: u16 = 1;
const TCA_OPTIONS: u16 = 2;
const HEADER_BYTES: usize = 16;

/// Gives an interface a queueing discipline, a `pfifo` perhaps with a limit of
/// packets. False: this kernel has none of this kind.
pub fn set(interface: u32, kind: &str, limit: Option<u32>) -> Result<bool> {
    let mut attributes = attribute(TCA_KIND, &[kind.as_bytes(), &[0]].concat());
    if let Some(limit) = limit {
        attributes.extend(attribute(TCA_OPTIONS, &limit.to_ne_bytes()));
    }
    let flags = NLM_F_CREATE | NLM_F_REPLACE;
    match ask(interface, RTM_NEWQDISC, flags, &attributes)? {
        Ok(()) => Ok(true),
        Err(Errno::NOENT) => Ok(false),
        Err(error) => Err(error).with_context(|| format!("setting the queueing discipline {kind}")),
    }
}

/// Takes the one away that was set. False: none was.
pub fn delete(interface: u32) -> Result<bool> {
    Ok(ask(interface, RTM_DELQDISC, 0, &[])?.is_ok())
}

fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
    let mut bytes = (4 + value.len() as u16).to_ne_bytes().to_vec();
    bytes.extend(kind.to_ne_bytes());
    bytes.extend(value);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn ask(
    interface: u32,
    request: u16,
    flags: u16,
    attributes: &[u8],
) -> Result<std::result::Result<(), Errno>> {
    let mut body = vec![0; 4]; // struct tcmsg: family, padding
    body.extend(interface.to_ne_bytes());
    body.extend(0u32.to_ne_bytes()); // the kernel chooses the handle
    body.extend(TC_H_ROOT.to_ne_bytes());
    body.extend(0u32.to_ne_bytes());
    body.extend(attributes);
    let mut message = ((HEADER_BYTES + body.len()) as u32).to_ne_bytes().to_vec();
    message.extend(request.to_ne_bytes());
    message.extend((NLM_F_REQUEST | NLM_F_ACK | flags).to_ne_bytes());
    message.extend([0; 8]); // sequence and port
    message.extend(body);

    let netlink = socket(AddressFamily::NETLINK, SocketType::RAW, None)
        .context("opening a netlink socket")?;
    send(&netlink, &message, SendFlags::empty()).context("asking for a queueing discipline")?;
    let mut answer = [0u8; 512];
    let (length, _) =
        recv(&netlink, &mut answer[..], RecvFlags::empty()).context("reading netlink's answer")?;
    let kind = u16::from_ne_bytes([answer[4], answer[5]]);
    if length < HEADER_BYTES + 4 || kind != NLMSG_ERROR {
        bail!("netlink gave no answer");
    }
    let error = answer[HEADER_BYTES..HEADER_BYTES + 4]
        .try_into()
        .expect("four bytes");
    Ok(match i32::from_ne_bytes(error) {
        0 => Ok(()),
        error => Err(Errno::from_raw_os_error(-error)),
    })
}
