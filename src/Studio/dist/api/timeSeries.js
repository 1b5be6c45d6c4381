import { ServerError, databasePath, getJson, send } from "./http.js";

// src/api/timeSeries.ts
/** The series of a document, by name. */
async function readSeries(database, id, signal) {
	return (await getJson(databasePath(database, "timeseries/stats"), {
		query: { docId: id },
		...signal ? { signal } : {}
	})).TimeSeries.map((one) => ({
		name: one.Name,
		entries: one.NumberOfEntries,
		start: Date.parse(one.StartDate),
		end: Date.parse(one.EndDate)
	}));
}
/**
* A page of entries in a range; whether there are more is told by one that is read too many. A series that is not
* there has none.
*/
async function readEntries(database, id, name, range, page, signal) {
	const answer = await getJson(databasePath(database, "timeseries/ranges"), {
		query: {
			docId: id,
			name,
			...boundsOf(range),
			start: page.start,
			pageSize: page.size + 1
		},
		...signal ? { signal } : {}
	});
	const [first] = Object.values(answer.Values);
	const entries = (first?.[0]?.Entries ?? []).map((one) => ({
		at: Date.parse(one.Timestamp),
		tag: one.Tag,
		values: one.Values
	}));
	return {
		entries: entries.slice(0, page.size),
		hasMore: entries.length > page.size
	};
}
/** What the entries of a range come to, frame by frame; and how many there are. */
async function readFrames(database, id, name, range, frame, signal) {
	const query = `from @all_docs as d where id() = \$id select timeseries(from \$name between \$from and \$to group by ${frame} select min(), max(), avg()) as Series`;
	const parameters = {
		id,
		name,
		...boundsOf(range)
	};
	const answer = await send("POST", databasePath(database, "queries"), {
		query: { disableAutoIndexCreation: true },
		body: {
			Query: query,
			QueryParameters: parameters
		},
		...signal ? { signal } : {}
	});
	const { Results: results } = JSON.parse(answer.text);
	const found = results[0]?.Series;
	return {
		entries: found?.Count ?? 0,
		frames: (found?.Results ?? []).map((one) => ({
			from: Date.parse(one.From),
			to: Date.parse(one.To),
			min: one.Min,
			max: one.Max,
			average: one.Average
		}))
	};
}
/** Names of values, as the database has them; none if there are none, or the caller may not know. */
async function readValueNames(database, signal) {
	try {
		return (await getJson(databasePath(database, "timeseries/config"), signal ? { signal } : {}))?.NamedValues ?? {};
	} catch (error) {
		if (error instanceof ServerError && (error.status === 403 || error.status === 404)) return {};
		throw error;
	}
}
/** Writes an entry; in an incremental series its values are added to those at its time. */
async function writeEntry(database, id, name, entry, isAdded) {
	const written = {
		Timestamp: new Date(entry.at).toISOString(),
		Values: entry.values,
		...entry.tag === null || isAdded ? {} : { Tag: entry.tag }
	};
	const body = {
		Name: name,
		[isAdded ? "Increments" : "Appends"]: [written]
	};
	await send("POST", databasePath(database, "timeseries"), {
		query: { docId: id },
		body
	});
}
/** Deletes the entries of a range. */
async function deleteEntries(database, id, name, range) {
	const { from, to } = boundsOf(range);
	const body = {
		Name: name,
		Deletes: [{
			From: from,
			To: to
		}]
	};
	await send("POST", databasePath(database, "timeseries"), {
		query: { docId: id },
		body
	});
}
function boundsOf({ from, to }) {
	return {
		from: new Date(from).toISOString(),
		to: new Date(to).toISOString()
	};
}

export { deleteEntries, readEntries, readFrames, readSeries, readValueNames, writeEntry };