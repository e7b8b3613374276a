// The button that makes a lane heard.
// SPDX-License-Identifier: Apache-2.0

interface HearButtonProps {
  readonly lane: { readonly letter: string; readonly name: string };
  /** Whether there is anything to hear of it. */
  readonly audible: boolean;
  readonly heard: boolean;
  /** From 1, in the order in which they are shown; the key that one hears it by. */
  readonly place: number;
  readonly onHear: () => void;
}

export function HearButton({ lane, audible, heard, place, onHear }: HearButtonProps) {
  return (
    <button
      type="button"
      className="hear"
      aria-pressed={audible && heard}
      aria-keyshortcuts={String(place)}
      disabled={!audible}
      onClick={onHear}
    >
      <span className="letter">{lane.letter}</span>
      <span className="name">
        {lane.name}
        <small>{audible ? (heard ? "You hear it" : "Hear it") : "No sound"}</small>
      </span>
      <kbd>{place}</kbd>
    </button>
  );
}
