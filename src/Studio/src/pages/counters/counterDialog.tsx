import { useState } from "react";
import { type Counter, changeCounter } from "../../api/counters";
import { announce } from "../../app/announcer";
import { FormDialog } from "../../ui/dialog";
import { useTask } from "../../ui/useTask";
import { addWhole, groupDigits, readWhole } from "./wholeNumber";

/** Adds to a counter or sets it; without one it makes one. */
export function CounterDialog({
  database,
  id,
  counter,
  onClose,
  onDone,
}: {
  database: string;
  id: string;
  counter: Counter | undefined;
  onClose: () => void;
  onDone: () => void;
}) {
  const [name, setName] = useState("");
  const [text, setText] = useState(counter ? "1" : "0");
  const [type, setType] = useState<"Increment" | "Put">("Increment");
  const task = useTask();
  const amount = readWhole(text);
  const sum = counter && amount !== undefined && type === "Increment" ? addWhole(counter.value, amount) : amount;
  const refusal =
    !counter && name.trim() === ""
      ? "Give it a name."
      : amount === undefined
        ? "The number is whole and has at most 64 bits."
        : sum === undefined
          ? "The counter would have more than 64 bits."
          : undefined;
  const change = () =>
    task.run(async () => {
      const of = counter?.name ?? name.trim();
      await changeCounter(database, id, { type, name: of, amount: amount ?? "0" });
      announce(`${of} is changed.`);
      onDone();
      onClose();
    });
  return (
    <FormDialog
      title={counter ? `Change ${counter.name}` : "New counter"}
      task={task}
      refusal={refusal}
      action={counter ? (type === "Increment" ? "Add" : "Set") : "Make it"}
      onSubmit={change}
      onClose={onClose}
    >
      {counter ? (
        <fieldset className="choices">
          <legend className="offscreen">How</legend>
          <label className="check">
            <input type="radio" name="how" checked={type === "Increment"} onChange={() => setType("Increment")} />
            <span>Add to it: what others add meanwhile stays</span>
          </label>
          <label className="check">
            <input type="radio" name="how" checked={type === "Put"} onChange={() => setType("Put")} />
            <span>Set it: what others add meanwhile is lost</span>
          </label>
        </fieldset>
      ) : (
        <label className="field">
          <span>Name</span>
          <input value={name} spellCheck={false} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </label>
      )}
      <label className="field">
        <span>{counter && type === "Increment" ? "How much; with a minus it is taken away" : "Value"}</span>
        <input
          className="mono"
          inputMode="numeric"
          value={text}
          aria-invalid={amount === undefined}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {counter && sum !== undefined && (
        <p className="muted">
          {groupDigits(counter.value)} becomes {groupDigits(sum)}.
        </p>
      )}
    </FormDialog>
  );
}
