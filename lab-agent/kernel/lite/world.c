/* Namespaces, TUN devices, the connection, and the loop that moves packets.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "world.h"

/* --- the hosts */

void world_make(struct world *world)
{
	world->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	for (int host = 0; host < 2; host++) {
		world->space[host] = new_space();
		world->tun[host] = open_tun(host, 0, true);
		world->socket[host] = -1;
	}
	enter(world->space[SENDER]);
}

void world_sysctl(struct world *world, int host, const char *name, const char *value)
{
	char path[128];

	/* What /proc/sys shows is the namespace of who opens it. */
	enter(world->space[host]);
	snprintf(path, sizeof(path), "/proc/sys/net/ipv4/%s", name);
	write_file(path, value);
	enter(world->space[SENDER]);
}

/* Both files have lines in pairs: names, and then numbers. */
static bool counter_in(const char *path, const char *name, long *value)
{
	static char names[32768], numbers[32768];
	FILE *file = fopen(path, "re");
	bool found = false;

	if (!file)
		fail("opening %s", path);
	while (!found && fgets(names, sizeof(names), file) && fgets(numbers, sizeof(numbers), file)) {
		char *in_names, *in_numbers;
		char *word = strtok_r(names, " \n", &in_names);
		char *number = strtok_r(numbers, " \n", &in_numbers);

		/* Names are the same for other protocols. */
		bool tcp = word && !strncmp(word, "Tcp", 3);

		while (tcp && word && number && !found) {
			found = !strcmp(word, name);
			if (found)
				*value = atol(number);
			word = strtok_r(NULL, " \n", &in_names);
			number = strtok_r(NULL, " \n", &in_numbers);
		}
	}
	fclose(file);
	return found;
}

long world_counter(struct world *world, int host, const char *name)
{
	long value = 0;
	bool found;

	enter(world->space[host]);
	found = counter_in("/proc/thread-self/net/netstat", name, &value) ||
		counter_in("/proc/thread-self/net/snmp", name, &value);
	enter(world->space[SENDER]);
	errno = 0;
	if (!found)
		fail("this kernel has no counter %s", name);
	return value;
}

/* --- the connection */

static int open_socket(bool ipv6, int host, int port, int buffer)
{
	int its = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int on = 1;

	if (its < 0 || setsockopt(its, SOL_TCP, TCP_NODELAY, &on, sizeof(on)) ||
	    setsockopt(its, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    (buffer && setsockopt(its, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer))))
		fail("making a socket");
	bind_socket(its, host, ipv6, port);
	return its;
}

void world_connect(struct world *world, bool ipv6, int buffer)
{
	static int port = 7000;
	struct sockaddr_storage address;
	socklen_t length = address_of(&address, RECEIVER, 0, ipv6, ++port);
	struct pollfd readable;
	int listening;

	world->ipv6 = ipv6;
	enter(world->space[RECEIVER]);
	listening = open_socket(ipv6, RECEIVER, port, buffer);
	if (listen(listening, 1))
		fail("listening");
	enter(world->space[SENDER]);
	world->socket[SENDER] = open_socket(ipv6, SENDER, 0, buffer);
	if (connect(world->socket[SENDER], (void *)&address, length) && errno != EINPROGRESS)
		fail("connecting");
	readable = (struct pollfd){ .fd = listening, .events = POLLIN };
	do {
		world_run(world, now() + 10 * MS);
	} while (poll(&readable, 1, 0) == 0);
	world->socket[RECEIVER] = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (world->socket[RECEIVER] < 0)
		fail("accepting");
	close(listening);
}

void world_disconnect(struct world *world)
{
	struct linger none = { .l_onoff = 1 };

	for (int host = 0; host < 2; host++) {
		setsockopt(world->socket[host], SOL_SOCKET, SO_LINGER, &none, sizeof(none));
		close(world->socket[host]);
		world->socket[host] = -1;
	}
	world_run(world, now() + 1000 * MS);
}

long read_told(int socket, void *buffer, size_t length, int flags, size_t room, struct told *told)
{
	_Alignas(struct cmsghdr) uint8_t control[1024];
	struct iovec vector = { .iov_base = buffer, .iov_len = length };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1,
				  .msg_control = room ? control : NULL, .msg_controllen = room };
	long got = recvmsg(socket, &message, flags);

	told->count = 0;
	told->cut = message.msg_flags & MSG_CTRUNC;
	if (got < 0)
		return got;
	for (struct cmsghdr *one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one)) {
		if (one->cmsg_level != SOL_TCP || one->cmsg_type != TCP_LITE)
			fail("a control message %d", one->cmsg_type);
		told->count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(told->ranges[0]);
		memcpy(told->ranges, CMSG_DATA(one), told->count * sizeof(told->ranges[0]));
	}
	return got;
}

/* --- the path */

static bool look_into(struct packet *packet)
{
	const uint8_t *bytes = packet->bytes;
	bool ipv6 = bytes[0] >> 4 == 6;
	size_t at = ipv6 ? 40 : 20;

	if (packet->length < at + 20 || bytes[ipv6 ? 6 : 9] != IPPROTO_TCP)
		return false;
	packet->tcp = packet->bytes + at;
	packet->header = (packet->tcp[12] >> 4) * 4;
	packet->data = packet->length - at - packet->header;
	return true;
}

bool checksum_holds(const struct packet *packet)
{
	bool ipv6 = packet->tcp - packet->bytes == 40;
	const uint8_t *addresses = packet->bytes + (ipv6 ? 8 : 12);
	size_t length = packet->bytes + packet->length - packet->tcp;
	uint32_t sum = IPPROTO_TCP + length;

	for (size_t at = 0; at < (ipv6 ? 32 : 8); at += 2)
		sum += addresses[at] << 8 | addresses[at + 1];
	for (size_t at = 0; at < length; at += 2)
		sum += packet->tcp[at] << 8 | (at + 1 < length ? packet->tcp[at + 1] : 0);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum == 0xffff;
}

uint8_t *header_sum(const struct packet *packet)
{
	static const uint8_t option[] = { 254, 8, 'T', 'L' };

	for (size_t at = 20; at + 8 <= packet->header; at += 4)
		if (!memcmp(packet->tcp + at, option, sizeof(option)))
			return packet->tcp + at + sizeof(option);
	return NULL;
}

/* CRC-32C, bit by bit. */
static uint32_t crc(uint32_t sum, const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		sum ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78 : 0);
	}
	return sum;
}

bool header_sum_holds(const struct packet *packet)
{
	bool ipv6 = packet->tcp - packet->bytes == 40;
	uint32_t length = htonl(packet->bytes + packet->length - packet->tcp);
	uint8_t *place = header_sum(packet), header[60];
	uint32_t sum = ~0u, told;

	memcpy(header, packet->tcp, packet->header);
	memset(header + 16, 0, 2);
	memset(header + (place - packet->tcp), 0, 4);
	sum = crc(sum, packet->bytes + (ipv6 ? 8 : 12), ipv6 ? 32 : 8);
	sum = crc(sum, (uint8_t *)&length, 4);
	sum = ~crc(sum, header, packet->header);
	memcpy(&told, place, 4);
	return ntohl(told) == sum;
}

static void take_from(struct world *world, int host)
{
	uint8_t bytes[65536];
	ssize_t length;

	while ((length = read(world->tun[host], bytes, sizeof(bytes))) > 0) {
		struct packet packet = { .from = host, .bytes = bytes, .length = length };
		int64_t after;

		if (!look_into(&packet))
			continue;
		after = world->decide(world, &packet);
		if (after >= 0)
			put_on_the_way(&world->flights, world->tun[!host], bytes, packet.length, now() + after);
	}
}

static void deliver(struct world *world)
{
	struct flight *flight;

	while ((flight = next_to_arrive(&world->flights)) && flight->at <= now()) {
		/* A damaged one may be none that a device takes. */
		if (write(flight->tun, flight->bytes, flight->length) < 0 && errno != EINVAL)
			fail("delivering a packet");
		landed(&world->flights, flight);
		if (world->look)
			world->look(world);
	}
}

void world_run(struct world *world, int64_t until)
{
	do {
		struct flight *first = next_to_arrive(&world->flights);
		int64_t wake = first && first->at < until ? first->at : until;
		struct itimerspec alarm = { .it_value = { wake / (1000 * MS), wake % (1000 * MS) } };
		struct pollfd polled[] = {
			{ .fd = world->tun[SENDER], .events = POLLIN },
			{ .fd = world->tun[RECEIVER], .events = POLLIN },
			{ .fd = world->alarm, .events = POLLIN },
		};

		/* Not poll's own timeout, which is a thousandth late. */
		if (timerfd_settime(world->alarm, TFD_TIMER_ABSTIME, &alarm, NULL) ||
		    poll(polled, 3, -1) < 0)
			fail("waiting");
		take_from(world, SENDER);
		take_from(world, RECEIVER);
		deliver(world);
	} while (now() < until);
	if (world->look)
		world->look(world);
}
