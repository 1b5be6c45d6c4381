import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { databasePath, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { useSearchState, useSetSearch } from "../../app/places";
import { Button } from "../../ui/button";
import { formatBytes, formatCount, plural } from "../../ui/format";
import { ErrorBox } from "../../ui/states";
import { CollectionField } from "./collectionField";
import { collectionOfFile } from "./ioModel";
import { documentOf, guessChoice, importLines, type Line, type LineChoice, LineError, readLines } from "./lineImport";

/** How many lines are shown before they are imported. */
const LINES_SHOWN = 20;
const LEFT_OUT_SHOWN = 20;

interface Figures {
  readonly documents: number;
  readonly bytes: number;
  readonly leftOut: readonly number[];
}

const NOTHING: Figures = { documents: 0, bytes: 0, leftOut: [] };

/**
 * Stores the documents of a file of JSON lines. Where it stopped is in the URL with the name of the file: who chooses
 * that file again, also after a reload, goes on there.
 */
export function LinesForm({
  database,
  file,
  isSending,
  onSending,
}: {
  database: string;
  file: File;
  isSending: boolean;
  onSending: (isSending: boolean) => void;
}) {
  const search = useSearchState();
  const setSearch = useSetSearch();
  const from = search.file === file.name ? Math.max(1, Number.parseInt(search.line ?? "", 10) || 1) : 1;
  const setFrom = (line: number) =>
    setSearch({ file: line > 1 ? file.name : undefined, line: line > 1 ? String(line) : undefined });
  const head = useQuery({
    queryKey: ["first-lines", file.name, file.size, file.lastModified],
    queryFn: () => firstLines(file),
    retry: false,
  });
  const [typed, setTyped] = useState<LineChoice>();
  const choice = typed ?? guessChoice(head.data?.[0], collectionOfFile(file.name));
  const [figures, setFigures] = useState(NOTHING);
  const [error, setError] = useState<unknown>();
  const [isDone, setDone] = useState(false);
  const isStopped = useRef(false);
  const start = async (first: number, leftOut: readonly number[]) => {
    isStopped.current = false;
    setError(undefined);
    setDone(false);
    setFigures((now) => ({ ...now, documents: first === 1 ? 0 : now.documents, leftOut }));
    onSending(true);
    let next = first;
    try {
      const isWhole = await importLines({
        file,
        choice,
        from: first,
        // As a blob, which the log of requests does not keep.
        send: (commands) =>
          send("POST", databasePath(database, "bulk_docs"), {
            body: new Blob([commands], { type: "application/json" }),
          }),
        isStopped: () => isStopped.current,
        onStored: (line, documents, bytes) => {
          next = line;
          setFigures((now) => ({ ...now, documents: now.documents + documents, bytes: Math.max(now.bytes, bytes) }));
        },
      });
      setDone(isWhole);
      setFrom(isWhole ? 1 : next);
      announce(isWhole ? `${file.name} is imported.` : `The import waits at line ${next}.`);
    } catch (failure) {
      setError(failure);
      setFrom(failure instanceof LineError ? failure.line : next);
    } finally {
      onSending(false);
    }
  };
  const wrong = error instanceof LineError && error.isOfLine ? error.line : undefined;
  const isBegun = figures.documents > 0 || figures.bytes > 0;
  return (
    <>
      <div className="fields">
        <CollectionField value={choice.collection} onChange={(collection) => setTyped({ ...choice, collection })} />
        <label className="field">
          <span>Id is the member (empty: @metadata.@id)</span>
          <input
            className="mono"
            value={choice.idMember}
            spellCheck={false}
            onChange={(event) => setTyped({ ...choice, idMember: event.target.value })}
          />
        </label>
        <label className="field">
          <span>From line</span>
          <input
            type="number"
            min={1}
            value={from}
            onChange={(event) => setFrom(Math.max(1, event.target.valueAsNumber || 1))}
          />
        </label>
      </div>
      {head.error && <ErrorBox title="The file cannot be read" error={head.error} />}
      {head.data && <FirstLines lines={head.data} choice={choice} />}
      {isBegun && (
        <div className="row" role="status">
          <span>{plural(figures.documents, "document")} stored</span>
          <progress max={Math.max(1, file.size)} value={isDone ? file.size : figures.bytes} aria-label="Read" />
          <span className="muted">
            {formatBytes(isDone ? file.size : figures.bytes)} of {formatBytes(file.size)}
          </span>
          {isDone && <strong className="good">completed</strong>}
          {!isDone && !isSending && <span>{`waits at line ${formatCount(from)}`}</span>}
        </div>
      )}
      {figures.leftOut.length > 0 && (
        <p className="hint">
          {`${plural(figures.leftOut.length, "line")} left out: ${figures.leftOut.slice(0, LEFT_OUT_SHOWN).join(", ")}`}
          {figures.leftOut.length > LEFT_OUT_SHOWN && "…"}
        </p>
      )}
      {error !== undefined && (
        <ErrorBox title="The import has stopped" error={error} onDismiss={() => setError(undefined)} />
      )}
      <div className="row">
        {isSending ? (
          <Button
            icon="pause"
            onClick={() => {
              isStopped.current = true;
            }}
          >
            Pause
          </Button>
        ) : (
          <Button
            kind="primary"
            icon="upload"
            refusal={head.data ? undefined : "The file is being read."}
            onClick={() => void start(from, from === 1 ? [] : figures.leftOut)}
          >
            {from === 1 ? "Import it" : `Go on at line ${formatCount(from)}`}
          </Button>
        )}
        {wrong !== undefined && !isSending && (
          <Button onClick={() => void start(wrong + 1, [...figures.leftOut, wrong])}>
            {`Leave line ${formatCount(wrong)} out and go on`}
          </Button>
        )}
      </div>
    </>
  );
}

/** The first lines of a file that are not empty. */
async function firstLines(file: File): Promise<readonly Line[]> {
  const found: Line[] = [];
  for await (const portion of readLines(file, () => undefined)) {
    found.push(...portion);
    if (found.length >= LINES_SHOWN) {
      break;
    }
  }
  return found.slice(0, LINES_SHOWN);
}

function FirstLines({ lines, choice }: { lines: readonly Line[]; choice: LineChoice }) {
  if (lines.length === 0) {
    return <p className="muted">The file has no lines.</p>;
  }
  const rows = lines.map((line) => ({ line, ...outcomeOf(line, choice) }));
  return (
    <>
      <section className="scroll" aria-label="The first lines" tabIndex={0}>
        <table className="plain-table narrow">
          <thead>
            <tr>
              <th className="number">Line</th>
              <th>Id</th>
              <th>Collection</th>
              <th>Document</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, id, collection, problem }) => (
              <tr key={line.number}>
                <td className="number">{line.number}</td>
                <td className="mono nowrap">{id}</td>
                <td className="nowrap">{collection}</td>
                <td className={problem ? "bad break" : "mono ellipsis"}>{problem ?? line.text.slice(0, 200)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.some(({ id }) => id.endsWith("/")) && (
        <p className="hint">Some lines say no id: each becomes a new document, also when it is imported again.</p>
      )}
    </>
  );
}

function outcomeOf(line: Line, choice: LineChoice): { id: string; collection: string; problem: string | undefined } {
  try {
    const found = documentOf(line, choice);
    return found
      ? { id: found.id, collection: found.collection || "@empty", problem: undefined }
      : { id: "", collection: "", problem: undefined };
  } catch (error) {
    return { id: "", collection: "", problem: error instanceof Error ? error.message : String(error) };
  }
}
