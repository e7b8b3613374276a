// An experiment's cells, as many at once as a page bears, to their sessions.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useDeferredValue, useState } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../../api/client";
import type { CellInList } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import { Empty } from "../../design/Empty";
import { Input } from "../../design/Field";
import { type Column, Records } from "../../design/Table";
import { useLive } from "../../staff/live";
import { LiveNotices } from "../live/LiveNotices";
import { Pages } from "./Pages";
import { cellPage } from "./wording";

const AT_ONCE = 50;
/** They are of one set of results, and stay. */
const POLL_MS = 600_000;

export function Cells({ name }: { readonly name: string }) {
  const [first, setFirst] = useState(0);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/researcher/experiments/{name}/cells", {
          params: { path: { name }, query: { first, count: AT_ONCE, search: wanted } },
          signal: patience(),
        }),
      ),
    [name, first, wanted],
  );
  const live = useLive(ask, (data) => (data ? POLL_MS : 2_000));
  const { data } = live;
  const columns: readonly Column<CellInList>[] = [
    {
      title: "Cell",
      value: ({ address, where }) => <Link href={cellPage(name, address)}>{where}</Link>,
    },
    { title: "Sessions", value: ({ sessions }) => sessions },
  ];
  return (
    <TitledCard id="experiment-cells" title="Cells">
      <LiveNotices live={live} loading="The cells are being looked up." />
      {data && (data.total > AT_ONCE || search) && (
        <Input
          type="search"
          aria-label="Search among the cells"
          placeholder="Such as: bundling 5 %"
          maxLength={200}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setFirst(0);
          }}
        />
      )}
      {data && data.cells.length === 0 && <Empty>No cell is like this.</Empty>}
      {data && data.cells.length > 0 && (
        <Records
          label="Cells and their sessions"
          rows={data.cells}
          columns={columns}
          keyOf={({ address }) => address}
        />
      )}
      {data && (
        <Pages
          what="Cells"
          first={first}
          shown={data.cells.length}
          total={data.total}
          at_once={AT_ONCE}
          onTurn={setFirst}
        />
      )}
    </TitledCard>
  );
}
