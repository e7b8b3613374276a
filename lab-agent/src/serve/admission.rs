//! Who comes in from other machines: whoever shows a certificate, each greeted
//! on its own, so that nobody who keeps silent holds up the others.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::certificates::in_words;

/// A machine far away is through its greeting in a tenth of that.
const GREETING_PATIENCE: Duration = Duration::from_secs(5);
/// Strangers who may be about to greet; others wait before the door.
const GREETED_AT_ONCE: usize = 256;
/// Those who were let in and are not yet heard.
const ADMITTED: usize = 16;
/// Whoever knocks without end fills no log.
const TELL_PAUSE: Duration = Duration::from_secs(10);
const REASONS_TOLD: usize = 8;
/// No more descriptors, for one: what others give back is there soon.
const TRY_AGAIN: Duration = Duration::from_millis(100);

/// Lets in who shows a certificate, until nobody takes them any more.
pub fn admit(
    listener: TcpListener,
    acceptor: TlsAcceptor,
) -> mpsc::Receiver<Box<TlsStream<TcpStream>>> {
    let (admitted, receiver) = mpsc::channel(ADMITTED);
    tokio::spawn(async move {
        let places = Arc::new(Semaphore::new(GREETED_AT_ONCE));
        let refusals = Arc::new(Refusals::default());
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            let stream = tokio::select! {
                () = admitted.closed() => return,
                accepted = listener.accept() => accepted,
            };
            let Ok((stream, _)) = stream else {
                tokio::time::sleep(TRY_AGAIN).await;
                continue;
            };
            let (acceptor, admitted) = (acceptor.clone(), admitted.clone());
            let refusals = Arc::clone(&refusals);
            tokio::spawn(async move {
                match greet(stream, &acceptor).await {
                    Ok(stream) => {
                        let _ = admitted.send(Box::new(stream)).await;
                    }
                    Err(reason) => refusals.tell(&reason),
                }
                drop(place);
            });
        }
    });
    receiver
}

async fn greet(stream: TcpStream, acceptor: &TlsAcceptor) -> Result<TlsStream<TcpStream>, String> {
    // A key must not wait for what would fill its packet.
    stream
        .set_nodelay(true)
        .map_err(|error| error.to_string())?;
    match tokio::time::timeout(GREETING_PATIENCE, acceptor.accept(stream)).await {
        Ok(greeted) => greeted.map_err(|error| in_words(&error)),
        Err(_) => Err("it said nothing for too long".into()),
    }
}

/// What is logged of those who were sent away: each reason once in a while.
#[derive(Default)]
struct Refusals(Mutex<Told>);

#[derive(Default)]
struct Told {
    since: Option<Instant>,
    reasons: HashSet<String>,
}

impl Refusals {
    fn tell(&self, reason: &str) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if told.since.is_none_or(|since| since.elapsed() > TELL_PAUSE) {
            *told = Told {
                since: Some(Instant::now()),
                reasons: HashSet::new(),
            };
        }
        if told.reasons.len() < REASONS_TOLD && told.reasons.insert(reason.to_owned()) {
            eprintln!("lab-agent: a caller was refused: {reason}");
        }
    }
}
