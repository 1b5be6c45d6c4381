import { useState } from "react";
import { send } from "../../api/http";
import { announce } from "../../app/announcer";
import { FormDialog } from "../../ui/dialog";
import { useTask } from "../../ui/useTask";
import {
  type ApiKey,
  clearanceRefusal,
  endOf,
  readList,
  readRightRows,
  rightRows,
  type WhoAmI,
} from "./certificateModel";
import { EndFields } from "./endFields";
import { type IdentityDraft, RightsFields } from "./rightsFields";

/** Makes a key, or changes what one may do. */
export function ApiKeyDialog({
  apiKey,
  who,
  onClose,
  onDone,
}: {
  apiKey?: ApiKey;
  who: WhoAmI | undefined;
  onClose: () => void;
  /** Gets the key of one that was made, which is shown once. */
  onDone: (secret: string | undefined) => void;
}) {
  const [draft, setDraft] = useState<IdentityDraft>({
    name: apiKey?.Name ?? "",
    clearance: apiKey?.SecurityClearance ?? "ValidUser",
    rows: rightRows(apiKey?.Permissions ?? {}),
  });
  const [isMonitoring, setMonitoring] = useState(apiKey?.Scopes?.includes("monitoring") ?? false);
  const [addresses, setAddresses] = useState((apiKey?.AllowedAddresses ?? []).join("\n"));
  const [ends, setEnds] = useState({
    choice: apiKey ? (apiKey.ExpiresAt ? "day" : "never") : "90",
    day: apiKey?.ExpiresAt?.slice(0, 10) ?? "",
  });
  const task = useTask();
  const { permissions, wrong } = readRightRows(draft.rows);
  const end = endOf(ends.choice, ends.day, Date.now());
  // A day that was not changed keeps the time of day that the key had.
  const isSameDay = apiKey?.ExpiresAt && ends.choice === "day" && ends.day === apiKey.ExpiresAt.slice(0, 10);
  const refusal =
    clearanceRefusal(who, draft.clearance) ??
    (draft.name.trim() === "" ? "Give it a name first." : undefined) ??
    wrong ??
    (isSameDay ? undefined : end.wrong);
  const save = () =>
    task.run(async () => {
      const answer = await send(apiKey ? "PUT" : "POST", "/admin/api-keys", {
        query: { id: apiKey?.Id },
        body: {
          Name: draft.name.trim(),
          SecurityClearance: draft.clearance,
          Permissions: draft.clearance === "ValidUser" ? permissions : {},
          Scopes: isMonitoring ? ["monitoring"] : [],
          AllowedAddresses: readList(addresses),
          ExpiresAt: isSameDay ? apiKey.ExpiresAt : end.at,
        },
      });
      announce(`The key ${draft.name.trim()} is ${apiKey ? "changed" : "made"}.`);
      onDone(apiKey ? undefined : (JSON.parse(answer.text) as { Key: string }).Key);
    });
  return (
    <FormDialog
      title={apiKey ? "What the key may do" : "Make an API key"}
      task={task}
      refusal={refusal}
      action={apiKey ? "Save" : "Make it"}
      onSubmit={save}
      onClose={onClose}
    >
      <RightsFields draft={draft} who={who} isKey onChange={setDraft} />
      <EndFields value={ends} wrong={isSameDay ? undefined : end.wrong} canBeEndless onChange={setEnds} />
      <label className="field">
        <span>Counts only from (addresses and networks; empty: from everywhere)</span>
        <textarea
          rows={2}
          value={addresses}
          spellCheck={false}
          placeholder="10.0.0.0/8"
          onChange={(event) => setAddresses(event.target.value)}
        />
      </label>
      <label className="check">
        <input type="checkbox" checked={isMonitoring} onChange={(event) => setMonitoring(event.target.checked)} />
        <span>reads metrics of the server (the scope “monitoring”)</span>
      </label>
    </FormDialog>
  );
}

/** Gives a key another secret. */
export function RotateDialog({
  apiKey,
  onClose,
  onDone,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onDone: (secret: string) => void;
}) {
  const [grace, setGrace] = useState("3600");
  const task = useTask();
  const rotate = () =>
    task.run(async () => {
      const answer = await send("POST", "/admin/api-keys/rotate", { query: { id: apiKey.Id, graceSec: grace } });
      announce(`The key ${apiKey.Name} is rotated.`);
      onDone((JSON.parse(answer.text) as { Key: string }).Key);
    });
  return (
    <FormDialog
      title={`Rotate ${apiKey.Name}`}
      task={task}
      action="Rotate it"
      kind="danger"
      onSubmit={rotate}
      onClose={onClose}
    >
      <p>
        <strong>The key gets another secret, which is shown once. What uses the one before stops when it ends.</strong>
      </p>
      <label className="field">
        <span>The one before counts on for</span>
        <select value={grace} onChange={(event) => setGrace(event.target.value)}>
          <option value="0">no time: it ends at once</option>
          <option value="300">5 minutes</option>
          <option value="3600">an hour</option>
          <option value="86400">a day</option>
        </select>
      </label>
    </FormDialog>
  );
}
