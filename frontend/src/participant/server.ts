// What the page asks of the study's server, each until it is answered.
// SPDX-License-Identifier: Apache-2.0
import { answered, api, Problem, patience } from "../api/client";
import type {
  Arrival,
  Arrived,
  HeadphoneTry,
  HearingRoundAnswer,
  HearingRounds,
  HearingTry,
  Joined,
  Joining,
  OpenTrial,
  Participation,
  QuestionForm,
  StudyPage,
} from "../api/generated";
import { reach } from "./connection";

const bearing = (token: string) => ({
  headers: { Authorization: `Bearer ${token}` },
  signal: patience(),
});

/** The study's first page in the language asked for, or in the study's own. */
export function loadStudy(
  slug: string,
  language: string | null,
  signal: AbortSignal,
): Promise<StudyPage> {
  const params = { path: { slug }, query: language ? { language } : {} };
  return reach(() => answered(api.GET("/api/studies/{slug}", { params, signal: patience() })), {
    signal,
  });
}

/** Where somebody stands whom a panel has sent. */
export function arrive(slug: string, body: Arrival, signal: AbortSignal): Promise<Arrived> {
  const params = { path: { slug } };
  return reach(
    () => answered(api.POST("/api/studies/{slug}/arrivals", { params, body, signal: patience() })),
    { signal },
  );
}

export function join(slug: string, body: Joining, signal: AbortSignal): Promise<Joined> {
  const params = { path: { slug } };
  return reach(
    () =>
      answered(api.POST("/api/studies/{slug}/participants", { params, body, signal: patience() })),
    { signal },
  );
}

/** How far the participant is. */
export function progress(token: string, signal: AbortSignal): Promise<Participation> {
  return reach(() => answered(api.GET("/api/participation", bearing(token))), { signal });
}

/** A try of the headphone test; null when it is settled, by whatever device.
 * @throws Problem when the server does not know the participant any more. */
export async function beginHeadphoneTest(token: string): Promise<HeadphoneTry | null> {
  try {
    return await reach(() => answered(api.POST("/api/participation/headphones", bearing(token))));
  } catch (error) {
    if (error instanceof Problem && error.kind === "settled") return null;
    throw error;
  }
}

/** The same of the next test of hearing. */
export async function beginHearingTest(token: string): Promise<HearingTry | null> {
  try {
    return await reach(() => answered(api.POST("/api/participation/hearing", bearing(token))));
  } catch (error) {
    if (error instanceof Problem && error.kind === "settled") return null;
    throw error;
  }
}

/** Stores what was heard in a round that is due; null where the server has gone on without it.
 * @throws Problem when it does not know the participant any more. */
export async function answerHearingRound(
  token: string,
  body: HearingRoundAnswer,
): Promise<HearingRounds | null> {
  const ask = () =>
    answered(api.POST("/api/participation/hearing-rounds", { body, ...bearing(token) }));
  try {
    return await reach(ask);
  } catch (error) {
    if (error instanceof Problem && error.kind === "no-such-try") return null;
    throw error;
  }
}

export async function questions(token: string, signal: AbortSignal): Promise<QuestionForm[]> {
  const ask = () => answered(api.GET("/api/participation/questions", bearing(token)));
  return (await reach(ask, { signal })).questions;
}

/** The open trial and those that follow. */
export async function openTrials(token: string, signal: AbortSignal): Promise<OpenTrial[]> {
  const ask = () => answered(api.POST("/api/participation/trials", bearing(token)));
  return (await reach(ask, { signal })).trials;
}

/** Deletes all answers; takes the participant's or the withdraw token. */
export async function withdraw(token: string, signal: AbortSignal): Promise<void> {
  await reach(() => answered(api.DELETE("/api/participation", bearing(token))), { signal });
}
