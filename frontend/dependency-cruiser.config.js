// The order of rooms in src/: what stands above may import what stands below, never the other way.
// SPDX-License-Identifier: Apache-2.0

/** From the top down. Rooms of one line do not know each other. */
const ORDER = [
  // Chooses a page by its address.
  ["main.tsx"],
  ["NotLoaded.tsx"],
  // Leads to the others: plays a study's sample, asks for a demo's letters.
  ["landing"],
  // The pages.
  ["participant", "researcher", "demo"],
  // What researchers' and presenters' pages share; the instruments of a trial.
  ["staff", "headphones", "terminal"],
  ["player"],
  ["charts"],
  ["language"],
  ["api", "design"],
];

const place = (room) => `^src/${room}${room.includes(".") ? "" : "/"}`;
const any = (rooms) => rooms.map(place).join("|");

function importsWhatIsBelow(room) {
  const line = ORDER.findIndex((rooms) => rooms.includes(room));
  const above = ORDER.slice(0, line).flat();
  const beside = ORDER[line].filter((other) => other !== room);
  return {
    name: `${room}-imports-what-is-below`,
    severity: "error",
    from: { path: place(room) },
    to: { path: any([...above, ...beside]) },
  };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circle",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...ORDER.flat().slice(1).map(importsWhatIsBelow),
    {
      name: "every-room-has-a-place",
      comment: "A room that ORDER does not name.",
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: any(ORDER.flat()) },
    },
    {
      name: "examples-are-in-no-page",
      severity: "error",
      from: { pathNot: "^src/design/examples/" },
      to: { path: "^src/design/examples/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^demo-charts/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".css"] },
  },
};
