import { documentsOf, editorText, numberMember } from "../../api/documents.js";
import { databasePath, send } from "../../api/http.js";
import { member, parseJson } from "../../json/jsonTree.js";
import { withoutSystemFields } from "../../json/systemFields.js";
import { Button } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy.js";
import { Dialog } from "../../ui/dialog.js";
import { formatCount, formatTime } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, Suspense, jsx, jsxs, lazy, useState } from "../../vendor/react.js";

// src/pages/document/revisionsDialog.tsx
const DiffView = lazy(() => import("../../editor/diffView.js").then((module) => ({ default: module.DiffView })));
/** How many versions are read: the newest ones. */
const READ_MAX = 200;
/** The versions of a document through time: a slider chooses one, and what it changed is shown. */
function RevisionsDialog({ database, id, current, onClose, onTake }) {
	const [place, setPlace] = useState();
	const [isWithNow, setWithNow] = useState(false);
	const revisions = useQuery({
		queryKey: [
			"revisions",
			database,
			id
		],
		queryFn: async ({ signal }) => {
			const query = {
				id,
				start: 0,
				pageSize: READ_MAX
			};
			const answer = await send("GET", databasePath(database, "revisions"), {
				query,
				signal
			});
			const root = parseJson(answer.text, 512);
			const read = documentsOf(member(root, "Results")).reverse();
			return {
				total: numberMember(root, "TotalResults") ?? read.length,
				versions: read.map((one) => ({
					changeVector: one.changeVector,
					at: one.lastModified,
					text: editorText(withoutSystemFields(one.node))
				}))
			};
		},
		gcTime: 0
	});
	const versions = revisions.data?.versions ?? [];
	const at = Math.min(place ?? versions.length - 1, versions.length - 1);
	const chosen = versions[at];
	const before = isWithNow ? current : versions[at - 1]?.text ?? "";
	return /* @__PURE__ */ jsxs(Dialog, {
		title: `Revisions of ${id}`,
		isOpen: true,
		onClose,
		wide: true,
		children: [
			revisions.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: revisions.error,
				onRetry: () => void revisions.refetch()
			}),
			revisions.isPending && !revisions.error && /* @__PURE__ */ jsx(Loading, { what: "the revisions" }),
			revisions.data && !chosen && /* @__PURE__ */ jsx(Empty, {
				icon: "history",
				title: "It has no revisions",
				children: "The configuration of the database says for which collections earlier versions are kept."
			}),
			chosen && /* @__PURE__ */ jsxs(Fragment, { children: [
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsxs("span", { children: [
						`Version ${formatCount(at + 1)} of ${formatCount(versions.length)}`,
						revisions.data && revisions.data.total > versions.length ? ` (the newest of ${formatCount(revisions.data.total)})` : "",
						`, of ${formatTime(chosen.at)}`
					] }), /* @__PURE__ */ jsx("input", {
						type: "range",
						min: 0,
						max: versions.length - 1,
						value: at,
						"aria-valuetext": `Version ${at + 1}, ${formatTime(chosen.at)}`,
						onChange: (event) => setPlace(Number(event.target.value))
					})]
				}),
				/* @__PURE__ */ jsxs("label", {
					className: "check",
					children: [/* @__PURE__ */ jsx("input", {
						type: "checkbox",
						checked: isWithNow,
						onChange: (event) => setWithNow(event.target.checked)
					}), /* @__PURE__ */ jsx("span", { children: "compare with what is stored now, instead of the version before" })]
				}),
				/* @__PURE__ */ jsx("div", {
					className: "revision",
					children: /* @__PURE__ */ jsx(Suspense, {
						fallback: /* @__PURE__ */ jsx(Loading, { what: "the difference" }),
						children: /* @__PURE__ */ jsx(DiffView, {
							name: `Version ${at + 1} of ${id}`,
							before,
							after: chosen.text
						})
					})
				}),
				/* @__PURE__ */ jsxs("div", {
					className: "row end",
					children: [/* @__PURE__ */ jsx(CopyButton, { text: chosen.text }), /* @__PURE__ */ jsx(Button, {
						icon: "reset",
						onClick: () => onTake(chosen.text),
						children: "Put it into the editor"
					})]
				})
			] })
		]
	});
}

export { RevisionsDialog };