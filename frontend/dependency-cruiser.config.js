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

/** Within a page, of those rooms that are folders of their own. */
const WITHIN = {
  participant: [["kinds", "checks"]],
  researcher: [
    [
      "access",
      "experiments",
      "export",
      "invitations",
      "monitor",
      "panel",
      "participants",
      "plan",
      "power",
      "results",
    ],
    // What each of them shows of a kind of trial.
    ["kinds"],
    // What keeps any of them current.
    ["live"],
  ],
  demo: [["replay", "audience"], ["console"], ["charts", "screens", "sound"], ["feed"]],
};

const placeIn = (folder) => (room) => `^src/${folder}${room}${room.includes(".") ? "" : "/"}`;
const any = (folder, rooms) => rooms.map(placeIn(folder)).join("|");

/** Rules for rooms in a folder, which is "" or ends with a slash. */
function importsGoDown(folder, order) {
  const rules = order.flatMap((rooms, line) =>
    rooms.map((room) => ({
      name: `${folder}${room}-imports-what-is-below`,
      severity: "error",
      from: { path: placeIn(folder)(room) },
      to: {
        path: any(folder, [
          ...order.slice(0, line).flat(),
          ...rooms.filter((other) => other !== room),
        ]),
      },
    })),
  );
  // Nothing is above what stands alone at the top, and no path would mean every path.
  return rules.filter(({ to }) => to.path !== "");
}

/** Pages for which every kind of trial is a folder in kinds/, which a registry there finds. */
const PAGES_WITH_KINDS = ["participant", "researcher"];

const kindsAreFoundByTheirRegistry = (page) => [
  {
    name: `kinds-of-${page}-are-found-by-their-registry`,
    comment: "What every kind shares names none of them: not even the registry, which has a glob.",
    severity: "error",
    from: { pathNot: `^src/${page}/kinds/[^/]+/` },
    to: { path: `^src/${page}/kinds/[^/]+/` },
  },
  {
    name: `kinds-of-${page}-do-not-know-each-other`,
    severity: "error",
    from: { path: `^src/${page}/kinds/([^/]+)/` },
    to: { path: `^src/${page}/kinds/[^/]+/`, pathNot: `^src/${page}/kinds/$1/` },
  },
];

const kindsOfResultsDoNotKnowEachOther = {
  name: "kinds-of-results-do-not-know-each-other",
  comment: "What several of them draw with stands beside their folders.",
  severity: "error",
  from: { path: "^src/researcher/results/([^/]+)/" },
  to: { path: "^src/researcher/results/[^/]+/", pathNot: "^src/researcher/results/$1/" },
};

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circle",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...importsGoDown("", ORDER),
    ...Object.entries(WITHIN).flatMap(([page, order]) => importsGoDown(`${page}/`, order)),
    {
      name: "every-room-has-a-place",
      comment: "A room that ORDER does not name.",
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: any("", ORDER.flat()) },
    },
    ...Object.entries(WITHIN).map(([page, order]) => ({
      name: `every-room-of-${page}-has-a-place`,
      comment: "A folder that WITHIN does not name.",
      severity: "error",
      from: {},
      to: { path: `^src/${page}/.+/`, pathNot: any(`${page}/`, order.flat()) },
    })),
    ...PAGES_WITH_KINDS.flatMap(kindsAreFoundByTheirRegistry),
    kindsOfResultsDoNotKnowEachOther,
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
