import { type RqlToken, rqlTokens } from "./rqlLexer";

/** A clause, or declare before the first one. */
export type RqlClause =
  | "start"
  | "from"
  | "group"
  | "where"
  | "order"
  | "load"
  | "filter"
  | "filter_limit"
  | "select"
  | "update"
  | "include"
  | "limit"
  | "offset"
  | "declare";

/** What a query says up to a place. */
export interface RqlContext {
  /** The clause that the place is in. */
  readonly clause: RqlClause;
  /** The collection or index behind from, if it was read. */
  readonly source: string | undefined;
  /** Whether the source is an index. */
  readonly isIndex: boolean;
  /** The alias of a document. */
  readonly alias: string | undefined;
  /** The names of functions that the query declares. */
  readonly declared: readonly string[];
  /** What stands before the place, without what is being typed. */
  readonly before: RqlToken | undefined;
  /** The token before that. */
  readonly beforeThat: RqlToken | undefined;
  /** The clauses that were read. */
  readonly seen: ReadonlySet<RqlClause>;
  /** What is being typed: a path of names, a text, a parameter, or nothing. */
  readonly typed: string;
  /** Where it begins. */
  readonly from: number;
  /** Whether the place is in a comment, or in the text of a value. */
  readonly isOff: boolean;
  /** Whether the place is in a script. */
  readonly isScript: boolean;
}

const CLAUSE_WORDS = new Set<string>([
  "from",
  "group",
  "where",
  "order",
  "load",
  "filter",
  "filter_limit",
  "select",
  "update",
  "include",
  "limit",
  "offset",
  "declare",
]);

/** Names that stand behind from without being an alias. */
const NO_ALIAS = new Set([...CLAUSE_WORDS, "as"]);

/** Reads a query up to a place. */
export function rqlContext(text: string, at: number): RqlContext {
  const tokens = rqlTokens(text.slice(0, at));
  const typing = cutTyping(tokens, at);
  const isQuoted = typing.length > 0 && typing[0]?.kind === "text";
  const words = tokens.filter((one) => one.kind !== "comment");
  const state = readClauses(words);
  const last = tokens[tokens.length - 1];
  const isInComment = last?.kind === "comment" && last.end === at && (!last.isClosed || last.text.startsWith("//"));
  const isScript = last?.kind === "script" && !last.isClosed;
  const before = words[words.length - 1];
  const isName = state.clause === "from" && (isWord(before, "from") || isWord(before, "index"));
  return {
    ...state,
    before,
    beforeThat: words[words.length - 2],
    typed: typing.map((one) => one.text).join(""),
    from: typing[0]?.start ?? at,
    isOff: isInComment || isScript || (isQuoted && !isName),
    isScript,
  };
}

/** Takes what is being typed off the tokens: the names and dots of a path that ends at the place, or an open text. */
function cutTyping(tokens: RqlToken[], at: number): RqlToken[] {
  const typing: RqlToken[] = [];
  let end = at;
  for (let last = tokens[tokens.length - 1]; last && last.end === end; last = tokens[tokens.length - 1]) {
    const isOpenText = last.kind === "text" && !last.isClosed && typing.length === 0;
    const isPath = last.kind === "name" || (last.kind === "sign" && last.text === ".");
    const isParameter = typing.length === 0 && (last.kind === "parameter" || last.text === "$");
    const isBehindName = typing.length > 0 && typing[0]?.kind === "name" && last.kind === "name";
    if (!(isOpenText || isPath || isParameter) || isBehindName) {
      break;
    }
    typing.unshift(last);
    tokens.pop();
    end = last.start;
    if (isOpenText || isParameter) {
      break;
    }
  }
  return typing;
}

function readClauses(tokens: readonly RqlToken[]) {
  let clause: RqlClause = "start";
  let source: string | undefined;
  let isIndex = false;
  let alias: string | undefined;
  let depth = 0;
  const declared: string[] = [];
  const seen = new Set<RqlClause>();
  for (let at = 0; at < tokens.length; at++) {
    const one = tokens[at] as RqlToken;
    depth += one.kind !== "sign" ? 0 : "([".includes(one.text) ? 1 : ")]".includes(one.text) ? -1 : 0;
    const word = one.kind === "name" ? one.text.toLowerCase() : "";
    const isPart = tokens[at - 1]?.text === "." || tokens[at + 1]?.text === ".";
    if (depth === 0 && CLAUSE_WORDS.has(word) && !isPart && !isSourcePlace(clause, source)) {
      clause = word as RqlClause;
      seen.add(clause);
    } else if (clause === "declare" && isWord(tokens[at - 1], "function") && one.kind === "name") {
      declared.push(one.text);
    } else if (clause === "from" && depth === 0) {
      const next = tokens[at + 1];
      const isIndexWord = word === "index" && source === undefined && (!next || next.kind === "text");
      if (isIndexWord) {
        isIndex = true;
      } else if (source === undefined && (one.kind === "name" || one.kind === "text")) {
        source = one.kind === "text" ? unquote(one.text) : one.text;
      } else if (one.kind === "name" && !NO_ALIAS.has(word)) {
        alias = one.text;
      }
    }
  }
  return { clause, source, isIndex, alias, declared, seen };
}

/** Behind from a collection may be called as a clause is: from Order. */
function isSourcePlace(clause: RqlClause, source: string | undefined): boolean {
  return clause === "from" && source === undefined;
}

/** Whether a token is a word, in any case. */
export function isWord(one: RqlToken | undefined, word: string): boolean {
  return one?.kind === "name" && one.text.toLowerCase() === word;
}

/** What a text in quotes says; its end may be missing. */
export function unquote(text: string): string {
  const quote = text.charAt(0);
  const isClosed = text.length > 1 && text.endsWith(quote);
  return text
    .slice(1, isClosed ? -1 : undefined)
    .replaceAll(quote + quote, quote)
    .replace(/\\(.)/gs, "$1");
}
