import { useState } from "react";
import { databasePath, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { showError } from "../../app/toasts";
import { Confirm } from "../../ui/dialog";
import { Menu, type MenuEntry } from "../../ui/menu";
import { type BackupTask, isServerWide } from "./backupModel";

/** What can be done to a task. */
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
  const [isAsked, setAsked] = useState(false);
  const id = task.TaskId;
  const run = (isFullBackup: boolean) => () => {
    send("POST", databasePath(database, "admin/backup/database"), { query: { isFullBackup, taskId: id } })
      .then((answer) => onStarted((JSON.parse(answer.text) as { OperationId: number }).OperationId))
      .catch((error: unknown) => showError(`${task.TaskName} was not run`, error))
      .finally(onDone);
  };
  const isDisabled = task.TaskState === "Disabled";
  const disable = () => {
    send("POST", databasePath(database, "admin/tasks/state"), {
      query: { key: id, type: "Backup", disable: !isDisabled },
    })
      .then(() => announce(`${task.TaskName} is ${isDisabled ? "enabled" : "disabled"}.`))
      .catch((error: unknown) => showError(`${task.TaskName} was not changed`, error))
      .finally(onDone);
  };
  const own: MenuEntry[] = isServerWide(task)
    ? []
    : [
        isDisabled
          ? { text: "Enable", icon: "play", onSelect: disable }
          : { text: "Disable (no run by itself)", icon: "pause", onSelect: disable },
        { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => setAsked(true) },
      ];
  return (
    <>
      <Menu
        name={`Actions of ${task.TaskName}`}
        entries={[
          { text: "Back up all of it now", icon: "save", onSelect: run(true) },
          { text: "Back up what has changed now", icon: "save", onSelect: run(false) },
          ...own,
        ]}
      />
      <Confirm
        title={`Delete ${task.TaskName}`}
        isOpen={isAsked}
        first="The task is gone, and backs nothing up any more. The backups that it has made stay where they are."
        action="Delete it"
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await send("DELETE", databasePath(database, "admin/tasks"), { query: { id, type: "Backup" } });
          announce(`${task.TaskName} is deleted.`);
          (onDeleted ?? onDone)();
        }}
      />
    </>
  );
}
