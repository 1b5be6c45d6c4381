import type { UseQueryOptions } from "@tanstack/react-query";
import { databasePath, send } from "../../api/http";
import { runJob } from "../../json/jsonWork";

/** The text of one version, which never changes. */
export function versionQuery(database: string, changeVector: string | undefined): UseQueryOptions<string> {
  return {
    queryKey: ["revision", database, changeVector ?? ""],
    queryFn: async ({ signal }) => {
      const query = { changeVector };
      const answer = await send("GET", databasePath(database, "revisions"), { query, signal });
      const read = await runJob("open", answer.text);
      if (!read) {
        throw new Error("This version is not kept any more.");
      }
      return read.text;
    },
    enabled: changeVector !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  };
}
