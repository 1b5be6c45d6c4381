import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { getJson } from "../api/http";
import { type Caller, lackOf, readServerRoutes, type ServerRoutes } from "../api/serverRoutes";
import type { IconName } from "../ui/iconPaths";
import { databasePlace, placeUrl } from "./places";

/** A page of the navigation. */
interface Page {
  /** Behind the path of the database, or of the server. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** The route without which there is nothing to show. */
  readonly needs: string;
}

const ofDatabase = (route: string) => `/databases/{database}/${route}`;

/** The pages of a database, in the order of the navigation. */
export const DATABASE_PAGES: readonly Page[] = [
  { path: "", title: "Overview", icon: "database", needs: `GET ${ofDatabase("collections/stats")}` },
  { path: "docs", title: "Documents", icon: "files", needs: `GET ${ofDatabase("studio/documents")}` },
  { path: "query", title: "Query", icon: "terminal", needs: `POST ${ofDatabase("queries")}` },
  { path: "indexes", title: "Indexes", icon: "tree", needs: `GET ${ofDatabase("indexes/stats")}` },
  { path: "patch", title: "Patch", icon: "wand", needs: `PATCH ${ofDatabase("queries")}` },
  { path: "cmpxchg", title: "Compare-exchange", icon: "key", needs: `GET ${ofDatabase("cmpxchg")}` },
  { path: "changes", title: "Changes", icon: "activity", needs: `GET ${ofDatabase("changes")}` },
  { path: "subscriptions", title: "Subscriptions", icon: "send", needs: `GET ${ofDatabase("subscriptions")}` },
  { path: "backups", title: "Backups", icon: "history", needs: `GET ${ofDatabase("tasks")}` },
  { path: "io", title: "Import, export", icon: "upload", needs: `GET ${ofDatabase("smuggler/export")}` },
  { path: "operations", title: "Operations", icon: "clock", needs: `GET ${ofDatabase("operations")}` },
  { path: "storage", title: "Storage", icon: "disk", needs: `GET ${ofDatabase("debug/storage/report")}` },
  { path: "settings", title: "Settings", icon: "settings", needs: `GET ${ofDatabase("admin/configuration/settings")}` },
];

/** The pages of the server, in the order of the navigation. */
export const SERVER_PAGES: readonly Page[] = [
  { path: "/", title: "Databases", icon: "database", needs: "GET /studio/databases" },
  { path: "/cluster", title: "Cluster", icon: "network", needs: "GET /admin/cluster/health" },
  { path: "/certificates", title: "Certificates", icon: "key", needs: "GET /admin/certificates" },
  { path: "/backups", title: "Backups", icon: "history", needs: "GET /admin/configuration/server-wide/tasks" },
  { path: "/restore", title: "Restore", icon: "reset", needs: "POST /admin/restore/database" },
  { path: "/operations", title: "Operations", icon: "clock", needs: "GET /operations" },
  { path: "/running", title: "Running requests", icon: "activity", needs: "GET /admin/requests/running" },
  { path: "/live", title: "Load of the server", icon: "gauge", needs: "GET /metrics" },
];

/** The pages that show one of what another one lists. */
const DETAILS: Readonly<Record<string, string>> = {
  doc: "docs",
  index: "indexes",
  subscription: "subscriptions",
  backup: "backups",
};

/** A link of the navigation. */
export interface PageLink {
  readonly url: string;
  readonly title: string;
  readonly icon: IconName;
  readonly isHere: boolean;
  /** The right that the caller lacks for it. */
  readonly lack: string | undefined;
}

/** What the server can do, and who asks. */
function useServerFacts() {
  const routes = useQuery({
    queryKey: ["server-routes"],
    queryFn: ({ signal }) => readServerRoutes(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const who = useQuery({
    queryKey: ["whoami"],
    queryFn: ({ signal }) => getJson<Caller>("/certificates/whoami", { signal }),
    retry: false,
  });
  return { routes: routes.data, who: who.data };
}

/** Whether the caller may use a route, as far as is known: false until it is. */
export function useMay(route: string, database = ""): boolean {
  const { routes, who } = useServerFacts();
  const access = routes?.get(route)?.access;
  return who !== undefined && access !== undefined && lackOf(access, who, database) === undefined;
}

/** The pages that the server has something for, of a database or (without a name) of the server. */
export function usePages(database: string, path: string): readonly PageLink[] {
  const { routes, who } = useServerFacts();
  return useMemo(() => pageLinks(database, path, routes, who), [database, path, routes, who]);
}

/** The links; until it is known what the server can do, they are all there. */
export function pageLinks(
  database: string,
  path: string,
  routes: ServerRoutes | undefined,
  who: Caller | undefined,
): readonly PageLink[] {
  const pages = database === "" ? SERVER_PAGES : DATABASE_PAGES;
  const here = pageOf(database, path);
  return pages
    .filter(({ needs }) => routes?.get(needs)?.isServed ?? !routes)
    .map(({ path: page, title, icon, needs }) => ({
      url: placeUrl(database === "" ? page : databasePlace(database, page)),
      title,
      icon,
      isHere: here === page.replace(/^\//, ""),
      lack: lackOf(routes?.get(needs)?.access ?? "", who, database),
    }));
}

/** The page that a path is of, or that lists what it shows. */
function pageOf(database: string, path: string): string {
  const rest = database === "" ? path : decodeURIComponent(path).slice(`/db/${database}`.length);
  const first = rest.split("/")[1] ?? "";
  return DETAILS[first] ?? first;
}
