import { databasePath, getJson, ServerError, send } from "./http";

/** A time series of a document, as the server counts it. */
export interface SeriesFacts {
  readonly name: string;
  readonly entries: number;
  /** In milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

/** An entry of a series. A roll-up has six values for each: first, last, least, greatest, sum, count. */
export interface SeriesEntry {
  readonly at: number;
  readonly tag: string | null;
  readonly values: readonly number[];
}

/** What the entries of a stretch of time come to, for each value. */
export interface SeriesFrame {
  readonly from: number;
  readonly to: number;
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly average: readonly number[];
}

/** Both ends belong to it. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The series of a document, by name. */
export async function readSeries(database: string, id: string, signal?: AbortSignal): Promise<readonly SeriesFacts[]> {
  const answer = await getJson<{
    TimeSeries: readonly { Name: string; NumberOfEntries: number; StartDate: string; EndDate: string }[];
  }>(databasePath(database, "timeseries/stats"), { query: { docId: id }, ...(signal ? { signal } : {}) });
  return answer.TimeSeries.map((one) => ({
    name: one.Name,
    entries: one.NumberOfEntries,
    start: Date.parse(one.StartDate),
    end: Date.parse(one.EndDate),
  }));
}

/**
 * A page of entries in a range; whether there are more is told by one that is read too many. A series that is not
 * there has none.
 */
export async function readEntries(
  database: string,
  id: string,
  name: string,
  range: TimeRange,
  page: { readonly start: number; readonly size: number },
  signal?: AbortSignal,
): Promise<{ readonly entries: readonly SeriesEntry[]; readonly hasMore: boolean }> {
  type Entry = { readonly Timestamp: string; readonly Tag: string | null; readonly Values: readonly number[] };
  // The route of several ranges: to that of one, a series that another client has just emptied is an error.
  const answer = await getJson<{ Values: Readonly<Record<string, readonly { Entries: readonly Entry[] }[]>> }>(
    databasePath(database, "timeseries/ranges"),
    {
      query: { docId: id, name, ...boundsOf(range), start: page.start, pageSize: page.size + 1 },
      ...(signal ? { signal } : {}),
    },
  );
  const [first] = Object.values(answer.Values);
  const entries = (first?.[0]?.Entries ?? []).map((one) => ({
    at: Date.parse(one.Timestamp),
    tag: one.Tag,
    values: one.Values,
  }));
  return { entries: entries.slice(0, page.size), hasMore: entries.length > page.size };
}

/** What the entries of a range come to, frame by frame; and how many there are. */
export async function readFrames(
  database: string,
  id: string,
  name: string,
  range: TimeRange,
  frame: string,
  signal?: AbortSignal,
): Promise<{ readonly frames: readonly SeriesFrame[]; readonly entries: number }> {
  const query =
    "from @all_docs as d where id() = $id select timeseries(from $name between $from and $to " +
    `group by ${frame} select min(), max(), avg()) as Series`;
  const parameters = { id, name, ...boundsOf(range) };
  const answer = await send("POST", databasePath(database, "queries"), {
    query: { disableAutoIndexCreation: true },
    body: { Query: query, QueryParameters: parameters },
    ...(signal ? { signal } : {}),
  });
  const { Results: results } = JSON.parse(answer.text) as {
    Results: readonly {
      Series: {
        Count: number;
        Results: readonly { From: string; To: string; Min: number[]; Max: number[]; Average: number[] }[];
      } | null;
    }[];
  };
  const found = results[0]?.Series;
  return {
    entries: found?.Count ?? 0,
    frames: (found?.Results ?? []).map((one) => ({
      from: Date.parse(one.From),
      to: Date.parse(one.To),
      min: one.Min,
      max: one.Max,
      average: one.Average,
    })),
  };
}

/** The names of values by collection and series. */
export type ValueNames = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Names of values, as the database has them; none if there are none, or the caller may not know. */
export async function readValueNames(database: string, signal?: AbortSignal): Promise<ValueNames> {
  try {
    const configuration = await getJson<{ NamedValues?: ValueNames | null } | null>(
      databasePath(database, "timeseries/config"),
      signal ? { signal } : {},
    );
    return configuration?.NamedValues ?? {};
  } catch (error) {
    if (error instanceof ServerError && (error.status === 403 || error.status === 404)) {
      return {};
    }
    throw error;
  }
}

/** Writes an entry; in an incremental series its values are added to those at its time. */
export async function writeEntry(
  database: string,
  id: string,
  name: string,
  entry: SeriesEntry,
  isAdded: boolean,
): Promise<void> {
  const written = {
    Timestamp: new Date(entry.at).toISOString(),
    Values: entry.values,
    ...(entry.tag === null || isAdded ? {} : { Tag: entry.tag }),
  };
  const body = { Name: name, [isAdded ? "Increments" : "Appends"]: [written] };
  await send("POST", databasePath(database, "timeseries"), { query: { docId: id }, body });
}

/** Deletes the entries of a range. */
export async function deleteEntries(database: string, id: string, name: string, range: TimeRange): Promise<void> {
  const { from, to } = boundsOf(range);
  const body = { Name: name, Deletes: [{ From: from, To: to }] };
  await send("POST", databasePath(database, "timeseries"), { query: { docId: id }, body });
}

function boundsOf({ from, to }: TimeRange): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
