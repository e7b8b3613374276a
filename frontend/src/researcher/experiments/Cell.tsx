// One cell of an experiment: what its runs come to, and each of them.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useState } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../../api/client";
import type { CellDetails, SessionEntry } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Sheet } from "../../design/Sheet";
import { type Column, Records, Table } from "../../design/Table";
import { Lost } from "../../staff/Lost";
import desk from "../desk.module.css";
import { useDeskLive } from "../live/useDeskLive";
import { NotThere } from "./NotThere";
import { Pages } from "./Pages";
import { Trail } from "./Trail";
import { type OfExperiment, reportOf, sessionPage } from "./wording";

const AT_ONCE = 50;
const POLL_MS = 60_000;

interface CellProps extends OfExperiment {
  readonly address: string;
}

export function Cell({ name, address, onSignedOut }: CellProps) {
  const [first, setFirst] = useState(0);
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/researcher/experiments/{name}/cells/{cell}", {
          params: { path: { name, cell: address }, query: { first, count: AT_ONCE } },
          signal: patience(),
        }),
      ),
    [name, address, first],
  );
  const live = useDeskLive(ask, (data) => (data ? POLL_MS : 2_000), onSignedOut);
  if (!live.data) return <NotThere live={live} loading="The cell is being looked up." />;
  const { title, where, sessions, total } = live.data;
  const columns: readonly Column<SessionEntry>[] = [
    {
      title: "Session",
      value: ({ key, run }) => <Link href={sessionPage(name, key)}>Run {run}</Link>,
    },
    { title: "Seed", value: ({ seed }) => <code>{seed}</code> },
    { title: "Key", value: ({ key }) => <code className={desk.address}>{key}</code> },
  ];
  return (
    <Sheet title={where} tab={`${where} · ${title}`} wide above={<Trail of={{ name, title }} />}>
      {live.lost && <Lost said={live.said} />}
      <TitledCard id="cell-sessions" title="Sessions">
        <p className={look.soft}>
          Each run of this cell. Its captures can be made again, and looked at.
        </p>
        <Records
          label="Sessions of this cell"
          rows={sessions}
          columns={columns}
          keyOf={({ key }) => key}
        />
        <Pages
          what="Sessions"
          first={first}
          shown={sessions.length}
          total={total}
          at_once={AT_ONCE}
          onTurn={setFirst}
        />
      </TitledCard>
      <TitledCard id="cell-figures" title="What they come to">
        <Figures of={live.data} />
        <p className={look.note}>
          Means over the runs ± the half width of their 95 % confidence interval; of a maximum, the
          highest of all runs. <a href={reportOf(name)}>The report</a> has them beside those of the
          other cells.
        </p>
      </TitledCard>
    </Sheet>
  );
}

function Figures({ of: { metrics, groups } }: { readonly of: CellDetails }) {
  return (
    <Table label="What the runs of this cell come to">
      <thead>
        <tr>
          <td />
          {groups.map(({ name }) => (
            <th key={name} scope="col">
              {name || "Mean"}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {metrics.map((metric, place) => (
          <tr key={metric}>
            <th scope="row">{metric}</th>
            {groups.map(({ name, figures }) => (
              <td key={name}>{figures[place]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
