import { useQuery } from "@tanstack/react-query";
import { databasePath, getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import type { CollectionCounts, DatabaseList, DatabaseStats } from "../../api/types";
import { Link } from "../../app/link";
import { useMay } from "../../app/pages";
import { databasePlace, placeUrl, useDatabase } from "../../app/places";
import { isPlainName, quoteRql } from "../../rql/rqlLexer";
import { Chip } from "../../ui/chip";
import { formatCount, plural } from "../../ui/format";
import { Icon } from "../../ui/icon";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { groupUrl } from "../cluster/groupTable";
import { NodeChips } from "../cluster/saidChip";

/** A database at a glance: its collections, its indexes, and what to do next. */
export function OverviewPage() {
  const database = useDatabase();
  const counts = useQuery({
    queryKey: ["collections", database],
    queryFn: ({ signal }) => getJson<CollectionCounts>(databasePath(database, "collections/stats"), { signal }),
    refetchInterval: (query) => pollMs(query.state.error, 10_000),
  });
  const stats = useQuery({
    queryKey: ["stats", database],
    queryFn: ({ signal }) => getJson<DatabaseStats>(databasePath(database, "stats"), { signal }),
    refetchInterval: (query) => pollMs(query.state.error, 10_000),
  });
  if (counts.error && !counts.data) {
    return <ErrorBox title={`${database} cannot be read`} error={counts.error} onRetry={() => void counts.refetch()} />;
  }
  if (counts.isPending) {
    return <Loading what={database} />;
  }
  const collections = Object.entries(counts.data.Collections).filter(([, count]) => count > 0);
  collections.sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const first = collections.find(([name]) => !name.startsWith("@"))?.[0];
  return (
    <div className="page scroll padded">
      {counts.error && <ErrorBox error={counts.error} onRetry={() => void counts.refetch()} />}
      <div className="page-head flush">
        <h1 className="ellipsis">{database}</h1>
        <span className="muted">{plural(counts.data.CountOfDocuments, "document")}</span>
      </div>
      {collections.length === 0 ? (
        <Empty
          icon="files"
          title="No documents yet"
          action={
            <Link className="button primary" href={placeUrl(databasePlace(database, "doc"), { new: "1" })}>
              Write the first one
            </Link>
          }
        >
          Clients and bulk inserts write here; so does this page.
        </Empty>
      ) : (
        <div className="cards">
          <section className="card" aria-labelledby="overview-collections">
            <h2 id="overview-collections">Collections</h2>
            <ul className="card-list">
              {collections.slice(0, 20).map(([name, count]) => (
                <li key={name}>
                  <Link href={placeUrl(databasePlace(database, "docs"), { collection: name })}>{name}</Link>
                  <span className="number">{formatCount(count)}</span>
                </li>
              ))}
            </ul>
            {collections.length > 20 && <p className="muted">{`and ${formatCount(collections.length - 20)} more`}</p>}
          </section>
          {first && <NextCard database={database} collection={first} />}
          <IndexCard database={database} stats={stats.data} error={stats.error} />
          <NodesCard database={database} />
        </div>
      )}
    </div>
  );
}

/** The nodes that keep the database, in a cluster. */
function NodesCard({ database }: { database: string }) {
  const mayLook = useMay("GET /admin/cluster/health");
  const list = useQuery({
    queryKey: ["databases", database, "nodes"],
    queryFn: ({ signal }) =>
      getJson<DatabaseList>("/studio/databases", { query: { filter: database }, signal, isRepeated: true }),
    refetchInterval: (query) => pollMs(query.state.error, 10_000),
    retry: false,
  });
  const nodes = list.data?.Databases.find((row) => row.Name.toLowerCase() === database.toLowerCase())?.Nodes;
  if (!nodes) {
    return null;
  }
  return (
    <section className="card" aria-labelledby="overview-nodes">
      <h2 id="overview-nodes">Nodes</h2>
      <NodeChips nodes={nodes} />
      {mayLook && <Link href={groupUrl(database)}>How they are</Link>}
    </section>
  );
}

function NextCard({ database, collection }: { database: string; collection: string }) {
  const query = `from ${isPlainName(collection) ? collection : quoteRql(collection)} order by id() desc`;
  const url = placeUrl(databasePlace(database, "query"), { q: query });
  return (
    <section className="card" aria-labelledby="overview-next">
      <h2 id="overview-next">Next: ask a query</h2>
      <pre className="sample">{query}</pre>
      <Link className="button primary" href={url}>
        <Icon name="play" />
        <span>Run it</span>
      </Link>
    </section>
  );
}

function IndexCard({ database, stats, error }: { database: string; stats: DatabaseStats | undefined; error: unknown }) {
  const stale = stats?.Indexes.filter((index) => index.IsStale) ?? [];
  const faulty = stats?.Indexes.filter((index) => index.State === "Error") ?? [];
  return (
    <section className="card" aria-labelledby="overview-indexes">
      <h2 id="overview-indexes">Indexes</h2>
      {error !== null && error !== undefined && <ErrorBox error={error} />}
      {stats && (
        <>
          <p>{plural(stats.CountOfIndexes, "index", "indexes")}</p>
          <p>
            {faulty.length > 0 ? (
              <Link href={placeUrl(databasePlace(database, "indexes"), { show: "errors" })}>
                <Chip tone="bad">{`${formatCount(faulty.length)} faulty`}</Chip>
              </Link>
            ) : stale.length > 0 ? (
              <Link href={placeUrl(databasePlace(database, "indexes"), { show: "stale" })}>
                <Chip tone="stale">{`${formatCount(stale.length)} stale`}</Chip>
              </Link>
            ) : (
              <Chip tone="good">all up to date</Chip>
            )}
          </p>
          <Link href={placeUrl(databasePlace(database, "indexes"))}>All indexes</Link>
        </>
      )}
    </section>
  );
}
