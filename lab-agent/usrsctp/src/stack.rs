//! The thread that the library runs in. It waits for packets, messages, and the next of the
//! library's timers, and does nothing in between: in virtual time, a tick costs as much as work.
// SPDX-License-Identifier: Apache-2.0
use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::time::{ClockId, clock_gettime};

use super::association::Association;
use super::socket::{Place, Socket};
use super::{Connected, Order, ffi, timers, wire};

const MS_NS: u64 = 1_000_000;
/// No packet of IPv4 is longer, and no message and its offset.
const BUFFER_BYTES: usize = 1 << 16;
const SECOND_NS: u64 = 1_000_000_000;

/// Where orders are left.
pub struct Desk {
    orders: Sender<Order>,
    bell: OwnedFd,
}

static DESK: OnceLock<std::result::Result<Desk, String>> = OnceLock::new();

/// The stack, which is started once and has the library's settings from then on.
pub fn started() -> Result<&'static Desk> {
    let desk = DESK.get_or_init(|| start().map_err(|error| error.to_string()));
    desk.as_ref().map_err(|error| Error::other(error.clone()))
}

/// Has the stack do something.
pub fn order(order: Order) -> Result<()> {
    let desk = started()?;
    let gone = |_| Error::other("the thread of usrsctp has ended");
    desk.orders.send(order).map_err(gone)?;
    rustix::io::write(&desk.bell, &1_u64.to_ne_bytes())?;
    Ok(())
}

fn start() -> Result<Desk> {
    let (orders, taken) = mpsc::channel();
    let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
    let heard = bell.try_clone()?;
    let thread = std::thread::Builder::new().name("usrsctp".into());
    let (begun, begins) = mpsc::channel();
    thread.spawn(move || {
        let stack = Stack::new(taken, heard);
        let _ = begun.send(());
        stack.run();
    })?;
    let gone = |_| Error::other("the thread of usrsctp did not start");
    begins.recv().map_err(gone)?;
    Ok(Desk { orders, bell })
}

struct Stack {
    orders: Receiver<Order>,
    bell: OwnedFd,
    start_ns: u64,
    /// When the last wait was over: to ask for the time costs a guest as much as to wait.
    now_ns: u64,
    /// Each waits until both of its ends are there.
    opening: Vec<Opening>,
    open: Vec<Association>,
}

/// An association that is being made.
struct Opening {
    listener: Socket,
    at_listener: Place,
    writer: Association,
    reader: Option<Association>,
    order: Order,
}

impl Stack {
    fn new(orders: Receiver<Order>, bell: OwnedFd) -> Self {
        // Once in a process, in the thread that calls it ever after.
        #[allow(unsafe_code)]
        unsafe {
            ffi::usrsctp_init_nothreads(0, wire::send_packet, None);
        }
        let now_ns = now_ns();
        Self {
            orders,
            bell,
            start_ns: now_ns,
            now_ns,
            opening: Vec::new(),
            open: Vec::new(),
        }
    }

    fn run(mut self) {
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let ready = self.wait();
            self.now_ns = now_ns();
            timers::pass((self.now_ns - self.start_ns) / MS_NS);
            if ready.bell {
                let _ = rustix::io::read(&self.bell, &mut [0; 8]);
            }
            while let Ok(order) = self.orders.try_recv() {
                self.begin(order);
            }
            for &place in &ready.places {
                // What breaks a raw socket breaks the association by its timers.
                let _ = wire::take(place, &mut buffer);
            }
            self.open_associations();
            self.open.retain_mut(|association| {
                let has_messages = ready.messages.contains(&association.place);
                let goes_on = association.work(has_messages, &mut buffer).is_ok();
                if !goes_on {
                    association.end();
                }
                goes_on
            });
        }
    }

    /// Waits until there is something to do.
    fn wait(&self) -> Ready {
        let mut places = Vec::new();
        for opening in &self.opening {
            places.extend([opening.writer.place, opening.at_listener]);
        }
        places.extend(self.open.iter().map(|one| one.place));
        let raw: Vec<_> = places
            .iter()
            .map(|&place| wire::with_packets(place, |packets| packets.as_raw_fd()))
            .collect();
        let mut all = vec![PollFd::new(&self.bell, PollFlags::IN)];
        for &fd in &raw {
            // Open as long as its wire, which is let go of by this thread alone.
            #[allow(unsafe_code)]
            let packets = unsafe { BorrowedFd::borrow_raw(fd) };
            all.push(PollFd::from_borrowed_fd(packets, PollFlags::IN));
        }
        for one in &self.open {
            all.push(PollFd::from_borrowed_fd(one.messages.as_fd(), one.awaits()));
        }
        let is_idle = self.open.is_empty() && self.opening.is_empty();
        let due_ms = if is_idle { None } else { timers::next_ms() };
        let limit = due_ms.map(|ms| {
            let ns = (self.start_ns + ms * MS_NS).saturating_sub(self.now_ns);
            Timespec {
                tv_sec: (ns / SECOND_NS) as i64,
                tv_nsec: (ns % SECOND_NS) as i64,
            }
        });
        // Interrupted, it looks, and waits again.
        let _ = poll(&mut all, limit.as_ref());
        let is_ready = |fd: &PollFd<'_>| !fd.revents().is_empty();
        let ready_of = |places: &[Place], all: &[PollFd<'_>]| {
            let ready = places.iter().zip(all).filter(|(_, fd)| is_ready(fd));
            ready.map(|(&place, _)| place).collect()
        };
        let (of_packets, of_messages) = all[1..].split_at(places.len());
        let owners: Vec<_> = self.open.iter().map(|one| one.place).collect();
        Ready {
            bell: is_ready(&all[0]),
            places: ready_of(&places, of_packets),
            messages: ready_of(&owners, of_messages),
        }
    }

    fn begin(&mut self, mut order: Order) {
        match Opening::begin(&mut order) {
            Ok((listener, at_listener, writer)) => self.opening.push(Opening {
                listener,
                at_listener,
                writer,
                reader: None,
                order,
            }),
            Err(error) => order.answer(Err(error)),
        }
    }

    fn open_associations(&mut self) {
        for mut opening in std::mem::take(&mut self.opening) {
            match opening.is_over() {
                Ok(false) => self.opening.push(opening),
                Ok(true) => self.open.extend(opening.finish()),
                Err(error) => {
                    opening.order.answer(Err(error));
                    wire::close(opening.writer.place);
                    wire::close(opening.at_listener);
                }
            }
        }
    }
}

/// What a wait ended for, beside time.
struct Ready {
    bell: bool,
    /// To which packets came.
    places: Vec<Place>,
    /// At which messages were written, or there is room to be read.
    messages: Vec<Place>,
}

impl Opening {
    fn begin(order: &mut Order) -> Result<(Socket, Place, Association)> {
        let (writer, reader) = order.wires.take().expect("an order is taken once");
        let (at_writer, at_listener) = (wire::open(writer), wire::open(reader));
        let (own_port, peer_port) = wire::ports(at_writer);
        let listener = Socket::bound(at_listener, peer_port, &order.settings)?;
        listener.listen()?;
        let socket = Socket::bound(at_writer, own_port, &order.settings)?;
        socket.connect(at_writer, peer_port)?;
        let writer = Association::new(socket, at_writer, order.settings)?;
        Ok((listener, at_listener, writer))
    }

    /// Whether both ends have the association.
    fn is_over(&mut self) -> Result<bool> {
        if self.order.is_given_up.load(Ordering::Relaxed) {
            return Err(ErrorKind::TimedOut.into());
        }
        if self.reader.is_none()
            && let Some(accepted) = self.listener.accept()?
        {
            let reader = Association::new(accepted, self.at_listener, self.order.settings)?;
            self.reader = Some(reader);
        }
        let Some((is_up, _)) = self.writer.socket.standing() else {
            return Err(ErrorKind::ConnectionRefused.into());
        };
        Ok(is_up && self.reader.is_some())
    }

    fn finish(self) -> Vec<Association> {
        let mut ends = vec![self.writer];
        ends.extend(self.reader);
        let told: Connected = ends.iter_mut().filter_map(Association::hand_out).collect();
        self.order.answer(Ok(told));
        ends
    }
}

fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * SECOND_NS + now.tv_nsec as u64
}
