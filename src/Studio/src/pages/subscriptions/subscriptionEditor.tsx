import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { databasePath, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { databasePlace, documentUrl, placeUrl, useGo } from "../../app/places";
import { CodeEditor } from "../../editor/codeEditor";
import { rqlLanguage } from "../../editor/rqlLanguage";
import { Button } from "../../ui/button";
import { plural } from "../../ui/format";
import { Empty, ErrorBox } from "../../ui/states";
import { useQuerySchema } from "../query/useQuerySchema";
import { readTried, type StartChoice, type Subscription, startVector, type TriedDocument } from "./subscriptionModel";

const FIRST = "from Orders as o\nwhere o.Freight > 100";
const NO_PARAMETERS: readonly string[] = [];
const TRIED_MAX = 16;

/** Makes a subscription or changes one, and shows before that what it would send. */
export function SubscriptionEditor({ database, existing }: { database: string; existing: Subscription | undefined }) {
  const client = useQueryClient();
  const go = useGo();
  const [name, setName] = useState(existing?.SubscriptionName ?? "");
  const [query, setQuery] = useState(existing?.Query ?? FIRST);
  const [initial] = useState(query);
  const [start, setStart] = useState<StartChoice>(existing ? "keep" : "BeginningOfTime");
  const [vector, setVector] = useState("");
  const [archived, setArchived] = useState(existing?.ArchivedDataProcessingBehavior ?? "ExcludeArchived");
  const [tried, setTried] = useState<readonly TriedDocument[]>();
  const [error, setError] = useState<{ title: string; error: unknown }>();
  const [busy, setBusy] = useState<"try" | "save">();
  const schema = useQuerySchema(database, query, NO_PARAMETERS);
  const language = useMemo(() => rqlLanguage(schema), [schema]);
  const position = startVector(start, vector);
  const isChanged =
    !existing ||
    query !== existing.Query ||
    name !== existing.SubscriptionName ||
    archived !== existing.ArchivedDataProcessingBehavior ||
    start !== "keep";
  const refusal =
    query.trim() === "" ? "Write a query first." : (position.wrong ?? (isChanged ? undefined : "Nothing is changed."));
  const body = {
    Query: query,
    ArchivedDataProcessingBehavior: archived,
    ...(position.vector === undefined ? {} : { ChangeVector: position.vector }),
  };
  const attempt = async () => {
    setBusy("try");
    setError(undefined);
    try {
      const answer = await send("POST", databasePath(database, "subscriptions/try"), {
        query: { pageSize: TRIED_MAX },
        body: start === "LastDocument" ? { ...body, ChangeVector: "BeginningOfTime" } : body,
      });
      const found = readTried(answer.text);
      setTried(found);
      announce(`It would send ${plural(found.length, "document")} first.`);
    } catch (failure) {
      setError({ title: "It cannot be tried out", error: failure });
    } finally {
      setBusy(undefined);
    }
  };
  const save = async () => {
    if (busy || refusal !== undefined) {
      return;
    }
    setBusy("save");
    setError(undefined);
    try {
      const given = name.trim() === "" ? {} : { Name: name.trim() };
      const answer = existing
        ? await send("POST", databasePath(database, "subscriptions/update"), {
            body: { ...body, ...given, Id: existing.SubscriptionId },
          })
        : await send("PUT", databasePath(database, "subscriptions"), { body: { ...body, ...given } });
      const stored = answer.text === "" ? name.trim() : (JSON.parse(answer.text) as { Name: string }).Name;
      announce(`${stored} is stored.`);
      await client.invalidateQueries({ queryKey: ["subscription", database] });
      go(placeUrl(databasePlace(database, "subscription"), { name: stored }));
    } catch (failure) {
      setError({ title: "It was not stored", error: failure });
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <div className="page">
      <div className="page-head">
        {!existing && <h1>New subscription</h1>}
        <span className="hint">
          The condition and the projection are JavaScript: texts are equal in the same case only.
        </span>
        <span className="grow" />
        <Button
          icon="eye"
          isBusy={busy === "try"}
          refusal={query.trim() === "" ? "Write a query first." : position.wrong}
          onClick={() => void attempt()}
        >
          Try it out
        </Button>
        <Button
          kind="primary"
          icon="save"
          keys="Ctrl S"
          isBusy={busy === "save"}
          refusal={refusal}
          onClick={() => void save()}
        >
          {existing ? "Save" : "Create"}
        </Button>
      </div>
      {error && <ErrorBox title={error.title} error={error.error} onDismiss={() => setError(undefined)} />}
      <div className="scroll" tabIndex={-1}>
        <div className="form wide subscription-editor">
          <CodeEditor
            name="Query of the subscription"
            initial={initial}
            language={language}
            onChange={setQuery}
            keys={{ "Mod-s": () => void save() }}
          />
          <div className="fields">
            <label className="field">
              <span>Name (empty: the server chooses one)</span>
              <input value={name} spellCheck={false} onChange={(event) => setName(event.target.value)} />
            </label>
            <label className="field">
              <span>Sends from</span>
              <select value={start} onChange={(event) => setStart(event.target.value as StartChoice)}>
                {existing && <option value="keep">where it is</option>}
                <option value="BeginningOfTime">the first document</option>
                <option value="LastDocument">what changes from now on</option>
                <option value="vector">a change vector</option>
              </select>
            </label>
            {start === "vector" && (
              <label className="field">
                <span>Change vector</span>
                <input
                  className="mono"
                  value={vector}
                  aria-invalid={position.wrong !== undefined}
                  spellCheck={false}
                  onChange={(event) => setVector(event.target.value)}
                />
              </label>
            )}
            <label className="field">
              <span>Archived documents</span>
              <select value={archived} onChange={(event) => setArchived(event.target.value)}>
                <option value="ExcludeArchived">are left out</option>
                <option value="IncludeArchived">are sent, too</option>
                <option value="ArchivedOnly">alone are sent</option>
              </select>
            </label>
          </div>
          {existing && start !== "keep" && (
            <p className="hint bad">Its position changes: documents are sent again, or passed over.</p>
          )}
          <Tried database={database} tried={tried} isFromNow={start === "LastDocument"} />
        </div>
      </div>
    </div>
  );
}

function Tried({
  database,
  tried,
  isFromNow,
}: {
  database: string;
  tried: readonly TriedDocument[] | undefined;
  isFromNow: boolean;
}) {
  if (!tried) {
    return (
      <p className="hint">“Try it out” shows the first documents that it would send, and what its script throws.</p>
    );
  }
  if (tried.length === 0) {
    return (
      <Empty icon="send" title="It would send nothing">
        No document is like that now.
      </Empty>
    );
  }
  return (
    <section className="stack" aria-label="What it would send">
      <h2>{`What it would send first: ${plural(tried.length, "document")}`}</h2>
      {isFromNow && <p className="hint">Those that are there now; from now on it sends what changes.</p>}
      {tried.map((one) => (
        <details key={one.id} open={tried.length <= 3}>
          <summary>
            <span className="mono">{one.id}</span>
            {one.error !== undefined && <span className="bad"> {one.error}</span>}
          </summary>
          <p>
            <Link href={documentUrl(database, one.id)}>Open it</Link>
          </p>
          <pre className="details">{one.text}</pre>
        </details>
      ))}
    </section>
  );
}
