import { databasePath, getJson } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { lazyPart } from "../../app/lazyPart.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatCount, plural } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { definitionText, replacementName } from "./definitionText.js";
import { indexState, lagOf } from "./indexState.js";
import { useIndexStats } from "./useIndexStats.js";
import { useQuery, useQueryClient } from "../../vendor/query.js";
import { Suspense, jsx, jsxs, useEffect, useRef } from "../../vendor/react.js";

// src/pages/indexes/replacement.tsx
const DiffView = lazyPart(() => import("../../editor/diffView.js").then((module) => module.DiffView));
/** On the tints of what went and came, colors of words would be too faint. */
const NO_COLORS = [];
/** What is built beside an index, if anything is; says it when it has taken its place. */
function useReplacement(database, name) {
	const client = useQueryClient();
	const all = useIndexStats(database);
	const wanted = replacementName(name);
	const found = all.data?.find((one) => one.Name === wanted);
	const was = useRef(false);
	useEffect(() => {
		if (was.current && all.data && !found) {
			announce(`${name} is replaced.`);
			client.invalidateQueries({ queryKey: ["index-definition", database] });
		}
		was.current = found !== void 0;
	}, [
		all.data,
		found,
		client,
		database,
		name
	]);
	return found;
}
/** Says that a replacement is being built, and how far it is. */
function ReplacementBar({ name, stats, isShown, onShow }) {
	const { tone, word } = indexState(stats);
	return /* @__PURE__ */ jsxs("div", {
		className: "bar",
		role: "status",
		children: [
			/* @__PURE__ */ jsxs("span", { children: [
				"Another definition of ",
				/* @__PURE__ */ jsx("strong", {
					className: "break",
					children: name
				}),
				" is built beside it; this one answers until then."
			] }),
			/* @__PURE__ */ jsx(Chip, {
				tone,
				children: word
			}),
			/* @__PURE__ */ jsx("span", { className: "grow" }),
			!isShown && /* @__PURE__ */ jsx(Button, {
				icon: "compare",
				onClick: onShow,
				children: "Compare"
			})
		]
	});
}
/** What runs beside what is built, and the difference of their definitions. */
function Replacement({ database, running, name, stats }) {
	const definition = useQuery({
		queryKey: [
			"index-definition",
			database,
			name
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "indexes"), {
			query: { name },
			signal
		}),
		enabled: stats !== void 0,
		retry: false
	});
	if (!stats) return /* @__PURE__ */ jsx(Empty, {
		icon: "check",
		title: "Nothing is built beside it",
		children: "A changed definition is built beside the index that runs, and takes its place when it has caught up."
	});
	if (definition.error) return /* @__PURE__ */ jsx(ErrorBox, {
		error: definition.error,
		onRetry: () => void definition.refetch()
	});
	const built = definition.data?.Results[0];
	if (!built) return /* @__PURE__ */ jsx(Loading, { what: "the replacement" });
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [/* @__PURE__ */ jsxs("dl", {
			className: "facts",
			children: [
				/* @__PURE__ */ jsx("dt", { children: "Behind" }),
				/* @__PURE__ */ jsx("dd", { children: plural(lagOf(stats), "change") }),
				/* @__PURE__ */ jsx("dt", { children: "Entries" }),
				/* @__PURE__ */ jsx("dd", { children: formatCount(stats.EntriesCount) }),
				/* @__PURE__ */ jsx("dt", { children: "Errors" }),
				/* @__PURE__ */ jsx("dd", {
					className: stats.ErrorsCount > 0 ? "bad" : "",
					children: formatCount(stats.ErrorsCount)
				})
			]
		}), /* @__PURE__ */ jsx("div", {
			className: "comparison",
			children: /* @__PURE__ */ jsx(Suspense, {
				fallback: /* @__PURE__ */ jsx(Loading, { what: "the difference" }),
				children: /* @__PURE__ */ jsx(DiffView, {
					language: NO_COLORS,
					name: "What runs, and what is built",
					before: definitionText(running),
					after: definitionText(built)
				})
			})
		})]
	});
}

export { Replacement, ReplacementBar, useReplacement };