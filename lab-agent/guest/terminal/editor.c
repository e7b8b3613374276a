/*
 * The login shell of a terminal's user: starts the editor on the one text, and
 * nothing else. sshd calls it as SHELL -c COMMAND, where COMMAND is the server's
 * own (ForceCommand), never the client's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of sshd and the relays, everybody's keys come first. */
#define EDITOR_NICE 10
/* Each may be a file in memory: terminal, text, a few at work. */
#define EDITOR_FILES 12
/* What shells say of a command that they do not have. */
#define NO_SUCH_COMMAND 127
/* And of one that a signal ended, with its number added. */
#define ENDED_BY_SIGNAL 128

static char *const vi[] = { "vim", "-Z", "-u", "/etc/vimrc", "-i", "NONE", "-n", "--", "text", NULL };
static char *const nano[] = { "rnano", "--restricted", "--ignorercfiles", "--", "text", NULL };
static char *const environment[] = { "HOME=/home", "LANG=C.UTF-8", "TERM=xterm-256color", NULL };

static int start(const char *program, char *const arguments[])
{
	/* Neither process nor thread: what an editor might start, it cannot. */
	const struct rlimit none = { 0, 0 };
	const struct rlimit files = { EDITOR_FILES, EDITOR_FILES };

	if (setrlimit(RLIMIT_NPROC, &none) || setrlimit(RLIMIT_NOFILE, &files) || nice(EDITOR_NICE) == -1)
		return NO_SUCH_COMMAND;
	execve(program, arguments, environment);
	return NO_SUCH_COMMAND;
}

static int edit(const char *command)
{
	if (!strcmp(command, "vi"))
		return start("/bin/vim", vi);
	if (!strcmp(command, "nano"))
		return start("/bin/nano", nano);
	return NO_SUCH_COMMAND;
}

int main(int argc, char **argv)
{
	int status;
	pid_t editor;

	if (argc != 3 || strcmp(argv[1], "-c"))
		return NO_SUCH_COMMAND;
	editor = fork();
	if (!editor)
		_exit(edit(argv[2]));
	if (editor < 0 || waitpid(editor, &status, 0) != editor)
		return NO_SUCH_COMMAND;
	if (WIFSIGNALED(status))
		return ENDED_BY_SIGNAL + WTERMSIG(status);
	return WEXITSTATUS(status);
}
