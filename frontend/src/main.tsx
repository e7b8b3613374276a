// Chooses the page by its address and loads only that page's code, so that a
// participant's browser never fetches what researchers see.
// SPDX-License-Identifier: Apache-2.0
import "./design/tokens.css";
import "./design/base.css";
import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Button, Sheet } from "./design/elements";

function load(path: string): Promise<{ default: ComponentType }> {
  if (path.startsWith("/s/")) return import("./participant/Participant");
  if (path.startsWith("/researcher")) return import("./researcher/Researcher");
  return import("./landing/Landing");
}

function NotLoaded() {
  return (
    <Sheet title="The page did not load">
      <p>A part of this page could not be fetched. Nothing that you entered before is lost.</p>
      <Button onClick={() => location.reload()}>Load again</Button>
    </Sheet>
  );
}

const place = document.getElementById("page");
if (!place) throw new Error("index.html has no element #page");
const root = createRoot(place);
const show = (Page: ComponentType) =>
  root.render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
load(location.pathname).then(
  ({ default: Page }) => show(Page),
  () => show(NotLoaded),
);
