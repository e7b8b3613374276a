// The researcher's desk.
// SPDX-License-Identifier: Apache-2.0
import { Sheet } from "../design/elements";

export default function Researcher() {
  return <Sheet title="Researcher">…</Sheet>;
}
