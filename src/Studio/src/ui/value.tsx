import { Link } from "../app/link";
import { documentUrl } from "../app/places";
import { type JsonNode, member, printJson, textOf } from "../json/jsonTree";

/** How much of a value a cell shows, in characters. */
const SHOWN_MAX = 200;

/** An id of another document: a name, a slash and more, without blanks; "Meat/Poultry" is none. */
const REFERENCE = /^(?=\p{Ll}|.*\d)\p{L}[\p{L}\p{N}_-]{0,40}\/[^\s/]{1,100}$/u;

/** A value of a document in a cell; a text that looks like an id is a link. */
export function Value({ node, database }: { node: JsonNode | undefined; database: string }) {
  if (!node) {
    return <span className="absent" title="This document has no such property." />;
  }
  switch (node.kind) {
    case "text": {
      const text = textOf(node.raw);
      return REFERENCE.test(text) ? (
        <Link href={documentUrl(database, text)} tabIndex={-1}>
          {text}
        </Link>
      ) : (
        <span className="json-text">{cut(text)}</span>
      );
    }
    case "number":
      return <span className="json-number">{node.raw}</span>;
    case "word":
      return <span className="json-word">{node.raw}</span>;
    default:
      return <span className="json-whole">{summary(node)}</span>;
  }
}

function summary(node: JsonNode): string {
  for (const [name, one, several] of [
    ["@object", "property", "properties"],
    ["@array", "item", "items"],
  ] as const) {
    const count = member(node, name);
    if (count?.kind === "number" && node.kind === "object" && node.members.size === 1) {
      return `${name === "@object" ? "{" : "["} ${count.raw} ${count.raw === "1" ? one : several} ${name === "@object" ? "}" : "]"}`;
    }
  }
  return cut(printJson(node, 0));
}

function cut(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
