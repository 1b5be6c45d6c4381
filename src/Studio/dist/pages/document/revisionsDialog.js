import { documentsOf, numberMember } from "../../api/documents.js";
import { databasePath, send } from "../../api/http.js";
import { lazyPart } from "../../app/lazyPart.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl } from "../../app/places.js";
import { textOf } from "../../editor/longText.js";
import { member, parseJson } from "../../json/jsonTree.js";
import { WORKER_LENGTH } from "../../json/jsonWork.js";
import { Button } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy.js";
import { Dialog } from "../../ui/dialog.js";
import { formatCount, formatTime } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { LongDiff } from "./longDiff.js";
import { versionQuery } from "./versionQuery.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, Suspense, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/document/revisionsDialog.tsx
const DiffView = lazyPart(() => import("../../editor/diffView.js").then((module) => module.DiffView));
/** How many versions are listed: the newest ones. */
const READ_MAX = 1e3;
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
				pageSize: READ_MAX,
				metadataOnly: true
			};
			const answer = await send("GET", databasePath(database, "revisions"), {
				query,
				signal
			});
			const root = parseJson(answer.text, 512);
			const versions = documentsOf(member(root, "Results")).reverse();
			return {
				total: numberMember(root, "TotalResults") ?? versions.length,
				versions
			};
		},
		gcTime: 0
	});
	const versions = revisions.data?.versions ?? [];
	const at = Math.min(place ?? versions.length - 1, versions.length - 1);
	const chosen = versions[at];
	const text = useQuery(versionQuery(database, chosen?.changeVector));
	const earlier = useQuery(versionQuery(database, versions[at - 1]?.changeVector));
	const now = useQuery({
		queryKey: ["document-text", current],
		queryFn: () => textOf(current),
		enabled: isWithNow,
		gcTime: 0,
		staleTime: Number.POSITIVE_INFINITY,
		queryKeyHashFn: () => `document-text ${database}\n${id}\n${current.length}`
	});
	const before = isWithNow ? now.data : at > 0 ? earlier.data : "";
	const error = revisions.error ?? text.error ?? (isWithNow ? now.error : earlier.error);
	const again = () => {
		for (const one of [
			revisions,
			text,
			earlier
		]) if (one.error) one.refetch();
	};
	return /* @__PURE__ */ jsxs(Dialog, {
		title: `Revisions of ${id}`,
		isOpen: true,
		onClose,
		wide: true,
		children: [
			error && /* @__PURE__ */ jsx(ErrorBox, {
				error,
				onRetry: again
			}),
			revisions.isPending && !error && /* @__PURE__ */ jsx(Loading, { what: "the revisions" }),
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
						`, of ${formatTime(chosen.lastModified)}`
					] }), /* @__PURE__ */ jsx("input", {
						type: "range",
						min: 0,
						max: versions.length - 1,
						value: at,
						"aria-valuetext": `Version ${at + 1}, ${formatTime(chosen.lastModified)}`,
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
					children: text.data === void 0 || before === void 0 ? !error && /* @__PURE__ */ jsx(Loading, { what: "the version" }) : before.length + text.data.length < 1e6 ? /* @__PURE__ */ jsx(Suspense, {
						fallback: /* @__PURE__ */ jsx(Loading, { what: "the difference" }),
						children: /* @__PURE__ */ jsx(DiffView, {
							name: `Version ${at + 1} of ${id}`,
							before,
							after: text.data
						})
					}) : /* @__PURE__ */ jsx(LongDiff, {
						name: `Version ${at + 1} of ${id}`,
						before,
						after: text.data
					})
				}),
				/* @__PURE__ */ jsxs("div", {
					className: "row end",
					children: [
						/* @__PURE__ */ jsx(Link, {
							className: "button quiet",
							href: placeUrl(databasePlace(database, "doc"), {
								id,
								at: chosen.lastModified
							}),
							title: "A page of its own: its address shows this version to others, too",
							children: "Open it by its time"
						}),
						/* @__PURE__ */ jsx(CopyButton, { text: () => text.data ?? "" }),
						/* @__PURE__ */ jsx(Button, {
							icon: "reset",
							refusal: text.data === void 0 ? "It is on its way." : void 0,
							onClick: () => onTake(text.data ?? ""),
							children: "Put it into the editor"
						})
					]
				})
			] })
		]
	});
}

export { RevisionsDialog };