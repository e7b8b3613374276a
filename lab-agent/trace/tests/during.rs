//! A part of a connection's time: nothing counts as lost for being cut off.
// SPDX-License-Identifier: Apache-2.0
mod captured;

use captured::captured;
use thinlab_trace::golden::{Fate, Intent, Script};
use thinlab_trace::{Options, analyze};

const MS: u64 = 1_000_000;

#[test]
fn what_leaves_in_time_may_arrive_later() {
    let mut script = Script::new();
    for index in 0..6 {
        let at_ns = (1000 + 100 * index) * MS;
        let fate = if index == 2 {
            Fate::Lost
        } else {
            Fate::arrives(65 * MS)
        };
        script.data(at_ns, Intent::New, 36 * index..36 * (index + 1), fate);
    }
    let ([sender, receiver], flow) = captured(&script);
    // The last of it leaves a moment before the end.
    let begin_ns = script.clocks.epoch_ns as i64;
    let at_ns = begin_ns + 1050 * MS as i64..begin_ns + 1301 * MS as i64;
    let options = Options {
        flow: Some(flow),
        ..Options::default()
    };
    let part = analyze(
        &sender.during(&at_ns, flow.sender),
        &receiver.during(&at_ns, flow.receiver),
        &options,
    );
    let metrics = part.unwrap().summary.metrics;
    assert_eq!((metrics.packets, metrics.lost_packets_forward), (3, 1));
    assert_eq!(metrics.lost_packets_backward, 0);
    let transport = metrics.transport.unwrap().per_message.unwrap();
    assert!((transport.max_us - 65_000.0).abs() < f64::EPSILON);
}
