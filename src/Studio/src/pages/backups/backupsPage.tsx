import { useQuery } from "@tanstack/react-query";
import { databasePath, getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatTime } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { OperationBar } from "../operations/operationBar";
import { BackupMenu } from "./backupActions";
import { type BackupTask, lastRun, nextText, taskState } from "./backupModel";

/** The tasks that back a database up: how the last run went, and when the next one is. */
export function BackupsPage() {
  const database = useDatabase();
  const { operation } = useSearchState();
  const setSearch = useSetSearch();
  const go = useGo();
  const tasks = useBackupTasks(database);
  if (tasks.isPending) {
    return <Loading what="the backups" />;
  }
  if (!tasks.data) {
    return <ErrorBox title="The backups cannot be listed" error={tasks.error} onRetry={() => void tasks.refetch()} />;
  }
  const all = tasks.data;
  const again = () => void tasks.refetch();
  const place = (search: Record<string, string>) => placeUrl(databasePlace(database, "backup"), search);
  const create = (
    <Button kind="primary" icon="plus" onClick={() => go(place({ new: "1" }))}>
      New
    </Button>
  );
  // A run that another page or the schedule has begun is followed, too.
  const running = operation ?? all.map((one) => one.OnGoingBackup?.RunningBackupTaskId).find((id) => id !== undefined);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Backups</h1>
        <span className="grow" />
        <Link className="button quiet" href={placeUrl("/restore")}>
          Restore…
        </Link>
        {all.length > 0 && create}
      </div>
      {tasks.error && <ErrorBox error={tasks.error} onRetry={again} />}
      {running !== undefined && (
        <OperationBar
          key={running}
          database={database}
          id={String(running)}
          title="Backup"
          onClose={() => setSearch({ operation: undefined })}
          onEnd={again}
        />
      )}
      {all.length === 0 ? (
        <Empty icon="history" title="Nothing backs this database up" action={create}>
          A task copies it to a folder or a bucket at set times: all of it now and then, and in between what has
          changed.
        </Empty>
      ) : (
        <section className="scroll" aria-label="Backups" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>Task</th>
                <th>State</th>
                <th>Last backup</th>
                <th>Next</th>
                <th>To</th>
                <th>
                  <span className="offscreen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {all.map((one) => {
                const state = taskState(one);
                return (
                  <tr key={one.TaskId}>
                    <th scope="row" className="break">
                      <Link href={place({ task: String(one.TaskId) })}>{one.TaskName}</Link>
                    </th>
                    <td>
                      <Chip tone={state.tone}>{state.word}</Chip>
                      {one.Error && <p className="bad break">{one.Error}</p>}
                    </td>
                    <td className="nowrap">
                      {lastRun(one) === null ? "never" : formatTime(lastRun(one)).slice(0, 16)}
                    </td>
                    <td className="nowrap">{nextText(one)}</td>
                    <td>
                      {one.BackupDestinations.join(", ")}
                      {one.IsEncrypted ? " (encrypted)" : ""}
                    </td>
                    <td className="actions">
                      <BackupMenu
                        database={database}
                        task={one}
                        onStarted={(id) => setSearch({ operation: String(id) })}
                        onDone={again}
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

/** The tasks of a database that back it up. */
export function useBackupTasks(database: string) {
  return useQuery({
    queryKey: ["backup-tasks", database],
    queryFn: async ({ signal }) =>
      (
        await getJson<{ OngoingTasks: readonly BackupTask[] }>(databasePath(database, "tasks"), { signal })
      ).OngoingTasks.filter((one) => one.TaskType === "Backup"),
    refetchInterval: (query) =>
      pollMs(query.state.error, query.state.data?.some((one) => one.OnGoingBackup) ? 2_000 : 10_000),
  });
}
