import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { asCurl, queryAsCSharp, queryAsNode } from "../../api/copyAs";
import { databasePath, send } from "../../api/http";
import type { QueryCheck } from "../../api/types";
import { announce } from "../../app/announcer";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places";
import { CodeEditor, type EditorHandle } from "../../editor/codeEditor";
import { rqlLanguage } from "../../editor/rqlLanguage";
import { Button } from "../../ui/button";
import { copyText } from "../../ui/copy";
import { ExportMenu } from "../../ui/exportMenu";
import { Menu } from "../../ui/menu";
import { ErrorBox } from "../../ui/states";
import { keepQuery } from "./history";
import { HistoryDialog } from "./historyDialog";
import { IndexChip } from "./indexChip";
import { parameterJson, parameterNames, queryBody, withTimings } from "./queryModel";
import { QueryResults } from "./queryResults";
import { type RunOptions, useQueryRun } from "./useQueryRun";
import { useQuerySchema } from "./useQuerySchema";

/** Asks a database. All of the question is in the URL; a query that reads runs from a link. */
export function QueryPage() {
  const database = useDatabase();
  const search = useSearchState();
  const setSearch = useSetSearch();
  const editor = useRef<EditorHandle>(null);
  const [initial] = useState(search.q ?? "");
  const [text, setText] = useState(initial);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const names = useMemo(() => parameterNames(text), [text]);
  const parameters = useMemo(() => {
    const typed: Record<string, string> = {};
    for (const name of names) {
      typed[name] = search[`p.${name}`] ?? "";
    }
    return typed;
  }, [names, search]);
  const { run, result, error, isRunning, tookMs, cancel, dismiss } = useQueryRun(database);
  const check = useCheck(database, text, parameters, result);
  const schema = useQuerySchema(database, text, names);
  const language = useMemo(() => rqlLanguage(schema), [schema]);
  const start = Number(search.start) || 0;

  const runNow = useCallback(
    (options: RunOptions = {}, query = editor.current?.text() ?? text, from = 0) => {
      if (query.trim() === "") {
        return;
      }
      setSearch({ q: query, start: from === 0 ? undefined : String(from) });
      keepQuery(database, query);
      announce("The query runs.");
      void run(query, parameters, from, options);
    },
    [database, parameters, run, setSearch, text],
  );
  // An empty page is there to be typed into.
  useEffect(() => {
    if (initial === "") {
      editor.current?.focus();
    }
  }, [initial]);
  const first = useRef(runNow);
  useEffect(() => {
    // An update never runs from a link: it is read first.
    if (initial !== "" && !/\bupdate\b/i.test(initial)) {
      first.current({}, initial, start);
    }
  }, []);

  const marks = useMemo(() => {
    const wrong = check?.Error;
    return wrong
      ? [
          {
            from: wrong.Position,
            to: wrong.Position + 1,
            severity: "error" as const,
            message: wrong.Message,
          },
        ]
      : [];
  }, [check]);
  const asJson = Object.fromEntries(Object.entries(parameters).map(([name, typed]) => [name, parameterJson(typed)]));
  const url = new URL(databasePath(database, "queries"), window.location.origin).href;
  return (
    <div
      className="page query-page"
      onKeyDown={(event) => {
        if (event.key === "Escape" && isRunning) {
          cancel();
          announce("The query is cancelled.");
        }
      }}
    >
      <h1 className="offscreen">Query of {database}</h1>
      <div className="query-editor">
        <CodeEditor
          handle={editor}
          name="Query in RQL"
          initial={initial}
          language={language}
          onChange={setText}
          marks={marks}
          keys={{ "Mod-Enter": () => runNow() }}
          hint="from Orders where Freight > $min order by Freight desc"
        />
      </div>
      {names.length > 0 && (
        <div className="row parameters">
          {names.map((name) => (
            <label key={name} className="field inline">
              <span className="mono">${name}</span>
              <input
                className="mono"
                value={search[`p.${name}`] ?? ""}
                placeholder="JSON or text"
                spellCheck={false}
                onChange={(event) => setSearch({ [`p.${name}`]: event.target.value })}
                onKeyDown={(event) => event.key === "Enter" && runNow()}
              />
            </label>
          ))}
        </div>
      )}
      <div className="page-head">
        {isRunning ? (
          <Button kind="primary" icon="stop" keys="Esc" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <Button
            kind="primary"
            icon="play"
            keys="Ctrl Enter"
            refusal={text.trim() === "" ? "Write a query first." : undefined}
            onClick={() => runNow()}
          >
            Run
          </Button>
        )}
        <IndexChip
          check={check}
          onRunStale={() => runNow({ isStaleAllowed: true })}
          onRunWithoutIndex={() => runNow({ isIndexRefused: true })}
        />
        <span className="grow" />
        <Button kind="quiet" icon="history" onClick={() => setHistoryOpen(true)}>
          History
        </Button>
        <ExportMenu database={database} query={text} parameters={asJson} name={`${database}-query`} />
        <Menu
          name="Copy as"
          icon="copy"
          text="Copy as"
          entries={[
            {
              text: "curl",
              onSelect: () => void copyText(asCurl({ method: "POST", url, body: queryBody(text, parameters, 0) })),
            },
            { text: "C#", onSelect: () => void copyText(queryAsCSharp(text, asJson)) },
            { text: "Node", onSelect: () => void copyText(queryAsNode(text, asJson)) },
            { text: "Link to this page", onSelect: () => void copyText(window.location.href) },
          ]}
        />
      </div>
      {error !== undefined && <ErrorBox title="The query was refused" error={error} onDismiss={dismiss} />}
      <QueryResults
        database={database}
        result={result}
        isRunning={isRunning}
        tookMs={tookMs}
        start={start}
        query={text}
        parameters={parameters}
        onPage={(from) => runNow({}, search.q ?? text, from)}
        onTimings={() => {
          const next = withTimings(editor.current?.text() ?? text);
          editor.current?.replace(next);
          runNow({}, next);
        }}
      />
      {isHistoryOpen && (
        <HistoryDialog
          database={database}
          onClose={() => setHistoryOpen(false)}
          onChoose={(query) => {
            editor.current?.replace(query);
            setHistoryOpen(false);
          }}
        />
      )}
    </div>
  );
}

/** What the server says of a query before it runs. A server without the route says nothing. */
function useCheck(
  database: string,
  text: string,
  parameters: Readonly<Record<string, string>>,
  /** The last answer: an index that it has made is there now. */
  answered: unknown,
): QueryCheck | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 300);
    return () => clearTimeout(timer);
  }, [text]);
  const check = useQuery({
    queryKey: ["check", database, settled, parameters],
    queryFn: async ({ signal }) => {
      const answer = await send("POST", databasePath(database, "studio/queries/check"), {
        body: queryBody(settled, parameters, 0),
        signal,
      });
      return JSON.parse(answer.text) as QueryCheck;
    },
    enabled: settled.trim() !== "",
    retry: false,
    refetchInterval: (query) => (query.state.data?.Index?.IsStale ? 2_000 : false),
  });
  const { refetch } = check;
  useEffect(() => {
    if (answered !== undefined) {
      void refetch();
    }
  }, [answered, refetch]);
  return settled.trim() === "" ? undefined : check.data;
}
