// A number is applied when it is let go, never while it moves, and shows what is in force.
// SPDX-License-Identifier: Apache-2.0
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { Quantity } from "./Quantity";
import { DIRECTION } from "./scales";

let root: Root;
let applied: number[];

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  document.body.innerHTML = "<div id=place></div>";
  root = createRoot(document.querySelector("#place") as Element);
  applied = [];
});
afterEach(() => act(() => root.unmount()));

const show = (value: number) =>
  act(() =>
    root.render(
      <Quantity
        scale={DIRECTION.loss_share}
        value={value}
        onItsWay={false}
        onApply={(next) => applied.push(next)}
      />,
    ),
  );
const slider = () => document.querySelector("input[type=range]") as HTMLInputElement;
const field = () => document.querySelector("input[type=number]") as HTMLInputElement;

function slide(to: string): void {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  act(() => {
    set?.call(slider(), to);
    slider().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

test("the slider applies once, when it is let go", () => {
  show(0.02);
  expect([slider().value, field().value]).toEqual(["2", "2"]);
  for (const to of ["3", "4.5", "6"]) slide(to);
  expect(applied).toEqual([]);
  expect(field().value).toBe("6");
  act(() => slider().dispatchEvent(new PointerEvent("pointerup", { bubbles: true })));
  expect(applied).toEqual([0.06]);
});

test("the field applies with Enter and by leaving it, within what is possible", async () => {
  show(0.02);
  await act(() => userEvent.fill(field(), "5"));
  expect(applied).toEqual([]);
  await act(() => userEvent.keyboard("{Enter}"));
  expect(applied).toEqual([0.05]);
  await act(() => userEvent.fill(field(), "250"));
  await act(() => userEvent.tab());
  expect(applied).toEqual([0.05, 1]);
});

test("nothing typed is nothing asked for", async () => {
  show(0.02);
  await act(() => userEvent.fill(field(), ""));
  await act(() => userEvent.tab());
  expect(applied).toEqual([]);
  expect(field().value).toBe("2");
});

test("what another console sets is shown, but not under the finger", () => {
  show(0.02);
  show(0.05);
  expect(field().value).toBe("5");
  slide("8");
  show(0.1);
  expect(field().value).toBe("8");
});
