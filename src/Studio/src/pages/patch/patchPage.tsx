import { Suspense, useMemo, useRef, useState } from "react";
import { databasePath, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { lazyPart } from "../../app/lazyPart";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places";
import { CodeEditor, type EditorHandle } from "../../editor/codeEditor";
import { rqlLanguage } from "../../editor/rqlLanguage";
import { member, textMember } from "../../json/jsonTree";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { plural } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import { OperationBar } from "../operations/operationBar";
import { queryBody, readResult } from "../query/queryModel";
import { useQuerySchema } from "../query/useQuerySchema";
import { type PatchTrial, readTrial, trialScript, updateParts } from "./patchModel";

const DiffView = lazyPart(() => import("../../editor/diffView").then((module) => module.DiffView));

const FIRST = "from Orders as o\nwhere o.Freight > 100\nupdate {\n  o.IsLarge = true;\n}";

/** Changes many documents by a script: tried on one first, counted, and run only when the count was typed. */
export function PatchPage() {
  const database = useDatabase();
  const { q = FIRST, operation } = useSearchState();
  const setSearch = useSetSearch();
  const editor = useRef<EditorHandle>(null);
  const [initial] = useState(q);
  const [text, setText] = useState(q);
  const [trial, setTrial] = useState<PatchTrial>();
  const [count, setCount] = useState<number>();
  const { isBusy, error, run, dismiss } = useTask();
  const schema = useQuerySchema(database, text, NO_PARAMETERS);
  const language = useMemo(() => rqlLanguage(schema), [schema]);
  const parts = useMemo(() => updateParts(text), [text]);
  const refusal = parts ? undefined : "Write a query with update { … } first.";

  const tryOne = () =>
    run(async () => {
      if (!parts) {
        return;
      }
      setTrial(undefined);
      const found = readResult(
        (await send("POST", databasePath(database, "queries"), { body: queryBody(parts.find, {}, 0) })).text,
      );
      const id = textMember(member(found.rows[0], "@metadata"), "@id");
      if (id === undefined) {
        throw new Error("The query finds no document to try it on.");
      }
      const body = { Patch: { Script: trialScript(parts), Values: {} } };
      const answer = await send("PATCH", databasePath(database, "docs"), { query: { id, test: true }, body });
      setTrial(readTrial(answer.text));
      announce(`It was tried on ${id}; nothing was written.`);
    });
  const ask = () =>
    run(async () => {
      if (parts) {
        const body = queryBody(parts.find, {}, 0);
        setCount(readResult((await send("POST", databasePath(database, "queries"), { body })).text).total);
      }
    });
  return (
    <div className="page">
      <div className="page-head">
        <h1>Patch</h1>
        <span className="hint">Nothing is written before the count of documents was typed.</span>
        <span className="grow" />
        <Button icon="eye" isBusy={isBusy} refusal={refusal} onClick={() => void tryOne()}>
          Try on one
        </Button>
        <Button kind="primary" icon="play" isBusy={isBusy} refusal={refusal} onClick={() => void ask()}>
          Run…
        </Button>
      </div>
      <div className="query-editor">
        <CodeEditor
          handle={editor}
          name="Query with an update"
          initial={initial}
          language={language}
          onChange={(next) => {
            setText(next);
            setSearch({ q: next });
          }}
        />
      </div>
      {error !== undefined && <ErrorBox error={error} onDismiss={dismiss} />}
      {operation && (
        <OperationBar
          key={operation}
          database={database}
          id={operation}
          title="Patch"
          onClose={() => setSearch({ operation: undefined })}
        />
      )}
      {trial ? (
        <Trial trial={trial} />
      ) : (
        <Empty icon="wand" title="Change many documents by one script">
          “Try on one” shows what it would do to the first document that the query finds.
        </Empty>
      )}
      <Confirm
        title="Run the patch"
        isOpen={count !== undefined}
        first={`${plural(count ?? 0, "document")} are changed. There is no way back, but their revisions if they have some.`}
        action={`Change ${plural(count ?? 0, "document")}`}
        typed={String(count ?? 0)}
        onClose={() => setCount(undefined)}
        onConfirm={async () => {
          const answer = await send("PATCH", databasePath(database, "queries"), { body: { Query: { Query: text } } });
          setSearch({ operation: String((JSON.parse(answer.text) as { OperationId: number }).OperationId) });
        }}
      />
    </div>
  );
}

const NO_PARAMETERS: readonly string[] = [];

function Trial({ trial }: { trial: PatchTrial }) {
  return (
    <div className="page">
      <div className="row padded">
        <strong>{trial.status}</strong>
        <span className="muted">Nothing was written.</span>
      </div>
      {trial.output.length > 0 && (
        <section className="padded" aria-label="Output of the script">
          <h2>Output</h2>
          <pre>{trial.output.join("\n")}</pre>
        </section>
      )}
      <Suspense fallback={<Loading what="the difference" />}>
        <DiffView name="What it would change" before={trial.before} after={trial.after} />
      </Suspense>
    </div>
  );
}
