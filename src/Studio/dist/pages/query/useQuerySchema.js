import { databasePath, getJson } from "../../api/http.js";
import { rqlContext } from "../../rql/rqlContext.js";
import { useQuery } from "../../vendor/query.js";
import { useCallback, useRef } from "../../vendor/react.js";

// src/pages/query/useQuerySchema.ts
/** What is known of a database, for completion: collections, indexes, and the fields of what the query is from. */
function useQuerySchema(database, text, parameters) {
	const { source, isIndex } = rqlContext(text, text.length);
	const collections = useQuery({
		queryKey: ["collections", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "collections/stats"), { signal }),
		staleTime: 15e3
	});
	const indexes = useQuery({
		queryKey: ["index-names", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "indexes"), {
			query: { namesOnly: true },
			signal
		}),
		staleTime: 15e3
	});
	const isKnown = !isIndex && source !== void 0 && Object.hasOwn(collections.data?.Collections ?? {}, source);
	const fields = useQuery({
		queryKey: [
			"fields",
			database,
			source
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "studio/collections/fields"), {
			query: {
				name: source,
				sample: 128
			},
			signal
		}),
		enabled: isKnown,
		staleTime: 6e4,
		retry: false
	});
	const definition = useQuery({
		queryKey: [
			"index-definition",
			database,
			source
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "indexes"), {
			query: { name: source },
			signal
		}),
		enabled: isIndex && source !== void 0 && (indexes.data?.Results ?? []).includes(source),
		staleTime: 6e4,
		retry: false
	});
	const known = isIndex ? Object.keys(definition.data?.Results[0]?.Fields ?? {}).map((name) => ({ name })) : (fields.data?.Fields ?? []).map((field) => ({
		name: field.Path,
		kind: Object.keys(field.Kinds).join(", ").toLowerCase(),
		...field.Example === null || field.Example === void 0 ? {} : { example: String(field.Example).slice(0, 40) }
	}));
	const schema = {
		settled: collections.isLoading || indexes.isLoading || fields.isLoading || definition.isLoading ? void 0 : source,
		collections: Object.entries(collections.data?.Collections ?? {}).map(([name, count]) => ({
			name,
			count
		})),
		indexes: indexes.data?.Results ?? [],
		parameters,
		fields: (from) => from === source ? known : []
	};
	const latest = useRef(schema);
	latest.current = schema;
	return useCallback(() => latest.current, []);
}

export { useQuerySchema };