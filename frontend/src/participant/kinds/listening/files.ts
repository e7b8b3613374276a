// The recordings of a trial.
// SPDX-License-Identifier: Apache-2.0
import type { HeardTrial } from "../../../api/generated";
import { eachOf, type Member, type Members, membersOf, SOUNDS } from "../../../player/pair";
import { fetchRecording, type OnProgress } from "../../recordings";
import type { Files } from "../kind";

type Handles = Pick<HeardTrial, "first" | "second" | "x" | "others">;
type Handle = HeardTrial["first"];

/** What is at the places of a trial. */
export function handlesOf({ first, second, x, others = [] }: Handles): Members<Handle> {
  const rest = [...(second ? [second] : []), ...others];
  const placed = rest.map((handle, place) => [SOUNDS[place + 1], handle] as const);
  return { first, ...Object.fromEntries(placed), ...(x && { x }) };
}

/** All asked for at once and in the same way.
 * @throws Problem when the server no longer gives them (the trial is done). */
export async function fetchFiles(
  trial: Handles,
  participant_token: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Files> {
  const handles = handlesOf(trial);
  const { length } = membersOf(handles);
  const shares = new Map<Member, number>();
  return eachOf(handles, ({ recording_token }, member) => {
    const progress = (share: number) => {
      shares.set(member, share);
      const sum = [...shares.values()].reduce((so_far, one) => so_far + one, 0);
      onProgress(sum / length);
    };
    return fetchRecording(recording_token, participant_token, progress, signal);
  });
}
