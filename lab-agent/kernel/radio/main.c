/* Tests of patch 0301, netem's bit errors. See run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define TICK_NS 10000000ull
#define FRAME_BYTES (576 + LINK_HEADER)
#define FRAMES 20000
#define AHEAD 500
/* Each run draws what its seed says, so a limit that chance passes once in a million times needs
 * no second try.
 */
#define UNLIKELY 1e-6
#define FAR 5.0

static int failed;

static void check(bool holds, const char *what)
{
	if (!holds)
		failed++;
	printf("%s %s\n", holds ? "ok  " : "FAIL", what);
}

/* --- what arrives, bit by bit */

struct arrived {
	uint32_t frames;
	uint32_t damaged;
	uint64_t flipped;
	uint64_t flipped_in_first; /* of the first 20 bytes after the link header */
	uint32_t strange; /* link header or length changed */
	uint64_t of_numbers; /* a hash */
	uint64_t of_bytes;
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
	const uint8_t *byte = bytes;

	while (length--)
		hash = (hash ^ *byte++) * 0x100000001b3;
	return hash;
}

static void look_at(struct arrived *all, const uint8_t *frame, size_t length)
{
	uint8_t sent[LONGEST_FRAME];
	uint32_t number = number_of(frame), flipped = 0;

	sent_frame(number, sent, FRAME_BYTES);
	if (length != FRAME_BYTES || memcmp(sent, frame, LINK_HEADER)) {
		all->strange++;
		return;
	}
	for (size_t at = LINK_HEADER; at < length; at++) {
		uint32_t bits = __builtin_popcount(sent[at] ^ frame[at]);

		flipped += bits;
		if (at < LINK_HEADER + 20)
			all->flipped_in_first += bits;
	}
	all->frames++;
	all->damaged += flipped > 0;
	all->flipped += flipped;
	all->of_numbers = mix(all->of_numbers, &number, sizeof(number));
	all->of_bytes = mix(all->of_bytes, frame, length);
}

static struct arrived all_arrived(void)
{
	struct arrived all = { 0 };
	uint8_t frame[LONGEST_FRAME];
	size_t length;

	while ((length = arrived_frame(frame, sizeof(frame))))
		look_at(&all, frame, length);
	return all;
}

/* Sends frames so that the line is never idle, and waits until all have arrived. */
static struct flow saturate(const struct path *path, uint64_t packets, size_t frame_bytes)
{
	struct flow flow = {
		.begin_ns = now(),
		.packets = packets,
		.frame_bytes = frame_bytes,
		.air_ns = frame_bytes * 1000000000ull / path->rate_byte_per_s,
	};

	for (uint64_t sent = 0; sent < packets;) {
		uint64_t batch = packets - sent < AHEAD ? packets - sent : AHEAD;

		send_frames(sent, batch, frame_bytes);
		if (sent)
			sleep_until(flow.begin_ns + sent * flow.air_ns);
		sent += batch;
	}
	sleep_until(flow.begin_ns + packets * flow.air_ns + TICK_NS);
	return flow;
}

/* The clock of a guest counts in steps: a link that is to be compared begins with a tick. */
static void begin_with_a_tick(void)
{
	sleep_until((now() / TICK_NS + 1) * TICK_NS);
}

/* Until run_of() would have looked, had all frames been sent. */
static void wait_as_for_all(struct flow flow)
{
	sleep_until(flow.begin_ns + FRAMES * flow.air_ns + TICK_NS);
}

static struct arrived run_of(const struct path *path, struct told *told)
{
	begin_with_a_tick();
	make_emulator(path);
	saturate(path, FRAMES, FRAME_BYTES);
	memset(told, 0, sizeof(*told));
	read_told(told);
	return all_arrived();
}

static const struct errors some = {
	.tick_ns = TICK_NS,
	.good_ticks = 20,
	.bad_ticks = 3,
	.error_share_good = 1e-5,
	.error_share_bad = 1e-3,
};

static int run_cases(void)
{
	struct path plain = { .rate_byte_per_s = 1375000, .seed = 7 };
	struct path radio = { .rate_byte_per_s = 1375000, .seed = 7, .errors = &some };
	struct errors other_errors = some;
	struct told told, again, half;
	struct arrived one, other;
	struct flow flow;
	uint64_t bits;

	listen_at_end();
	one = run_of(&plain, &told);
	check(one.frames == FRAMES && !one.damaged && !one.strange, "off: all arrives as it was sent");
	check(!read_told(&again), "off: nothing is told of a radio link");

	one = run_of(&radio, &told);
	bits = told.bits[0] + told.bits[1];
	check(one.frames == FRAMES && told.packets == FRAMES, "on: every packet arrives, and counts");
	check(!one.strange, "on: link headers and lengths stay");
	check(one.damaged && one.damaged == told.damaged, "on: as many are damaged as are told");
	check(one.flipped == told.flipped[0] + told.flipped[1], "on: as many bits are flipped as are told");
	check(bits == FRAMES * (FRAME_BYTES - LINK_HEADER) * 8ull, "on: every bit but the link header's counts");
	check(binomial_tail(one.flipped_in_first, one.flipped, 20.0 / (FRAME_BYTES - LINK_HEADER)) > UNLIKELY,
	      "on: headers are hit as often as payload");
	other = run_of(&radio, &again);
	check(one.of_bytes == other.of_bytes && !memcmp(&told, &again, sizeof(told)),
	      "the same seed damages the same bits");
	radio.seed = 8;
	other = run_of(&radio, &again);
	check(one.of_bytes != other.of_bytes, "another seed damages others");

	plain.loss_share = radio.loss_share = 0.05;
	plain.seed = radio.seed = 9;
	one = run_of(&plain, &told);
	other = run_of(&radio, &again);
	check(one.frames < FRAMES && one.of_numbers == other.of_numbers,
	      "the packets that are lost are the same with bit errors and without");

	/* What is sent has no say in when the link is bad. */
	radio.loss_share = 0;
	run_of(&radio, &told);
	begin_with_a_tick();
	make_emulator(&radio);
	wait_as_for_all(saturate(&radio, FRAMES / 2, FRAME_BYTES));
	read_told(&half);
	all_arrived();
	check(half.time_ns[0] == told.time_ns[0] && half.time_ns[1] == told.time_ns[1],
	      "half of the packets meet the same link");

	/* A change that leaves the bit errors alone lets the link go on. */
	begin_with_a_tick();
	make_emulator(&radio);
	flow = saturate(&radio, FRAMES / 2, FRAME_BYTES);
	radio.loss_share = 0.01;
	radio.seed = 77;
	change_emulator(&radio);
	wait_as_for_all(flow);
	read_told(&half);
	all_arrived();
	check(half.time_ns[0] == told.time_ns[0] && half.time_ns[1] == told.time_ns[1],
	      "a change of something else lets the link go on");
	other_errors.error_share_bad = 0;
	other_errors.error_share_good = 0;
	radio.errors = &other_errors;
	one = run_of(&radio, &told);
	check(!one.damaged && told.exposed, "where no bit is flipped no packet is damaged");
	return failed > 0;
}

/* --- distributions */

static double argument(const char *text, const char *what)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end)
		fail("%s is no number: %s", what, text);
	return value;
}

/* NAME RATE_BYTE_PER_S GOOD_MS BAD_MS ERROR_SHARE_GOOD ERROR_SHARE_BAD AT_END PACKETS SEED */
static int run_distribution(char **arguments)
{
	double good_ms = argument(arguments[2], "good ms"), bad_ms = argument(arguments[3], "bad ms");
	struct errors errors = {
		.tick_ns = TICK_NS,
		.good_ticks = good_ms / 10,
		.bad_ticks = bad_ms / 10,
		.error_share_good = argument(arguments[4], "error share, good"),
		.error_share_bad = argument(arguments[5], "error share, bad"),
		.at_end = argument(arguments[6], "at end"),
	};
	struct path path = {
		.rate_byte_per_s = argument(arguments[1], "rate"),
		.seed = argument(arguments[8], "seed"),
		.errors = &errors,
	};
	uint64_t packets = argument(arguments[7], "packets");
	struct told told = { 0 };
	struct flow flow;
	double ticks, of_time, of_exposed, of_damaged, of_bits[2], of_damage = 1;
	bool holds;

	make_emulator(&path);
	flow = saturate(&path, packets, FRAME_BYTES);
	if (!read_told(&told))
		fail("netem tells nothing of a radio link");
	ticks = (told.time_ns[0] + told.time_ns[1]) / (double)TICK_NS;
	of_time = deviation(told.time_ns[1] / TICK_NS, ticks, expected_bad_ticks(&errors));
	of_exposed = deviation(told.exposed, packets, expected_exposed(&errors, &flow));
	of_damaged = deviation(told.damaged, packets, expected_damaged(&errors, &flow));
	of_bits[0] = binomial_tail(told.flipped[0], told.bits[0], errors.error_share_good);
	of_bits[1] = binomial_tail(told.flipped[1], told.bits[1], errors.error_share_bad);
	if (errors.at_end && !errors.error_share_good)
		of_damage = binomial_tail(told.damaged, told.exposed,
					  damaged_share_while_bad(&errors, FRAME_BYTES));
	holds = told.packets == packets && fabs(of_time) < FAR && fabs(of_exposed) < FAR &&
		fabs(of_damaged) < FAR && of_bits[0] > UNLIKELY && of_bits[1] > UNLIKELY &&
		of_damage > UNLIKELY;
	printf("%s %-10s %-6s time bad %6.3f %% (model %6.3f, %+4.1f sd)  packets exposed %6.3f %% "
	       "(%6.3f, %+4.1f sd)  damaged %6.3f %% (%6.3f, %+4.1f sd)  bits flipped %.3g %.3g "
	       "(p = %.2g, %.2g)  of exposed damaged p = %.2g\n",
	       holds ? "ok  " : "FAIL", arguments[0], errors.at_end ? "at end" : "on air",
	       100 * told.time_ns[1] / (double)(told.time_ns[0] + told.time_ns[1]),
	       100 * bad_share(&errors), of_time, 100.0 * told.exposed / packets,
	       100 * expected_exposed(&errors, &flow).share, of_exposed, 100.0 * told.damaged / packets,
	       100 * expected_damaged(&errors, &flow).share, of_damaged,
	       told.bits[0] ? told.flipped[0] / (double)told.bits[0] : 0,
	       told.bits[1] ? told.flipped[1] / (double)told.bits[1] : 0, of_bits[0], of_bits[1],
	       of_damage);
	return !holds;
}

int main(int argc, char **argv)
{
	int wrong = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	make_link();
	if (argc == 2 && !strcmp(argv[1], "cases"))
		return run_cases();
	if (argc > 2 && !strcmp(argv[1], "distribution") && (argc - 2) % 9 == 0) {
		for (int at = 2; at < argc; at += 9)
			wrong |= run_distribution(argv + at);
		return wrong;
	}
	fail("usage: radio cases | radio distribution NAME RATE GOOD_MS BAD_MS ERROR_SHARE_GOOD "
	     "ERROR_SHARE_BAD AT_END PACKETS SEED …");
}
