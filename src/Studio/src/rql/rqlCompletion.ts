import { isWord, type RqlContext, rqlContext, unquote } from "./rqlContext";
import { isPlainName, quoteRql } from "./rqlLexer";
import { CONDITIONS, INCLUDES, ORDERS, type RqlFunction, SELECTS } from "./rqlWords";

/** A field of a collection or an index. */
export interface RqlField {
  /** The path, with dots; [] stands behind a list. */
  readonly name: string;
  /** What its values are. */
  readonly kind?: string;
  /** One of them. */
  readonly example?: string;
}

/** What is known of a database. */
export interface RqlSchema {
  readonly collections: readonly { readonly name: string; readonly count?: number }[];
  readonly indexes: readonly string[];
  /** The names of the parameters that have a value. */
  readonly parameters: readonly string[];
  /** The collection or index whose fields are known, or are known not to be there; undefined while they are read. */
  readonly settled?: string | undefined;
  /** The fields of a collection or an index; none if they are not known yet. */
  fields(source: string, isIndex: boolean): readonly RqlField[];
}

/** One thing to put in. */
export interface RqlOption {
  readonly label: string;
  /** What is put in, if it is not the label. */
  readonly apply?: string;
  readonly kind: "collection" | "index" | "field" | "function" | "parameter" | "keyword";
  readonly detail?: string;
  /** Higher comes first. */
  readonly rank: number;
}

/** What may stand at a place. */
export interface RqlCompletion {
  /** Where what is typed begins: the options replace it. */
  readonly from: number;
  readonly options: readonly RqlOption[];
}

/** What stands between a field and the next clause. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  start: ["from", "declare function", "explain"],
  declare: ["from"],
  from: ["where", "order by", "group by", "select", "load", "filter", "update", "include", "limit", "as"],
  group: ["where", "order by", "select", "limit", "filter"],
  where: ["and", "or", "order by", "select", "load", "filter", "update", "include", "limit"],
  order: ["desc", "asc", "select", "load", "filter", "include", "limit"],
  load: ["as", "filter", "select", "update", "include", "limit"],
  filter: ["and", "or", "filter_limit", "select", "update", "include", "limit"],
  filter_limit: ["select", "include", "limit"],
  select: ["as", "include", "limit"],
  update: [],
  include: ["limit"],
  limit: ["offset", "filter_limit"],
  offset: [],
};

/** What may stand at a place of a query; undefined where nothing can be said. */
export function completeRql(text: string, at: number, schema: RqlSchema): RqlCompletion | undefined {
  const context = rqlContext(text, at);
  if (context.isOff) {
    return undefined;
  }
  const options = optionsAt(context, schema);
  return options.length === 0 ? undefined : { from: context.from, options };
}

function optionsAt(context: RqlContext, schema: RqlSchema): RqlOption[] {
  if (context.typed.startsWith("$")) {
    return schema.parameters.map((name) => ({ label: `$${name}`, kind: "parameter", rank: 10 }));
  }
  if (context.clause === "from" && context.source === undefined) {
    return sources(context, schema);
  }
  if (isAfterValue(context)) {
    return afterValue(context);
  }
  switch (context.clause) {
    case "where":
    case "filter":
      return [
        ...fields(context, schema),
        ...parameters(context, schema),
        ...functions(CONDITIONS),
        ...words(["not", "true"]),
      ];
    case "order":
      return isWord(context.before, "order") ? words(["by"]) : [...fields(context, schema), ...functions(ORDERS)];
    case "group":
      return isWord(context.before, "group") ? words(["by"]) : fields(context, schema);
    case "select":
      return [
        ...fields(context, schema),
        ...functions(SELECTS),
        ...context.declared.map((name): RqlOption => ({ label: name, apply: `${name}(`, kind: "function", rank: 8 })),
        ...(isWord(context.before, "select") ? words(["distinct"]) : []),
      ];
    case "include":
      return [...fields(context, schema), ...functions(INCLUDES)];
    case "load":
      return fields(context, schema);
    case "start":
      return words(AFTER.start ?? []);
    case "declare":
      return isWord(context.before, "declare") ? words(["function", "timeseries"]) : [];
    case "limit":
    case "offset":
      return parameters(context, schema);
    default:
      return [];
  }
}

function sources(context: RqlContext, schema: RqlSchema): RqlOption[] {
  const isOpen = /^['"]/.test(context.typed);
  const quote = (name: string) => (isPlainName(name) && !isOpen ? name : quoteRql(name));
  const indexes = schema.indexes.map((name): RqlOption => {
    const isBehind = isWord(context.before, "index");
    return {
      label: name,
      apply: isBehind ? quoteRql(name) : `index ${quoteRql(name)}`,
      kind: "index",
      rank: isBehind ? 20 : 5,
    };
  });
  if (isWord(context.before, "index")) {
    return indexes;
  }
  const collections = schema.collections.map(
    (one): RqlOption => ({
      label: one.name,
      apply: quote(one.name),
      kind: "collection",
      rank: 20,
      ...(one.count === undefined ? {} : { detail: String(one.count) }),
    }),
  );
  return [...collections, { label: "@all_docs", kind: "collection", rank: 6 }, ...(isOpen ? [] : indexes)];
}

/** Behind what is the start of a condition, a value or an item of a list stands what goes on with it. */
function isAfterValue(context: RqlContext): boolean {
  const before = context.before;
  if (!before || context.typed.includes(".")) {
    return false;
  }
  switch (before.kind) {
    case "text":
    case "number":
    case "parameter":
    case "script":
      return true;
    case "sign":
      return before.text === ")" || before.text === "]" || before.text === "*";
    case "name":
      return !/^(from|index|by|where|filter|and|or|not|select|distinct|load|include|update|between|in|all|limit|offset|filter_limit|order|group|declare|function|timeseries|explain|as)$/i.test(
        before.text,
      );
    default:
      return false;
  }
}

function afterValue(context: RqlContext): RqlOption[] {
  const isField = context.before?.kind === "name" && (context.clause === "where" || context.clause === "filter");
  const operators = isField && !/^(true|false|null)$/i.test(context.before?.text ?? "");
  const rest = (AFTER[context.clause] ?? []).filter((word) => !context.seen.has(word.split(" ")[0] as never));
  return [
    ...(operators ? words(["=", "!=", "<", "<=", ">", ">=", "in (", "between", "and", "or"], 12) : []),
    ...words(rest),
  ];
}

function fields(context: RqlContext, schema: RqlSchema): RqlOption[] {
  if (context.source === undefined) {
    return [];
  }
  const known = schema.fields(context.source, context.isIndex);
  const prefix = context.alias ? `${context.alias}.` : "";
  const isPrefixed = prefix !== "" && context.typed.startsWith(prefix);
  return known.map((field): RqlOption => {
    const path = fieldPath(field.name);
    return {
      label: prefix + field.name,
      apply: prefix + path,
      kind: "field",
      rank: isPrefixed || prefix === "" ? 15 : 10,
      detail: [field.kind, field.example].filter((part) => !!part).join(" · "),
    };
  });
}

/** A path as RQL writes it: names that are no plain ones stand in quotes. */
export function fieldPath(name: string): string {
  return name
    .split(".")
    .map((part) => {
      const plain = part.replace(/(\[\])+$/, "");
      return isPlainName(plain) ? part : quoteRql(plain) + part.slice(plain.length);
    })
    .join(".");
}

function parameters(context: RqlContext, schema: RqlSchema): RqlOption[] {
  const isValue = context.before?.kind === "comparison" || context.clause === "limit" || context.clause === "offset";
  return schema.parameters.map((name) => ({ label: `$${name}`, kind: "parameter", rank: isValue ? 16 : 4 }));
}

function functions(known: readonly RqlFunction[]): RqlOption[] {
  return known.map((one) => ({
    label: `${one.name}(${one.call})`,
    apply: one.call === "" ? `${one.name}()` : `${one.name}(`,
    kind: "function",
    detail: one.about,
    rank: 3,
  }));
}

function words(list: readonly string[], rank = 7): RqlOption[] {
  return list.map((word, at) => ({ label: word, kind: "keyword", rank: rank - at / 100 }));
}

/** The options that what is typed is the start of, or a part of; the best first. */
export function matchOptions(completion: RqlCompletion, typed: string): RqlOption[] {
  const want = (/^['"]/.test(typed) ? unquote(typed) : typed).toLowerCase();
  const scored: { option: RqlOption; score: number }[] = [];
  for (const option of completion.options) {
    const label = option.label.toLowerCase();
    const at = label.indexOf(want);
    if (at >= 0) {
      scored.push({
        option,
        score: option.rank + (at === 0 ? 100 : /[^\p{L}\p{N}]/u.test(label.charAt(at - 1)) ? 50 : 0),
      });
    }
  }
  return scored
    .sort((a, b) => b.score - a.score || (a.option.label < b.option.label ? -1 : 1))
    .map((one) => one.option);
}
