// The recordings of a trial.
// SPDX-License-Identifier: Apache-2.0
import type { HeardTrial } from "../../../api/generated";
import { type Member, type Members, membersOf } from "../../../player/pair";
import { fetchRecording, type OnProgress } from "../../recordings";
import type { Files } from "../kind";

type Handles = Pick<HeardTrial, "first" | "second" | "x">;

/** All asked for at once and in the same way.
 * @throws Problem when the server no longer gives them (the trial is done). */
export async function fetchFiles(
  { first, second, x }: Handles,
  participant_token: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Files> {
  const handles: Members<{ recording_token: string }> = {
    first,
    ...(second && { second }),
    ...(x && { x }),
  };
  const members = membersOf(handles);
  const shares = new Map<Member, number>();
  const fetchMember = (member: Member) => {
    const progress = (share: number) => {
      shares.set(member, share);
      const sum = [...shares.values()].reduce((so_far, one) => so_far + one, 0);
      onProgress(sum / members.length);
    };
    const { recording_token } = handles[member] ?? first;
    return fetchRecording(recording_token, participant_token, progress, signal);
  };
  const [one, other, third] = await Promise.all(members.map(fetchMember));
  if (!one) throw new Error("A trial has no recording.");
  return { first: one, ...(other && { second: other }), ...(third && { x: third }) };
}
