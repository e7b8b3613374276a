// A study whose participants a panel sends: its link, what the panel is told, whom to pay.
// SPDX-License-Identifier: Apache-2.0

import { answered, api } from "../../api/client";
import type { PanelDesk } from "../../api/generated";
import { ButtonLink } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { type Column, Records } from "../../design/Table";
import { CopyButton } from "../../staff/CopyButton";
import desk from "../desk.module.css";
import { LiveNotices } from "../live/LiveNotices";
import { useStudyLive } from "../live/useDeskLive";
import { ofStudy, useStudy } from "../useStudy";
import { OUTCOMES } from "./outcomes";
import { Returns } from "./Returns";

const POLL_MS = 5_000;

const ask = (slug: string) =>
  answered(api.GET("/api/researcher/studies/{slug}/panel", ofStudy(slug)));

export function Panel() {
  const live = useStudyLive(ask, () => POLL_MS);
  return (
    <>
      <LiveNotices live={live} loading="The panel is being loaded." />
      {live.data && (
        <>
          <Link panel={live.data} />
          <Returns panel={live.data} onSaved={live.refresh} />
          <Seats panel={live.data} />
        </>
      )}
    </>
  );
}

function Link({ panel }: { readonly panel: PanelDesk }) {
  // As it is: the panel looks for its placeholders, which must not be encoded.
  const address = `${location.origin}${panel.path}`;
  const fillsIn = panel.path.includes("?");
  return (
    <TitledCard
      id="link"
      title={panel.title ? `To enter at ${panel.title}` : "To give to the panel"}
    >
      <p>
        <code className={desk.address}>{address}</code>
      </p>
      <Row>
        <CopyButton text={address}>Copy the link</CopyButton>
      </Row>
      <p className={look.note}>
        {fillsIn
          ? "The panel fills in who somebody is."
          : "The panel has to append who somebody is."}{" "}
        Read from the address: {panel.parameters.join(", ")}. Whoever comes without an id is sent
        back to the panel. A place is reserved for {panel.deadline_minutes} minutes.
      </p>
    </TitledCard>
  );
}

type Count = PanelDesk["seats"][number];

const COLUMNS: readonly Column<Count>[] = [
  {
    title: "Came to",
    value: ({ outcome }) => (outcome === null ? "Under way" : OUTCOMES[outcome].title),
  },
  { title: "People", value: ({ count }) => count },
];

function Seats({ panel }: { readonly panel: PanelDesk }) {
  const { study } = useStudy();
  const at = `/api/researcher/studies/${encodeURIComponent(study.slug)}/panel-seats`;
  return (
    <TitledCard id="seats" title="Whom to pay">
      <Records
        label="How many have come to which end"
        rows={panel.seats}
        keyOf={({ outcome }) => outcome ?? "none"}
        columns={COLUMNS}
      />
      <Row>
        <ButtonLink quiet slim href={`${at}.csv`} download>
          List (CSV)
        </ButtonLink>
        <ButtonLink quiet slim href={`${at}.xlsx`} download>
          List (Excel)
        </ButtonLink>
        <ButtonLink quiet slim href={`${at}.csv?pseudonyms=true`} download>
          With pseudonyms (CSV)
        </ButtonLink>
      </Row>
      <p className={look.note}>
        The list has the panel’s ids and what each came to. With pseudonyms it also tells how these
        people answered: ask for that only if you need it, and keep it apart. Who withdraws is no
        longer named.
      </p>
    </TitledCard>
  );
}
