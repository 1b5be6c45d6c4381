import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { databasePath, getJson, send } from "../../api/http";
import { pollMs } from "../../api/polling";
import { isRunning, type OperationRow, type OperationState } from "./operationModel";

/** How often an operation is asked how far it is. */
const PAUSE_MS = 500;

/**
 * Follows an operation of a database, or of the server; calls a function once when it has ended. Its state is null if
 * the server does not know it: it is forgotten, or has not begun. The list is asked, since that is no error of it.
 */
export function useOperation(
  database: string | undefined,
  id: string,
  onEnd: ((state: OperationState) => void) | undefined,
  mayBeLate: boolean,
) {
  const found = useQuery({
    queryKey: ["operation", database ?? "", id],
    queryFn: async ({ signal }) => {
      const path = database === undefined ? "/operations" : databasePath(database, "operations");
      const list = await getJson<{ Results: readonly OperationRow[] }>(path, { query: { id }, signal });
      return list.Results[0]?.State ?? null;
    },
    refetchInterval: ({ state }) => {
      return (mayBeLate && state.data === null) || (state.data && isRunning(state.data))
        ? pollMs(state.error, PAUSE_MS)
        : false;
    },
    staleTime: 0,
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
export async function killOperation(database: string | undefined, id: string | number): Promise<void> {
  await send("POST", database === undefined ? "/admin/operations/kill" : databasePath(database, "operations/kill"), {
    query: { id },
  });
}
