import { useState } from "react";
import { writeEntry } from "../../api/timeSeries";
import { announce } from "../../app/announcer";
import { FormDialog } from "../../ui/dialog";
import { useTask } from "../../ui/useTask";
import { kindOf, readTime, readValues, timeText } from "./seriesModel";

/** Writes an entry; without a name that of a new series. */
export function EntryDialog({
  database,
  id,
  name: known,
  onClose,
  onDone,
}: {
  database: string;
  id: string;
  name: string | undefined;
  onClose: () => void;
  onDone: () => void;
}) {
  const [name, setName] = useState(known ?? "");
  const [time, setTime] = useState(() => timeText(Math.floor(Date.now() / 1000) * 1000));
  const [text, setText] = useState("");
  const [tag, setTag] = useState("");
  const task = useTask();
  const { isIncremental } = kindOf(name);
  const at = readTime(time);
  const values = readValues(text);
  const refusal =
    name.trim() === ""
      ? "Give the series a name."
      : at === undefined
        ? "The time is none: write it as 2026-01-31 10:00:00Z."
        : values === undefined
          ? "An entry has 1 to 32 numbers, with commas between them."
          : undefined;
  const write = () =>
    task.run(async () => {
      const entry = { at: at ?? 0, tag: tag === "" ? null : tag, values: values ?? [] };
      await writeEntry(database, id, name.trim(), entry, isIncremental);
      announce("The entry is written.");
      onDone();
      onClose();
    });
  return (
    <FormDialog
      title={known === undefined ? "New series" : `New entry of ${known}`}
      task={task}
      refusal={refusal}
      action="Write it"
      onSubmit={write}
      onClose={onClose}
    >
      {known === undefined && (
        <label className="field">
          <span>Name; one that begins with INC: adds up what is written at one time</span>
          <input value={name} spellCheck={false} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </label>
      )}
      <label className="field">
        <span>Time, in UTC</span>
        <input
          className="mono"
          value={time}
          aria-invalid={at === undefined}
          autoComplete="off"
          onChange={(event) => setTime(event.target.value)}
        />
      </label>
      <label className="field">
        <span>Values</span>
        <input
          className="mono"
          value={text}
          placeholder="71, 72.5"
          aria-invalid={text !== "" && values === undefined}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {!isIncremental && (
        <label className="field">
          <span>Tag, if it has one: often the id of a document</span>
          <input className="mono" value={tag} autoComplete="off" onChange={(event) => setTag(event.target.value)} />
        </label>
      )}
      <p className="muted">
        {isIncremental
          ? "The values are added to those at this time."
          : "An entry at this time, if there is one, is replaced."}
      </p>
    </FormDialog>
  );
}
