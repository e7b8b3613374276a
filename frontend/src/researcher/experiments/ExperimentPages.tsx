// Experiments: all of them, one, a cell of it, one of its sessions.
// SPDX-License-Identifier: Apache-2.0
import { NoSuchPage } from "../../staff/NoSuchPage";
import { Cell } from "./Cell";
import { Experiment } from "./Experiment";
import { Experiments } from "./Experiments";
import { Session } from "./Session";

interface ExperimentPagesProps {
  /** What follows in the address. */
  readonly path: string;
  readonly onSignedOut: () => void;
}

export function ExperimentPages({ path, onSignedOut }: ExperimentPagesProps) {
  const [name, part, item, ...more] = path.split("/").filter(Boolean);
  if (name === undefined) return <Experiments onSignedOut={onSignedOut} />;
  const of = { name, onSignedOut };
  if (part === undefined) return <Experiment key={name} {...of} />;
  if (item !== undefined && more.length === 0) {
    if (part === "cells") return <Cell key={path} address={item} {...of} />;
    if (part === "sessions") return <Session key={path} session={item} {...of} />;
  }
  return <NoSuchPage all="All studies" />;
}
