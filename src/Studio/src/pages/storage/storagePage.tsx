import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { databasePath, getJson, send } from "../../api/http";
import { pollMs } from "../../api/polling";
import { useDatabase, useSearchState, useSetSearch } from "../../app/places";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { formatBytes, formatCount, formatDuration } from "../../ui/format";
import { ErrorBox, Loading } from "../../ui/states";
import { OperationBar } from "../operations/operationBar";
import { groupColors, type StorageReport, type Structure, structureGroups, structureKey } from "./storageModel";
import { TreemapView } from "./treemapView";

/** Up to which size of the data file what is in it is measured without being asked to: it reads all pages of trees. */
const MEASURED_MAX_BYTES = 512 * 1024 * 1024;

/** What a database has on the disk, and what takes the room. */
export function StoragePage() {
  const database = useDatabase();
  const { operation, part } = useSearchState();
  const setSearch = useSetSearch();
  const client = useQueryClient();
  const [isWanted, setWanted] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const path = databasePath(database, "debug/storage/report");
  const report = useQuery({
    queryKey: ["storage", database],
    queryFn: ({ signal }) => getJson<StorageReport>(path, { signal }),
    refetchInterval: (query) => pollMs(query.state.error, 10_000),
  });
  const isSmall = (report.data?.DataFileBytes ?? Number.POSITIVE_INFINITY) <= MEASURED_MAX_BYTES;
  const details = useQuery({
    queryKey: ["storage-details", database],
    queryFn: ({ signal }) => getJson<StorageReport>(path, { query: { details: true }, signal }),
    enabled: isWanted || isSmall,
    retry: false,
    staleTime: 60_000,
  });
  if (report.isPending) {
    return <Loading what="the storage" />;
  }
  if (!report.data) {
    return <ErrorBox title="The storage cannot be read" error={report.error} onRetry={() => void report.refetch()} />;
  }
  const again = () => {
    void report.refetch();
    void details.refetch();
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Storage</h1>
        <span className="muted">{formatBytes(report.data.DataFileBytes + report.data.JournalFileBytes)} on disk</span>
        <span className="grow" />
        <Button icon="refresh" isBusy={report.isFetching || details.isFetching} onClick={again}>
          Measure again
        </Button>
        <Button icon="disk" onClick={() => setAsked(true)}>
          Compact…
        </Button>
      </div>
      {report.error && <ErrorBox error={report.error} onRetry={again} />}
      {operation && (
        <OperationBar
          key={operation}
          database={undefined}
          id={operation}
          title="Compaction"
          onClose={() => setSearch({ operation: undefined })}
          onEnd={() => void client.invalidateQueries({ queryKey: ["storage"] }).then(again)}
        />
      )}
      <section className="scroll" aria-label="Storage" tabIndex={0}>
        <Sums report={report.data} />
        {details.error && (
          <ErrorBox
            title="What is in it was not measured"
            error={details.error}
            onRetry={() => void details.refetch()}
          />
        )}
        {details.isLoading && <Loading what="what is in it" />}
        {!details.data && !details.isLoading && !details.error && (
          <div className="row padded">
            <Button icon="search" onClick={() => setWanted(true)}>
              Measure what is in it
            </Button>
            <span className="hint">
              {formatBytes(report.data.DataFileBytes)}: all pages of its trees are read, which takes a while.
            </span>
          </div>
        )}
        {details.data?.Structures && (
          <Structures
            all={details.data.Structures}
            chosen={part}
            onChoose={(key) => setSearch({ part: key === part ? undefined : key })}
          />
        )}
      </section>
      <Confirm
        title={`Compact ${database}`}
        isOpen={isAsked}
        first="All of it is copied into full pages; reads go on, and changes wait up to 15 seconds. Its indexes are built anew."
        action="Compact it"
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          const answer = await send("POST", "/admin/compact", { body: { DatabaseName: database, Documents: true } });
          setSearch({ operation: String((JSON.parse(answer.text) as { OperationId: number }).OperationId) });
        }}
      >
        <p>It needs as much room again on the disk until it is done.</p>
      </Confirm>
    </div>
  );
}

function Sums({ report }: { report: StorageReport }) {
  const free = report.FreePages * report.PageSizeBytes;
  return (
    <dl className="facts">
      <dt>Data file</dt>
      <dd>{`${formatBytes(report.DataFileBytes)}, of ${formatCount(report.Pages)} pages ${formatCount(report.FreePages)} are free (${formatBytes(free)})`}</dd>
      <dt>Journal</dt>
      <dd>{`${formatBytes(report.JournalFileBytes)}, of which ${formatBytes(report.JournalBacklogBytes)} are not in the data file yet`}</dd>
      <dt>Changed pages in memory</dt>
      <dd>{formatBytes(report.ScratchUsedBytes)}</dd>
      <dt>A write takes</dt>
      <dd>
        {report.WriteMicrosecondsP50 === undefined
          ? "none yet"
          : `${formatDuration(report.WriteMicrosecondsP50 / 1_000)} at the median, ${formatDuration((report.WriteMicrosecondsP99 ?? 0) / 1_000)} at 99 %; of that the journal ${formatDuration(report.JournalWriteMicrosecondsP50 / 1_000)} and ${formatDuration(report.JournalWriteMicrosecondsP99 / 1_000)}`}
      </dd>
      <dt>Readers</dt>
      <dd>
        {report.Readers === 0 || !report.OldestReader
          ? formatCount(report.Readers)
          : `${formatCount(report.Readers)}, the oldest for ${formatDuration(report.OldestReaderMilliseconds)}: ${report.OldestReader}`}
      </dd>
    </dl>
  );
}

function Structures({
  all,
  chosen,
  onChoose,
}: {
  all: readonly Structure[];
  chosen: string | undefined;
  onChoose: (key: string) => void;
}) {
  const groups = useMemo(() => structureGroups(all), [all]);
  const colors = useMemo(() => groupColors(groups), [groups]);
  const total = groups.reduce((sum, group) => sum + group.size, 0);
  return (
    <>
      <TreemapView groups={groups} colors={colors} chosen={chosen} onChoose={onChoose} />
      <p className="hint padded">
        Indexes have files of their own and are not in it. The picture shows what the table says; a click chooses a row.
      </p>
      <table className="plain-table">
        <caption className="offscreen">What is in the data file</caption>
        <thead>
          <tr>
            <th>Structure</th>
            <th>Kind</th>
            <th className="number">Entries</th>
            <th className="number">Depth</th>
            <th className="number">Pages</th>
            <th className="number">Full</th>
            <th className="number">Size</th>
            <th className="number">Share</th>
          </tr>
        </thead>
        <tbody>
          {groups.flatMap((group) =>
            group.structures
              .filter((one) => one.SizeInBytes > 0)
              .map((one) => {
                const key = structureKey(one);
                return (
                  <tr key={key} aria-current={key === chosen ? "true" : undefined}>
                    <th scope="row">
                      <Button kind="quiet" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
                        {one.Part === 0 ? one.Name : `${one.Name}, part ${one.Part}`}
                      </Button>
                    </th>
                    <td>{one.Kind}</td>
                    <td className="number">{formatCount(one.Entries)}</td>
                    <td className="number">{formatCount(one.Depth)}</td>
                    <td className="number">{formatCount(one.LeafPages + one.BranchPages + one.OverflowPages)}</td>
                    <td className="number">{one.Fill === undefined ? "–" : `${Math.round(one.Fill * 100)} %`}</td>
                    <td className="number">{formatBytes(one.SizeInBytes)}</td>
                    <td className="number">
                      {total === 0 ? "–" : `${((one.SizeInBytes / total) * 100).toFixed(1)} %`}
                    </td>
                  </tr>
                );
              }),
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <td colSpan={5} />
            <td className="number">{formatBytes(total)}</td>
            <td className="number">100 %</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}
