import { databasePath, urlOf } from "../api/http";
import { Menu } from "./menu";

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
  const save = (format: "jsonl" | "csv") => {
    const values = Object.entries(parameters ?? {}).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
    const link = document.createElement("a");
    link.href = urlOf(databasePath(database, "streams/queries"), {
      query,
      format,
      parameters: values.length === 0 ? undefined : `{${values.join(",")}}`,
      // A spreadsheet that opens the file runs no formula out of a document.
      escapeFormulas: format === "csv" ? true : undefined,
    });
    link.download = `${name.replace(/[^\p{L}\p{N}_.-]+/gu, "-")}.${format}`;
    link.click();
  };
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
