//! What a datagram on a lane has room for.
// SPDX-License-Identifier: Apache-2.0

/// Of an Ethernet link, whose packets are not cut into fragments.
const MTU_BYTES: usize = 1500;
const IP_HEADER_BYTES: usize = 20;
/// UDP's, and UDP-Lite's.
pub const HEADER_BYTES: usize = 8;
/// In front of each message: where in the stream it belongs.
pub const OFFSET_BYTES: usize = 4;
/// The rest is the message's.
pub const LONGEST_MESSAGE_BYTES: usize = MTU_BYTES - IP_HEADER_BYTES - HEADER_BYTES - OFFSET_BYTES;
