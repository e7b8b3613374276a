/* Tests of SCTP's mechanisms for thin streams. See run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "world.h"

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc >= 2 && !strcmp(argv[1], "cases"))
		return run_cases(argc - 2, argv + 2);
	if (argc >= 2 && !strcmp(argv[1], "hostile"))
		return run_hostile(argc - 2, argv + 2);
	if (argc >= 2 && !strcmp(argv[1], "latency"))
		return run_latency(argc - 2, argv + 2);
	fail("usage: sctp-thin cases [NAME] | hostile EVENTS [SEED [WORD...]] | latency SECONDS MECHANISMS [SEED]");
}
