import { databasePath, getJson, send } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { isRunning } from "./operationModel.js";
import { useQuery } from "../../vendor/query.js";
import { useEffect, useRef } from "../../vendor/react.js";

// src/pages/operations/useOperation.ts
/** How often an operation is asked how far it is. */
const PAUSE_MS = 500;
/**
* Follows an operation of a database, or of the server; calls a function once when it has ended. Its state is null if
* the server does not know it: it is forgotten, or has not begun. The list is asked, since that is no error of it.
*/
function useOperation(database, id, onEnd, mayBeLate) {
	const found = useQuery({
		queryKey: [
			"operation",
			database ?? "",
			id
		],
		queryFn: async ({ signal }) => {
			const path = database === void 0 ? "/operations" : databasePath(database, "operations");
			return (await getJson(path, {
				query: { id },
				signal
			})).Results[0]?.State ?? null;
		},
		refetchInterval: ({ state }) => {
			return mayBeLate && state.data === null || state.data && isRunning(state.data) ? pollMs(state.error, PAUSE_MS) : false;
		},
		staleTime: 0
	});
	const told = useRef(false);
	const { data } = found;
	useEffect(() => {
		if (data && !isRunning(data) && !told.current) {
			told.current = true;
			onEnd?.(data);
		}
	}, [data, onEnd]);
	return found;
}
/** Asks the server to end an operation. */
async function killOperation(database, id) {
	await send("POST", database === void 0 ? "/admin/operations/kill" : databasePath(database, "operations/kill"), { query: { id } });
}

export { killOperation, useOperation };