import { useQuery } from "@tanstack/react-query";
import { getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import { Link } from "../../app/link";
import { placeUrl, useGo, useSearchState } from "../../app/places";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { ServerBackupMenu } from "./backupActions";
import { BackupEditor } from "./backupEditor";
import { type BackupConfiguration, destinationText, scheduleText, WIDE_TASKS } from "./backupModel";

const LIST = placeUrl("/backups");

/** The tasks that back up all databases, those that are made later, too. */
export function ServerBackupsPage() {
  const go = useGo();
  const tasks = useWideTasks();
  if (tasks.isPending) {
    return <Loading what="the backups of all databases" />;
  }
  if (!tasks.data) {
    return <ErrorBox title="The backups cannot be listed" error={tasks.error} onRetry={() => void tasks.refetch()} />;
  }
  const create = (
    <Button kind="primary" icon="plus" onClick={() => go(placeUrl("/backup", { new: "1" }))}>
      New
    </Button>
  );
  return (
    <div className="page">
      <div className="page-head">
        <h1>Backups of all databases</h1>
        <span className="grow" />
        <Link className="button quiet" href={placeUrl("/restore")}>
          Restore…
        </Link>
        {tasks.data.length > 0 && create}
      </div>
      {tasks.error && <ErrorBox error={tasks.error} onRetry={() => void tasks.refetch()} />}
      {tasks.data.length === 0 ? (
        <Empty icon="history" title="No task backs up all databases" action={create}>
          A task of the server backs up each database into a folder of its own, those that are made later, too. Each
          database shows it among its own backups, with how its runs went.
        </Empty>
      ) : (
        <section className="scroll" aria-label="Backups of all databases" tabIndex={0}>
          <table className="plain-table roomy">
            <thead>
              <tr>
                <th>Task</th>
                <th>State</th>
                <th>When (cron)</th>
                <th>To</th>
                <th>Leaves out</th>
                <th>
                  <span className="offscreen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tasks.data.map((task) => (
                <tr key={task.Name}>
                  <th scope="row" className="break">
                    <Link href={placeUrl("/backup", { name: task.Name })}>{task.Name}</Link>
                  </th>
                  <td>
                    <StateChip task={task} />
                  </td>
                  <td>{scheduleText(task)}</td>
                  <td className="break">
                    {destinationText(task)}
                    {task.BackupEncryptionSettings?.Key ? " (encrypted)" : ""}
                  </td>
                  <td className="break">{(task.ExcludedDatabases ?? []).join(", ") || "none"}</td>
                  <td className="actions">
                    <ServerBackupMenu task={task} onDone={() => void tasks.refetch()} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="hint padded">
            How its runs went, and when the next one is, stands on the page of backups of each database, where it can be
            run at once, too.
          </p>
        </section>
      )}
    </div>
  );
}

/** One task of the server, or a new one. */
export function ServerBackupPage() {
  const { name = "", new: isNew } = useSearchState();
  return isNew ? <BackupEditor database={undefined} before={undefined} /> : <ExistingTask key={name} name={name} />;
}

function ExistingTask({ name }: { name: string }) {
  const go = useGo();
  const tasks = useWideTasks();
  if (tasks.isPending) {
    return <Loading what="the task" />;
  }
  if (!tasks.data) {
    return <ErrorBox title="The task cannot be read" error={tasks.error} onRetry={() => void tasks.refetch()} />;
  }
  const task = tasks.data.find((one) => one.Name === name);
  if (!task) {
    return (
      <Empty
        icon="history"
        title={`The server has no backup task ${name}`}
        action={<Link href={LIST}>All of them</Link>}
      >
        It may have been deleted.
      </Empty>
    );
  }
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="ellipsis" title={name}>
          {name}
        </h1>
        <StateChip task={task} />
        <span className="hint">a task of all databases</span>
        <span className="grow" />
        <ServerBackupMenu task={task} onDone={() => void tasks.refetch()} onDeleted={() => go(LIST)} />
      </div>
      {tasks.error && <ErrorBox error={tasks.error} onRetry={() => void tasks.refetch()} />}
      <BackupEditor key={JSON.stringify(task)} database={undefined} before={task} />
    </div>
  );
}

function StateChip({ task }: { task: BackupConfiguration }) {
  return <Chip tone={task.Disabled ? "none" : "good"}>{task.Disabled ? "disabled" : "enabled"}</Chip>;
}

function useWideTasks() {
  return useQuery({
    queryKey: WIDE_TASKS,
    queryFn: async ({ signal }) =>
      (
        await getJson<{ Results: readonly BackupConfiguration[] }>("/admin/configuration/server-wide/tasks", {
          query: { type: "Backup" },
          signal,
        })
      ).Results,
    refetchInterval: (query) => pollMs(query.state.error, 30_000),
  });
}
