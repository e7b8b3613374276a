/* See hosts.h.
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "hosts.h"

int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 * MS + time.tv_nsec;
}

void fail(const char *format, ...)
{
	int error = errno;
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf(error ? ": %s\n" : "\n", strerror(error));
	exit(2);
}

void progress(const char *format, ...)
{
	FILE *file = fopen("/spool/progress", "ae");
	va_list arguments;

	if (!file)
		return;
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fputc('\n', file);
	fclose(file);
}

/* --- hosts */

int new_space(void)
{
	int space;

	if (unshare(CLONE_NEWNET))
		fail("making a namespace");
	space = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (space < 0)
		fail("opening a namespace");
	return space;
}

void enter(int space)
{
	if (setns(space, CLONE_NEWNET))
		fail("entering a namespace");
}

void write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);

	if (file < 0 || write(file, text, strlen(text)) < 0)
		fail("writing %s", path);
	close(file);
}

/* 10.9.PATH.HOST and fd09:0:0:PATH::HOST, from 1 for hosts. */
socklen_t address_of(struct sockaddr_storage *address, int host, int path, bool ipv6, int port)
{
	struct sockaddr_in6 *six = (void *)address;
	struct sockaddr_in *four = (void *)address;

	memset(address, 0, sizeof(*address));
	if (ipv6) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		inet_pton(AF_INET6, host ? "fd09::2" : "fd09::1", &six->sin6_addr);
		six->sin6_addr.s6_addr[7] = path;
		return sizeof(*six);
	}
	four->sin_family = AF_INET;
	four->sin_port = htons(port);
	four->sin_addr.s_addr = htonl(0x0a090001 + (path << 8) + host);
	return sizeof(*four);
}

static void give_ipv6_address(const char *device, int host, int path)
{
	struct {
		struct in6_addr address;
		uint32_t prefix;
		int index;
	} request = { .prefix = 64, .index = if_nametoindex(device) };
	struct sockaddr_storage address;
	int control = socket(AF_INET6, SOCK_DGRAM, 0);

	address_of(&address, host, path, true, 0);
	request.address = ((struct sockaddr_in6 *)&address)->sin6_addr;
	if (ioctl(control, SIOCSIFADDR, &request))
		fail("setting an IPv6 address");
	close(control);
}

int open_tun(int host, int path, bool ipv6)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	struct sockaddr_storage address;
	int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	int control = socket(AF_INET, SOCK_DGRAM, 0);
	char file[64];

	snprintf(request.ifr_name, sizeof(request.ifr_name), "path%d", path);
	if (tun < 0 || ioctl(tun, TUNSETIFF, &request))
		fail("making a TUN device");
	if (ipv6) {
		snprintf(file, sizeof(file), "/proc/sys/net/ipv6/conf/path%d/accept_dad", path);
		write_file(file, "0");
	}

	address_of(&address, host, path, false, 0);
	memset(&request.ifr_ifru, 0, sizeof(request.ifr_ifru));
	memcpy(&request.ifr_addr, &address, sizeof(struct sockaddr_in));
	if (ioctl(control, SIOCSIFADDR, &request))
		fail("setting an address");
	((struct sockaddr_in *)&request.ifr_addr)->sin_addr.s_addr = htonl(0xffffff00);
	if (ioctl(control, SIOCSIFNETMASK, &request))
		fail("setting a netmask");
	request.ifr_mtu = MTU;
	if (ioctl(control, SIOCSIFMTU, &request))
		fail("setting an MTU");
	request.ifr_flags = IFF_UP | IFF_NOARP | IFF_POINTOPOINT;
	if (ioctl(control, SIOCSIFFLAGS, &request))
		fail("switching a device on");
	if (ipv6)
		give_ipv6_address(request.ifr_name, host, path);
	close(control);
	return tun;
}

void bind_socket(int its, int host, bool ipv6, int port)
{
	struct sockaddr_storage address;
	socklen_t length = address_of(&address, host, 0, ipv6, port);

	for (int tries = 0; bind(its, (void *)&address, length); tries++) {
		if (errno != EADDRNOTAVAIL || tries == 500)
			fail("binding a socket");
		usleep(10000);
	}
}

/* --- packets on their way */

void put_on_the_way(struct flights *flights, int tun, const uint8_t *bytes, size_t length, int64_t at)
{
	struct flight *flight;

	if (flights->count == flights->room) {
		flights->room = flights->room * 2 + 16;
		flights->all = realloc(flights->all, flights->room * sizeof(*flight));
	}
	flight = &flights->all[flights->count++];
	*flight = (struct flight){
		.at = at, .order = flights->order++, .tun = tun,
		.length = length, .bytes = malloc(length),
	};
	memcpy(flight->bytes, bytes, length);
}

struct flight *next_to_arrive(const struct flights *flights)
{
	struct flight *first = NULL;

	for (size_t i = 0; i < flights->count; i++) {
		struct flight *one = &flights->all[i];

		if (!first || one->at < first->at ||
		    (one->at == first->at && one->order < first->order))
			first = one;
	}
	return first;
}

void landed(struct flights *flights, struct flight *flight)
{
	free(flight->bytes);
	*flight = flights->all[--flights->count];
}
