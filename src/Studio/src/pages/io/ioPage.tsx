import { useDatabase, useSearchState, useSetSearch } from "../../app/places";
import { formatBytes, formatCount } from "../../ui/format";
import { Tabs } from "../../ui/tabs";
import { OperationBar } from "../operations/operationBar";
import type { OperationState } from "../operations/operationModel";
import { ExportTab } from "./exportTab";
import { ImportTab } from "./importTab";
import { messagesOf, sectionsOf } from "./ioModel";

/** Moves data in and out: dumps of a whole database, and rows of CSV. */
export function IoPage() {
  const database = useDatabase();
  const { tab = "import", operation, what = "Import" } = useSearchState();
  const setSearch = useSetSearch();
  const follow = (id: number, title: string) => setSearch({ operation: String(id), what: title });
  return (
    <div className="page">
      <div className="page-head">
        <h1>Import and export</h1>
        <span className="hint">
          The list of documents and each query have an export of their own, as CSV and JSON lines.
        </span>
      </div>
      {operation && (
        <div className="scroll short" tabIndex={-1}>
          <OperationBar
            key={operation}
            database={database}
            id={operation}
            title={what === "Export" ? "Export" : "Import"}
            mayBeLate
            onClose={() => setSearch({ operation: undefined, what: undefined })}
          >
            {(state) => <Outcome state={state} />}
          </OperationBar>
        </div>
      )}
      <Tabs
        name="Import and export"
        value={tab}
        onChange={(key) => setSearch({ tab: key === "import" ? undefined : key })}
        entries={[
          { key: "import", title: "Import", content: () => <ImportTab database={database} onStarted={follow} /> },
          { key: "export", title: "Export", content: () => <ExportTab database={database} onStarted={follow} /> },
        ]}
      />
    </div>
  );
}

/** What was done, and what was not. */
function Outcome({ state }: { state: OperationState }) {
  // A failure has its counts in its progress.
  const figures = state.Status === "Completed" ? state.Result : state.Progress;
  const sections = sectionsOf(figures);
  const messages = messagesOf(figures);
  return (
    <section aria-label="What was done">
      {sections.length > 0 && (
        <table className="plain-table narrow">
          <thead>
            <tr>
              <th>Kind</th>
              <th className="number">Done</th>
              <th className="number">Failed</th>
              <th className="number">Left out</th>
              <th className="number">Size</th>
            </tr>
          </thead>
          <tbody>
            {sections.map((one) => (
              <tr key={one.name}>
                <th scope="row">{one.name}</th>
                <td className="number">{formatCount(one.read)}</td>
                <td className={one.failed > 0 ? "number bad" : "number"}>{formatCount(one.failed)}</td>
                <td className="number">{formatCount(one.skipped)}</td>
                <td className="number">{formatBytes(one.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {messages.length > 0 && (
        <details className="padded" open>
          <summary>{`${formatCount(messages.length)} messages`}</summary>
          <pre className="details">{messages.slice(0, 1_000).join("\n")}</pre>
        </details>
      )}
    </section>
  );
}
