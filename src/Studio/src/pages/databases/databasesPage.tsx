import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { getJson, send } from "../../api/http";
import { pollMs } from "../../api/polling";
import type { DatabaseList, DatabaseRow } from "../../api/types";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useGo, useSearchState, useSetSearch } from "../../app/places";
import { showError } from "../../app/toasts";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { Confirm, Dialog } from "../../ui/dialog";
import { FilterInput } from "../../ui/filterInput";
import { formatBytes, formatCount, plural } from "../../ui/format";
import { Menu, type MenuEntry } from "../../ui/menu";
import { Pager } from "../../ui/pager";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { groupUrl } from "../cluster/groupTable";
import { NodeChips } from "../cluster/saidChip";
import { CreateDatabase } from "./createDatabase";

/** How many databases a page of the list has. */
const PAGE_SIZE = 100;

/** All databases that one may see. Listing them opens none. */
export function DatabasesPage() {
  const { filter = "", start: startText = "0", create } = useSearchState();
  const start = Number(startText) || 0;
  const setSearch = useSetSearch();
  const [deleting, setDeleting] = useState<DatabaseRow>();
  const client = useQueryClient();
  const go = useGo();
  const list = useQuery({
    queryKey: ["databases", filter, start],
    queryFn: ({ signal }) =>
      getJson<DatabaseList>("/studio/databases", {
        query: { start, pageSize: PAGE_SIZE, filter: filter || undefined },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMs(query.state.error, 10_000),
  });
  const again = () => client.invalidateQueries({ queryKey: ["databases"] });
  if (list.isPending) {
    return <Loading what="the databases" />;
  }
  if (!list.data) {
    return <ErrorBox title="The databases cannot be listed" error={list.error} onRetry={() => void list.refetch()} />;
  }
  const { Databases: rows, TotalResults: total } = list.data;
  const isClustered = rows.some((row) => row.Nodes);
  if (total === 0 && filter === "") {
    return <FirstMinute />;
  }
  return (
    <div className="page">
      <div className="page-head">
        <h1>Databases</h1>
        <span className="muted">{formatCount(total)}</span>
        <span className="grow" />
        <FilterInput initial={filter} onChange={(text) => setSearch({ filter: text, start: undefined })} />
        <Button kind="primary" icon="plus" onClick={() => setSearch({ create: "1" }, true)}>
          New
        </Button>
      </div>
      {list.error && <ErrorBox error={list.error} onRetry={() => void list.refetch()} />}
      <section className={list.isPlaceholderData ? "scroll dimmed" : "scroll"} aria-label="Databases" tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>Name</th>
              <th>State</th>
              {isClustered && <th>Nodes</th>}
              <th className="number">Documents</th>
              <th className="number">On disk</th>
              <th>Indexes</th>
              <th>
                <span className="offscreen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.Name}>
                <th scope="row" className="ellipsis">
                  <Link href={placeUrl(databasePlace(row.Name))}>{row.Name}</Link>
                </th>
                <td>
                  <StateChip row={row} />
                </td>
                {isClustered && (
                  <td>
                    <NodeChips nodes={row.Nodes ?? []} />
                  </td>
                )}
                <td className="number">{formatCount(row.Documents)}</td>
                <td
                  className="number"
                  title={row.SizeBytes === null ? undefined : `${formatCount(row.SizeBytes)} bytes`}
                >
                  {formatBytes(row.SizeBytes)}
                </td>
                <td>
                  <IndexesCell row={row} />
                </td>
                <td className="actions">
                  <Menu name={`Actions of ${row.Name}`} entries={entriesOf(row, again, setDeleting, go)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="muted padded">No database has “{filter}” in its name.</p>}
      </section>
      <Pager
        start={start}
        size={PAGE_SIZE}
        shown={rows.length}
        total={total}
        onStart={(next) => setSearch({ start: next }, true)}
      />
      <Dialog title="New database" isOpen={create !== undefined} onClose={() => setSearch({ create: undefined })}>
        <CreateDatabase />
      </Dialog>
      {deleting && <DeleteDatabase row={deleting} onClose={() => setDeleting(undefined)} onDone={again} />}
    </div>
  );
}

/** No database yet: one field, and what to do next is done. */
function FirstMinute() {
  return (
    <Empty icon="database" title="A database holds documents, which are JSON">
      Give one a name. With sample data there is something to look at at once.
      <span className="first-minute">
        <CreateDatabase />
      </span>
    </Empty>
  );
}

function StateChip({ row }: { row: DatabaseRow }) {
  switch (row.State) {
    case "Open":
      return <Chip tone="good">open</Chip>;
    case "Faulted":
      return (
        <Chip tone="bad" {...(row.Fault ? { title: row.Fault } : {})}>
          faulted
        </Chip>
      );
    case "Disabled":
      return (
        <Chip tone="none" icon="stop">
          disabled
        </Chip>
      );
    case "Elsewhere":
      return (
        <Chip tone="none" icon="network" title="Other nodes have it; this one asks them.">
          on other nodes
        </Chip>
      );
    default:
      return (
        <Chip tone="none" title="It opens when it is used.">
          closed
        </Chip>
      );
  }
}

function indexesUrl(row: DatabaseRow, show: string): string {
  return placeUrl(databasePlace(row.Name, "indexes"), { show });
}

function IndexesCell({ row }: { row: DatabaseRow }) {
  if (row.FaultyIndexes) {
    return (
      <Link href={indexesUrl(row, "errors")}>
        <Chip tone="bad">{plural(row.FaultyIndexes, "faulty index", "faulty indexes")}</Chip>
      </Link>
    );
  }
  if (row.StaleIndexes) {
    return (
      <Link href={indexesUrl(row, "stale")}>
        <Chip tone="stale">{`${formatCount(row.StaleIndexes)} of ${formatCount(row.Indexes)} stale`}</Chip>
      </Link>
    );
  }
  return <>{formatCount(row.Indexes)}</>;
}

function entriesOf(
  row: DatabaseRow,
  again: () => void,
  onDelete: (row: DatabaseRow) => void,
  go: (url: string) => void,
): MenuEntry[] {
  const ofCluster: MenuEntry[] = row.Nodes
    ? [{ text: "Nodes", icon: "network", onSelect: () => go(groupUrl(row.Name)) }]
    : [];
  const isDisabled = row.State === "Disabled";
  const word = isDisabled ? "enable" : "disable";
  return [
    ...ofCluster,
    {
      text: isDisabled ? "Enable" : "Disable",
      icon: isDisabled ? "play" : "pause",
      onSelect: () => {
        send("POST", `/admin/databases/${word}`, { body: { DatabaseNames: [row.Name] } })
          .then(() => announce(`${row.Name} is ${word}d.`))
          .catch((error: unknown) => showError(`Cannot ${word} ${row.Name}`, error))
          .finally(again);
      },
    },
    { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => onDelete(row) },
  ];
}

function DeleteDatabase({ row, onClose, onDone }: { row: DatabaseRow; onClose: () => void; onDone: () => void }) {
  const [isHard, setHard] = useState(false);
  const count = row.Nodes?.length ?? 0;
  const onNodes = count > 1 ? ` of all ${count} nodes` : "";
  return (
    <Confirm
      title={`Delete ${row.Name}`}
      isOpen
      first={
        isHard
          ? `Its files are deleted from the disk${onNodes}: there is no way back.`
          : `It leaves the server${onNodes}; its files stay on the disk.`
      }
      action={isHard ? "Delete it and its files" : "Delete it"}
      typed={row.Name}
      onClose={onClose}
      onConfirm={async () => {
        await send("DELETE", "/admin/databases", { body: { DatabaseNames: [row.Name], HardDelete: isHard } });
        announce(`${row.Name} is deleted.`);
        onDone();
      }}
    >
      <p>
        {row.Documents === null
          ? "It is closed, so its documents are not counted"
          : `It has ${plural(row.Documents, "document")}`}
        {row.SizeBytes === null ? "." : `, ${formatBytes(row.SizeBytes)} on disk.`}
      </p>
      <label className="check">
        <input type="checkbox" checked={isHard} onChange={(event) => setHard(event.target.checked)} />
        <span>Delete its files, too</span>
      </label>
    </Confirm>
  );
}
