import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { readEntries, type TimeRange } from "../../api/timeSeries";
import { Link } from "../../app/link";
import { documentUrl, useSearchState, useSetSearch } from "../../app/places";
import { IconButton } from "../../ui/button";
import { Pager } from "../../ui/pager";
import { ErrorBox, Loading } from "../../ui/states";
import { columnTitles, numberText, type SeriesKind, timeText } from "./seriesModel";

const PAGE_SIZE = 100;

/** The entries of a range, page by page. */
export function EntryTable({
  database,
  id,
  name,
  kind,
  names,
  range,
  onDelete,
}: {
  database: string;
  id: string;
  name: string;
  kind: SeriesKind;
  names: readonly string[];
  range: TimeRange;
  onDelete: ((at: number) => void) | undefined;
}) {
  const { start: startText } = useSearchState();
  const setSearch = useSetSearch();
  const start = Math.max(0, Math.floor(Number(startText ?? 0)) || 0);
  const page = useQuery({
    queryKey: ["series", database, id, "table", name, range.from, range.to, start],
    queryFn: ({ signal }) => readEntries(database, id, name, range, { start, size: PAGE_SIZE }, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const entries = page.data?.entries ?? [];
  const hasMore = page.data?.hasMore === true;
  const width = entries.reduce((most, one) => Math.max(most, one.values.length), 0);
  const titles = columnTitles(kind, width, names);
  return (
    <div className="series-table">
      {page.error && (
        <ErrorBox title="The entries cannot be read" error={page.error} onRetry={() => void page.refetch()} />
      )}
      {page.isPending && <Loading what="the entries" />}
      {entries.length > 0 && (
        <section
          className={page.isPlaceholderData ? "scroll dimmed" : "scroll"}
          aria-label="Entries of the range"
          tabIndex={0}
        >
          <table className="plain-table">
            <thead>
              <tr>
                <th>Time</th>
                {titles.map((title) => (
                  <th key={title} className="number nowrap">
                    {title}
                  </th>
                ))}
                <th>Tag</th>
                {onDelete && (
                  <th>
                    <span className="offscreen">Delete</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {entries.map((one) => (
                <tr key={one.at}>
                  <th scope="row" className="nowrap">
                    {timeText(one.at)}
                  </th>
                  {titles.map((title, at) => (
                    <td key={title} className="number">
                      {one.values[at] === undefined ? "" : numberText(one.values[at])}
                    </td>
                  ))}
                  <td className="nowrap">{one.tag !== null && <Tag database={database} tag={one.tag} />}</td>
                  {onDelete && (
                    <td className="actions">
                      <IconButton
                        name={`Delete the entry of ${timeText(one.at)}`}
                        icon="trash"
                        onClick={() => onDelete(one.at)}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Pager
        start={start}
        size={PAGE_SIZE}
        shown={entries.length}
        hasMore={hasMore}
        onStart={(next) => setSearch({ start: next }, true)}
      />
    </div>
  );
}

/** A tag is often the id of a document. */
function Tag({ database, tag }: { database: string; tag: string }) {
  return /^[^\s/]+\/\S+$/.test(tag) ? <Link href={documentUrl(database, tag)}>{tag}</Link> : tag;
}
