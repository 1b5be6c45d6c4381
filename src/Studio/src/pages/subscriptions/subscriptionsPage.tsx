import { useQuery } from "@tanstack/react-query";
import { databasePath, getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { FilterInput } from "../../ui/filterInput";
import { formatCount, formatTime } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { SubscriptionMenu } from "./subscriptionActions";
import { isOfSubscriptionFilter, lagText, type Subscription, subscriptionState } from "./subscriptionModel";

/** The most rows that are drawn; a filter finds the others. */
const SHOWN_MAX = 500;

/** All subscriptions of a database: who works on them, and how far behind they are. */
export function SubscriptionsPage() {
  const database = useDatabase();
  const { show = "all", filter = "" } = useSearchState();
  const setSearch = useSetSearch();
  const go = useGo();
  const list = useQuery({
    queryKey: ["subscriptions", database],
    queryFn: ({ signal }) =>
      getJson<{ Results: readonly Subscription[] }>(databasePath(database, "subscriptions"), {
        query: { pageSize: 1_024 },
        signal,
      }),
    refetchInterval: (query) => pollMs(query.state.error, 2_000),
  });
  if (list.isPending) {
    return <Loading what="the subscriptions" />;
  }
  if (!list.data) {
    return (
      <ErrorBox title="The subscriptions cannot be listed" error={list.error} onRetry={() => void list.refetch()} />
    );
  }
  const all = list.data.Results;
  const again = () => void list.refetch();
  const place = (search: Record<string, string>) => placeUrl(databasePlace(database, "subscription"), search);
  const create = (
    <Button kind="primary" icon="plus" onClick={() => go(place({ new: "1" }))}>
      New
    </Button>
  );
  if (all.length === 0) {
    return (
      <Empty icon="send" title="There are no subscriptions" action={create}>
        A subscription sends the documents of a query, and every later change of them, to workers: each at least once.
      </Empty>
    );
  }
  const shown = all.filter((one) => isOfSubscriptionFilter(one, show, filter));
  return (
    <div className="page">
      <div className="page-head">
        <h1>Subscriptions</h1>
        <Segments
          name="Which"
          choices={[
            ["all", "all"],
            ["waiting", "without a worker"],
            ["aside", "set aside"],
          ].map(([key = "", title]) => ({
            key,
            title: `${title} ${formatCount(all.filter((one) => isOfSubscriptionFilter(one, key, "")).length)}`,
          }))}
          chosen={show}
          onChoose={(key) => setSearch({ show: key === "all" ? undefined : key })}
        />
        <span className="grow" />
        <FilterInput initial={filter} onChange={(text) => setSearch({ filter: text })} />
        {create}
      </div>
      {list.error && <ErrorBox error={list.error} onRetry={again} />}
      <section className="scroll" aria-label="Subscriptions" tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>Name</th>
              <th>State</th>
              <th className="number" title="How many changes the subscription has not looked at yet">
                Changes behind
              </th>
              <th className="number">Workers</th>
              <th className="number">Sent</th>
              <th>Last acknowledged</th>
              <th>
                <span className="offscreen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, SHOWN_MAX).map((one) => {
              const state = subscriptionState(one);
              return (
                <tr key={one.SubscriptionId}>
                  <th scope="row" className="ellipsis">
                    <Link href={place({ name: one.SubscriptionName })}>{one.SubscriptionName}</Link>
                  </th>
                  <td>
                    <Chip tone={state.tone} {...(one.LastError ? { title: one.LastError } : {})}>
                      {state.word}
                    </Chip>
                  </td>
                  <td className="number">{lagText(one)}</td>
                  <td className="number">{formatCount(one.Workers.length)}</td>
                  <td className="number">{formatCount(one.DocumentsSent)}</td>
                  <td className="muted nowrap">{one.LastBatchAckTime ? formatTime(one.LastBatchAckTime) : "never"}</td>
                  <td className="actions">
                    <SubscriptionMenu database={database} one={one} onDone={again} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {shown.length === 0 && <p className="muted padded">No subscription is like that.</p>}
        {shown.length > SHOWN_MAX && (
          <p className="muted padded">{`${formatCount(shown.length - SHOWN_MAX)} more: filter by a part of the name.`}</p>
        )}
      </section>
    </div>
  );
}
