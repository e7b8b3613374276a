// The way back, above the pages of an experiment.
// SPDX-License-Identifier: Apache-2.0
import { Link } from "wouter";
import look from "../../design/look.module.css";
import { pageOf } from "./wording";

interface TrailProps {
  /** The experiment whose page is the next one up; none on its own page. */
  readonly of?: { readonly name: string; readonly title: string };
  readonly cell?: { readonly href: string; readonly where: string };
}

export function Trail({ of, cell }: TrailProps) {
  return (
    <nav aria-label="Breadcrumb" className={look.small}>
      <Link href="/experiments">All experiments</Link>
      {of && (
        <>
          {" › "}
          <Link href={pageOf(of.name)}>{of.title}</Link>
        </>
      )}
      {cell && (
        <>
          {" › "}
          <Link href={cell.href}>{cell.where}</Link>
        </>
      )}
    </nav>
  );
}
