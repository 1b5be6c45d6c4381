import { useState } from "react";
import { databasePath, getJson, sendForFile } from "../../api/http";
import { announce } from "../../app/announcer";
import { Button } from "../../ui/button";
import { formatBytes } from "../../ui/format";
import { saveFile } from "../../ui/saveFile";
import { ErrorBox } from "../../ui/states";
import { useTask } from "../../ui/useTask";
import { DumpFields } from "./dumpFields";
import { type DumpChoice, dumpOptions, WHOLE_DUMP } from "./ioModel";

/** Writes the database as a dump, which the browser saves. */
export function ExportTab({
  database,
  onStarted,
}: {
  database: string;
  onStarted: (operation: number, title: string) => void;
}) {
  const [choice, setChoice] = useState<DumpChoice>(WHOLE_DUMP);
  const [isZstd, setZstd] = useState(false);
  const { isBusy, error, run, dismiss } = useTask();
  const refusal = choice.types.size === 0 ? "Choose what is exported." : undefined;
  const start = () =>
    run(async () => {
      const { Id } = await getJson<{ Id: number }>(databasePath(database, "operations/next-operation-id"));
      onStarted(Id, "Export");
      const file = await sendForFile("POST", databasePath(database, "smuggler/export"), {
        query: { operationId: Id },
        body: { ...dumpOptions(choice), CompressionAlgorithm: isZstd ? "Zstd" : "Gzip" },
      });
      const day = new Date().toISOString().slice(0, 10);
      saveFile(file, `${database}-${day}.ravendbdump`);
      announce(`The dump is ready: ${formatBytes(file.size)}.`);
    });
  return (
    <section className="scroll" aria-label="Export" tabIndex={0}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === undefined && !isBusy) {
            void start();
          }
        }}
      >
        <p className="hint">
          One moment of the database as a file, without secrets. The browser holds it until it is whole: for many
          gigabytes use “raven export”.
        </p>
        <DumpFields choice={choice} onChange={setChoice} />
        <label className="field">
          <span>Packed by</span>
          <select value={isZstd ? "Zstd" : "Gzip"} onChange={(event) => setZstd(event.target.value === "Zstd")}>
            <option value="Gzip">gzip: every program reads it</option>
            <option value="Zstd">zstd: smaller and faster</option>
          </select>
        </label>
        {error !== undefined && <ErrorBox title="The export has failed" error={error} onDismiss={dismiss} />}
        <div className="row">
          <Button kind="primary" type="submit" icon="download" isBusy={isBusy} refusal={refusal}>
            Export it
          </Button>
        </div>
      </form>
    </section>
  );
}
