import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useState } from "react";
import { watchChanges } from "../../api/changes";
import { readSeries, type SeriesFacts } from "../../api/timeSeries";
import { lazyPart } from "../../app/lazyPart";
import { Link } from "../../app/link";
import { databasePlace, placeUrl, useSearchState } from "../../app/places";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { formatCount, plural } from "../../ui/format";
import { Empty, ErrorBox, Loading } from "../../ui/states";
import type { PartProps } from "../document/partsNavigation";
import { EntryDialog } from "./entryDialog";
import { kindOf, timeText } from "./seriesModel";

const OneSeries = lazyPart(() => import("./oneSeries").then((module) => module.OneSeries));

/** The time series of a document: all of them, or one as a chart and a table. */
export function TimeSeriesPart({ database, parts, onChanged }: PartProps) {
  const { id } = parts;
  const { series: name } = useSearchState();
  const client = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const all = useQuery({
    queryKey: ["series", database, id],
    queryFn: ({ signal }) => readSeries(database, id, signal),
    retry: false,
  });
  const refresh = useCallback(() => refreshSeries(client, database, id), [client, database, id]);
  useEffect(
    () => watchChanges(database, "watch-all-document-timeseries", id, () => void refresh()),
    [database, id, refresh],
  );
  const changed = async () => {
    await Promise.all([refresh(), onChanged()]);
  };
  const one = all.data?.find((facts) => facts.name.toLowerCase() === name?.toLowerCase());
  if (name !== undefined && one) {
    return (
      <Suspense fallback={<Loading what={name} rows={12} />}>
        <OneSeries key={one.name} database={database} id={id} facts={one} onChanged={changed} />
      </Suspense>
    );
  }
  return (
    <section className="page" aria-label="Time series">
      <div className="page-head">
        <h1 className="mono ellipsis" title={id}>
          {id}
        </h1>
        <span className="muted">{all.data ? `${formatCount(all.data.length)} series` : ""}</span>
        <span className="grow" />
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          New series
        </Button>
      </div>
      {all.error && (
        <ErrorBox title="The time series cannot be read" error={all.error} onRetry={() => void all.refetch()} />
      )}
      {all.isPending && <Loading what="the time series" />}
      {all.data && name !== undefined && (
        <Empty
          icon="chart"
          title={`It has no series ${name}`}
          action={<Link href={seriesUrl(database, id)}>All series</Link>}
        >
          A series without entries is gone.
        </Empty>
      )}
      {all.data && name === undefined && all.data.length === 0 && (
        <Empty icon="chart" title="It has no time series">
          A series is a list of entries: a time, up to 32 values, perhaps a tag. Its first entry makes it.
        </Empty>
      )}
      {all.data && name === undefined && all.data.length > 0 && (
        <SeriesTable database={database} id={id} all={all.data} />
      )}
      {isAdding && (
        <EntryDialog
          database={database}
          id={id}
          name={undefined}
          onClose={() => setAdding(false)}
          onDone={() => void changed()}
        />
      )}
    </section>
  );
}

/** Reads the list of series again, and then what is shown of those that are left: one without entries is gone. */
async function refreshSeries(client: QueryClient, database: string, id: string): Promise<void> {
  const queryKey = ["series", database, id];
  await client.refetchQueries({ queryKey, exact: true });
  const left = new Set(client.getQueryData<readonly SeriesFacts[]>(queryKey)?.map((one) => one.name));
  await client.invalidateQueries({ queryKey, predicate: (query) => left.has(String(query.queryKey[4])) });
}

/** The place of one series, or of all. */
export function seriesUrl(database: string, id: string, series?: string): string {
  return placeUrl(databasePlace(database, "doc"), { id, tab: "timeseries", series });
}

function SeriesTable({ database, id, all }: { database: string; id: string; all: readonly SeriesFacts[] }) {
  return (
    <section className="scroll" aria-label="List of series" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Series</th>
            <th>Kind</th>
            <th className="number">Entries</th>
            <th>First</th>
            <th>Last</th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.name}>
              <th scope="row" className="break">
                <Link href={seriesUrl(database, id, one.name)}>{one.name}</Link>
              </th>
              <td>
                <KindChip name={one.name} />
              </td>
              <td className="number nowrap" title={plural(one.entries, "entry", "entries")}>
                {formatCount(one.entries)}
              </td>
              <td className="nowrap">{timeText(one.start)}</td>
              <td className="nowrap">{timeText(one.end)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What a series is beside a plain one. */
export function KindChip({ name }: { name: string }) {
  const kind = kindOf(name);
  if (kind.policy !== undefined) {
    return <Chip tone="info" icon="reset">{`roll-up of ${kind.raw}`}</Chip>;
  }
  return kind.isIncremental ? (
    <Chip tone="none" icon="plus">
      incremental
    </Chip>
  ) : null;
}
