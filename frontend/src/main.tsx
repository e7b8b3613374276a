// Chooses the page by its address and loads only that page's code, so that a
// participant's browser never fetches what researchers see, nor the audience's.
// SPDX-License-Identifier: Apache-2.0
import "./design/tokens.css";
import "./design/base.css";
import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { NotLoaded, Whole } from "./NotLoaded";

// Where there is a page; backend/thinlab/web/pages.py and nginx/nginx.conf say the same, and a test of
// setup compares them.
const PAGE = /^\/(s\/[^/]+\/?|researcher(\/.*)?|demo(\/.*)?|d(\/[^/]*)?)?$/;

function load(path: string): Promise<{ default: ComponentType }> {
  if (!PAGE.test(path)) return import("./landing/NoSuchPage");
  if (path.startsWith("/s/")) return import("./participant/Participant");
  if (path.startsWith("/researcher")) return import("./researcher/Researcher");
  if (path.startsWith("/d/") || path === "/d") return import("./demo/audience/Audience");
  if (path.startsWith("/demo")) return import("./demo/Presenter");
  return import("./landing/Landing");
}

const place = document.getElementById("page");
if (!place) throw new Error("index.html has no element #page");
const root = createRoot(place);
const show = (Page: ComponentType) =>
  root.render(
    <StrictMode>
      <Whole>
        <Page />
      </Whole>
    </StrictMode>,
  );
load(location.pathname).then(
  ({ default: Page }) => show(Page),
  () => show(NotLoaded),
);
