/* A path that loses, repeats and reorders, or two of which one dies and comes back, while
 * mechanisms are switched at random: what arrives has to be what was written, every byte,
 * once, and in the order of its stream where that was asked for. With an odd seed two
 * streams may give messages up, and with every second odd one (5, 9, 13 ...) the path
 * keeps the order of packets.
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
#define PROGRESS 20000 /* events from line to line */
#define FAILSLAB "/sys/kernel/debug/failslab/"

struct head {
	uint32_t number; /* in its stream */
	uint16_t stream, length;
};

struct run {
	unsigned long long state;
	long events, lost, repeated, reordered;
	uint32_t written[STREAMS], arrived[STREAMS], expected[STREAMS];
	bool partial, ordered; /* by the seed */
	uint8_t *seen; /* of the stream without order */
	int64_t last; /* arrival */

	/* With two paths: when one that is dead comes back, and where new data went last. */
	int64_t dead_until[PATHS];
	long deaths, lost_on_dead, heartbeats, answered, failovers, data[PATHS];
	uint32_t newest;
	int path;
};

static unsigned int below(struct run *run, unsigned int limit)
{
	run->state = run->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (run->state >> 33) % limit;
}

/* Where it goes. */
static void follow(struct run *run, const struct packet *packet)
{
	uint32_t tsn;

	run->heartbeats += packet->heartbeat;
	if (packet->from != SENDER || !packet->count)
		return;
	run->data[packet->path]++;
	tsn = packet->data[packet->count - 1].tsn;
	if (run->newest && (int32_t)(tsn - run->newest) <= 0)
		return;
	run->failovers += run->newest && packet->path != run->path;
	run->newest = tsn;
	run->path = packet->path;
}

static struct fate disturb(struct world *world, const struct packet *packet)
{
	struct run *run = world->own;
	unsigned int jitter = run->ordered ? 0 : 40;
	struct fate fate = { 1, { (40 + below(run, 1 + jitter)) * MS } };

	follow(run, packet);
	if (world->now < run->dead_until[packet->path]) {
		run->lost_on_dead++;
		return (struct fate){};
	}
	run->answered += packet->heartbeat_ack;
	if (!below(run, 8)) {
		run->lost++;
		fate.copies = 0;
	} else if (!below(run, 20)) {
		run->repeated++;
		fate.copies = 2;
		fate.after[1] = (40 + below(run, 1 + 4 * jitter)) * MS;
	} else if (!run->ordered && !below(run, 20)) {
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

static void check(const struct world *world, const uint8_t *message, size_t length, uint16_t stream)
{
	struct run *run = world->own;
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
	run->last = world->now;
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
		check(world, message, length,
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
	uint8_t message[MOST_BYTES];
	struct manner manner = { .stream = stream, .unordered = stream == UNORDERED };

	if (run->partial && stream == TIMED)
		manner.policy = SCTP_PR_SCTP_TTL, manner.limit = 150;
	if (run->partial && stream == ONCE)
		manner.policy = SCTP_PR_SCTP_RTX, manner.limit = 1;
	memcpy(message, &head, sizeof(head));
	for (size_t at = sizeof(head); at < head.length; at++)
		message[at] = byte_of(&head, at);
	/* A full buffer is no error: its turn comes later. */
	if (world_send(world, message, head.length, manner))
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

	switch (below(run, world->paths == 1 ? 3 : 5)) {
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
	case 3:
		/* One at a time: what both lose has nowhere to go. */
		if (world->now > run->dead_until[0] && world->now > run->dead_until[1]) {
			run->dead_until[below(run, PATHS)] = world->now + (1 + below(run, 30)) * 1000 * MS;
			run->deaths++;
		}
		break;
	case 4:
		world_choose_path(world, below(run, PATHS));
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

/* Of the allocations that may not wait, so many in a hundred fail: only the debug kernel's. */
static void fail_allocations(unsigned int percent)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", percent);
	write_file(FAILSLAB "times", "-1");
	write_file(FAILSLAB "verbose", "0");
	write_file(FAILSLAB "probability", text);
}

struct plan {
	long events;
	unsigned long long seed;
	bool ipv6, fixed;
	int paths;
	unsigned int mechanisms, failing;
};

static struct plan read_plan(int argc, char **argv)
{
	struct plan plan = { .events = argc > 0 ? atol(argv[0]) : 2000,
			     .seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1,
			     .paths = 1, .mechanisms = EVERY_MECHANISM };

	for (int i = 2; i < argc; i++)
		if (!strcmp(argv[i], "ipv6"))
			plan.ipv6 = true;
		else if (!strcmp(argv[i], "two-paths"))
			plan.paths = PATHS;
		else if (sscanf(argv[i], "mechanisms=%i", (int *)&plan.mechanisms) == 1)
			plan.fixed = true;
		else if (sscanf(argv[i], "failing=%u", &plan.failing) != 1)
			fail("hostile: %s is none of ipv6, two-paths, mechanisms=MASK, failing=PERCENT",
			     argv[i]);
	if (plan.events <= 0)
		fail("hostile: give a number of events");
	return plan;
}

static void begin(struct world *world, const struct plan *plan)
{
	world_make(world, plan->ipv6, plan->paths);
	for (int host = 0; host < 2; host++) {
		world_sysctl(world, host, "association_max_retrans", "1000");
		if (plan->paths == 1)
			continue;
		/* A path is given up after some seconds, and found again. */
		world_sysctl(world, host, "path_max_retrans", "2");
		world_sysctl(world, host, "hb_interval", "2000");
		world_sysctl(world, host, "rto_max", "4000");
	}
	world_switch(world, plan->mechanisms);
	world_connect(world, STREAMS, false);
}

static void disturb_all(struct world *world, const struct plan *plan)
{
	struct run *run = world->own;
	long told = 0;

	if (plan->failing)
		fail_allocations(plan->failing);
	run->last = world->now;
	while (run->events < plan->events && world->now - run->last < STUCK) {
		write_one(world);
		if (!below(run, 50) && !plan->fixed)
			change_something(world);
		world_run(world, world->now + below(run, below(run, 10) ? 120 : 1000) * MS);
		if (run->events - told >= PROGRESS) {
			told = run->events;
			progress("seed %llu: %ld of %ld events, after %lld s", plan->seed,
				 run->events, plan->events, world->now / (1000 * MS));
		}
	}
	if (plan->failing)
		fail_allocations(0);
	memset(run->dead_until, 0, sizeof(run->dead_until));
	while (!all_there(run) && world->now - run->last < STUCK)
		world_run(world, world->now + 1000 * MS);
}

static void tell_what_is_missing(struct world *world)
{
	struct run *run = world->own;

	for (int stream = 0; stream < STREAMS; stream++)
		printf("stream %d: %u of %u\n", stream, run->arrived[stream], run->written[stream]);
	world_print(world, SENDER, "assocs");
	world_print(world, SENDER, "remaddr");
	world_print(world, RECEIVER, "assocs");
	world_print(world, SENDER, "snmp");
}

/* Whether each mechanism has had its part in it, and each path. */
static bool tell_who_took_part(struct world *world, const struct plan *plan)
{
	static const char *const counters[] = {
		"SctpThinRtoMins", "SctpThinRtoRestarts", "SctpThinLinearTimeouts",
		"SctpThinFastRetransmits", "SctpThinRtxBundles", "SctpThinSacksImmediately",
		"SctpThinBundles", "SctpThinTailCopies", "SctpThinCopies", "SctpThinRepairs",
	};
	const struct run *run = world->own;
	bool all = true;

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		long value = world_counter(world, counters[i]);

		printf("%s %ld\n", counters[i], value);
		all &= plan->fixed || value > 0;
	}
	if (plan->paths == 1)
		return all;
	printf("%ld times a path died, with %ld packets; new data changed its path %ld times; "
	       "%ld and %ld packets with data, %ld heartbeats, %ld answered\n",
	       run->deaths, run->lost_on_dead, run->failovers, run->data[0], run->data[1],
	       run->heartbeats, run->answered);
	return all && (plan->fixed || (run->deaths && run->failovers)) && run->data[0] &&
	       run->data[1] && run->answered;
}

int run_hostile(int argc, char **argv)
{
	struct plan plan = read_plan(argc, argv);
	struct run run = { .state = plan.seed, .partial = plan.seed % 2,
			   .ordered = plan.seed % 4 == 1, .seen = calloc(1, 1 << 16) };
	struct world world = { .decide = disturb, .received = take_all, .own = &run };
	uint32_t written = 0, arrived = 0;

	begin(&world, &plan);
	disturb_all(&world, &plan);
	for (int stream = 0; stream < STREAMS; stream++) {
		written += run.written[stream];
		arrived += run.arrived[stream];
	}
	if (!all_there(&run)) {
		tell_what_is_missing(&world);
		errno = 0;
		fail("%u of %u messages have arrived", arrived, written);
	}
	printf("seed %llu, IPv%d, %d path%s: %ld losses, %ld repetitions, %ld late: "
	       "%u of %u messages, every byte right\n",
	       plan.seed, plan.ipv6 ? 6 : 4, plan.paths, plan.paths == 1 ? "" : "s", run.lost,
	       run.repeated, run.reordered, arrived, written);
	if (tell_who_took_part(&world, &plan))
		return 0;
	printf("FAILED: a mechanism or a path had no part in it\n");
	return 1;
}
