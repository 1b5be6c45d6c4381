import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { databasePath, send } from "../../api/http";
import { announce } from "../../app/announcer";
import { databasePlace, placeUrl, useGo } from "../../app/places";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy";
import { ErrorBox } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import {
  type BackupConfiguration,
  configurationOf,
  draftOf,
  draftRefusal,
  WIDE_TASKS,
  wideConfigurationOf,
} from "./backupModel";
import { CronField } from "./cronField";
import { FolderField } from "./folderField";
import { S3Fields } from "./s3Fields";

/** Makes a task of a database or of the server, or changes one. */
export function BackupEditor({
  database,
  before,
  refusal: ownRefusal,
  onStored,
}: {
  /** Undefined for a task of the server. */
  database: string | undefined;
  before: BackupConfiguration | undefined;
  refusal?: string;
  onStored?: () => void;
}) {
  const client = useQueryClient();
  const go = useGo();
  const [draft, setDraft] = useState(() => draftOf(before));
  const { isBusy, error, run, dismiss } = useTask();
  const set = (change: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...change }));
  const isChanged = !before || JSON.stringify(draft) !== JSON.stringify(draftOf(before));
  const refusal = ownRefusal ?? draftRefusal(draft) ?? (isChanged ? undefined : "Nothing is changed.");
  const isMasked = /^\*+$/.test(draft.key);
  // The key of a bucket and that of the backups are in what is sent.
  const store = async (of: string) => {
    const body = configurationOf(draft, before);
    const answer = await send("POST", databasePath(of, "admin/periodic-backup"), { body, isSecret: true });
    const { TaskId } = JSON.parse(answer.text) as { TaskId: number };
    return placeUrl(databasePlace(of, "backup"), { task: String(TaskId) });
  };
  const storeWide = async () => {
    const body = wideConfigurationOf(draft, before);
    const answer = await send("PUT", "/admin/configuration/server-wide/backup", { body, isSecret: true });
    return placeUrl("/backup", { name: (JSON.parse(answer.text) as { Name: string }).Name });
  };
  const save = () =>
    run(async () => {
      const place = database === undefined ? await storeWide() : await store(database);
      announce("The task is stored.");
      await client.invalidateQueries({ queryKey: database === undefined ? WIDE_TASKS : ["backup-tasks", database] });
      onStored?.();
      if (!before) {
        go(place);
      }
    });
  return (
    <form
      className="page"
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === undefined && !isBusy) {
          void save();
        }
      }}
    >
      <div className="page-head">
        {!before && <h1>{database === undefined ? "New backup of all databases" : "New backup"}</h1>}
        {ownRefusal && <span className="hint">{ownRefusal}</span>}
        <span className="grow" />
        <Button kind="primary" icon="save" type="submit" isBusy={isBusy} refusal={refusal}>
          {before ? "Save" : "Create"}
        </Button>
      </div>
      {error !== undefined && <ErrorBox title="It was not stored" error={error} onDismiss={dismiss} />}
      <section className="scroll" aria-label="Configuration" tabIndex={0}>
        <div className="form">
          {database === undefined && before ? null : (
            <label className="field">
              <span>Name (empty: the server chooses one)</span>
              <input value={draft.name} autoComplete="off" onChange={(event) => set({ name: event.target.value })} />
            </label>
          )}
          {database === undefined && (
            <label className="field">
              <span>Databases that it leaves out (with commas between them; empty: none)</span>
              <input
                value={draft.excluded}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => set({ excluded: event.target.value })}
              />
            </label>
          )}
          <fieldset>
            <legend>When</legend>
            <div className="fields">
              <CronField title="All of it (cron)" value={draft.full} onChange={(full) => set({ full })} />
              <CronField
                title="What has changed (cron)"
                value={draft.incremental}
                onChange={(incremental) => set({ incremental })}
              />
            </div>
            <label className="check">
              <input
                type="checkbox"
                checked={draft.isDisabled}
                onChange={(event) => set({ isDisabled: event.target.checked })}
              />
              <span>Disabled: it runs only when it is started by hand</span>
            </label>
          </fieldset>
          <fieldset>
            <legend>Where to</legend>
            <FolderField database={database} value={draft.folder} onChange={(folder) => set({ folder })} />
            <label className="check">
              <input type="checkbox" checked={draft.hasS3} onChange={(event) => set({ hasS3: event.target.checked })} />
              <span>A bucket that speaks S3</span>
            </label>
            {draft.hasS3 && <S3Fields value={draft.s3} onChange={(s3) => set({ s3 })} />}
          </fieldset>
          <fieldset>
            <legend>How</legend>
            <div className="fields">
              <label className="field">
                <span>Full backups are kept for (days; empty: for ever)</span>
                <input
                  value={draft.keepDays}
                  inputMode="numeric"
                  placeholder="30"
                  onChange={(event) => set({ keepDays: event.target.value })}
                />
              </label>
              <label className="field">
                <span>Files are called</span>
                <select
                  value={draft.isSnapshot ? "Snapshot" : "Backup"}
                  onChange={(event) => set({ isSnapshot: event.target.value === "Snapshot" })}
                >
                  <option value="Backup">backups</option>
                  <option value="Snapshot">snapshots (the same is in them)</option>
                </select>
              </label>
            </div>
            <label className="field">
              <span>Key that encrypts them: 32 bytes in base64 (empty: not encrypted)</span>
              <input
                className="mono"
                value={draft.key}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => set({ key: event.target.value })}
              />
            </label>
            <div className="row">
              <Button icon="key" onClick={() => set({ key: newKey() })}>
                Make a key
              </Button>
              {draft.key !== "" && !isMasked && <CopyButton text={draft.key}>Copy the key</CopyButton>}
              <span className={draft.key !== "" && !isMasked ? "hint bad" : "hint"}>
                {isMasked
                  ? "The server has the key, and shows it to nobody."
                  : "Keep it apart: without it an encrypted backup cannot be read, and it is shown here alone."}
              </span>
            </div>
            <label className="check">
              <input
                type="checkbox"
                checked={draft.archivesJournal}
                onChange={(event) => set({ archivesJournal: event.target.checked })}
              />
              <span>Archive the journal each minute, to restore to a time</span>
            </label>
          </fieldset>
        </div>
      </section>
    </form>
  );
}

/** 32 random bytes in base64. */
function newKey(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}
