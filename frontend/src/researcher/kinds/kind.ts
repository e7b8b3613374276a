// What the researcher's desk asks of a kind of trial: what each page shows of it.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "react";
import type {
  Block,
  Funnel,
  Monitor,
  OpenTrial,
  ParticipantRow,
  SessionCounts,
  StudyDefinition,
  StudyResults,
} from "../../api/generated";
import type { Term } from "../../design/Pairs";

/** What is done with the trials of a kind, as the server and the pages say it. */
export type Medium = OpenTrial["medium"];

/** A trial as the study's file declares it. */
export type DeclaredTrial = Block["trials"][number];

/** A page of the study that is this kind's own. */
export interface KindPage {
  /** The last part of its address. */
  readonly path: string;
  readonly title: string;
  readonly Content: ComponentType;
}

interface DefinitionProps {
  readonly definition: StudyDefinition;
  readonly language: string;
}

export interface Planned {
  /** How a participant meets the two members of a pair. */
  readonly played: (block: Block) => string;
  /** What is declared in advance for this kind alone. */
  readonly rules?: (definition: StudyDefinition) => readonly Term[];
  /** What its trials present; nothing where the study has none. */
  readonly Stimuli?: ComponentType<DefinitionProps>;
}

/** A table to take home, in every form that tables have. */
export interface Table {
  readonly title: string;
  readonly says: string;
  /** The last part of its address, without the form's ending. */
  readonly path: string;
}

/** A test that participants pass or fail. */
export interface Test {
  readonly label: string;
  readonly failed: number;
  readonly of: number;
}

export interface Monitored {
  /** Where in the funnel participants have passed the check before the trials. */
  readonly stage: { readonly title: string; readonly count: (funnel: Funnel) => number };
  /** Those whom that check keeps out. */
  readonly refusal: {
    readonly title: string;
    readonly tone: "bad" | "warn";
    readonly count: (whereabouts: Monitor["whereabouts"]) => number;
  };
  /** How a difference between the members of a control shows. */
  readonly difference: string;
  /** What is tested of participants, beside their care. */
  readonly tested?: {
    readonly what: string;
    readonly tests: (monitor: Monitor) => readonly Test[];
  };
  /** Of a kind whose trials have sessions. */
  readonly Sessions?: ComponentType<{ readonly counts: SessionCounts }>;
}

interface ResultsProps {
  readonly results: StudyResults;
}

export interface Analysed {
  /** Which of the results' sentences `Warning` says already. */
  readonly warning: (results: StudyResults) => string | null;
  /** Before everything else; nothing where there is nothing to warn of. */
  readonly Warning: ComponentType<ResultsProps>;
  /** After everything else; nothing of a study without such trials. */
  readonly Figures: ComponentType<ResultsProps>;
}

export interface Kind {
  readonly medium: Medium;
  readonly stimulus: {
    readonly title: string;
    /** By its name; null of a trial of another kind. */
    readonly of: (trial: DeclaredTrial) => string | null;
  };
  /** Where its sessions are watched, and where what it presents is prepared. */
  readonly pages: { readonly sessions?: KindPage; readonly stimuli?: KindPage };
  readonly plan: Planned;
  readonly monitor: Monitored;
  /** What a participant's checks came to; empty of whom it has not checked. */
  readonly checksOf: (row: ParticipantRow) => readonly string[];
  readonly tables: readonly Table[];
  readonly results?: Analysed;
}
