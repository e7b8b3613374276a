// The front door: what this is, and where to go.
// SPDX-License-Identifier: Apache-2.0
import { Sheet } from "../design/elements";

export default function Landing() {
  return (
    <Sheet title="Thinlab" tab="Thinlab">
      <p className="small soft">todo</p>
    </Sheet>
  );
}
