import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Search } from "./search";

/** The database of the page. */
export function useDatabase(): string {
  return (useParams({ strict: false }) as { db?: string }).db ?? "";
}

/** What the URL says besides its path. */
export function useSearchState(): Search {
  return useSearch({ strict: false }) as Search;
}

/** Changes what the URL says; undefined takes a name out. It makes no step of the browser's history unless told so. */
export function useSetSearch(): (change: Readonly<Record<string, string | undefined>>, isStep?: boolean) => void {
  const navigate = useNavigate();
  return (change, isStep = false) => {
    void navigate({
      to: ".",
      search: (now: Search) => {
        const next: Record<string, string> = { ...now };
        for (const [name, value] of Object.entries(change)) {
          if (value === undefined || value === "") {
            delete next[name];
          } else {
            next[name] = value;
          }
        }
        return next;
      },
      replace: !isStep,
    } as never);
  };
}

/** A place of the Studio as a URL, for links. */
export function placeUrl(path: string, search: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== "") {
      parameters.append(name, value);
    }
  }
  const text = parameters.toString();
  return `/studio${path}${text === "" ? "" : `?${text}`}`;
}

/** The path of a page of a database. */
export function databasePlace(database: string, page = ""): string {
  return `/db/${encodeURIComponent(database)}${page === "" ? "" : `/${page}`}`;
}

/** The place of a document. */
export function documentUrl(database: string, id: string): string {
  return placeUrl(databasePlace(database, "doc"), { id });
}

/** Goes to a place. */
export function useGo(): (url: string) => void {
  const navigate = useNavigate();
  return (url) => {
    void navigate({ href: url } as never);
  };
}
