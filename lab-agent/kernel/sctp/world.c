/* Namespaces, TUN devices, and the loop that moves packets between them.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "world.h"

/* Needs the types that world.h and the C library bring. */
#include <linux/sctp.h>

#define SOL_SCTP 132
#define PORT 7000
#define DATA_CHUNK 0
#define SACK_CHUNK 3
#define HEARTBEAT_CHUNK 4
#define HEARTBEAT_ACK_CHUNK 5
#define AUTH_CHUNK 0x0f
#define FORWARD_TSN_CHUNK 0xc0
#define I_BIT 8

const char *const mechanism_names[MECHANISMS] = {
	"thin_rto_min", "thin_rto_restart", "thin_linear_timeouts",
	"thin_fast_retransmit", "thin_rtx_bundling", "thin_sack_immediately",
	"thin_bundling", "thin_tail_copy",
};

/* --- the hosts */

void world_make(struct world *world, bool ipv6, int paths)
{
	world->ipv6 = ipv6;
	world->paths = paths;
	world->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	for (int host = 0; host < 2; host++) {
		world->space[host] = new_space();
		for (int path = 0; path < paths; path++)
			world->tun[host][path] = open_tun(host, path, ipv6);
	}
	enter(world->space[SENDER]);
}

void world_sysctl(struct world *world, int host, const char *name, const char *value)
{
	char path[128];

	/* What /proc/sys shows is the namespace of who opens it. */
	enter(world->space[host]);
	snprintf(path, sizeof(path), "/proc/sys/net/sctp/%s", name);
	write_file(path, value);
	enter(world->space[SENDER]);
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

	enter(world->space[SENDER]);
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

	enter(world->space[host]);
	snprintf(path, sizeof(path), "/proc/thread-self/net/sctp/%s", name);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		fputs(line, stdout);
	if (file)
		fclose(file);
	enter(world->space[SENDER]);
}

/* --- the association */

static int open_socket(const struct world *world, int host, int streams, bool auth)
{
	struct sctp_initmsg init = { .sinit_num_ostreams = streams, .sinit_max_instreams = streams };
	struct sctp_authchunk data = { .sauth_chunk = DATA_CHUNK };
	struct sockaddr_storage address;
	int on = 1, bytes = 4 << 20;
	int its = socket(world->ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			 IPPROTO_SCTP);

	if (its < 0)
		fail("making an SCTP socket");
	bind_socket(its, host, world->ipv6, PORT);
	for (int path = 1; path < world->paths; path++) {
		socklen_t length = address_of(&address, host, path, world->ipv6, PORT);

		if (setsockopt(its, SOL_SCTP, SCTP_SOCKOPT_BINDX_ADD, &address, length))
			fail("binding an SCTP socket to path %d", path);
	}
	if (setsockopt(its, SOL_SCTP, SCTP_INITMSG, &init, sizeof(init)) ||
	    setsockopt(its, SOL_SCTP, SCTP_NODELAY, &on, sizeof(on)) ||
	    setsockopt(its, SOL_SCTP, SCTP_RECVRCVINFO, &on, sizeof(on)))
		fail("setting up an SCTP socket");
	if (auth && setsockopt(its, SOL_SCTP, SCTP_AUTH_CHUNK, &data, sizeof(data)))
		fail("asking for authentication");
	setsockopt(its, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	setsockopt(its, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
	return its;
}

void world_connect(struct world *world, int streams, bool auth)
{
	struct sockaddr_storage address;
	socklen_t length = address_of(&address, RECEIVER, 0, world->ipv6, PORT);
	struct pollfd writable;
	int listening;

	enter(world->space[RECEIVER]);
	listening = open_socket(world, RECEIVER, streams, auth);
	if (listen(listening, 1))
		fail("listening");
	enter(world->space[SENDER]);
	world->socket[RECEIVER] = -1;
	world->socket[SENDER] = open_socket(world, SENDER, streams, false);
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

int world_path_state(struct world *world, int path, unsigned int *rto_ms)
{
	struct sctp_paddrinfo info = {};
	struct sockaddr_storage address;
	socklen_t length = sizeof(info);

	address_of(&address, RECEIVER, path, world->ipv6, PORT);
	memcpy(&info.spinfo_address, &address, sizeof(address));
	if (getsockopt(world->socket[SENDER], SOL_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &length))
		fail("asking for the state of path %d", path);
	if (rto_ms)
		*rto_ms = info.spinfo_rto;
	return info.spinfo_state;
}

bool world_send(struct world *world, const void *message, size_t length, struct manner manner)
{
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(sizeof(struct sctp_sndinfo)) +
			      CMSG_SPACE(sizeof(struct sctp_prinfo))];
	} control = {};
	struct iovec part = { (void *)message, length };
	struct msghdr sent = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
			       .msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *one = CMSG_FIRSTHDR(&sent);
	struct sctp_sndinfo info = { .snd_sid = manner.stream,
				     .snd_flags = manner.unordered ? SCTP_UNORDERED : 0 };
	struct sctp_prinfo limits = { .pr_policy = manner.policy, .pr_value = manner.limit };

	*one = (struct cmsghdr){ CMSG_LEN(sizeof(info)), IPPROTO_SCTP, SCTP_SNDINFO };
	memcpy(CMSG_DATA(one), &info, sizeof(info));
	one = CMSG_NXTHDR(&sent, one);
	*one = (struct cmsghdr){ CMSG_LEN(sizeof(limits)), IPPROTO_SCTP, SCTP_PRINFO };
	memcpy(CMSG_DATA(one), &limits, sizeof(limits));
	return sendmsg(world->socket[SENDER], &sent, 0) == (ssize_t)length;
}

void world_choose_path(struct world *world, int path)
{
	struct sctp_prim primary = {};
	struct sockaddr_storage address;

	address_of(&address, RECEIVER, path, world->ipv6, PORT);
	memcpy(&primary.ssp_addr, &address, sizeof(address));
	if (setsockopt(world->socket[SENDER], SOL_SCTP, SCTP_PRIMARY_ADDR, &primary, sizeof(primary)))
		fail("choosing path %d", path);
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

	packet->sack = packet->heartbeat = packet->heartbeat_ack = packet->auth = packet->forward = false;
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
		packet->heartbeat |= bytes[at] == HEARTBEAT_CHUNK;
		packet->heartbeat_ack |= bytes[at] == HEARTBEAT_ACK_CHUNK;
		packet->auth |= bytes[at] == AUTH_CHUNK;
		packet->forward |= bytes[at] == FORWARD_TSN_CHUNK;
		if (bytes[at] == DATA_CHUNK && packet->count < 64 && at + 8 <= packet->length)
			packet->data[packet->count++] = (struct data){
				.tsn = word(bytes + at + 4),
				.immediately = bytes[at + 1] & I_BIT,
			};
		at += (length + 3) & ~3UL;
	}
	return true;
}

static void take_from(struct world *world, int host, int path)
{
	uint8_t bytes[65536];
	ssize_t length;

	while ((length = read(world->tun[host][path], bytes, sizeof(bytes))) > 0) {
		struct packet packet = { .from = host, .path = path, .bytes = bytes, .length = length };
		struct fate fate;

		if (!look_into(&packet))
			continue;
		fate = world->decide(world, &packet);
		for (int i = 0; i < fate.copies; i++)
			put_on_the_way(&world->flights, world->tun[!host][path], bytes, length,
				       world->now + fate.after[i]);
	}
}

static void deliver(struct world *world)
{
	struct flight *flight;

	while ((flight = next_to_arrive(&world->flights)) && flight->at <= world->now) {
		if (write(flight->tun, flight->bytes, flight->length) < 0)
			fail("delivering a packet");
		landed(&world->flights, flight);
	}
}

void world_run(struct world *world, int64_t until)
{
	for (;;) {
		struct pollfd polled[2 + 2 * PATHS] = {
			{ .fd = world->received ? world->socket[RECEIVER] : -1, .events = POLLIN },
			{ .fd = world->alarm, .events = POLLIN },
		};
		struct flight *first = next_to_arrive(&world->flights);
		int64_t wake = first && first->at < until ? first->at : until;
		struct itimerspec alarm = { .it_value = { wake / (1000 * MS), wake % (1000 * MS) } };
		int count = 2;

		for (int host = 0; host < 2; host++)
			for (int path = 0; path < world->paths; path++)
				polled[count++] = (struct pollfd){ world->tun[host][path], POLLIN, 0 };
		/* Not poll's own timeout, which is a thousandth late. */
		if (timerfd_settime(world->alarm, TFD_TIMER_ABSTIME, &alarm, NULL) ||
		    poll(polled, count, -1) < 0)
			fail("waiting");
		world->now = now();
		count = 2;
		for (int host = 0; host < 2; host++)
			for (int path = 0; path < world->paths; path++)
				if (polled[count++].revents)
					take_from(world, host, path);
		deliver(world);
		if (polled[0].revents && world->received)
			world->received(world);
		if (world->now >= until)
			return;
	}
}
