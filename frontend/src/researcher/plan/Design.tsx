// What a study declares: its trials, its conditions, its rules, and what was
// done against them.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { StudyDefinition } from "../../api/generated";
import { Card } from "../../design/Card";
import { SelectOne } from "../../design/Field";
import look from "../../design/look.module.css";
import { Pairs } from "../../design/Pairs";
import { Row } from "../../design/Row";
import { languageName } from "../../staff/format";
import { kinds } from "../kinds/registry";
import { said } from "../said";
import { useStudy } from "../useStudy";
import { BlockPlan } from "./BlockPlan";
import { Conditions } from "./Conditions";
import { Deviations } from "./Deviations";
import { History } from "./History";
import { Questionnaire } from "./Questionnaire";
import { Rules } from "./Rules";

export function Design() {
  const { study } = useStudy();
  const { definition } = study;
  const languages = definition.languages ?? ["en"];
  const [language, setLanguage] = useState(languages[0] ?? "en");
  return (
    <>
      <Row spread>
        <p className={look.soft}>
          As its file declares it, version{" "}
          <code title={study.study_hash}>{study.study_hash.slice(0, 12)}</code>.
        </p>
        {languages.length > 1 && (
          <Row as="label" className={look.small}>
            Texts in
            <SelectOne
              slim
              options={languages.map((code) => [code, languageName(code)])}
              chosen={language}
              onChoose={setLanguage}
            />
          </Row>
        )}
      </Row>
      <Deviations />
      <Rules definition={definition} language={language} />
      {definition.blocks.map((block) => (
        <BlockPlan key={block.id} block={block} language={language} />
      ))}
      {kinds.map(
        ({ medium, plan: { Stimuli } }) =>
          Stimuli && <Stimuli key={medium} definition={definition} language={language} />,
      )}
      <Conditions conditions={study.conditions} />
      {(definition.questionnaire?.length ?? 0) > 0 && (
        <Questionnaire questions={definition.questionnaire ?? []} language={language} />
      )}
      <Consent definition={definition} language={language} />
      <History />
    </>
  );
}

interface ConsentProps {
  readonly definition: StudyDefinition;
  readonly language: string;
}

function Consent({ definition, language }: ConsentProps) {
  const { consent, contact, retention_days } = definition;
  return (
    <Card aria-labelledby="consent">
      <h2 id="consent">Consent, version {consent.version}</h2>
      {consent.paragraphs.map((paragraph) => {
        const text = said(paragraph, language);
        return <p key={text}>{text}</p>;
      })}
      <Pairs className={look.small}>
        <div>
          <dt>Contact</dt>
          <dd>{contact ? said(contact, language) : "none given"}</dd>
        </div>
        <div>
          <dt>Kept</dt>
          <dd>
            {retention_days
              ? `The link between browser and answers is erased after ${retention_days} days.`
              : "no retention period declared"}
          </dd>
        </div>
      </Pairs>
    </Card>
  );
}
