import { getJson } from "../../api/http.js";
import { formatTime } from "../../ui/format.js";
import { keepPreviousData, useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useId } from "../../vendor/react.js";

// src/pages/backups/cronField.tsx
const USUAL = [
	["0 1 * * *", "every night at one"],
	["0 1 * * 0", "on Sundays at one"],
	["0 1 * * 1-6", "at one on the other days"],
	["0 * * * *", "every hour"],
	["*/15 * * * *", "every quarter of an hour"],
	["0 1 1 * *", "on the first of each month at one"]
];
/** Five fields of cron, and when they come true next, as the server reads them. */
function CronField({ title, value, onChange }) {
	const list = useId();
	const hint = useId();
	const expression = value.trim();
	const next = useQuery({
		queryKey: ["cron", expression],
		queryFn: ({ signal }) => getJson("/studio-tasks/next-cron-expression-occurrence", {
			query: { expression },
			signal
		}),
		enabled: expression !== "",
		placeholderData: keepPreviousData,
		retry: false
	});
	const wrong = expression !== "" && next.data?.IsValid === false ? next.data.ErrorMessage ?? "It is no cron." : "";
	return /* @__PURE__ */ jsxs("label", {
		className: "field",
		children: [
			/* @__PURE__ */ jsx("span", { children: title }),
			/* @__PURE__ */ jsx("input", {
				className: "mono",
				list,
				value,
				placeholder: "minute hour day month weekday",
				autoComplete: "off",
				spellCheck: false,
				"aria-invalid": wrong !== "",
				"aria-describedby": hint,
				onChange: (event) => onChange(event.target.value)
			}),
			/* @__PURE__ */ jsx("datalist", {
				id: list,
				children: USUAL.map(([text, words]) => /* @__PURE__ */ jsx("option", {
					value: text,
					children: words
				}, text))
			}),
			/* @__PURE__ */ jsx("span", {
				id: hint,
				className: wrong === "" ? "hint" : "hint bad",
				children: expression === "" ? "Not at all." : wrong === "" ? `Next: ${formatTime(next.data?.Utc)}` : wrong
			})
		]
	});
}

export { CronField };