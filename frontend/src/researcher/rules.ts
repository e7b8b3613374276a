// What the rules of exclusion are called.
// SPDX-License-Identifier: Apache-2.0

export const ruleNames: Readonly<Record<string, string>> = {
  trapping_wrong: "Trapping trials wrong",
  gold_wrong: "Gold trials wrong",
  control_difference: "Differences heard in controls",
  straight_lining: "The same answer throughout",
  headphones_failed: "Headphone test failed",
  hearing_failed: "Test of hearing failed",
  decision_under: "Answered too fast",
  heard_under: "Heard too little",
  page_hidden: "Page out of sight",
  seeks_over: "Sought too often",
  reference_under: "Missed the hidden reference",
  scripted_typing: "Typed by a script",
  answered: "By the questionnaire",
};
