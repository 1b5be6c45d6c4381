import { serverNowMs } from "../../api/serverClock";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { FilterInput } from "../../ui/filterInput";
import { formatCount, formatDuration, formatTime } from "../../ui/format";
import { Segments } from "../../ui/segments";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { replacedName } from "./definitionText";
import { IndexMenu } from "./indexActions";
import { indexState, isOfFilter, lagMs } from "./indexState";
import { useIndexStats } from "./useIndexStats";

/** The most rows that are drawn; a filter finds the others. */
const SHOWN_MAX = 500;

/** All indexes of a database, and how they are. */
export function IndexesPage() {
  const database = useDatabase();
  const { show = "all", filter = "" } = useSearchState();
  const setSearch = useSetSearch();
  const go = useGo();
  const stats = useIndexStats(database);
  if (stats.isPending) {
    return <Loading what="the indexes" />;
  }
  if (!stats.data) {
    return <ErrorBox title="The indexes cannot be listed" error={stats.error} onRetry={() => void stats.refetch()} />;
  }
  const all = stats.data;
  const again = () => void stats.refetch();
  const create = (
    <Button kind="primary" icon="plus" onClick={() => go(placeUrl(databasePlace(database, "index"), { new: "1" }))}>
      New
    </Button>
  );
  if (all.length === 0) {
    return (
      <Empty icon="tree" title="There are no indexes" action={create}>
        A query with a condition makes one by itself; one that computes or groups is written here.
      </Empty>
    );
  }
  const shown = all.filter((one) => isOfFilter(one, show, filter));
  return (
    <div className="page">
      <div className="page-head">
        <h1>Indexes</h1>
        <Segments
          name="Which"
          choices={["all", "stale", "errors"].map((key) => ({
            key,
            title: `${key} ${formatCount(all.filter((one) => isOfFilter(one, key, "")).length)}`,
          }))}
          chosen={show}
          onChoose={(key) => setSearch({ show: key === "all" ? undefined : key })}
        />
        <span className="grow" />
        <FilterInput initial={filter} onChange={(text) => setSearch({ filter: text })} />
        {create}
      </div>
      {stats.error && <ErrorBox error={stats.error} onRetry={again} />}
      <section className="scroll" aria-label="Indexes" tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>Name</th>
              <th>State</th>
              <th>Kind</th>
              <th className="number">Entries</th>
              <th className="number">Errors</th>
              <th>Last query</th>
              <th>
                <span className="offscreen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, SHOWN_MAX).map((one) => {
              const state = indexState(one);
              const behindMs = lagMs(one, serverNowMs());
              const replaced = replacedName(one.Name);
              const url = (tab?: string) => placeUrl(databasePlace(database, "index"), { name: one.Name, tab });
              return (
                <tr key={one.Name}>
                  <th scope="row" className="ellipsis">
                    <Link href={url()}>{replaced ?? one.Name}</Link>
                    {replaced !== undefined && <span className="muted"> · its replacement, being built</span>}
                  </th>
                  <td>
                    <Chip tone={state.tone}>
                      {state.word}
                      {one.IsStale && state.kind !== "error" && behindMs !== undefined
                        ? ` · ${formatDuration(behindMs)}`
                        : ""}
                    </Chip>
                  </td>
                  <td>{one.Type}</td>
                  <td className="number">{formatCount(one.EntriesCount)}</td>
                  <td className="number">
                    {one.ErrorsCount > 0 ? <Link href={url("errors")}>{formatCount(one.ErrorsCount)}</Link> : "0"}
                  </td>
                  <td className="muted">{one.LastQueryingTime ? formatTime(one.LastQueryingTime) : "never"}</td>
                  <td className="actions">
                    <IndexMenu database={database} stats={one} onDone={again} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {shown.length === 0 && <p className="muted padded">No index is like that.</p>}
        {shown.length > SHOWN_MAX && (
          <p className="muted padded">{`${formatCount(shown.length - SHOWN_MAX)} more: filter by a part of the name.`}</p>
        )}
      </section>
    </div>
  );
}
