import { ServerError, send } from "../api/http.js";
import { Chip } from "../ui/chip.js";
import { useQuery } from "../vendor/query.js";
import { jsx } from "../vendor/react.js";

// src/app/health.tsx
/** Whether the server answers, and is the one that this page is of. */
function Health() {
	const health = useQuery({
		queryKey: ["healthz"],
		queryFn: ({ signal }) => send("GET", "/healthz", { signal }),
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
	const version = document.querySelector("meta[name=\"raven-version\"]")?.content;
	const serving = health.data?.headers.get("Raven-Server-Version");
	if (version && serving && !version.startsWith("{{") && version !== serving) return /* @__PURE__ */ jsx(Chip, {
		tone: "stale",
		title: `The server is ${serving} now, this page is of ${version}: load it again.`,
		children: "new version"
	});
	return /* @__PURE__ */ jsx(Chip, {
		tone: "good",
		children: "well"
	});
}

export { Health };