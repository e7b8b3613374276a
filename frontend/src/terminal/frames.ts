// The parts of a frame under the names that this folder uses.
// SPDX-License-Identifier: Apache-2.0
import type { BrowserFrame, ServerFrame } from "../api/generated";

export type { BrowserFrame, Hello, Refused, ServerFrame } from "../api/generated";
export type BrowserMessage = NonNullable<BrowserFrame["messages"]>[number];
export type ServerMessage = NonNullable<ServerFrame["messages"]>[number];
export type Opening = NonNullable<ServerFrame["opening"]>;
