// A screen on the page, for one test.
// SPDX-License-Identifier: Apache-2.0
import { Screen } from "./screen";

export interface PlacedScreen {
  readonly screen: Screen;
  readonly place: HTMLElement;
  readonly remove: () => void;
}

export function placeScreen(width_px = 800): PlacedScreen {
  const place = document.createElement("div");
  place.style.width = `${width_px}px`;
  document.body.append(place);
  const screen = new Screen(place, "Terminal");
  const remove = () => {
    screen.dispose();
    place.remove();
  };
  return { screen, place, remove };
}
