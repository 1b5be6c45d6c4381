import { replaceEqualDeep, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { watchChanges } from "../../api/changes";
import { databasePath, getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import type { IndexStats } from "../../api/types";

/** Index events come with each batch: the list is read at most so often for them. */
const PAUSE_MS = 1_000;
/** The states of more indexes than this are megabytes: they are read less often. */
const MANY = 1_000;

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
    refetchInterval: ({ state: { error, data = [] } }) => {
      const isMoving = data.length <= MANY && data.some((one) => one.IsStale);
      return pollMs(error, isMoving ? 2_000 : 15_000);
    },
    // To look for what two long lists share costs more than it saves.
    structuralSharing: (before, after) =>
      (after as readonly IndexStats[]).length > MANY ? after : replaceEqualDeep(before, after),
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
