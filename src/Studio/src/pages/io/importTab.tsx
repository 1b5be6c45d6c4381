import { useBlocker } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { databasePath, getJson, isAborted, send } from "../../api/http";
import { upload } from "../../api/upload";
import { announce } from "../../app/announcer";
import { Button } from "../../ui/button";
import { formatBytes } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { ErrorBox } from "../../ui/states";
import { DumpFields } from "./dumpFields";
import {
  collectionOfFile,
  csvRows,
  type DumpChoice,
  dumpOptions,
  guessDelimiter,
  isCsvName,
  WHOLE_DUMP,
} from "./ioModel";

/** How much of a file is read to show its first rows. */
const HEAD_BYTES = 64 * 1024;
const ROWS_SHOWN = 6;

interface CsvChoice {
  readonly collection: string;
  readonly delimiter: string;
  readonly quote: string;
  readonly trims: boolean;
}

/** Reads a dump or a CSV file of this machine into the database. */
export function ImportTab({
  database,
  onStarted,
}: {
  database: string;
  onStarted: (operation: number, title: string) => void;
}) {
  const [file, setFile] = useState<File>();
  const [isCsv, setCsv] = useState(false);
  const [choice, setChoice] = useState<DumpChoice>(WHOLE_DUMP);
  const [csv, setCsvChoice] = useState<CsvChoice>({ collection: "", delimiter: ",", quote: '"', trims: false });
  const [head, setHead] = useState("");
  const [sent, setSent] = useState<{ bytes: number; of: number }>();
  const [error, setError] = useState<unknown>();
  const [isOver, setOver] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useWarning(sent !== undefined);
  const choose = async (next: File | undefined) => {
    if (!next) {
      return;
    }
    setFile(next);
    setError(undefined);
    const isRows = isCsvName(next.name);
    setCsv(isRows);
    // A packed file shows no rows.
    const text = isRows && !/\.(gz|zst)$/i.test(next.name) ? await next.slice(0, HEAD_BYTES).text() : "";
    setHead(text);
    setCsvChoice((now) => ({
      ...now,
      collection: isRows ? collectionOfFile(next.name) : now.collection,
      delimiter: text === "" ? now.delimiter : guessDelimiter(text.split("\n", 1)[0] ?? ""),
    }));
  };
  const refusal = !file
    ? "Choose a file first."
    : !isCsv && choice.types.size === 0
      ? "Choose what is taken."
      : undefined;
  const start = async () => {
    if (!file || sent) {
      return;
    }
    setError(undefined);
    const controller = new AbortController();
    stop.current = controller;
    try {
      if (!isCsv) {
        await send("POST", databasePath(database, "smuggler/validate-options"), { body: dumpOptions(choice) });
      }
      const { Id } = await getJson<{ Id: number }>(databasePath(database, "operations/next-operation-id"));
      const form = new FormData();
      form.append(
        isCsv ? "csvImportOptions" : "importOptions",
        JSON.stringify(isCsv ? { Delimiter: csv.delimiter, Quote: csv.quote, Trim: csv.trims } : dumpOptions(choice)),
      );
      form.append("file", file, file.name);
      setSent({ bytes: 0, of: file.size });
      onStarted(Id, "Import");
      const collection = isCsv && csv.collection.trim() !== "" ? csv.collection.trim() : undefined;
      await upload(
        "POST",
        databasePath(database, isCsv ? "smuggler/import/csv" : "smuggler/import"),
        form,
        { query: { operationId: Id, collection }, signal: controller.signal },
        (bytes, of) => setSent({ bytes, of }),
      );
      announce(`${file.name} is imported.`);
    } catch (failure) {
      if (!isAborted(failure)) {
        setError(failure);
      }
    } finally {
      setSent(undefined);
    }
  };
  return (
    <section className="scroll" aria-label="Import" tabIndex={0}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === undefined) {
            void start();
          }
        }}
      >
        <p className="hint">A document that is there is replaced by the one of the file with its id.</p>
        <div
          className={isOver ? "drop is-over" : "drop"}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            void choose(event.dataTransfer.files[0]);
          }}
        >
          <label className="field">
            <span>A dump (.ravendbdump) or CSV, also packed by gzip or zstd; or drop it here</span>
            <input type="file" onChange={(event) => void choose(event.target.files?.[0])} />
          </label>
          {file && <span className="break">{`${file.name}, ${formatBytes(file.size)}`}</span>}
        </div>
        {file && (
          <Segments
            name="The file is"
            choices={[
              { key: "dump", title: "a dump" },
              { key: "csv", title: "CSV" },
            ]}
            chosen={isCsv ? "csv" : "dump"}
            onChoose={(key) => setCsv(key === "csv")}
          />
        )}
        {file && isCsv && (
          <CsvFields choice={csv} head={head} isWhole={file.size <= HEAD_BYTES} onChange={setCsvChoice} />
        )}
        {file && !isCsv && <DumpFields choice={choice} onChange={setChoice} />}
        {sent && (
          <div className="row" role="status">
            <span>
              {formatBytes(sent.bytes)} of {formatBytes(sent.of)} are sent
            </span>
            <progress max={Math.max(1, sent.of)} value={sent.bytes} aria-label="Sent" />
            <span className="hint">Leaving or reloading the page ends it.</span>
          </div>
        )}
        {error !== undefined && (
          <ErrorBox title="The import has failed" error={error} onDismiss={() => setError(undefined)} />
        )}
        <div className="row">
          {sent ? (
            <Button icon="stop" kind="danger" onClick={() => stop.current?.abort()}>
              Stop sending
            </Button>
          ) : (
            <Button kind="primary" type="submit" icon="upload" refusal={refusal}>
              Import it
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

/** Asks before a page is left whose upload would end with it. */
function useWarning(isSending: boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isSending &&
      current.pathname !== next.pathname &&
      !window.confirm("The import is under way, and ends when you leave this page. Leave it?"),
    enableBeforeUnload: () => isSending,
  });
}

function CsvFields({
  choice,
  head,
  isWhole,
  onChange,
}: {
  choice: CsvChoice;
  head: string;
  isWhole: boolean;
  onChange: (choice: CsvChoice) => void;
}) {
  const rows = csvRows(head, choice.delimiter, choice.quote, ROWS_SHOWN, isWhole);
  const [names = [], ...values] = rows;
  return (
    <>
      <div className="fields">
        <label className="field">
          <span>Collection (empty: as @metadata.@collection says)</span>
          <input
            value={choice.collection}
            spellCheck={false}
            onChange={(event) => onChange({ ...choice, collection: event.target.value })}
          />
        </label>
        <label className="field">
          <span>Between cells</span>
          <select value={choice.delimiter} onChange={(event) => onChange({ ...choice, delimiter: event.target.value })}>
            <option value=",">a comma</option>
            <option value=";">a semicolon</option>
            <option value={"\t"}>a tab</option>
            <option value=" ">a blank</option>
          </select>
        </label>
        <label className="field">
          <span>Around cells</span>
          <select value={choice.quote} onChange={(event) => onChange({ ...choice, quote: event.target.value })}>
            <option value={'"'}>"</option>
            <option value="'">'</option>
          </select>
        </label>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={choice.trims}
          onChange={(event) => onChange({ ...choice, trims: event.target.checked })}
        />
        <span>Blanks around cells without quotes are dropped</span>
      </label>
      {names.length > 0 && (
        <section className="scroll" aria-label="The first rows" tabIndex={0}>
          <table className="plain-table narrow">
            <thead>
              <tr>
                {names.slice(0, 50).map((name, at) => (
                  <th key={at}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {values.map((cells, row) => (
                <tr key={row}>
                  {cells.slice(0, 50).map((cell, at) => (
                    <td key={at} className="ellipsis">
                      {cell.slice(0, 80)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {names.length > 0 && !names.includes("@id") && (
        <p className="hint">
          No column is called @id: each row becomes a new document, also when it is imported again.
        </p>
      )}
    </>
  );
}
