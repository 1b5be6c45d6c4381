import type { IndexDefinition } from "../../api/types";

/** The name under which the server lists what is built beside an index. */
const REPLACEMENT = "ReplacementOf/";

/** The name of what is built beside an index. */
export function replacementName(name: string): string {
  return REPLACEMENT + name;
}

/** The index that is to be replaced by another one; undefined for one that replaces none. */
export function replacedName(name: string): string | undefined {
  return name.startsWith(REPLACEMENT) ? name.slice(REPLACEMENT.length) : undefined;
}

/** What the editor changes of a definition, and what counts besides, as one text that can be compared. */
export function definitionText(definition: Partial<IndexDefinition>): string {
  const maps = definition.Maps ?? [];
  const parts = maps.map((map, at) => `// Map${maps.length === 1 ? "" : ` ${at + 1}`}\n${normal(map)}`);
  if (definition.Reduce) {
    parts.push(`// Reduce\n${normal(definition.Reduce)}`);
  }
  const fields = Object.entries(definition.Fields ?? {});
  if (fields.length > 0) {
    parts.push(`// Fields\n${fields.map(([name, options]) => `${name}: ${JSON.stringify(options)}`).join("\n")}`);
  }
  return `${parts.join("\n\n")}\n`;
}

/** Ends of lines and blanks at them change nothing of what an index does. */
function normal(script: string): string {
  return script
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
