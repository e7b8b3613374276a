/* See link.h. Attributes and layouts: linux/pkt_sched.h, and patch 0301.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <math.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "link.h"

#define BEGINNING "begin"
#define END "end"
/* For experiments (IEEE 802): nobody in the kernel takes it. */
#define ETHERTYPE 0x88b5
#define BATCH 250
#define MOST_INSIDE 1000000

#define NETEM_LOSS_IN_FIXED 2
#define NETEM_RATE 6
#define NETEM_PRNG_SEED 14
#define NETEM_BIT_ERRORS 15
#define STATS_APP 4

struct netem_bit_errors {
	uint64_t tick_ns;
	uint64_t turn[2];
	uint64_t flip[2];
	uint32_t flags;
	uint32_t reserved;
};

struct message {
	struct nlmsghdr header;
	uint8_t rest[1024];
};

static int netlink, sending, receiving = -1;

void sleep_until(uint64_t ns)
{
	struct timespec time = { ns / 1000000000, ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

/* --- netlink */

static void *reserve(struct message *message, size_t bytes)
{
	void *at = (uint8_t *)message + NLMSG_ALIGN(message->header.nlmsg_len);

	memset(at, 0, NLMSG_ALIGN(bytes));
	message->header.nlmsg_len = NLMSG_ALIGN(message->header.nlmsg_len) + bytes;
	return at;
}

static struct rtattr *attribute(struct message *message, uint16_t type,
				const void *payload, size_t bytes)
{
	struct rtattr *made = reserve(message, RTA_LENGTH(bytes));

	made->rta_type = type;
	made->rta_len = RTA_LENGTH(bytes);
	if (bytes)
		memcpy(RTA_DATA(made), payload, bytes);
	return made;
}

static void end_nest(struct message *message, struct rtattr *nest)
{
	message->header.nlmsg_len = NLMSG_ALIGN(message->header.nlmsg_len);
	nest->rta_len = (uint8_t *)message + message->header.nlmsg_len - (uint8_t *)nest;
}

static struct message request(uint16_t type, uint16_t flags)
{
	struct message message = { .header = {
		.nlmsg_len = NLMSG_LENGTH(0),
		.nlmsg_type = type,
		.nlmsg_flags = NLM_F_REQUEST | flags,
	} };

	return message;
}

static void ask(struct message *message, const char *what)
{
	uint8_t bytes[4096];
	struct nlmsghdr *answer = (void *)bytes;

	message->header.nlmsg_flags |= NLM_F_ACK;
	if (send(netlink, message, message->header.nlmsg_len, 0) < 0 ||
	    recv(netlink, bytes, sizeof(bytes), 0) < 0)
		fail("%s", what);
	errno = -((struct nlmsgerr *)NLMSG_DATA(answer))->error;
	if (answer->nlmsg_type != NLMSG_ERROR || errno)
		fail("%s", what);
}

/* --- interfaces */

static void up(const char *name)
{
	struct ifreq interface = { 0 };
	int any = socket(AF_INET, SOCK_DGRAM, 0);

	strcpy(interface.ifr_name, name);
	interface.ifr_flags = IFF_UP;
	if (ioctl(any, SIOCSIFFLAGS, &interface))
		fail("switching %s on", name);
}

static int packet_socket(const char *name, uint16_t protocol)
{
	struct sockaddr_ll at = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = if_nametoindex(name),
	};
	int made = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	int bytes = 1 << 28;

	if (made < 0 || bind(made, (void *)&at, sizeof(at)))
		fail("opening a packet socket at %s", name);
	setsockopt(made, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
	setsockopt(made, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	return made;
}

void make_link(void)
{
	struct message message = request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	struct rtattr *info, *data, *peer;

	netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	reserve(&message, sizeof(struct ifinfomsg));
	attribute(&message, IFLA_IFNAME, BEGINNING, sizeof(BEGINNING));
	info = attribute(&message, IFLA_LINKINFO, NULL, 0);
	attribute(&message, IFLA_INFO_KIND, "veth", 4);
	data = attribute(&message, IFLA_INFO_DATA, NULL, 0);
	peer = attribute(&message, VETH_INFO_PEER, NULL, 0);
	reserve(&message, sizeof(struct ifinfomsg));
	attribute(&message, IFLA_IFNAME, END, sizeof(END));
	end_nest(&message, peer);
	end_nest(&message, data);
	end_nest(&message, info);
	ask(&message, "making interfaces (veth)");
	up(BEGINNING);
	up(END);
	sending = packet_socket(BEGINNING, 0);
}

/* --- the emulator */

static uint64_t chance(double share)
{
	return share >= 1 ? UINT64_MAX : (uint64_t)ldexp(share, 64);
}

static void tell(struct message *message, const struct path *path)
{
	const struct errors *errors = path->errors;
	/* Latency, limit, loss, gap, duplication, jitter */
	uint32_t fixed[6] = { 0, MOST_INSIDE };
	uint32_t rate[4] = { path->rate_byte_per_s };
	struct rtattr *options;
	struct tcmsg *place;

	place = reserve(message, sizeof(*place));
	place->tcm_ifindex = if_nametoindex(BEGINNING);
	place->tcm_parent = TC_H_ROOT;
	place->tcm_handle = TC_H_MAKE(1 << 16, 0);
	attribute(message, TCA_KIND, "netem", sizeof("netem"));
	fixed[NETEM_LOSS_IN_FIXED] = path->loss_share * UINT32_MAX;
	options = attribute(message, TCA_OPTIONS, fixed, sizeof(fixed));
	attribute(message, NETEM_RATE, rate, sizeof(rate));
	attribute(message, NETEM_PRNG_SEED, &path->seed, sizeof(path->seed));
	if (errors) {
		struct netem_bit_errors told = {
			.tick_ns = errors->tick_ns,
			.flip = { chance(errors->error_share_good), chance(errors->error_share_bad) },
			.flags = errors->at_end,
		};

		if (errors->good_ticks) {
			told.turn[0] = chance(1 / errors->good_ticks);
			told.turn[1] = chance(1 / errors->bad_ticks);
		}
		attribute(message, NETEM_BIT_ERRORS, &told, sizeof(told));
	}
	end_nest(message, options);
	ask(message, "setting netem");
}

void make_emulator(const struct path *path)
{
	static bool is_there;
	struct message message = request(RTM_DELQDISC, 0);
	struct tcmsg *place = reserve(&message, sizeof(*place));

	place->tcm_ifindex = if_nametoindex(BEGINNING);
	place->tcm_parent = TC_H_ROOT;
	if (is_there)
		ask(&message, "taking netem down");
	is_there = true;
	message = request(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL);
	tell(&message, path);
}

void change_emulator(const struct path *path)
{
	struct message message = request(RTM_NEWQDISC, 0);

	tell(&message, path);
}

static bool find_told(struct nlmsghdr *answer, struct told *told)
{
	struct tcmsg *place = NLMSG_DATA(answer);
	int left = TCA_PAYLOAD(answer), inner;
	struct rtattr *one = TCA_RTA(place), *stats;

	if (place->tcm_ifindex != (int)if_nametoindex(BEGINNING))
		return false;
	for (; RTA_OK(one, left); one = RTA_NEXT(one, left)) {
		if (one->rta_type != TCA_STATS2)
			continue;
		inner = RTA_PAYLOAD(one);
		for (stats = RTA_DATA(one); RTA_OK(stats, inner); stats = RTA_NEXT(stats, inner)) {
			if (stats->rta_type != STATS_APP || RTA_PAYLOAD(stats) < sizeof(*told))
				continue;
			memcpy(told, RTA_DATA(stats), sizeof(*told));
			return true;
		}
	}
	return false;
}

bool read_told(struct told *told)
{
	struct message message = request(RTM_GETQDISC, NLM_F_DUMP);
	static uint8_t bytes[1 << 16];
	bool found = false, done = false;

	reserve(&message, sizeof(struct tcmsg));
	if (send(netlink, &message, message.header.nlmsg_len, 0) < 0)
		fail("asking for counters");
	while (!done) {
		ssize_t length = recv(netlink, bytes, sizeof(bytes), 0);
		struct nlmsghdr *answer = (void *)bytes;

		if (length < 0)
			fail("reading counters");
		for (; NLMSG_OK(answer, length); answer = NLMSG_NEXT(answer, length)) {
			done |= answer->nlmsg_type == NLMSG_DONE;
			if (answer->nlmsg_type == RTM_NEWQDISC)
				found |= find_told(answer, told);
		}
	}
	return found;
}

/* --- frames */

void sent_frame(uint32_t number, uint8_t *bytes, size_t length)
{
	uint32_t named = htonl(number);
	uint16_t type = htons(ETHERTYPE);

	/* A local address each: to 02:00:…:01, from the number. */
	memset(bytes, 0, LINK_HEADER);
	bytes[0] = bytes[6] = 2;
	bytes[5] = 1;
	memcpy(bytes + 8, &named, sizeof(named));
	memcpy(bytes + 12, &type, sizeof(type));
	for (size_t at = LINK_HEADER; at < length; at++)
		bytes[at] = at * 131 + number * 7;
}

uint32_t number_of(const uint8_t *frame)
{
	uint32_t named;

	memcpy(&named, frame + 8, sizeof(named));
	return ntohl(named);
}

void send_frames(uint32_t first, uint32_t count, size_t length)
{
	static uint8_t frames[BATCH][LONGEST_FRAME];
	static struct mmsghdr messages[BATCH];
	static struct iovec places[BATCH];
	uint32_t done = 0;

	while (done < count) {
		uint32_t batch = count - done < BATCH ? count - done : BATCH;
		int sent;

		for (uint32_t at = 0; at < batch; at++) {
			sent_frame(first + done + at, frames[at], length);
			places[at] = (struct iovec){ frames[at], length };
			messages[at].msg_hdr = (struct msghdr){ .msg_iov = &places[at], .msg_iovlen = 1 };
		}
		sent = sendmmsg(sending, messages, batch, 0);
		if (sent <= 0)
			fail("sending");
		done += sent;
	}
}

void listen_at_end(void)
{
	receiving = packet_socket(END, ETH_P_ALL);
}

size_t arrived_frame(uint8_t *bytes, size_t most)
{
	ssize_t length = recv(receiving, bytes, most, MSG_DONTWAIT);

	if (length < 0 && errno != EAGAIN)
		fail("receiving");
	return length < 0 ? 0 : length;
}
