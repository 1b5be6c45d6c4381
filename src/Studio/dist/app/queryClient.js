import { ServerError } from "../api/http.js";
import { QueryClient } from "../vendor/query.js";

// src/app/queryClient.ts
/** Answers are kept for a moment; an error is tried again only if the server may come back by itself. */
const queryClient = new QueryClient({ defaultOptions: { queries: {
	staleTime: 2e3,
	retry: (count, error) => count < 2 && error instanceof ServerError && error.isPassing,
	refetchOnWindowFocus: true
} } });

export { queryClient };