// Builds the Studio: `node build/build.mjs` writes dist, `--check` compares it byte for byte with what is committed.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { licences } from "./licences.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const committed = join(root, "dist");

/** The vendor file that each imported package is in. */
const VENDORS = {
  react: "react",
  "react/jsx-runtime": "react",
  "react-dom/client": "react",
  "@tanstack/react-router": "router",
  "@tanstack/react-query": "query",
  "@base-ui/react/dialog": "baseui",
  "@base-ui/react/menu": "baseui",
  "@base-ui/react/tabs": "baseui",
  "@codemirror/autocomplete": "codemirror",
  "@codemirror/commands": "codemirror",
  "@codemirror/lang-json": "codemirror",
  "@codemirror/language": "codemirror",
  "@codemirror/lint": "codemirror",
  "@codemirror/search": "codemirror",
  "@codemirror/state": "codemirror",
  "@codemirror/view": "codemirror",
  "@lezer/highlight": "codemirror",
  "@codemirror/lang-javascript": "javascript",
  "@replit/codemirror-lang-csharp": "csharp",
  "@codemirror/merge": "merge",
  uplot: "uplot",
};

/** The files of style, in the order in which they count. */
const STYLES = ["tokens", "base", "controls", "pages", "operate", "editor", "parts", "chart"];

const target = "es2022";
const define = { "process.env.NODE_ENV": '"production"' };

/** A directive for servers means nothing in a browser; everything else that is wrong ends the build. */
function onLog(level, log) {
  if (level === "warn" && log.code !== "MODULE_LEVEL_DIRECTIVE") {
    throw new Error(log.message);
  }
}

async function buildVendors(out) {
  const names = [...new Set(Object.values(VENDORS))];
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [name, `./vendor/${name}.ts`])),
    platform: "browser",
    preserveEntrySignatures: "strict",
    transform: { target, define },
    onLog,
  });
  const { output } = await bundle.write({
    dir: join(out, "vendor"),
    format: "esm",
    minify: true,
    comments: { legal: false },
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    // What several of them need has one file each, so that a name never depends on who came first.
    codeSplitting: {
      groups: [
        { name: "react-core", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
        {
          name: "codemirror-core",
          test: /node_modules[\\/](@codemirror[\\/](state|view|language|autocomplete|lint)|@lezer[\\/](common|lr|highlight)|style-mod|w3c-keyname|crelt|@marijn)[\\/]/,
          priority: 2,
        },
      ],
    },
  });
  await bundle.close();
  return output;
}

async function buildApp(out) {
  const bundle = await rolldown({
    cwd: root,
    // The worker is a page of its own: nothing imports it, its address is written in the source.
    input: { main: "./src/main.tsx", "json/jsonWorker": "./src/json/jsonWorker.ts" },
    platform: "browser",
    transform: { target, define, jsx: "react-jsx" },
    onLog,
    plugins: [
      {
        name: "vendors",
        resolveId(source) {
          if (source.startsWith(".") || source.startsWith("/") || source.includes(root)) {
            return null;
          }
          const vendor = VENDORS[source];
          if (!vendor) {
            throw new Error(`${source} is in no vendor file: build/build.mjs names them.`);
          }
          return { id: join(root, "src", "vendor", `${vendor}.js`), external: "relative" };
        },
        renderChunk(code) {
          return code.replaceAll(/new URL\("(\.[^"]*)\.ts", import\.meta\.url\)/g, 'new URL("$1.js", import.meta.url)');
        },
      },
    ],
  });
  const { output } = await bundle.write({
    dir: out,
    format: "esm",
    minify: false,
    preserveModules: true,
    preserveModulesRoot: join(root, "src"),
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  await bundle.close();
  return output;
}

/** A name that a vendor file does not have would be an error in the browser alone: it is one here. */
function checkImports(vendors, app) {
  const exported = new Map(vendors.map((one) => [one.fileName, new Set(one.exports)]));
  for (const chunk of app) {
    for (const [, names, vendor] of chunk.code.matchAll(/import \{([^}]*)\} from "[^"]*vendor\/(\w+\.js)"/g)) {
      const missing = names
        .split(",")
        .map((name) => name.trim().split(" as ")[0])
        .filter((name) => !exported.get(vendor)?.has(name));
      if (missing.length > 0) {
        throw new Error(`${chunk.fileName} takes ${missing.join(", ")} from vendor/${vendor}: name it in vendor/*.ts.`);
      }
    }
  }
}

/** The modules that a page needs before anything is shown, followed through their static imports. */
function firstModules(output) {
  const byName = new Map(output.filter((one) => one.type === "chunk").map((one) => [one.fileName, one]));
  const found = new Set();
  const follow = (name) => {
    if (!found.has(name)) {
      found.add(name);
      for (const next of byName.get(name)?.imports ?? []) {
        follow(next);
      }
    }
  };
  follow("main.js");
  return [...found].filter((name) => byName.has(name));
}

function page(first) {
  const preloads = first.sort().map((name) => `    <link rel="modulepreload" href="./${name}" />`);
  return readFileSync(join(root, "index.html"), "utf8")
    .replace(/ *<link rel="stylesheet"[^>]*>\n/g, "")
    .replace(/ *<script type="module"[^>]*><\/script>\n/, "")
    .replace(
      "  </head>",
      `    <link rel="stylesheet" href="./style.css" />\n${preloads.join("\n")}\n    <script type="module" src="./main.js"></script>\n  </head>`,
    );
}

async function build(out) {
  rmSync(out, { recursive: true, force: true });
  const vendors = await buildVendors(out);
  const app = await buildApp(out);
  checkImports(vendors, app);
  const ours = firstModules(app);
  const theirs = new Set();
  for (const chunk of app.filter((one) => ours.includes(one.fileName))) {
    for (const name of chunk.imports) {
      const vendor = /vendor\/(\w+)\.js$/.exec(name)?.[1];
      if (vendor) {
        theirs.add(`${vendor}.js`);
      }
    }
  }
  for (const name of theirs) {
    for (const next of vendors.find((one) => one.fileName === name)?.imports ?? []) {
      theirs.add(next);
    }
  }
  const style = STYLES.map((name) => readFileSync(join(root, "src/styles", `${name}.css`), "utf8")).join("\n");
  writeFileSync(join(out, "style.css"), style);
  writeFileSync(join(out, "index.html"), page([...ours, ...[...theirs].map((name) => `vendor/${name}`)]));
  writeFileSync(join(out, "THIRD-PARTY.txt"), licences(root));
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

async function check() {
  const fresh = mkdtempSync(join(tmpdir(), "studio-"));
  try {
    await build(fresh);
    const names = new Set([...filesOf(fresh), ...filesOf(committed)]);
    const read = (folder, name) => {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return undefined;
      }
    };
    const different = [...names].filter((name) => read(fresh, name) !== read(committed, name));
    if (different.length > 0) {
      console.error(`dist is not what the sources build: ${different.join(", ")}. Run: npm run build`);
      process.exitCode = 1;
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

await (process.argv.includes("--check") ? check() : build(committed));
