import { useState } from "react";
import { send } from "../../api/http";
import { FormDialog } from "../../ui/dialog";
import { formatTime } from "../../ui/format";
import { useTask } from "../../ui/useTask";
import { nameRefusal } from "../databases/databaseName";
import { type RestoreChoice, type RestorePoint, restoreBody, restoreRefusal, type S3Settings } from "./backupModel";

/** Asks under which name a backup is restored, and how. */
export function RestoreDialog({
  point,
  s3,
  onClose,
  onStarted,
}: {
  point: RestorePoint;
  s3: S3Settings | undefined;
  onClose: () => void;
  onStarted: (operation: number, name: string) => void;
}) {
  const [choice, setChoice] = useState<RestoreChoice>({
    name: `${point.DatabaseName}-restored`,
    key: "",
    to: "",
    disablesTasks: true,
    skipsIndexes: false,
  });
  const task = useTask();
  const set = (change: Partial<RestoreChoice>) => setChoice((now) => ({ ...now, ...change }));
  const refusal =
    restoreRefusal(point, choice) ?? (choice.name === "" ? undefined : nameRefusal(choice.name.trim())) ?? undefined;
  const restore = () =>
    task.run(async () => {
      const answer = await send("POST", "/admin/restore/database", {
        body: restoreBody(point, choice, s3),
        isSecret: true,
      });
      onStarted((JSON.parse(answer.text) as { OperationId: number }).OperationId, choice.name.trim());
    });
  return (
    <FormDialog
      title={`Restore ${point.DatabaseName}`}
      task={task}
      refusal={refusal}
      action="Restore it"
      errorTitle="It was not begun"
      onSubmit={restore}
      onClose={onClose}
    >
      <p>As it was {formatTime(point.DateTime)}.</p>
      <label className="field">
        <span>Name of the new database</span>
        <input
          value={choice.name}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set({ name: event.target.value })}
        />
      </label>
      {point.IsEncrypted && (
        <label className="field">
          <span>Key of the backup</span>
          <input
            type="password"
            autoComplete="off"
            value={choice.key}
            onChange={(event) => set({ key: event.target.value })}
          />
        </label>
      )}
      <label className="field">
        <span>To a later time, if the journal was archived (UTC; may be empty)</span>
        <input
          value={choice.to}
          placeholder="2030-01-31T08:30:00Z"
          spellCheck={false}
          onChange={(event) => set({ to: event.target.value })}
        />
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={choice.disablesTasks}
          onChange={(event) => set({ disablesTasks: event.target.checked })}
        />
        <span>Its backups do not run by themselves: the database may be one to look at only</span>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={choice.skipsIndexes}
          onChange={(event) => set({ skipsIndexes: event.target.checked })}
        />
        <span>Without its indexes</span>
      </label>
    </FormDialog>
  );
}
