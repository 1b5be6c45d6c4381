import { useQuery } from "@tanstack/react-query";
import { getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places";
import { Chip } from "../../ui/chip";
import { formatBytes, formatDuration, formatTime } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { OperationBar } from "../operations/operationBar";
import { BackupMenu } from "./backupActions";
import { BackupEditor } from "./backupEditor";
import {
  type BackupConfiguration,
  type BackupStatus,
  type BackupTask,
  isServerWide,
  nextText,
  statusError,
  taskState,
  wideName,
} from "./backupModel";
import { useBackupTasks } from "./backupsPage";

/** One task that backs a database up, or a new one. */
export function BackupPage() {
  const database = useDatabase();
  const { task = "", new: isNew } = useSearchState();
  return isNew ? (
    <BackupEditor database={database} before={undefined} />
  ) : (
    <ExistingTask key={task} database={database} id={task} />
  );
}

function ExistingTask({ database, id }: { database: string; id: string }) {
  const { tab = "status", operation } = useSearchState();
  const setSearch = useSetSearch();
  const go = useGo();
  const tasks = useBackupTasks(database);
  const status = useQuery({
    queryKey: ["backup-status", database, id],
    queryFn: ({ signal }) =>
      getJson<{ Status: BackupStatus | null }>("/periodic-backup/status", {
        query: { name: database, taskId: id },
        signal,
      }),
    refetchInterval: (query) => pollMs(query.state.error, 10_000),
  });
  const configuration = useQuery({
    queryKey: ["backup-configuration", database, id],
    queryFn: ({ signal }) =>
      getJson<BackupConfiguration>("/periodic-backup", { query: { name: database, taskId: id }, signal }),
  });
  const list = placeUrl(databasePlace(database, "backups"));
  const task = tasks.data?.find((one) => String(one.TaskId) === id);
  if (tasks.error) {
    return <ErrorBox error={tasks.error} onRetry={() => void tasks.refetch()} />;
  }
  if (!tasks.data) {
    return <Loading what="the task" />;
  }
  if (!task) {
    return (
      <Empty
        icon="history"
        title={`There is no task ${id} that backs up`}
        action={<Link href={list}>All backups</Link>}
      />
    );
  }
  const again = () => {
    void tasks.refetch();
    void status.refetch();
  };
  const { tone, word } = taskState(task);
  const running = operation ?? task.OnGoingBackup?.RunningBackupTaskId;
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="ellipsis" title={task.TaskName}>
          {task.TaskName}
        </h1>
        <Chip tone={tone}>{word}</Chip>
        {isServerWide(task) && (
          <Link href={placeUrl("/backup", { name: wideName(task) })}>a task of all databases</Link>
        )}
        <span className="grow" />
        <BackupMenu
          database={database}
          task={task}
          onStarted={(started) => setSearch({ operation: String(started) })}
          onDone={again}
          onDeleted={() => go(list)}
        />
      </div>
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
      <Tabs
        name={`Parts of ${task.TaskName}`}
        value={tab}
        onChange={(key) => setSearch({ tab: key === "status" ? undefined : key })}
        entries={[
          {
            key: "status",
            title: "How it went",
            content: () =>
              status.error ? (
                <ErrorBox error={status.error} onRetry={() => void status.refetch()} />
              ) : status.data ? (
                <Status
                  task={task}
                  status={status.data.Status}
                  folder={configuration.data?.LocalSettings?.FolderPath}
                />
              ) : (
                <Loading what="how it went" />
              ),
          },
          {
            key: "configuration",
            title: "Configuration",
            content: () =>
              configuration.error ? (
                <ErrorBox error={configuration.error} onRetry={() => void configuration.refetch()} />
              ) : configuration.data ? (
                <BackupEditor
                  database={database}
                  before={configuration.data}
                  onStored={() => {
                    void configuration.refetch();
                    again();
                  }}
                  {...(isServerWide(task)
                    ? { refusal: "It is a task of all databases: it is changed for the server as a whole." }
                    : {})}
                />
              ) : (
                <Loading what="the configuration" />
              ),
          },
        ]}
      />
    </div>
  );
}

function Status({
  task,
  status,
  folder,
}: {
  task: BackupTask;
  status: BackupStatus | null;
  folder: string | undefined;
}) {
  const error = statusError(status);
  const history = status?.History ?? [];
  const archive = status?.JournalArchive;
  return (
    <section className="scroll" aria-label="How it went" tabIndex={0}>
      {error !== undefined && <ErrorBox title="The last run failed" error={new Error(error)} />}
      <dl className="facts">
        <dt>Next run</dt>
        <dd>{nextText(task)}</dd>
        <dt>Last full backup</dt>
        <dd>{status?.LastFullBackup ? formatTime(status.LastFullBackup) : "never"}</dd>
        <dt>Last incremental one</dt>
        <dd>{status?.LastIncrementalBackup ? formatTime(status.LastIncrementalBackup) : "never"}</dd>
        {status?.DelayUntil && (
          <>
            <dt>Put off until</dt>
            <dd>{formatTime(status.DelayUntil)}</dd>
          </>
        )}
        <dt>Last folder</dt>
        <dd>
          <code>{status?.LocalBackup?.BackupDirectory ?? status?.FolderName ?? "none"}</code>
        </dd>
        <dt>Files compared</dt>
        <dd className={status?.LastVerified?.Error ? "bad" : ""}>
          {status?.LastVerified
            ? `${formatTime(status.LastVerified.At)}: ${status.LastVerified.Error ?? "all as they were written"}`
            : "never"}
        </dd>
        {archive && (
          <>
            <dt>Journal archived up to</dt>
            <dd className={archive.Error ? "bad" : ""}>{archive.Error ?? formatTime(archive.LastCommittedAt)}</dd>
          </>
        )}
      </dl>
      <div className="row padded">
        {folder && (
          <Link className="button" href={placeUrl("/restore", { folder })}>
            Restore from its folder…
          </Link>
        )}
      </div>
      <h2 className="padded">Runs</h2>
      {history.length === 0 ? (
        <p className="muted padded">It has not run yet.</p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th>Result</th>
              <th className="number">Size</th>
              <th className="number">Took</th>
            </tr>
          </thead>
          <tbody>
            {[...history]
              .sort((a, b) => (a.At < b.At ? 1 : -1))
              .map((run) => (
                <tr key={`${run.At} ${run.FileName}`}>
                  <td className="nowrap">{formatTime(run.At)}</td>
                  <td>
                    {run.IsFull ? "full" : "incremental"}
                    {run.WhyFull && <span className="muted">{`: ${run.WhyFull}`}</span>}
                  </td>
                  <td className={run.Error ? "bad break" : "break"}>
                    {run.Error ?? run.FileName ?? "nothing had changed"}
                    {run.Removed.length > 0 && <span className="muted">{`, ${run.Removed.length} old removed`}</span>}
                  </td>
                  <td className="number">{formatBytes(run.SizeInBytes)}</td>
                  <td className="number">{formatDuration(run.DurationInMs)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
