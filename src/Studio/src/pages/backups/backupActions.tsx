import { useState } from "react";
import { databasePath, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { showError } from "../../app/toasts";
import { Confirm } from "../../ui/dialog";
import { Menu, type MenuEntry } from "../../ui/menu";
import { type BackupConfiguration, type BackupTask, isServerWide } from "./backupModel";

/** What can be done to a task of a database. Those of the server are changed where they are. */
export function BackupMenu({
  database,
  task,
  onStarted,
  onDone,
  onDeleted,
}: {
  database: string;
  task: BackupTask;
  /** Gets the id of the operation of a run. */
  onStarted: (operation: number) => void;
  onDone: () => void;
  onDeleted?: () => void;
}) {
  const id = task.TaskId;
  const run = (isFullBackup: boolean) => () => {
    send("POST", databasePath(database, "admin/backup/database"), { query: { isFullBackup, taskId: id } })
      .then((answer) => onStarted((JSON.parse(answer.text) as { OperationId: number }).OperationId))
      .catch((error: unknown) => showError(`${task.TaskName} was not run`, error))
      .finally(onDone);
  };
  const runs: MenuEntry[] = [
    { text: "Back up all of it now", icon: "save", onSelect: run(true) },
    { text: "Back up what has changed now", icon: "save", onSelect: run(false) },
  ];
  if (isServerWide(task)) {
    return <Menu name={`Actions of ${task.TaskName}`} entries={runs} />;
  }
  return (
    <TaskMenu
      name={task.TaskName}
      isDisabled={task.TaskState === "Disabled"}
      first="The task is gone, and backs nothing up any more. The backups that it has made stay where they are."
      entries={runs}
      setDisabled={(disable) =>
        send("POST", databasePath(database, "admin/tasks/state"), { query: { key: id, type: "Backup", disable } })
      }
      remove={() => send("DELETE", databasePath(database, "admin/tasks"), { query: { id, type: "Backup" } })}
      onDone={onDone}
      onDeleted={onDeleted}
    />
  );
}

/** What can be done to a task of the server. */
export function ServerBackupMenu({
  task,
  onDone,
  onDeleted,
}: {
  task: BackupConfiguration;
  onDone: () => void;
  onDeleted?: () => void;
}) {
  const name = task.Name ?? "";
  const query = { type: "Backup", name };
  return (
    <TaskMenu
      name={name}
      isDisabled={task.Disabled === true}
      first="The task is gone from all databases. The backups that it has made stay where they are."
      isTyped
      setDisabled={(disable) =>
        send("POST", "/admin/configuration/server-wide/state", { query: { ...query, disable } })
      }
      remove={() => send("DELETE", "/admin/configuration/server-wide/task", { query })}
      onDone={onDone}
      onDeleted={onDeleted}
    />
  );
}

function TaskMenu({
  name,
  isDisabled,
  first,
  isTyped,
  entries = [],
  setDisabled,
  remove,
  onDone,
  onDeleted,
}: {
  name: string;
  isDisabled: boolean;
  /** What is said before it is deleted. */
  first: string;
  /** Whether the name has to be typed then. */
  isTyped?: boolean;
  /** What stands before what all tasks have. */
  entries?: readonly MenuEntry[];
  setDisabled: (disable: boolean) => Promise<unknown>;
  remove: () => Promise<unknown>;
  onDone: () => void;
  onDeleted: (() => void) | undefined;
}) {
  const [isAsked, setAsked] = useState(false);
  const change = () => {
    setDisabled(!isDisabled)
      .then(() => announce(`${name} is ${isDisabled ? "enabled" : "disabled"}.`))
      .catch((error: unknown) => showError(`${name} was not changed`, error))
      .finally(onDone);
  };
  return (
    <>
      <Menu
        name={`Actions of ${name}`}
        entries={[
          ...entries,
          isDisabled
            ? { text: "Enable", icon: "play", onSelect: change }
            : { text: "Disable (no run by itself)", icon: "pause", onSelect: change },
          { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => setAsked(true) },
        ]}
      />
      <Confirm
        title={`Delete ${name}`}
        isOpen={isAsked}
        first={first}
        action="Delete it"
        {...(isTyped ? { typed: name } : {})}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await remove();
          announce(`${name} is deleted.`);
          (onDeleted ?? onDone)();
        }}
      />
    </>
  );
}
