import { databasePlace, placeUrl, useGo } from "./places.js";
import { readLocal, writeLocal } from "./storage.js";
import { useEffect, useRef } from "../vendor/react.js";

// src/app/shortcuts.ts
/** Keys and what they do, as the list on ? shows them. */
const SHORTCUTS = [
	{
		keys: "Ctrl K",
		does: "Find a document, a collection, a page or an action"
	},
	{
		keys: "?",
		does: "This list",
		isSingle: true
	},
	{
		keys: "g o",
		does: "Go to the overview of the database",
		isSingle: true
	},
	{
		keys: "g d",
		does: "Go to its documents",
		isSingle: true
	},
	{
		keys: "g q",
		does: "Go to the query page",
		isSingle: true
	},
	{
		keys: "g i",
		does: "Go to its indexes",
		isSingle: true
	},
	{
		keys: "g p",
		does: "Go to the patch page",
		isSingle: true
	},
	{
		keys: "g c",
		does: "Go to its changes",
		isSingle: true
	},
	{
		keys: "g x",
		does: "Go to its compare-exchange values",
		isSingle: true
	},
	{
		keys: "g l",
		does: "Go to the load of the server",
		isSingle: true
	},
	{
		keys: "g s",
		does: "Go to its subscriptions",
		isSingle: true
	},
	{
		keys: "g b",
		does: "Go to its backups",
		isSingle: true
	},
	{
		keys: "g m",
		does: "Go to import and export (move data)",
		isSingle: true
	},
	{
		keys: "g r",
		does: "Go to its operations (what runs)",
		isSingle: true
	},
	{
		keys: "g t",
		does: "Go to its storage",
		isSingle: true
	},
	{
		keys: "g e",
		does: "Go to its settings",
		isSingle: true
	},
	{
		keys: "g a",
		does: "Go to all databases",
		isSingle: true
	},
	{
		keys: "/",
		does: "Filter the list of the page",
		isSingle: true
	},
	{
		keys: "↑ ↓ PgUp PgDn Home End",
		does: "Move in a grid or list"
	},
	{
		keys: "Enter",
		does: "Open the row"
	},
	{
		keys: "Ctrl Enter",
		does: "Run the query"
	},
	{
		keys: "Ctrl S",
		does: "Save the document"
	},
	{
		keys: "Ctrl Space",
		does: "Complete what is being typed"
	},
	{
		keys: "Esc",
		does: "Close, cancel; in an editor: the next Tab leaves it"
	}
];
/** Whether keys without Ctrl do something (they can be switched off, for those who speak to their machine). */
function areSingleKeysOn() {
	return readLocal("single-keys") !== "off";
}
/** Switches keys without Ctrl on or off. */
function setSingleKeys(isOn) {
	writeLocal("single-keys", isOn ? void 0 : "off");
}
const PAGES = {
	o: "",
	d: "docs",
	q: "query",
	i: "indexes",
	p: "patch",
	c: "changes",
	x: "cmpxchg",
	s: "subscriptions",
	b: "backups",
	m: "io",
	r: "operations",
	t: "storage",
	e: "settings"
};
/** Listens for the keys of the whole page. */
function useShortcuts(database, actions) {
	const go = useGo();
	const current = useRef({
		database,
		actions,
		go
	});
	current.current = {
		database,
		actions,
		go
	};
	useEffect(() => {
		let wasG = 0;
		const onKey = (event) => {
			const { actions: act, database: here, go: goTo } = current.current;
			if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
				event.preventDefault();
				act.palette();
				return;
			}
			if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areSingleKeysOn()) return;
			const isSecond = event.timeStamp - wasG < 1e3;
			wasG = event.key === "g" ? event.timeStamp : 0;
			const page = PAGES[event.key];
			if (event.key === "?") act.shortcuts();
			else if (event.key === "/") {
				const filter = document.querySelector("[data-filter]");
				if (filter) {
					event.preventDefault();
					filter.focus();
				}
			} else if (isSecond && event.key === "a") goTo(placeUrl("/"));
			else if (isSecond && event.key === "l") goTo(placeUrl("/live"));
			else if (isSecond && page !== void 0 && here !== "") goTo(placeUrl(databasePlace(here, page)));
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}
function isTyping(target) {
	return target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null);
}

export { SHORTCUTS, areSingleKeysOn, setSingleKeys, useShortcuts };