import { documentsOf } from "../../api/documents.js";
import { readDocumentText } from "../../api/documentText.js";
import { databasePath, send } from "../../api/http.js";
import { lazyPart } from "../../app/lazyPart.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useSearchState, useSetSearch } from "../../app/places.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { languageFor } from "../../editor/jsonLanguage.js";
import { linesOf } from "../../editor/longText.js";
import { member, parseJson, textMember } from "../../json/jsonTree.js";
import { WORKER_LENGTH } from "../../json/jsonWork.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { CopyButton } from "../../ui/copy.js";
import { formatTime } from "../../ui/format.js";
import { Segments } from "../../ui/segments.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { readTime } from "./documentTime.js";
import { LongDiff } from "./longDiff.js";
import { versionQuery } from "./versionQuery.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, Suspense, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/document/documentAt.tsx
const DiffView = lazyPart(() => import("../../editor/diffView.js").then((module) => module.DiffView));
/** What a document was at a time: its version of then, to be read, and what has changed since. */
function DocumentAt({ database, id, at }) {
	const { show = "text" } = useSearchState();
	const setSearch = useSetSearch();
	const time = readTime(at);
	const version = useQuery({
		queryKey: [
			"document-at",
			database,
			id,
			time
		],
		queryFn: ({ signal }) => readVersion(database, id, time ?? "", signal),
		enabled: time !== void 0,
		gcTime: 0
	});
	const now = useQuery({
		queryKey: [
			"document-now",
			database,
			id
		],
		queryFn: async ({ signal }) => (await readDocumentText(database, id, signal))?.text ?? null,
		enabled: show === "since" && version.data != null,
		gcTime: 0,
		structuralSharing: false
	});
	const found = version.data;
	const text = useQuery(versionQuery(database, found && !found.isDeleted ? found.changeVector : void 0));
	const failed = [
		version,
		text,
		now
	].find((one) => one.error);
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: id,
						children: id
					}),
					/* @__PURE__ */ jsx(Chip, {
						tone: "info",
						icon: "history",
						children: `as of ${formatTime(time ?? at)}`
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					text.data !== void 0 && /* @__PURE__ */ jsx(CopyButton, { text: text.data }),
					/* @__PURE__ */ jsx(Link, {
						className: "button",
						href: documentUrl(database, id),
						children: "As it is now"
					})
				]
			}),
			/* @__PURE__ */ jsx(TimeForm, { at }, at),
			time === void 0 && /* @__PURE__ */ jsx("p", {
				className: "bad padded",
				role: "alert",
				children: `“${at}” is no time: write it as 2026-11-28T08:30:00Z.`
			}),
			failed && /* @__PURE__ */ jsx(ErrorBox, {
				error: failed.error,
				onRetry: () => void failed.refetch()
			}),
			time !== void 0 && version.isPending && !failed && /* @__PURE__ */ jsx(Loading, {
				what: "the version",
				rows: 16
			}),
			found === null && /* @__PURE__ */ jsx(Empty, {
				icon: "history",
				title: "No version of that time is kept",
				action: /* @__PURE__ */ jsx(Link, {
					href: placeUrl(databasePlace(database, "doc"), {
						id,
						tab: "revisions"
					}),
					children: "Its revisions"
				}),
				children: "It was written later, or its collection keeps no earlier versions, or not that far back."
			}),
			found?.isDeleted && /* @__PURE__ */ jsx(Empty, {
				icon: "trash",
				title: "It was deleted then",
				children: `Since ${formatTime(found.writtenAt)}.`
			}),
			found && !found.isDeleted && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsxs("div", {
				className: "row padded",
				children: [/* @__PURE__ */ jsx(Segments, {
					name: "What",
					choices: [{
						key: "text",
						title: "the version"
					}, {
						key: "since",
						title: "what has changed since"
					}],
					chosen: show,
					onChoose: (key) => setSearch({ show: key === "text" ? void 0 : key })
				}), /* @__PURE__ */ jsx("span", {
					className: "muted",
					children: `written ${formatTime(found.writtenAt)}`
				})]
			}), text.data === void 0 || show === "since" && now.data === void 0 ? !failed && /* @__PURE__ */ jsx(Loading, {
				what: "the version",
				rows: 16
			}) : show === "since" ? /* @__PURE__ */ jsx(Since, {
				name: id,
				before: text.data,
				after: now.data ?? null
			}) : /* @__PURE__ */ jsx(VersionText, {
				id,
				text: text.data
			}, found.changeVector)] })
		]
	});
}
function TimeForm({ at }) {
	const setSearch = useSetSearch();
	const [typed, setTyped] = useState(at);
	return /* @__PURE__ */ jsxs("form", {
		className: "row padded",
		onSubmit: (event) => {
			event.preventDefault();
			setSearch({ at: typed.trim() }, true);
		},
		children: [/* @__PURE__ */ jsxs("label", {
			className: "row",
			children: [/* @__PURE__ */ jsx("span", { children: "At" }), /* @__PURE__ */ jsx("input", {
				className: "mono",
				size: 30,
				value: typed,
				spellCheck: false,
				autoComplete: "off",
				"aria-label": "The time",
				placeholder: "2026-11-28T08:30:00Z",
				onChange: (event) => setTyped(event.target.value)
			})]
		}), /* @__PURE__ */ jsx(Button, {
			type: "submit",
			refusal: typed.trim() === "" ? "Write a time first." : void 0,
			children: "Show"
		})]
	});
}
function VersionText({ id, text }) {
	const lines = useQuery({
		queryKey: ["version-lines", text],
		queryFn: () => linesOf(text),
		queryKeyHashFn: () => `version-lines ${id} ${text.length}`,
		staleTime: 0,
		gcTime: 0,
		structuralSharing: false
	});
	return lines.data ? /* @__PURE__ */ jsx(CodeEditor, {
		name: `${id} as JSON`,
		initial: lines.data,
		...languageFor(text.length),
		isReadOnly: true
	}) : /* @__PURE__ */ jsx(Loading, {
		what: "the version",
		rows: 16
	});
}
/** What has changed; the document now is null if it is not there any more. */
function Since({ name, before, after }) {
	if (before === after) return /* @__PURE__ */ jsx("p", {
		className: "muted padded",
		children: "Nothing has changed since."
	});
	const now = after ?? "";
	return /* @__PURE__ */ jsxs("div", {
		className: "revision whole",
		children: [after === null && /* @__PURE__ */ jsx("p", {
			className: "padded",
			children: "It is not there any more."
		}), before.length + now.length < 1e6 ? /* @__PURE__ */ jsx(Suspense, {
			fallback: /* @__PURE__ */ jsx(Loading, { what: "the difference" }),
			children: /* @__PURE__ */ jsx(DiffView, {
				name: `What has changed in ${name}`,
				before,
				after: now
			})
		}) : /* @__PURE__ */ jsx(LongDiff, {
			name: `What has changed in ${name}`,
			before,
			after: now
		})]
	});
}
/** The version of a time; null if there is none. */
async function readVersion(database, id, time, signal) {
	const query = {
		id,
		before: time,
		metadataOnly: true
	};
	const answer = await send("GET", databasePath(database, "revisions"), {
		query,
		signal
	});
	const [found] = documentsOf(member(parseJson(answer.text, 512), "Results"));
	return found ? {
		changeVector: found.changeVector,
		writtenAt: found.lastModified,
		isDeleted: (textMember(member(found.node, "@metadata"), "@flags") ?? "").includes("DeleteRevision")
	} : null;
}

export { DocumentAt };