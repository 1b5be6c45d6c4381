import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { databasePath, send } from "../../api/http";
import { Link } from "../../app/link";
import { documentUrl, useGo, useSearchState, useSetSearch } from "../../app/places";
import { Grid, type GridColumn } from "../../grid/grid";
import { type JsonNode, member, textMember } from "../../json/jsonTree";
import { runJob } from "../../json/jsonWork";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { CopyButton } from "../../ui/copy";
import { formatCount, formatDuration } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { Value } from "../../ui/value";
import { TIME_WIDTH } from "../documents/columns";
import { Flame } from "./flame";
import { PAGE_SIZE, type QueryResult, queryBody, resultColumns } from "./queryModel";

interface ResultProps {
  database: string;
  result: QueryResult | undefined;
  isRunning: boolean;
  tookMs: number;
  start: number;
  query: string;
  parameters: Readonly<Record<string, string>>;
  onPage: (start: number) => void;
  onTimings: () => void;
}

/** What a query came to, seen in several ways. */
export function QueryResults(props: ResultProps) {
  const { view = "results" } = useSearchState();
  const setSearch = useSetSearch();
  const { result, isRunning } = props;
  if (!result) {
    return isRunning ? (
      <Loading what="the results" rows={8} />
    ) : (
      <Empty icon="terminal" title="Ask the database">
        Begin with “from” and the name of a collection; Ctrl Space completes, Ctrl Enter runs.
      </Empty>
    );
  }
  return (
    <div className={isRunning ? "results dimmed" : "results"}>
      <ResultLine {...props} result={result} />
      <Tabs
        name="Views of the results"
        value={view}
        onChange={(key) => setSearch({ view: key === "results" ? undefined : key })}
        entries={[
          { key: "results", title: "Results", content: () => <ResultGrid {...props} result={result} /> },
          { key: "explain", title: "Explain", content: () => <Explain {...props} /> },
          { key: "timings", title: "Timings", content: () => <Timings {...props} result={result} /> },
          { key: "raw", title: "Raw", content: () => <Raw text={result.raw} /> },
        ]}
      />
    </div>
  );
}

function ResultLine({ result, tookMs, start, onPage }: ResultProps & { result: QueryResult }) {
  const end = start + result.rows.length;
  return (
    <div className="row result-line" role="status">
      <strong>{formatCount(result.total)}</strong> {result.total === 1 ? "result" : "results"}
      <span className="muted">{`in ${formatDuration(tookMs)}`}</span>
      {result.indexName && <span className="muted mono">{result.indexName}</span>}
      {result.isStale && <Chip tone="stale">stale: the index was behind</Chip>}
      <span className="grow" />
      {result.total > PAGE_SIZE && (
        <>
          <Button
            refusal={start === 0 ? "These are the first." : undefined}
            onClick={() => onPage(Math.max(0, start - PAGE_SIZE))}
          >
            Before
          </Button>
          <span className="muted">{`${formatCount(start + 1)} to ${formatCount(end)}`}</span>
          <Button refusal={end >= result.total ? "These are the last." : undefined} onClick={() => onPage(end)}>
            Next
          </Button>
        </>
      )}
    </div>
  );
}

/** Whether a value is a time as a text, which takes more room. */
function isTime(node: JsonNode | undefined): boolean {
  return node?.kind === "text" && /^"\d{4}-\d\d-\d\dT/.test(node.raw);
}

function ResultGrid({ database, result }: ResultProps & { result: QueryResult }) {
  const go = useGo();
  const columns = useMemo((): GridColumn[] => {
    const hasIds = result.rows.some((row) => textMember(member(row, "@metadata"), "@id") !== undefined);
    const names = resultColumns(result.rows);
    return [
      ...(hasIds ? [{ key: "@id", title: "Id", width: 200 }] : []),
      ...names.map((name) => {
        const isOfTimes = isTime(member(result.rows[0], name));
        const isNumber = result.rows.every((row) => member(row, name)?.kind === "number");
        return {
          key: `.${name}`,
          title: name,
          width: isOfTimes ? TIME_WIDTH : 160,
          isNumber,
          mayGrow: !isOfTimes && !isNumber,
        };
      }),
    ];
  }, [result]);
  const idOf = (place: number) => textMember(member(result.rows[place], "@metadata"), "@id");
  const cell = useCallback(
    (place: number, column: GridColumn) => {
      const row = result.rows[place];
      if (column.key === "@id") {
        const id = textMember(member(row, "@metadata"), "@id");
        return id ? (
          <Link href={documentUrl(database, id)} tabIndex={-1}>
            {id}
          </Link>
        ) : (
          ""
        );
      }
      return <Value database={database} node={member(row, column.key.slice(1))} />;
    },
    [result, database],
  );
  if (result.rows.length === 0) {
    return (
      <Empty icon="search" title="Nothing is found">
        The query is right; no document meets it.
      </Empty>
    );
  }
  return (
    <Grid
      name="Results. Enter opens the document."
      rows={result.rows.length}
      columns={columns}
      cell={cell}
      onWindow={ignore}
      onOpen={(place) => {
        const id = idOf(place);
        if (id) {
          go(documentUrl(database, id));
        }
      }}
    />
  );
}

function ignore(): void {
  // All rows are there.
}

function Explain({ database, query, parameters }: ResultProps) {
  const explain = useQuery({
    queryKey: ["explain", database, query, parameters],
    queryFn: async ({ signal }) => {
      const answer = await send("POST", databasePath(database, "queries"), {
        query: { debug: "explain" },
        body: queryBody(query, parameters, 0),
        signal,
      });
      return JSON.parse(answer.text) as { IndexName?: string; Results?: readonly { Index: string; Reason: string }[] };
    },
    retry: false,
  });
  if (explain.error) {
    return <ErrorBox error={explain.error} onRetry={() => void explain.refetch()} />;
  }
  if (!explain.data) {
    return <Loading what="how it is answered" />;
  }
  const others = explain.data.Results ?? [];
  return (
    <section className="scroll padded" aria-label="How it is answered" tabIndex={0}>
      <p>
        Answered by <strong className="mono">{explain.data.IndexName || "the documents themselves"}</strong>.
      </p>
      {others.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>Index</th>
              <th>Why not, or why</th>
            </tr>
          </thead>
          <tbody>
            {others.map((one) => (
              <tr key={one.Index}>
                <td className="mono">{one.Index}</td>
                <td>{one.Reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Timings({ result, onTimings }: ResultProps & { result: QueryResult }) {
  return result.timings ? (
    <Flame root={result.timings} />
  ) : (
    <Empty
      icon="clock"
      title="This run was not timed"
      action={
        <Button kind="primary" icon="play" onClick={onTimings}>
          Run it with timings
        </Button>
      }
    >
      The query gets “include timings()”.
    </Empty>
  );
}

function Raw({ text }: { text: string }) {
  const [laid, setLaid] = useState<string>();
  useEffect(() => {
    let isNow = true;
    runJob("format", text, true)
      // An answer that is no JSON is shown as it came.
      .catch(() => text)
      .then((made) => isNow && setLaid(made));
    return () => {
      isNow = false;
    };
  }, [text]);
  if (laid === undefined) {
    return <Loading what="the answer" />;
  }
  return (
    <section className="scroll padded raw" aria-label="The answer as it came" tabIndex={0}>
      <CopyButton text={laid} />
      <pre>{laid.length > 500_000 ? `${laid.slice(0, 500_000)}\n… cut here; Copy has all of it` : laid}</pre>
    </section>
  );
}
