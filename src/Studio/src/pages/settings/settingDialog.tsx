import { useId, useState } from "react";
import { FormDialog } from "../../ui/dialog";
import { useTask } from "../../ui/useTask";
import { DATABASE_SETTINGS, type SettingRow } from "./settingsModel";

/** Sets a setting of a database. */
export function SettingDialog({
  row,
  names,
  onClose,
  onSave,
}: {
  /** Undefined for one that is not set yet. */
  row: SettingRow | undefined;
  /** All settings that are there. */
  names: readonly SettingRow[];
  onClose: () => void;
  onSave: (name: string, value: string) => Promise<void>;
}) {
  const list = useId();
  const [name, setName] = useState(row?.name ?? "");
  // A secret is not shown, so a change of it is a new one.
  const [value, setValue] = useState(row && !row.isSecret ? row.value : "");
  const task = useTask();
  const taken = row ? undefined : names.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  const refusal =
    name.trim() === ""
      ? "Name the setting first."
      : taken
        ? taken.isOfDatabase
          ? "It is set already: change it in the list."
          : "It is a setting of the server, and set in its configuration."
        : row?.isSecret && value === ""
          ? "Enter the new secret first."
          : undefined;
  const save = () =>
    task.run(async () => {
      await onSave(name.trim(), value);
      onClose();
    });
  return (
    <FormDialog
      title={row ? `Change ${row.name}` : "Set a setting of the database"}
      task={task}
      refusal={refusal}
      action="Save"
      errorTitle="It was not set"
      onSubmit={save}
      onClose={onClose}
    >
      {!row && (
        <label className="field">
          <span>Name</span>
          <input
            className="mono"
            list={list}
            value={name}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
          />
          <datalist id={list}>
            {DATABASE_SETTINGS.map(([one, does]) => (
              <option key={one} value={one}>
                {does}
              </option>
            ))}
          </datalist>
        </label>
      )}
      <label className="field">
        <span>{row?.isSecret ? "New secret" : "Value"}</span>
        <input
          className="mono"
          type={row?.isSecret ? "password" : "text"}
          value={value}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setValue(event.target.value)}
        />
      </label>
    </FormDialog>
  );
}
