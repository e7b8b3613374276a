// What somebody of the audience sees of a vote.
import { afterEach, expect, test, vi } from "vitest";
import type { AudiencePoll } from "../../api/generated";
import { type Rendered, rendered } from "../../design/rendered";
import { Speaking } from "../../language/Speaking";
import { Poll } from "./Poll";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

/** The result's rows, once they are there. */
async function rows(a: string | null, b: string | null): Promise<(string | null)[]> {
  const result: NonNullable<AudiencePoll["result"]> = {
    choices: [
      { letter: "A", name: a, votes: 12 },
      { letter: "B", name: b, votes: 1 },
    ],
    no_difference: 3,
  };
  shown = rendered(
    <Speaking language="en">
      <Poll
        poll={{ number: 1, question: "Better?", open: false, votes: 16, result, revealed: false }}
        lanes={[
          { letter: "A", revealed: null },
          { letter: "B", revealed: null },
        ]}
        voted="A"
        voting={null}
        onVote={() => {}}
      />
    </Speaking>,
  );
  const { place } = shown;
  await vi.waitUntil(() => place.querySelector("dl"), { timeout: 30_000 });
  return [...place.querySelectorAll("dl > div")].map(({ textContent }) => textContent);
}

test("a result tells what each letter was, where the server does", async () => {
  expect(await rows("all", "off")).toEqual(["A – all12", "B – off1", "No difference3"]);
});

test("and letters alone where it does not", async () => {
  expect(await rows(null, null)).toEqual(["A12", "B1", "No difference3"]);
});
