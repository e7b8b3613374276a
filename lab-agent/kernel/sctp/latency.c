/* Delivery latency of a thin stream over a path that loses at random: RTT 100 ms,
 * four messages of 100 bytes a second, 5 % loss in each direction, as in 6.1 of the
 * SCTP paper. The receiver delays its SACKs only if asked to.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "world.h"

#define GAP (250 * MS)
#define ONE_WAY (50 * MS)
#define LOSS_PERCENT 5
#define BYTES 100

struct run {
	unsigned long long state;
	long packets, bytes;
	size_t count;
	int64_t *latencies;
};

static unsigned int below(struct run *run, unsigned int limit)
{
	run->state = run->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (run->state >> 33) % limit;
}

static struct fate lose_some(struct world *world, const struct packet *packet)
{
	struct run *run = world->own;

	if (packet->from == SENDER && packet->count) {
		run->packets++;
		run->bytes += packet->length;
	}
	return (struct fate){ below(run, 100) >= LOSS_PERCENT, { ONE_WAY } };
}

static void note_arrivals(struct world *world)
{
	struct run *run = world->own;
	int64_t sent[BYTES / sizeof(int64_t) + 1];

	while (recv(world->socket[RECEIVER], sent, sizeof(sent), 0) == BYTES)
		run->latencies[run->count++] = now() - sent[0];
}

static int by_size(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

static double part(const struct run *run, double share)
{
	size_t at = share * (run->count - 1) + 0.5;

	return (double)run->latencies[at] / MS;
}

int run_latency(int argc, char **argv)
{
	long seconds = argc > 0 ? atol(argv[0]) : 600;
	unsigned int mechanisms = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	struct run run = { .state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1 };
	struct world world = { .decide = lose_some, .received = note_arrivals, .own = &run };
	char message[BYTES] = "";
	int64_t next;

	if (seconds <= 0)
		fail("latency: give a number of seconds");
	run.latencies = calloc(seconds * 4, sizeof(int64_t));
	world_make(&world, false, 1);
	world_switch(&world, mechanisms);
	world_connect(&world, 1, false);
	world_delay_sacks(&world, argc > 3 && !strcmp(argv[3], "delayed"));
	run.packets = run.bytes = 0;
	next = now();
	for (long i = 0; i < seconds * 4; i++) {
		world_run(&world, next);
		next += GAP;
		*(int64_t *)message = now();
		if (send(world.socket[SENDER], message, BYTES, 0) != BYTES)
			fail("sending");
	}
	for (int i = 0; i < 600 && run.count < (size_t)seconds * 4; i++)
		world_run(&world, now() + 1000 * MS);
	if (run.count != (size_t)seconds * 4)
		fail("%zu of %ld messages have arrived", run.count, seconds * 4);
	qsort(run.latencies, run.count, sizeof(int64_t), by_size);
	printf("mechanisms %#x, seed %s: %zu messages, median %.0f ms, 99 %% %.0f, 99.9 %% %.0f, "
	       "maximum %.0f; %.2f packets and %.0f bytes a message\n",
	       mechanisms, argc > 2 ? argv[2] : "1", run.count, part(&run, 0.5), part(&run, 0.99),
	       part(&run, 0.999), part(&run, 1), (double)run.packets / run.count,
	       (double)run.bytes / run.count);
	return 0;
}
