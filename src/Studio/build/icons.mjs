// Writes src/ui/iconPaths.ts from the drawings of Lucide that are named here: each as the data of its paths.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Our names, and Lucide's. */
const ICONS = {
  activity: "activity",
  alert: "circle-alert",
  back: "arrow-left",
  braces: "braces",
  chart: "chart-line",
  check: "check",
  chevronDown: "chevron-down",
  chevronLeft: "chevron-left",
  chevronRight: "chevron-right",
  chevronUp: "chevron-up",
  clip: "paperclip",
  clock: "clock",
  close: "x",
  columns: "columns-3",
  compare: "git-compare",
  copy: "copy",
  database: "database",
  disk: "hard-drive",
  download: "download",
  eye: "eye",
  file: "file-text",
  files: "files",
  filter: "filter",
  gauge: "gauge",
  history: "history",
  info: "info",
  key: "key",
  keyboard: "keyboard",
  link: "link",
  lock: "lock",
  menu: "menu",
  minus: "minus",
  moon: "moon",
  more: "ellipsis",
  network: "network",
  pause: "pause",
  play: "play",
  plus: "plus",
  refresh: "refresh-cw",
  reset: "rotate-ccw",
  save: "save",
  search: "search",
  send: "send",
  settings: "settings",
  stop: "square",
  sun: "sun",
  table: "table",
  terminal: "terminal",
  trash: "trash-2",
  tree: "list-tree",
  upload: "upload",
  wand: "wand-sparkles",
  zoomIn: "zoom-in",
  zoomOut: "zoom-out",
};

const folder = new URL("../node_modules/lucide-static/icons/", import.meta.url);
const lines = Object.entries(ICONS).map(([name, file]) => {
  const svg = readFileSync(new URL(`${file}.svg`, folder), "utf8");
  const paths = [...svg.matchAll(/<(path|circle|ellipse|rect|line|polyline|polygon)\s([^>]*?)\/>/gs)].map(toPath);
  if (paths.length === 0) {
    throw new Error(`${file}.svg has no drawing that is understood.`);
  }
  return `  ${name}: [${paths.map((path) => `\n    ${JSON.stringify(path)},`).join("")}\n  ],`;
});
const text = `// Made by build/icons.mjs from Lucide (ISC); change it there.

/** The data of the paths of each drawing, in a box of 24 by 24. */
export const ICON_PATHS = {
${lines.join("\n")}
} as const;

/** The name of a drawing. */
export type IconName = keyof typeof ICON_PATHS;
`;
writeFileSync(fileURLToPath(new URL("../src/ui/iconPaths.ts", import.meta.url)), text);

function toPath([, tag, attributes]) {
  const of = (name) => attributes.match(new RegExp(`(?:^|\\s)${name}="([^"]*)"`))?.[1];
  const number = (name) => Number(of(name) ?? 0);
  switch (tag) {
    case "path":
      return of("d");
    case "line":
      return `M${of("x1")} ${of("y1")}L${of("x2")} ${of("y2")}`;
    case "polyline":
    case "polygon":
      return `M${of("points")}${tag === "polygon" ? "Z" : ""}`;
    case "rect": {
      const [x, y, width, height, r] = ["x", "y", "width", "height", "rx"].map(number);
      const corner = (dx, dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
      return `M${x + r} ${y}h${width - 2 * r}${corner(r, r)}v${height - 2 * r}${corner(-r, r)}h${2 * r - width}${corner(-r, -r)}v${2 * r - height}${corner(r, -r)}Z`;
    }
    default: {
      const [cx, cy] = [number("cx"), number("cy")];
      const [rx, ry] = tag === "circle" ? [number("r"), number("r")] : [number("rx"), number("ry")];
      return `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
    }
  }
}
