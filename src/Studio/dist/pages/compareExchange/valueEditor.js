import { exchange, guardedId, readValueText, removeValue } from "../../api/compareExchange.js";
import { announce } from "../../app/announcer.js";
import { useLeaveQuestion } from "../../app/leaveQuestion.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useGo, useSearchState } from "../../app/places.js";
import { useSaveKey } from "../../app/saveKey.js";
import { CodeEditor } from "../../editor/codeEditor.js";
import { languageFor } from "../../editor/jsonLanguage.js";
import { formatJson } from "../../json/jsonFormat.js";
import { printJson } from "../../json/jsonTree.js";
import { openMerge } from "../../json/jsonWork.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { Confirm } from "../../ui/dialog.js";
import { formatCount, formatTime } from "../../ui/format.js";
import { ErrorBox } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { dropDraft, keepDraft, readDrafts } from "../document/drafts.js";
import { marksOf } from "../document/editorChecks.js";
import { MergeDialog } from "../document/mergeDialog.js";
import { Fragment, jsx, jsxs, useCallback, useRef, useState } from "../../vendor/react.js";

// src/pages/compareExchange/valueEditor.tsx
const NEW_TEXT = "{\n  \"Object\": \"\"\n}";
/** Changes a value, or makes one. It is written only over the index that the person has seen. */
function ValueEditor({ database, stored }) {
	const go = useGo();
	const { key: wanted = "" } = useSearchState();
	const editor = useRef(null);
	const [base, setBase] = useState(() => ({
		index: stored?.index ?? 0,
		text: stored ? printJson(stored.node, 2) : NEW_TEXT
	}));
	const [name, setName] = useState(stored?.key ?? wanted);
	const draftKey = `\ncmpxchg\n${stored?.key ?? ""}`;
	const [draft, setDraft] = useState(() => {
		const [kept] = readDrafts(database, draftKey).filter((one) => one.text !== base.text);
		return kept;
	});
	const [isDirty, setDirty] = useState(stored === void 0);
	const [isDraftKept, setDraftKept] = useState(true);
	const { isBusy, error, run, dismiss } = useTask();
	const [race, setRace] = useState();
	const [isDeleting, setDeleting] = useState(false);
	const latest = useRef(base);
	const guarded = guardedId(stored?.key ?? "");
	useLeaveQuestion(isDirty && !isDraftKept);
	const onChange = useCallback((text) => {
		const now = latest.current;
		const isChanged = text !== now.text;
		setDirty(isChanged || now.index === 0);
		const next = {
			text,
			base: now.text,
			changeVector: String(now.index),
			at: (/* @__PURE__ */ new Date()).toISOString()
		};
		setDraftKept(keepDraft(database, draftKey, isChanged ? next : void 0));
	}, [database, draftKey]);
	const begin = (next, text = next.text) => {
		latest.current = next;
		setBase(next);
		if (editor.current && editor.current.text() !== text) editor.current.replace(text);
		else onChange(text);
	};
	const all = placeUrl(databasePlace(database, "cmpxchg"));
	const leave = (url) => {
		keepDraft(database, draftKey, void 0);
		go(url);
	};
	/** Writes over an index; gives whether it was still there, and shows both sides if not. */
	const write = async (text, index) => {
		readValueText(text);
		const outcome = await exchange(database, name, index, text);
		if (!outcome.isDone) {
			if (!stored) throw new Error(`${name} is there already: nothing was written.`);
			const { there } = outcome;
			const merge = there && await openMerge(base.text, printJson(there.node, 2), text);
			setRace({
				theirs: there,
				mine: text,
				merge
			});
			return false;
		}
		announce("Saved.");
		if (stored) begin({
			index: outcome.index,
			text
		}, text);
		else leave(placeUrl(databasePlace(database, "cmpxchg"), { key: name }));
		return true;
	};
	const endRace = () => {
		race?.merge?.close();
		setRace(void 0);
	};
	const refusal = refusalOf(guarded, name, isDirty);
	const save = () => {
		if (refusal === void 0 && !isBusy) run(() => write(editor.current?.text() ?? base.text, base.index));
	};
	useSaveKey(save);
	const layOut = () => run(async () => editor.current?.replace(formatJson(editor.current.text())));
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					stored ? /* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: name,
						children: name
					}) : /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("h1", { children: "New value" }), /* @__PURE__ */ jsxs("label", {
						className: "field inline",
						children: [/* @__PURE__ */ jsx("span", { children: "Key" }), /* @__PURE__ */ jsx("input", {
							className: "mono",
							value: name,
							size: 32,
							spellCheck: false,
							autoComplete: "off",
							onChange: (event) => setName(event.target.value)
						})]
					})] }),
					stored && /* @__PURE__ */ jsxs("span", {
						className: "muted",
						children: ["index ", formatCount(base.index)]
					}),
					stored && isDirty && /* @__PURE__ */ jsx(Chip, {
						tone: "info",
						children: isDraftKept ? "not saved; kept as a draft" : "not saved"
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Link, {
						href: all,
						children: "All values"
					}),
					guarded === void 0 && /* @__PURE__ */ jsxs(Fragment, { children: [
						/* @__PURE__ */ jsx(Button, {
							kind: "quiet",
							icon: "braces",
							onClick: () => void layOut(),
							children: "Format"
						}),
						stored && /* @__PURE__ */ jsx(Button, {
							kind: "danger",
							icon: "trash",
							onClick: () => setDeleting(true),
							children: "Delete…"
						}),
						/* @__PURE__ */ jsx(Button, {
							kind: "primary",
							icon: "save",
							keys: "Ctrl S",
							isBusy,
							refusal,
							onClick: save,
							children: "Save"
						})
					] })
				]
			}),
			guarded !== void 0 && /* @__PURE__ */ jsxs("div", {
				className: "bar",
				children: [/* @__PURE__ */ jsx(Chip, {
					tone: "none",
					icon: "lock",
					children: "guard"
				}), /* @__PURE__ */ jsxs("span", { children: [
					"The server's own: it guards ",
					/* @__PURE__ */ jsx(Link, {
						href: documentUrl(database, guarded),
						children: guarded
					}),
					" in cluster-wide transactions, and is changed by them alone."
				] })]
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
							dropDraft(database, draftKey, draft.page);
							begin({
								text: draft.base,
								index: Number(draft.changeVector)
							}, draft.text);
							setDraft(void 0);
						},
						children: "Go on with it"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						onClick: () => {
							dropDraft(database, draftKey, draft.page);
							setDraft(void 0);
						},
						children: "Drop it"
					})
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "It was not saved",
				error,
				onDismiss: dismiss
			}),
			/* @__PURE__ */ jsx(CodeEditor, {
				handle: editor,
				name: stored ? `${name} as JSON` : "The new value as JSON",
				initial: base.text,
				...languageFor(base.text.length),
				isReadOnly: guarded !== void 0,
				onChange,
				keys: { "Mod-s": save },
				marks: marksOf(error)
			}),
			race && /* @__PURE__ */ jsx(MergeDialog, {
				id: name,
				merge: race.merge,
				mine: race.mine,
				onClose: endRace,
				onTakeTheirs: () => {
					if (race.theirs) begin({
						index: race.theirs.index,
						text: printJson(race.theirs.node, 2)
					});
					endRace();
				},
				onSave: async (text) => {
					const outcome = await exchange(database, name, race.theirs?.index ?? 0, text);
					if (!outcome.isDone) throw new Error("It was changed once more meanwhile.");
					announce("Saved.");
					begin({
						index: outcome.index,
						text
					}, text);
					endRace();
				}
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Delete ${name}`,
				isOpen: isDeleting,
				first: "The value is deleted: there is no way back, and another may take its key at once.",
				action: "Delete it",
				onClose: () => setDeleting(false),
				onConfirm: async () => {
					const outcome = await removeValue(database, name, base.index);
					if (!outcome.isDone && outcome.there) throw new Error(`It was set meanwhile and has index ${outcome.there.index} now: nothing was deleted. Read it first.`);
					announce(`${name} is deleted.`);
					leave(all);
				}
			})
		]
	});
}
function refusalOf(guarded, name, isDirty) {
	if (guarded !== void 0) return "It is the server's own.";
	if (name.trim() === "") return "Give it a key first.";
	return isDirty ? void 0 : "Nothing is changed.";
}

export { ValueEditor };