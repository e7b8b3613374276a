/* What becomes of single segments: each case sends a few, changes some of them on
 * their way without mending the checksum, and compares what is read, what is told
 * of it, and the counters. Bytes are a function of their position, so one in the
 * wrong place shows.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "world.h"

#define DELAY (20 * MS)
#define SEGMENTS 64

/* What happens to one of the sender's segments with data; FLIP and a number flips
 * this bit of its TCP header.
 */
enum { PASS, LOSE, DAMAGE, FIN, FLIP };

struct plan {
	int steps[SEGMENTS]; /* of the segments since it was set */
	int seen;
	size_t written, read; /* positions in the stream */
	int sums, no_sums, wrong_sums; /* segments with a header's checksum, and without */
	int flipped; /* segments with a bit flipped */
};

static const char *current;
static int failures;

#define want(condition, ...)                                      \
	do {                                                      \
		if (!(condition)) {                               \
			printf("FAILED %s: ", current);           \
			printf(__VA_ARGS__);                      \
			printf(" (%s, line %d)\n", #condition, __LINE__); \
			failures++;                               \
		}                                                 \
	} while (0)

static uint8_t byte_at(size_t position)
{
	return position * 131 + (position >> 8) * 29 + (position >> 16);
}

static int64_t follow(struct world *world, struct packet *packet)
{
	struct plan *plan = world->own;
	size_t bit;
	int step;

	if (!(packet->tcp[13] & 2)) {
		if (!header_sum(packet))
			plan->no_sums++;
		else if (header_sum_holds(packet))
			plan->sums++;
		else
			plan->wrong_sums++;
	}
	if (packet->from != SENDER || !packet->data || plan->seen >= SEGMENTS)
		return DELAY;
	step = plan->steps[plan->seen++];
	switch (step) {
	case LOSE:
		return -1;
	case DAMAGE:
		packet->tcp[packet->header + packet->data / 2] ^= 0x10;
		break;
	case FIN:
		packet->tcp[13] |= 1;
		break;
	case PASS:
		break;
	default:
		bit = step - FLIP;
		if (bit < packet->header * 8) {
			packet->tcp[bit / 8] ^= 0x80 >> bit % 8;
			plan->flipped++;
		}
	}
	return DELAY;
}

static void ask(struct world *world, int on)
{
	errno = 0;
	if (setsockopt(world->socket[RECEIVER], SOL_TCP, TCP_LITE, &on, sizeof(on)))
		fail("asking for TCP Lite");
}

static void send_bytes(struct world *world, size_t length)
{
	struct plan *plan = world->own;
	uint8_t *bytes = malloc(length);

	for (size_t i = 0; i < length; i++)
		bytes[i] = byte_at(plan->written + i);
	errno = 0;
	if (write(world->socket[SENDER], bytes, length) != (ssize_t)length)
		fail("writing");
	plan->written += length;
	free(bytes);
}

static void send_plainly(struct world *world, size_t length)
{
	send_bytes(world, length);
	world_run(world, now() + 100 * MS);
}

/* What happens to the next segments: as many as are named. */
static void plan_steps(struct world *world, int count, const int *steps)
{
	struct plan *plan = world->own;

	memset(plan->steps, 0, sizeof(plan->steps));
	memcpy(plan->steps, steps, count * sizeof(*steps));
	plan->seen = 0;
}

#define next_are(world, ...)                                            \
	plan_steps(world, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), \
		   (int[]){ __VA_ARGS__ })

/* A connection on which both have seen each other's time stamps. */
static void start(struct world *world, bool ipv6, bool lite)
{
	struct plan *plan = world->own;
	char hello = 'h';

	memset(plan, 0, sizeof(*plan));
	plan->seen = SEGMENTS;
	world_connect(world, ipv6, 0);
	if (lite)
		ask(world, 1);
	send_plainly(world, 100);
	if (write(world->socket[RECEIVER], &hello, 1) != 1)
		fail("answering");
	world_run(world, now() + 100 * MS);
	send_plainly(world, 100);
}

/* Reads up to so many bytes and compares; the number of wrong bytes that are not
 * told of, and of wrong ones in *wrong.
 */
static long read_bytes(struct world *world, size_t length, int flags, size_t room,
		       struct told *told, long *untold, long *wrong)
{
	struct plan *plan = world->own;
	uint8_t *bytes = malloc(length);
	long got = read_told(world->socket[RECEIVER], bytes, length, flags, room, told);

	*untold = *wrong = 0;
	for (long i = 0; i < got; i++) {
		bool covered = false;

		for (int k = 0; k < told->count; k++)
			covered |= i >= told->ranges[k].offset &&
				   i < told->ranges[k].offset + told->ranges[k].length;
		if (bytes[i] != byte_at(plan->read + i)) {
			++*wrong;
			*untold += !covered;
		}
	}
	if (got > 0 && !(flags & MSG_PEEK))
		plan->read += got;
	free(bytes);
	return got;
}

/* Reads once, all there is, and compares with `count` ranges. */
static void expect(struct world *world, long length, int count, const struct lite_range *ranges)
{
	struct told told;
	long untold, wrong;
	long got = read_bytes(world, 65536, 0, 1024, &told, &untold, &wrong);

	want(got == length, "read %ld bytes, not %ld", got, length);
	want(!told.cut && told.count == count, "told of %d ranges, not %d", told.count, count);
	for (int i = 0; i < count && i < told.count; i++)
		want(told.ranges[i].offset == ranges[i].offset &&
		     told.ranges[i].length == ranges[i].length,
		     "range %d is %u+%u, not %u+%u", i, told.ranges[i].offset,
		     told.ranges[i].length, ranges[i].offset, ranges[i].length);
	want(!untold, "%ld wrong bytes were not told", untold);
	want(count || !wrong, "%ld bytes are wrong", wrong);
}

#define expect_ranges(world, length, ...)                                       \
	expect(world, length, sizeof((struct lite_range[]){ __VA_ARGS__ }) /    \
	       sizeof(struct lite_range), (struct lite_range[]){ __VA_ARGS__ })

static struct lite_info info_of(struct world *world)
{
	struct lite_info info;
	socklen_t length = sizeof(info);

	errno = 0;
	if (getsockopt(world->socket[RECEIVER], SOL_TCP, TCP_LITE_INFO, &info, &length) ||
	    length != sizeof(info))
		fail("reading TCP_LITE_INFO");
	return info;
}

static long counted(struct world *world, const char *name)
{
	return world_counter(world, RECEIVER, name);
}

/* --- the cases */

static void off(struct world *world, bool ipv6)
{
	long errors = counted(world, "InCsumErrors"), segs = counted(world, "TCPLiteSegs");

	start(world, ipv6, false);
	next_are(world, PASS, DAMAGE, PASS);
	for (int i = 0; i < 3; i++)
		send_bytes(world, 100);
	world_run(world, now() + 1000 * MS);
	expect(world, 500, 0, NULL);
	want(counted(world, "InCsumErrors") == errors + 1, "one segment was damaged");
	want(counted(world, "TCPLiteSegs") == segs, "it is off");
}

static void accepted(struct world *world, bool ipv6)
{
	long errors = counted(world, "InCsumErrors"), segs = counted(world, "TCPLiteSegs"),
	     bytes = counted(world, "TCPLiteBytes");
	struct tcp_info tcp;
	socklen_t length = sizeof(tcp);

	start(world, ipv6, true);
	next_are(world, PASS, DAMAGE, PASS);
	for (int i = 0; i < 3; i++)
		send_bytes(world, 100);
	world_run(world, now() + 1000 * MS);
	want(info_of(world).unread == 100, "%u bytes are not read", info_of(world).unread);
	expect_ranges(world, 500, { 300, 100 });
	want(counted(world, "InCsumErrors") == errors, "what is accepted is no error");
	want(counted(world, "TCPLiteSegs") == segs + 1, "it counts");
	want(counted(world, "TCPLiteBytes") == bytes + 100, "its bytes count");
	want(info_of(world).segs == 1 && info_of(world).bytes == 100 && !info_of(world).unread &&
	     !info_of(world).refused, "the socket counts them as well");
	getsockopt(world->socket[SENDER], SOL_TCP, TCP_INFO, &tcp, &length);
	want(!tcp.tcpi_total_retrans, "nothing is sent again");
}

/* Short ones have their checksum looked at before the socket is known. */
static void short_segment(struct world *world, bool ipv6)
{
	start(world, ipv6, true);
	next_are(world, DAMAGE, PASS);
	send_bytes(world, 5);
	send_bytes(world, 5);
	world_run(world, now() + 1000 * MS);
	expect_ranges(world, 210, { 200, 5 });
}

static void by_sysctl(struct world *world, bool ipv6)
{
	world_sysctl(world, RECEIVER, "tcp_lite", "1");
	start(world, ipv6, false);
	next_are(world, DAMAGE);
	send_bytes(world, 50);
	world_run(world, now() + 1000 * MS);
	expect_ranges(world, 250, { 200, 50 });
	world_sysctl(world, RECEIVER, "tcp_lite", "0");
}

static void neighbours(struct world *world, bool ipv6)
{
	start(world, ipv6, true);
	next_are(world, DAMAGE, DAMAGE, PASS, PASS, DAMAGE);
	for (int i = 0; i < 5; i++)
		send_bytes(world, 100);
	world_run(world, now() + 1000 * MS);
	expect_ranges(world, 700, { 200, 200 }, { 600, 100 });
}

/* Behind a hole: reported by SACK, and told of once the hole is filled. */
static void out_of_order(struct world *world, bool ipv6)
{
	start(world, ipv6, true);
	next_are(world, LOSE, PASS, DAMAGE, DAMAGE, PASS);
	for (int i = 0; i < 5; i++)
		send_bytes(world, 100);
	world_run(world, now() + 1000 * MS);
	expect_ranges(world, 700, { 400, 200 });
}

/* A retransmission that is damaged fills its hole. */
static void damaged_repair(struct world *world, bool ipv6)
{
	start(world, ipv6, true);
	next_are(world, LOSE, PASS, PASS, PASS, DAMAGE);
	for (int i = 0; i < 4; i++)
		send_bytes(world, 100);
	world_run(world, now() + 2000 * MS);
	expect_ranges(world, 600, { 200, 100 });
}

static void parts_of_a_range(struct world *world, bool ipv6)
{
	struct told told;
	long untold, wrong;

	start(world, ipv6, true);
	next_are(world, DAMAGE, PASS);
	send_bytes(world, 100);
	send_bytes(world, 100);
	world_run(world, now() + 100 * MS);
	for (int i = 0; i < 2; i++) {
		long got = read_bytes(world, 250, i ? 0 : MSG_PEEK, 1024, &told, &untold, &wrong);

		want(got == 250 && told.count == 1 && told.ranges[0].offset == 200 &&
		     told.ranges[0].length == 50, "peeked or read %ld", got);
	}
	expect_ranges(world, 150, { 0, 50 });
}

static void untold(struct world *world, bool ipv6)
{
	long before = counted(world, "TCPLiteUntold");
	struct told told;
	long hidden, wrong;
	char bytes[100];

	start(world, ipv6, true);
	next_are(world, DAMAGE, DAMAGE);
	send_bytes(world, 100);
	send_bytes(world, 100);
	world_run(world, now() + 100 * MS);
	read_bytes(world, 300, MSG_PEEK, 0, &told, &hidden, &wrong);
	want(told.cut && counted(world, "TCPLiteUntold") == before, "peeking loses nothing");
	read_bytes(world, 300, 0, 0, &told, &hidden, &wrong);
	want(told.cut && !told.count && wrong == 1, "there is no room");
	want(counted(world, "TCPLiteUntold") == before + 100, "what is not told counts");
	want(read(world->socket[RECEIVER], bytes, 100) == 100, "read() gives it");
	want(counted(world, "TCPLiteUntold") == before + 200, "and counts it");
}

static void many_ranges(struct world *world, bool ipv6)
{
	int steps[40];
	struct told told;
	long hidden, wrong;

	for (int i = 0; i < 40; i++)
		steps[i] = i % 2 ? DAMAGE : PASS;
	start(world, ipv6, true);
	plan_steps(world, 40, steps);
	for (int i = 0; i < 40; i++) {
		send_bytes(world, 10);
		world_run(world, now() + 50 * MS);
	}
	want(read_bytes(world, 65536, MSG_WAITALL, 1024, &told, &hidden, &wrong) == 200 + 330,
	     "a read ends before what it cannot tell");
	want(told.count == 16 && !told.cut && !hidden, "%d ranges", told.count);
	want(read_bytes(world, 65536, 0, 1024, &told, &hidden, &wrong) == 70, "the rest");
	want(told.count == 4 && !hidden, "%d ranges in the rest", told.count);
}

static void spliced(struct world *world, bool ipv6)
{
	int ends[2];

	start(world, ipv6, true);
	next_are(world, DAMAGE);
	send_bytes(world, 100);
	world_run(world, now() + 100 * MS);
	if (pipe(ends))
		fail("making a pipe");
	want(splice(world->socket[RECEIVER], NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK) == 200,
	     "splice takes what is right");
	errno = 0;
	want(splice(world->socket[RECEIVER], NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK) == -1 &&
	     errno == EOPNOTSUPP, "and no more: errno %d", errno);
	((struct plan *)world->own)->read += 200;
	expect_ranges(world, 100, { 0, 100 });
	close(ends[0]);
	close(ends[1]);
}

/* Switched off with some not read: that stays, and is told; the next is refused. */
static void switched_off(struct world *world, bool ipv6)
{
	start(world, ipv6, true);
	next_are(world, DAMAGE, DAMAGE, PASS);
	send_bytes(world, 100);
	world_run(world, now() + 100 * MS);
	ask(world, 0);
	want(info_of(world).unread == 100, "it tells that some is left");
	send_bytes(world, 100);
	send_bytes(world, 100);
	world_run(world, now() + 1000 * MS);
	expect_ranges(world, 500, { 200, 100 });
}

static void end_of_stream(struct world *world, bool ipv6)
{
	long refused = counted(world, "TCPLiteBadFlags");
	char byte;

	start(world, ipv6, true);
	next_are(world, FIN, PASS);
	send_bytes(world, 100);
	world_run(world, now() + 1000 * MS);
	expect(world, 300, 0, NULL);
	want(counted(world, "TCPLiteBadFlags") == refused + 1, "a FIN is not believed");
	want(read(world->socket[RECEIVER], &byte, 1) == -1 && errno == EAGAIN, "it is no end");
	shutdown(world->socket[SENDER], SHUT_WR);
	world_run(world, now() + 1000 * MS);
	want(read(world->socket[RECEIVER], &byte, 1) == 0, "this is one");
}

/* Each bit of the header, one at a time. The payload is whole, so every byte has to
 * be right, told of or not: anything else would be in the wrong place.
 */
static void flip_all(struct world *world, bool ipv6, bool in_bulk)
{
	struct plan *plan = world->own;
	struct tcp_info tcp;
	socklen_t length = sizeof(tcp);
	size_t size = in_bulk ? 0 : 100;
	struct lite_info info;
	struct told told;
	long hidden, wrong, got;

	start(world, ipv6, true);
	getsockopt(world->socket[SENDER], SOL_TCP, TCP_INFO, &tcp, &length);
	if (in_bulk) {
		size = tcp.tcpi_snd_mss;
		send_plainly(world, 4 * size);
	}
	while ((got = read_bytes(world, 65536, 0, 1024, &told, &hidden, &wrong)) > 0)
		want(!wrong, "wrong before anything was done");
	for (int bit = 0; bit < 32 * 8; bit++) {
		if (in_bulk)
			next_are(world, PASS, LOSE, FLIP + bit, PASS, PASS);
		else
			next_are(world, PASS, FLIP + bit, PASS, PASS, PASS);
		for (int i = 0; i < 5; i++)
			send_bytes(world, size);
		world_run(world, now() + 3000 * MS);
		while ((got = read_bytes(world, 65536, 0, 1024, &told, &hidden, &wrong)) > 0)
			want(!wrong, "bit %d: %ld bytes in the wrong place", bit, wrong);
		want(plan->read == plan->written, "bit %d: %zu bytes of %zu", bit, plan->read, plan->written);
		if (plan->read != plan->written)
			break;
	}
	info = info_of(world);
	want(info.segs > 20 && (int)info.refused > plan->flipped / 2, "%u accepted, %u refused of %d", info.segs,
	     info.refused, plan->flipped);
	printf("   %d headers with one bit flipped: %u segments accepted and told, %u refused\n",
	       plan->flipped, info.segs, info.refused);
}

static void each_bit(struct world *world, bool ipv6)
{
	flip_all(world, ipv6, false);
}

static void each_bit_behind_a_hole(struct world *world, bool ipv6)
{
	flip_all(world, ipv6, true);
}

static void each_bit_without_time_stamps(struct world *world, bool ipv6)
{
	world_sysctl(world, RECEIVER, "tcp_timestamps", "0");
	flip_all(world, ipv6, false);
	world_sysctl(world, RECEIVER, "tcp_timestamps", "1");
}

/* A number of full segments behind what is there; others are not believed. */
static void places(struct world *world, bool ipv6)
{
	struct tcp_info tcp;
	socklen_t length = sizeof(tcp);
	uint32_t mss;
	long refused;

	start(world, ipv6, true);
	getsockopt(world->socket[SENDER], SOL_TCP, TCP_INFO, &tcp, &length);
	mss = tcp.tcpi_snd_mss;
	send_plainly(world, 4 * mss);
	next_are(world, LOSE, LOSE, DAMAGE, PASS);
	for (int i = 0; i < 4; i++)
		send_bytes(world, mss);
	world_run(world, now() + 2000 * MS);
	expect_ranges(world, 200 + 8 * mss, { 200 + 6 * mss, mss });

	refused = counted(world, "TCPLiteBadPlace");
	next_are(world, LOSE, DAMAGE, PASS);
	send_bytes(world, 70);
	send_bytes(world, 90);
	send_bytes(world, 90);
	world_run(world, now() + 2000 * MS);
	expect(world, 250, 0, NULL);
	want(counted(world, "TCPLiteBadPlace") == refused + 1, "it could begin anywhere");
}

/* The queue is copied into fewer buffers when it is too large; a small buffer and
 * one byte in each segment bring that about.
 */
static void collapsed(struct world *world, bool ipv6)
{
	struct plan *plan = world->own;
	long before = counted(world, "TCPRcvCollapsed"), bytes = counted(world, "TCPLiteBytes");
	int buffer = 4096;
	struct told told;
	long hidden, wrong, got, damaged = 0;

	start(world, ipv6, true);
	setsockopt(world->socket[RECEIVER], SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
	for (int i = 0; i < 60; i++) {
		if (i % 3 == 0)
			next_are(world, DAMAGE);
		send_bytes(world, 20);
		world_run(world, now() + 50 * MS);
	}
	world_run(world, now() + 1000 * MS);
	for (int tries = 0; tries < 20 && plan->read != plan->written; tries++) {
		while ((got = read_bytes(world, 65536, 0, 1024, &told, &hidden, &wrong)) > 0) {
			want(!hidden, "%ld wrong bytes are not told", hidden);
			for (int i = 0; i < told.count; i++)
				damaged += told.ranges[i].length;
		}
		world_run(world, now() + 1000 * MS);
	}
	want(plan->read == plan->written, "%zu bytes of %zu", plan->read, plan->written);
	/* What there is no memory for comes again, and counts twice. */
	bytes = counted(world, "TCPLiteBytes") - bytes;
	want(damaged > 0 && damaged <= bytes, "%ld bytes told, %ld accepted", damaged, bytes);
	want(counted(world, "TCPRcvCollapsed") > before, "nothing was collapsed");
}

/* --- headers with a checksum of their own */

static void split(struct world *world, const char *sender, const char *receiver)
{
	world_sysctl(world, SENDER, "tcp_lite_split", sender);
	world_sysctl(world, RECEIVER, "tcp_lite_split", receiver);
}

static void agreed(struct world *world, bool ipv6)
{
	struct plan *plan = world->own;
	int on = 1;

	split(world, "1", "1");
	start(world, ipv6, true);
	split(world, "0", "0");
	want(info_of(world).split == 1, "it is agreed on");
	errno = 0;
	want(setsockopt(world->socket[SENDER], SOL_TCP, TCP_LITE_SPLIT, &on, sizeof(on)) == -1 &&
	     errno == EINVAL, "now it is too late to ask");
	next_are(world, LOSE, DAMAGE, DAMAGE, PASS);
	send_bytes(world, 70);
	send_bytes(world, 90);
	send_bytes(world, 3000);
	send_bytes(world, 90);
	world_run(world, now() + 2000 * MS);
	/* The first behind a hole of whatever size; 3000 bytes are three segments. */
	expect(world, 200 + 3250, 1, (struct lite_range[]){ { 270, 90 + 1440 - (ipv6 ? 20 : 0) } });
	want(!plan->no_sums && !plan->wrong_sums && plan->sums > 10,
	     "%d segments with a checksum, %d without, %d with a wrong one", plan->sums,
	     plan->no_sums, plan->wrong_sums);
}

/* Who is asked alone does not answer, and who asks alone does without. */
static void not_agreed(struct world *world, bool ipv6)
{
	struct plan *plan = world->own;

	for (int asks = 0; asks < 2; asks++) {
		if (asks)
			world_disconnect(world);
		split(world, asks == SENDER ? "1" : "0", asks == RECEIVER ? "1" : "0");
		start(world, ipv6, true);
		split(world, "0", "0");
		next_are(world, DAMAGE);
		send_bytes(world, 50);
		world_run(world, now() + 1000 * MS);
		expect_ranges(world, 250, { 200, 50 });
		want(!info_of(world).split && !plan->sums && !plan->wrong_sums, "nobody agreed");
	}
}

static bool knows_signatures(const struct world *world)
{
	struct tcp_md5sig none = {};

	errno = 0;
	setsockopt(world->socket[SENDER], SOL_TCP, TCP_MD5SIG, &none, sizeof(none));
	return errno != ENOPROTOOPT;
}

/* Each bit of each header: all that are changed are found, but for the payload's
 * checksum, which is none of the header.
 */
static void each_bit_found(struct world *world, bool ipv6)
{
	struct plan *plan = world->own;
	struct told told;
	long hidden, wrong, got, bad = counted(world, "TCPLiteBadHeader");
	struct lite_info info;

	split(world, "1", "1");
	start(world, ipv6, true);
	split(world, "0", "0");
	for (int bit = 0; bit < 40 * 8; bit++) {
		next_are(world, PASS, FLIP + bit, PASS);
		for (int i = 0; i < 3; i++)
			send_bytes(world, 100);
		world_run(world, now() + 2000 * MS);
		while ((got = read_bytes(world, 65536, 0, 1024, &told, &hidden, &wrong)) > 0)
			want(!wrong, "bit %d: %ld bytes in the wrong place", bit, wrong);
		want(plan->read == plan->written, "bit %d: %zu bytes of %zu", bit, plan->read, plan->written);
		if (plan->read != plan->written)
			break;
	}
	info = info_of(world);
	/* A damaged port leads to no socket, and 0 to 4 words are no header at all. A kernel with signatures (the
	 * debug kernel) looks at options before, and drops those whose lengths do not fit any more: 29 or 30.
	 */
	want(plan->flipped == 320 && info.segs == 16 &&
	     info.refused >= 320 - 16 - 32 - 4 - (knows_signatures(world) ? 32 : 0),
	     "%u accepted, %u refused of %d", info.segs, info.refused, plan->flipped);
	want(counted(world, "TCPLiteBadHeader") == bad + info.refused, "for no other reason");
	printf("   %d headers with one bit flipped: %u segments accepted and told, %u refused\n",
	       plan->flipped, info.segs, info.refused);
}

/* All of a header counts: this one ends the stream. */
static void end_with_damage(struct world *world, bool ipv6)
{
	struct tcp_info tcp;
	socklen_t length = sizeof(tcp);
	char byte;
	int on = 1;

	split(world, "1", "1");
	start(world, ipv6, true);
	split(world, "0", "0");
	setsockopt(world->socket[SENDER], SOL_TCP, TCP_CORK, &on, sizeof(on));
	next_are(world, DAMAGE);
	send_bytes(world, 100);
	shutdown(world->socket[SENDER], SHUT_WR);
	world_run(world, now() + 1000 * MS);
	want(info_of(world).unread == 100, "%u bytes are not read", info_of(world).unread);
	expect_ranges(world, 300, { 200, 100 });
	want(read(world->socket[RECEIVER], &byte, 1) == 0, "this is the end");
	getsockopt(world->socket[SENDER], SOL_TCP, TCP_INFO, &tcp, &length);
	want(!tcp.tcpi_total_retrans, "nothing is sent again");
}

static const struct {
	const char *name;
	void (*run)(struct world *, bool);
} cases[] = {
	{ "off", off },
	{ "accepted", accepted },
	{ "short segment", short_segment },
	{ "by sysctl", by_sysctl },
	{ "neighbours", neighbours },
	{ "out of order", out_of_order },
	{ "damaged repair", damaged_repair },
	{ "parts of a range", parts_of_a_range },
	{ "untold", untold },
	{ "many ranges", many_ranges },
	{ "splice", spliced },
	{ "switched off", switched_off },
	{ "end of stream", end_of_stream },
	{ "places", places },
	{ "collapsed", collapsed },
	{ "each bit", each_bit },
	{ "each bit behind a hole", each_bit_behind_a_hole },
	{ "each bit without time stamps", each_bit_without_time_stamps },
	{ "header's checksum: agreed", agreed },
	{ "header's checksum: not agreed", not_agreed },
	{ "header's checksum: each bit", each_bit_found },
	{ "header's checksum: end", end_with_damage },
};

int run_cases(int argc, char **argv)
{
	struct plan plan;
	struct world world = { .decide = follow, .own = &plan };
	char name[64];
	int count = 0;

	world_make(&world);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc && !strstr(cases[i].name, argv[0]))
			continue;
		for (int ipv6 = 0; ipv6 < 2; ipv6++) {
			snprintf(name, sizeof(name), "%s (IPv%d)", cases[i].name, ipv6 ? 6 : 4);
			current = name;
			cases[i].run(&world, ipv6);
			world_disconnect(&world);
			count++;
		}
	}
	printf("%d cases, %d failures\n", count, failures);
	return failures ? 1 : 0;
}
