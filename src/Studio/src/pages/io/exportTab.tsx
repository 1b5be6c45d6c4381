import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { databasePath, getJson, send, urlOf } from "../../api/http";
import type { CollectionCounts } from "../../api/types";
import { announce } from "../../app/announcer";
import { useSearchState, useSetSearch } from "../../app/places";
import { collectionQuery } from "../../rql/rqlLexer";
import { Button } from "../../ui/button";
import { type RowFormat, saveRows } from "../../ui/exportMenu";
import { formatCount } from "../../ui/format";
import { saveUrl } from "../../ui/saveFile";
import { Segments } from "../../ui/segments";
import { ErrorBox } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import { DumpFields } from "./dumpFields";
import { type DumpChoice, dumpOptions, exportRefusal, WHOLE_DUMP } from "./ioModel";

interface Props {
  readonly database: string;
  readonly onStarted: (operation: number, title: string) => void;
}

/** Writes the database as a dump or its documents as rows; the browser writes either to the disk as it comes. */
export function ExportTab(props: Props) {
  const { as = "dump" } = useSearchState();
  const setSearch = useSetSearch();
  return (
    <section className="scroll" aria-label="Export" tabIndex={0}>
      <div className="form">
        <Segments
          name="Export as"
          choices={[
            { key: "dump", title: "a dump" },
            { key: "csv", title: "CSV" },
            { key: "jsonl", title: "JSON lines" },
          ]}
          chosen={as}
          onChoose={(key) => setSearch({ as: key === "dump" ? undefined : key })}
        />
      </div>
      {as === "csv" || as === "jsonl" ? <RowsForm database={props.database} format={as} /> : <DumpForm {...props} />}
    </section>
  );
}

function DumpForm({ database, onStarted }: Props) {
  const [choice, setChoice] = useState<DumpChoice>(WHOLE_DUMP);
  const [isZstd, setZstd] = useState(false);
  const { isBusy, error, run, dismiss } = useTask();
  const options = JSON.stringify({ ...dumpOptions(choice), CompressionAlgorithm: isZstd ? "Zstd" : "Gzip" });
  const refusal = exportRefusal(choice, options);
  const start = () =>
    run(async () => {
      // What a link answers with an error shows in the list of downloads alone: it is found before.
      await send("POST", databasePath(database, "smuggler/validate-options"), { body: options });
      const { Id } = await getJson<{ Id: number }>(databasePath(database, "operations/next-operation-id"));
      const day = new Date().toISOString().slice(0, 10);
      const url = urlOf(databasePath(database, "smuggler/export"), { operationId: Id, options });
      saveUrl(url, `${database}-${day}.ravendbdump`);
      onStarted(Id, "Export");
      announce("The browser writes the dump to the disk.");
    });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === undefined && !isBusy) {
          void start();
        }
      }}
    >
      <p className="hint">
        One moment of the database as a file, without secrets. The browser writes it to the disk as it comes, also when
        you leave this page.
      </p>
      <DumpFields choice={choice} onChange={setChoice} />
      <label className="field">
        <span>Packed by</span>
        <select value={isZstd ? "Zstd" : "Gzip"} onChange={(event) => setZstd(event.target.value === "Zstd")}>
          <option value="Gzip">gzip: every program reads it</option>
          <option value="Zstd">zstd: smaller and faster</option>
        </select>
      </label>
      {error !== undefined && <ErrorBox title="The export has not begun" error={error} onDismiss={dismiss} />}
      <div className="row">
        <Button kind="primary" type="submit" icon="download" isBusy={isBusy} refusal={refusal}>
          Export it
        </Button>
      </div>
    </form>
  );
}

function RowsForm({ database, format }: { database: string; format: RowFormat }) {
  const { collection = "" } = useSearchState();
  const setSearch = useSetSearch();
  const collections = useQuery({
    queryKey: ["collections", database],
    queryFn: ({ signal }) => getJson<CollectionCounts>(databasePath(database, "collections/stats"), { signal }),
  });
  const counts = Object.entries(collections.data?.Collections ?? {});
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        saveRows(database, collectionQuery(collection || undefined), format, `${database}-${collection || "all"}`);
        announce("The browser writes the rows to the disk.");
      }}
    >
      <p className="hint">
        {format === "csv"
          ? "A row for each document: its id and the members of the first one. To choose columns or rows, export from the page of a query."
          : "A line of JSON for each document, with its metadata, behind a line about the query."}{" "}
        The browser writes it to the disk as it comes.
      </p>
      {collections.error && <ErrorBox error={collections.error} onRetry={() => void collections.refetch()} />}
      <label className="field">
        <span>Documents</span>
        <select
          value={collection}
          onChange={(event) => setSearch({ collection: event.target.value === "" ? undefined : event.target.value })}
        >
          <option value="">of all collections</option>
          {counts.map(([name, count]) => (
            <option key={name} value={name}>
              {`${name} (${formatCount(count)})`}
            </option>
          ))}
        </select>
      </label>
      <div className="row">
        <Button kind="primary" type="submit" icon="download">
          Export them
        </Button>
      </div>
    </form>
  );
}
