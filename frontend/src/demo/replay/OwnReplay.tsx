// The replay of a demo of one's own.
// SPDX-License-Identifier: Apache-2.0

import { Link } from "wouter";
import type { DemoDetails } from "../../api/generated";
import look from "../../design/look.module.css";
import { Sheet } from "../../design/Sheet";
import { Replay } from "./Replay";

export function OwnReplay({ demo }: { readonly demo: DemoDetails }) {
  const { demo_id, title } = demo.summary;
  return (
    <Sheet
      title={`Replay: ${title}`}
      wide
      above={
        <nav aria-label="Breadcrumb" className={look.small}>
          <Link href="/">All demos</Link> · <Link href={`/${demo_id}`}>{title}</Link>
        </nav>
      }
    >
      <Replay base={`/api/demos/${demo_id}`} demo={demo} />
    </Sheet>
  );
}
