import { isSame, type JsonNode, type JsonObject, printJson } from "./jsonTree";
import { SYSTEM_FIELDS } from "./systemFields";

// A three-way merge of documents. What only one side changed is taken from it; what both changed alike is taken once;
// what both changed apart is a conflict, which a person decides. Nothing is ever decided by time.

/** Where a conflict is: names of properties and places in arrays. */
export type JsonPath = readonly (string | number)[];

/** One place that both sides changed apart. A side that is undefined has no such property. */
export interface MergeConflict {
  readonly path: JsonPath;
  readonly base: JsonNode | undefined;
  readonly theirs: JsonNode | undefined;
  readonly mine: JsonNode | undefined;
}

/** Which side a conflict takes. */
export type MergeChoice = "base" | "theirs" | "mine";

/** What came of a merge. */
export interface MergeResult {
  /** The places that a person decides, in the order of the document. */
  readonly conflicts: readonly MergeConflict[];
  /** How many places were taken from theirs alone. */
  readonly fromTheirs: number;
  /** How many were taken from mine alone. */
  readonly fromMine: number;
  /** The merged document. A conflict takes its choice, or mine if there is none. */
  resolve(choices?: readonly (MergeChoice | undefined)[]): JsonNode | undefined;
}

/** Above it, arrays whose lengths differ are a conflict as a whole: their comparison takes the product of both. */
const COMPARED_MAX = 4_000_000;

type Merged = (choices: readonly (MergeChoice | undefined)[]) => JsonNode | undefined;

class Merge {
  readonly conflicts: MergeConflict[] = [];
  fromTheirs = 0;
  fromMine = 0;

  node(path: JsonPath, base: JsonNode | undefined, theirs: JsonNode | undefined, mine: JsonNode | undefined): Merged {
    if (isSame(theirs, mine)) {
      return () => mine;
    }
    if (isSame(base, theirs)) {
      this.fromMine++;
      return () => mine;
    }
    if (isSame(base, mine)) {
      this.fromTheirs++;
      return () => theirs;
    }
    if (theirs?.kind === "object" && mine?.kind === "object" && (base === undefined || base.kind === "object")) {
      return this.#object(path, base, theirs, mine);
    }
    if (base?.kind === "array" && theirs?.kind === "array" && mine?.kind === "array") {
      return this.#array(path, base.items, theirs.items, mine.items);
    }
    return this.#conflict(path, base, theirs, mine);
  }

  #conflict(
    path: JsonPath,
    base: JsonNode | undefined,
    theirs: JsonNode | undefined,
    mine: JsonNode | undefined,
  ): Merged {
    const at = this.conflicts.push({ path, base, theirs, mine }) - 1;
    return (choices) => ({ base, theirs, mine })[choices[at] ?? "mine"];
  }

  #object(path: JsonPath, base: JsonObject | undefined, theirs: JsonObject, mine: JsonObject): Merged {
    const isMetadata = path.length === 1 && path[0] === "@metadata";
    const members = namesOf(theirs, mine).map((name): [string, Merged] => {
      const theirValue = theirs.members.get(name);
      if (isMetadata && SYSTEM_FIELDS.has(name)) {
        return [name, () => theirValue];
      }
      return [name, this.node([...path, name], base?.members.get(name), theirValue, mine.members.get(name))];
    });
    return (choices) => {
      const merged = new Map<string, JsonNode>();
      for (const [name, part] of members) {
        const value = part(choices);
        if (value) {
          merged.set(name, value);
        }
      }
      return { kind: "object", members: merged };
    };
  }

  /** First by whole items, wherever they moved to; then, if each is still the one that it was, by their properties. */
  #array(path: JsonPath, base: readonly JsonNode[], theirs: readonly JsonNode[], mine: readonly JsonNode[]): Merged {
    const isSmall = base.length * Math.max(theirs.length, mine.length) <= COMPARED_MAX;
    const pieces = isSmall ? this.#pieces(base, theirs, mine) : undefined;
    if (pieces) {
      return pieces;
    }
    const isKept = (side: readonly JsonNode[]) =>
      side.length === base.length && side.every((item, at) => isSimilar(base[at], item));
    if (!isKept(theirs) || !isKept(mine)) {
      return this.#whole(path, base, theirs, mine);
    }
    const items = base.map((item, at) => this.node([...path, at], item, theirs[at], mine[at]));
    return (choices) => ({ kind: "array", items: items.map((item) => item(choices)).filter((item) => !!item) });
  }

  #whole(path: JsonPath, base: readonly JsonNode[], theirs: readonly JsonNode[], mine: readonly JsonNode[]): Merged {
    const array = (items: readonly JsonNode[]): JsonNode => ({ kind: "array", items });
    return this.#conflict(path, array(base), array(theirs), array(mine));
  }

  /** Cuts the arrays at the items that all three have, and merges what lies between them; undefined if both changed
   * the same stretch. */
  #pieces(base: readonly JsonNode[], theirs: readonly JsonNode[], mine: readonly JsonNode[]): Merged | undefined {
    const keys = new Map<string, number>();
    const keyed = (items: readonly JsonNode[]) => items.map((item) => keyOf(item, keys));
    const baseKeys = keyed(base);
    const inTheirs = commonItems(baseKeys, keyed(theirs));
    const inMine = commonItems(baseKeys, keyed(mine));
    const parts: (readonly JsonNode[])[] = [];
    let changedByTheirs = 0;
    let changedByMine = 0;
    let from = { base: 0, theirs: 0, mine: 0 };
    for (let at = 0; at <= base.length; at++) {
      const theirAt = at === base.length ? theirs.length : inTheirs[at];
      const mineAt = at === base.length ? mine.length : inMine[at];
      if (theirAt === undefined || mineAt === undefined) {
        continue;
      }
      const baseCut = base.slice(from.base, at);
      const theirCut = theirs.slice(from.theirs, theirAt);
      const mineCut = mine.slice(from.mine, mineAt);
      if (areSame(baseCut, theirCut)) {
        changedByMine += areSame(baseCut, mineCut) ? 0 : 1;
        parts.push(mineCut);
      } else if (areSame(baseCut, mineCut) || areSame(theirCut, mineCut)) {
        changedByTheirs++;
        parts.push(theirCut);
      } else {
        return undefined;
      }
      const stable = mine[mineAt];
      if (stable) {
        parts.push([stable]);
      }
      from = { base: at + 1, theirs: theirAt + 1, mine: mineAt + 1 };
    }
    this.fromTheirs += changedByTheirs;
    this.fromMine += changedByMine;
    return () => ({ kind: "array", items: parts.flat() });
  }
}

/**
 * Merges two changed versions of a document.
 * @param base What both began with.
 * @param theirs What is stored now.
 * @param mine What is to be stored.
 */
export function mergeJson(
  base: JsonNode | undefined,
  theirs: JsonNode | undefined,
  mine: JsonNode | undefined,
): MergeResult {
  const merge = new Merge();
  const merged = merge.node([], base, theirs, mine);
  return {
    conflicts: merge.conflicts,
    fromTheirs: merge.fromTheirs,
    fromMine: merge.fromMine,
    resolve: (choices = []) => merged(choices),
  };
}

/** A path as a person reads it: `Lines[2].Price`; names that are no words stand in quotes. */
export function pathText(path: JsonPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") {
      text += `[${part}]`;
    } else if (/^[\p{L}_@][\p{L}\p{N}_@-]*$/u.test(part)) {
      text += text === "" ? part : `.${part}`;
    } else {
      text += `[${JSON.stringify(part)}]`;
    }
  }
  return text === "" ? "the whole document" : text;
}

/** All names: in the order of mine, and one that only theirs has behind the name that it stands behind there. */
function namesOf(theirs: JsonObject, mine: JsonObject): string[] {
  const names = [...mine.members.keys()];
  const behind = new Map<string, string[]>();
  let before = "";
  let isBehindAny = false;
  const first: string[] = [];
  for (const name of theirs.members.keys()) {
    if (mine.members.has(name)) {
      before = name;
      isBehindAny = true;
    } else if (isBehindAny) {
      behind.set(before, [...(behind.get(before) ?? []), name]);
    } else {
      first.push(name);
    }
  }
  return [...first, ...names.flatMap((name) => [name, ...(behind.get(name) ?? [])])];
}

/** Whether an item is another version of the one at its place, and not another item: most of its properties are as they
 * were. What is wrongly taken for another item is only a conflict more; the other mistake would mix two items. */
function isSimilar(base: JsonNode | undefined, item: JsonNode): boolean {
  if (isSame(base, item)) {
    return true;
  }
  if (base?.kind !== "object" || item.kind !== "object") {
    return false;
  }
  const kept = [...base.members].filter(([name, value]) => isSame(value, item.members.get(name))).length;
  return kept * 2 > Math.max(base.members.size, item.members.size);
}

function areSame(a: readonly JsonNode[], b: readonly JsonNode[]): boolean {
  return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
}

/** A number for each different item; items that are the same have the same one. */
function keyOf(item: JsonNode, keys: Map<string, number>): number {
  const text = printJson(sorted(item), 0);
  const known = keys.get(text) ?? keys.size;
  keys.set(text, known);
  return known;
}

function sorted(node: JsonNode): JsonNode {
  if (node.kind === "array") {
    return { kind: "array", items: node.items.map(sorted) };
  }
  if (node.kind === "object") {
    const members = [...node.members].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return { kind: "object", members: new Map(members.map(([name, value]) => [name, sorted(value)])) };
  }
  // Texts are compared by what they say: an escape more is no change.
  return node.kind === "text" ? { kind: "text", raw: JSON.stringify(JSON.parse(node.raw)) } : node;
}

/** For each item of the base, where the other side has it (the longest common subsequence), or undefined. */
function commonItems(base: readonly number[], other: readonly number[]): (number | undefined)[] {
  const width = other.length + 1;
  const lengths = new Uint32Array((base.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = base.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        base[row] === other[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const common: (number | undefined)[] = new Array(base.length).fill(undefined);
  for (let row = 0, column = 0; row < base.length && column < other.length; ) {
    if (base[row] === other[column]) {
      common[row++] = column++;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      row++;
    } else {
      column++;
    }
  }
  return common;
}
