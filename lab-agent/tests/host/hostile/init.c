/*
 * A guest's init that wants to see the machine that its guest runs on: what
 * somebody could do who has become the guest's root. Says on the console what
 * it got, and powers off.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char said[4096];

static void say(const char *what, int number)
{
	size_t length = strlen(said);

	snprintf(said + length, sizeof(said) - length, "%s %d, ", what, number);
}

/* How many names are there: none where nothing can be seen. */
static int names_of(DIR *stream)
{
	struct dirent *entry;
	int count = 0;

	while (stream && (entry = readdir(stream)))
		count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	if (stream)
		closedir(stream);
	return count;
}

static int names(const char *folder)
{
	return names_of(opendir(folder));
}

/* A mount of hostfs with this option, and what it shows. */
static int mounted(const char *option)
{
	int count = 0;

	mkdir("/mnt", 0755);
	if (!mount("none", "/mnt", "hostfs", 0, option)) {
		count = names("/mnt");
		umount2("/mnt", MNT_DETACH);
	}
	return count;
}

/* A folder that becomes a link to `to` while another mount has it open. */
static int swapped(const char *to)
{
	DIR *open_one;
	int count;

	mkdir("/spool/swapped", 0755);
	mkdir("/other", 0755);
	if (mount("none", "/other", "hostfs", 0, NULL))
		return -1;
	open_one = opendir("/other/swapped");
	rmdir("/spool/swapped");
	symlink(to, "/spool/swapped");
	count = names_of(open_one);
	umount2("/other", MNT_DETACH);
	return count;
}

int main(void)
{
	char byte;
	int file;

	mkdir("/proc", 0755);
	mkdir("/spool", 0755);
	mkdir("/dev", 0755);
	mount("none", "/proc", "proc", 0, NULL);
	mount("none", "/dev", "devtmpfs", 0, NULL);
	say("spool", mount("none", "/spool", "hostfs", 0, NULL));
	say("above", mounted(".."));
	say("far above", mounted("../../../../../../../.."));
	say("above by a detour", mounted("a/../../.."));
	mkdir("/spool/a", 0755);
	say("above by a folder of mine", mounted("a/../.."));
	say("the machine's root", mounted("/"));
	symlink("/", "/spool/link");
	say("a link as a mount's root", mounted("link"));
	say("a link on the way", mounted("link/etc"));
	say("a swapped folder", swapped("/etc"));
	/* A link's text is the guest's own business. */
	say("by a link", access("/spool/link/etc/hostname", F_OK) == 0);
	say("by dots", access("/spool/../../../etc/hostname", F_OK) == 0);
	mknod("/spool/disk", S_IFBLK | 0600, makedev(8, 0));
	file = open("/spool/disk", O_RDONLY);
	say("a disk", file >= 0 && read(file, &byte, 1) == 1);
	say("my own file", open("/spool/mine", O_CREAT | O_RDWR, 0600) >= 0);
	/* One line: of a guest's console only the last ones are told. */
	printf("hostile: %send\n", said);
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 1;
}
