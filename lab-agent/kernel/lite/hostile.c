/* A radio path that is bad for a while and good for a while: while it is bad, bits
 * flip anywhere in a packet. It loses and reorders as well, in both directions, and
 * sockets and namespaces switch TCP Lite, and how they read. Every byte that is
 * read has to be the one that was written in its place, or lie in a range that was
 * told of; and both streams have to end where they were ended.
 *
 * What the checksum cannot find, two bits that make up for each other, no TCP
 * finds: such packets pass as they were sent.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "world.h"

#define TCP_RDB 200
/* Much longer than the longest timeout. */
#define STUCK (10 * 1000 * 1000 * MS)

struct stream {
	size_t length, written, read;
	bool ended;
};

struct run {
	unsigned long long state;
	/* of the path */
	bool on;
	double errors; /* of a bit, while it is bad */
	bool bad;
	int64_t until; /* its next change */
	int64_t mean_bad, mean_good, jitter;
	unsigned int loss; /* of 1000 */
	/* of the connection; a stream is named by its writer */
	struct stream streams[2];
	int64_t progress;
	/* of all */
	long damaged, undetected, lost, packets;
	long told, wrong, cut_wrong, bytes;
	long displaced[2]; /* of headers without and with a checksum of their own */
	int to_show; /* packets, each a line */
};

static unsigned int below(struct run *run, unsigned int limit)
{
	run->state = run->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (run->state >> 33) % limit;
}

static double uniform(struct run *run)
{
	return (below(run, 1 << 30) + 0.5) / (1 << 30);
}

static int64_t exponential(struct run *run, int64_t mean)
{
	return -log(uniform(run)) * mean;
}

static uint8_t byte_at(int writer, size_t position)
{
	uint32_t mixed = (position + 1) * 2654435761u + writer * 97;

	return mixed >> 24 ^ mixed >> 11;
}

/* Flips bits; how many of them are in an IPv4 header. */
static int flip(struct run *run, struct packet *packet, long *flips)
{
	bool ipv4 = packet->bytes[0] >> 4 == 4;
	double bits = packet->length * 8;
	int in_header = 0;

	for (double at = log(uniform(run)) / log1p(-run->errors); at < bits;
	     at += 1 + log(uniform(run)) / log1p(-run->errors)) {
		size_t bit = at;

		packet->bytes[bit / 8] ^= 0x80 >> bit % 8;
		in_header += ipv4 && bit / 8 < 20;
		++*flips;
	}
	return in_header;
}

static uint32_t number(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

static void show(const struct packet *packet)
{
	const uint8_t *tcp = packet->tcp;

	printf("%lld ms, from host %d: seq %u, ack %u, flags %02x, window %u, %zu bytes of data\n",
	       (long long)(now() / MS), packet->from, number(tcp + 4), number(tcp + 8), tcp[13],
	       tcp[14] << 8 | tcp[15], packet->data);
}

static int64_t disturb(struct world *world, struct packet *packet)
{
	struct run *run = world->own;
	int64_t delay = 10 * MS + (run->jitter ? below(run, run->jitter) : 0);
	uint8_t whole[65536];
	long flips = 0;
	int in_header;

	if (run->to_show > 0) {
		run->to_show--;
		show(packet);
	}
	if (!run->on)
		return delay;
	run->packets++;
	while (now() >= run->until) {
		run->bad = !run->bad;
		run->until += exponential(run, run->bad ? run->mean_bad : run->mean_good) + 1;
	}
	if (below(run, 1000) < run->loss) {
		run->lost++;
		return -1;
	}
	if (!run->bad)
		return delay;
	memcpy(whole, packet->bytes, packet->length);
	in_header = flip(run, packet, &flips);
	if (!flips)
		return delay;
	/* The checksum of IPv4's header misses as much as TCP's does. */
	if (in_header > 1) {
		run->lost++;
		return -1;
	}
	if (checksum_holds(packet)) {
		if (in_header == flips)
			return delay;
		run->undetected++;
		memcpy(packet->bytes, whole, packet->length);
	} else if (packet->data) {
		run->damaged++;
	}
	return delay;
}

static bool covered(const struct told *told, long at)
{
	for (int i = 0; i < told->count; i++)
		if (at >= told->ranges[i].offset &&
		    at < (long)told->ranges[i].offset + told->ranges[i].length)
			return true;
	return false;
}

/* Damage leaves most bytes right; a segment in the wrong place next to none. */
static void look_for_displaced(struct world *world, const uint8_t *bytes, int host, size_t position,
			       const struct told *told)
{
	struct run *run = world->own;
	struct lite_info lite = { 0 };
	socklen_t length = sizeof(lite);

	getsockopt(world->socket[host], SOL_TCP, TCP_LITE_INFO, &lite, &length);
	for (int i = 0; i < told->count; i++) {
		for (uint32_t at = told->ranges[i].offset;
		     at + 32 <= told->ranges[i].offset + told->ranges[i].length; at += 32) {
			int wrong = 0;

			for (int k = 0; k < 32; k++)
				wrong += bytes[at + k] != byte_at(!host, position + at + k);
			run->displaced[!!lite.split] += wrong > 24;
		}
	}
}

/* Reads once at this host, in one of the ways there are; whether there was something. */
static bool read_some(struct world *world, int host)
{
	static uint8_t bytes[70000];
	struct run *run = world->own;
	struct stream *stream = &run->streams[!host];
	struct told told;
	int flags = below(run, 8) ? 0 : MSG_PEEK;
	size_t room = below(run, 16) ? 1024 : below(run, 100);
	long got = read_told(world->socket[host], bytes, 1 + below(run, below(run, 2) ? 70000 : 3000),
			     flags, room, &told);

	if (got < 0) {
		if (errno != EAGAIN)
			fail("reading at %zu of %zu", stream->read, stream->length);
		return false;
	}
	errno = 0;
	if (!got) {
		if (stream->read != stream->length)
			fail("it ends at %zu, not at %zu", stream->read, stream->length);
		stream->ended = true;
		return false;
	}
	for (int i = 0; i < told.count; i++)
		if (told.ranges[i].offset + told.ranges[i].length > got ||
		    (i && told.ranges[i].offset <= told.ranges[i - 1].offset + told.ranges[i - 1].length))
			fail("ranges that are none: %u+%u", told.ranges[i].offset, told.ranges[i].length);
	for (long i = 0; i < got; i++) {
		if (bytes[i] == byte_at(!host, stream->read + i))
			continue;
		if (!covered(&told, i) && !told.cut)
			fail("byte %zu is wrong, and nobody told", stream->read + i);
		if (!(flags & MSG_PEEK))
			covered(&told, i) ? run->wrong++ : run->cut_wrong++;
	}
	if (flags & MSG_PEEK)
		return false;
	for (int i = 0; i < told.count; i++)
		run->told += told.ranges[i].length;
	look_for_displaced(world, bytes, host, stream->read, &told);
	stream->read += got;
	run->bytes += got;
	run->progress = now();
	return true;
}

static void write_some(struct world *world, int host)
{
	static uint8_t bytes[40000];
	struct run *run = world->own;
	struct stream *stream = &run->streams[host];
	size_t length = 1 + below(run, below(run, 3) ? 2000 : sizeof(bytes));
	ssize_t done;

	if (stream->written == stream->length)
		return;
	if (length > stream->length - stream->written)
		length = stream->length - stream->written;
	for (size_t i = 0; i < length; i++)
		bytes[i] = byte_at(host, stream->written + i);
	done = write(world->socket[host], bytes, length);
	if (done < 0 && errno != EAGAIN)
		fail("writing at %zu of %zu", stream->written, stream->length);
	if (done > 0)
		stream->written += done;
	if (stream->written == stream->length)
		shutdown(world->socket[host], SHUT_WR);
}

static void switch_something(struct world *world)
{
	struct run *run = world->own;
	int host = below(run, 2), on = !!below(run, 3), size;
	socklen_t length = sizeof(size);

	switch (below(run, 4)) {
	case 0:
		world_sysctl(world, host, "tcp_lite", below(run, 4) ? "0" : "1");
		break;
	case 1:
		/* Only to more. One that shrinks below what waits there out of order
		 * closes the window, to what is missing as well, and after four
		 * minutes without an answer the sender gives up, whatever
		 * tcp_retries2 says (tcp_rtx_probe0_timed_out()): any TCP does,
		 * without TCP Lite, too. The kernel doubles what it is told.
		 */
		if (!getsockopt(world->socket[host], SOL_SOCKET, SO_RCVBUF, &size, &length) &&
		    size < 200000)
			setsockopt(world->socket[host], SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
		break;
	case 2:
		setsockopt(world->socket[host], SOL_TCP, TCP_RDB, &on, sizeof(on));
		break;
	default:
		if (setsockopt(world->socket[host], SOL_TCP, TCP_LITE, &on, sizeof(on)))
			fail("asking for TCP Lite");
	}
}

/* What is known of a connection that stands still. */
static void describe(struct world *world)
{
	struct run *run = world->own;

	for (int host = 0; host < 2; host++) {
		struct lite_info lite = { 0 };
		struct tcp_info tcp = { 0 };
		socklen_t length = sizeof(tcp);

		getsockopt(world->socket[host], SOL_TCP, TCP_INFO, &tcp, &length);
		length = sizeof(lite);
		getsockopt(world->socket[host], SOL_TCP, TCP_LITE_INFO, &lite, &length);
		printf("host %d: %u segments without an ACK, %u retransmissions, RTO %u us; %u accepted, %u refused, header's checksum %u\n",
		       host, tcp.tcpi_unacked, tcp.tcpi_retransmits, tcp.tcpi_rto, lite.segs, lite.refused,
		       lite.split);
		printf("host %d: wrote %zu of %zu, %u probes, backoff %u, state %u\n",
		       host, run->streams[host].written, run->streams[host].length,
		       tcp.tcpi_probes, tcp.tcpi_backoff, tcp.tcpi_state);
	}
	/* From here on without damage: what stands still now does so for good. */
	run->on = false;
	run->to_show = 12;
	world_run(world, now() + STUCK / 10);
}

/* One connection, from its handshake to the end of both streams. */
static void one_connection(struct world *world)
{
	static const double errors[] = { 5e-5, 2e-4, 5e-4, 1e-3 };
	struct run *run = world->own;
	const char *stamps = below(run, 4) ? "1" : "0";
	int on = 1;

	world_sysctl(world, SENDER, "tcp_timestamps", stamps);
	world_sysctl(world, SENDER, "tcp_sack", below(run, 4) ? "1" : "0");
	world_sysctl(world, SENDER, "tcp_rdb", below(run, 2) ? "1" : "0");
	for (int host = 0; host < 2; host++)
		world_sysctl(world, host, "tcp_lite_split", below(run, 3) ? "1" : "0");
	run->on = false;
	run->errors = errors[below(run, 4)];
	run->jitter = below(run, 2) ? 0 : below(run, 8) * MS;
	run->loss = below(run, 2) ? 0 : below(run, 30);
	run->mean_bad = (20 + below(run, 800)) * MS;
	run->mean_good = (200 + below(run, 800)) * MS;
	for (int host = 0; host < 2; host++)
		run->streams[host] = (struct stream){ .length = 1 + below(run, below(run, 2) ? 20000 : 600000) };
	world_connect(world, below(run, 2), below(run, 3) ? 0 : 4000 + below(run, 60000));
	for (int host = 0; host < 2; host++)
		if (below(run, 8) && setsockopt(world->socket[host], SOL_TCP, TCP_LITE, &on, sizeof(on)))
			fail("asking for TCP Lite");
	run->on = true;
	run->bad = false;
	run->until = run->progress = now();
	while (!run->streams[0].ended || !run->streams[1].ended) {
		for (int host = 0; host < 2; host++) {
			if (below(run, 3))
				write_some(world, host);
			while (below(run, 4) && read_some(world, host))
				;
		}
		if (!below(run, 20))
			switch_something(world);
		if (now() - run->progress > STUCK) {
			describe(world);
			fail("nothing is read any more: %zu of %zu, %zu of %zu", run->streams[0].read,
			     run->streams[0].length, run->streams[1].read, run->streams[1].length);
		}
		/* While nothing comes, timeouts are waited for in longer steps. */
		world_run(world, now() + below(run, 40) * MS + (now() - run->progress) / 8);
	}
	run->on = false;
	world_disconnect(world);
}

static long both(struct world *world, const char *name)
{
	return world_counter(world, SENDER, name) + world_counter(world, RECEIVER, name);
}

int run_hostile(int argc, char **argv)
{
	static const char *const names[] = {
		"TCPLiteSegs", "TCPLiteBytes", "TCPLiteUntold", "TCPLiteNoData", "TCPLiteBadFlags",
		"TCPLiteBadOptions", "TCPLiteBadTime", "TCPLiteBadAck", "TCPLiteBadPlace", "TCPLiteBadHeader",
		"InCsumErrors", "TCPRcvCollapsed", "TCPRcvCoalesce", "TCPOFOQueue", "TCPRDBBundles",
	};
	long wanted = argc > 0 ? atol(argv[0]) : 2000, seed = argc > 1 ? atol(argv[1]) : 1, count = 0;
	struct run run = { .state = 0x9e3779b97f4a7c15ULL * (seed + 1) };
	struct world world = { .decide = disturb, .own = &run };

	printf("seed %ld\n", seed);
	world_make(&world);
	/* A connection that is not switched on has to outlast all that is bad. */
	for (int host = 0; host < 2; host++)
		world_sysctl(&world, host, "tcp_retries2", "100");
	for (long next = 10000; run.damaged < wanted; count++) {
		one_connection(&world);
		if (run.damaged >= next) {
			progress("seed %ld: %ld of %ld damaged segments", seed, run.damaged, wanted);
			next += 10000;
		}
	}
	printf("%ld connections, %ld packets: %ld with data damaged, %ld beyond what a checksum finds, %ld lost\n",
	       count, run.packets, run.damaged, run.undetected, run.lost);
	printf("%ld bytes read, %ld told as damaged, of which %ld were wrong; %ld wrong without room to tell\n",
	       run.bytes, run.told, run.wrong, run.cut_wrong);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		printf("%s %ld%s", names[i], both(&world, names[i]),
		       i + 1 < sizeof(names) / sizeof(names[0]) ? ", " : "\n");
	printf("%ld times 32 bytes lie in the wrong place, told as damaged\n", run.displaced[0]);
	errno = 0;
	/* Several bits can lead to another place that fits: once in some 100,000 segments. */
	if (run.displaced[0] * 32 > run.told / 100000)
		fail("that is too often");
	if (run.displaced[1])
		fail("and %ld times where headers have a checksum", run.displaced[1]);
	return 0;
}
