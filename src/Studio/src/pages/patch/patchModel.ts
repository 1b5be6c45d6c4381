import { ANSWER_DEPTH } from "../../api/documents";
import { type JsonNode, member, parseJson, printJson, textMember, textOf } from "../../json/jsonTree";
import { withoutSystemFields } from "../../json/systemFields";
import { rqlTokens } from "../../rql/rqlLexer";

/** What a script did to a document that it was tried on. */
export interface PatchTrial {
  readonly status: string;
  readonly before: string;
  readonly after: string;
  /** What the script wrote by output(). */
  readonly output: readonly string[];
}

/** Reads the answer to a patch that was only tried. */
export function readTrial(text: string): PatchTrial {
  const root = parseJson(text, ANSWER_DEPTH);
  const debug = member(root, "Debug");
  const lines = member(debug, "Info") ?? member(debug, "Output");
  return {
    status: textMember(root, "Status") ?? "",
    before: documentText(member(root, "OriginalDocument")),
    after: documentText(member(root, "ModifiedDocument")),
    output: lines?.kind === "array" ? lines.items.map(lineText) : [],
  };
}

function documentText(node: JsonNode | undefined): string {
  return node?.kind === "object" ? printJson(withoutSystemFields(node), 2) : "";
}

function lineText(node: JsonNode): string {
  return node.kind === "text" ? textOf(node.raw) : printJson(node, 0);
}

/** The parts of a query that updates: what it finds, its alias, and the script. */
export interface UpdateParts {
  /** The query without its update: what would be changed. */
  readonly find: string;
  readonly script: string;
  readonly alias: string | undefined;
}

/** Cuts a query that updates into what it finds and its script; undefined if it has no update. */
export function updateParts(query: string): UpdateParts | undefined {
  const tokens = rqlTokens(query);
  for (const [at, one] of tokens.entries()) {
    const script = tokens[at + 1];
    if (one.kind === "name" && one.text.toLowerCase() === "update" && script?.kind === "script" && script.isClosed) {
      return {
        find: `${query.slice(0, one.start).trimEnd()}${query.slice(script.end)}`.trim(),
        script: script.text.slice(1, -1).trim(),
        alias: aliasOf(tokens.slice(0, at).map((part) => part.text)),
      };
    }
  }
  return undefined;
}

function aliasOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word.toLowerCase() === "as");
  return at < 0 ? undefined : words[at + 1];
}

/** The script as one that is run on a document: there the document is `this`, and here it also has its alias. */
export function trialScript({ script, alias }: UpdateParts): string {
  return alias === undefined ? script : `const ${alias} = this;\n${script}`;
}
