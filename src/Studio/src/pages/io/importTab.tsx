import { useBlocker } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { databasePath, getJson, isAborted, send } from "../../api/http";
import { upload } from "../../api/upload";
import { announce } from "../../app/announcer";
import { Button } from "../../ui/button";
import { formatBytes, formatCount } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { ErrorBox } from "../../ui/states";
import { CollectionField } from "./collectionField";
import { DumpFields } from "./dumpFields";
import {
  brokenRow,
  collectionOfFile,
  csvRows,
  type DumpChoice,
  dumpOptions,
  guessDelimiter,
  isCsvName,
  WHOLE_DUMP,
} from "./ioModel";
import { isLinesName } from "./lineImport";
import { LinesForm } from "./linesForm";

/** How much of a file is read to show its first rows. */
const HEAD_BYTES = 64 * 1024;
const ROWS_SHOWN = 21;

interface CsvChoice {
  readonly collection: string;
  readonly delimiter: string;
  readonly quote: string;
  readonly trims: boolean;
  /** The line at which the first row begins that is taken. */
  readonly from: number;
}

type FileKind = "dump" | "csv" | "lines";

/** Reads a dump, a CSV file or JSON lines of this machine into the database. */
export function ImportTab({
  database,
  onStarted,
}: {
  database: string;
  onStarted: (operation: number, title: string) => void;
}) {
  const [file, setFile] = useState<File>();
  const [kind, setKind] = useState<FileKind>("dump");
  const [isSendingLines, setSendingLines] = useState(false);
  const [choice, setChoice] = useState<DumpChoice>(WHOLE_DUMP);
  const [csv, setCsvChoice] = useState<CsvChoice>({
    collection: "",
    delimiter: ",",
    quote: '"',
    trims: false,
    from: 1,
  });
  const [head, setHead] = useState("");
  const [sent, setSent] = useState<{ bytes: number; of: number }>();
  const [error, setError] = useState<unknown>();
  const [isOver, setOver] = useState(false);
  const stop = useRef<AbortController>(undefined);
  const isCsv = kind === "csv";
  useWarning(sent !== undefined || isSendingLines);
  const choose = async (next: File | undefined) => {
    if (!next) {
      return;
    }
    const isAgain = next.name === file?.name;
    setFile(next);
    setError(undefined);
    const isRows = isCsvName(next.name);
    setKind(isRows ? "csv" : isLinesName(next.name) ? "lines" : "dump");
    // A packed file shows no rows.
    const text = isRows && !/\.(gz|zst)$/i.test(next.name) ? await next.slice(0, HEAD_BYTES).text() : "";
    setHead(text);
    setCsvChoice((now) => ({
      ...now,
      from: isAgain ? now.from : 1,
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
    if (!file || sent || kind === "lines") {
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
        JSON.stringify(
          isCsv
            ? { Delimiter: csv.delimiter, Quote: csv.quote, Trim: csv.trims, FirstLine: csv.from }
            : dumpOptions(choice),
        ),
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
      setCsvChoice((now) => ({ ...now, from: 1 }));
    } catch (failure) {
      if (!isAborted(failure)) {
        setError(failure);
      }
      const row = isCsv ? brokenRow(failure) : undefined;
      if (row !== undefined) {
        // The rows before it are in: the mended file is gone on with there.
        setCsvChoice((now) => ({ ...now, from: row }));
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
            <span>A dump (.ravendbdump) or CSV, also packed by gzip or zstd, or JSON lines; or drop it here</span>
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
              { key: "lines", title: "JSON lines" },
            ]}
            chosen={kind}
            onChoose={(key) => setKind(key as FileKind)}
          />
        )}
        {file && isCsv && (
          <CsvFields choice={csv} head={head} isWhole={file.size <= HEAD_BYTES} onChange={setCsvChoice} />
        )}
        {file && kind === "dump" && <DumpFields choice={choice} onChange={setChoice} />}
        {file && kind === "lines" && (
          <LinesForm
            key={`${file.name} ${file.size} ${file.lastModified}`}
            database={database}
            file={file}
            isSending={isSendingLines}
            onSending={setSendingLines}
          />
        )}
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
        {(kind !== "lines" || !file) && (
          <div className="row">
            {sent ? (
              <Button icon="stop" kind="danger" onClick={() => stop.current?.abort()}>
                Stop sending
              </Button>
            ) : (
              <Button kind="primary" type="submit" icon="upload" refusal={refusal}>
                {isCsv && csv.from > 1 ? `Go on at line ${formatCount(csv.from)}` : "Import it"}
              </Button>
            )}
          </div>
        )}
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
        <CollectionField value={choice.collection} onChange={(collection) => onChange({ ...choice, collection })} />
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
        <label className="field">
          <span>From line (behind the header)</span>
          <input
            type="number"
            min={1}
            value={choice.from}
            onChange={(event) => onChange({ ...choice, from: Math.max(1, event.target.valueAsNumber || 1) })}
          />
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
