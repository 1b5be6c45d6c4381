import type { CollectionFields } from "../../api/types";
import type { GridColumn } from "../../grid/grid";
import { unquote } from "../../rql/rqlContext";

/** How many columns are shown unless a person chooses. */
const SHOWN = 6;

/** A property that can be a column. */
export interface ColumnField {
  /** The name of the property. */
  readonly name: string;
  readonly kinds: string;
  readonly share: number;
  readonly isNumber: boolean;
  /** Whether it has times as texts, which take more room. */
  readonly isTime: boolean;
}

/** The properties of a collection's documents that can be columns: those of the document itself. */
export function columnFields(fields: CollectionFields | undefined): ColumnField[] {
  const found = new Map<string, ColumnField>();
  for (const field of fields?.Fields ?? []) {
    const name = topName(field.Path);
    if (name !== undefined && !found.has(name) && name !== "@metadata") {
      const isWhole = field.Path === name || /^['"]/.test(field.Path);
      const kinds = isWhole ? Object.keys(field.Kinds) : field.Path.includes("[]") ? ["Array"] : ["Object"];
      const isNumber = kinds.every((kind) => kind === "Number" || kind === "Null") && kinds.includes("Number");
      const isTime = isWhole && typeof field.Example === "string" && /^\d{4}-\d\d-\d\dT/.test(field.Example);
      found.set(name, { name, kinds: kinds.join(", "), share: field.Share, isNumber, isTime });
    }
  }
  return [...found.values()];
}

function topName(path: string): string | undefined {
  const quoted = /^'(?:[^'\\]|''|\\.)*'|^"(?:[^"\\]|""|\\.)*"/s.exec(path)?.[0];
  return quoted ? unquote(quoted) : /^[^.[]+/.exec(path)?.[0];
}

/** The columns that the URL names, or the first ones: scalars before lists and objects, those that most documents have. */
export function chosenColumns(fields: readonly ColumnField[], chosen: string | undefined): string[] {
  if (chosen !== undefined) {
    return readColumns(chosen);
  }
  const weight = (field: ColumnField) => field.share - (/Object|Array/.test(field.kinds) ? 1 : 0);
  const best = [...fields].sort((a, b) => weight(b) - weight(a)).slice(0, SHOWN);
  return fields.filter((field) => best.includes(field)).map((field) => field.name);
}

/** Names as the URL holds them. */
export function writeColumns(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(name)).join(",");
}

/** Names from the URL; what is no name there is left out. */
export function readColumns(text: string): string[] {
  return text
    .split(",")
    .filter(Boolean)
    .flatMap((part) => {
      try {
        return [decodeURIComponent(part)];
      } catch {
        return [];
      }
    });
}

/** As wide as a time of 27 characters. */
export const TIME_WIDTH = 240;

/** The columns of the grid. */
export function gridColumns(
  names: readonly string[],
  fields: readonly ColumnField[],
  hasCollection: boolean,
): GridColumn[] {
  const numbers = new Set(fields.filter((field) => field.isNumber).map((field) => field.name));
  const times = new Set(fields.filter((field) => field.isTime).map((field) => field.name));
  return [
    { key: "@id", title: "Id", width: 220 },
    ...(hasCollection ? [{ key: "@collection", title: "Collection", width: 130 }] : []),
    ...names.map((name) => ({
      key: `.${name}`,
      title: name,
      width: times.has(name)
        ? TIME_WIDTH
        : Math.min(260, Math.max(110, 40 + 9 * name.length)) + (numbers.has(name) ? 0 : 50),
      isNumber: numbers.has(name),
      mayGrow: !numbers.has(name) && !times.has(name),
    })),
    { key: "@last-modified", title: "Last change", width: 200 },
    { key: "@size", title: "Size", width: 90, isNumber: true },
  ];
}
