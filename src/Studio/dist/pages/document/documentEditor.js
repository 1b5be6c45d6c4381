import { watchChanges } from "../../api/changes.js";
import { createDocument, deleteDocument, editorText, readDocument, writeDocument } from "../../api/documents.js";
import { ServerError, databasePath, isAborted, urlOf } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { useSaveKey } from "../../app/saveKey.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { EDITED_MAX, PLAIN_LENGTH, jsonLanguage } from "../../editor/jsonLanguage.js";
import { formatJson } from "../../json/jsonFormat.js";
import { parseJson } from "../../json/jsonTree.js";
import { withoutSystemFields } from "../../json/systemFields.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { Confirm } from "../../ui/dialog.js";
import { formatTime } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { Empty, ErrorBox } from "../../ui/states.js";
import { keepDraft, readDraft } from "./drafts.js";
import { marksOf, readText } from "./editorChecks.js";
import { MergeDialog } from "./mergeDialog.js";
import { RevisionsDialog } from "./revisionsDialog.js";
import { jsx, jsxs, useCallback, useEffect, useRef, useState } from "../../vendor/react.js";

// src/pages/document/documentEditor.tsx
function baseOf(stored) {
	return {
		text: editorText(withoutSystemFields(stored.node)),
		changeVector: stored.changeVector,
		lastModified: stored.lastModified
	};
}
/** Edits a document. Nothing is ever written over a version that the person has not seen. */
function DocumentEditor({ database, stored, onDirty }) {
	const { id } = stored;
	const go = useGo();
	const { tab } = useSearchState();
	const setSearch = useSetSearch();
	const editor = useRef(null);
	const [base, setBase] = useState(() => baseOf(stored));
	const [draft, setDraft] = useState(() => {
		const kept = readDraft(database, id);
		return kept && kept.text !== base.text ? kept : void 0;
	});
	const [isDirty, setDirty] = useState(false);
	const [isDraftKept, setDraftKept] = useState(true);
	const [isBusy, setBusy] = useState(false);
	const [error, setError] = useState();
	const [news, setNews] = useState();
	const [conflict, setConflict] = useState();
	const [isDeleting, setDeleting] = useState(false);
	const latest = useRef({
		base,
		isBusy
	});
	latest.current = {
		base,
		isBusy
	};
	useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
	useEffect(() => {
		const tell = (kind, changeVector) => {
			if (changeVector !== latest.current.base.changeVector && !latest.current.isBusy) setNews(kind);
		};
		return watchChanges(database, "watch-doc", id, (event) => {
			if (event.Type !== "Gap") {
				tell(event.Value.Type === "Delete" ? "deleted" : "changed", event.Value.ChangeVector);
				return;
			}
			readDocument(database, id).then((now) => tell(now ? "changed" : "deleted", now?.changeVector)).catch(() => void 0);
		});
	}, [database, id]);
	useEffect(() => {
		const ask = (event) => event.preventDefault();
		if (isDirty && !isDraftKept) window.addEventListener("beforeunload", ask);
		return () => window.removeEventListener("beforeunload", ask);
	}, [isDirty, isDraftKept]);
	const onChange = useCallback((text) => {
		const now = latest.current.base;
		const isChanged = text !== now.text;
		setDirty(isChanged);
		setDraftKept(keepDraft(database, id, isChanged ? {
			text,
			base: now.text,
			changeVector: now.changeVector,
			at: (/* @__PURE__ */ new Date()).toISOString()
		} : void 0));
	}, [database, id]);
	const begin = (next, text = next.text) => {
		latest.current.base = next;
		setBase(next);
		setNews(void 0);
		if (editor.current && editor.current.text() !== text) editor.current.replace(text);
		else onChange(text);
	};
	const write = async (text, changeVector) => {
		readText(text);
		const written = await (changeVector === "" ? createDocument(database, id, text) : writeDocument(database, id, text, changeVector));
		keepDraft(database, id, void 0);
		begin({
			text,
			changeVector: written.changeVector,
			lastModified: (/* @__PURE__ */ new Date()).toISOString()
		}, editor.current?.text() ?? text);
		announce("Saved.");
	};
	const guarded = async (action) => {
		if (latest.current.isBusy) return;
		setBusy(true);
		setError(void 0);
		try {
			await action();
		} catch (failure) {
			if (!isAborted(failure)) setError(failure);
		} finally {
			setBusy(false);
		}
	};
	const compare = async () => {
		const mine = readText(editor.current?.text() ?? base.text);
		setConflict({
			base: parseJson(base.text),
			theirs: await readDocument(database, id) ?? null,
			mine
		});
	};
	const save = () => guarded(async () => {
		if (editor.current?.text() === base.text) {
			announce("Nothing is changed.");
			return;
		}
		try {
			await write(editor.current?.text() ?? base.text, base.changeVector);
		} catch (failure) {
			if (!(failure instanceof ServerError) || failure.status !== 409) throw failure;
			await compare();
		}
	});
	useSaveKey(() => void save());
	const readAgain = () => guarded(async () => {
		if (isDirty) {
			await compare();
			return;
		}
		const now = await readDocument(database, id);
		if (now) begin(baseOf(now));
		else setNews("deleted");
	});
	const layOut = () => {
		try {
			editor.current?.replace(formatJson(editor.current.text()));
			setError(void 0);
		} catch (failure) {
			setError(failure);
		}
	};
	if (base.text.length > 2e7) return /* @__PURE__ */ jsx(Empty, {
		icon: "file",
		title: `${id} is too long to be edited here`,
		action: /* @__PURE__ */ jsx("a", {
			href: urlOf(databasePath(database, "docs"), { id }),
			children: "Open it as text"
		}),
		children: "It has more than 20 MB. A patch or a client changes it."
	});
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
					stored.collection && /* @__PURE__ */ jsx(Link, {
						href: placeUrl(databasePlace(database, "docs"), { collection: stored.collection }),
						children: stored.collection
					}),
					/* @__PURE__ */ jsx("span", {
						className: "muted",
						title: base.changeVector,
						children: formatTime(base.lastModified)
					}),
					isDirty && /* @__PURE__ */ jsx(Chip, {
						tone: "info",
						children: isDraftKept ? "not saved; kept as a draft" : "not saved"
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						icon: "braces",
						onClick: layOut,
						children: "Format"
					}),
					/* @__PURE__ */ jsx(Menu, {
						name: "More",
						entries: [
							{
								text: "Revisions",
								icon: "history",
								onSelect: () => setSearch({ tab: "revisions" }, true)
							},
							{
								text: "Read it again",
								icon: "refresh",
								onSelect: () => void readAgain()
							},
							{
								text: "Copy it to a new one",
								icon: "copy",
								onSelect: () => go(placeUrl(databasePlace(database, "doc"), {
									new: "1",
									from: id
								}))
							},
							{
								text: "Delete…",
								icon: "trash",
								isDanger: true,
								onSelect: () => setDeleting(true)
							}
						]
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "save",
						keys: "Ctrl S",
						isBusy,
						refusal: isDirty ? void 0 : "Nothing is changed.",
						onClick: () => void save(),
						children: "Save"
					})
				]
			}),
			draft && /* @__PURE__ */ jsxs("div", {
				className: "bar",
				role: "status",
				children: [
					/* @__PURE__ */ jsx(Chip, {
						tone: "info",
						children: "draft"
					}),
					/* @__PURE__ */ jsxs("span", { children: [
						"A text of ",
						formatTime(draft.at),
						" was not saved."
					] }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						onClick: () => {
							begin({
								text: draft.base,
								changeVector: draft.changeVector,
								lastModified: base.lastModified
							}, draft.text);
							setDraft(void 0);
						},
						children: "Go on with it"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						onClick: () => {
							keepDraft(database, id, void 0);
							setDraft(void 0);
						},
						children: "Drop it"
					})
				]
			}),
			news && /* @__PURE__ */ jsxs("div", {
				className: "bar",
				role: "status",
				children: [
					/* @__PURE__ */ jsx(Chip, {
						tone: "stale",
						children: news
					}),
					/* @__PURE__ */ jsx("span", { children: news === "changed" ? "Another client has changed it since." : "Another client has deleted it." }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					news === "changed" && /* @__PURE__ */ jsx(Button, {
						onClick: () => void readAgain(),
						children: isDirty ? "Compare and merge" : "Show the new version"
					})
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "It was not saved",
				error,
				onDismiss: () => setError(void 0)
			}),
			/* @__PURE__ */ jsx(CodeEditor, {
				handle: editor,
				name: `${id} as JSON`,
				initial: base.text,
				language: base.text.length < 1e6 ? jsonLanguage : NO_LANGUAGE,
				isPlain: base.text.length >= PLAIN_LENGTH,
				onChange,
				keys: { "Mod-s": () => void save() },
				marks: marksOf(error)
			}),
			conflict && /* @__PURE__ */ jsx(MergeDialog, {
				id,
				base: conflict.base,
				theirs: conflict.theirs ? withoutSystemFields(conflict.theirs.node) : void 0,
				mine: conflict.mine,
				onClose: () => setConflict(void 0),
				onTakeTheirs: () => {
					if (conflict.theirs) begin(baseOf(conflict.theirs));
					setConflict(void 0);
				},
				onSave: async (text) => {
					await write(text, conflict.theirs?.changeVector ?? "");
					editor.current?.replace(text);
					setConflict(void 0);
				}
			}),
			tab === "revisions" && /* @__PURE__ */ jsx(RevisionsDialog, {
				database,
				id,
				current: base.text,
				onClose: () => setSearch({ tab: void 0 }),
				onTake: (text) => {
					editor.current?.replace(text);
					setSearch({ tab: void 0 });
				}
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Delete ${id}`,
				isOpen: isDeleting,
				first: "It is deleted with its attachments, counters and time series: there is no way back, but its revisions if it has some.",
				action: "Delete it",
				onClose: () => setDeleting(false),
				onConfirm: async () => {
					await deleteDocument(database, id, base.changeVector);
					keepDraft(database, id, void 0);
					announce(`${id} is deleted.`);
					go(placeUrl(databasePlace(database, "docs"), { collection: stored.collection }));
				}
			})
		]
	});
}
const NO_LANGUAGE = [];

export { DocumentEditor };