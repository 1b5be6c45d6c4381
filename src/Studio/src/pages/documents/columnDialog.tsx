import { useState } from "react";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import type { ColumnField } from "./columns";

/** Which properties are columns. */
export function ColumnDialog({
  fields,
  chosen,
  onClose,
  onChoose,
}: {
  fields: readonly ColumnField[];
  chosen: readonly string[];
  onClose: () => void;
  onChoose: (names: readonly string[] | undefined) => void;
}) {
  const [names, setNames] = useState<readonly string[]>(chosen);
  const known = [
    ...fields.map((field) => field.name),
    ...chosen.filter((name) => !fields.some((field) => field.name === name)),
  ];
  return (
    <Dialog title="Columns" isOpen onClose={onClose}>
      <div className="scroll short">
        {known.map((name) => {
          const field = fields.find((one) => one.name === name);
          return (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={names.includes(name)}
                onChange={(event) =>
                  setNames(event.target.checked ? [...names, name] : names.filter((one) => one !== name))
                }
              />
              <span className="grow">{name}</span>
              {field && <span className="muted">{`${field.kinds} · ${Math.round(field.share * 100)}%`}</span>}
            </label>
          );
        })}
        {known.length === 0 && <p className="muted">No document was seen that has properties.</p>}
      </div>
      <div className="row end">
        <Button
          kind="quiet"
          onClick={() => {
            onChoose(undefined);
            onClose();
          }}
        >
          Choose for me
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            onChoose(names);
            onClose();
          }}
        >
          Show
        </Button>
      </div>
    </Dialog>
  );
}
