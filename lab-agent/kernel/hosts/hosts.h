/* What the test programs share that run in a guest: a clock, an end with a message,
 * hosts in network namespaces with TUN devices, and packets on their way between them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HOSTS_H
#define HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define MS 1000000LL
#define MTU 1500

/* What the hosts are called in arrays. */
enum { SENDER, RECEIVER };

int64_t now(void);

/* Ends the program with a message, and errno's where there is one. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tells whoever waits for a long run how far it is; not part of its report. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Goes to a new network namespace; its descriptor. */
int new_space(void);
void enter(int space);

void write_file(const char *path, const char *text);

/* Makes a TUN device in this namespace, with the host's addresses on that path, which
 * are numbered from 0.
 */
int open_tun(int host, int path, bool ipv6);

/* An address of that host; its length. */
socklen_t address_of(struct sockaddr_storage *address, int host, int path, bool ipv6, int port);

/* An IPv6 address can be used once the kernel has had the time to see that nobody
 * else has it.
 */
void bind_socket(int its, int host, bool ipv6, int port);

/* A packet on its way to the host that reads from this device. */
struct flight {
	int64_t at;
	uint64_t order;
	int tun;
	size_t length;
	uint8_t *bytes;
};

struct flights {
	struct flight *all;
	size_t count, room;
	uint64_t order;
};

void put_on_the_way(struct flights *flights, int tun, const uint8_t *bytes, size_t length, int64_t at);

/* The next to arrive, NULL if there is none. */
struct flight *next_to_arrive(const struct flights *flights);

/* Forgets it. */
void landed(struct flights *flights, struct flight *flight);

#endif
