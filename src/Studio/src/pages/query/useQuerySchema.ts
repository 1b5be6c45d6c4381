import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { databasePath, getJson } from "../../api/http";
import type { CollectionCounts, CollectionFields, IndexDefinition } from "../../api/types";
import type { RqlField, RqlSchema } from "../../rql/rqlCompletion";
import { rqlContext } from "../../rql/rqlContext";

/** What is known of a database, for completion: collections, indexes, and the fields of what the query is from. */
export function useQuerySchema(database: string, text: string, parameters: readonly string[]): () => RqlSchema {
  const { source, isIndex } = rqlContext(text, text.length);
  const collections = useQuery({
    queryKey: ["collections", database],
    queryFn: ({ signal }) => getJson<CollectionCounts>(databasePath(database, "collections/stats"), { signal }),
    staleTime: 15_000,
  });
  const indexes = useQuery({
    queryKey: ["index-names", database],
    queryFn: ({ signal }) =>
      getJson<{ Results: readonly string[] }>(databasePath(database, "indexes"), {
        query: { namesOnly: true },
        signal,
      }),
    staleTime: 15_000,
  });
  const isKnown = !isIndex && source !== undefined && Object.hasOwn(collections.data?.Collections ?? {}, source);
  const fields = useQuery({
    queryKey: ["fields", database, source],
    queryFn: ({ signal }) =>
      getJson<CollectionFields>(databasePath(database, "studio/collections/fields"), {
        query: { name: source, sample: 128 },
        signal,
      }),
    enabled: isKnown,
    staleTime: 60_000,
    retry: false,
  });
  const definition = useQuery({
    queryKey: ["index-definition", database, source],
    queryFn: ({ signal }) =>
      getJson<{ Results: readonly IndexDefinition[] }>(databasePath(database, "indexes"), {
        query: { name: source },
        signal,
      }),
    enabled: isIndex && source !== undefined && (indexes.data?.Results ?? []).includes(source),
    staleTime: 60_000,
    retry: false,
  });
  const known: RqlField[] = isIndex
    ? Object.keys(definition.data?.Results[0]?.Fields ?? {}).map((name) => ({ name }))
    : (fields.data?.Fields ?? []).map((field) => ({
        name: field.Path,
        kind: Object.keys(field.Kinds).join(", ").toLowerCase(),
        ...(field.Example === null || field.Example === undefined
          ? {}
          : { example: String(field.Example).slice(0, 40) }),
      }));
  const isReading = collections.isLoading || indexes.isLoading || fields.isLoading || definition.isLoading;
  const schema: RqlSchema = {
    settled: isReading ? undefined : source,
    collections: Object.entries(collections.data?.Collections ?? {}).map(([name, count]) => ({ name, count })),
    indexes: indexes.data?.Results ?? [],
    parameters,
    fields: (from) => (from === source ? known : []),
  };
  const latest = useRef(schema);
  latest.current = schema;
  return useCallback(() => latest.current, []);
}
