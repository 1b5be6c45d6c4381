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
  { page: "changes", title: "Changes", icon: "activity", key: "c" },
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
        {database !== "" && (
          <span className="only-narrow">
            <IconButton
              name="Navigation"
              icon="menu"
              aria-expanded={isNavOpen}
              onClick={() => setNavOpen(!isNavOpen)}
            />
          </span>
        )}
        <Link className="brand" href={placeUrl("/")}>
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
        <IconButton name="Requests of this page" icon="send" onClick={() => setOpen("requests")} />
        <IconButton name="Keyboard shortcuts" icon="keyboard" onClick={() => setOpen("shortcuts")} />
      </header>
      <div className="middle">
        {database !== "" && (
          <nav className={isNavOpen ? "nav is-open" : "nav"} aria-label={`Pages of ${database}`}>
            {DATABASE_PAGES.map(({ page, title, icon }) => {
              const url = placeUrl(databasePlace(database, page));
              const isHere = isCurrent(path, database, page);
              return (
                <Link key={page} href={url} aria-current={isHere ? "page" : undefined}>
                  <Icon name={icon} />
                  <span>{title}</span>
                </Link>
              );
            })}
          </nav>
        )}
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

function isCurrent(path: string, database: string, page: string): boolean {
  const rest = decodeURIComponent(path).slice(`/db/${database}`.length).split("/")[1] ?? "";
  return rest === page || (page === "docs" && rest === "doc") || (page === "indexes" && rest === "index");
}
