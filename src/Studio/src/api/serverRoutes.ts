import { getJson } from "./http";

/** What the server says of a route of its own. */
export interface ServerRoute {
  /** The right that it takes. */
  readonly access: string;
  readonly isServed: boolean;
}

/** The routes of the server, such as "GET /databases/{database}/stats". */
export type ServerRoutes = ReadonlyMap<string, ServerRoute>;

/** Who asks, as GET /certificates/whoami says. */
export interface Caller {
  readonly Name: string;
  readonly Kind: "Certificate" | "ApiKey" | "Jwt" | "Local" | "Unsecured" | string;
  readonly SecurityClearance: string;
  readonly Permissions: Readonly<Record<string, string>>;
  readonly NotAfter: string | null;
}

interface OpenApi {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { summary?: string; "x-access"?: string }>>>>;
}

/** Reads what the server can do, and who may. */
export async function readServerRoutes(signal?: AbortSignal): Promise<ServerRoutes> {
  return routesOf(await getJson<OpenApi>("/openapi.json", signal ? { signal } : {}));
}

/** The routes of a description. */
export function routesOf(description: OpenApi): ServerRoutes {
  const routes = new Map<string, ServerRoute>();
  for (const [path, methods] of Object.entries(description.paths ?? {})) {
    for (const [method, { summary = "", "x-access": access = "" }] of Object.entries(methods)) {
      routes.set(`${method.toUpperCase()} ${path}`, { access, isServed: !summary.startsWith("Not served") });
    }
  }
  return routes;
}

const DATABASE_RIGHTS = ["Read", "ReadWrite", "Admin"];
/** The rights of routes of a database, and what in one's permissions they take. */
const DATABASE_ACCESS: Readonly<Record<string, string>> = {
  Read: "Read",
  ReadWrite: "ReadWrite",
  DatabaseAdmin: "Admin",
};

/** The right that a caller lacks for a route, in words; undefined if it lacks none, or nobody knows. */
export function lackOf(access: string, who: Caller | undefined, database: string): string | undefined {
  if (who === undefined || who.Kind === "Unsecured" || who.Kind === "Local") {
    return undefined;
  }
  const { SecurityClearance: clearance } = who;
  if (access === "ClusterAdmin") {
    return clearance === "ClusterAdmin" ? undefined : "ClusterAdmin";
  }
  if (clearance !== "ValidUser") {
    return undefined;
  }
  if (access === "Operator") {
    return "Operator";
  }
  const wanted = DATABASE_ACCESS[access];
  if (wanted === undefined || database === "") {
    return undefined;
  }
  const name = database.toLowerCase();
  const right = Object.entries(who.Permissions).find(([one]) => one.toLowerCase() === name)?.[1] ?? "";
  return DATABASE_RIGHTS.indexOf(right) >= DATABASE_RIGHTS.indexOf(wanted) ? undefined : `${wanted} to ${database}`;
}
