// What was measured while a run was recorded: distributions of latency, and
// both members row by row.
// SPDX-License-Identifier: Apache-2.0

import { useMemo, useState } from "react";
import type { MemberRecording } from "../../../api/generated";
import { Notice } from "../../../design/Notice";
import { Stack } from "../../../design/Stack";
import { Comparison } from "./Comparison";
import { Latencies } from "./Latencies";
import styles from "./Measurements.module.css";
import { nameOf, sentId } from "./naming";
import { useResult } from "./once";

interface MeasurementsProps {
  readonly name: string;
  readonly members: readonly MemberRecording[];
}

export function Measurements({ name, members }: MeasurementsProps) {
  const [open, setOpen] = useState(false);
  return (
    <Stack
      as="details"
      gap={6}
      className={styles.measurements}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Measurements</summary>
      {open && <Loaded name={name} members={members} />}
    </Stack>
  );
}

function Loaded({ name, members }: MeasurementsProps) {
  const [a, b] = members;
  const resultA = useResult(a ? sentId(a) : null);
  const resultB = useResult(b ? sentId(b) : null);
  const compared = members.map((member, index) => ({
    member,
    result: (index === 0 ? resultA : resultB).data,
  }));
  const nameA = a && nameOf(a);
  const nameB = b && nameOf(b);
  const measured = useMemo(
    () =>
      [
        { name: nameA, result: resultA.data },
        { name: nameB, result: resultB.data },
      ].flatMap(({ name, result }) => (name && result ? [{ name, result }] : [])),
    [nameA, nameB, resultA.data, resultB.data],
  );
  const problem = resultA.problem ?? resultB.problem;
  return (
    <Stack gap={6}>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {measured.length > 0 && <Latencies members={measured} />}
      <Comparison name={name} compared={compared} />
    </Stack>
  );
}
