import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type CompareExchange, guardedId, readValue, readValues } from "../../api/compareExchange";
import { Link } from "../../app/link";
import {
  databasePlace,
  documentUrl,
  placeUrl,
  useDatabase,
  useGo,
  useSearchState,
  useSetSearch,
} from "../../app/places";
import { member, textMember } from "../../json/jsonTree";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { FilterInput } from "../../ui/filterInput";
import { formatCount, formatTime } from "../../ui/format";
import { Pager } from "../../ui/pager";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import { Value } from "../../ui/value";
import { ValueEditor } from "./valueEditor";

const PAGE_SIZE = 50;

/** The compare-exchange values of a database: all by the beginning of their keys, or one to be changed. */
export function CompareExchangePage() {
  const database = useDatabase();
  const { key, new: isNew } = useSearchState();
  if (isNew) {
    return <ValueEditor key={`${database}\n`} database={database} stored={undefined} />;
  }
  return key === undefined ? (
    <ValueList database={database} />
  ) : (
    <OneValue key={`${database}\n${key}`} database={database} name={key} />
  );
}

function OneValue({ database, name }: { database: string; name: string }) {
  const value = useQuery({
    queryKey: ["cmpxchg", database, name],
    queryFn: ({ signal }) => readValue(database, name, signal),
    // The editor holds what was read: nothing changes under the hands of a person.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (value.error) {
    return <ErrorBox title={`${name} cannot be read`} error={value.error} onRetry={() => void value.refetch()} />;
  }
  if (value.isPending) {
    return <Loading what={name} rows={12} />;
  }
  if (value.data === null) {
    const all = <Link href={placeUrl(databasePlace(database, "cmpxchg"))}>All values</Link>;
    return (
      <Empty icon="key" title={`There is no ${name}`} action={all}>
        It may have been deleted, expired, or never set.
      </Empty>
    );
  }
  return <ValueEditor database={database} stored={value.data} />;
}

function ValueList({ database }: { database: string }) {
  const { startsWith = "", start: startText } = useSearchState();
  const setSearch = useSetSearch();
  const go = useGo();
  const start = Math.max(0, Math.floor(Number(startText ?? 0)) || 0);
  const page = useQuery({
    queryKey: ["cmpxchg", database, "list", startsWith, start],
    queryFn: ({ signal }) => readValues(database, startsWith, start, PAGE_SIZE, signal),
    placeholderData: keepPreviousData,
  });
  const values = page.data?.values ?? [];
  const hasMore = page.data?.hasMore === true;
  return (
    <div className="page">
      <div className="page-head">
        <h1>Compare-exchange</h1>
        <span className="grow" />
        <FilterInput
          name="Beginning of the key"
          hint="Key begins with"
          initial={startsWith}
          onChange={(text) => setSearch({ startsWith: text, start: undefined })}
        />
        <Button icon="refresh" kind="quiet" onClick={() => void page.refetch()}>
          Read again
        </Button>
        <Button
          kind="primary"
          icon="plus"
          onClick={() => go(placeUrl(databasePlace(database, "cmpxchg"), { new: "1", key: startsWith }))}
        >
          New value
        </Button>
      </div>
      {page.error && (
        <ErrorBox title="The values cannot be read" error={page.error} onRetry={() => void page.refetch()} />
      )}
      {page.isPending && <Loading what="the values" />}
      {page.data && values.length === 0 && (
        <Empty icon="key" title={emptyTitle(startsWith, start)}>
          A compare-exchange value is changed only by who knows its last state: a name that is taken once, a lock, a
          leader.
        </Empty>
      )}
      {values.length > 0 && (
        <section
          className={page.isPlaceholderData ? "scroll dimmed" : "scroll"}
          aria-label="List of values"
          tabIndex={0}
        >
          <table className="plain-table">
            <thead>
              <tr>
                <th>Key</th>
                <th>Value</th>
                <th className="number">Index</th>
                <th>Expires</th>
              </tr>
            </thead>
            <tbody>
              {values.map((one) => (
                <ValueRow key={one.key} database={database} value={one} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Pager
        start={start}
        size={PAGE_SIZE}
        shown={values.length}
        hasMore={hasMore}
        onStart={(next) => setSearch({ start: next }, true)}
      />
    </div>
  );
}

function emptyTitle(startsWith: string, start: number): string {
  if (start > 0) {
    return "There are no more";
  }
  return startsWith === "" ? "There are no values" : `No key begins with ${startsWith}`;
}

function ValueRow({ database, value }: { database: string; value: CompareExchange }) {
  const { key, index, node } = value;
  const expires = textMember(member(node, "@metadata"), "@expires");
  const guarded = guardedId(key);
  return (
    <tr>
      <th scope="row" className="mono break">
        <Link href={placeUrl(databasePlace(database, "cmpxchg"), { key })}>{key}</Link>
      </th>
      <td className="break">
        {guarded === undefined ? (
          <Value node={member(node, "Object")} database={database} />
        ) : (
          <>
            <Chip tone="none" icon="lock">
              guard
            </Chip>{" "}
            of <Link href={documentUrl(database, guarded)}>{guarded}</Link>
          </>
        )}
      </td>
      <td className="number nowrap">{formatCount(index)}</td>
      <td className="nowrap">{expires === undefined ? "" : formatTime(expires)}</td>
    </tr>
  );
}
