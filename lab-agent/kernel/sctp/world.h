/* Two hosts, each in a network namespace of its own, and the path between them:
 * packets leave by a TUN device, and this program decides which arrive, and when.
 * One thread and one clock, so in virtual time a run is always the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MS 1000000LL

/* What the sender and the receiver are called in arrays. */
enum { SENDER, RECEIVER };

/* Mechanisms, in the order of their socket options, which begin with this. */
enum {
	RTO_MIN = 1 << 0,
	RTO_RESTART = 1 << 1,
	LINEAR_TIMEOUTS = 1 << 2,
	FAST_RETRANSMIT = 1 << 3,
	RTX_BUNDLING = 1 << 4,
	SACK_IMMEDIATELY = 1 << 5,
	BUNDLING = 1 << 6,
	TAIL_COPY = 1 << 7,
};
#define MECHANISMS 8
#define EVERY_MECHANISM ((1 << MECHANISMS) - 1)
#define FIRST_OPTION 200

/* One DATA chunk in a packet. */
struct data {
	uint32_t tsn;
	bool immediately; /* the I bit */
};

struct packet {
	int from; /* SENDER or RECEIVER */
	const uint8_t *bytes;
	size_t length;
	bool sack;
	int count;
	struct data data[64];
};

/* What becomes of a packet: delivered after each of these times, none if lost. */
struct fate {
	int copies;
	int64_t after[2];
};

struct world {
	int tun[2];
	int space[2]; /* namespaces */
	int socket[2];
	int alarm;
	struct flight *flights;
	size_t count, room;
	struct fate (*decide)(struct world *, const struct packet *);
	/* Readable data at the receiver. */
	void (*received)(struct world *);
	void *own;
};

int64_t now(void);

/* Ends the program with a message, and errno's where there is one. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Makes both hosts, with an IPv4 or IPv6 address, and leaves the caller in the
 * sender's namespace.
 */
void world_make(struct world *world, bool ipv6);

/* Opens an association between them, with Nagle's algorithm off. */
void world_connect(struct world *world, bool ipv6, int streams);

/* Moves packets until this moment. */
void world_run(struct world *world, int64_t until);

/* Writes to a file below /proc/sys/net/sctp of this host. */
void world_sysctl(struct world *world, int host, const char *name, const char *value);

/* Switches mechanisms on and all others off in the sender's namespace. */
void world_switch(struct world *world, unsigned int mechanisms);

/* A counter of the sender's /proc/net/sctp/snmp. */
long world_counter(struct world *world, const char *name);

/* Prints a file of /proc/net/sctp. */
void world_print(struct world *world, int host, const char *name);

/* Whether the receiver delays SACKs. */
void world_delay_sacks(struct world *world, bool delay);

extern const char *const mechanism_names[MECHANISMS];

int run_cases(int argc, char **argv);
int run_hostile(int argc, char **argv);
int run_latency(int argc, char **argv);

#endif
