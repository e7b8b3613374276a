/* What each mechanism does on the wire: messages of 100 bytes that are written at
 * given moments, packets that get lost by their number, and every packet with data
 * that leaves the sender, to the millisecond. The path takes 50 ms each way, and the
 * RTT of 100 ms was measured before; so RTO is 1000 ms, and 200 ms with
 * thin_rto_min. A second path, where there is one, takes 150 ms, and knows it from one
 * heartbeat: RTO is 1000 ms, and 900 ms with thin_rto_min. The kernel's timers are
 * coarser the longer they run.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "world.h"

/* Needs the types that world.h and the C library bring. */
#include <linux/sctp.h>

#define ONE_WAY (50 * MS)
#define BYTES 100
#define WARM_UP 12
/* Each case begins at a multiple of this, as the kernel's timers depend on it. */
#define ALIGNED (16384 * MS)

struct test {
	const char *name;
	unsigned int mechanisms;
	bool by_option, delayed, reordered;
	const char *writes; /* ms */
	const char *lost; /* numbers of the sender's packets with data, from 1 */
	const char *lost_sacks; /* numbers of the receiver's packets with a SACK */
	/* MS[b][a]:TSN[i][+TSN[i]...], TSNs from 1: b on the second path, a with AUTH, i for
	 * the I bit; and `pf`, `inactive` or `active` where the first path became that.
	 */
	const char *expected;
	const char *counter; /* that has to be `value` at the end */
	long value;

	int streams; /* that the messages go to in turn; 0 is one */
	bool unordered, auth;
	uint16_t policy; /* when messages may be given up */
	uint32_t limit;
	int given_up; /* so many do not arrive */

	int paths; /* 0 is one */
	int dead_ms; /* the first path loses everything until then */
	const char *path_max_retrans;
};

static const struct test tests[] = {
#include "cases.inc"
};

struct run {
	const struct test *test;
	bool counting;
	int64_t start;
	uint32_t first_tsn;
	int data_packets, sack_packets;
	int state; /* of the first of two paths */
	char seen[4096];
};

/* Whether a list of numbers has this one. */
static bool listed(const char *list, int number)
{
	char *end;

	for (; list && *list; list = *end ? end + 1 : end)
		if (strtol(list, &end, 10) == number)
			return true;
	return false;
}

static void write_down(const struct world *world, const struct packet *packet)
{
	struct run *run = world->own;
	size_t at = strlen(run->seen);

	at += snprintf(run->seen + at, sizeof(run->seen) - at, "%s%lld%s%s", at ? " " : "",
		       (long long)((world->now - run->start) / MS), packet->path ? "b" : "",
		       packet->auth ? "a" : "");
	for (int i = 0; i < packet->count; i++)
		at += snprintf(run->seen + at, sizeof(run->seen) - at, "%c%d%s", i ? '+' : ':',
			       (int)(packet->data[i].tsn - run->first_tsn) + 1,
			       packet->data[i].immediately ? "i" : "");
}

static void write_down_state(struct world *world)
{
	static const char *const names[] = { [SCTP_INACTIVE] = "inactive", [SCTP_PF] = "pf",
					     [SCTP_ACTIVE] = "active" };
	struct run *run = world->own;
	size_t at = strlen(run->seen);
	int state = world_path_state(world, 0, NULL);

	if (state != run->state)
		snprintf(run->seen + at, sizeof(run->seen) - at, "%s%s", at ? " " : "",
			 names[state]);
	run->state = state;
}

static struct fate decide(struct world *world, const struct packet *packet)
{
	struct run *run = world->own;
	struct fate arrives = { 1, { ONE_WAY * (1 + 2 * packet->path) } };

	if (packet->from == SENDER && packet->count && !run->counting)
		run->first_tsn = packet->data[packet->count - 1].tsn + 1;
	if (!run->counting)
		return arrives;
	if (world->paths > 1)
		write_down_state(world);
	if (!packet->path && world->now < run->start + run->test->dead_ms * MS)
		arrives.copies = 0;
	if (packet->from == SENDER && packet->count) {
		write_down(world, packet);
		run->data_packets++;
		if (listed(run->test->lost, run->data_packets))
			arrives.copies = 0;
		if (run->test->reordered && run->data_packets == 1)
			arrives.after[0] += 80 * MS;
	} else if (packet->from == RECEIVER && packet->sack) {
		if (listed(run->test->lost_sacks, ++run->sack_packets))
			arrives.copies = 0;
	}
	return arrives;
}

static void write_message(struct world *world, struct manner manner)
{
	char message[BYTES] = "";

	if (!world_send(world, message, BYTES, manner))
		fail("sending");
}

static int take_all(struct world *world)
{
	char message[BYTES];
	int count = 0;

	while (recv(world->socket[RECEIVER], message, BYTES, 0) == BYTES)
		count++;
	return count;
}

static void switch_on(struct world *world, const struct test *test)
{
	if (!test->by_option) {
		world_switch(world, test->mechanisms);
		return;
	}
	for (int i = 0; i < MECHANISMS; i++) {
		int on = test->mechanisms >> i & 1;

		if (setsockopt(world->socket[SENDER], 132, FIRST_OPTION + i, &on, sizeof(on)))
			fail("setting %s", mechanism_names[i]);
	}
}

/* Ends with 0 if all went as expected. */
static int run_case(const struct test *test, bool ipv6)
{
	struct run run = { .test = test, .state = SCTP_ACTIVE };
	struct world world = { .decide = decide, .own = &run };
	struct manner manner = { .unordered = test->unordered, .policy = test->policy,
				 .limit = test->limit };
	int written = 0, arrived;
	char *next;
	bool right;

	world_make(&world, ipv6, test->paths ? test->paths : 1);
	for (int host = 0; host < 2; host++)
		world_sysctl(&world, host, "auth_enable", test->auth ? "1" : "0");
	if (test->path_max_retrans)
		world_sysctl(&world, SENDER, "path_max_retrans", test->path_max_retrans);
	world_connect(&world, test->streams ? test->streams : 1, test->auth);
	world_delay_sacks(&world, false);
	for (int i = 0; i < WARM_UP; i++) {
		write_message(&world, (struct manner){});
		world_run(&world, now() + 500 * MS);
	}
	world_delay_sacks(&world, test->delayed);
	switch_on(&world, test);
	take_all(&world);
	run.start = (now() / ALIGNED + 1) * ALIGNED;
	world_run(&world, run.start);
	run.counting = true;
	for (const char *moment = test->writes; *moment; moment = *next ? next + 1 : next) {
		world_run(&world, run.start + strtol(moment, &next, 10) * MS);
		manner.stream = test->streams ? written % test->streams : 0;
		write_message(&world, manner);
		written++;
	}
	world_run(&world, now() + 15000 * MS);
	if (world.paths > 1)
		write_down_state(&world);
	arrived = take_all(&world);
	right = !strcmp(run.seen, test->expected) && arrived == written - test->given_up &&
		(!test->counter || world_counter(&world, test->counter) == test->value);
	if (right)
		return 0;
	printf("FAILED %s, IPv%d\n  expected %s\n  seen     %s\n", test->name, ipv6 ? 6 : 4,
	       test->expected, run.seen);
	if (arrived != written - test->given_up)
		printf("  %d of %d messages have arrived\n", arrived, written);
	if (test->counter)
		printf("  %s %ld, expected %ld\n", test->counter, world_counter(&world, test->counter),
		       test->value);
	return 1;
}

/* A child for each, as its namespaces end with it. */
int run_cases(int argc, char **argv)
{
	int failed = 0, count = 0, status;

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 0 && !strstr(tests[i].name, argv[0]))
			continue;
		for (int ipv6 = 0; ipv6 < 2; ipv6++) {
			pid_t child = fork();

			if (!child) {
				status = run_case(&tests[i], ipv6);
				fflush(stdout);
				_exit(status);
			}
			waitpid(child, &status, 0);
			failed += !!status;
			count++;
		}
	}
	printf("%d of %d passed\n", count - failed, count);
	return failed || !count;
}
