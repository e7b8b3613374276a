/* See model.h. With p the chance of turning bad and q that of turning good, each tick, the link is
 * bad with the chance p / (p + q), and what is known of its state fades by 1 - p - q a tick.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "model.h"

/* Packets meet ticks in a pattern that repeats: so many are enough to average over. */
#define PHASES 2000

static double turn_bad(const struct errors *errors)
{
	return errors->good_ticks ? 1 / errors->good_ticks : 0;
}

static double turn_good(const struct errors *errors)
{
	return errors->bad_ticks ? 1 / errors->bad_ticks : 0;
}

double bad_share(const struct errors *errors)
{
	double p = turn_bad(errors);

	return p ? p / (p + turn_good(errors)) : 0;
}

static double memory(const struct errors *errors)
{
	return 1 - turn_bad(errors) - turn_good(errors);
}

struct expected expected_bad_ticks(const struct errors *errors)
{
	double m = memory(errors);

	return (struct expected){ bad_share(errors), bad_share(errors) ? (1 + m) / (1 - m) : 1 };
}

/* When the bits that can be flipped begin to be sent, those of the nth packet. */
static uint64_t begin_of(const struct errors *errors, const struct flow *flow, uint64_t nth)
{
	uint64_t end = flow->begin_ns + (nth + 1) * flow->air_ns;

	if (errors->at_end)
		return end;
	return end - flow->air_ns + flow->air_ns * LINK_HEADER / flow->frame_bytes;
}

/* The variance of a sum of indicators "something of it is sent while bad", the first and the
 * last moment of which are apart.
 */
static double inflation(const struct errors *errors, const struct flow *flow, double turns)
{
	double air = flow->air_ns / (double)errors->tick_ns;
	double bits = errors->at_end ? 0 : air * (1 - LINK_HEADER / (double)flow->frame_bytes);
	double bad = bad_share(errors), stays_good = pow(1 - turn_bad(errors), turns);
	double m = memory(errors);

	if (!bad)
		return 1;
	return 1 + 2 * bad * stays_good / (1 - (1 - bad) * stays_good) * pow(m, air - bits) /
			   (1 - pow(m, air));
}

struct expected expected_exposed(const struct errors *errors, const struct flow *flow)
{
	double whole = 0, all_turns = 0;

	for (uint64_t nth = 0; nth < PHASES; nth++) {
		uint64_t end = flow->begin_ns + (nth + 1) * flow->air_ns;
		uint64_t first = begin_of(errors, flow, nth) / errors->tick_ns;
		uint64_t last = (errors->at_end ? end : end - 1) / errors->tick_ns;

		whole += (1 - bad_share(errors)) * pow(1 - turn_bad(errors), last - first);
		all_turns += last - first;
	}
	return (struct expected){ 1 - whole / PHASES,
				  inflation(errors, flow, all_turns / PHASES) };
}

struct expected expected_damaged(const struct errors *errors, const struct flow *flow)
{
	double p = turn_bad(errors), q = turn_good(errors), whole = 0;
	double bits = (flow->frame_bytes - LINK_HEADER) * 8;

	for (uint64_t nth = 0; nth < PHASES; nth++) {
		uint64_t end = flow->begin_ns + (nth + 1) * flow->air_ns;
		uint64_t at = begin_of(errors, flow, nth), begin = at;
		double good = 1 - bad_share(errors), bad = bad_share(errors);

		/* Chances to be in a state with no bit flipped so far. */
		for (;;) {
			uint64_t until = (at / errors->tick_ns + 1) * errors->tick_ns;
			uint64_t to = until < end ? until : end;
			double share = errors->at_end ? 1 : (to - at) / (double)(end - begin);
			double before = good;

			good *= pow(1 - errors->error_share_good, bits * share);
			bad *= pow(1 - errors->error_share_bad, bits * share);
			if (errors->at_end || until >= end)
				break;
			before = good;
			good = before * (1 - p) + bad * q;
			bad = before * p + bad * (1 - q);
			at = until;
		}
		whole += good + bad;
	}
	return (struct expected){ 1 - whole / PHASES, expected_exposed(errors, flow).inflation };
}

double damaged_share_while_bad(const struct errors *errors, size_t frame_bytes)
{
	return -expm1((frame_bytes - LINK_HEADER) * 8 * log1p(-errors->error_share_bad));
}

/* The continued fraction of the incomplete beta function (Lentz). */
static double beta_fraction(double a, double b, double x)
{
	const double least = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), result;

	d = 1 / (fabs(d) < least ? least : d);
	result = d;
	for (int m = 1; m < 100000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor = 1;

		for (int both = 0; both < 2; both++) {
			double term = both ? odd : even;

			d = 1 + term * d;
			c = 1 + term / c;
			d = 1 / (fabs(d) < least ? least : d);
			c = fabs(c) < least ? least : c;
			factor = c * d;
			result *= factor;
		}
		if (fabs(factor - 1) < 1e-14)
			break;
	}
	return result;
}

static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double binomial_tail(uint64_t seen, uint64_t of, double share)
{
	/* At least that many; at most that many. */
	double above = seen ? incomplete_beta(seen, of - seen + 1, share) : 1;
	double below = seen < of ? incomplete_beta(of - seen, seen + 1, 1 - share) : 1;
	double both = 2 * (above < below ? above : below);

	return both < 1 ? both : 1;
}

double deviation(uint64_t seen, double of, struct expected expected)
{
	double mean = of * expected.share;
	double variance = mean * (1 - expected.share) * expected.inflation;

	return variance ? (seen - mean) / sqrt(variance) : seen == mean ? 0 : INFINITY;
}
