/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends a thin stream between the network namespaces "sender" and "receiver"
 * and says what was on the wire. Compiled with the header that the kernel's
 * package brings, so that the header is tested too. Prints NAME=VALUE lines;
 * the script `init` beside it judges them.
 *
 * exchange options                       the socket options
 * exchange stream MESSAGES BYTES GAP_MS [rdb]
 *         one message every GAP_MS; rdb: with the socket option TCP_RDB
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECEIVER "10.0.0.2"
#define PORT 5000

/* A byte of the stream depends on its place, with a period that no length of
 * a message shares.
 */
static uint8_t stream_byte(uint32_t place)
{
	return place * 7 + (place >> 8) * 31;
}

static bool in_place(const uint8_t *bytes, size_t length, uint32_t place)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] != stream_byte(place + i))
			return false;
	return true;
}

static void enter(const char *namespace)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", namespace);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(2, "entering %s", path);
	close(fd);
}

static int get_option(int fd, int option)
{
	int value = -1;
	socklen_t length = sizeof(value);

	if (getsockopt(fd, IPPROTO_TCP, option, &value, &length))
		return -errno;
	return value;
}

static int set_option(int fd, int option, int value)
{
	if (setsockopt(fd, IPPROTO_TCP, option, &value, sizeof(value)))
		return -errno;
	return 0;
}

static int print_options(void)
{
	static const struct {
		const char *name;
		int number;
	} options[] = {
		{ "TCP_THIN_LINEAR_TIMEOUTS", TCP_THIN_LINEAR_TIMEOUTS },
		{ "TCP_THIN_DUPACK", TCP_THIN_DUPACK },
		{ "TCP_RDB", TCP_RDB },
		{ "TCP_THIN_WINDOW_FLOOR", TCP_THIN_WINDOW_FLOOR },
		{ "TCP_THIN_PROBE", TCP_THIN_PROBE },
		{ "TCP_THIN_TAIL_COPY", TCP_THIN_TAIL_COPY },
		{ "TCP_THIN_WRITE_RECOVERY", TCP_THIN_WRITE_RECOVERY },
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		err(2, "making a socket");
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		int number = options[i].number;
		int first = get_option(fd, number);
		int on = set_option(fd, number, 1);
		int then = get_option(fd, number);
		int wrong = set_option(fd, number, 2);
		int off = set_option(fd, number, 0);

		printf("%s=%d:%d,%d,%d,%d,%d,%d\n", options[i].name, number,
		       first, on, then, wrong, off, get_option(fd, number));
	}
	close(fd);
	return 0;
}

/* What the receiver's interface saw of the stream. */
struct seen {
	bool begun;
	uint32_t first;		/* sequence number of the stream's byte 0 */
	uint32_t end;		/* highest place seen, plus one */
	uint32_t segments;	/* with payload */
	uint32_t bytes;		/* of payload */
	uint32_t longest;
	uint32_t bundles;	/* old data in front of new */
	uint32_t misplaced;	/* payload that is not the stream's at its place */
};

static void see(struct seen *seen, const uint8_t *packet, size_t length)
{
	const struct iphdr *ip = (const void *)packet;
	const struct tcphdr *tcp;
	uint32_t place, end;
	size_t head;

	if (length < sizeof(*ip) || ip->protocol != IPPROTO_TCP)
		return;
	tcp = (const void *)(packet + ip->ihl * 4);
	if (ntohs(tcp->dest) != PORT)
		return;
	if (tcp->syn) {
		seen->first = ntohl(tcp->seq) + 1;
		seen->begun = true;
		return;
	}
	head = ip->ihl * 4 + tcp->doff * 4;
	length = ntohs(ip->tot_len);
	if (!seen->begun || length <= head)
		return;
	place = ntohl(tcp->seq) - seen->first;
	end = place + length - head;
	seen->segments++;
	seen->bytes += length - head;
	if (length - head > seen->longest)
		seen->longest = length - head;
	if (!in_place(packet + head, length - head, place))
		seen->misplaced++;
	if (place < seen->end && end > seen->end)
		seen->bundles++;
	if (end > seen->end)
		seen->end = end;
}

/* Reads the stream to its end beside a capture, answers with one byte, and
 * prints what it saw.
 */
static int receive(int ready)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
	};
	struct seen seen = { 0 };
	uint8_t buffer[65536];
	uint32_t received = 0;
	bool intact = true;
	int capture, listener, stream, on = 1;
	ssize_t length;

	enter("receiver");
	inet_pton(AF_INET, RECEIVER, &address.sin_addr);
	capture = socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK, htons(ETH_P_IP));
	if (capture < 0)
		err(2, "capturing");
	listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(listener, (void *)&address, sizeof(address)) || listen(listener, 1))
		err(2, "listening");
	if (write(ready, "", 1) != 1)
		err(2, "telling that it listens");
	stream = accept(listener, NULL, NULL);
	if (stream < 0)
		err(2, "accepting");
	for (;;) {
		struct pollfd ends[2] = {
			{ .fd = capture, .events = POLLIN },
			{ .fd = stream, .events = POLLIN },
		};

		if (poll(ends, 2, -1) < 0)
			err(2, "waiting");
		while ((length = recv(capture, buffer, sizeof(buffer), 0)) > 0)
			see(&seen, buffer, length);
		if (!ends[1].revents)
			continue;
		length = read(stream, buffer, sizeof(buffer));
		if (length < 0)
			err(2, "reading the stream");
		if (length == 0)
			break;
		intact = intact && in_place(buffer, length, received);
		received += length;
	}
	printf("received=%u\nintact=%d\n", received, intact);
	printf("wire_segments=%u\nwire_bytes=%u\nwire_longest=%u\nwire_bundles=%u\nwire_misplaced=%u\n",
	       seen.segments, seen.bytes, seen.longest, seen.bundles, seen.misplaced);
	fflush(stdout);
	if (write(stream, "", 1) != 1)
		err(2, "answering");
	return 0;
}

static void print_info(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t length = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length))
		err(2, "asking for TCP_INFO");
	if (length < sizeof(info))
		errx(2, "TCP_INFO has %u bytes of the header's %zu", length, sizeof(info));
	printf("info_total_retrans=%u\ninfo_bytes_retrans=%llu\n",
	       info.tcpi_total_retrans, (unsigned long long)info.tcpi_bytes_retrans);

	struct tcp_thin_info thin = { 0 };

	length = sizeof(thin);
	if (getsockopt(fd, IPPROTO_TCP, TCP_THIN_INFO, &thin, &length))
		err(2, "asking for TCP_THIN_INFO");
	if (length < sizeof(thin))
		errx(2, "TCP_THIN_INFO has %u bytes of the header's %zu", length, sizeof(thin));
	printf("info_rdb_bytes=%llu\ninfo_rdb_bundles=%u\ninfo_rdb_repairs=%u\n",
	       (unsigned long long)thin.tcpti_rdb_bytes, thin.tcpti_rdb_bundles, thin.tcpti_rdb_repairs);
	printf("info_rdb_dsacks=%u\ninfo_rdb_congestion=%u\n", thin.tcpti_rdb_dsacks, thin.tcpti_rdb_congestion);
	printf("info_thin_early_retrans=%u\ninfo_thin_linear_timeouts=%u\n",
	       thin.tcpti_early_retrans, thin.tcpti_linear_timeouts);
}

static void send_stream(int messages, int bytes, int gap_ms, bool rdb)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
	};
	struct itimerspec beat = {
		.it_value.tv_nsec = 1,
		.it_interval.tv_sec = gap_ms / 1000,
		.it_interval.tv_nsec = gap_ms % 1000 * 1000000L,
	};
	int fd, timer, on = 1, sent = 0;
	uint32_t place = 0;
	uint64_t beats;
	char answer;

	enter("sender");
	inet_pton(AF_INET, RECEIVER, &address.sin_addr);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		err(2, "making a socket");
	if (rdb && set_option(fd, TCP_RDB, 1))
		err(2, "setting TCP_RDB");
	if (connect(fd, (void *)&address, sizeof(address)))
		err(2, "connecting");
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	if (timer < 0 || timerfd_settime(timer, 0, &beat, NULL))
		err(2, "setting a timer");
	/* A beat that a slow machine has missed is left out, not made up for: two
	 * messages at once would be one segment.
	 */
	for (sent = 0; sent < messages; sent++) {
		uint8_t message[1024];

		if (read(timer, &beats, sizeof(beats)) != sizeof(beats))
			err(2, "waiting for the timer");
		for (int i = 0; i < bytes; i++)
			message[i] = stream_byte(place + i);
		place += bytes;
		if (write(fd, message, bytes) != bytes)
			err(2, "sending");
	}
	shutdown(fd, SHUT_WR);
	if (read(fd, &answer, 1) != 1)
		errx(2, "the receiver did not answer");
	printf("sent=%u\n", place);
	print_info(fd);
	fflush(stdout);
}

int main(int count, char **words)
{
	int ready[2], status, bytes;
	char begun;
	pid_t receiver;

	if (count == 2 && !strcmp(words[1], "options"))
		return print_options();
	bytes = count >= 5 ? atoi(words[3]) : 0;
	if (count < 5 || strcmp(words[1], "stream") || bytes < 1 || bytes > 1024)
		errx(2, "usage: exchange options | stream MESSAGES BYTES(1-1024) GAP_MS [rdb]");
	if (pipe(ready))
		err(2, "making a pipe");
	receiver = fork();
	if (receiver == 0) {
		close(ready[0]);
		_exit(receive(ready[1]));
	}
	close(ready[1]);
	if (read(ready[0], &begun, 1) != 1)
		errx(2, "the receiver did not begin");
	send_stream(atoi(words[2]), bytes, atoi(words[4]), count > 5 && !strcmp(words[5], "rdb"));
	waitpid(receiver, &status, 0);
	return status ? 2 : 0;
}
