import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { watchChanges } from "../../api/changes";
import { readParts } from "../../api/parts";

/** What belongs to a document, read again whenever the document changes. */
export function useParts(database: string, id: string) {
  const client = useQueryClient();
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ["parts", database, id] }),
    [client, database, id],
  );
  useEffect(() => watchChanges(database, "watch-doc", id, () => void refresh()), [database, id, refresh]);
  const parts = useQuery({
    queryKey: ["parts", database, id],
    queryFn: ({ signal }) => readParts(database, id, signal),
    retry: false,
  });
  return { parts, refresh };
}
