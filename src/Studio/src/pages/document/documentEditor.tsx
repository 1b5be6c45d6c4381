import { useCallback, useEffect, useRef, useState } from "react";
import { watchChanges } from "../../api/changes";
import { createDocument, deleteDocument, writeDocument } from "../../api/documents";
import { readDocumentText, readVersion } from "../../api/documentText";
import { isAborted, ServerError } from "../../api/http";
import { serverNow } from "../../api/serverClock";
import { announce } from "../../app/announcer";
import { useLeaveQuestion } from "../../app/leaveQuestion";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useGo, useSearchState, useSetSearch } from "../../app/places";
import { useSaveKey } from "../../app/saveKey";
import { CodeEditor, type EditorHandle } from "../../editor/codeEditor";
import { Text } from "../../editor/codemirror";
import { languageFor } from "../../editor/jsonLanguage";
import { linesOf, textOf } from "../../editor/longText";
import type { DocumentText } from "../../json/jsonJobs";
import { type OpenMerge, openMerge, runJob } from "../../json/jsonWork";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { Confirm } from "../../ui/dialog";
import { formatTime } from "../../ui/format";
import { Menu } from "../../ui/menu";
import { ErrorBox } from "../../ui/states";
import { DRAFT_MAX, type Draft, dropDraft, keepDraft, readDrafts } from "./drafts";
import { marksOf } from "./editorChecks";
import { MergeDialog } from "./mergeDialog";
import type { OpenDocument } from "./openDocument";
import { RevisionsDialog } from "./revisionsDialog";

/** A version that a person began with. */
interface Base {
  readonly lines: Text;
  readonly changeVector: string;
  readonly lastModified: string | undefined;
}

/** Two versions that both came of one. */
interface Conflict {
  /** What is stored; undefined if it was deleted. */
  readonly theirs: DocumentText | undefined;
  readonly mine: string;
  /** Undefined if there is nothing to merge with. */
  readonly merge: OpenMerge | undefined;
}

/** Edits a document. Nothing is ever written over a version that the person has not seen. */
export function DocumentEditor({
  database,
  stored,
  onDirty,
}: {
  database: string;
  stored: OpenDocument;
  /** Told whether there is a text that is not saved. */
  onDirty: (isDirty: boolean) => void;
}) {
  const { id } = stored;
  const go = useGo();
  const { tab } = useSearchState();
  const setSearch = useSetSearch();
  const editor = useRef<EditorHandle>(null);
  const [base, setBase] = useState<Base>(stored);
  const [drafts, setDrafts] = useState(() =>
    readDrafts(database, id).filter((one) => !linesOfDraft(one.text).eq(base.lines)),
  );
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
      readVersion(database, id)
        .then((now) => tell(now === undefined ? "deleted" : "changed", now))
        .catch(() => undefined);
    });
  }, [database, id]);
  useLeaveQuestion(isDirty && !isDraftKept);

  const onChange = useCallback(
    (lines: Text) => {
      const { lines: before, changeVector } = latest.current.base;
      const isChanged = !lines.eq(before);
      setDirty(isChanged);
      if (isChanged && lines.length + before.length > DRAFT_MAX) {
        setDraftKept(false);
        return;
      }
      const at = new Date().toISOString();
      const kept = isChanged ? { text: lines.toString(), base: before.toString(), changeVector, at } : undefined;
      setDraftKept(keepDraft(database, id, kept));
    },
    [database, id],
  );
  const begin = (next: Base, lines = next.lines) => {
    latest.current.base = next;
    setBase(next);
    setNews(undefined);
    if (editor.current && !editor.current.lines().eq(lines)) {
      editor.current.replace(lines);
    } else {
      onChange(lines);
    }
  };
  const write = async (lines: Text, changeVector: string) => {
    const text = await runJob("pack", await textOf(lines));
    // A document that is gone is made anew, and only if it is still gone.
    const written = await (changeVector === ""
      ? createDocument(database, id, text)
      : writeDocument(database, id, text, changeVector));
    keepDraft(database, id, undefined);
    begin({ lines, changeVector: written.changeVector, lastModified: serverNow() }, editor.current?.lines() ?? lines);
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
    const mine = await textOf(editor.current?.lines() ?? base.lines);
    // What is no document is said before anything is compared.
    await runJob("pack", mine);
    const theirs = await readDocumentText(database, id);
    const merge = theirs && (await openMerge(await textOf(base.lines), theirs.text, mine));
    if (merge && merge.conflicts.length === 0 && merge.fromMine === 0) {
      // All of mine is stored: the answer to a save was lost on its way, or another client wrote the same.
      merge.close();
      begin({ ...theirs, lines: await linesOf(theirs.text) });
      announce("It is stored already.");
      return;
    }
    setConflict({ theirs, mine, merge });
  };
  const endConflict = () => {
    conflict?.merge?.close();
    setConflict(undefined);
  };
  const save = () =>
    guarded(async () => {
      const lines = editor.current?.lines() ?? base.lines;
      if (lines.eq(base.lines)) {
        announce("Nothing is changed.");
        return;
      }
      try {
        await write(lines, base.changeVector);
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
      const now = await readDocumentText(database, id);
      if (now) {
        begin({ ...now, lines: await linesOf(now.text) });
      } else {
        setNews("deleted");
      }
    });
  const layOut = () =>
    guarded(async () => {
      const before = editor.current?.lines();
      const laid = before && (await linesOf(await runJob("format", await textOf(before))));
      // Who went on typing meanwhile keeps what was typed.
      if (laid && editor.current?.lines() === before) {
        editor.current?.replace(laid);
      }
    });
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
        <Button kind="quiet" icon="braces" isBusy={isBusy} onClick={() => void layOut()}>
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
      {drafts.map((draft) => (
        <DraftBar
          key={draft.page}
          draft={draft}
          onTake={() => {
            setDrafts(drafts.filter((one) => one !== draft));
            dropDraft(database, id, draft.page);
            begin(
              { lines: linesOfDraft(draft.base), changeVector: draft.changeVector, lastModified: base.lastModified },
              linesOfDraft(draft.text),
            );
          }}
          onDrop={() => {
            setDrafts(drafts.filter((one) => one !== draft));
            dropDraft(database, id, draft.page);
          }}
        />
      ))}
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
        initial={stored.lines}
        {...languageFor(stored.lines.length)}
        onLines={onChange}
        keys={{ "Mod-s": () => void save() }}
        marks={marksOf(error)}
      />
      {conflict && (
        <MergeDialog
          id={id}
          merge={conflict.merge}
          mine={conflict.mine}
          onClose={endConflict}
          onTakeTheirs={() => {
            const { theirs } = conflict;
            endConflict();
            if (theirs) {
              void guarded(async () => begin({ ...theirs, lines: await linesOf(theirs.text) }));
            }
          }}
          onSave={async (text) => {
            const lines = await linesOf(text);
            await write(lines, conflict.theirs?.changeVector ?? "");
            editor.current?.replace(lines);
            endConflict();
          }}
        />
      )}
      {tab === "revisions" && (
        <RevisionsDialog
          database={database}
          id={id}
          current={base.lines}
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

function linesOfDraft(text: string): Text {
  return Text.of(text.split("\n"));
}

/** A text that was typed on another page, or before this one was loaded. */
function DraftBar({ draft, onTake, onDrop }: { draft: Draft; onTake: () => void; onDrop: () => void }) {
  return (
    <div className="bar" role="status">
      <Chip tone="info">draft</Chip>
      <span>A text of {formatTime(draft.at)} was not saved.</span>
      <span className="grow" />
      <Button onClick={onTake}>Go on with it</Button>
      <Button kind="quiet" onClick={onDrop}>
        Drop it
      </Button>
    </div>
  );
}
