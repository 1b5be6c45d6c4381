import { useState } from "react";
import { announce } from "../../app/announcer";
import { type MergeChoice, mergeJson, pathText } from "../../json/jsonMerge";
import { type JsonNode, printJson } from "../../json/jsonTree";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { plural } from "../../ui/format";
import { ErrorBox } from "../../ui/states";

const SIDES: readonly { side: MergeChoice; title: string }[] = [
  { side: "base", title: "Before both" },
  { side: "theirs", title: "Theirs, stored now" },
  { side: "mine", title: "Mine" },
];

/** Two changed one document: shows what each changed, asks where they differ, and saves what came of it. */
export function MergeDialog({
  id,
  base,
  theirs,
  mine,
  onClose,
  onTakeTheirs,
  onSave,
}: {
  id: string;
  base: JsonNode;
  /** What is stored now; undefined if it was deleted. */
  theirs: JsonNode | undefined;
  mine: JsonNode;
  onClose: () => void;
  onTakeTheirs: () => void;
  onSave: (text: string) => Promise<void>;
}) {
  // The three stay what they are while the dialog is open.
  const [merge] = useState(() => (theirs ? mergeJson(base, theirs, mine) : undefined));
  const [choices, setChoices] = useState<readonly (MergeChoice | undefined)[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const open = (merge?.conflicts ?? []).filter((_, at) => choices[at] === undefined).length;
  const merged = merge ? merge.resolve(choices) : mine;
  const save = async () => {
    if (!merged || open > 0) {
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await onSave(printJson(merged, 2));
    } catch (failure) {
      setError(failure);
      announce("It was not saved.");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={`${id} was changed by another client`} isOpen onClose={onClose} wide>
      {!merge && (
        <p>
          <strong>It was deleted meanwhile.</strong> Saving stores your text as a new document under the same id.
        </p>
      )}
      {merge && (
        <p>
          {plural(merge.fromTheirs, "change")} of theirs and {plural(merge.fromMine, "change")} of yours go together.{" "}
          {merge.conflicts.length === 0
            ? "Nothing was changed by both."
            : `${plural(merge.conflicts.length, "place")} you both changed: choose.`}
        </p>
      )}
      <div className="scroll merge-places">
        {merge?.conflicts.map((conflict, at) => (
          <fieldset key={pathText(conflict.path)} className="merge-place">
            <legend className="mono">{pathText(conflict.path)}</legend>
            {SIDES.map(({ side, title }) => (
              <label key={side} className={choices[at] === side ? "merge-side is-chosen" : "merge-side"}>
                <span>
                  <input
                    type="radio"
                    name={`place-${at}`}
                    checked={choices[at] === side}
                    onChange={() => {
                      const next = [...choices];
                      next[at] = side;
                      setChoices(next);
                    }}
                  />
                  {title}
                </span>
                <pre>{conflict[side] ? printJson(conflict[side] as JsonNode, 2) : "(not there)"}</pre>
              </label>
            ))}
          </fieldset>
        ))}
        {merged && (
          <details>
            <summary>What is going to be saved</summary>
            <pre className="merged">{printJson(merged, 2)}</pre>
          </details>
        )}
      </div>
      {error !== undefined && (
        <ErrorBox title="It was not saved: close this and save again to see what changed since" error={error} />
      )}
      <div className="row end">
        <Button onClick={onClose}>Back to the editor</Button>
        {theirs && <Button onClick={onTakeTheirs}>Drop mine, take theirs</Button>}
        <Button
          kind="primary"
          icon="save"
          isBusy={isBusy}
          refusal={open > 0 ? `Choose at ${plural(open, "place")} first.` : undefined}
          onClick={() => void save()}
        >
          {merge ? "Save merged" : "Store it again"}
        </Button>
      </div>
    </Dialog>
  );
}
