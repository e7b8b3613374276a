/* The arithmetic of a radio link with two states, and whether what was seen agrees with it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MODEL_H
#define MODEL_H

#include "link.h"

/* Packets of one length, one after the other, from begin_ns on. */
struct flow {
	uint64_t begin_ns;
	uint64_t packets;
	size_t frame_bytes;
	uint64_t air_ns;
};

/* An expected share of so many, and the variance of their sum beyond that of as many
 * independent ones.
 */
struct expected {
	double share;
	double inflation;
};

double bad_share(const struct errors *errors);

/* The share of time that the link is bad in so many ticks. */
struct expected expected_bad_ticks(const struct errors *errors);

/* Of a flow's packets, those of which something is sent while the link is bad. */
struct expected expected_exposed(const struct errors *errors, const struct flow *flow);

/* Of a flow's packets, those with a flipped bit. */
struct expected expected_damaged(const struct errors *errors, const struct flow *flow);

/* Of packets whose bits are all sent while the link is bad, those with a flipped bit. */
double damaged_share_while_bad(const struct errors *errors, size_t frame_bytes);

/* Of so many with a chance each: how likely is a number as far out as this? Exact. */
double binomial_tail(uint64_t seen, uint64_t of, double share);

/* In standard deviations: how far a sum is from what is expected. */
double deviation(uint64_t seen, double of, struct expected expected);

#endif
