/* Two hosts, each in a network namespace of its own, with one TCP connection
 * between them: packets leave by a TUN device, and this program damages them,
 * loses them, or brings them to the other host. One thread and one clock, so in
 * virtual time a run is always the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../hosts/hosts.h"

/* The sockets' options, as numbered by the series. */
#define TCP_LITE 207
#define TCP_LITE_INFO 208
#define TCP_LITE_SPLIT 209

struct lite_range {
	uint32_t offset, length;
};

struct lite_info {
	uint64_t bytes;
	uint32_t segs, refused, unread, split;
};

/* A packet on its way, which may be changed. */
struct packet {
	int from; /* SENDER or RECEIVER */
	uint8_t *bytes;
	size_t length;
	uint8_t *tcp; /* its header, in bytes */
	size_t header, data; /* bytes of that header, and behind it */
};

struct world {
	bool ipv6;
	int tun[2];
	int space[2]; /* namespaces */
	int socket[2];
	int alarm;
	struct flights flights;
	/* When it arrives, from now in ns; below 0 if it is lost. */
	int64_t (*decide)(struct world *, struct packet *);
	/* Called after each packet that arrived, and at the end of each run. */
	void (*look)(struct world *);
	void *own;
};

/* Makes both hosts, with addresses of IPv4 and IPv6, and leaves the caller in the
 * sender's namespace.
 */
void world_make(struct world *world);

/* Opens a connection between them, with Nagle's algorithm off, and closes it
 * without waiting for anything. `buffer` bytes may wait at each receiver, as
 * many as the kernel wants if it is 0.
 */
void world_connect(struct world *world, bool ipv6, int buffer);
void world_disconnect(struct world *world);

/* Moves packets until this moment. */
void world_run(struct world *world, int64_t until);

/* Writes to a file below /proc/sys/net/ipv4 of this host. */
void world_sysctl(struct world *world, int host, const char *name, const char *value);

/* A counter of this host's /proc/net/netstat or snmp; fails if there is none. */
long world_counter(struct world *world, int host, const char *name);

/* Whether TCP's checksum finds nothing wrong. */
bool checksum_holds(const struct packet *packet);

/* Where the header's own checksum is, in a packet that has one; NULL in others. */
uint8_t *header_sum(const struct packet *packet);

/* Whether that is right: computed from what docs/kernel.md says of it. */
bool header_sum_holds(const struct packet *packet);

/* What recvmsg() tells of damage. */
struct told {
	int count;
	bool cut; /* MSG_CTRUNC */
	struct lite_range ranges[64];
};

/* Reads into a buffer, with so many bytes of room for control messages; what
 * read() returns.
 */
long read_told(int socket, void *buffer, size_t length, int flags, size_t room, struct told *told);

int run_cases(int argc, char **argv);
int run_hostile(int argc, char **argv);

#endif
