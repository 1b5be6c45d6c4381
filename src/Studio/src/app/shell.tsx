import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { Button, IconButton } from "../ui/button";
import { Icon } from "../ui/icon";
import { Announcer } from "./announcer";
import { useEarlyKeys } from "./earlyKeys";
import { Health } from "./health";
import { lazyPart } from "./lazyPart";
import { Link } from "./link";
import { usePages } from "./pages";
import { databasePlace, placeUrl, useDatabase } from "./places";
import { useShortcuts } from "./shortcuts";
import { SignIn } from "./signIn";
import { Toasts } from "./toasts";

const Palette = lazyPart(() => import("./palette").then((module) => module.Palette));
const ShortcutList = lazyPart(() => import("./shortcutList").then((module) => module.ShortcutList));
const RequestDrawer = lazyPart(() => import("./requestDrawer").then((module) => module.RequestDrawer));

/** What stands around every page. */
export function Shell() {
  const database = useDatabase();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [open, setOpen] = useState<"palette" | "shortcuts" | "requests" | undefined>();
  const [isNavOpen, setNavOpen] = useState(false);
  const pages = usePages(database, path);
  const early = useEarlyKeys(open === "palette");
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
          {pages.map(({ url, title, icon, isHere, lack }) => (
            <Link
              key={url}
              href={url}
              aria-current={isHere ? "page" : undefined}
              className={lack ? "is-refused" : undefined}
              title={lack && `This takes the right ${lack}.`}
            >
              <Icon name={lack ? "lock" : icon} />
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
        {open === "palette" && <Palette database={database} early={early} onClose={() => setOpen(undefined)} />}
        {open === "shortcuts" && <ShortcutList onClose={() => setOpen(undefined)} />}
        {open === "requests" && <RequestDrawer onClose={() => setOpen(undefined)} />}
      </Suspense>
    </div>
  );
}
