import { useMemo, useState } from "react";
import { useSearchState, useSetSearch } from "../../app/places";
import { Chip } from "../../ui/chip";
import { FilterInput } from "../../ui/filterInput";
import { formatCount } from "../../ui/format";
import { Empty } from "../../ui/states";
import { type ApiKey, type Certificate, matrixDatabases, matrixRows, rightIn, rightWord } from "./certificateModel";

/** The most columns and rows that are drawn; the filter finds the others. */
const COLUMNS_MAX = 40;
const ROWS_MAX = 500;

/** Who may what: somebody a row, a database a column. */
export function Matrix({ certificates, keys }: { certificates: readonly Certificate[]; keys: readonly ApiKey[] }) {
  const { filter = "" } = useSearchState();
  const setSearch = useSetSearch();
  const [now] = useState(() => Date.now());
  const rows = useMemo(() => matrixRows(certificates, keys, now), [certificates, keys, now]);
  const databases = useMemo(() => matrixDatabases(rows), [rows]);
  if (rows.length === 0) {
    return (
      <Empty icon="key" title="Nobody is registered">
        Certificates and API keys stand here with what they may do in each database.
      </Empty>
    );
  }
  const wanted = filter.toLowerCase();
  const isOf = (name: string) => name.toLowerCase().includes(wanted);
  const named = rows.filter((row) => isOf(row.name));
  const columns = databases.filter(isOf);
  // A filter is of a name or of a database: what it does not narrow stays whole.
  const shownRows = named.length > 0 ? named : rows;
  const shownColumns = columns.length > 0 ? columns : databases;
  return (
    <section className="scroll" aria-label="Who may what" tabIndex={0}>
      <div className="row padded">
        <FilterInput
          name="Filter by who or by database"
          initial={filter}
          onChange={(text) => setSearch({ filter: text })}
        />
        {wanted !== "" && named.length === 0 && columns.length === 0 && (
          <span>Nobody and no database is called so.</span>
        )}
        {shownColumns.length > COLUMNS_MAX && (
          <span className="muted">{`${formatCount(shownColumns.length - COLUMNS_MAX)} databases more: filter.`}</span>
        )}
        {shownRows.length > ROWS_MAX && (
          <span className="muted">{`${formatCount(shownRows.length - ROWS_MAX)} rows more: filter.`}</span>
        )}
      </div>
      <table className="plain-table matrix">
        <thead>
          <tr>
            <th>Who</th>
            <th>On the server</th>
            {shownColumns.slice(0, COLUMNS_MAX).map((name) => (
              <th key={name} className="column" title={name}>
                {name}
              </th>
            ))}
            <th>Other databases</th>
          </tr>
        </thead>
        <tbody>
          {shownRows.slice(0, ROWS_MAX).map((row) => (
            <tr key={row.key}>
              <th scope="row" title={row.name}>
                {row.name} <span className="muted">{row.kind}</span>
              </th>
              <td>{row.counts ? row.clearance : <Chip tone="bad">counts no more</Chip>}</td>
              {shownColumns.slice(0, COLUMNS_MAX).map((name) => (
                <td key={name}>
                  {row.counts ? <RightCell right={rightIn(row.clearance, row.permissions, name)} /> : "–"}
                </td>
              ))}
              <td>{row.counts && row.clearance !== "ValidUser" ? <RightCell right="Admin" /> : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RightCell({ right }: { right: ReturnType<typeof rightIn> }) {
  switch (right) {
    case "Read":
      return (
        <Chip tone="info" icon="eye">
          {rightWord(right)}
        </Chip>
      );
    case "ReadWrite":
      return (
        <Chip tone="good" icon="save">
          {rightWord(right)}
        </Chip>
      );
    case "Admin":
      return (
        <Chip tone="stale" icon="key">
          {rightWord(right)}
        </Chip>
      );
    default:
      return <span className="muted">{rightWord(right)}</span>;
  }
}
