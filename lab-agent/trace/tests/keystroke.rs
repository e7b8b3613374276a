//! Keys and their echoes, told apart by when SSH's pieces passed: each test is a
//! story of a few keys, in milliseconds, over a lane of 65 ms each way.
// SPDX-License-Identifier: Apache-2.0
use thinlab_trace::keystroke::{Answers, Key, Passage, Relayed, ways};

const US: u64 = 1_000;
const MS: u64 = 1_000 * US;

/// What SSH and the sockets did, written down as it happens. Every key's packet
/// is 36 bytes, every echo's 76; the login before them 3000 and 4000.
struct Story {
    keys: Vec<Key>,
    passages: [Vec<Passage>; 4],
}

/// Which of the four places a piece passes.
#[derive(Clone, Copy)]
enum At {
    KeyWritten,
    KeyDelivered,
    EchoWritten,
    EchoDelivered,
}

impl Story {
    fn new() -> Self {
        let login = |offset_end| {
            vec![Passage {
                offset_end,
                at_ns: 1,
            }]
        };
        Self {
            keys: Vec::new(),
            passages: [login(3000), login(3000), login(4000), login(4000)],
        }
    }

    fn key(&mut self, at_ns: u64) -> &mut Self {
        let number = self.keys.len() as u32 + 1;
        self.keys.push(Key { number, at_ns });
        self
    }

    /// `bytes` more pass at one place.
    fn piece(&mut self, at: At, at_ns: u64, bytes: u64) -> &mut Self {
        let passages = &mut self.passages[at as usize];
        let offset_end = passages.last().unwrap().offset_end + bytes;
        passages.push(Passage { offset_end, at_ns });
        self
    }

    /// A piece with what was typed: handed over at once, delivered 65 ms later.
    fn sent(&mut self, at_ns: u64) -> &mut Self {
        self.piece(At::KeyWritten, at_ns, 36)
            .piece(At::KeyDelivered, at_ns + 65 * MS, 36)
    }

    /// A piece with a screen, delivered 65 ms later.
    fn echoed(&mut self, at_ns: u64) -> &mut Self {
        self.piece(At::EchoWritten, at_ns, 76)
            .piece(At::EchoDelivered, at_ns + 65 * MS, 76)
    }

    fn relayed(&self) -> Relayed<'_> {
        let [key_written, key_delivered, echo_written, echo_delivered] = &self.passages;
        Relayed {
            key_written,
            key_delivered,
            echo_written,
            echo_delivered,
        }
    }

    /// Where in the stream each key is, counted in pieces after the login, and
    /// when its echo was written and delivered, in ms.
    #[allow(clippy::type_complexity)]
    fn told(&self) -> Vec<(Option<u64>, Option<(u64, Option<u64>)>)> {
        let ways = ways(&self.keys, &self.relayed());
        let told = ways.into_iter().map(|way| {
            let piece = way.key.map(|key| (key.end - 3000) / 36);
            let echo = way
                .echo
                .map(|echo| (echo.written_ns / MS, echo.delivered_ns.map(|ns| ns / MS)));
            (piece, echo)
        });
        told.collect()
    }

    /// What a screen at `at_ns` answers, to somebody who knows only what has
    /// happened until then.
    fn answered(&self, answers: &mut Answers, at_ns: u64) -> u32 {
        let until = |list: &[Passage]| -> Vec<Passage> {
            let past = list.iter().filter(|one| one.at_ns <= at_ns);
            past.copied().collect()
        };
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| until(&self.passages[place]));
        let keys = self.keys.iter().filter(|key| key.at_ns <= at_ns);
        let keys: Vec<Key> = keys.copied().collect();
        let relayed = Relayed {
            key_written: &a,
            key_delivered: &b,
            echo_written: &c,
            echo_delivered: &d,
        };
        answers.by(at_ns, &keys, &relayed)
    }
}

#[test]
fn a_key_a_piece_an_echo() {
    let mut story = Story::new();
    story.key(100 * MS).sent(101 * MS).echoed(168 * MS);
    story.key(300 * MS).sent(301 * MS).echoed(368 * MS);
    let told = story.told();
    assert_eq!(told[0], (Some(1), Some((168, Some(233)))));
    assert_eq!(told[1], (Some(2), Some((368, Some(433)))));
}

/// A burst from the participant's own network: three keys in one read of SSH's,
/// one packet, one echo.
#[test]
fn keys_that_come_together_share_a_piece() {
    let mut story = Story::new();
    story
        .key(100 * MS)
        .key(100 * MS + 20 * US)
        .key(100 * MS + 40 * US);
    story.sent(100 * MS + 300 * US).echoed(168 * MS);
    let told = story.told();
    assert_eq!(told, vec![(Some(1), Some((168, Some(233)))); 3]);
}

/// The second key is typed after SSH has read the first and before it has handed
/// it over: both were typed before the first piece, but the second piece needs a
/// key, and there is no other.
#[test]
fn a_key_typed_while_ssh_encrypts_is_in_the_next_piece() {
    let mut story = Story::new();
    story.key(100 * MS).key(100 * MS + 150 * US);
    story.sent(100 * MS + 200 * US).sent(100 * MS + 450 * US);
    story.echoed(168 * MS).echoed(169 * MS);
    let told = story.told();
    assert_eq!((told[0].0, told[1].0), (Some(1), Some(2)));
    // Both delivered before the first echo: it is that of both, as far as a
    // person can tell them apart.
    assert_eq!(told[0].1, Some((168, Some(233))));
    assert_eq!(told[1].1, Some((168, Some(233))));
}

/// Held keys: 30 ms apart, each on its own.
#[test]
fn held_keys_stay_apart() {
    let mut story = Story::new();
    for index in 0..40 {
        let at_ns = (100 + 30 * index) * MS;
        story.key(at_ns).sent(at_ns + 300 * US);
    }
    for index in 0..40 {
        story.echoed((167 + 30 * index) * MS);
    }
    for (index, (piece, echo)) in story.told().into_iter().enumerate() {
        let index = index as u64;
        assert_eq!(piece, Some(index + 1));
        assert_eq!(echo, Some((167 + 30 * index, Some(232 + 30 * index))));
    }
}

/// A lost packet holds up those behind it; they are delivered in one read and
/// answered by one screen.
#[test]
fn keys_behind_a_loss_are_answered_together() {
    let mut story = Story::new();
    for index in 0..3 {
        let at_ns = (100 + 100 * index) * MS;
        story.key(at_ns).piece(At::KeyWritten, at_ns + MS, 36);
    }
    story
        .piece(At::KeyDelivered, 500 * MS, 3 * 36)
        .echoed(502 * MS);
    let told = story.told();
    assert_eq!(
        told,
        (1..=3)
            .map(|piece| (Some(piece), Some((502, Some(567)))))
            .collect::<Vec<_>>()
    );
    let mut answers = Answers::default();
    assert_eq!(story.answered(&mut answers, 566 * MS), 0);
    assert_eq!(story.answered(&mut answers, 568 * MS), 3);
}

/// SSH makes room for more screens now and then; nobody has typed.
#[test]
fn a_piece_without_a_key_is_sshs_own() {
    let mut story = Story::new();
    story.sent(50 * MS);
    story.key(100 * MS).sent(101 * MS).echoed(168 * MS);
    assert_eq!(story.told(), [(Some(2), Some((168, Some(233))))]);
}

/// An arrow at the edge of the text changes nothing; the next key's echo is not
/// taken for its own. In the end it counts as answered all the same.
#[test]
fn a_key_without_an_echo_does_not_take_the_next_ones() {
    let mut story = Story::new();
    story.key(100 * MS).sent(101 * MS);
    story.key(400 * MS).sent(401 * MS).echoed(468 * MS);
    let told = story.told();
    assert_eq!(told[0], (Some(1), None));
    assert_eq!(told[1], (Some(2), Some((468, Some(533)))));
    let mut answers = Answers::default();
    assert_eq!(story.answered(&mut answers, 534 * MS), 2);
}

#[test]
fn what_never_arrived_has_no_end() {
    let mut story = Story::new();
    story.key(100 * MS).piece(At::KeyWritten, 101 * MS, 36);
    story.key(200 * MS);
    let ways = ways(&story.keys, &story.relayed());
    let key = ways[0].key.unwrap();
    assert_eq!((key.start, key.end, key.delivered_ns), (3000, 3036, None));
    assert_eq!((ways[0].echo, ways[1].key), (None, None));
}

/// Told live, screen by screen, it is what it is in the end.
#[test]
fn answers_as_they_come_agree_with_the_whole() {
    let mut story = Story::new();
    // Keys 7 to 120 ms apart, every fifth without an echo.
    let mut at_ns = 100 * MS;
    for index in 0..200_u64 {
        at_ns += (7 + (index * 37) % 114) * MS;
        story.key(at_ns).sent(at_ns + (200 + index % 7 * 50) * US);
    }
    let delivered: Vec<u64> = story.passages[At::KeyDelivered as usize][1..]
        .iter()
        .map(|passage| passage.at_ns)
        .collect();
    for (index, at_ns) in delivered.iter().enumerate() {
        if index % 5 != 4 {
            story.echoed(at_ns + 2 * MS);
        }
    }
    let whole = ways(&story.keys, &story.relayed());
    let screens = story.passages[At::EchoDelivered as usize][1..].to_vec();
    let mut answers = Answers::default();
    for screen in screens {
        let at_ns = screen.at_ns + 100 * US;
        let expected = whole.iter().filter(|way| {
            let delivered_ns = way.echo.and_then(|echo| echo.delivered_ns);
            delivered_ns.is_some_and(|delivered_ns| delivered_ns <= at_ns)
        });
        let expected = expected.map(|way| way.number).max().unwrap_or(0);
        assert_eq!(story.answered(&mut answers, at_ns), expected);
    }
}
