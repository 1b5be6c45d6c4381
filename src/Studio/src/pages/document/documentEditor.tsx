import { useCallback, useEffect, useRef, useState } from "react";
import { watchChanges } from "../../api/changes";
import {
  createDocument,
  deleteDocument,
  editorText,
  readDocument,
  type StoredDocument,
  writeDocument,
} from "../../api/documents";
import { databasePath, isAborted, ServerError, urlOf } from "../../api/http";
import { announce } from "../../app/announcer";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useGo, useSearchState, useSetSearch } from "../../app/places";
import { useSaveKey } from "../../app/saveKey";
import { CodeEditor, type EditorHandle } from "../../editor/codeEditor";
import { EDITED_MAX, jsonLanguage, PLAIN_LENGTH } from "../../editor/jsonLanguage";
import { formatJson } from "../../json/jsonFormat";
import { type JsonNode, parseJson } from "../../json/jsonTree";
import { withoutSystemFields } from "../../json/systemFields";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { Confirm } from "../../ui/dialog";
import { formatTime } from "../../ui/format";
import { Menu } from "../../ui/menu";
import { Empty, ErrorBox } from "../../ui/states";
import { keepDraft, readDraft } from "./drafts";
import { marksOf, readText } from "./editorChecks";
import { MergeDialog } from "./mergeDialog";
import { RevisionsDialog } from "./revisionsDialog";

/** A version that a person began with. */
interface Base {
  readonly text: string;
  readonly changeVector: string;
  readonly lastModified: string | undefined;
}

/** Two versions that both came of one. */
interface Conflict {
  readonly base: JsonNode;
  /** What is stored; null if it was deleted. */
  readonly theirs: StoredDocument | null;
  readonly mine: JsonNode;
}

function baseOf(stored: StoredDocument): Base {
  return {
    text: editorText(withoutSystemFields(stored.node)),
    changeVector: stored.changeVector,
    lastModified: stored.lastModified,
  };
}

/** Edits a document. Nothing is ever written over a version that the person has not seen. */
export function DocumentEditor({
  database,
  stored,
  onDirty,
}: {
  database: string;
  stored: StoredDocument;
  /** Told whether there is a text that is not saved. */
  onDirty: (isDirty: boolean) => void;
}) {
  const { id } = stored;
  const go = useGo();
  const { tab } = useSearchState();
  const setSearch = useSetSearch();
  const editor = useRef<EditorHandle>(null);
  const [base, setBase] = useState(() => baseOf(stored));
  const [draft, setDraft] = useState(() => {
    const kept = readDraft(database, id);
    return kept && kept.text !== base.text ? kept : undefined;
  });
  const [isDirty, setDirty] = useState(false);
  const [isDraftKept, setDraftKept] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [news, setNews] = useState<"changed" | "deleted" | undefined>();
  const [conflict, setConflict] = useState<Conflict>();
  const [isDeleting, setDeleting] = useState(false);
  const latest = useRef({ base, isBusy });
  latest.current = { base, isBusy };

  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => {
    const tell = (kind: "changed" | "deleted", changeVector: string | null | undefined) => {
      if (changeVector !== latest.current.base.changeVector && !latest.current.isBusy) {
        setNews(kind);
      }
    };
    return watchChanges(database, "watch-doc", id, (event) => {
      if (event.Type !== "Gap") {
        tell(event.Value.Type === "Delete" ? "deleted" : "changed", event.Value.ChangeVector);
        return;
      }
      // Something may have been missed: what is stored says it. If it cannot be read now, saving still asks.
      readDocument(database, id)
        .then((now) => tell(now ? "changed" : "deleted", now?.changeVector))
        .catch(() => undefined);
    });
  }, [database, id]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isDirty && !isDraftKept) {
      window.addEventListener("beforeunload", ask);
    }
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty, isDraftKept]);

  const onChange = useCallback(
    (text: string) => {
      const now = latest.current.base;
      const isChanged = text !== now.text;
      setDirty(isChanged);
      setDraftKept(
        keepDraft(
          database,
          id,
          isChanged
            ? { text, base: now.text, changeVector: now.changeVector, at: new Date().toISOString() }
            : undefined,
        ),
      );
    },
    [database, id],
  );
  const begin = (next: Base, text = next.text) => {
    latest.current.base = next;
    setBase(next);
    setNews(undefined);
    if (editor.current && editor.current.text() !== text) {
      editor.current.replace(text);
    } else {
      onChange(text);
    }
  };
  const write = async (text: string, changeVector: string) => {
    readText(text);
    // A document that is gone is made anew, and only if it is still gone.
    const written = await (changeVector === ""
      ? createDocument(database, id, text)
      : writeDocument(database, id, text, changeVector));
    keepDraft(database, id, undefined);
    begin(
      { text, changeVector: written.changeVector, lastModified: new Date().toISOString() },
      editor.current?.text() ?? text,
    );
    announce("Saved.");
  };
  const guarded = async (action: () => Promise<void>) => {
    if (latest.current.isBusy) {
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await action();
    } catch (failure) {
      if (!isAborted(failure)) {
        setError(failure);
      }
    } finally {
      setBusy(false);
    }
  };
  const compare = async () => {
    const mine = readText(editor.current?.text() ?? base.text);
    setConflict({ base: parseJson(base.text), theirs: (await readDocument(database, id)) ?? null, mine });
  };
  const save = () =>
    guarded(async () => {
      if (editor.current?.text() === base.text) {
        announce("Nothing is changed.");
        return;
      }
      try {
        await write(editor.current?.text() ?? base.text, base.changeVector);
      } catch (failure) {
        if (!(failure instanceof ServerError) || failure.status !== 409) {
          throw failure;
        }
        await compare();
      }
    });
  useSaveKey(() => void save());
  const readAgain = () =>
    guarded(async () => {
      if (isDirty) {
        await compare();
        return;
      }
      const now = await readDocument(database, id);
      if (now) {
        begin(baseOf(now));
      } else {
        setNews("deleted");
      }
    });
  const layOut = () => {
    try {
      editor.current?.replace(formatJson(editor.current.text()));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  if (base.text.length > EDITED_MAX) {
    return (
      <Empty
        icon="file"
        title={`${id} is too long to be edited here`}
        action={<a href={urlOf(databasePath(database, "docs"), { id })}>Open it as text</a>}
      >
        It has more than 20 MB. A patch or a client changes it.
      </Empty>
    );
  }
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="mono ellipsis" title={id}>
          {id}
        </h1>
        {stored.collection && (
          <Link href={placeUrl(databasePlace(database, "docs"), { collection: stored.collection })}>
            {stored.collection}
          </Link>
        )}
        <span className="muted" title={base.changeVector}>
          {formatTime(base.lastModified)}
        </span>
        {isDirty && <Chip tone="info">{isDraftKept ? "not saved; kept as a draft" : "not saved"}</Chip>}
        <span className="grow" />
        <Button kind="quiet" icon="braces" onClick={layOut}>
          Format
        </Button>
        <Menu
          name="More"
          entries={[
            { text: "Revisions", icon: "history", onSelect: () => setSearch({ tab: "revisions" }, true) },
            { text: "Read it again", icon: "refresh", onSelect: () => void readAgain() },
            {
              text: "Copy it to a new one",
              icon: "copy",
              onSelect: () => go(placeUrl(databasePlace(database, "doc"), { new: "1", from: id })),
            },
            { text: "Delete…", icon: "trash", isDanger: true, onSelect: () => setDeleting(true) },
          ]}
        />
        <Button
          kind="primary"
          icon="save"
          keys="Ctrl S"
          isBusy={isBusy}
          refusal={isDirty ? undefined : "Nothing is changed."}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
      {draft && (
        <div className="bar" role="status">
          <Chip tone="info">draft</Chip>
          <span>A text of {formatTime(draft.at)} was not saved.</span>
          <span className="grow" />
          <Button
            onClick={() => {
              begin(
                { text: draft.base, changeVector: draft.changeVector, lastModified: base.lastModified },
                draft.text,
              );
              setDraft(undefined);
            }}
          >
            Go on with it
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              keepDraft(database, id, undefined);
              setDraft(undefined);
            }}
          >
            Drop it
          </Button>
        </div>
      )}
      {news && (
        <div className="bar" role="status">
          <Chip tone="stale">{news}</Chip>
          <span>{news === "changed" ? "Another client has changed it since." : "Another client has deleted it."}</span>
          <span className="grow" />
          {news === "changed" && (
            <Button onClick={() => void readAgain()}>{isDirty ? "Compare and merge" : "Show the new version"}</Button>
          )}
        </div>
      )}
      {error !== undefined && <ErrorBox title="It was not saved" error={error} onDismiss={() => setError(undefined)} />}
      <CodeEditor
        handle={editor}
        name={`${id} as JSON`}
        initial={base.text}
        language={base.text.length < PLAIN_LENGTH ? jsonLanguage : NO_LANGUAGE}
        isPlain={base.text.length >= PLAIN_LENGTH}
        onChange={onChange}
        keys={{ "Mod-s": () => void save() }}
        marks={marksOf(error)}
      />
      {conflict && (
        <MergeDialog
          id={id}
          base={conflict.base}
          theirs={conflict.theirs ? withoutSystemFields(conflict.theirs.node) : undefined}
          mine={conflict.mine}
          onClose={() => setConflict(undefined)}
          onTakeTheirs={() => {
            if (conflict.theirs) {
              begin(baseOf(conflict.theirs));
            }
            setConflict(undefined);
          }}
          onSave={async (text) => {
            await write(text, conflict.theirs?.changeVector ?? "");
            editor.current?.replace(text);
            setConflict(undefined);
          }}
        />
      )}
      {tab === "revisions" && (
        <RevisionsDialog
          database={database}
          id={id}
          current={base.text}
          onClose={() => setSearch({ tab: undefined })}
          onTake={(text) => {
            editor.current?.replace(text);
            setSearch({ tab: undefined });
          }}
        />
      )}
      <Confirm
        title={`Delete ${id}`}
        isOpen={isDeleting}
        first="It is deleted with its attachments, counters and time series: there is no way back, but its revisions if it has some."
        action="Delete it"
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await deleteDocument(database, id, base.changeVector);
          keepDraft(database, id, undefined);
          announce(`${id} is deleted.`);
          go(placeUrl(databasePlace(database, "docs"), { collection: stored.collection }));
        }}
      />
    </div>
  );
}

const NO_LANGUAGE: [] = [];
