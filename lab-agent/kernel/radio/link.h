/* A pair of interfaces with netem in between, and what netem tells of its radio link.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../hosts/hosts.h"

#define NS 1000000000.0
#define LINK_HEADER 14
#define LONGEST_FRAME 1514

/* What the link does. A mean of 0 ticks: it is never bad. */
struct errors {
	uint64_t tick_ns;
	double good_ticks;
	double bad_ticks;
	double error_share_good;
	double error_share_bad;
	bool at_end;
};

struct path {
	uint32_t rate_byte_per_s;
	double loss_share;
	uint64_t seed;
	const struct errors *errors; /* NULL: none */
};

/* struct tc_netem_xstats: while good [0] or bad [1] */
struct told {
	uint64_t packets;
	uint64_t exposed;
	uint64_t damaged;
	uint64_t time_ns[2];
	uint64_t bits[2];
	uint64_t flipped[2];
};

void sleep_until(uint64_t ns);

/* Makes the interfaces; frames that leave by one arrive at the other. */
void make_link(void);

/* Takes down the emulator, if there is one, and makes another. */
void make_emulator(const struct path *path);

/* Changes it in place. */
void change_emulator(const struct path *path);

/* False: the emulator tells nothing of a radio link. */
bool read_told(struct told *told);

/* Sends frames of that length, numbered from first, without waiting. */
void send_frames(uint32_t first, uint32_t count, size_t length);

/* What a frame with that number has been sent as. */
void sent_frame(uint32_t number, uint8_t *bytes, size_t length);

/* From now on frames that arrive are kept. */
void listen_at_end(void);

/* The length of the next one that has arrived, 0 if there is none. */
size_t arrived_frame(uint8_t *bytes, size_t most);

/* The number that is in its link header. */
uint32_t number_of(const uint8_t *frame);

#endif
