import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { Button, IconButton } from "../ui/button";
import { Icon } from "../ui/icon";
import type { IconName } from "../ui/iconPaths";
import { Announcer } from "./announcer";
import { Health } from "./health";
import { lazyPart } from "./lazyPart";
import { Link } from "./link";
import { databasePlace, placeUrl, useDatabase } from "./places";
import { useShortcuts } from "./shortcuts";
import { SignIn } from "./signIn";
import { Toasts } from "./toasts";

const Palette = lazyPart(() => import("./palette").then((module) => module.Palette));
const ShortcutList = lazyPart(() => import("./shortcutList").then((module) => module.ShortcutList));
const RequestDrawer = lazyPart(() => import("./requestDrawer").then((module) => module.RequestDrawer));

/** The pages of a database, in the order of the navigation. */
export const DATABASE_PAGES: readonly { page: string; title: string; icon: IconName; key: string }[] = [
  { page: "", title: "Overview", icon: "database", key: "o" },
  { page: "docs", title: "Documents", icon: "files", key: "d" },
  { page: "query", title: "Query", icon: "terminal", key: "q" },
  { page: "indexes", title: "Indexes", icon: "tree", key: "i" },
  { page: "patch", title: "Patch", icon: "wand", key: "p" },
  { page: "cmpxchg", title: "Compare-exchange", icon: "key", key: "x" },
  { page: "changes", title: "Changes", icon: "activity", key: "c" },
  { page: "subscriptions", title: "Subscriptions", icon: "send", key: "s" },
  { page: "backups", title: "Backups", icon: "history", key: "b" },
  { page: "io", title: "Import, export", icon: "upload", key: "m" },
  { page: "operations", title: "Operations", icon: "clock", key: "r" },
  { page: "storage", title: "Storage", icon: "disk", key: "t" },
  { page: "settings", title: "Settings", icon: "settings", key: "e" },
];

/** The pages of the server, in the order of the navigation. */
export const SERVER_PAGES: readonly { path: string; title: string; icon: IconName }[] = [
  { path: "/", title: "Databases", icon: "database" },
  { path: "/certificates", title: "Certificates", icon: "key" },
  { path: "/restore", title: "Restore", icon: "reset" },
  { path: "/operations", title: "Operations", icon: "clock" },
  { path: "/running", title: "Running requests", icon: "activity" },
  { path: "/live", title: "Load of the server", icon: "gauge" },
];

/** What stands around every page. */
export function Shell() {
  const database = useDatabase();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [open, setOpen] = useState<"palette" | "shortcuts" | "requests" | undefined>();
  const [isNavOpen, setNavOpen] = useState(false);
  useShortcuts(database, {
    palette: () => setOpen("palette"),
    shortcuts: () => setOpen("shortcuts"),
  });
  useEffect(() => {
    if (path) {
      setNavOpen(false);
    }
  }, [path]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <span className="only-narrow">
          <IconButton name="Navigation" icon="menu" aria-expanded={isNavOpen} onClick={() => setNavOpen(!isNavOpen)} />
        </span>
        <Link className="brand" href={placeUrl("/")} aria-label="Raven: all databases">
          <Icon name="database" size={18} />
          <span>Raven</span>
        </Link>
        {database !== "" && (
          <>
            <Icon name="chevronRight" size={14} />
            <Link className="database-name" href={placeUrl(databasePlace(database))}>
              {database}
            </Link>
          </>
        )}
        <span className="grow" />
        <Button kind="quiet" icon="search" keys="Ctrl K" className="find" onClick={() => setOpen("palette")}>
          Find
        </Button>
        <Health />
        <Link
          className="button quiet"
          href={placeUrl("/live")}
          aria-label="Load of the server"
          title="Load of the server"
        >
          <Icon name="gauge" />
        </Link>
        <IconButton name="Requests of this page" icon="send" onClick={() => setOpen("requests")} />
        <IconButton
          name="Keyboard shortcuts"
          icon="keyboard"
          className="only-wide"
          onClick={() => setOpen("shortcuts")}
        />
      </header>
      <div className="middle">
        <nav
          className={isNavOpen ? "nav is-open" : "nav"}
          aria-label={database === "" ? "Pages of the server" : `Pages of ${database}`}
        >
          {pagesOf(database, path).map(({ url, title, icon, isHere }) => (
            <Link key={url} href={url} aria-current={isHere ? "page" : undefined}>
              <Icon name={icon} />
              <span>{title}</span>
            </Link>
          ))}
        </nav>
        <main className="content" id="content" tabIndex={-1}>
          <Outlet />
          <Toasts />
        </main>
      </div>
      <SignIn />
      <Announcer />
      <Suspense>
        {open === "palette" && <Palette database={database} onClose={() => setOpen(undefined)} />}
        {open === "shortcuts" && <ShortcutList onClose={() => setOpen(undefined)} />}
        {open === "requests" && <RequestDrawer onClose={() => setOpen(undefined)} />}
      </Suspense>
    </div>
  );
}

/** The links of the navigation: of a database, or of the server. */
function pagesOf(database: string, path: string): { url: string; title: string; icon: IconName; isHere: boolean }[] {
  return database === ""
    ? SERVER_PAGES.map(({ path: to, ...rest }) => ({ ...rest, url: placeUrl(to), isHere: path === to }))
    : DATABASE_PAGES.map(({ page, title, icon }) => ({
        url: placeUrl(databasePlace(database, page)),
        title,
        icon,
        isHere: isCurrent(path, database, page),
      }));
}

function isCurrent(path: string, database: string, page: string): boolean {
  const rest = decodeURIComponent(path).slice(`/db/${database}`.length).split("/")[1] ?? "";
  const details: Readonly<Record<string, string>> = {
    docs: "doc",
    indexes: "index",
    subscriptions: "subscription",
    backups: "backup",
  };
  return rest === page || rest === details[page];
}
