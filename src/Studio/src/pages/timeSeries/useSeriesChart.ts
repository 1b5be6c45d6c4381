import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { readEntries, readFrames, type SeriesEntry, type SeriesFrame, type TimeRange } from "../../api/timeSeries";
import { ENTRIES_MAX, frameOf } from "./seriesModel";

/** What is drawn of a range: its entries, or if they are many what they come to by frames. */
export type Drawn =
  | { readonly how: "entries"; readonly entries: readonly SeriesEntry[]; readonly count: number }
  | { readonly how: "frames"; readonly frames: readonly SeriesFrame[]; readonly count: number; readonly frame: string };

/** Reads what a chart draws; an answer to a former range never replaces that to a later one. */
export function useSeriesChart(database: string, id: string, name: string, range: TimeRange) {
  return useQuery({
    queryKey: ["series", database, id, "chart", name, range.from, range.to],
    queryFn: async ({ signal }): Promise<Drawn> => {
      // How many entries a range has is known when it is read: most are short.
      const page = await readEntries(database, id, name, range, { start: 0, size: ENTRIES_MAX }, signal);
      if (!page.hasMore) {
        return { how: "entries", entries: page.entries, count: page.entries.length };
      }
      const frame = frameOf(range);
      const { frames, entries } = await readFrames(database, id, name, range, frame.text, signal);
      return { how: "frames", frames, count: entries, frame: frame.text };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}
