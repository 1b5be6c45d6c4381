import { useState } from "react";
import { carryAttachment } from "../../api/parts";
import { announce } from "../../app/announcer";
import { FormDialog } from "../../ui/dialog";
import { useTask } from "../../ui/useTask";

/** Gives an attachment another name or document, or makes a copy of it there; neither moves its bytes. */
export function CarryDialog({
  database,
  id,
  name,
  how,
  onClose,
  onDone,
}: {
  database: string;
  id: string;
  name: string;
  how: "COPY" | "MOVE";
  onClose: () => void;
  onDone: () => void;
}) {
  const [to, setTo] = useState({ id, name });
  const task = useTask();
  const isSame = to.name === name && to.id.trim().toLowerCase() === id.toLowerCase();
  const refusal =
    to.name === "" || to.id.trim() === ""
      ? "Give it a document and a name."
      : isSame
        ? "It is there already: change the name or the document."
        : undefined;
  const carry = () =>
    task.run(async () => {
      await carryAttachment(database, how, { id, name }, { id: to.id.trim(), name: to.name });
      announce(how === "COPY" ? `${name} is copied.` : `${name} is moved.`);
      onDone();
      onClose();
    });
  return (
    <FormDialog
      title={how === "COPY" ? `Copy ${name}` : `Rename or move ${name}`}
      task={task}
      refusal={refusal}
      action={how === "COPY" ? "Copy it" : "Move it"}
      onSubmit={carry}
      onClose={onClose}
    >
      <label className="field">
        <span>Name</span>
        <input
          value={to.name}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTo({ ...to, name: event.target.value })}
        />
      </label>
      <label className="field">
        <span>Document</span>
        <input
          className="mono"
          value={to.id}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTo({ ...to, id: event.target.value })}
        />
      </label>
    </FormDialog>
  );
}
