import { useCallback, useRef, useState } from "react";
import { type CompareExchange, exchange, guardedId, readValueText, removeValue } from "../../api/compareExchange";
import { announce } from "../../app/announcer";
import { useLeaveQuestion } from "../../app/leaveQuestion";
import { Link } from "../../app/link";
import { databasePlace, documentUrl, placeUrl, useGo, useSearchState } from "../../app/places";
import { useSaveKey } from "../../app/saveKey";
import { CodeEditor, type EditorHandle } from "../../editor/codeEditor";
import { languageFor } from "../../editor/jsonLanguage";
import { formatJson } from "../../json/jsonFormat";
import { printJson } from "../../json/jsonTree";
import { type OpenMerge, openMerge } from "../../json/jsonWork";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { Confirm } from "../../ui/dialog";
import { formatCount, formatTime } from "../../ui/format";
import { ErrorBox } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import { dropDraft, keepDraft, readDrafts } from "../document/drafts";
import { marksOf } from "../document/editorChecks";
import { MergeDialog } from "../document/mergeDialog";

const NEW_TEXT = '{\n  "Object": ""\n}';

/** Two set one value at once. */
interface LostRace {
  readonly theirs: CompareExchange | undefined;
  readonly mine: string;
  /** Undefined if the value was deleted. */
  readonly merge: OpenMerge | undefined;
}

/** Changes a value, or makes one. It is written only over the index that the person has seen. */
export function ValueEditor({ database, stored }: { database: string; stored: CompareExchange | undefined }) {
  const go = useGo();
  const { key: wanted = "" } = useSearchState();
  const editor = useRef<EditorHandle>(null);
  const [base, setBase] = useState(() => ({
    index: stored?.index ?? 0,
    text: stored ? printJson(stored.node, 2) : NEW_TEXT,
  }));
  const [name, setName] = useState(stored?.key ?? wanted);
  // No id of a document has a line break: their drafts are others.
  const draftKey = `\ncmpxchg\n${stored?.key ?? ""}`;
  const [draft, setDraft] = useState(() => {
    const [kept] = readDrafts(database, draftKey).filter((one) => one.text !== base.text);
    return kept;
  });
  const [isDirty, setDirty] = useState(stored === undefined);
  const [isDraftKept, setDraftKept] = useState(true);
  const { isBusy, error, run, dismiss } = useTask();
  const [race, setRace] = useState<LostRace>();
  const [isDeleting, setDeleting] = useState(false);
  const latest = useRef(base);
  const guarded = guardedId(stored?.key ?? "");

  useLeaveQuestion(isDirty && !isDraftKept);
  const onChange = useCallback(
    (text: string) => {
      const now = latest.current;
      const isChanged = text !== now.text;
      setDirty(isChanged || now.index === 0);
      const next = { text, base: now.text, changeVector: String(now.index), at: new Date().toISOString() };
      setDraftKept(keepDraft(database, draftKey, isChanged ? next : undefined));
    },
    [database, draftKey],
  );
  const begin = (next: { index: number; text: string }, text = next.text) => {
    latest.current = next;
    setBase(next);
    if (editor.current && editor.current.text() !== text) {
      editor.current.replace(text);
    } else {
      onChange(text);
    }
  };
  const all = placeUrl(databasePlace(database, "cmpxchg"));
  const leave = (url: string) => {
    keepDraft(database, draftKey, undefined);
    go(url);
  };
  /** Writes over an index; gives whether it was still there, and shows both sides if not. */
  const write = async (text: string, index: number): Promise<boolean> => {
    readValueText(text);
    const outcome = await exchange(database, name, index, text);
    if (!outcome.isDone) {
      if (!stored) {
        throw new Error(`${name} is there already: nothing was written.`);
      }
      const { there } = outcome;
      const merge = there && (await openMerge(base.text, printJson(there.node, 2), text));
      setRace({ theirs: there, mine: text, merge });
      return false;
    }
    announce("Saved.");
    if (stored) {
      begin({ index: outcome.index, text }, text);
    } else {
      leave(placeUrl(databasePlace(database, "cmpxchg"), { key: name }));
    }
    return true;
  };
  const endRace = () => {
    race?.merge?.close();
    setRace(undefined);
  };
  const refusal = refusalOf(guarded, name, isDirty);
  const save = () => {
    if (refusal === undefined && !isBusy) {
      void run(() => write(editor.current?.text() ?? base.text, base.index));
    }
  };
  useSaveKey(save);
  const layOut = () => run(async () => editor.current?.replace(formatJson(editor.current.text())));
  return (
    <div className="page">
      <div className="page-head">
        {stored ? (
          <h1 className="mono ellipsis" title={name}>
            {name}
          </h1>
        ) : (
          <>
            <h1>New value</h1>
            <label className="field inline">
              <span>Key</span>
              <input
                className="mono"
                value={name}
                size={32}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => setName(event.target.value)}
              />
            </label>
          </>
        )}
        {stored && <span className="muted">index {formatCount(base.index)}</span>}
        {stored && isDirty && <Chip tone="info">{isDraftKept ? "not saved; kept as a draft" : "not saved"}</Chip>}
        <span className="grow" />
        <Link href={all}>All values</Link>
        {guarded === undefined && (
          <>
            <Button kind="quiet" icon="braces" onClick={() => void layOut()}>
              Format
            </Button>
            {stored && (
              <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
                Delete…
              </Button>
            )}
            <Button kind="primary" icon="save" keys="Ctrl S" isBusy={isBusy} refusal={refusal} onClick={save}>
              Save
            </Button>
          </>
        )}
      </div>
      {guarded !== undefined && (
        <div className="bar">
          <Chip tone="none" icon="lock">
            guard
          </Chip>
          <span>
            The server's own: it guards <Link href={documentUrl(database, guarded)}>{guarded}</Link> in cluster-wide
            transactions, and is changed by them alone.
          </span>
        </div>
      )}
      {draft && (
        <div className="bar" role="status">
          <Chip tone="info">draft</Chip>
          <span>A text of {formatTime(draft.at)} was not saved.</span>
          <span className="grow" />
          <Button
            onClick={() => {
              dropDraft(database, draftKey, draft.page);
              begin({ text: draft.base, index: Number(draft.changeVector) }, draft.text);
              setDraft(undefined);
            }}
          >
            Go on with it
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              dropDraft(database, draftKey, draft.page);
              setDraft(undefined);
            }}
          >
            Drop it
          </Button>
        </div>
      )}
      {error !== undefined && <ErrorBox title="It was not saved" error={error} onDismiss={dismiss} />}
      <CodeEditor
        handle={editor}
        name={stored ? `${name} as JSON` : "The new value as JSON"}
        initial={base.text}
        {...languageFor(base.text.length)}
        isReadOnly={guarded !== undefined}
        onChange={onChange}
        keys={{ "Mod-s": save }}
        marks={marksOf(error)}
      />
      {race && (
        <MergeDialog
          id={name}
          merge={race.merge}
          mine={race.mine}
          onClose={endRace}
          onTakeTheirs={() => {
            if (race.theirs) {
              begin({ index: race.theirs.index, text: printJson(race.theirs.node, 2) });
            }
            endRace();
          }}
          onSave={async (text) => {
            const outcome = await exchange(database, name, race.theirs?.index ?? 0, text);
            if (!outcome.isDone) {
              throw new Error("It was changed once more meanwhile.");
            }
            announce("Saved.");
            begin({ index: outcome.index, text }, text);
            endRace();
          }}
        />
      )}
      <Confirm
        title={`Delete ${name}`}
        isOpen={isDeleting}
        first="The value is deleted: there is no way back, and another may take its key at once."
        action="Delete it"
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          const outcome = await removeValue(database, name, base.index);
          if (!outcome.isDone && outcome.there) {
            throw new Error(
              `It was set meanwhile and has index ${outcome.there.index} now: nothing was deleted. Read it first.`,
            );
          }
          announce(`${name} is deleted.`);
          leave(all);
        }}
      />
    </div>
  );
}

function refusalOf(guarded: string | undefined, name: string, isDirty: boolean): string | undefined {
  if (guarded !== undefined) {
    return "It is the server's own.";
  }
  if (name.trim() === "") {
    return "Give it a key first.";
  }
  return isDirty ? undefined : "Nothing is changed.";
}
