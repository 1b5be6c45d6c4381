import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { idsByPrefix } from "../api/documents";
import { databasePath, getJson, send } from "../api/http";
import { wantSignIn } from "../api/signInState";
import type { CollectionCounts, DatabaseList } from "../api/types";
import { formatCount } from "../ui/format";
import { Icon } from "../ui/icon";
import type { IconName } from "../ui/iconPaths";
import { type PageLink, usePages } from "./pages";
import { type PaletteItem, rankItems } from "./paletteRank";
import { databasePlace, documentUrl, placeUrl, useGo } from "./places";
import { forgetLocal } from "./storage";
import { chooseTheme } from "./theme";
import { showError } from "./toasts";

interface Item extends PaletteItem {
  readonly icon: IconName;
  readonly detail?: string;
  readonly act: () => void;
}

/** Finds ids, collections, pages, databases and actions by typing. */
export function Palette({
  database,
  early,
  onClose,
}: {
  database: string;
  /** What was typed before it could take keys. */
  early: RefObject<string>;
  onClose: () => void;
}) {
  const go = useGo();
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const ids = useQuery({
    queryKey: ["ids", database, text],
    // An older answer never replaces a newer one: each text is a query of its own, and leaving it ends its request.
    queryFn: ({ signal }) => idsByPrefix(database, text, signal),
    enabled: database !== "" && text.length > 0,
    retry: false,
  });
  const collections = useQuery({
    queryKey: ["collections", database],
    queryFn: ({ signal }) => getJson<CollectionCounts>(databasePath(database, "collections/stats"), { signal }),
    enabled: database !== "",
  });
  const databases = useQuery({
    queryKey: ["databases", text],
    queryFn: ({ signal }) =>
      getJson<DatabaseList>("/studio/databases", { query: { filter: text, pageSize: 8 }, signal }),
    retry: false,
  });
  const ofDatabase = usePages(database, "");
  const ofServer = usePages("", "");
  const fixed = useMemo(
    () => fixedItems(database, database === "" ? [] : ofDatabase, ofServer, go),
    [database, ofDatabase, ofServer, go],
  );
  const items = useMemo(() => {
    const named: Item[] = [
      ...fixed,
      ...Object.entries(collections.data?.Collections ?? {}).map(
        ([name, count]): Item => ({
          title: name,
          kind: "Collection",
          icon: "files",
          detail: formatCount(count),
          act: () => go(placeUrl(databasePlace(database, "docs"), { collection: name })),
        }),
      ),
      ...(databases.data?.Databases ?? []).map(
        (one): Item => ({
          title: one.Name,
          kind: "Database",
          icon: "database",
          act: () => go(placeUrl(databasePlace(one.Name))),
        }),
      ),
    ];
    const found = (ids.data ?? []).map(
      (id): Item => ({ title: id, kind: "Document", icon: "file", act: () => go(documentUrl(database, id)) }),
    );
    return [...found, ...rankItems(named, text)].slice(0, 40);
  }, [fixed, collections.data, databases.data, ids.data, text, database, go]);
  const at = Math.min(place, Math.max(0, items.length - 1));
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const act = (item: Item | undefined) => {
    if (item) {
      onClose();
      item.act();
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const move = moves[event.key];
    if (move !== undefined && items.length > 0) {
      event.preventDefault();
      setPlace(Math.min(Math.max(at + move, 0), items.length - 1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      act(items[at]);
    }
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="offscreen">Find</Dialog.Title>
          <input
            type="text"
            role="combobox"
            aria-label="Find"
            aria-expanded={items.length > 0}
            aria-controls="palette-list"
            aria-activedescendant={items.length > 0 ? `palette-${at}` : undefined}
            aria-autocomplete="list"
            placeholder={database === "" ? "A database or an action" : "An id, a collection, a page or an action"}
            value={text}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setText(event.target.value);
              setPlace(0);
            }}
            onFocus={() => {
              const typed = early.current;
              early.current = "";
              setText((now) => typed + now);
            }}
            onKeyDown={onKey}
          />
          <div className="palette-list" role="listbox" id="palette-list" aria-label="Found" ref={list} tabIndex={-1}>
            {items.map((item, index) => (
              <div
                key={`${item.kind} ${item.title}`}
                id={`palette-${index}`}
                data-at={index}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onPointerMove={() => setPlace(index)}
                onClick={() => act(item)}
                onKeyDown={onKey}
              >
                <Icon name={item.icon} />
                <span className="grow ellipsis">{item.title}</span>
                <span className="muted">{item.detail ? `${item.kind} · ${item.detail}` : item.kind}</span>
              </div>
            ))}
          </div>
          {items.length === 0 && (
            <p className="muted padded">{ids.isFetching ? "Looking…" : "Nothing is called so."}</p>
          )}
          {ids.error && <p className="bad padded">Ids cannot be read: {ids.error.message}</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The words of pages of the server beside those of a database. */
const SERVER_TITLES: Readonly<Record<string, string>> = {
  Databases: "All databases",
  Operations: "Operations of the server",
  Backups: "Backups of all databases",
};

function fixedItems(
  database: string,
  ofDatabase: readonly PageLink[],
  ofServer: readonly PageLink[],
  go: (url: string) => void,
): Item[] {
  const pageItem = ({ url, title, icon, lack }: PageLink): Item => ({
    title,
    kind: "Page",
    icon,
    ...(lack ? { detail: `takes ${lack}` } : {}),
    act: () => go(url),
  });
  const more: Item[] =
    database === ""
      ? []
      : [
          {
            title: "New document",
            kind: "Action",
            icon: "plus",
            act: () => go(placeUrl(databasePlace(database, "doc"), { new: "1" })),
          },
        ];
  return [
    ...ofDatabase.map(pageItem),
    ...more,
    ...ofServer.map((page) => pageItem({ ...page, title: SERVER_TITLES[page.title] ?? page.title })),
    { title: "Light theme", kind: "Action", icon: "sun", act: () => chooseTheme("light") },
    { title: "Dark theme", kind: "Action", icon: "moon", act: () => chooseTheme("dark") },
    { title: "Theme of the system", kind: "Action", icon: "settings", act: () => chooseTheme("system") },
    { title: "Sign in with another key", kind: "Action", icon: "key", act: () => wantSignIn(true) },
    { title: "Sign out", kind: "Action", icon: "lock", act: signOut },
    {
      title: "Forget what this browser keeps (drafts, queries, theme)",
      kind: "Action",
      icon: "trash",
      act: forgetLocal,
    },
  ];
}

/** Ends the session of this browser; the page is loaded anew, so that nothing of it stays on the screen. */
function signOut(): void {
  send("DELETE", "/studio/session")
    .then(() => window.location.reload())
    .catch((error: unknown) => showError("Not signed out", error));
}
