import type { Caller } from "../../api/serverRoutes";
import type { Tone } from "../../ui/chip";

/** What an identity may do in one database, the least first. */
export const RIGHTS = ["Read", "ReadWrite", "Admin"] as const;
export type Right = (typeof RIGHTS)[number];

/** What an identity may do on the server as a whole, the least first. */
export const CLEARANCES = ["ValidUser", "Operator", "ClusterNode", "ClusterAdmin"] as const;
export type Clearance = (typeof CLEARANCES)[number];

/** Names of databases with the right in each. */
export type Permissions = Readonly<Record<string, Right>>;

/** GET /admin/certificates?metadataOnly=true: the certificate itself is not asked for. */
export interface Certificate {
  readonly Name: string;
  readonly Thumbprint: string;
  readonly SecurityClearance: Clearance;
  readonly Permissions: Permissions;
  readonly NotBefore: string | null;
  readonly NotAfter: string | null;
  readonly CollectionPrimaryKey: string;
  readonly CollectionSecondaryKeys: readonly string[];
  readonly CreatedAt: string | null;
  readonly CreatedBy: string | null;
  readonly LastSeenAt: string | null;
}

/** GET /admin/api-keys: the server keeps no key, only its hash. */
export interface ApiKey {
  readonly Id: string;
  readonly Name: string;
  readonly SecurityClearance: Clearance;
  readonly Permissions: Permissions;
  readonly Scopes: readonly string[] | null;
  readonly AllowedAddresses: readonly string[] | null;
  readonly CreatedAt: string | null;
  readonly CreatedBy: string | null;
  readonly ExpiresAt: string | null;
  readonly LastUsedAt: string | null;
  readonly Disabled: boolean;
}

/** GET /certificates/whoami */
export type WhoAmI = Caller;

/** A row of the matrix: somebody, and what they may do. */
export interface MatrixRow {
  readonly key: string;
  readonly name: string;
  readonly kind: "certificate" | "API key";
  readonly clearance: Clearance;
  readonly permissions: Permissions;
  readonly counts: boolean;
}

/** Everybody who is trusted, by name. */
export function matrixRows(
  certificates: readonly Certificate[],
  keys: readonly ApiKey[],
  nowMs: number,
): readonly MatrixRow[] {
  const rows: MatrixRow[] = [
    ...certificates.map(
      (one): MatrixRow => ({
        key: one.Thumbprint,
        name: one.Name,
        kind: "certificate",
        clearance: one.SecurityClearance,
        permissions: one.Permissions ?? {},
        counts: !hasEnded(one.NotAfter, nowMs),
      }),
    ),
    ...keys.map(
      (one): MatrixRow => ({
        key: one.Id,
        name: one.Name,
        kind: "API key",
        clearance: one.SecurityClearance,
        permissions: one.Permissions ?? {},
        counts: !one.Disabled && !hasEnded(one.ExpiresAt, nowMs),
      }),
    ),
  ];
  return rows.sort((a, b) => compare(a.name, b.name) || compare(a.key, b.key));
}

/** The databases that anybody has a right in, by name; names are the same in either case. */
export function matrixDatabases(rows: readonly MatrixRow[]): readonly string[] {
  const names = new Map<string, string>();
  for (const row of rows) {
    for (const name of Object.keys(row.permissions)) {
      names.set(name.toLowerCase(), names.get(name.toLowerCase()) ?? name);
    }
  }
  return [...names.values()].sort(compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What somebody may do in a database: whoever is more than a valid user may do all in all of them. */
export function rightIn(clearance: Clearance, permissions: Permissions, database: string): Right | undefined {
  if (clearance !== "ValidUser") {
    return "Admin";
  }
  const wanted = database.toLowerCase();
  return Object.entries(permissions).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** A right in words. */
export function rightWord(right: Right | undefined): string {
  return right === undefined ? "–" : { Read: "reads", ReadWrite: "writes", Admin: "admin" }[right];
}

/** How many days before its end an identity is shown as one that ends. */
const ENDS_SOON_DAYS = 30;
const DAY_MS = 86_400_000;

function hasEnded(at: string | null, nowMs: number): boolean {
  return at !== null && Date.parse(at) <= nowMs;
}

/** Whether an identity counts, and until when. */
export function identityState(endsAt: string | null, isDisabled: boolean, nowMs: number): { tone: Tone; word: string } {
  if (isDisabled) {
    return { tone: "bad", word: "disabled: it was sent over plain http" };
  }
  if (endsAt === null) {
    return { tone: "good", word: "does not end" };
  }
  const days = Math.floor((Date.parse(endsAt) - nowMs) / DAY_MS);
  if (hasEnded(endsAt, nowMs)) {
    return { tone: "bad", word: "ended" };
  }
  if (days < ENDS_SOON_DAYS) {
    return { tone: "stale", word: days === 0 ? "ends today" : `ends in ${days} ${days === 1 ? "day" : "days"}` };
  }
  return { tone: "good", word: `counts, ${days} days` };
}

/** Why the caller cannot manage identities, as far as the page knows; the server decides. */
export function manageRefusal(who: WhoAmI | undefined): string | undefined {
  if (who === undefined || who.Kind === "Unsecured" || who.Kind === "Local") {
    return undefined;
  }
  if (who.Kind !== "Certificate") {
    return "An API key or a token manages neither certificates nor keys: use a client certificate.";
  }
  return who.SecurityClearance === "ValidUser" ? "This takes the right Operator." : undefined;
}

/** Why the caller cannot change one identity, or give a clearance. */
export function clearanceRefusal(who: WhoAmI | undefined, clearance: string): string | undefined {
  const isHigh = clearance === "ClusterAdmin" || clearance === "ClusterNode";
  const isAdmin = who === undefined || who.Kind === "Unsecured" || who.SecurityClearance === "ClusterAdmin";
  return (
    manageRefusal(who) ?? (isHigh && !isAdmin ? `Only a ClusterAdmin makes or changes a ${clearance}.` : undefined)
  );
}

/** The longest file of a certificate that is read. */
const CERTIFICATE_BYTES_MAX = 1024 * 1024;

/** Why the caller cannot replace the certificate of the server by a file. */
export function replaceRefusal(who: WhoAmI | undefined, file: { readonly size: number } | undefined) {
  const isAllowed =
    who === undefined || ["Unsecured", "Local"].includes(who.Kind) || who.SecurityClearance === "ClusterAdmin";
  return (
    manageRefusal(who) ??
    (isAllowed ? undefined : "This takes the right ClusterAdmin.") ??
    (file ? undefined : "Choose the file of the certificate first.") ??
    (file && file.size > CERTIFICATE_BYTES_MAX ? "A certificate has less than 1 MiB." : undefined)
  );
}

/** A row of the form of rights. */
export interface RightRow {
  readonly database: string;
  readonly right: Right;
}

/** The rows of permissions, by name. */
export function rightRows(permissions: Permissions): RightRow[] {
  return Object.entries(permissions)
    .sort(([a], [b]) => compare(a, b))
    .map(([database, right]) => ({ database, right }));
}

/** Reads the rows of the form; rows without a name are left out. */
export function readRightRows(rows: readonly RightRow[]): { permissions: Permissions; wrong?: string } {
  const permissions: Record<string, Right> = {};
  const seen = new Set<string>();
  for (const { database, right } of rows) {
    const name = database.trim();
    if (name === "") {
      continue;
    }
    if (seen.has(name.toLowerCase())) {
      return { permissions, wrong: `${name} is there twice.` };
    }
    seen.add(name.toLowerCase());
    // A name such as __proto__ is a member, too.
    Object.defineProperty(permissions, name, { value: right, enumerable: true });
  }
  return { permissions };
}

/** When an identity ends, as it is chosen: days from now, a day, or never. */
export function endOf(choice: string, day: string, nowMs: number): { at: string | null; wrong?: string } {
  if (choice === "never") {
    return { at: null };
  }
  if (choice !== "day") {
    return { at: new Date(nowMs + Number(choice) * DAY_MS).toISOString() };
  }
  const time = /^\d{4}-\d\d-\d\d$/.test(day.trim()) ? Date.parse(`${day.trim()}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) {
    return { at: null, wrong: "Write the day as 2030-01-31." };
  }
  return time <= nowMs ? { at: null, wrong: "This day is over." } : { at: new Date(time).toISOString() };
}

/** Addresses or networks of a text, with commas, blanks or lines between them. */
export function readList(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== "");
}
