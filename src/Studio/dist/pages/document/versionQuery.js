import { databasePath, send } from "../../api/http.js";
import { runJob } from "../../json/jsonWork.js";

// src/pages/document/versionQuery.ts
/** The text of one version, which never changes. */
function versionQuery(database, changeVector) {
	return {
		queryKey: [
			"revision",
			database,
			changeVector ?? ""
		],
		queryFn: async ({ signal }) => {
			const query = { changeVector };
			const answer = await send("GET", databasePath(database, "revisions"), {
				query,
				signal
			});
			const read = await runJob("open", answer.text);
			if (!read) throw new Error("This version is not kept any more.");
			return read.text;
		},
		enabled: changeVector !== void 0,
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0
	};
}

export { versionQuery };