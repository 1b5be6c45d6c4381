import type { OperationFigures } from "../operations/operationModel";

/** The kinds of data of a dump, with their words. */
export const DUMP_TYPES: readonly (readonly [string, string])[] = [
  ["Documents", "documents"],
  ["Attachments", "attachments"],
  ["RevisionDocuments", "revisions"],
  ["CounterGroups", "counters"],
  ["TimeSeries", "time series"],
  ["Indexes", "indexes"],
  ["Identities", "identities"],
  ["CompareExchange", "compare-exchange values"],
  ["Subscriptions", "subscriptions"],
  ["DatabaseRecord", "settings of the database"],
];

/** What is taken of a dump, or put into one. */
export interface DumpChoice {
  readonly types: ReadonlySet<string>;
  /** With commas or lines between them; empty for all. */
  readonly collections: string;
  readonly includesExpired: boolean;
  readonly includesArchived: boolean;
  readonly script: string;
}

/** All that a dump has. */
export const WHOLE_DUMP: DumpChoice = {
  types: new Set(DUMP_TYPES.map(([name]) => name)),
  collections: "",
  includesExpired: true,
  includesArchived: true,
  script: "",
};

/** The options of an import or export. */
export function dumpOptions(choice: DumpChoice): object {
  const collections = choice.collections
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return {
    OperateOnTypes: [...choice.types].join(","),
    ...(collections.length === 0 ? {} : { Collections: collections }),
    IncludeExpired: choice.includesExpired,
    IncludeArchived: choice.includesArchived,
    ...(choice.script.trim() === "" ? {} : { TransformScript: choice.script }),
  };
}

/** The longest options that the address of a link holds; the server takes a line of 32 KiB. */
const OPTIONS_LENGTH_MAX = 24 * 1024;

/** Why an export cannot begin. */
export function exportRefusal(choice: DumpChoice, options: string): string | undefined {
  if (choice.types.size === 0) {
    return "Choose what is exported.";
  }
  return encodeURIComponent(options).length > OPTIONS_LENGTH_MAX
    ? "The script is too long for the address of a download: use “raven export”."
    : undefined;
}

/** Whether a file is CSV, by its name. */
export function isCsvName(name: string): boolean {
  return /\.(csv|tsv|txt)(\.gz|\.zst)?$/i.test(name);
}

/** A collection by the name of a file: orders-2026.csv is Orders-2026. */
export function collectionOfFile(name: string): string {
  const stem = name.replace(/\.(csv|tsv|txt|ndjson|jsonl|jsonlines)(\.gz|\.zst)?$/i, "");
  return stem === "" ? "" : (stem[0] ?? "").toUpperCase() + stem.slice(1);
}

/** The line at which the row begins that a refusal of CSV names: an import goes on there. */
export function brokenRow(error: unknown): number | undefined {
  const found = error instanceof Error ? /\bin the row of line (\d+):/.exec(error.message) : null;
  return found ? Number(found[1]) : undefined;
}

/** The delimiter that a first line has most often outside of quotes. */
export function guessDelimiter(line: string): string {
  const bare = line.replace(/"(?:[^"]|"")*"?/g, "");
  const counts = [",", ";", "\t"].map((one) => [bare.split(one).length, one] as const);
  return counts.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

/** The first rows of a text of CSV; the last one may be cut, and is left out unless the text is whole. */
export function csvRows(text: string, delimiter: string, quote: string, rowsMax: number, isWhole: boolean): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length && rows.length < rowsMax; at++) {
    const one = text[at] as string;
    if (isQuoted) {
      if (one === quote && text[at + 1] === quote) {
        cell += quote;
        at++;
      } else if (one === quote) {
        isQuoted = false;
      } else {
        cell += one;
      }
    } else if (one === quote && cell === "") {
      isQuoted = true;
    } else if (one === delimiter) {
      row.push(cell);
      cell = "";
    } else if (one === "\n") {
      row.push(cell.endsWith("\r") ? cell.slice(0, -1) : cell);
      rows.push(row);
      row = [];
      cell = "";
    } else {
      cell += one;
    }
  }
  if (isWhole && rows.length < rowsMax && (cell !== "" || row.length > 0)) {
    rows.push([...row, cell]);
  }
  return rows.map((cells, at) => (at === 0 ? cells.map((one) => one.replace(/^\uFEFF/, "")) : cells));
}

/** A kind of data of a result, with its counts. */
export interface SectionCounts {
  readonly name: string;
  readonly read: number;
  readonly failed: number;
  readonly skipped: number;
  readonly bytes: number;
}

/** The counts of an import or export, of the kinds that had something. */
export function sectionsOf(result: OperationFigures | null): readonly SectionCounts[] {
  const sections: SectionCounts[] = [];
  const add = (name: string, value: unknown) => {
    const counts = value as Record<string, unknown> | null;
    if (typeof counts !== "object" || counts === null || !("ReadCount" in counts)) {
      return;
    }
    const number = (member: string) => (typeof counts[member] === "number" ? (counts[member] as number) : 0);
    const one: SectionCounts = {
      name,
      read: number("ReadCount"),
      failed: number("ErroredCount"),
      skipped: number("SkippedCount"),
      bytes: number("SizeInBytes"),
    };
    if (one.read + one.failed + one.skipped > 0) {
      sections.push(one);
    }
    add(`${name}: attachments`, counts.Attachments);
  };
  for (const [name, value] of Object.entries(result ?? {})) {
    add(name, value);
  }
  return sections;
}

/** What an import could not take, and what it passed over, in words. */
export function messagesOf(result: OperationFigures | null): readonly string[] {
  const skipped = Object.entries((result?.Skipped ?? {}) as Record<string, unknown>).map(
    ([name, count]) => `${name}: ${String(count)} passed over, as this server has no such feature`,
  );
  const messages = (Array.isArray(result?.Messages) ? (result.Messages as unknown[]) : []).map(String);
  return [...messages, ...skipped];
}
