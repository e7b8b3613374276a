// Which participants the table shows.
// SPDX-License-Identifier: Apache-2.0
import type { ParticipantRow } from "../../api/generated";

export const FILTERS = [
  { id: "all", name: "All" },
  { id: "completed", name: "Completed" },
  { id: "under_way", name: "Under way" },
  { id: "gone", name: "Left" },
  { id: "left_out", name: "Left out" },
  { id: "bots", name: "Bots" },
  { id: "previews", name: "Previews" },
] as const;

export type Filter = (typeof FILTERS)[number]["id"];

/** “All” are people; bots and previews are never among them. */
export function shownBy(filter: Filter, one: ParticipantRow): boolean {
  if (filter === "bots") return one.kind === "bot";
  if (filter === "previews") return one.kind === "preview";
  if (one.kind !== "person") return false;
  switch (filter) {
    case "completed":
      return one.presence === "completed";
    case "under_way":
      return one.presence === "live" || one.presence === "paused";
    case "gone":
      return [
        "gone",
        "withdrawn",
        "headphones_failed",
        "hearing_failed",
        "connection_failed",
        "ineligible",
      ].includes(one.presence);
    case "left_out":
      return one.excluded;
    default:
      return true;
  }
}

/** Codes are copied by people, who leave out the dash and mind no capitals. */
const bare = (text: string): string => text.replaceAll(/[\s-]/g, "").toLowerCase();

/** Whether a pseudonym or a completion code has this in it. */
export const isFoundBy = (
  search: string,
  { pseudonym, completion_code }: Pick<ParticipantRow, "pseudonym" | "completion_code">,
): boolean => [pseudonym, completion_code ?? ""].some((name) => bare(name).includes(bare(search)));

export function counts(people: readonly ParticipantRow[]): Readonly<Record<Filter, number>> {
  const entries = FILTERS.map(({ id }) => [id, people.filter((one) => shownBy(id, one)).length]);
  return Object.fromEntries(entries) as Record<Filter, number>;
}
