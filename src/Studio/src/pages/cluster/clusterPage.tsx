import { ServerError } from "../../api/http";
import { Link } from "../../app/link";
import { placeUrl, useSearchState, useSetSearch } from "../../app/places";
import { formatCount, plural } from "../../ui/format";
import { Pager } from "../../ui/pager";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { GroupPage } from "./groupPage";
import { GroupTable } from "./groupTable";
import { NodeTable } from "./nodeTable";
import { SingleServer } from "./singleServer";
import { useClusterHealth, useStores } from "./useCluster";

/** How many databases are shown at once. */
const PAGE_SIZE = 100;

/** The nodes of the cluster and who keeps which database; or one database, if the URL names it. */
export function ClusterPage() {
  const { name } = useSearchState();
  return name === undefined ? <WholeCluster /> : <GroupPage key={name} name={name} />;
}

function WholeCluster() {
  const { start: startText = "0" } = useSearchState();
  const start = Number(startText) || 0;
  const setSearch = useSetSearch();
  const health = useClusterHealth(start, PAGE_SIZE);
  const stores = useStores(health.data?.IsClustered ? health.data : undefined);
  if (health.isPending) {
    return <Loading what="the cluster" />;
  }
  if (!health.data) {
    return (
      <ErrorBox
        title={
          health.error instanceof ServerError && health.error.status === 403
            ? "The cluster is not shown to you"
            : "The cluster cannot be looked at"
        }
        error={health.error}
        onRetry={() => void health.refetch()}
      />
    );
  }
  if (!health.data.IsClustered) {
    return <SingleServer />;
  }
  const { Nodes: nodes, Databases: groups, NodeTag: here, Observer: observer } = health.data;
  return (
    <div className="page scroll">
      <div className="page-head">
        <h1>Cluster</h1>
        <span className="muted">
          {plural(nodes.length, "node")} · node {here} answers
          {observer === null ? "" : ` · node ${observer} looks after the others`}
        </span>
        <span className="grow" />
        <Link className="button primary" href={placeUrl("/", { create: "1" })}>
          New database
        </Link>
      </div>
      {health.error && <ErrorBox error={health.error} onRetry={() => void health.refetch()} />}
      <NodeTable health={health.data} stores={stores} onChanged={() => void health.refetch()} />
      <h2 className="part-head">
        Databases <span className="muted">{formatCount(groups.length)}</span>
      </h2>
      {groups.length === 0 ? (
        <Empty icon="database" title={start === 0 ? "No database yet" : "No more databases"}>
          A new one is on as many nodes as you say.
        </Empty>
      ) : (
        <GroupTable groups={groups} />
      )}
      <Pager
        start={start}
        size={PAGE_SIZE}
        shown={groups.length}
        hasMore={groups.length === PAGE_SIZE}
        onStart={(next) => setSearch({ start: next }, true)}
      />
    </div>
  );
}
