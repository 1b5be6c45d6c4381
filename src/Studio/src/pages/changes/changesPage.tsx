import { useCallback, useEffect, useRef, useState } from "react";
import { type ChangeEvent, watchChanges } from "../../api/changes";
import { serverNow } from "../../api/serverClock";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { databasePlace, documentUrl, placeUrl, useDatabase, useSearchState, useSetSearch } from "../../app/places";
import { Grid, type GridColumn } from "../../grid/grid";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { FilterInput } from "../../ui/filterInput";
import { formatCount, formatTime } from "../../ui/format";
import { Empty } from "../../ui/states";
import { EventRing } from "./eventRing";

/** How many events are kept. */
const KEPT = 10_000;
/** However many come, the page is drawn so often. */
const DRAW_MS = 250;

interface Row {
  readonly at: string;
  readonly event: ChangeEvent;
}

const COLUMNS: readonly GridColumn[] = [
  { key: "at", title: "Seen", width: 200 },
  { key: "kind", title: "Of", width: 140 },
  { key: "type", title: "What", width: 140 },
  { key: "name", title: "Which", width: 280 },
  { key: "collection", title: "Collection", width: 160 },
];

/** What changes in a database, as it happens. */
export function ChangesPage() {
  const database = useDatabase();
  const { filter = "" } = useSearchState();
  const setSearch = useSetSearch();
  const ring = useRef(new EventRing<Row>(KEPT));
  const wanted = useRef({ filter, isPaused: false });
  const [isPaused, setPaused] = useState(false);
  const [, setDrawn] = useState(0);
  const [hidden, setHidden] = useState(0);
  wanted.current = { filter: filter.toLowerCase(), isPaused };

  useEffect(() => {
    let missed = 0;
    let isNew = false;
    const take = (event: ChangeEvent) => {
      if (event.Type !== "Gap" && !textOf(event).includes(wanted.current.filter)) {
        return;
      }
      if (wanted.current.isPaused) {
        missed++;
      } else {
        ring.current.add({ at: serverNow(), event });
      }
      isNew = true;
    };
    const ends = ["watch-docs", "watch-indexes"].map((command) => watchChanges(database, command, undefined, take));
    const timer = setInterval(() => {
      if (isNew) {
        isNew = false;
        setHidden(wanted.current.isPaused ? missed : 0);
        missed = wanted.current.isPaused ? missed : 0;
        setDrawn((now) => now + 1);
      }
    }, DRAW_MS);
    return () => {
      clearInterval(timer);
      for (const end of ends) {
        end();
      }
    };
  }, [database]);

  const total = ring.current.total;
  const cell = useCallback(
    (place: number, column: GridColumn) => {
      const row = ring.current.at(place);
      return row ? cellOf(database, row, column.key) : "";
    },
    [database, total],
  );
  return (
    <div className="page">
      <div className="page-head">
        <h1>Changes</h1>
        <span className="muted">{formatCount(total)}</span>
        {isPaused ? (
          <Chip tone="stale" icon="pause">{`paused, ${formatCount(hidden)} not shown`}</Chip>
        ) : (
          <Chip tone="good" icon="activity">
            live
          </Chip>
        )}
        <span className="grow" />
        <FilterInput
          name="Filter by id, name, collection or kind"
          initial={filter}
          onChange={(text) => setSearch({ filter: text })}
        />
        <Button
          kind="quiet"
          icon="trash"
          onClick={() => {
            ring.current.clear();
            setDrawn((now) => now + 1);
          }}
        >
          Clear
        </Button>
        <Button
          icon={isPaused ? "play" : "pause"}
          onClick={() => {
            setPaused(!isPaused);
            setHidden(0);
            announce(isPaused ? "Live again." : "Paused.");
          }}
        >
          {isPaused ? "Go on" : "Pause"}
        </Button>
      </div>
      {ring.current.length === 0 ? (
        <Empty icon="activity" title="Nothing has changed since this page was opened">
          What is written, deleted or indexed shows here at once.
        </Empty>
      ) : (
        <Grid
          name="Changes, the newest first"
          rows={ring.current.length}
          columns={COLUMNS}
          cell={cell}
          onWindow={ignore}
        />
      )}
    </div>
  );
}

function ignore(): void {
  // All events that are kept are there.
}

function textOf(event: ChangeEvent): string {
  return [event.Type, ...Object.values(event.Value)].join(" ").toLowerCase();
}

function cellOf(database: string, { at, event }: Row, key: string) {
  const { Id, Name, Type, CollectionName } = event.Value;
  switch (key) {
    case "at":
      return formatTime(at);
    case "kind":
      return event.Type === "Gap" ? <Chip tone="stale">gap</Chip> : event.Type.replace("Change", "");
    case "type":
      return event.Type === "Gap" ? "something may be missing here" : (Type ?? "");
    case "name":
      return event.Type === "DocumentChange" && Id ? (
        <Link href={documentUrl(database, Id)} tabIndex={-1}>
          {Id}
        </Link>
      ) : event.Type === "IndexChange" && Name ? (
        <Link href={placeUrl(databasePlace(database, "index"), { name: Name })} tabIndex={-1}>
          {Name}
        </Link>
      ) : (
        (Id ?? Name ?? "")
      );
    default:
      return CollectionName ?? "";
  }
}
