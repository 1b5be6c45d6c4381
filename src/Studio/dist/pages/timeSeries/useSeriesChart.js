import { readEntries, readFrames } from "../../api/timeSeries.js";
import { ENTRIES_MAX, frameOf } from "./seriesModel.js";
import { keepPreviousData, useQuery } from "../../vendor/query.js";

// src/pages/timeSeries/useSeriesChart.ts
/** Reads what a chart draws; an answer to a former range never replaces that to a later one. */
function useSeriesChart(database, id, name, range) {
	return useQuery({
		queryKey: [
			"series",
			database,
			id,
			"chart",
			name,
			range.from,
			range.to
		],
		queryFn: async ({ signal }) => {
			const page = await readEntries(database, id, name, range, {
				start: 0,
				size: ENTRIES_MAX
			}, signal);
			if (!page.hasMore) return {
				how: "entries",
				entries: page.entries,
				count: page.entries.length
			};
			const frame = frameOf(range);
			const { frames, entries } = await readFrames(database, id, name, range, frame.text, signal);
			return {
				how: "frames",
				frames,
				count: entries,
				frame: frame.text
			};
		},
		placeholderData: keepPreviousData,
		retry: false
	});
}

export { useSeriesChart };