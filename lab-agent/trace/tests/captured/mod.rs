//! What both ends capture of a script.
// SPDX-License-Identifier: Apache-2.0
use thinlab_trace::golden::{FileFormat, Script};
use thinlab_trace::{Capture, Flow, read_capture};

/// The sender's capture and the receiver's, by way of files, and whose connection they hold.
pub fn captured(script: &Script) -> ([Capture; 2], Flow) {
    let files = script.run().files(&FileFormat::default());
    let captures = [&files.sender, &files.receiver].map(|file| read_capture(file).unwrap());
    let flow = Flow {
        sender: script.wire.sender,
        receiver: script.wire.receiver,
    };
    (captures, flow)
}
