import { ServerError } from "../../api/http";
import { JsonError } from "../../json/jsonError";
import { type JsonNode, member, parseDocument, printJson, textMember, textOf } from "../../json/jsonTree";
import { SYSTEM_FIELDS } from "../../json/systemFields";

// Documents of a file with one JSON object a line. They are sent in batches that go in whole or not at all, so that at
// any time it is known at which line to go on. An export of a query by this server has a line of statistics before its
// rows, and each row as the `Item` of an object.

/** A batch has so many lines or characters, whichever comes first: reading them holds the page up for no more than a moment. */
const BATCH_LINES = 500;
const BATCH_LENGTH = 500_000;
/** No document is longer than that. */
const LINE_LENGTH_MAX = 64 * 1024 * 1024;

/** A line that is not empty, by its number from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** How documents get what their lines do not say. */
export interface LineChoice {
  /** Their collection; empty if it is that of their metadata. */
  readonly collection: string;
  /** The member whose value is the id; empty if it is that of the metadata. */
  readonly idMember: string;
}

/** A document of a line, and how it is sent. */
export interface LineDocument {
  /** Ends with a slash if the server completes it. */
  readonly id: string;
  readonly collection: string;
  /** The command that stores it. */
  readonly command: string;
}

/** The import does not go on behind a line: what is wrong, and where to go on. */
export class LineError extends Error {
  /** The first line that is not in. */
  readonly line: number;
  /** Whether it is the line itself that is wrong, so that it can be left out. */
  readonly isOfLine: boolean;

  constructor(line: number, isOfLine: boolean, cause: unknown) {
    super(`Line ${line}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "LineError";
    this.line = line;
    this.isOfLine = isOfLine;
  }
}

/** Whether a file has a document a line, by its name. */
export function isLinesName(name: string): boolean {
  return /\.(ndjson|jsonl|jsonlines)(\.gz|\.zst)?$/i.test(name);
}

/**
 * The lines of a file, unpacked if its name says so, in portions of what has come of it.
 * @param onBytes Hears how many bytes of the file have been read.
 */
export async function* readLines(file: File, onBytes: (read: number) => void): AsyncGenerator<readonly Line[]> {
  if (/\.zst$/i.test(file.name)) {
    throw new Error("The browser unpacks gzip alone: unpack the file first, or use “raven import”.");
  }
  let read = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        read += piece.byteLength;
        onBytes(read);
        controller.enqueue(piece);
      },
    }),
  );
  const plain = /\.gz$/i.test(file.name) ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = plain.getReader();
  let rest = "";
  let number = 0;
  const take = (text: string): Line | undefined => {
    number++;
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    return line.trim() === "" ? undefined : { number, text: line };
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const texts = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = done ? "" : (texts.pop() ?? "");
      if (rest.length > LINE_LENGTH_MAX) {
        throw new LineError(number + texts.length + 1, false, "the line is too long to be a document.");
      }
      yield texts.map(take).filter((line) => line !== undefined);
      if (done) {
        return;
      }
    }
  } catch (error) {
    throw error instanceof LineError ? error : new LineError(number + 1, false, error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * The document of a line; undefined if the line has none, as that of the statistics of an export.
 * @throws Error The line is no document, or does not say its id.
 */
export function documentOf(line: Line, choice: LineChoice): LineDocument | undefined {
  const root = parseLine(line.text);
  if (root.kind !== "object") {
    throw new Error("It is no object.");
  }
  if (line.number === 1 && root.members.size === 1 && member(root, "Stats")?.kind === "object") {
    return undefined;
  }
  const item = root.members.size === 1 ? member(root, "Item") : undefined;
  const node = item?.kind === "object" ? item : root;
  const metadata = member(node, "@metadata");
  const collection = choice.collection || (textMember(metadata, "@collection") ?? "");
  const id = choice.idMember === "" ? textMember(metadata, "@id") : idOf(member(node, choice.idMember));
  if (choice.idMember !== "" && !id) {
    throw new Error(`Its ${choice.idMember} is neither a text nor a whole number.`);
  }
  const named = id || `${collection || "documents"}/`;
  const kept = new Map(
    metadata?.kind === "object"
      ? [...metadata.members].filter(([name]) => !SYSTEM_FIELDS.has(name) && name !== "@collection")
      : [],
  );
  if (collection !== "") {
    kept.set("@collection", { kind: "text", raw: JSON.stringify(collection) });
  }
  const members = new Map<string, JsonNode>(node.kind === "object" ? node.members : []);
  members.set("@metadata", { kind: "object", members: kept });
  const text = printJson({ kind: "object", members }, 0);
  return {
    id: named,
    collection,
    command: `{"Type":"PUT","Id":${JSON.stringify(named)},"Document":${text}}`,
  };
}

/** The line of the file is said already: only the column is left. */
function parseLine(text: string): JsonNode {
  try {
    return parseDocument(text);
  } catch (error) {
    throw error instanceof JsonError ? new Error(`${error.reason} (column ${error.column})`) : error;
  }
}

function idOf(node: JsonNode | undefined): string | undefined {
  if (node?.kind === "text") {
    return textOf(node.raw);
  }
  return node?.kind === "number" && /^-?\d+$/.test(node.raw) ? node.raw : undefined;
}

/** What the first line says of how documents are named, for the fields of the form. */
export function guessChoice(line: Line | undefined, collection: string): LineChoice {
  try {
    const root = line && parseDocument(line.text);
    const isOfExport =
      root?.kind === "object" && root.members.size === 1 && (root.members.has("Stats") || root.members.has("Item"));
    const metadata = member(root, "@metadata");
    const id = ["@id", "Id", "id", "_id"].find((name) => idOf(member(root, name)) !== undefined);
    return {
      collection: isOfExport || textMember(metadata, "@collection") !== undefined ? "" : collection,
      idMember: isOfExport || textMember(metadata, "@id") !== undefined ? "" : (id ?? ""),
    };
  } catch {
    return { collection, idMember: "" };
  }
}

/** What an import needs, and whom it tells how far it is. */
export interface LineJob {
  readonly file: File;
  readonly choice: LineChoice;
  /** The first line that is taken. */
  readonly from: number;
  /** Stores a batch, whole or not at all. */
  readonly send: (commands: string) => Promise<unknown>;
  /** Whether to stop behind the batch that is sent now. */
  readonly isStopped: () => boolean;
  /** Hears at which line to go on, how many documents more are stored, and how much of the file has been read; 0 where that is not known. */
  readonly onStored: (next: number, documents: number, bytes: number) => void;
}

/**
 * Stores the documents of a file from a line on.
 * @returns Whether it has come to the end; if not, it was stopped.
 * @throws LineError A line is wrong, or the server does not take it. All lines before it are in.
 */
export async function importLines(job: LineJob): Promise<boolean> {
  let lines: number[] = [];
  let commands: string[] = [];
  let length = 0;
  let bytes = 0;
  const store = async (next: number) => {
    if (commands.length > 0) {
      await sendBatch(job, lines, commands);
    }
    job.onStored(next, 0, bytes);
    [lines, commands, length] = [[], [], 0];
  };
  let last = job.from - 1;
  for await (const portion of readLines(job.file, (read) => {
    bytes = read;
  })) {
    for (const line of portion) {
      if (line.number < job.from) {
        continue;
      }
      let found: LineDocument | undefined;
      try {
        found = documentOf(line, job.choice);
      } catch (error) {
        await store(line.number);
        throw new LineError(line.number, true, error);
      }
      last = line.number;
      if (found) {
        lines.push(line.number);
        commands.push(found.command);
        length += found.command.length;
      }
      if (commands.length >= BATCH_LINES || length >= BATCH_LENGTH) {
        await store(last + 1);
        if (job.isStopped()) {
          return false;
        }
      }
    }
  }
  await store(last + 1);
  return true;
}

/** What the server answers when it is a document that it does not take; halves of a batch may be short enough. */
const OF_DATA: readonly number[] = [400, 409, 413, 422];

/** Stores a batch. If the server refuses one of its documents, those before it are stored. */
async function sendBatch(job: LineJob, lines: readonly number[], commands: readonly string[]): Promise<void> {
  const [first = job.from] = lines;
  try {
    await job.send(`{"Commands":[${commands.join(",")}]}`);
    job.onStored((lines[lines.length - 1] ?? first) + 1, commands.length, 0);
  } catch (error) {
    if (!(error instanceof ServerError) || !OF_DATA.includes(error.status)) {
      throw new LineError(first, false, error);
    }
    if (commands.length === 1) {
      throw new LineError(first, true, error);
    }
    const said = /\bCommand (\d+)\b/.exec(error.message);
    const at = said ? Number(said[1]) : commands.length >> 1;
    const line = lines[at];
    if (line === undefined) {
      throw new LineError(first, false, error);
    }
    if (at > 0) {
      await sendBatch(job, lines.slice(0, at), commands.slice(0, at));
    }
    if (said) {
      throw new LineError(line, true, error);
    }
    await sendBatch(job, lines.slice(at), commands.slice(at));
  }
}
