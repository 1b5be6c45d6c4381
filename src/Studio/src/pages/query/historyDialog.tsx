import { useState } from "react";
import { Dialog } from "../../ui/dialog";
import { queryHistory } from "./history";

/** The queries that were run from this browser. */
export function HistoryDialog({
  database,
  onClose,
  onChoose,
}: {
  database: string;
  onClose: () => void;
  onChoose: (query: string) => void;
}) {
  const [all] = useState(() => queryHistory(database));
  const [filter, setFilter] = useState("");
  const shown = all.filter((query) => query.toLowerCase().includes(filter.toLowerCase()));
  return (
    <Dialog title="Queries run from this browser" isOpen onClose={onClose} wide>
      <input
        type="search"
        className="filter"
        aria-label="Filter"
        placeholder="Filter"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      <ul className="scroll short history">
        {shown.map((query) => (
          <li key={query}>
            <button type="button" className="mono" onClick={() => onChoose(query)}>
              {query}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="muted">{all.length === 0 ? "None was run yet." : "None has this text."}</p>}
    </Dialog>
  );
}
