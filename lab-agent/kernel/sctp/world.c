/* Namespaces, TUN devices, and the loop that moves packets between them.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

/* Needs the types that world.h and the C library bring. */
#include <linux/sctp.h>

#define SOL_SCTP 132
#define PORT 7000
#define MTU 1500
#define DATA_CHUNK 0
#define SACK_CHUNK 3
#define I_BIT 8

struct flight {
	int64_t at;
	uint64_t order;
	int to;
	size_t length;
	uint8_t *bytes;
};

const char *const mechanism_names[MECHANISMS] = {
	"thin_rto_min", "thin_rto_restart", "thin_linear_timeouts",
	"thin_fast_retransmit", "thin_rtx_bundling", "thin_sack_immediately",
	"thin_bundling", "thin_tail_copy",
};

int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 * MS + time.tv_nsec;
}

void fail(const char *format, ...)
{
	int error = errno;
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf(error ? ": %s\n" : "\n", strerror(error));
	exit(2);
}

/* --- the hosts */

static void enter(const struct world *world, int host)
{
	if (setns(world->space[host], CLONE_NEWNET))
		fail("entering a namespace");
}

static void write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);

	if (file < 0 || write(file, text, strlen(text)) < 0)
		fail("writing %s", path);
	close(file);
}

static int open_tun(int host, bool ipv6)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	struct sockaddr_in *address = (void *)&request.ifr_addr;
	int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	int control = socket(AF_INET, SOCK_DGRAM, 0);

	strcpy(request.ifr_name, "path");
	if (tun < 0 || ioctl(tun, TUNSETIFF, &request))
		fail("making a TUN device");
	if (ipv6)
		write_file("/proc/sys/net/ipv6/conf/path/accept_dad", "0");

	memset(&request.ifr_ifru, 0, sizeof(request.ifr_ifru));
	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(0x0a090001 + host);
	if (ioctl(control, SIOCSIFADDR, &request))
		fail("setting an address");
	address->sin_addr.s_addr = htonl(0xffffff00);
	if (ioctl(control, SIOCSIFNETMASK, &request))
		fail("setting a netmask");
	request.ifr_mtu = MTU;
	if (ioctl(control, SIOCSIFMTU, &request))
		fail("setting an MTU");
	request.ifr_flags = IFF_UP | IFF_NOARP | IFF_POINTOPOINT;
	if (ioctl(control, SIOCSIFFLAGS, &request))
		fail("switching a device on");
	if (ipv6) {
		struct {
			struct in6_addr address;
			uint32_t prefix;
			int index;
		} six = { .prefix = 64, .index = if_nametoindex("path") };
		int control6 = socket(AF_INET6, SOCK_DGRAM, 0);

		inet_pton(AF_INET6, host ? "fd09::2" : "fd09::1", &six.address);
		if (ioctl(control6, SIOCSIFADDR, &six))
			fail("setting an IPv6 address");
		close(control6);
	}
	close(control);
	return tun;
}

void world_make(struct world *world, bool ipv6)
{
	world->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	for (int host = 0; host < 2; host++) {
		if (unshare(CLONE_NEWNET))
			fail("making a namespace");
		world->space[host] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
		world->tun[host] = open_tun(host, ipv6);
	}
	enter(world, SENDER);
}

void world_sysctl(struct world *world, int host, const char *name, const char *value)
{
	char path[128];

	/* What /proc/sys shows is the namespace of who opens it. */
	enter(world, host);
	snprintf(path, sizeof(path), "/proc/sys/net/sctp/%s", name);
	write_file(path, value);
	enter(world, SENDER);
}

void world_switch(struct world *world, unsigned int mechanisms)
{
	for (int i = 0; i < MECHANISMS; i++)
		world_sysctl(world, SENDER, mechanism_names[i], mechanisms >> i & 1 ? "1" : "0");
}

long world_counter(struct world *world, const char *name)
{
	char line[128], found[64];
	long value, result = -1;
	FILE *file;

	enter(world, SENDER);
	file = fopen("/proc/thread-self/net/sctp/snmp", "re");
	if (!file)
		fail("opening SCTP's counters");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %ld", found, &value) == 2 && !strcmp(found, name))
			result = value;
	fclose(file);
	return result;
}

void world_print(struct world *world, int host, const char *name)
{
	char path[64], line[1024];
	FILE *file;

	enter(world, host);
	snprintf(path, sizeof(path), "/proc/thread-self/net/sctp/%s", name);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		fputs(line, stdout);
	if (file)
		fclose(file);
	enter(world, SENDER);
}

/* --- the association */

static socklen_t address_of(struct sockaddr_storage *address, int host, bool ipv6)
{
	struct sockaddr_in6 *six = (void *)address;
	struct sockaddr_in *four = (void *)address;

	memset(address, 0, sizeof(*address));
	if (ipv6) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(PORT);
		inet_pton(AF_INET6, host ? "fd09::2" : "fd09::1", &six->sin6_addr);
		return sizeof(*six);
	}
	four->sin_family = AF_INET;
	four->sin_port = htons(PORT);
	four->sin_addr.s_addr = htonl(0x0a090001 + host);
	return sizeof(*four);
}

static int open_socket(bool ipv6, int host, int streams)
{
	struct sctp_initmsg init = { .sinit_num_ostreams = streams, .sinit_max_instreams = streams };
	struct sockaddr_storage address;
	socklen_t length = address_of(&address, host, ipv6);
	int on = 1, bytes = 4 << 20;
	int its = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			 IPPROTO_SCTP);

	if (its < 0)
		fail("making an SCTP socket");
	/* An IPv6 address can be used once the kernel has had the time to see that
	 * nobody else has it.
	 */
	for (int tries = 0; bind(its, (void *)&address, length); tries++) {
		if (errno != EADDRNOTAVAIL || tries == 500)
			fail("binding an SCTP socket");
		usleep(10000);
	}
	if (setsockopt(its, SOL_SCTP, SCTP_INITMSG, &init, sizeof(init)) ||
	    setsockopt(its, SOL_SCTP, SCTP_NODELAY, &on, sizeof(on)) ||
	    setsockopt(its, SOL_SCTP, SCTP_RECVRCVINFO, &on, sizeof(on)))
		fail("setting up an SCTP socket");
	setsockopt(its, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	setsockopt(its, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
	return its;
}

void world_connect(struct world *world, bool ipv6, int streams)
{
	struct sockaddr_storage address;
	socklen_t length = address_of(&address, RECEIVER, ipv6);
	struct pollfd writable;
	int listening;

	enter(world, RECEIVER);
	listening = open_socket(ipv6, RECEIVER, streams);
	if (listen(listening, 1))
		fail("listening");
	enter(world, SENDER);
	world->socket[RECEIVER] = -1;
	world->socket[SENDER] = open_socket(ipv6, SENDER, streams);
	if (connect(world->socket[SENDER], (void *)&address, length) && errno != EINPROGRESS)
		fail("connecting");
	writable = (struct pollfd){ .fd = world->socket[SENDER], .events = POLLOUT };
	do {
		world_run(world, now() + 10 * MS);
	} while (poll(&writable, 1, 0) == 0);
	world->socket[RECEIVER] = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (world->socket[RECEIVER] < 0)
		fail("accepting");
	close(listening);
}

void world_delay_sacks(struct world *world, bool delay)
{
	struct sctp_sack_info info = { .sack_delay = 200, .sack_freq = delay ? 2 : 1 };

	if (setsockopt(world->socket[RECEIVER], SOL_SCTP, SCTP_DELAYED_SACK, &info, sizeof(info)))
		fail("setting the delay of SACKs");
}

/* --- the path */

static uint32_t word(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

/* What is in it; false if it is not SCTP. */
static bool look_into(struct packet *packet)
{
	const uint8_t *bytes = packet->bytes;
	bool ipv6 = bytes[0] >> 4 == 6;
	size_t at = ipv6 ? 40 : 20;

	packet->sack = false;
	packet->count = 0;
	if (packet->length < at + 12 || bytes[ipv6 ? 6 : 9] != IPPROTO_SCTP)
		return false;
	/* A later fragment of an IPv4 packet has no header of SCTP's. */
	if (!ipv6 && (bytes[6] & 0x1f || bytes[7]))
		return true;
	for (at += 12; at + 4 <= packet->length;) {
		size_t length = bytes[at + 2] << 8 | bytes[at + 3];

		if (length < 4)
			break;
		packet->sack |= bytes[at] == SACK_CHUNK;
		if (bytes[at] == DATA_CHUNK && packet->count < 64 && at + 8 <= packet->length)
			packet->data[packet->count++] = (struct data){
				.tsn = word(bytes + at + 4),
				.immediately = bytes[at + 1] & I_BIT,
			};
		at += (length + 3) & ~3UL;
	}
	return true;
}

static void put_on_the_way(struct world *world, const struct packet *packet, int64_t at)
{
	static uint64_t order;
	struct flight *flight;

	if (world->count == world->room) {
		world->room = world->room * 2 + 16;
		world->flights = realloc(world->flights, world->room * sizeof(*flight));
	}
	flight = &world->flights[world->count++];
	*flight = (struct flight){
		.at = at, .order = order++, .to = !packet->from,
		.length = packet->length, .bytes = malloc(packet->length),
	};
	memcpy(flight->bytes, packet->bytes, packet->length);
}

static void take_from(struct world *world, int host)
{
	uint8_t bytes[65536];
	ssize_t length;

	while ((length = read(world->tun[host], bytes, sizeof(bytes))) > 0) {
		struct packet packet = { .from = host, .bytes = bytes, .length = length };
		struct fate fate;

		if (!look_into(&packet))
			continue;
		fate = world->decide(world, &packet);
		for (int i = 0; i < fate.copies; i++)
			put_on_the_way(world, &packet, now() + fate.after[i]);
	}
}

static struct flight *next_to_arrive(struct world *world)
{
	struct flight *first = NULL;

	for (size_t i = 0; i < world->count; i++) {
		struct flight *one = &world->flights[i];

		if (!first || one->at < first->at ||
		    (one->at == first->at && one->order < first->order))
			first = one;
	}
	return first;
}

static void deliver(struct world *world)
{
	struct flight *flight;

	while ((flight = next_to_arrive(world)) && flight->at <= now()) {
		if (write(world->tun[flight->to], flight->bytes, flight->length) < 0)
			fail("delivering a packet");
		free(flight->bytes);
		*flight = world->flights[--world->count];
	}
}

void world_run(struct world *world, int64_t until)
{
	for (;;) {
		struct pollfd polled[] = {
			{ .fd = world->tun[SENDER], .events = POLLIN },
			{ .fd = world->tun[RECEIVER], .events = POLLIN },
			{ .fd = world->received ? world->socket[RECEIVER] : -1, .events = POLLIN },
			{ .fd = world->alarm, .events = POLLIN },
		};
		struct flight *first = next_to_arrive(world);
		int64_t wake = first && first->at < until ? first->at : until;
		struct itimerspec alarm = { .it_value = { wake / (1000 * MS), wake % (1000 * MS) } };

		/* Not poll's own timeout, which is a thousandth late. */
		if (timerfd_settime(world->alarm, TFD_TIMER_ABSTIME, &alarm, NULL) ||
		    poll(polled, 4, -1) < 0)
			fail("waiting");
		take_from(world, SENDER);
		take_from(world, RECEIVER);
		deliver(world);
		if (polled[2].revents && world->received)
			world->received(world);
		if (now() >= until)
			return;
	}
}
