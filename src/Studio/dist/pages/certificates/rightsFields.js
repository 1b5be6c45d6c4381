import { getJson } from "../../api/http.js";
import { Button, IconButton } from "../../ui/button.js";
import { CLEARANCES, RIGHTS, clearanceRefusal } from "./certificateModel.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs, useId } from "../../vendor/react.js";

// src/pages/certificates/rightsFields.tsx
/** Fields of a name, a clearance, and rights in databases. */
function RightsFields({ draft, who, isKey, onChange }) {
	const list = useId();
	const databases = useQuery({
		queryKey: ["database-names"],
		queryFn: ({ signal }) => getJson("/studio/databases", {
			query: { pageSize: 256 },
			signal
		}),
		retry: false
	});
	const setRow = (at, row) => onChange({
		...draft,
		rows: draft.rows.map((one, index) => index === at ? row : one)
	});
	const clearances = CLEARANCES.filter((one) => !isKey || one === "ValidUser" || one === "Operator");
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "Name" }), /* @__PURE__ */ jsx("input", {
				value: draft.name,
				maxLength: 256,
				autoComplete: "off",
				spellCheck: false,
				required: true,
				onChange: (event) => onChange({
					...draft,
					name: event.target.value
				})
			})]
		}),
		/* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: "May on the server" }), /* @__PURE__ */ jsx("select", {
				value: draft.clearance,
				onChange: (event) => onChange({
					...draft,
					clearance: event.target.value
				}),
				children: clearances.map((one) => /* @__PURE__ */ jsx("option", {
					value: one,
					disabled: clearanceRefusal(who, one) !== void 0,
					children: CLEARANCE_WORDS[one]
				}, one))
			})]
		}),
		draft.clearance === "ValidUser" && /* @__PURE__ */ jsxs("fieldset", { children: [
			/* @__PURE__ */ jsx("legend", { children: "Databases" }),
			draft.rows.length === 0 && /* @__PURE__ */ jsx("p", {
				className: "hint",
				children: "None yet: it may sign in, and nothing more."
			}),
			draft.rows.map((row, at) => /* @__PURE__ */ jsxs("div", {
				className: "rights-row",
				children: [
					/* @__PURE__ */ jsx("input", {
						"aria-label": `Database ${at + 1}`,
						list,
						value: row.database,
						spellCheck: false,
						autoComplete: "off",
						onChange: (event) => setRow(at, {
							...row,
							database: event.target.value
						})
					}),
					/* @__PURE__ */ jsx("select", {
						"aria-label": `Right in database ${at + 1}`,
						value: row.right,
						onChange: (event) => setRow(at, {
							...row,
							right: event.target.value
						}),
						children: RIGHTS.map((right) => /* @__PURE__ */ jsx("option", {
							value: right,
							children: right
						}, right))
					}),
					/* @__PURE__ */ jsx(IconButton, {
						name: `Take database ${at + 1} out`,
						icon: "close",
						onClick: () => onChange({
							...draft,
							rows: draft.rows.filter((_, index) => index !== at)
						})
					})
				]
			}, at)),
			/* @__PURE__ */ jsx("datalist", {
				id: list,
				children: (databases.data?.Databases ?? []).map((one) => /* @__PURE__ */ jsx("option", { value: one.Name }, one.Name))
			}),
			/* @__PURE__ */ jsx("div", {
				className: "row",
				children: /* @__PURE__ */ jsx(Button, {
					icon: "plus",
					onClick: () => onChange({
						...draft,
						rows: [...draft.rows, {
							database: "",
							right: "Read"
						}]
					}),
					children: "Database"
				})
			})
		] })
	] });
}
const CLEARANCE_WORDS = {
	ValidUser: "ValidUser: what it may in each database",
	Operator: "Operator: all databases, and who may use them",
	ClusterNode: "ClusterNode: another server",
	ClusterAdmin: "ClusterAdmin: everything"
};

export { RightsFields };