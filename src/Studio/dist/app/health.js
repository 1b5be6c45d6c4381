import { ServerError, send, watchSilence } from "../api/http.js";
import { Chip } from "../ui/chip.js";
import { useQuery } from "../vendor/query.js";
import { jsx, useEffect } from "../vendor/react.js";

// src/app/health.tsx
/** The hash of the files that this page is of, as the server names it; none where Vite serves them. */
const own = /\/studio\/a\/([^/]+)\//.exec(import.meta.url)?.[1];
/** Whether the server answers, and has the files that this page is of. */
function Health() {
	const health = useQuery({
		queryKey: ["healthz"],
		queryFn: ({ signal }) => send("GET", "/healthz", { signal }),
		refetchInterval: ({ state }) => state.error ? 3e3 : 3e4,
		retry: false
	});
	const { refetch } = health;
	useEffect(() => watchSilence(() => void refetch({ cancelRefetch: false })), [refetch]);
	const files = useQuery({
		queryKey: ["studio"],
		queryFn: ({ signal }) => send("HEAD", "/studio/", { signal }),
		refetchInterval: 3e4,
		retry: false
	});
	if (health.isPending) return null;
	if (health.error) {
		const isDown = !(health.error instanceof ServerError) || health.error.status === 0;
		return /* @__PURE__ */ jsx(Chip, {
			tone: "bad",
			title: health.error.message,
			children: isDown ? "no answer" : "not well"
		});
	}
	const served = files.data?.headers.get("Raven-Studio");
	if (own && served && own !== served) return /* @__PURE__ */ jsx(Chip, {
		tone: "stale",
		title: "The server has another version of this page: load it again.",
		children: "new version"
	});
	return /* @__PURE__ */ jsx(Chip, {
		tone: "good",
		children: "well"
	});
}

export { Health };