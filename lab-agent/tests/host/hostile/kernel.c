/*
 * What stands in the place of a guest's kernel when the wall around it is
 * tested: a process that is no guest any more, after somebody has broken out.
 * Says on its console what it may do to the machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define X32 0x40000000

/* One line: of a guest's console only the last ones are told. */
static void say(const char *what, long long number)
{
	printf("%s %lld, ", what, number);
	fflush(stdout);
}

/* 1 when it was allowed: every test wants 0. */
static void allowed(const char *what, long long result)
{
	say(what, result >= 0);
}

static const char *argument(int count, char **words, const char *name)
{
	size_t length = strlen(name);

	for (int at = 1; at < count; at++)
		if (!strncmp(words[at], name, length))
			return words[at] + length;
	return "";
}

/* Opens NAME below FOLDER. */
static int below(const char *folder, const char *name, int flags)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, flags, 0600);
}

static void files(const char *kernel, const char *spool)
{
	char link[4096];

	allowed("passwd", open("/etc/passwd", O_RDONLY));
	allowed("root", open("/", O_RDONLY | O_DIRECTORY));
	allowed("proc", open("/proc/self/environ", O_RDONLY));
	allowed("parent", open("/proc/1/status", O_RDONLY));
	allowed("tmp", open("/tmp/hostile", O_CREAT | O_RDWR, 0600));
	allowed("kernel", open(kernel, O_WRONLY));
	allowed("beside the spool", below(spool, "../hostile", O_CREAT | O_RDWR));
	allowed("the room", below(spool, "../..", O_RDONLY | O_DIRECTORY));
	allowed("the console", below(spool, "../console", O_RDONLY));
	snprintf(link, sizeof(link), "%s/link", spool);
	allowed("link", symlink("/etc/passwd", link));
	snprintf(link, sizeof(link), "%s/pipe", spool);
	allowed("pipe", mknod(link, S_IFIFO | 0600, 0));
	snprintf(link, sizeof(link), "%s/device", spool);
	allowed("device", mknod(link, S_IFCHR | 0600, 0x103));
	execl("/bin/sh", "sh", "-c", "true", NULL);
	say("shell", 0);
}

static void network(void)
{
	char ring[120] = "";
	int pair[2];

	allowed("inet", socket(AF_INET, SOCK_STREAM, 0));
	allowed("inet6", socket(AF_INET6, SOCK_DGRAM, 0));
	allowed("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
	allowed("packet", socket(AF_PACKET, SOCK_RAW, 0));
	allowed("unix", socket(AF_UNIX, SOCK_STREAM, 0));
	allowed("x32", syscall(X32 | SYS_socket, AF_INET, SOCK_STREAM, 0));
	allowed("pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	allowed("ring", syscall(SYS_io_uring_setup, 8, ring));
}

static void rights(void)
{
	struct sched_param first = { .sched_priority = 1 };
	cpu_set_t all;
	struct rlimit own, parent;

	memset(&all, 0xff, sizeof(all));
	allowed("namespace", unshare(CLONE_NEWUSER));
	allowed("network namespace", unshare(CLONE_NEWNET));
	allowed("namespace by clone",
		syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
	allowed("user", setuid(65534));
	allowed("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
	allowed("chroot", chroot("/"));
	allowed("priority", sched_setscheduler(0, SCHED_FIFO, &first));
	allowed("processors", sched_setaffinity(0, sizeof(all), &all));
	allowed("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
	allowed("keys", syscall(SYS_keyctl, 0, -3, 1));
	allowed("bounds of the agent",
		syscall(SYS_prlimit64, getppid(), RLIMIT_NOFILE, NULL, &parent));
	getrlimit(RLIMIT_CORE, &own);
	say("core", own.rlim_max);
	say("without new privileges", !prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
}

static void others(void)
{
	allowed("signal", kill(getppid(), 0));
	allowed("trace", ptrace(PTRACE_ATTACH, getppid(), 0, 0));
	allowed("memory of the agent",
		syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
}

/* 1 when a terabyte was had; nothing of it is touched. */
static void bounds(const char *spool)
{
	const size_t much = 1ULL << 40;
	int protection = PROT_READ | PROT_WRITE;
	int kind = MAP_ANONYMOUS | MAP_NORESERVE;
	int file = below(spool, "large", O_CREAT | O_WRONLY);

	signal(SIGXFSZ, SIG_IGN);
	allowed("large file", ftruncate(file, much));
	say("memory", mmap(NULL, much, protection, MAP_PRIVATE | kind, -1, 0) !=
	    MAP_FAILED);
	say("shared", mmap(NULL, much, protection, MAP_SHARED | kind, -1, 0) !=
	    MAP_FAILED);
}

int main(int count, char **words)
{
	const char *spool = argument(count, words, "hostfs=");

	printf("hostile: ");
	files(words[0], spool);
	network();
	rights();
	others();
	bounds(spool);
	/* What a guest's kernel needs. */
	say("works", below(spool, "mine", O_CREAT | O_RDWR) >= 0 &&
	    below(getenv("TMPDIR"), "memory", O_CREAT | O_RDWR) >= 0 &&
	    open(argument(count, words, "initrd="), O_RDONLY) >= 0);
	printf("end\n");
	return 0;
}
