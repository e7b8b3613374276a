// What the researcher calls a recording, and whether there is anything measured of it.
// SPDX-License-Identifier: Apache-2.0
import type { MemberRecording } from "../../../api/generated";
import { words } from "../../../staff/format";

/** The name of its condition. */
export const nameOf = ({ condition }: Pick<MemberRecording, "condition">): string =>
  words(condition.name);

/** Its id where something was sent, so that there are captures and a result; null of a reference. */
export const sentId = ({
  id,
  condition,
}: Pick<MemberRecording, "id" | "condition">): number | null =>
  "reference" in condition.condition ? null : id;
