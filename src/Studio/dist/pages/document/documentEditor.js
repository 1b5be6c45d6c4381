import { watchChanges } from "../../api/changes.js";
import { createDocument, deleteDocument, writeDocument } from "../../api/documents.js";
import { readDocumentText, readVersion } from "../../api/documentText.js";
import { ServerError, isAborted } from "../../api/http.js";
import { serverNow } from "../../api/serverClock.js";
import { announce } from "../../app/announcer.js";
import { useLeaveQuestion } from "../../app/leaveQuestion.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { useSaveKey } from "../../app/saveKey.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { Text } from "../../editor/codemirror.js";
import { languageFor } from "../../editor/jsonLanguage.js";
import { linesOf, textOf } from "../../editor/longText.js";
import { openMerge, runJob } from "../../json/jsonWork.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { Confirm } from "../../ui/dialog.js";
import { formatTime } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { ErrorBox } from "../../ui/states.js";
import { DRAFT_MAX, dropDraft, keepDraft, readDrafts } from "./drafts.js";
import { marksOf } from "./editorChecks.js";
import { MergeDialog } from "./mergeDialog.js";
import { RevisionsDialog } from "./revisionsDialog.js";
import { jsx, jsxs, useCallback, useEffect, useRef, useState } from "../../vendor/react.js";

// src/pages/document/documentEditor.tsx
/** Edits a document. Nothing is ever written over a version that the person has not seen. */
function DocumentEditor({ database, stored, onDirty }) {
	const { id } = stored;
	const go = useGo();
	const { tab } = useSearchState();
	const setSearch = useSetSearch();
	const editor = useRef(null);
	const [base, setBase] = useState(stored);
	const [drafts, setDrafts] = useState(() => readDrafts(database, id).filter((one) => !linesOfDraft(one.text).eq(base.lines)));
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
			readVersion(database, id).then((now) => tell(now === void 0 ? "deleted" : "changed", now)).catch(() => void 0);
		});
	}, [database, id]);
	useLeaveQuestion(isDirty && !isDraftKept);
	const onChange = useCallback((lines) => {
		const { lines: before, changeVector } = latest.current.base;
		const isChanged = !lines.eq(before);
		setDirty(isChanged);
		if (isChanged && lines.length + before.length > 1e6) {
			setDraftKept(false);
			return;
		}
		const at = (/* @__PURE__ */ new Date()).toISOString();
		const kept = isChanged ? {
			text: lines.toString(),
			base: before.toString(),
			changeVector,
			at
		} : void 0;
		setDraftKept(keepDraft(database, id, kept));
	}, [database, id]);
	const begin = (next, lines = next.lines) => {
		latest.current.base = next;
		setBase(next);
		setNews(void 0);
		if (editor.current && !editor.current.lines().eq(lines)) editor.current.replace(lines);
		else onChange(lines);
	};
	const write = async (lines, changeVector) => {
		const text = await runJob("pack", await textOf(lines));
		const written = await (changeVector === "" ? createDocument(database, id, text) : writeDocument(database, id, text, changeVector));
		keepDraft(database, id, void 0);
		begin({
			lines,
			changeVector: written.changeVector,
			lastModified: serverNow()
		}, editor.current?.lines() ?? lines);
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
		const mine = await textOf(editor.current?.lines() ?? base.lines);
		await runJob("pack", mine);
		const theirs = await readDocumentText(database, id);
		const merge = theirs && await openMerge(await textOf(base.lines), theirs.text, mine);
		if (merge && merge.conflicts.length === 0 && merge.fromMine === 0) {
			merge.close();
			begin({
				...theirs,
				lines: await linesOf(theirs.text)
			});
			announce("It is stored already.");
			return;
		}
		setConflict({
			theirs,
			mine,
			merge
		});
	};
	const endConflict = () => {
		conflict?.merge?.close();
		setConflict(void 0);
	};
	const save = () => guarded(async () => {
		const lines = editor.current?.lines() ?? base.lines;
		if (lines.eq(base.lines)) {
			announce("Nothing is changed.");
			return;
		}
		try {
			await write(lines, base.changeVector);
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
		const now = await readDocumentText(database, id);
		if (now) begin({
			...now,
			lines: await linesOf(now.text)
		});
		else setNews("deleted");
	});
	const layOut = () => guarded(async () => {
		const before = editor.current?.lines();
		const laid = before && await linesOf(await runJob("format", await textOf(before)));
		if (laid && editor.current?.lines() === before) editor.current?.replace(laid);
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
						isBusy,
						onClick: () => void layOut(),
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
			drafts.map((draft) => /* @__PURE__ */ jsx(DraftBar, {
				draft,
				onTake: () => {
					setDrafts(drafts.filter((one) => one !== draft));
					dropDraft(database, id, draft.page);
					begin({
						lines: linesOfDraft(draft.base),
						changeVector: draft.changeVector,
						lastModified: base.lastModified
					}, linesOfDraft(draft.text));
				},
				onDrop: () => {
					setDrafts(drafts.filter((one) => one !== draft));
					dropDraft(database, id, draft.page);
				}
			}, draft.page)),
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
				initial: stored.lines,
				...languageFor(stored.lines.length),
				onLines: onChange,
				keys: { "Mod-s": () => void save() },
				marks: marksOf(error)
			}),
			conflict && /* @__PURE__ */ jsx(MergeDialog, {
				id,
				merge: conflict.merge,
				mine: conflict.mine,
				onClose: endConflict,
				onTakeTheirs: () => {
					const { theirs } = conflict;
					endConflict();
					if (theirs) guarded(async () => begin({
						...theirs,
						lines: await linesOf(theirs.text)
					}));
				},
				onSave: async (text) => {
					const lines = await linesOf(text);
					await write(lines, conflict.theirs?.changeVector ?? "");
					editor.current?.replace(lines);
					endConflict();
				}
			}),
			tab === "revisions" && /* @__PURE__ */ jsx(RevisionsDialog, {
				database,
				id,
				current: base.lines,
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
function linesOfDraft(text) {
	return Text.of(text.split("\n"));
}
/** A text that was typed on another page, or before this one was loaded. */
function DraftBar({ draft, onTake, onDrop }) {
	return /* @__PURE__ */ jsxs("div", {
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
				onClick: onTake,
				children: "Go on with it"
			}),
			/* @__PURE__ */ jsx(Button, {
				kind: "quiet",
				onClick: onDrop,
				children: "Drop it"
			})
		]
	});
}

export { DocumentEditor };