/*
 * What stands in the editor's place when the confinement of a terminal is
 * tested: it attempts what its user names, and says how far it came.
 *
 * Each line of input names an attempt; each line of output begins with the
 * attempt's name, and the last says "done".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define MOST 4096

static const char *attempt;

static void say(const char *what, long long number)
{
	printf("%s: %s %lld\n", attempt, what, number);
}

/* 1 when it was allowed: every test wants 0. */
static void allowed(const char *what, long long result)
{
	say(what, result >= 0);
}

static int wait_for_ever(void *nothing)
{
	for (;;)
		pause();
	return nothing != NULL;
}

static void processes(void)
{
	long long made = 0;
	pid_t child;

	while (made < MOST && (child = fork()) >= 0) {
		if (!child)
			wait_for_ever(NULL);
		made++;
	}
	say("forked", made);
	made = 0;
	static char stack[4096];
	while (made < MOST &&
	       clone(wait_for_ever, stack + sizeof(stack), CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD,
		     NULL) >= 0)
		made++;
	say("threads", made);
	allowed("vfork", syscall(SYS_vfork));
}

static void programs(void)
{
	static const char *const shells[] = { "/bin/sh", "/bin/busybox", "/bin/bash", "/bin/lab-agent", "/init",
					      "/proc/self/exe" };
	long long found = 0;

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
		found += !access(shells[i], F_OK);
	say("shells", found);
	int text = open("/home/text", O_WRONLY | O_TRUNC);
	(void)!write(text, "#!/bin/vim\n", 11);
	close(text);
	chmod("/home/text", 0755);
	char *const none[] = { NULL };
	allowed("execute_from_home", execve("/home/text", none, none));
}

static void memory(void)
{
	const long long mebibyte = 1 << 20;
	long long got = 0;
	char *piece;

	while (got < MOST && (piece = mmap(NULL, mebibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
					   0)) != MAP_FAILED) {
		memset(piece, 1, mebibyte);
		got++;
	}
	say("mapped_mib", got);
	/* Files in memory, each as long as a file may be, as many as may be open. */
	signal(SIGXFSZ, SIG_IGN);
	static char page[4096];
	long long pages = 0;
	int file;
	while ((file = memfd_create("hog", 0)) >= 0)
		while (write(file, page, sizeof(page)) == sizeof(page))
			pages++;
	say("memory_files_mib", pages / 256);
	for (int i = 3; i < 64; i++)
		close(i);
	int ends[2];
	pages = 0;
	while (!pipe2(ends, O_NONBLOCK)) {
		fcntl(ends[1], F_SETPIPE_SZ, 16 << 20);
		while (write(ends[1], page, sizeof(page)) == sizeof(page))
			pages++;
	}
	say("pipes_mib", pages / 256);
	for (int i = 3; i < 64; i++)
		close(i);
	allowed("shared_memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
	allowed("message_queue", msgget(IPC_PRIVATE, IPC_CREAT | 0600));
	allowed("semaphores", semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
	allowed("posix_queue", mq_open("/hog", O_CREAT | O_RDWR, 0600, NULL));
}

static void disk(void)
{
	static char page[4096];
	char name[64];
	long long pages = 0, files = 0;

	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < MOST; i++) {
		sprintf(name, "/home/%d", i);
		int file = open(name, O_CREAT | O_WRONLY, 0600);
		if (file < 0)
			break;
		files++;
		while (write(file, page, sizeof(page)) == sizeof(page))
			pages++;
		close(file);
	}
	say("files", files);
	say("kib", pages * 4);
	static const char *const elsewhere[] = { "/x",	  "/etc/x", "/bin/x",	  "/lib/x", "/dev/x",
						 "/tmp/x", "/usr/x", "/dev/pts/x", "/etc/passwd", "/bin/nano" };
	long long written = 0;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		written += open(elsewhere[i], O_CREAT | O_WRONLY, 0600) >= 0;
	say("elsewhere", written);
}

static void spin(void)
{
	printf("spin: begins\n");
	fflush(stdout);
	for (;;)
		;
}

static void long_calls(void)
{
	static char bytes[8 << 20];

	printf("long_calls: begins\n");
	fflush(stdout);
	while (getrandom(bytes, sizeof(bytes), 0) > 0)
		;
}

static void storm(void)
{
	static char page[4096];
	int ends[2];

	if (pipe(ends))
		return;
	printf("storm: begins\n");
	fflush(stdout);
	while (write(ends[1], page, sizeof(page)) > 0 && read(ends[0], page, sizeof(page)) > 0)
		access("/home/none", F_OK);
}

static void network(void)
{
	static const char *const hosts[] = { "127.0.0.1", "10.9.1.1", "10.9.1.2", "10.9.2.1", "10.9.2.2", "8.8.8.8" };
	static const int ports[] = { 22, 40000, 5000, 80 };
	long long reached = 0, interfaces = 0;
	char name[64];

	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		for (size_t j = 0; j < sizeof(ports) / sizeof(*ports); j++) {
			struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(ports[j]) };
			int made = socket(AF_INET, SOCK_STREAM, 0);

			inet_aton(hosts[i], &to.sin_addr);
			reached += !connect(made, (struct sockaddr *)&to, sizeof(to));
			close(made);
			made = socket(AF_INET, SOCK_DGRAM, 0);
			reached += sendto(made, "x", 1, 0, (struct sockaddr *)&to, sizeof(to)) > 0;
			close(made);
		}
	say("reached", reached);
	allowed("raw", socket(AF_INET, SOCK_RAW, IPPROTO_TCP));
	allowed("packet", socket(AF_PACKET, SOCK_RAW, 0));
	struct {
		struct nlmsghdr head;
		struct rtgenmsg body;
	} ask = { { sizeof(ask), RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0 }, { AF_UNSPEC } };
	static char answer[65536];
	int line = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	(void)!write(line, &ask, sizeof(ask));
	for (;;) {
		int left = read(line, answer, sizeof(answer));
		struct nlmsghdr *head = (struct nlmsghdr *)answer;
		for (; NLMSG_OK(head, left) && head->nlmsg_type == RTM_NEWLINK; head = NLMSG_NEXT(head, left))
			interfaces++;
		if (left <= 0 || head->nlmsg_type == NLMSG_DONE)
			break;
	}
	close(line);
	/* The loopback interface that every namespace has, and it is down. */
	say("interfaces", interfaces);
	/* What the connection to sshd is, if it can be got hold of at all. */
	long long sockets = 0;
	for (int i = 0; i < 64; i++) {
		struct stat status;
		sprintf(name, "/dev/fd/%d", i);
		sockets += !fstat(i, &status) && S_ISSOCK(status.st_mode);
	}
	say("inherited_sockets", sockets);
}

static void settings(void)
{
	static const char *const paths[] = { "/proc",
					     "/sys",
					     "/spool",
					     "/terminal",
					     "/run",
					     "/dev/mem",
					     "/dev/kmsg",
					     "/dev/ttyS0",
					     "/dev/console",
					     "/dev/hwrng",
					     "/proc/sys/net/ipv4/tcp_rdb",
					     "/proc/sys/net/ipv4/tcp_thin_linear_timeouts",
					     "/proc/config.gz",
					     "/etc/host_key",
					     "/etc/authorized_keys",
					     "/etc/sshd_config",
					     "../../proc",
					     "../../../../../../terminal" };
	long long found = 0;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!access(paths[i], F_OK)) {
			printf("%s: there is %s\n", attempt, paths[i]);
			found++;
		}
	say("found", found);
	allowed("mount_proc", mount("none", "/home", "proc", 0, ""));
	allowed("mount_sys", mount("none", "/home", "sysfs", 0, ""));
	allowed("mount_spool", mount("none", "/home", "hostfs", 0, "/"));
	allowed("node", mknod("/home/mem", S_IFCHR | 0600, makedev(1, 1)));
	char log[64];
	allowed("kernel_log", klogctl(3, log, sizeof(log)));
	/* A socket's own state, where the kernel tells the mechanisms. */
	int made = socket(AF_INET, SOCK_STREAM, 0), value = 0;
	socklen_t length = sizeof(value);
	getsockopt(made, IPPROTO_TCP, 200, &value, &length);
	say("bundling", value);
	char control[64] = "";
	length = sizeof(control);
	getsockopt(made, IPPROTO_TCP, 13, control, &length);
	printf("%s: congestion %s\n", attempt, control);
	close(made);
}

static void rights(void)
{
	allowed("root", setuid(0));
	allowed("other", setuid(getuid() + 1));
	allowed("groups", setgroups(0, NULL));
	allowed("user_namespace", unshare(CLONE_NEWUSER));
	allowed("mount_namespace", unshare(CLONE_NEWNS));
	allowed("network_namespace", unshare(CLONE_NEWNET));
	allowed("chroot", chroot("/home"));
	allowed("host_name", sethostname("x", 1));
	allowed("clock", clock_settime(CLOCK_REALTIME, &(struct timespec){ 0, 0 }));
	allowed("reboot", reboot(RB_POWER_OFF));
	allowed("priority", setpriority(PRIO_PROCESS, 0, -20));
	allowed("real_time", sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ 1 }));
	allowed("more_processes", setrlimit(RLIMIT_NPROC, &(struct rlimit){ 9, 9 }));
	allowed("lock_memory", mlockall(MCL_CURRENT));
	allowed("keys", syscall(SYS_add_key, "user", "x", "x", 1, -3));
	allowed("ring", syscall(SYS_io_uring_setup, 4, calloc(1, 256)));
	allowed("bpf", syscall(SYS_bpf, 0, calloc(1, 256), 128));
	allowed("trace_server", ptrace(PTRACE_ATTACH, 1, 0, 0));
	allowed("modules", syscall(SYS_init_module, "", 0, ""));
	int input = 'x';
	allowed("own_keys", ioctl(0, TIOCSTI, &input));
}

static void others(void)
{
	long long seen = 0;

	/* 0 asks without sending. Its own are the server's two, its starter, itself. */
	for (int i = 1; i < 32768; i++)
		seen += !kill(i, 0);
	say("processes", seen);
	seen = 0;
	for (int i = 0; i < 64; i++) {
		char name[32];
		sprintf(name, "/dev/pts/%d", i);
		seen += !access(name, F_OK);
	}
	say("terminals", seen);
	struct utsname system;
	uname(&system);
	printf("%s: host %s\n", attempt, system.nodename);
}

/* Ends its own session at most. */
static void slaughter(void)
{
	printf("slaughter: begins\n");
	fflush(stdout);
	kill(-1, SIGKILL);
	for (int i = 1; i < 32768; i++)
		if (i != getpid())
			kill(i, SIGKILL);
	raise(SIGKILL);
}

static void stubborn(void)
{
	for (int i = 1; i < 65; i++)
		signal(i, SIG_IGN);
	printf("stubborn: done\n");
	fflush(stdout);
	for (;;)
		pause();
}

static void flood(void)
{
	static char line[4096];

	memset(line, 'x', sizeof(line));
	for (;;)
		if (write(1, line, sizeof(line)) < 0)
			return;
}

static void escapes(void)
{
	/* Title, clipboard, questions, a string without end, a reset. */
	printf("\033]0;stolen\007\033]52;c;c3RvbGVu\007\033[c\033[6n\033[21t\033P+q544e\033\\\033[?1049h\033c");
	printf("escapes: done\n\033]0;without end");
}

static void world(const char *path, int depth)
{
	DIR *folder = depth < 4 ? opendir(*path ? path : "/") : NULL;
	struct dirent *entry;
	char below[4096];
	struct stat status;

	while (folder && (entry = readdir(folder))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
		if (lstat(below, &status))
			continue;
		printf("%s: %o %s\n", attempt, status.st_mode, below);
		if (S_ISDIR(status.st_mode) && strcmp(below, "/lib/x86_64-linux-gnu"))
			world(below, depth + 1);
	}
	if (folder)
		closedir(folder);
}

/* Everything that could differ from one session to the next. */
static void all_seen(void)
{
	extern char **environ;
	struct utsname system;
	char text[256];

	world("", 0);
	for (char **name = environ; *name; name++)
		printf("%s: %s\n", attempt, *name);
	uname(&system);
	printf("%s: %s %s %s\n", attempt, system.nodename, system.release, system.version);
	getcwd(text, sizeof(text));
	printf("%s: in %s as %d, group %d, process %d of %d\n", attempt, text, getuid() != 0, getgid() != 0, getpid(),
	       getppid());
	printf("%s: terminal %s\n", attempt, ttyname(0));
	struct winsize size;
	ioctl(0, TIOCGWINSZ, &size);
	printf("%s: %d by %d\n", attempt, size.ws_col, size.ws_row);
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit limit;
		getrlimit(i, &limit);
		printf("%s: limit %d %lld\n", attempt, i, (long long)limit.rlim_max);
	}
	settings();
}

static const struct {
	const char *name;
	void (*run)(void);
} attempts[] = {
	{ "processes", processes }, { "programs", programs }, { "memory", memory },	{ "disk", disk },
	{ "spin", spin },	    { "storm", storm },	    { "long_calls", long_calls },
	{ "network", network },	    { "settings", settings }, { "rights", rights },
	{ "others", others },	    { "slaughter", slaughter }, { "stubborn", stubborn }, { "flood", flood },
	{ "escapes", escapes },	    { "all_seen", all_seen },
};

int main(void)
{
	char line[64];

	printf("ready: done\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\r\n")] = 0;
		for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++)
			if (!strcmp(line, attempts[i].name)) {
				attempt = attempts[i].name;
				attempts[i].run();
				printf("%s: done\n", attempt);
				fflush(stdout);
			}
	}
	return 0;
}
