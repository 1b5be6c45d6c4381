import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { databasePath, getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useSearchState, useSetSearch } from "../../app/places";
import { showError } from "../../app/toasts";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatCount, formatTime } from "../../ui/format";
import { Pager } from "../../ui/pager";
import { Segments } from "../../ui/segments";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import {
  isRunning,
  type OperationRow,
  operationKind,
  operationShare,
  operationTone,
  outcomeText,
  progressText,
} from "./operationModel";
import { killOperation } from "./useOperation";

const PAGE_SIZE = 100;

/** The operations of a database or of the server: those that run, and those that ended of late. */
export function OperationsPage() {
  const database = useDatabase();
  const { start: startText = "0", show = "all", operation } = useSearchState();
  const start = Number(startText) || 0;
  const setSearch = useSetSearch();
  const path = database === "" ? "/operations" : databasePath(database, "operations");
  const list = useQuery({
    queryKey: ["operations", database, start],
    queryFn: ({ signal }) =>
      getJson<{ TotalResults: number; Results: readonly OperationRow[] }>(path, {
        query: { start, pageSize: PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      pollMs(query.state.error, query.state.data?.Results.some((one) => isRunning(one.State)) ? 1_000 : 5_000),
  });
  if (list.isPending) {
    return <Loading what="the operations" />;
  }
  if (!list.data) {
    return <ErrorBox title="The operations cannot be listed" error={list.error} onRetry={() => void list.refetch()} />;
  }
  const { Results, TotalResults: total } = list.data;
  // The server lists the oldest first.
  const all = [...Results].reverse();
  const shown = show === "running" ? all.filter((one) => isRunning(one.State)) : all;
  const kill = (row: OperationRow) => {
    killOperation(database === "" ? undefined : database, row.Id)
      .then(() => announce(`Operation ${row.Id} is ended.`))
      .catch((error: unknown) => showError(`Operation ${row.Id} was not ended`, error))
      .finally(() => void list.refetch());
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Operations</h1>
        <Segments
          name="Which"
          choices={["all", "running"].map((key) => ({
            key,
            title: `${key} ${formatCount(key === "all" ? total : all.filter((one) => isRunning(one.State)).length)}`,
          }))}
          chosen={show}
          onChoose={(key) => setSearch({ show: key === "all" ? undefined : key })}
        />
        <span className="hint">
          Ended ones are forgotten after a while. You see your own; an administrator sees all.
        </span>
      </div>
      {list.error && <ErrorBox error={list.error} onRetry={() => void list.refetch()} />}
      {shown.length === 0 ? (
        <Empty icon="check" title={show === "running" ? "Nothing runs now" : "No operations of late"}>
          Imports, backups, restores, patches and compactions stand here while they run, and for a while after.
        </Empty>
      ) : (
        <section className="scroll" aria-label="Operations" tabIndex={0}>
          <table className="plain-table roomy">
            <thead>
              <tr>
                <th className="number">Id</th>
                <th>What</th>
                {database === "" && <th>Database</th>}
                <th>Began</th>
                <th>State</th>
                <th>How far</th>
                <th>
                  <span className="offscreen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row
                  key={row.Id}
                  row={row}
                  hasDatabase={database === ""}
                  isOpen={operation === String(row.Id)}
                  onOpen={(isOpen) => setSearch({ operation: isOpen ? String(row.Id) : undefined })}
                  onKill={() => kill(row)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Pager
        start={start}
        size={PAGE_SIZE}
        shown={all.length}
        total={total}
        onStart={(next) => setSearch({ start: next }, true)}
      />
    </div>
  );
}

function Row({
  row,
  hasDatabase,
  isOpen,
  onOpen,
  onKill,
}: {
  row: OperationRow;
  hasDatabase: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onKill: () => void;
}) {
  const { name, unit } = operationKind(row.State);
  const { tone, word } = operationTone(row.State.Status);
  const runs = isRunning(row.State);
  const share = operationShare(row.State);
  return (
    <>
      <tr>
        <td className="number">{row.Id}</td>
        <th scope="row">{name}</th>
        {hasDatabase && (
          <td>
            {row.Database === "" ? (
              <span className="muted">the server</span>
            ) : (
              <Link href={placeUrl(databasePlace(row.Database))}>{row.Database}</Link>
            )}
          </td>
        )}
        <td className="nowrap">{formatTime(row.StartTime)}</td>
        <td>
          <Chip tone={tone}>{word}</Chip>
        </td>
        <td>
          {runs && (
            <progress {...(share === undefined ? {} : { max: 1, value: share })} aria-label={`Progress of ${row.Id}`} />
          )}{" "}
          <span className={row.State.Status === "Faulted" ? "bad break" : "break"}>
            {outcomeText(row.State) === "" ? progressText(row.State, unit) : outcomeText(row.State)}
          </span>
        </td>
        <td className="actions nowrap">
          {runs && (
            <Button kind="danger" icon="stop" aria-label={`End operation ${row.Id}`} onClick={onKill}>
              End
            </Button>
          )}
          <Button
            kind="quiet"
            icon="info"
            aria-expanded={isOpen}
            aria-label={`Details of operation ${row.Id}`}
            onClick={() => onOpen(!isOpen)}
          >
            Details
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={hasDatabase ? 7 : 6}>
            <pre className="details">{JSON.stringify(row.State.Result ?? row.State.Progress, null, 2)}</pre>
          </td>
        </tr>
      )}
    </>
  );
}
