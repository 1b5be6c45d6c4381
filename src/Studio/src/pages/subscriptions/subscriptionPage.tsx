import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { databasePath, getJson, ServerError, send } from "../../api/http";
import { pollMs } from "../../api/polling";
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
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatCount, formatTime, plural } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { SubscriptionMenu } from "./subscriptionActions";
import { SubscriptionEditor } from "./subscriptionEditor";
import { lagText, type Subscription, subscriptionState } from "./subscriptionModel";

/** One subscription, or a new one. */
export function SubscriptionPage() {
  const database = useDatabase();
  const { name = "", new: isNew } = useSearchState();
  return isNew ? (
    <SubscriptionEditor database={database} existing={undefined} />
  ) : (
    <ExistingSubscription key={name} database={database} name={name} />
  );
}

function ExistingSubscription({ database, name }: { database: string; name: string }) {
  const { tab = "state" } = useSearchState();
  const setSearch = useSetSearch();
  const go = useGo();
  const state = useQuery({
    queryKey: ["subscription", database, name],
    queryFn: ({ signal }) =>
      getJson<Subscription>(databasePath(database, "subscriptions/state"), { query: { name }, signal }),
    refetchInterval: (query) => pollMs(query.state.error, 2_000),
    retry: false,
  });
  const list = placeUrl(databasePlace(database, "subscriptions"));
  const one = state.data;
  const isGone = state.error instanceof ServerError && state.error.type.includes("SubscriptionDoesNotExist");
  if (isGone) {
    return (
      <Empty
        icon="send"
        title={`There is no subscription ${name}`}
        action={<Link href={list}>All subscriptions</Link>}
      />
    );
  }
  if (!one) {
    return state.error ? (
      <ErrorBox error={state.error} onRetry={() => void state.refetch()} />
    ) : (
      <Loading what={name} />
    );
  }
  const { tone, word } = subscriptionState(one);
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="mono ellipsis" title={name}>
          {name}
        </h1>
        <Chip tone={tone}>{word}</Chip>
        <span className="grow" />
        <SubscriptionMenu
          database={database}
          one={one}
          onDone={() => void state.refetch()}
          onDeleted={() => go(list)}
        />
      </div>
      {state.error && <ErrorBox error={state.error} onRetry={() => void state.refetch()} />}
      <Tabs
        name={`Parts of ${name}`}
        value={tab}
        onChange={(key) => setSearch({ tab: key === "state" ? undefined : key })}
        entries={[
          { key: "state", title: "State", content: () => <State database={database} one={one} /> },
          {
            key: "aside",
            title: `Set aside ${formatCount(one.AsideDocuments)}`,
            content: () => <Aside database={database} name={name} onDone={() => void state.refetch()} />,
          },
          {
            key: "query",
            title: "Query",
            // What is typed is not taken away by the next reading of the state.
            content: () => <SubscriptionEditor key={one.SubscriptionId} database={database} existing={one} />,
          },
        ]}
      />
    </div>
  );
}

function State({ database, one }: { database: string; one: Subscription }) {
  return (
    <section className="scroll" aria-label="State" tabIndex={0}>
      <dl className="facts">
        <dt>Query</dt>
        <dd>
          <pre>{one.Query}</pre>
        </dd>
        <dt>Changes behind</dt>
        <dd>{lagText(one)}</dd>
        <dt>Sent</dt>
        <dd>{`${plural(one.DocumentsSent, "document")}, ${plural(one.BatchesAcknowledged, "batch", "batches")} acknowledged since the database was opened`}</dd>
        <dt>Last acknowledged</dt>
        <dd>{one.LastBatchAckTime ? formatTime(one.LastBatchAckTime) : "never"}</dd>
        <dt>Last connection</dt>
        <dd>{one.LastClientConnectionTime ? formatTime(one.LastClientConnectionTime) : "never"}</dd>
        <dt>Sends from</dt>
        <dd>
          <code>{one.ChangeVectorForNextBatchStartingPoint ?? "the first document"}</code>
        </dd>
        <dt>Archived documents</dt>
        <dd>{one.ArchivedDataProcessingBehavior}</dd>
        <dt>Failures</dt>
        <dd>{formatCount(one.Failures)}</dd>
        {one.LastError && (
          <>
            <dt>Last failure</dt>
            <dd className="bad">
              <pre>{one.LastError}</pre>
            </dd>
          </>
        )}
      </dl>
      <h2 className="padded">Workers</h2>
      {one.Workers.length === 0 ? (
        <p className="muted padded">
          None is connected.{" "}
          {one.Disabled
            ? "The subscription is disabled."
            : `A client opens one by the name ${one.SubscriptionName}; what it has to get waits.`}
        </p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>Worker</th>
              <th>Strategy</th>
              <th>From</th>
              <th>Since</th>
              <th>
                <span className="offscreen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {one.Workers.map((worker, at) => (
              <Worker key={`${worker.WorkerId} ${at}`} database={database} one={one} worker={worker} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Worker({
  database,
  one,
  worker,
}: {
  database: string;
  one: Subscription;
  worker: Subscription["Workers"][number];
}) {
  const [error, setError] = useState<unknown>();
  const drop = () => {
    send("POST", databasePath(database, "subscriptions/drop"), {
      query: { name: one.SubscriptionName, workerId: worker.WorkerId ?? undefined },
    })
      .then(() => announce("The worker is disconnected."))
      .catch(setError);
  };
  return (
    <tr>
      <td className="mono break">{worker.WorkerId ?? "a lease over HTTP"}</td>
      <td>{worker.Strategy}</td>
      <td>{worker.Address ?? ""}</td>
      <td className="nowrap">{formatTime(worker.ConnectedAt)}</td>
      <td className="actions">
        {worker.WorkerId !== null && (
          <Button kind="danger" icon="stop" onClick={drop}>
            Disconnect
          </Button>
        )}
        {error !== undefined && <ErrorBox error={error} onDismiss={() => setError(undefined)} />}
      </td>
    </tr>
  );
}

/** Documents that failed too often: the server sends them again when it is asked to. */
function Aside({ database, name, onDone }: { database: string; name: string; onDone: () => void }) {
  const [error, setError] = useState<unknown>();
  const aside = useQuery({
    queryKey: ["subscription-aside", database, name],
    queryFn: ({ signal }) =>
      getJson<{ Results: readonly { Id: string; Tries: number }[] }>(databasePath(database, "subscriptions/aside"), {
        query: { name },
        signal,
      }),
    refetchInterval: (query) => pollMs(query.state.error, 5_000),
  });
  if (!aside.data) {
    return aside.error ? (
      <ErrorBox error={aside.error} onRetry={() => void aside.refetch()} />
    ) : (
      <Loading what="what was set aside" />
    );
  }
  const all = aside.data.Results;
  const resend = (id?: string) => {
    setError(undefined);
    send("POST", databasePath(database, "subscriptions/resend"), { query: { name, id } })
      .then((answer) => {
        const { Count } = JSON.parse(answer.text) as { Count: number };
        announce(`${plural(Count, "document")} sent again.`);
      })
      .catch(setError)
      .finally(() => {
        void aside.refetch();
        onDone();
      });
  };
  const failed = error !== undefined && (
    <ErrorBox title="Not sent again" error={error} onDismiss={() => setError(undefined)} />
  );
  return (
    <section className="scroll" aria-label="Set aside" tabIndex={0}>
      {failed}
      <div className="row padded">
        <Button
          icon="refresh"
          refusal={all.length === 0 ? "Nothing was set aside." : undefined}
          onClick={() => resend(undefined)}
        >
          Send all again
        </Button>
        <SendOne onSend={resend} />
      </div>
      {all.length === 0 ? (
        <Empty icon="check" title="Nothing is set aside">
          A document that was sent ten times without being acknowledged stands here.
        </Empty>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>Document</th>
              <th className="number">Tries</th>
              <th>
                <span className="offscreen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, 1_000).map((one) => (
              <tr key={one.Id}>
                <th scope="row" className="break">
                  <Link href={documentUrl(database, one.Id)}>{one.Id}</Link>
                </th>
                <td className="number">{formatCount(one.Tries)}</td>
                <td className="actions">
                  <Button icon="refresh" aria-label={`Send ${one.Id} again`} onClick={() => resend(one.Id)}>
                    Send again
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Any document can be sent again by its id. */
function SendOne({ onSend }: { onSend: (id: string) => void }) {
  const [id, setId] = useState("");
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== "") {
          onSend(id.trim());
        }
      }}
    >
      <input
        aria-label="Id of a document to be sent again"
        placeholder="orders/1-A"
        value={id}
        spellCheck={false}
        onChange={(event) => setId(event.target.value)}
      />
      <Button type="submit" refusal={id.trim() === "" ? "Write an id first." : undefined}>
        Send this one again
      </Button>
    </form>
  );
}
