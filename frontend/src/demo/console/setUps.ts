// Whether a demo is as a set-up has it.
// SPDX-License-Identifier: Apache-2.0
import type { DemoSettings, DemoState } from "../../api/generated";

/** What a lane has, the order of its mechanisms and what is as ever aside. */
const sender = ({ baseline, mechanisms, sctp }: DemoSettings["lanes"][number]) =>
  JSON.stringify([baseline, [...mechanisms].sort(), sctp?.sack_delay_ms ?? null]);

/** Settings come whole from one server, with their fields in one order. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export const isSetUp = (state: DemoState, { path, lanes, stream }: DemoSettings): boolean =>
  isSame(state.path, path) &&
  isSame(state.stream, stream) &&
  isSame(state.lanes.map(sender), lanes.map(sender));
