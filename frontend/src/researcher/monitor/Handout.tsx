// What goes to participants: the study's address, or invitations; and the preview.
// SPDX-License-Identifier: Apache-2.0
import { Link } from "wouter";
import { CopyButton } from "../CopyButton";
import { useStudy } from "../useStudy";

export function Handout() {
  const { study } = useStudy();
  const address = new URL(study.participant_path, location.origin).href;
  const invited = study.access === "invitation";
  return (
    <section className="card" aria-labelledby="handout">
      <h2 id="handout">Hand out</h2>
      {invited ? (
        <p>
          Participants need an invitation of their own.{" "}
          <Link href={`/studies/${encodeURIComponent(study.slug)}/invitations`}>
            Make invitations
          </Link>
        </p>
      ) : (
        <div className="field">
          <span className="label">Open link</span>
          <a className="address" href={study.participant_path}>
            {address}
          </a>
        </div>
      )}
      <div className="row">
        {!invited && <CopyButton text={address}>Copy the link</CopyButton>}
        <a className="button quiet slim" href={`${study.participant_path}?preview`}>
          Preview as participant
        </a>
      </div>
      <p className="small soft">
        A preview is the real thing, and is counted nowhere: not in balance, not in results.
      </p>
    </section>
  );
}
