//! The guests of a host in real time: so many, always. One that dies or hangs
//! is replaced at once; what ran in it ends with [`Fault::Lost`].
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lab_proto::{Clock as ClockKind, HostDescription, TerminalSupport};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::image::Image;
use super::real::RealGuest;
use super::room::Room;
use super::uml::Uml;
use crate::fault::{Fault, Outcome};

/// A guest is asked for the time this often: to know its clock, that it lives, and
/// whether it is behind.
const ASK_EVERY: Duration = Duration::from_millis(500);
/// One that is silent for so long hangs. Far longer than the busiest machine
/// keeps it waiting; far shorter than people do.
const SILENCE_LIMIT: Duration = Duration::from_secs(15);
/// Between two attempts to boot where booting fails: the disk may be full.
const ATTEMPT_EVERY: Duration = Duration::from_secs(1);

const NO_TERMINALS: &str = "this host was started without a terminal's programs: give lab-agent \
                            boot --terminal what lab-agent/guest/terminal/build prints";

/// The guests that serve now, by place.
type Serving = watch::Sender<Vec<Option<Arc<RealGuest>>>>;

/// What every guest of a pool is made of.
struct Recipe {
    room: Arc<Room>,
    image: Image,
    kind: &'static str,
    made: AtomicU64,
}

impl Recipe {
    async fn boot(&self, processor: usize) -> Outcome<(Uml, Arc<RealGuest>, HostDescription)> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", self.kind);
        RealGuest::boot(&self.room, &self.image, processor, name).await
    }
}

/// See the module.
pub struct Pool {
    serving: Arc<Serving>,
    description: HostDescription,
    keepers: Vec<AbortHandle>,
}

impl Pool {
    /// Boots `guests` guests, each pinned to the next of the `processors`. Their
    /// names begin with `kind`, which no other pool has.
    pub async fn start(
        kind: &'static str,
        room: Arc<Room>,
        image: Image,
        processors: &mut impl Iterator<Item = usize>,
        guests: usize,
    ) -> Outcome<Self> {
        let build = image.build.clone();
        let recipe = Arc::new(Recipe {
            room,
            image,
            kind,
            made: AtomicU64::new(0),
        });
        let serving = Arc::new(Serving::new(vec![None; guests]));
        let mut pool = Self {
            serving: Arc::clone(&serving),
            description: HostDescription::default(),
            keepers: Vec::new(),
        };
        for (place, processor) in processors.take(guests).enumerate() {
            let (uml, guest, described) = recipe.boot(processor).await?;
            pool.description = HostDescription {
                build: build.clone(),
                clock: ClockKind::RealTime as i32,
                guests: guests as u32,
                punctual: uml.is_punctual(),
                ..described
            };
            let keeper = Keeper {
                place,
                processor,
                recipe: Arc::clone(&recipe),
                serving: Arc::clone(&serving),
            };
            keeper.fill(Some(Arc::clone(&guest)));
            let task = tokio::spawn(keeper.keep(uml, guest));
            pool.keepers.push(task.abort_handle());
        }
        if !pool.description.punctual {
            eprintln!(
                "lab-agent: guests wait their turn like all processes, and a busy machine adds \
                 delay: allow SCHED_FIFO (ulimit -r 3, or CAP_SYS_NICE) for people who type"
            );
        }
        Ok(pool)
    }

    /// Says whether its image has what a terminal runs.
    #[must_use]
    pub fn with_terminals(mut self, available: bool) -> Self {
        let reason = if available { "" } else { NO_TERMINALS };
        self.description.terminal = Some(TerminalSupport {
            available,
            reason: reason.into(),
        });
        self
    }

    /// Refuses where there are no terminals.
    pub fn expect_terminals(&self) -> Outcome<()> {
        match &self.description.terminal {
            Some(support) if !support.available => Err(Fault::WrongHost(support.reason.clone())),
            _ => Ok(()),
        }
    }

    /// What the guests are.
    pub fn description(&self) -> &HostDescription {
        &self.description
    }

    /// The guest with the least to do; waits while all are being replaced.
    pub async fn least_busy(&self) -> Outcome<Arc<RealGuest>> {
        let mut serving = self.serving.subscribe();
        let some = serving.wait_for(|guests| guests.iter().any(Option::is_some));
        let guests = tokio::time::timeout(SILENCE_LIMIT, some).await;
        let Ok(Ok(guests)) = guests else {
            return Err(Fault::Lost(
                "host-lost: no guest serves, and none could be booted; the agent's log says why"
                    .into(),
            ));
        };
        let least = guests.iter().flatten().min_by_key(|guest| guest.uses());
        Ok(Arc::clone(least.expect("was waited for")))
    }

    /// All that serve now.
    pub fn serving(&self) -> Vec<Arc<RealGuest>> {
        self.serving.borrow().iter().flatten().cloned().collect()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for keeper in &self.keepers {
            keeper.abort();
        }
    }
}

/// Keeps one place filled.
struct Keeper {
    place: usize,
    processor: usize,
    recipe: Arc<Recipe>,
    serving: Arc<Serving>,
}

impl Keeper {
    async fn keep(self, uml: Uml, guest: Arc<RealGuest>) {
        let mut current = (guest, uml);
        loop {
            let (guest, mut uml) = current;
            let why = watch(&guest, &mut uml).await;
            self.fill(None);
            drop(uml);
            eprintln!("lab-agent: {} is lost and replaced: {why}", guest.name());
            guest.bury(why);
            drop(guest);
            current = self.boot().await;
            self.fill(Some(Arc::clone(&current.0)));
        }
    }

    fn fill(&self, guest: Option<Arc<RealGuest>>) {
        self.serving
            .send_modify(|guests| guests[self.place] = guest);
    }

    async fn boot(&self) -> (Arc<RealGuest>, Uml) {
        loop {
            match self.recipe.boot(self.processor).await {
                Ok((uml, guest, _)) => return (guest, uml),
                Err(fault) => eprintln!("lab-agent: a guest could not be replaced: {fault}"),
            }
            tokio::time::sleep(ATTEMPT_EVERY).await;
        }
    }
}

/// Waits for the guest's end, and says how it came.
async fn watch(guest: &RealGuest, uml: &mut Uml) -> String {
    let silence = async {
        let mut calls = guest.calls();
        loop {
            tokio::time::sleep(ASK_EVERY).await;
            let asked = guest.clock().compare(&mut calls);
            // A broken line is the process's end, which is seen below.
            if tokio::time::timeout(SILENCE_LIMIT, asked).await.is_err() {
                return;
            }
        }
    };
    let ended = tokio::select! {
        ended = uml.power_off() => Some(ended),
        () = silence => None,
    };
    match ended {
        None => format!("it was silent for {SILENCE_LIMIT:?}; {}", uml.last_lines()),
        Some(Ok(())) => format!("it powered off; {}", uml.last_lines()),
        Some(Err(fault)) => fault.to_string(),
    }
}
