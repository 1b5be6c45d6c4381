import { idsByPrefix } from "../api/documents.js";
import { databasePath, getJson, send } from "../api/http.js";
import { wantSignIn } from "../api/signInState.js";
import { formatCount } from "../ui/format.js";
import { Icon } from "../ui/icon.js";
import { usePages } from "./pages.js";
import { rankItems } from "./paletteRank.js";
import { databasePlace, documentUrl, placeUrl, useGo } from "./places.js";
import { forgetLocal } from "./storage.js";
import { chooseTheme } from "./theme.js";
import { showError } from "./toasts.js";
import { useQuery } from "../vendor/query.js";
import { jsx, jsxs, useEffect, useMemo, useRef, useState } from "../vendor/react.js";
import { Dialog } from "../vendor/baseui.js";

// src/app/palette.tsx
/** Finds ids, collections, pages, databases and actions by typing. */
function Palette({ database, early, onClose }) {
	const go = useGo();
	const [text, setText] = useState("");
	const [place, setPlace] = useState(0);
	const list = useRef(null);
	const ids = useQuery({
		queryKey: [
			"ids",
			database,
			text
		],
		queryFn: ({ signal }) => idsByPrefix(database, text, signal),
		enabled: database !== "" && text.length > 0,
		retry: false
	});
	const collections = useQuery({
		queryKey: ["collections", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "collections/stats"), { signal }),
		enabled: database !== ""
	});
	const databases = useQuery({
		queryKey: ["databases", text],
		queryFn: ({ signal }) => getJson("/studio/databases", {
			query: {
				filter: text,
				pageSize: 8
			},
			signal
		}),
		retry: false
	});
	const ofDatabase = usePages(database, "");
	const ofServer = usePages("", "");
	const fixed = useMemo(() => fixedItems(database, database === "" ? [] : ofDatabase, ofServer, go), [
		database,
		ofDatabase,
		ofServer,
		go
	]);
	const items = useMemo(() => {
		const named = [
			...fixed,
			...Object.entries(collections.data?.Collections ?? {}).map(([name, count]) => ({
				title: name,
				kind: "Collection",
				icon: "files",
				detail: formatCount(count),
				act: () => go(placeUrl(databasePlace(database, "docs"), { collection: name }))
			})),
			...(databases.data?.Databases ?? []).map((one) => ({
				title: one.Name,
				kind: "Database",
				icon: "database",
				act: () => go(placeUrl(databasePlace(one.Name)))
			}))
		];
		return [...(ids.data ?? []).map((id) => ({
			title: id,
			kind: "Document",
			icon: "file",
			act: () => go(documentUrl(database, id))
		})), ...rankItems(named, text)].slice(0, 40);
	}, [
		fixed,
		collections.data,
		databases.data,
		ids.data,
		text,
		database,
		go
	]);
	const at = Math.min(place, Math.max(0, items.length - 1));
	useEffect(() => {
		list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: "nearest" });
	}, [at]);
	const act = (item) => {
		if (item) {
			onClose();
			item.act();
		}
	};
	const onKey = (event) => {
		const move = {
			ArrowDown: 1,
			ArrowUp: -1,
			PageDown: 8,
			PageUp: -8
		}[event.key];
		if (move !== void 0 && items.length > 0) {
			event.preventDefault();
			setPlace(Math.min(Math.max(at + move, 0), items.length - 1));
		} else if (event.key === "Enter") {
			event.preventDefault();
			act(items[at]);
		}
	};
	return /* @__PURE__ */ jsx(Dialog.Root, {
		open: true,
		onOpenChange: (open) => !open && onClose(),
		children: /* @__PURE__ */ jsxs(Dialog.Portal, { children: [/* @__PURE__ */ jsx(Dialog.Backdrop, { className: "backdrop" }), /* @__PURE__ */ jsxs(Dialog.Popup, {
			className: "dialog palette",
			children: [
				/* @__PURE__ */ jsx(Dialog.Title, {
					className: "offscreen",
					children: "Find"
				}),
				/* @__PURE__ */ jsx("input", {
					type: "text",
					role: "combobox",
					"aria-label": "Find",
					"aria-expanded": items.length > 0,
					"aria-controls": "palette-list",
					"aria-activedescendant": items.length > 0 ? `palette-${at}` : void 0,
					"aria-autocomplete": "list",
					placeholder: database === "" ? "A database or an action" : "An id, a collection, a page or an action",
					value: text,
					spellCheck: false,
					autoComplete: "off",
					onChange: (event) => {
						setText(event.target.value);
						setPlace(0);
					},
					onFocus: () => {
						const typed = early.current;
						early.current = "";
						setText((now) => typed + now);
					},
					onKeyDown: onKey
				}),
				/* @__PURE__ */ jsx("div", {
					className: "palette-list",
					role: "listbox",
					id: "palette-list",
					"aria-label": "Found",
					ref: list,
					tabIndex: -1,
					children: items.map((item, index) => /* @__PURE__ */ jsxs("div", {
						id: `palette-${index}`,
						"data-at": index,
						role: "option",
						tabIndex: -1,
						"aria-selected": index === at,
						onPointerMove: () => setPlace(index),
						onClick: () => act(item),
						onKeyDown: onKey,
						children: [
							/* @__PURE__ */ jsx(Icon, { name: item.icon }),
							/* @__PURE__ */ jsx("span", {
								className: "grow ellipsis",
								children: item.title
							}),
							/* @__PURE__ */ jsx("span", {
								className: "muted",
								children: item.detail ? `${item.kind} · ${item.detail}` : item.kind
							})
						]
					}, `${item.kind} ${item.title}`))
				}),
				items.length === 0 && /* @__PURE__ */ jsx("p", {
					className: "muted padded",
					children: ids.isFetching ? "Looking…" : "Nothing is called so."
				}),
				ids.error && /* @__PURE__ */ jsxs("p", {
					className: "bad padded",
					children: ["Ids cannot be read: ", ids.error.message]
				})
			]
		})] })
	});
}
/** The words of pages of the server beside those of a database. */
const SERVER_TITLES = {
	Databases: "All databases",
	Operations: "Operations of the server",
	Backups: "Backups of all databases"
};
function fixedItems(database, ofDatabase, ofServer, go) {
	const pageItem = ({ url, title, icon, lack }) => ({
		title,
		kind: "Page",
		icon,
		...lack ? { detail: `takes ${lack}` } : {},
		act: () => go(url)
	});
	const more = database === "" ? [] : [{
		title: "New document",
		kind: "Action",
		icon: "plus",
		act: () => go(placeUrl(databasePlace(database, "doc"), { new: "1" }))
	}];
	return [
		...ofDatabase.map(pageItem),
		...more,
		...ofServer.map((page) => pageItem({
			...page,
			title: SERVER_TITLES[page.title] ?? page.title
		})),
		{
			title: "Light theme",
			kind: "Action",
			icon: "sun",
			act: () => chooseTheme("light")
		},
		{
			title: "Dark theme",
			kind: "Action",
			icon: "moon",
			act: () => chooseTheme("dark")
		},
		{
			title: "Theme of the system",
			kind: "Action",
			icon: "settings",
			act: () => chooseTheme("system")
		},
		{
			title: "Sign in with another key",
			kind: "Action",
			icon: "key",
			act: () => wantSignIn(true)
		},
		{
			title: "Sign out",
			kind: "Action",
			icon: "lock",
			act: signOut
		},
		{
			title: "Forget what this browser keeps (drafts, queries, theme)",
			kind: "Action",
			icon: "trash",
			act: forgetLocal
		}
	];
}
/** Ends the session of this browser; the page is loaded anew, so that nothing of it stays on the screen. */
function signOut() {
	send("DELETE", "/studio/session").then(() => window.location.reload()).catch((error) => showError("Not signed out", error));
}

export { Palette };