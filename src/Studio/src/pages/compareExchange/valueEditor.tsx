import { useCallback, useEffect, useRef, useState } from "react";
import { type CompareExchange, exchange, guardedId, readValueText, removeValue } from "../../api/compareExchange";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { databasePlace, documentUrl, placeUrl, useGo, useSearchState } from "../../app/places";
import { useSaveKey } from "../../app/saveKey";
import { CodeEditor, type EditorHandle } from "../../editor/codeEditor";
import { jsonLanguage, PLAIN_LENGTH } from "../../editor/jsonLanguage";
import { formatJson } from "../../json/jsonFormat";
import { type JsonNode, parseJson, printJson } from "../../json/jsonTree";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { Confirm } from "../../ui/dialog";
import { formatCount, formatTime } from "../../ui/format";
import { ErrorBox } from "../../ui/states";
import { keepDraft, readDraft } from "../document/drafts";
import { marksOf } from "../document/editorChecks";
import { MergeDialog } from "../document/mergeDialog";

const NEW_TEXT = '{\n  "Object": ""\n}';

/** Two set one value at once. */
interface LostRace {
  readonly base: JsonNode;
  readonly theirs: CompareExchange | undefined;
  readonly mine: JsonNode;
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
    const kept = readDraft(database, draftKey);
    return kept && kept.text !== base.text ? kept : undefined;
  });
  const [isDirty, setDirty] = useState(stored === undefined);
  const [isDraftKept, setDraftKept] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [race, setRace] = useState<LostRace>();
  const [isDeleting, setDeleting] = useState(false);
  const latest = useRef(base);
  const guarded = guardedId(stored?.key ?? "");

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isDirty && !isDraftKept) {
      window.addEventListener("beforeunload", ask);
    }
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty, isDraftKept]);
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
    const mine = readValueText(text);
    const outcome = await exchange(database, name, index, text);
    if (!outcome.isDone) {
      if (!stored) {
        throw new Error(`${name} is there already: nothing was written.`);
      }
      setRace({ base: parseJson(base.text), theirs: outcome.there, mine });
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
  const guardedly = async (action: () => Promise<unknown>) => {
    if (isBusy) {
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await action();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const refusal = refusalOf(guarded, name, isDirty);
  const save = () => {
    if (refusal === undefined) {
      void guardedly(() => write(editor.current?.text() ?? base.text, base.index));
    }
  };
  useSaveKey(save);
  const layOut = () => {
    try {
      editor.current?.replace(formatJson(editor.current.text()));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
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
            <Button kind="quiet" icon="braces" onClick={layOut}>
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
              begin({ text: draft.base, index: Number(draft.changeVector) }, draft.text);
              setDraft(undefined);
            }}
          >
            Go on with it
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              keepDraft(database, draftKey, undefined);
              setDraft(undefined);
            }}
          >
            Drop it
          </Button>
        </div>
      )}
      {error !== undefined && <ErrorBox title="It was not saved" error={error} onDismiss={() => setError(undefined)} />}
      <CodeEditor
        handle={editor}
        name={stored ? `${name} as JSON` : "The new value as JSON"}
        initial={base.text}
        language={base.text.length < PLAIN_LENGTH ? jsonLanguage : NO_LANGUAGE}
        isPlain={base.text.length >= PLAIN_LENGTH}
        isReadOnly={guarded !== undefined}
        onChange={onChange}
        keys={{ "Mod-s": save }}
        marks={marksOf(error)}
      />
      {race && (
        <MergeDialog
          id={name}
          base={race.base}
          theirs={race.theirs?.node}
          mine={race.mine}
          onClose={() => setRace(undefined)}
          onTakeTheirs={() => {
            if (race.theirs) {
              begin({ index: race.theirs.index, text: printJson(race.theirs.node, 2) });
            }
            setRace(undefined);
          }}
          onSave={async (text) => {
            const outcome = await exchange(database, name, race.theirs?.index ?? 0, text);
            if (!outcome.isDone) {
              throw new Error("It was changed once more meanwhile.");
            }
            announce("Saved.");
            begin({ index: outcome.index, text }, text);
            setRace(undefined);
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

const NO_LANGUAGE: [] = [];
