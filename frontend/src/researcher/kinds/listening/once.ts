// What is asked for once and never changes: a recording's result and waveform.
// SPDX-License-Identifier: Apache-2.0
import { answered, api, patience } from "../../../api/client";
import type { SessionResult, Waveform } from "../../../api/generated";
import { type Once, useOnce } from "../../../staff/useOnce";

/** A recording's result, under the name that a researcher gives the recording. */
export interface Measured {
  readonly name: string;
  readonly result: SessionResult;
}

const askResult = (recording_id: number) =>
  answered<SessionResult>(
    api.GET("/api/researcher/recordings/{recording_id}/result", {
      params: { path: { recording_id } },
      signal: patience(),
    }),
  );

const askWaveform = (recording_id: number) =>
  answered<Waveform>(
    api.GET("/api/researcher/recordings/{recording_id}/waveform", {
      params: { path: { recording_id } },
      signal: patience(),
    }),
  );

export const useResult = (id: number | null): Once<SessionResult> => useOnce(id, askResult);
export const useWaveform = (id: number | null): Once<Waveform> => useOnce(id, askWaveform);
