// One block: the scale in the words of the participants, and its trials.
// SPDX-License-Identifier: Apache-2.0

import type { Block } from "../../api/generated";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Pills } from "../../design/Pills";
import { Row } from "../../design/Row";
import { Records } from "../../design/Table";
import { Tag } from "../../design/Tag";
import type { DeclaredTrial } from "../kinds/kind";
import { kindOfBlock } from "../kinds/registry";
import { said } from "../said";
import styles from "./BlockPlan.module.css";

interface BlockPlanProps {
  readonly block: Block;
  readonly language: string;
}

export function BlockPlan({ block, language }: BlockPlanProps) {
  const id = `block-${block.id}`;
  const { stimulus } = kindOfBlock(block);
  return (
    <Card aria-labelledby={id}>
      <Row spread>
        <h2 id={id}>Block “{block.id}”</h2>
        {block.role === "training" && <Tag>Training, never analysed</Tag>}
      </Row>
      {block.introduction && <p>{said(block.introduction, language)}</p>}
      <figure className={styles.question}>
        <figcaption>{said(block.scale.question, language)}</figcaption>
        <Pills>
          {answersOf(block, language).map((answer) => (
            <li key={answer}>{answer}</li>
          ))}
        </Pills>
      </figure>
      <Noticeable block={block} language={language} />
      <p className={look.note}>{orderOf(block)}</p>
      <Records
        label={`Trials of the block ${block.id}`}
        rows={block.trials}
        keyOf={(trial) => trial.id}
        columns={[
          { title: "Trial", value: (trial) => trial.id },
          { title: "Kind", value: (trial) => trial.kind },
          { title: stimulus.title, value: stimulus.of },
          { title: "Conditions", value: conditionsOf },
          { title: "Runs", value: runsOf },
          { title: "Seed", value: (trial) => trial.seed },
        ]}
      />
    </Card>
  );
}

/** What is asked of those who prefer one. */
function Noticeable({ block: { scale }, language }: BlockPlanProps) {
  if (scale.kind !== "preference" || !scale.noticeable) return null;
  const { question, labels } = scale.noticeable;
  return (
    <figure className={styles.question}>
      <figcaption>
        {said(question, language)}{" "}
        <span className={look.note}>Asked after “first” and “second”.</span>
      </figcaption>
      <Pills>
        {Object.entries(labels).map(([step, label]) => (
          <li key={step}>
            {step}: {said(label, language)}
          </li>
        ))}
      </Pills>
    </figure>
  );
}

function answersOf({ scale }: Block, language: string): string[] {
  if (scale.kind === "abx") {
    return [said(scale.answers.first, language), said(scale.answers.second, language)];
  }
  if (scale.kind === "preference") {
    const { first, second, no_difference } = scale.answers;
    return [first, second, no_difference].flatMap((text) => (text ? [said(text, language)] : []));
  }
  return Object.entries(scale.labels)
    .sort(([one], [other]) => Number(other) - Number(one))
    .map(([score, label]) => `${score.replace("-", "−")}: ${said(label, language)}`);
}

const ORDERS: Readonly<Record<NonNullable<Block["order"]>, string>> = {
  as_written: "Trials in the order below",
  balanced: "Order balanced over participants",
  apart: "Order balanced over participants, with nothing right after itself",
};

type Quantity = NonNullable<Block["adaptive"]>["quantity"];

const SOUGHT: Readonly<Record<Quantity, string>> = {
  loss_share: "loss",
  one_way_delay_ms: "one-way delay",
};

function orderOf(block: Block): string {
  const order = ORDERS[block.order ?? "balanced"];
  const { medium, plan } = kindOfBlock(block);
  const sides =
    block.scale.kind === "dcr"
      ? `the condition named first is the reference, ${medium} first`
      : block.sides === "as_written"
        ? `the condition named first is ${medium} first`
        : `which member is ${medium} first is balanced as well`;
  const rest = block.break_every
    ? ` A page to rest at after each ${block.break_every} trials.`
    : "";
  if (block.scale.kind === "mushra") {
    return `${order}; all sounds of a clip on one page, in an order by chance, beside the clip as their reference.${rest}`;
  }
  if (block.adaptive) {
    const { quantity, trials } = block.adaptive;
    const sought = SOUGHT[quantity];
    return `Adaptive (QUEST+): each participant does ${trials} trials on each clip, and each answer decides which level of ${sought} comes next, to find the threshold; clips, runs and which member is ${medium} first are drawn by chance.${rest}`;
  }
  const paired = block.scale.kind !== "acr";
  return `${order}${paired ? `; ${sides}. ${plan.played(block)}.` : "."}${rest}`;
}

function conditionsOf(trial: DeclaredTrial): string {
  switch (trial.kind) {
    case "pair":
      return trial.conditions.join(" and ");
    case "control":
      return `${trial.condition} and itself`;
    case "trapping":
      return `${trial.condition}; asks for “${trial.answer}”`;
    case "gold":
      if (trial.better) return `${namedIn(trial)}; ${trial.better} is better`;
      return trial.at_least
        ? `${namedIn(trial)}; at least ${trial.at_least}`
        : `${namedIn(trial)}; at most ${trial.at_most}`;
    default:
      return trial.condition;
  }
}

const namedIn = ({ conditions, condition }: Extract<DeclaredTrial, { kind: "gold" }>) =>
  conditions ? conditions.join(" and ") : condition;

function runsOf(trial: DeclaredTrial): string {
  if (trial.kind === "gold" || trial.kind === "trapping") return "1";
  const matched = trial.kind === "pair" && trial.matched === false ? ", a seed each" : "";
  return `${trial.runs ?? 1}${matched}`;
}
