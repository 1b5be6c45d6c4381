import { useRef, useState } from "react";
import { createDocument } from "../../api/documents";
import { ServerError } from "../../api/http";
import { announce } from "../../app/announcer";
import { documentUrl, useGo, useSearchState } from "../../app/places";
import { useSaveKey } from "../../app/saveKey";
import { CodeEditor, type EditorHandle } from "../../editor/codeEditor";
import { languageFor } from "../../editor/jsonLanguage";
import { textOf } from "../../editor/longText";
import { runJob } from "../../json/jsonWork";
import { Button } from "../../ui/button";
import { ErrorBox } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import { marksOf } from "./editorChecks";
import type { OpenDocument } from "./openDocument";

/** Writes a document that is not there yet. An id that ends in a slash is completed by the server. */
export function NewDocument({
  database,
  collection,
  copied,
}: {
  database: string;
  collection: string | undefined;
  copied?: OpenDocument;
}) {
  const go = useGo();
  const { id: wanted } = useSearchState();
  const editor = useRef<EditorHandle>(null);
  const [id, setId] = useState(wanted ?? idPrefix(copied?.id, collection));
  const { isBusy, error, run, dismiss } = useTask();
  const [initial] = useState(() => copied?.lines ?? emptyText(collection));
  const save = async () => {
    if (!isBusy && id !== "") {
      await run(async () => {
        const lines = editor.current?.lines();
        const text = lines ? await textOf(lines) : initial.toString();
        const written = await createDocument(database, id, await runJob("pack", text));
        announce(`${written.id} is stored.`);
        go(documentUrl(database, written.id));
      });
    }
  };
  useSaveKey(() => void save());
  const isThere = error instanceof ServerError && error.status === 409;
  return (
    <div className="page">
      <div className="page-head">
        <h1>New document</h1>
        <label className="field inline">
          <span>Id</span>
          <input
            value={id}
            className="mono"
            size={32}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setId(event.target.value)}
          />
        </label>
        <span className="hint">{id.endsWith("/") ? "The server puts a number behind the slash." : ""}</span>
        <span className="grow" />
        <Button
          kind="primary"
          icon="save"
          keys="Ctrl S"
          isBusy={isBusy}
          refusal={id === "" ? "Give it an id first." : undefined}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
      {error !== undefined && (
        <ErrorBox
          title={isThere ? `${id} is there already: nothing was written` : "It was not written"}
          error={error}
          onDismiss={dismiss}
        />
      )}
      <CodeEditor
        handle={editor}
        name="The new document as JSON"
        initial={initial}
        {...languageFor(initial.length)}
        keys={{ "Mod-s": () => void save() }}
        marks={marksOf(error)}
      />
    </div>
  );
}

function idPrefix(copied: string | undefined, collection: string | undefined): string {
  const slash = copied?.lastIndexOf("/") ?? -1;
  if (copied && slash > 0) {
    return copied.slice(0, slash + 1);
  }
  return collection && !collection.startsWith("@")
    ? `${collection.charAt(0).toLowerCase()}${collection.slice(1)}/`
    : "";
}

function emptyText(collection: string | undefined): string {
  const name = collection && !collection.startsWith("@") ? collection : "Things";
  return `{\n  "Name": "",\n  "@metadata": {\n    "@collection": ${JSON.stringify(name)}\n  }\n}`;
}
