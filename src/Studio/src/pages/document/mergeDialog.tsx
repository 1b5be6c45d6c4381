import { useEffect, useState } from "react";
import { announce } from "../../app/announcer";
import type { MergeChoice } from "../../json/jsonMerge";
import type { OpenMerge } from "../../json/jsonWork";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { plural } from "../../ui/format";
import { ErrorBox } from "../../ui/states";

const SIDES: readonly { side: MergeChoice; title: string }[] = [
  { side: "base", title: "Before both" },
  { side: "theirs", title: "Theirs, stored now" },
  { side: "mine", title: "Mine" },
];

/** How much of the merged text is shown, in characters. */
const SHOWN_MAX = 200_000;

/** Two changed one document: shows what each changed, asks where they differ, and saves what came of it. */
export function MergeDialog({
  id,
  merge,
  mine,
  onClose,
  onTakeTheirs,
  onSave,
}: {
  id: string;
  /** Undefined if the document was deleted. */
  merge: OpenMerge | undefined;
  mine: string;
  onClose: () => void;
  onTakeTheirs: () => void;
  onSave: (text: string) => Promise<void>;
}) {
  const [choices, setChoices] = useState<readonly (MergeChoice | undefined)[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const [shown, setMerged] = useState("");
  const open = (merge?.conflicts ?? []).filter((_, at) => choices[at] === undefined).length;
  useEffect(() => {
    let isNow = isShown;
    if (isShown) {
      resolve(merge, mine, choices)
        .then((text) => isNow && setMerged(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text))
        .catch(setError);
    }
    return () => {
      isNow = false;
    };
  }, [isShown, merge, mine, choices]);
  const save = async () => {
    if (isBusy || open > 0) {
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await onSave(await resolve(merge, mine, choices));
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
          <fieldset key={conflict.path} className="merge-place">
            <legend className="mono">{conflict.path}</legend>
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
                <pre>{conflict[side] ?? "(not there)"}</pre>
              </label>
            ))}
          </fieldset>
        ))}
        <details onToggle={(event) => setShown(event.currentTarget.open)}>
          <summary>What is going to be saved</summary>
          <pre className="merged">{shown}</pre>
        </details>
      </div>
      {error !== undefined && (
        <ErrorBox title="It was not saved: close this and save again to see what changed since" error={error} />
      )}
      <div className="row end">
        <Button onClick={onClose}>Back to the editor</Button>
        {merge && <Button onClick={onTakeTheirs}>Drop mine, take theirs</Button>}
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

function resolve(
  merge: OpenMerge | undefined,
  mine: string,
  choices: readonly (MergeChoice | undefined)[],
): Promise<string> {
  return merge ? merge.resolve(choices) : Promise.resolve(mine);
}
