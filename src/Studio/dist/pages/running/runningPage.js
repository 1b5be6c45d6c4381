import { getJson, send } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { announce } from "../../app/announcer.js";
import { showError } from "../../app/toasts.js";
import { Button } from "../../ui/button.js";
import { formatCount, formatDuration } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/running/runningPage.tsx
/** The requests that a server works on now, the longest first; each can be ended. */
function RunningPage() {
	const [isPaused, setPaused] = useState(false);
	const running = useQuery({
		queryKey: ["running"],
		queryFn: ({ signal }) => getJson("/admin/requests/running", { signal }),
		refetchInterval: (query) => isPaused ? false : pollMs(query.state.error, 2e3)
	});
	if (running.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the requests" });
	if (!running.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The requests cannot be listed",
		error: running.error,
		onRetry: () => void running.refetch()
	});
	const rows = [...running.data.Results.filter((one) => one.Path !== "/admin/requests/running")].sort((a, b) => b.Milliseconds - a.Milliseconds);
	const kill = (id) => {
		send("POST", "/admin/requests/kill", { query: { id } }).then(() => announce(`Request ${id} is ended.`)).catch((error) => showError(`Request ${id} was not ended`, error)).finally(() => void running.refetch());
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Running requests" }),
					/* @__PURE__ */ jsx("span", {
						className: "muted",
						children: formatCount(rows.length)
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						icon: isPaused ? "play" : "pause",
						onClick: () => setPaused(!isPaused),
						children: isPaused ? "Go on" : "Pause"
					})
				]
			}),
			running.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: running.error,
				onRetry: () => void running.refetch()
			}),
			rows.length === 0 ? /* @__PURE__ */ jsx(Empty, {
				icon: "check",
				title: "Nothing runs now",
				children: "Requests that take long stand here while they do."
			}) : /* @__PURE__ */ jsx("section", {
				className: "scroll",
				"aria-label": "Requests",
				tabIndex: 0,
				children: /* @__PURE__ */ jsxs("table", {
					className: "plain-table",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", {
							className: "number",
							children: "For"
						}),
						/* @__PURE__ */ jsx("th", { children: "Request" }),
						/* @__PURE__ */ jsx("th", { children: "What" }),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "End it"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: rows.slice(0, 500).map((one) => /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("td", {
							className: "number nowrap",
							children: formatDuration(one.Milliseconds)
						}),
						/* @__PURE__ */ jsx("td", {
							className: "mono break",
							children: `${one.Method} ${one.Path}${one.Query ?? ""}`
						}),
						/* @__PURE__ */ jsx("td", {
							className: "mono break",
							children: one.Detail ?? ""
						}),
						/* @__PURE__ */ jsx("td", {
							className: "actions",
							children: /* @__PURE__ */ jsx(Button, {
								kind: "danger",
								icon: "stop",
								"aria-label": `End request ${one.Id}`,
								onClick: () => kill(one.Id),
								children: "End"
							})
						})
					] }, one.Id)) })]
				})
			})
		]
	});
}

export { RunningPage };