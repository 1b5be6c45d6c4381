import { CodeEditor } from "../../editor/codeEditor";
import { textOf } from "../../editor/longText";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { safeFileName, saveFile } from "../../ui/saveFile";
import type { OpenDocument } from "./openDocument";

/** A document that is too long to be edited here: its text, to be read and taken away. */
export function DocumentView({ stored }: { stored: OpenDocument }) {
  const { id, lines } = stored;
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="mono ellipsis" title={id}>
          {id}
        </h1>
        <Chip tone="info" title="It has more than 20 MB: a patch or a client changes it.">
          only to be read
        </Chip>
        <span className="grow" />
        <Button
          icon="download"
          onClick={() =>
            void textOf(lines).then((text) =>
              saveFile(new Blob([text], { type: "application/json" }), `${safeFileName(id)}.json`),
            )
          }
        >
          Download
        </Button>
      </div>
      <CodeEditor name={`${id} as JSON`} initial={lines} language={NO_LANGUAGE} isPlain isReadOnly />
    </div>
  );
}

const NO_LANGUAGE: [] = [];
