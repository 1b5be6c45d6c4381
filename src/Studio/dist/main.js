import { queryClient } from "./app/queryClient.js";
import { router } from "./app/router.js";
import { applyTheme } from "./app/theme.js";
import { QueryClientProvider } from "./vendor/query.js";
import { RouterProvider } from "./vendor/router.js";
import { StrictMode, createRoot, jsx } from "./vendor/react.js";

// src/main.tsx
applyTheme();
const root = document.getElementById("root");
if (root) createRoot(root).render(/* @__PURE__ */ jsx(StrictMode, { children: /* @__PURE__ */ jsx(QueryClientProvider, {
	client: queryClient,
	children: /* @__PURE__ */ jsx(RouterProvider, { router })
}) }));
