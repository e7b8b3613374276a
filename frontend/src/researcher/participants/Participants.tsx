// Everybody in a study, by pseudonym: where they are, what speaks against
// analysing them, and the researcher's own word on it. Never their votes.
// SPDX-License-Identifier: Apache-2.0

import { useMemo, useState } from "react";
import { answered, api } from "../../api/client";
import type { ParticipantRow } from "../../api/generated";
import { Button } from "../../design/Button";
import { Empty } from "../../design/Empty";
import { Input } from "../../design/Field";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Row } from "../../design/Row";
import { Segments } from "../../design/Segments";
import { LiveNotices } from "../live/LiveNotices";
import { useStudyLive } from "../live/useDeskLive";
import { ofStudy } from "../useStudy";
import { ExclusionDialog } from "./ExclusionDialog";
import { counts, FILTERS, type Filter, isFoundBy, shownBy } from "./filters";
import styles from "./Participants.module.css";
import { ParticipantTable } from "./ParticipantTable";

const POLL_MS = 5_000;

const ask = (slug: string) =>
  answered(api.GET("/api/researcher/studies/{slug}/participants", ofStudy(slug)));

/** More rows make the page slow; who looks for one person uses the search. */
const MOST_ROWS = 200;

export function Participants() {
  const live = useStudyLive(ask, () => POLL_MS);
  const notices = <LiveNotices live={live} loading="The participants are being loaded." />;
  if (!live.data) return notices;
  if (live.data.length === 0) {
    return (
      <Notice title="Nobody has joined yet">
        <p>Participants appear here as soon as they have given their consent.</p>
      </Notice>
    );
  }
  return (
    <>
      {notices}
      <Everybody people={live.data} onChange={live.refresh} />
    </>
  );
}

interface EverybodyProps {
  readonly people: readonly ParticipantRow[];
  readonly onChange: () => void;
}

function Everybody({ people, onChange }: EverybodyProps) {
  const [filter, setFilter] = useState<Filter>("all");
  const [search, setSearch] = useState("");
  const [all, setAll] = useState(false);
  const [chosen, setChosen] = useState<ParticipantRow | null>(null);
  const found = useMemo(
    () => people.filter((one) => shownBy(filter, one) && isFoundBy(search, one)).reverse(),
    [people, filter, search],
  );
  const numbers = useMemo(() => counts(people), [people]);
  const offered = FILTERS.filter(({ id }) => id === "all" || id === filter || numbers[id] > 0);
  const rows = all ? found : found.slice(0, MOST_ROWS);
  return (
    <>
      <p className={look.soft}>
        Nothing is ever deleted here. A participant who is left out keeps every vote, marked in the
        export, and can be taken in again.
      </p>
      <Row spread>
        <Segments
          name="Whom to show"
          options={Object.fromEntries(
            offered.map(({ id, name }) => [id, `${name} (${numbers[id]})`]),
          )}
          chosen={filter}
          onChoose={setFilter}
        />
        <Input
          type="search"
          className={styles.search}
          aria-label="Search by pseudonym or completion code"
          placeholder="Pseudonym or completion code"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </Row>
      {rows.length === 0 ? (
        <Empty>Nobody is like this.</Empty>
      ) : (
        <ParticipantTable rows={rows} onChoose={setChosen} />
      )}
      {rows.length < found.length && (
        <Row>
          <Button quiet slim onClick={() => setAll(true)}>
            Show all {found.length}
          </Button>
        </Row>
      )}
      {chosen && (
        <ExclusionDialog
          participant={chosen}
          onDone={() => {
            setChosen(null);
            onChange();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
