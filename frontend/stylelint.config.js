// Style sheets take colours, spaces, sizes of type and durations from src/design/tokens.css.
// SPDX-License-Identifier: Apache-2.0

const RELATIVE_TO_TYPE = ["em", "%", "fr", "vw", "vh"];
const SPACE = "/^(margin|padding|gap|row-gap|column-gap)/";

/** @type {import("stylelint").Config} */
export default {
  reportNeedlessDisables: true,
  rules: {
    "color-no-hex": true,
    "color-named": "never",
    "function-disallowed-list": [
      "rgb",
      "rgba",
      "hsl",
      "hsla",
      "hwb",
      "lab",
      "lch",
      "oklab",
      "oklch",
    ],
    "declaration-property-unit-allowed-list": {
      "font-size": ["em"],
      font: ["em"],
      [SPACE]: RELATIVE_TO_TYPE,
      "/^transition|^animation/": [],
      "border-radius": ["%"],
      "letter-spacing": ["em"],
    },
    "declaration-property-value-disallowed-list": {
      "font-size": ["/^(?!var\\(--text-|inherit|0\\.92em)/"],
      "z-index": ["/\\d{2,}/"],
    },
    "declaration-no-important": true,
    "selector-max-id": 0,
    "block-no-empty": true,
    "declaration-block-no-duplicate-properties": true,
    "media-query-no-invalid": true,
  },
  overrides: [
    {
      files: ["src/design/tokens.css", "src/demo/charts/colours.css"],
      rules: { "color-no-hex": null, "function-disallowed-list": null },
    },
  ],
};
