import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { deleteDocument } from "../../api/documents";
import { databasePath, getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import type { CollectionCounts, CollectionFields } from "../../api/types";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import {
  databasePlace,
  documentUrl,
  placeUrl,
  useDatabase,
  useGo,
  useSearchState,
  useSetSearch,
} from "../../app/places";
import { Grid, type GridColumn, type GridHandle } from "../../grid/grid";
import { member } from "../../json/jsonTree";
import { collectionQuery } from "../../rql/rqlLexer";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { ExportMenu } from "../../ui/exportMenu";
import { formatBytes, formatCount, formatTime, plural } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { Value } from "../../ui/value";
import { ColumnDialog } from "./columnDialog";
import { chosenColumns, columnFields, gridColumns, writeColumns } from "./columns";
import { useDocumentRun } from "./useDocumentRun";

/** The most documents that are deleted at once here; a query deletes more. */
const MARKED_MAX = 100;

/** The documents of a database or a collection, the last changed first. */
export function DocumentsPage() {
  const database = useDatabase();
  const { collection, cols } = useSearchState();
  const counts = useQuery({
    queryKey: ["collections", database],
    queryFn: ({ signal }) => getJson<CollectionCounts>(databasePath(database, "collections/stats"), { signal }),
    refetchInterval: (query) => pollMs(query.state.error, 15_000),
  });
  const fields = useQuery({
    queryKey: ["fields", database, collection ?? ""],
    queryFn: ({ signal }) =>
      getJson<CollectionFields>(databasePath(database, "studio/collections/fields"), {
        query: { name: collection, sample: 128 },
        signal,
      }),
    staleTime: 60_000,
    retry: false,
  });
  if (counts.error) {
    return <ErrorBox title={`${database} cannot be read`} error={counts.error} onRetry={() => void counts.refetch()} />;
  }
  if (counts.isPending || fields.isPending) {
    return <Loading what="the documents" rows={12} />;
  }
  return (
    <div className="split">
      <CollectionList database={database} counts={counts.data} current={collection} />
      <DocumentList
        key={`${database}\n${collection ?? ""}`}
        database={database}
        collection={collection}
        fields={fields.data}
        cols={cols}
        onChanged={() => void counts.refetch()}
      />
    </div>
  );
}

function CollectionList({
  database,
  counts,
  current,
}: {
  database: string;
  counts: CollectionCounts;
  current: string | undefined;
}) {
  const names = Object.keys(counts.Collections).sort(
    (a, b) => (a.startsWith("@") ? 1 : 0) - (b.startsWith("@") ? 1 : 0) || (a < b ? -1 : 1),
  );
  const url = (name?: string) => placeUrl(databasePlace(database, "docs"), { collection: name });
  return (
    <nav className="side" aria-label="Collections">
      <Link href={url()} aria-current={current === undefined ? "page" : undefined}>
        <span className="grow">All documents</span>
        <span className="muted">{formatCount(counts.CountOfDocuments)}</span>
      </Link>
      {names.map((name) => (
        <Link key={name} href={url(name)} aria-current={name === current ? "page" : undefined}>
          <span className="grow ellipsis" title={name}>
            {name}
          </span>
          <span className="muted">{formatCount(counts.Collections[name])}</span>
        </Link>
      ))}
    </nav>
  );
}

function DocumentList({
  database,
  collection,
  fields,
  cols,
  onChanged,
}: {
  database: string;
  collection: string | undefined;
  fields: CollectionFields | undefined;
  cols: string | undefined;
  onChanged: () => void;
}) {
  const go = useGo();
  const setSearch = useSetSearch();
  const grid = useRef<GridHandle>(null);
  const known = useMemo(() => columnFields(fields), [fields]);
  const names = useMemo(() => chosenColumns(known, cols), [known, cols]);
  const columns = useMemo(() => gridColumns(names, known, collection === undefined), [names, known, collection]);
  const { run, error, want, again } = useDocumentRun(database, collection, names, grid);
  const [isChoosing, setChoosing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const cell = useCallback(
    (place: number, column: GridColumn) => {
      const row = run?.at(place);
      if (!row) {
        return undefined;
      }
      switch (column.key) {
        case "@id":
          return (
            <Link href={documentUrl(database, row.id)} tabIndex={-1}>
              {row.id}
            </Link>
          );
        case "@collection":
          return row.collection;
        case "@last-modified":
          return formatTime(row.lastModified);
        case "@size":
          return formatBytes(row.sizeBytes);
        default:
          return <Value database={database} node={member(row.values, column.key.slice(1))} />;
      }
    },
    [run, database],
  );
  const title = collection ?? "All documents";
  const query = collectionQuery(collection);
  const mark = (place: number) => {
    const id = run?.at(place)?.id;
    if (id !== undefined) {
      const next = new Set(marked);
      if (!next.delete(id) && next.size < MARKED_MAX) {
        next.add(id);
      }
      setMarked(next);
      announce(`${plural(next.size, "document")} marked.`);
    }
  };
  const refresh = () => {
    again();
    onChanged();
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="ellipsis">{title}</h1>
        {run && <span className="muted">{formatCount(run.total)}</span>}
        <span className="grow" />
        {marked.size > 0 && (
          <>
            <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
              {`Delete ${marked.size}…`}
            </Button>
            <Button kind="quiet" onClick={() => setMarked(new Set())}>
              Unmark
            </Button>
          </>
        )}
        <IconButton name="Read again" icon="refresh" onClick={refresh} />
        <Button kind="quiet" icon="columns" onClick={() => setChoosing(true)}>
          Columns
        </Button>
        <ExportMenu database={database} query={query} name={collection ?? database} />
        <Button
          kind="quiet"
          icon="terminal"
          onClick={() => go(placeUrl(databasePlace(database, "query"), { q: query }))}
        >
          Query
        </Button>
        <Button
          kind="primary"
          icon="plus"
          onClick={() => go(placeUrl(databasePlace(database, "doc"), { new: "1", collection }))}
        >
          New
        </Button>
      </div>
      {error !== undefined && <ErrorBox error={error} onRetry={again} />}
      {!run && error === undefined && <Loading what="the documents" rows={12} />}
      {run && run.total === 0 && (
        <Empty icon="files" title={collection ? `${collection} has no documents` : "There are no documents yet"}>
          A document is JSON with an id. “New” makes one; the sample data of a new database has some, too.
        </Empty>
      )}
      {run && run.total > 0 && (
        <Grid
          handle={grid}
          name={`${title}: the last changed first. Enter opens, Space marks.`}
          rows={run.total}
          columns={columns}
          cell={cell}
          onWindow={want}
          onOpen={(place) => {
            const row = run.at(place);
            if (row) {
              go(documentUrl(database, row.id));
            }
          }}
          isMarked={(place) => marked.has(run.at(place)?.id ?? "")}
          onMark={mark}
        />
      )}
      {isChoosing && (
        <ColumnDialog
          fields={known}
          chosen={names}
          onClose={() => setChoosing(false)}
          onChoose={(next) => setSearch({ cols: next === undefined ? undefined : writeColumns(next) || "," })}
        />
      )}
      <Confirm
        title={`Delete ${plural(marked.size, "document")}`}
        isOpen={isDeleting}
        first="They are deleted with their attachments, counters and time series: there is no way back, but their revisions if they have some."
        action={`Delete ${plural(marked.size, "document")}`}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          for (const id of marked) {
            await deleteDocument(database, id);
          }
          announce(`${plural(marked.size, "document")} deleted.`);
          setMarked(new Set());
          refresh();
        }}
      >
        <ul className="short-list mono">
          {[...marked].map((id) => (
            <li key={id}>{id}</li>
          ))}
        </ul>
      </Confirm>
    </div>
  );
}
