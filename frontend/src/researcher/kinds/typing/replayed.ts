// What a replay is made of, asked for once: the session, its screens, its packets.
// SPDX-License-Identifier: Apache-2.0
import { answered, api, patience } from "../../../api/client";
import type { PacketPassage, Screens, TypingReplay } from "../../../api/generated";
import { type Once, useOnce } from "../../../staff/useOnce";

const of = (session_id: number) => ({ params: { path: { session_id } }, signal: patience() });

const askSession = (id: number) =>
  answered<TypingReplay>(api.GET("/api/researcher/typing-sessions/{session_id}", of(id)));

const askScreens = (id: number) =>
  answered<Screens>(api.GET("/api/researcher/typing-sessions/{session_id}/screens", of(id)));

const askPackets = (id: number) =>
  answered<PacketPassage[]>(
    api.GET("/api/researcher/typing-sessions/{session_id}/packets", of(id)),
  );

export const useSession = (id: number): Once<TypingReplay> => useOnce(id, askSession);
export const useScreens = (id: number | null): Once<Screens> => useOnce(id, askScreens);
export const usePackets = (id: number | null): Once<PacketPassage[]> => useOnce(id, askPackets);
