// Whether what is said is good, worth a look or bad, and how that is coloured.
// SPDX-License-Identifier: Apache-2.0
import styles from "./tone.module.css";

export type Tone = "good" | "warn" | "bad";

/** The class that colours; none where nothing is said of it. */
export const toneClass = (tone: Tone | undefined): string | undefined => tone && styles[tone];
