import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of the packages that the built files have parts of: each package once, each text once. */
export function licences(root) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const texts = new Map();
  for (const [path, entry] of Object.entries(lock.packages)) {
    const isDrawn = path === "node_modules/lucide-static";
    if (path === "" || (entry.dev && !isDrawn) || entry.optional) {
      continue;
    }
    const folder = join(root, path);
    if (!existsSync(folder)) {
      continue;
    }
    const name = `${path.replace(/^.*node_modules\//, "")} ${entry.version}, ${entry.license}`;
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file
      ? readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim()
      : `Licence: ${entry.license}`;
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  const parts = [...texts].map(
    ([text, names]) =>
      `${names
        .sort()
        .map((name) => `- ${name}`)
        .join("\n")}\n\n${text}\n`,
  );
  return `The files below vendor/ have parts of these packages.\n\n${parts.sort().join(`\n${"-".repeat(72)}\n\n`)}`;
}
