import { watchChanges } from "../../api/changes.js";
import { readParts } from "../../api/parts.js";
import { useQuery, useQueryClient } from "../../vendor/query.js";
import { useCallback, useEffect } from "../../vendor/react.js";

// src/pages/document/useParts.ts
/** What belongs to a document, read again whenever the document changes. */
function useParts(database, id) {
	const client = useQueryClient();
	const refresh = useCallback(() => client.invalidateQueries({ queryKey: [
		"parts",
		database,
		id
	] }), [
		client,
		database,
		id
	]);
	useEffect(() => watchChanges(database, "watch-doc", id, () => void refresh()), [
		database,
		id,
		refresh
	]);
	return {
		parts: useQuery({
			queryKey: [
				"parts",
				database,
				id
			],
			queryFn: ({ signal }) => readParts(database, id, signal),
			retry: false
		}),
		refresh
	};
}

export { useParts };