import { QueryClient } from "@tanstack/react-query";
import { ServerError } from "../api/http";

/** Answers are kept for a moment; an error is tried again only if the server may come back by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (count, error) => count < 2 && error instanceof ServerError && error.isPassing,
      refetchOnWindowFocus: true,
    },
  },
});
