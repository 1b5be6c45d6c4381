import { databasePath, urlOf } from "../api/http";
import { Menu } from "./menu";
import { saveUrl } from "./saveFile";

/** How rows are written to a file. */
export type RowFormat = "jsonl" | "csv";

/** Has the browser write what a query finds to the disk as it comes. */
export function saveRows(
  database: string,
  query: string,
  format: RowFormat,
  name: string,
  /** The values of parameters as JSON, by name. */
  parameters: Readonly<Record<string, string>> = {},
): void {
  const values = Object.entries(parameters).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  const url = urlOf(databasePath(database, "streams/queries"), {
    query,
    format,
    parameters: values.length === 0 ? undefined : `{${values.join(",")}}`,
    // A spreadsheet that opens the file runs no formula out of a document.
    escapeFormulas: format === "csv" ? true : undefined,
  });
  saveUrl(url, `${name}.${format}`);
}

/** Lets the browser stream a query to the disk: nothing of it is kept in the page, however long it is. */
export function ExportMenu({
  database,
  query,
  parameters,
  name,
}: {
  database: string;
  query: string;
  /** The values of parameters as JSON, by name. */
  parameters?: Readonly<Record<string, string>>;
  /** The name of the file, without its kind. */
  name: string;
}) {
  const save = (format: RowFormat) => saveRows(database, query, format, name, parameters);
  return (
    <Menu
      name="Export"
      icon="download"
      text="Export"
      entries={[
        { text: "JSON lines", onSelect: () => save("jsonl") },
        { text: "CSV", onSelect: () => save("csv") },
      ]}
    />
  );
}
