import { watchChanges } from "../../api/changes.js";
import { databasePath, getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { replaceEqualDeep, useQuery } from "../../vendor/query.js";
import { useEffect } from "../../vendor/react.js";

// src/pages/indexes/useIndexStats.ts
/** Index events come with each batch: the list is read at most so often for them. */
const PAUSE_MS = 1e3;
/** The states of more indexes than this are megabytes: they are read less often. */
const MANY = 1e3;
/** The states of all indexes, or of one; read again when the server tells of a change. */
function useIndexStats(database, name) {
	const stats = useQuery({
		queryKey: [
			"index-stats",
			database,
			name ?? ""
		],
		queryFn: async ({ signal }) => (await getJson(databasePath(database, "indexes/stats"), {
			query: { name },
			signal
		})).Results,
		refetchInterval: ({ state: { error, data = [] } }) => {
			const isMoving = data.length <= MANY && data.some((one) => one.IsStale);
			return pollMs(error, isMoving ? 2e3 : 15e3);
		},
		structuralSharing: (before, after) => after.length > MANY ? after : replaceEqualDeep(before, after)
	});
	const { refetch } = stats;
	useEffect(() => {
		let timer;
		const unwatch = watchChanges(database, "watch-indexes", void 0, () => {
			timer ??= setTimeout(() => {
				timer = void 0;
				refetch();
			}, PAUSE_MS);
		});
		return () => {
			clearTimeout(timer);
			unwatch();
		};
	}, [database, refetch]);
	return stats;
}

export { useIndexStats };