import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { watchChanges } from "../../api/changes";
import { databasePath, getJson } from "../../api/http";
import type { IndexStats } from "../../api/types";

/** Index events come with each batch: the list is read at most so often for them. */
const PAUSE_MS = 1_000;

/** The states of all indexes, or of one; read again when the server tells of a change. */
export function useIndexStats(database: string, name?: string) {
  const stats = useQuery({
    queryKey: ["index-stats", database, name ?? ""],
    queryFn: async ({ signal }) =>
      (
        await getJson<{ Results: readonly IndexStats[] }>(databasePath(database, "indexes/stats"), {
          query: { name },
          signal,
        })
      ).Results,
    refetchInterval: (query) =>
      query.state.error ? false : query.state.data?.some((one) => one.IsStale) ? 2_000 : 15_000,
  });
  const { refetch } = stats;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unwatch = watchChanges(database, "watch-indexes", undefined, () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void refetch();
      }, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [database, refetch]);
  return stats;
}
