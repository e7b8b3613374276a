/* A path that loses, repeats and reorders, while mechanisms are switched at random:
 * what arrives has to be what was written, every byte, once, and in the order of its
 * stream where that was asked for. With an odd seed the path keeps the order of
 * packets, and two streams may give messages up; with an even one it is the other way
 * round. Both at once is more than lksctp can bear without any mechanism: what it
 * counts as in flight falls below zero, and nothing is sent any more.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "world.h"

/* Needs the types that world.h and the C library bring. */
#include <linux/sctp.h>

#define STREAMS 8
/* Of these streams, messages may be given up: after a time, and after one retransmission. */
#define TIMED 6
#define ONCE 7
/* This one has no order. */
#define UNORDERED 5
#define MOST_BYTES 4000
/* RTO is a minute at most, and one retransmission in eight is lost. */
#define STUCK (1000 * 1000 * MS)

struct head {
	uint32_t number; /* in its stream */
	uint16_t stream, length;
};

struct run {
	unsigned long long state;
	long events, lost, repeated, reordered;
	uint32_t written[STREAMS], arrived[STREAMS], expected[STREAMS];
	bool partial; /* the seed is odd */
	uint8_t *seen; /* of the stream without order */
	int64_t last; /* arrival */
};

static unsigned int below(struct run *run, unsigned int limit)
{
	run->state = run->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (run->state >> 33) % limit;
}

static struct fate disturb(struct world *world, const struct packet *packet)
{
	struct run *run = world->own;
	unsigned int jitter = run->partial ? 0 : 40;
	struct fate fate = { 1, { (40 + below(run, 1 + jitter)) * MS } };

	(void)packet;
	if (!below(run, 8)) {
		run->lost++;
		fate.copies = 0;
	} else if (!below(run, 20)) {
		run->repeated++;
		fate.copies = 2;
		fate.after[1] = (40 + below(run, 1 + 4 * jitter)) * MS;
	} else if (!run->partial && !below(run, 20)) {
		run->reordered++;
		fate.after[0] += 100 * MS;
	}
	run->events = run->lost + run->repeated + run->reordered;
	return fate;
}

static uint8_t byte_of(const struct head *head, size_t at)
{
	return head->number * 31 + head->stream * 7 + at * 13 + (at >> 8);
}

static void check(struct run *run, const uint8_t *message, size_t length, uint16_t stream)
{
	struct head head;

	if (length < sizeof(head))
		fail("a message of %zu bytes", length);
	memcpy(&head, message, sizeof(head));
	if (head.length != length || head.stream != stream || stream >= STREAMS)
		fail("message %u of stream %u has %zu bytes, on stream %u", head.number, head.stream,
		     length, stream);
	for (size_t at = sizeof(head); at < length; at++)
		if (message[at] != byte_of(&head, at))
			fail("byte %zu of message %u on stream %u is wrong", at, head.number, stream);
	if (stream == UNORDERED) {
		if (head.number >= run->written[stream] || run->seen[head.number]++)
			fail("message %u without order came twice", head.number);
	} else if (head.number < run->expected[stream] ||
		   (head.number != run->expected[stream] &&
		    !(run->partial && (stream == TIMED || stream == ONCE)))) {
		fail("message %u on stream %u in place of %u", head.number, stream,
		     run->expected[stream]);
	}
	run->expected[stream] = head.number + 1;
	run->arrived[stream]++;
	run->last = now();
}

static void take_all(struct world *world)
{
	static uint8_t message[MOST_BYTES];
	static size_t length;
	char control[256];

	for (;;) {
		struct iovec part = { message + length, sizeof(message) - length };
		struct msghdr head = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
				       .msg_controllen = sizeof(control) };
		ssize_t got = recvmsg(world->socket[RECEIVER], &head, 0);
		struct cmsghdr *found = got > 0 ? CMSG_FIRSTHDR(&head) : NULL;

		if (got < 0)
			return;
		if (!got || !found)
			fail("the association has ended");
		length += got;
		if (!(head.msg_flags & MSG_EOR))
			continue;
		check(world->own, message, length,
		      ((struct sctp_rcvinfo *)CMSG_DATA(found))->rcv_sid);
		length = 0;
	}
}

static void write_one(struct world *world)
{
	struct run *run = world->own;
	uint16_t stream = below(run, STREAMS);
	struct head head = { run->written[stream], stream,
			     below(run, 20) ? 8 + below(run, 300) : 8 + below(run, MOST_BYTES - 8) };
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(sizeof(struct sctp_sndinfo)) +
			      CMSG_SPACE(sizeof(struct sctp_prinfo))];
	} control = {};
	uint8_t message[MOST_BYTES];
	struct iovec part = { message, head.length };
	struct msghdr sent = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
			       .msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *one = CMSG_FIRSTHDR(&sent);
	struct sctp_sndinfo info = { .snd_sid = stream,
				     .snd_flags = stream == UNORDERED ? SCTP_UNORDERED : 0 };
	struct sctp_prinfo limits = {
		.pr_policy = SCTP_PR_SCTP_NONE,
	};

	if (run->partial && stream == TIMED)
		limits = (struct sctp_prinfo){ SCTP_PR_SCTP_TTL, 150 };
	if (run->partial && stream == ONCE)
		limits = (struct sctp_prinfo){ SCTP_PR_SCTP_RTX, 1 };
	memcpy(message, &head, sizeof(head));
	for (size_t at = sizeof(head); at < head.length; at++)
		message[at] = byte_of(&head, at);
	*one = (struct cmsghdr){ CMSG_LEN(sizeof(info)), IPPROTO_SCTP, SCTP_SNDINFO };
	memcpy(CMSG_DATA(one), &info, sizeof(info));
	one = CMSG_NXTHDR(&sent, one);
	*one = (struct cmsghdr){ CMSG_LEN(sizeof(limits)), IPPROTO_SCTP, SCTP_PRINFO };
	memcpy(CMSG_DATA(one), &limits, sizeof(limits));
	/* A full buffer is no error: its turn comes later. */
	if (sendmsg(world->socket[SENDER], &sent, 0) == (ssize_t)head.length)
		run->written[stream]++;
	if (run->written[UNORDERED] % (1 << 16) == 0)
		run->seen = realloc(run->seen, run->written[UNORDERED] + (1 << 16));
	if (run->written[UNORDERED] % (1 << 16) == 0)
		memset(run->seen + run->written[UNORDERED], 0, 1 << 16);
}

static void change_something(struct world *world)
{
	struct run *run = world->own;
	int value = (int)below(run, 3) - 1;

	switch (below(run, 3)) {
	case 0:
		world_switch(world, below(run, 4) ? EVERY_MECHANISM : below(run, 1 << MECHANISMS));
		break;
	case 1:
		if (setsockopt(world->socket[SENDER], IPPROTO_SCTP,
			       FIRST_OPTION + below(run, MECHANISMS), &value, sizeof(value)))
			fail("setting an option");
		break;
	case 2:
		world_delay_sacks(world, below(run, 2));
		break;
	}
}

static bool all_there(const struct run *run)
{
	for (int stream = 0; stream < (run->partial ? TIMED : STREAMS); stream++)
		if (run->arrived[stream] != run->written[stream])
			return false;
	return true;
}

int run_hostile(int argc, char **argv)
{
	long events = argc > 0 ? atol(argv[0]) : 2000;
	struct run run = { .state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1 };
	struct world world = { .decide = disturb, .received = take_all, .own = &run };
	unsigned long long seed = run.state;
	const char *counters[] = {
		"SctpThinRtoMins", "SctpThinRtoRestarts", "SctpThinLinearTimeouts",
		"SctpThinFastRetransmits", "SctpThinRtxBundles", "SctpThinSacksImmediately",
		"SctpThinBundles", "SctpThinTailCopies", "SctpThinCopies", "SctpThinRepairs",
	};
	uint32_t written = 0, arrived = 0;
	bool fixed = argc > 2, silent = false;

	if (events <= 0)
		fail("hostile: give a number of events");
	run.partial = seed % 2;
	run.seen = calloc(1, 1 << 16);
	world_make(&world, false);
	world_sysctl(&world, SENDER, "association_max_retrans", "1000");
	world_sysctl(&world, RECEIVER, "association_max_retrans", "1000");
	world_switch(&world, fixed ? strtoul(argv[2], NULL, 0) : EVERY_MECHANISM);
	world_connect(&world, false, STREAMS);
	run.last = now();
	while (run.events < events && now() - run.last < STUCK) {
		write_one(&world);
		if (!fixed && !below(&run, 50))
			change_something(&world);
		world_run(&world, now() + below(&run, below(&run, 10) ? 120 : 1000) * MS);
	}
	while (!all_there(&run) && now() - run.last < STUCK)
		world_run(&world, now() + 1000 * MS);
	for (int stream = 0; stream < STREAMS; stream++) {
		written += run.written[stream];
		arrived += run.arrived[stream];
	}
	if (!all_there(&run)) {
		for (int stream = 0; stream < STREAMS; stream++)
			printf("stream %d: %u of %u\n", stream, run.arrived[stream], run.written[stream]);
		world_print(&world, SENDER, "assocs");
		world_print(&world, SENDER, "remaddr");
		world_print(&world, RECEIVER, "assocs");
		world_print(&world, SENDER, "snmp");
		errno = 0;
		fail("%u of %u messages have arrived", arrived, written);
	}
	printf("seed %llu: %ld losses, %ld repetitions, %ld late: %u of %u messages, every byte right\n", seed,
	       run.lost, run.repeated, run.reordered, arrived, written);
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		long value = world_counter(&world, counters[i]);

		printf("%s %ld\n", counters[i], value);
		silent |= value <= 0;
	}
	if (silent && !fixed)
		printf("FAILED: a mechanism had no part in it\n");
	return silent && !fixed;
}
