import { ServerError } from "./api/http.js";
import { router } from "./app/router.js";
import { applyTheme } from "./app/theme.js";
import { QueryClient, QueryClientProvider } from "./vendor/query.js";
import { RouterProvider } from "./vendor/router.js";
import { StrictMode, createRoot, jsx } from "./vendor/react.js";

// src/main.tsx
applyTheme();
/** Answers are kept for a moment; an error is tried again only if the server may come back by itself. */
const client = new QueryClient({ defaultOptions: { queries: {
	staleTime: 2e3,
	retry: (count, error) => count < 2 && error instanceof ServerError && error.isPassing,
	refetchOnWindowFocus: true
} } });
const root = document.getElementById("root");
if (root) createRoot(root).render(/* @__PURE__ */ jsx(StrictMode, { children: /* @__PURE__ */ jsx(QueryClientProvider, {
	client,
	children: /* @__PURE__ */ jsx(RouterProvider, { router })
}) }));
