//! The names of numbers that scripts use: of the C library, and what the
//! selftests' runner defines.
// SPDX-License-Identifier: Apache-2.0

/// Both address families name it alike; the number differs.
const IPV6_RECVERR: i32 = 25;
const SO_ZEROCOPY: i32 = 60;
const TCP_INQ: i32 = 36;
const MSG_ZEROCOPY: i32 = 0x0400_0000;

macro_rules! of_libc {
    ($($name:ident)*) => { &[$((stringify!($name), libc::$name as i64)),*] };
}

const ERRORS: &[(&str, i64)] = of_libc![
    EPERM ENOENT EINTR EIO EBADF EAGAIN EWOULDBLOCK ENOMEM EACCES EFAULT EBUSY EEXIST ENODEV
    EINVAL ENOSPC EPIPE EDOM ERANGE ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT
    EPROTONOSUPPORT EOPNOTSUPP EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH
    ENOMSG ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ETIMEDOUT ECONNREFUSED EHOSTUNREACH
    EALREADY EINPROGRESS
];

const NUMBERS: &[(&str, i64)] = of_libc![
    AF_INET AF_INET6 AF_UNSPEC SOCK_STREAM SOCK_NONBLOCK SOCK_CLOEXEC IPPROTO_TCP IPPROTO_IP
    IPPROTO_IPV6 SOL_SOCKET SOL_TCP SOL_IP SOL_IPV6
    SO_REUSEADDR SO_ERROR SO_KEEPALIVE SO_LINGER SO_SNDBUF SO_RCVBUF SO_SNDBUFFORCE
    SO_RCVBUFFORCE SO_RCVLOWAT SO_MARK SO_PRIORITY SO_OOBINLINE SO_MAX_PACING_RATE
    SO_TIMESTAMPING SO_BUSY_POLL SCM_TIMESTAMPING
    SOF_TIMESTAMPING_TX_SOFTWARE SOF_TIMESTAMPING_RX_SOFTWARE SOF_TIMESTAMPING_SOFTWARE
    SOF_TIMESTAMPING_OPT_ID SOF_TIMESTAMPING_TX_SCHED SOF_TIMESTAMPING_TX_ACK
    SOF_TIMESTAMPING_OPT_TSONLY
    TCP_NODELAY TCP_MAXSEG TCP_CORK TCP_KEEPIDLE TCP_KEEPINTVL TCP_KEEPCNT TCP_SYNCNT
    TCP_LINGER2 TCP_DEFER_ACCEPT TCP_WINDOW_CLAMP TCP_INFO TCP_QUICKACK TCP_CONGESTION
    TCP_THIN_LINEAR_TIMEOUTS TCP_THIN_DUPACK TCP_USER_TIMEOUT TCP_FASTOPEN TCP_NOTSENT_LOWAT
    TCP_FASTOPEN_CONNECT
    IP_TOS IP_MTU_DISCOVER IP_PMTUDISC_DONT IP_PMTUDISC_DO IP_RECVERR IPV6_TCLASS
    O_RDONLY O_WRONLY O_RDWR O_NONBLOCK F_GETFL F_SETFL F_GETFD F_SETFD FD_CLOEXEC
    MSG_OOB MSG_PEEK MSG_DONTWAIT MSG_EOR MSG_WAITALL MSG_NOSIGNAL MSG_MORE MSG_ERRQUEUE
    MSG_TRUNC MSG_CTRUNC MSG_FASTOPEN
    SHUT_RD SHUT_WR SHUT_RDWR
    POLLIN POLLPRI POLLOUT POLLERR POLLHUP POLLNVAL POLLRDHUP POLLRDNORM POLLWRNORM
    EPOLL_CTL_ADD EPOLL_CTL_MOD EPOLL_CTL_DEL EPOLL_CLOEXEC
    EPOLLIN EPOLLPRI EPOLLOUT EPOLLERR EPOLLHUP EPOLLRDHUP EPOLLRDNORM EPOLLWRNORM
    EPOLLONESHOT EPOLLEXCLUSIVE
    FIONREAD TIOCOUTQ
    INADDR_ANY INADDR_LOOPBACK
];

/// What the C library's bindings lack, or give another sign than C does.
const OTHERS: &[(&str, i64)] = &[
    ("NULL", 0),
    ("EPOLLET", 1 << 31),
    ("MSG_ZEROCOPY", MSG_ZEROCOPY as i64),
    ("SO_ZEROCOPY", SO_ZEROCOPY as i64),
    ("TCP_INQ", TCP_INQ as i64),
    ("TCP_CM_INQ", TCP_INQ as i64),
    ("IPV6_RECVERR", IPV6_RECVERR as i64),
    ("SIOCINQ", libc::FIONREAD as i64),
    ("SIOCOUTQ", libc::TIOCOUTQ as i64),
    ("SCM_TSTAMP_SND", 0),
    ("SCM_TSTAMP_SCHED", 1),
    ("SCM_TSTAMP_ACK", 2),
    ("SO_EE_ORIGIN_NONE", 0),
    ("SO_EE_ORIGIN_LOCAL", 1),
    ("SO_EE_ORIGIN_TIMESTAMPING", 4),
    ("SO_EE_ORIGIN_ZEROCOPY", 5),
    ("SO_EE_CODE_ZEROCOPY_COPIED", 1),
];

/// A constant's number, on a socket of this IP version.
pub fn number(name: &str, ip_version: u8) -> Option<i64> {
    let six = ip_version == 6;
    match name {
        "CMSG_LEVEL_IP" => Some(i64::from(if six { libc::SOL_IPV6 } else { libc::SOL_IP })),
        "CMSG_TYPE_RECVERR" => Some(i64::from(if six { IPV6_RECVERR } else { libc::IP_RECVERR })),
        _ => [NUMBERS, OTHERS, ERRORS]
            .into_iter()
            .find_map(|known| find(known, name)),
    }
}

/// An error's number.
pub fn error(name: &str) -> Option<i32> {
    find(ERRORS, name).map(|number| number as i32)
}

/// An error's name.
pub fn error_name(number: i32) -> String {
    ERRORS
        .iter()
        .find(|(_, known)| *known == i64::from(number))
        .map_or_else(|| format!("error {number}"), |(name, _)| (*name).to_owned())
}

fn find(known: &[(&str, i64)], name: &str) -> Option<i64> {
    known
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, number)| *number)
}
