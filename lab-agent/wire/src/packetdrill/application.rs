//! The application of a script: its open files, and what it writes and reads.
//! Each system call is prepared here, made in the [worker](super::worker)'s
//! thread, and judged here.
// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};

use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::net::sockopt;

use super::answers::{self, Clock};
use super::arguments::{Arguments, address, option_value, parts};
use super::kernel::{self, Address, Got, Reply};
use super::model::{Call, Outcome, Value};
use super::symbols;
use super::worker::Job;
use crate::{socket, stream};

/// See the module.
pub struct Application {
    /// Where it binds.
    near: SocketAddr,
    /// Where it connects to.
    far: SocketAddr,
    /// By the numbers that the script has for them.
    files: BTreeMap<i64, OwnedFd>,
    /// How much of its stream each has written, and read.
    written: HashMap<i64, u64>,
    read: HashMap<i64, u64>,
    /// The connection whose `TCP_INFO` the script means.
    under_test: Option<i64>,
    /// Whether a socket of its waits for connections.
    pub listens: bool,
    lent: Vec<Vec<u8>>,
}

impl Application {
    /// With no file open.
    pub fn new(near: SocketAddr, far: SocketAddr) -> Self {
        Self {
            near,
            far,
            files: BTreeMap::new(),
            written: HashMap::new(),
            read: HashMap::new(),
            under_test: None,
            listens: false,
            lent: Vec::new(),
        }
    }

    /// Ends the connections with their sockets: one that went on without would
    /// keep its namespace.
    pub fn reset(&self) {
        for file in self.files.values() {
            // Some are no sockets.
            let _ = sockopt::set_socket_linger(file, Some(Duration::ZERO));
        }
    }

    /// `TCP_INFO` of the connection that the script has opened last.
    pub fn info(&self) -> Result<Vec<u8>> {
        socket::info_of(self.connection()?).context("reading TCP_INFO")
    }

    /// The patches' `TCP_THIN_INFO` of the same.
    pub fn thin_info(&self) -> Result<Vec<u8>> {
        socket::thin_info_of(self.connection()?).context("reading TCP_THIN_INFO")
    }

    fn connection(&self) -> Result<&OwnedFd> {
        let socket = self.under_test.and_then(|number| self.files.get(&number));
        socket.context("the script has no open connection yet")
    }

    /// What the application's thread has to do for a call.
    #[allow(clippy::too_many_lines)] // One arm a system call.
    pub fn prepare(&self, call: &Call) -> Result<Job> {
        let get = Arguments(call);
        Ok(match call.name.as_str() {
            "socket" => {
                let (near, kind, protocol) = (self.near, get.int(1)?, get.int(2)?);
                let family = if near.is_ipv4() {
                    libc::AF_INET
                } else {
                    libc::AF_INET6
                };
                Box::new(move || kernel::socket(family, kind, protocol))
            }
            "bind" => {
                let (file, near) = (self.file(&get, 0)?, address(get.get(1)?, self.near)?);
                Box::new(move || kernel::bind(file, &near))
            }
            "listen" => {
                let (file, backlog) = (self.file(&get, 0)?, get.int(1)?);
                Box::new(move || kernel::listen(file, backlog))
            }
            "accept" => {
                let file = self.file(&get, 0)?;
                Box::new(move || kernel::accept(file, 0))
            }
            "accept4" => {
                let (file, flags) = (self.file(&get, 0)?, get.int(3)?);
                Box::new(move || kernel::accept(file, flags))
            }
            "connect" => {
                let (file, far) = (self.file(&get, 0)?, address(get.get(1)?, self.far)?);
                Box::new(move || kernel::connect(file, &far))
            }
            "shutdown" => {
                let (file, how) = (self.file(&get, 0)?, get.int(1)?);
                Box::new(move || kernel::shutdown(file, how))
            }
            "close" => {
                let file = self.file(&get, 0)?;
                Box::new(move || kernel::close(file))
            }
            "read" => {
                get.content(1)?;
                let (file, length) = (self.file(&get, 0)?, get.length(2)?);
                Box::new(move || kernel::read(file, length))
            }
            "recv" | "recvfrom" => {
                get.content(1)?;
                let (file, length, flags) = (self.file(&get, 0)?, get.length(2)?, get.int(3)?);
                Box::new(move || kernel::receive(file, &[length], flags))
            }
            "recvmsg" => {
                let (file, flags) = (self.file(&get, 0)?, get.int(2)?);
                let lengths = parts(get.get(1)?.member("msg_iov"))?;
                Box::new(move || kernel::receive(file, &lengths, flags))
            }
            "readv" => {
                let (file, lengths) = (self.file(&get, 0)?, parts(Some(get.get(1)?))?);
                Box::new(move || kernel::receive(file, &lengths, 0))
            }
            "write" => {
                get.content(1)?;
                let file = self.file(&get, 0)?;
                let bytes = self.stream(&get, &[get.length(2)?])?.concat();
                Box::new(move || kernel::write(file, &bytes))
            }
            "send" | "sendto" => {
                get.content(1)?;
                let (file, flags) = (self.file(&get, 0)?, get.int(3)?);
                let bytes = self.stream(&get, &[get.length(2)?])?;
                let to = (call.name == "sendto").then(|| Address::from(self.far));
                Box::new(move || kernel::send(file, bytes, flags, to.as_ref()))
            }
            "sendmsg" => {
                let (file, flags) = (self.file(&get, 0)?, get.int(2)?);
                let message = get.get(1)?;
                let bytes = self.stream(&get, &parts(message.member("msg_iov"))?)?;
                // Fast Open is the one case in which TCP looks at it.
                let named = message.member("msg_name").is_some() && flags & libc::MSG_FASTOPEN != 0;
                let to = named.then(|| Address::from(self.far));
                Box::new(move || kernel::send(file, bytes, flags, to.as_ref()))
            }
            "writev" => {
                let file = self.file(&get, 0)?;
                let bytes = self.stream(&get, &parts(Some(get.get(1)?))?)?;
                Box::new(move || kernel::send(file, bytes, 0, None))
            }
            "setsockopt" => {
                let (file, level, name) = (self.file(&get, 0)?, get.int(1)?, get.int(2)?);
                let (value, length) = (option_value(get.get(3)?)?, get.length(4)?);
                Box::new(move || kernel::setsockopt(file, level, name, &value, length))
            }
            "getsockopt" => {
                let (file, level, name) = (self.file(&get, 0)?, get.int(1)?, get.int(2)?);
                Box::new(move || kernel::getsockopt(file, level, name))
            }
            "fcntl" => {
                let (file, command) = (self.file(&get, 0)?, get.int(1)?);
                let argument = if call.arguments.len() > 2 {
                    get.int(2)?
                } else {
                    0
                };
                Box::new(move || kernel::fcntl(file, command, argument))
            }
            "ioctl" => {
                let (file, request) = (self.file(&get, 0)?, get.number(1)? as libc::c_ulong);
                if ![libc::FIONREAD, libc::TIOCOUTQ].contains(&request) {
                    bail!("ioctl() is understood with SIOCINQ, FIONREAD, SIOCOUTQ, TIOCOUTQ");
                }
                Box::new(move || kernel::ioctl(file, request))
            }
            "poll" => {
                let (polled, timeout_ms) = (self.polled(get.get(0)?)?, get.int(2)?);
                Box::new(move || kernel::poll(&polled, timeout_ms))
            }
            "epoll_create" => Box::new(|| kernel::epoll_create(0)),
            "epoll_create1" => {
                let flags = get.int(0)?;
                Box::new(move || kernel::epoll_create(flags))
            }
            "epoll_ctl" => {
                let (epoll, operation) = (self.file(&get, 0)?, get.int(1)?);
                let (file, event) = (self.file(&get, 2)?, get.get(3)?);
                let (events, data) = answers::epoll_event(event)?;
                Box::new(move || kernel::epoll_ctl(epoll, operation, file, events, data))
            }
            "epoll_wait" => {
                let (epoll, most) = (self.file(&get, 0)?, get.length(2)?);
                let timeout_ms = get.int(3)?;
                Box::new(move || kernel::epoll_wait(epoll, most, timeout_ms))
            }
            other => bail!("the system call {other}() is not understood"),
        })
    }

    /// Takes note of what a call has done, and whether it is what the script
    /// says.
    pub fn judge(&mut self, call: &Call, mut reply: Reply, clock: &Clock) -> Result<()> {
        self.lent.append(&mut reply.lent);
        let get = Arguments(call);
        if let Ok(result) = reply.result {
            self.note(&get, result, &reply.got)?;
        }
        let opens = [
            "socket",
            "accept",
            "accept4",
            "epoll_create",
            "epoll_create1",
        ];
        let fits = match (&call.result, reply.result) {
            (Outcome::Any, _) | (Outcome::Is(-1), Err(_)) => true,
            // The kernel's own number of an open file is another.
            (Outcome::Is(0..), Ok(_)) if opens.contains(&call.name.as_str()) => true,
            (Outcome::Is(expected), Ok(result)) => *expected == result,
            (Outcome::Fails(expected), Err(error)) => *expected == error,
            _ => false,
        };
        if !fits {
            let expected = match &call.result {
                Outcome::Fails(error) => format!("-1 {}", symbols::error_name(*error)),
                Outcome::Is(number) => number.to_string(),
                Outcome::Any => "anything".into(),
            };
            let came = match reply.result {
                Ok(number) => number.to_string(),
                Err(error) => format!("-1 {}", symbols::error_name(error)),
            };
            bail!("expected {} = {expected}, came {came}", call.text);
        }
        if reply.result.is_ok() {
            answers::compare(call, &reply.got, clock)?;
        }
        Ok(())
    }

    fn note(&mut self, get: &Arguments, result: i64, got: &Got) -> Result<()> {
        match get.0.name.as_str() {
            "socket" | "accept" | "accept4" | "epoll_create" | "epoll_create1" => {
                // The call has just opened it, and nobody else knows it.
                #[allow(unsafe_code)]
                let file = unsafe { OwnedFd::from_raw_fd(result as RawFd) };
                let Outcome::Is(number) = get.0.result else {
                    return Ok(());
                };
                self.written.remove(&number);
                self.read.remove(&number);
                self.files.insert(number, file);
                if get.0.name.starts_with("accept") {
                    self.under_test = Some(number);
                }
            }
            "close" => {
                if let Some(file) = self.files.remove(&get.number(0)?) {
                    // The call has closed it already.
                    let _ = file.into_raw_fd();
                }
            }
            "listen" => self.listens = true,
            "write" | "send" | "sendto" | "sendmsg" | "writev" => {
                let number = get.number(0)?;
                *self.written.entry(number).or_default() += result as u64;
            }
            "read" | "recv" | "recvfrom" | "recvmsg" | "readv" => {
                self.check_stream(get, got)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// What is read has to be what the peer sent.
    fn check_stream(&mut self, get: &Arguments, got: &Got) -> Result<()> {
        let flags = match get.0.name.as_str() {
            "recv" | "recvfrom" => get.int(3)?,
            "recvmsg" => get.int(2)?,
            _ => 0,
        };
        let (Got::Bytes(bytes) | Got::Message(kernel::Message { bytes, .. })) = got else {
            return Ok(());
        };
        if flags & (libc::MSG_ERRQUEUE | libc::MSG_OOB | libc::MSG_TRUNC) != 0 {
            return Ok(());
        }
        let place = self.read.entry(get.number(0)?).or_default();
        if let Some(wrong) = stream::first_difference(*place, bytes) {
            bail!("the byte {wrong} that was read is not what the peer sent");
        }
        if flags & libc::MSG_PEEK == 0 {
            *place += bytes.len() as u64;
        }
        Ok(())
    }

    /// Which connection the script means from the call on, whatever its result:
    /// its streams begin there.
    pub fn note_beginning(&mut self, call: &Call) {
        let get = Arguments(call);
        let opens = match call.name.as_str() {
            "connect" => true,
            "sendto" => get
                .int(3)
                .is_ok_and(|flags| flags & libc::MSG_FASTOPEN != 0),
            "sendmsg" => get
                .int(2)
                .is_ok_and(|flags| flags & libc::MSG_FASTOPEN != 0),
            _ => false,
        };
        if let (true, Ok(number)) = (opens, get.number(0)) {
            self.under_test = Some(number);
            self.written.remove(&number);
            self.read.remove(&number);
        }
    }

    /// The kernel's number of an open file. One that is not open is no number
    /// of the kernel's either.
    fn file(&self, get: &Arguments, place: usize) -> Result<RawFd> {
        let number = get.number(place)?;
        Ok(self.files.get(&number).map_or(-1, AsRawFd::as_raw_fd))
    }

    /// The next bytes of what a file writes, in parts of these lengths.
    fn stream(&self, get: &Arguments, lengths: &[usize]) -> Result<Vec<Vec<u8>>> {
        let mut place = self
            .written
            .get(&get.number(0)?)
            .copied()
            .unwrap_or_default();
        let part = |&length: &usize| {
            let bytes = stream::bytes_at(place, length);
            place += length as u64;
            bytes
        };
        Ok(lengths.iter().map(part).collect())
    }

    fn polled(&self, list: &Value) -> Result<Vec<(RawFd, i16)>> {
        let Value::List(list) = list else {
            bail!("poll() takes a list: [{{fd=3, events=POLLIN, revents=0}}, …]");
        };
        list.iter()
            .map(|one| {
                let (Some(Value::Number(number)), Some(Value::Number(events))) =
                    (one.member("fd"), one.member("events"))
                else {
                    bail!("poll() takes {{fd=3, events=POLLIN, revents=0}}, not {one:?}");
                };
                let file = self.files.get(number).map_or(-1, AsRawFd::as_raw_fd);
                Ok((file, *events as i16))
            })
            .collect()
    }
}
