// What the researcher calls a recording.
// SPDX-License-Identifier: Apache-2.0
import type { MemberRecording } from "../../../api/generated";
import { words } from "../../../staff/format";

/** The name of its condition. */
export const nameOf = ({ condition }: Pick<MemberRecording, "condition">): string =>
  words(condition.name);
