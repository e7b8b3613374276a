import { expect, test } from "vitest";
import { Settings } from "./settings";

const setting = (at_ms: number, path: string) => ({ at_ms, path, stream: "a clip", senders: [] });

test("an instant is told as it was set then, not as it is now", () => {
  const settings = new Settings();
  expect(settings.at(5_000)).toBeNull();
  settings.take(setting(1_000, "delay 65 ms"));
  settings.take(setting(2_000, "delay 65 ms"));
  settings.take(setting(3_000, "delay 97 ms"));
  expect([0, 2_999, 3_000, 9_000].map((at_ms) => settings.at(at_ms)?.path)).toEqual([
    "delay 65 ms",
    "delay 65 ms",
    "delay 97 ms",
    "delay 97 ms",
  ]);
  expect(settings.at(2_500)?.at_ms).toBe(1_000);
});
