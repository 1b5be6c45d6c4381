import type { DocumentParts } from "../../api/parts";
import { Link } from "../../app/link";
import { databasePlace, placeUrl } from "../../app/places";
import { formatCount } from "../../ui/format";

/** Links to the document and to what belongs to it, with how much there is of each. */
export function PartsNavigation({
  database,
  id,
  parts,
  current,
}: {
  database: string;
  id: string;
  parts: DocumentParts;
  current: string;
}) {
  const entries = [
    { key: "", title: "Document", count: 0 },
    { key: "revisions", title: "Revisions", count: 0 },
    { key: "attachments", title: "Attachments", count: parts.attachments.length },
    { key: "counters", title: "Counters", count: parts.counters.length },
    { key: "timeseries", title: "Time series", count: parts.timeSeries.length },
  ];
  return (
    <nav className="tab-list" aria-label={`Parts of ${id}`}>
      {entries.map(({ key, title, count }) => (
        <Link
          key={key}
          className="tab"
          aria-current={key === current ? "page" : undefined}
          href={placeUrl(databasePlace(database, "doc"), { id, tab: key })}
        >
          {count === 0 ? title : `${title} ${formatCount(count)}`}
        </Link>
      ))}
    </nav>
  );
}

/** What every part of a document is given. */
export interface PartProps {
  readonly database: string;
  readonly parts: DocumentParts;
  /** Has the parts read again. */
  readonly onChanged: () => Promise<void>;
}
