/* Two hosts, each in a network namespace of its own, and one or two paths between them:
 * packets leave by a TUN device for each path, and this program decides which arrive,
 * and when. One thread and one clock, so in virtual time a run is always the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef WORLD_H
#define WORLD_H

#include "../hosts/hosts.h"

#define PATHS 2

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
	int path;
	const uint8_t *bytes;
	size_t length;
	bool sack, heartbeat, heartbeat_ack, auth, forward;
	int count;
	struct data data[64];
};

/* What becomes of a packet: delivered after each of these times, none if lost. */
struct fate {
	int copies;
	int64_t after[2];
};

struct world {
	bool ipv6;
	int paths;
	int tun[2][PATHS];
	int space[2]; /* namespaces */
	int socket[2];
	int alarm;
	int64_t now; /* as of the last packets: a guest's system calls take their time */
	struct flights flights;
	struct fate (*decide)(struct world *, const struct packet *);
	/* Readable data at the receiver. */
	void (*received)(struct world *);
	void *own;
};

/* Makes both hosts, with an IPv4 or IPv6 address on each path, and leaves the caller in
 * the sender's namespace.
 */
void world_make(struct world *world, bool ipv6, int paths);

/* Opens an association between them, with Nagle's algorithm off, whose primary path is
 * the first. What the receiver says has to be authenticated then is so with `auth`.
 */
void world_connect(struct world *world, int streams, bool auth);

/* How a message is sent. */
struct manner {
	uint16_t stream;
	bool unordered;
	uint16_t policy; /* SCTP_PR_SCTP_...: when it may be given up */
	uint32_t limit; /* ms, or retransmissions */
};

/* Writes a message; false if there is no room for it. */
bool world_send(struct world *world, const void *message, size_t length, struct manner manner);

/* Moves packets until this moment. */
void world_run(struct world *world, int64_t until);

/* Writes to a file below /proc/sys/net/sctp of this host. */
void world_sysctl(struct world *world, int host, const char *name, const char *value);

/* Switches mechanisms on and all others off in the sender's namespace. */
void world_switch(struct world *world, unsigned int mechanisms);

/* A counter of the sender's /proc/net/sctp/snmp. */
long world_counter(struct world *world, const char *name);

/* In what state the sender has a path: SCTP_ACTIVE, SCTP_PF, SCTP_INACTIVE, SCTP_UNCONFIRMED;
 * and the RTO of that path in ms.
 */
int world_path_state(struct world *world, int path, unsigned int *rto_ms);

/* Makes it the sender's primary path. */
void world_choose_path(struct world *world, int path);

/* Prints a file of /proc/net/sctp. */
void world_print(struct world *world, int host, const char *name);

/* Whether the receiver delays SACKs. */
void world_delay_sacks(struct world *world, bool delay);

extern const char *const mechanism_names[MECHANISMS];

int run_cases(int argc, char **argv);
int run_hostile(int argc, char **argv);
int run_latency(int argc, char **argv);

#endif
