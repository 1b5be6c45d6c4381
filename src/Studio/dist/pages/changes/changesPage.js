import { watchChanges } from "../../api/changes.js";
import { serverNow } from "../../api/serverClock.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useDatabase, useSearchState, useSetSearch } from "../../app/places.js";
import { Grid } from "../../grid/grid.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatCount, formatTime } from "../../ui/format.js";
import { Empty } from "../../ui/states.js";
import { EventRing } from "./eventRing.js";
import { jsx, jsxs, useCallback, useEffect, useRef, useState } from "../../vendor/react.js";

// src/pages/changes/changesPage.tsx
/** How many events are kept. */
const KEPT = 1e4;
/** However many come, the page is drawn so often. */
const DRAW_MS = 250;
const COLUMNS = [
	{
		key: "at",
		title: "Seen",
		width: 200
	},
	{
		key: "kind",
		title: "Of",
		width: 140
	},
	{
		key: "type",
		title: "What",
		width: 140
	},
	{
		key: "name",
		title: "Which",
		width: 280
	},
	{
		key: "collection",
		title: "Collection",
		width: 160
	}
];
/** What changes in a database, as it happens. */
function ChangesPage() {
	const database = useDatabase();
	const { filter = "" } = useSearchState();
	const setSearch = useSetSearch();
	const ring = useRef(new EventRing(KEPT));
	const wanted = useRef({
		filter,
		isPaused: false
	});
	const [isPaused, setPaused] = useState(false);
	const [, setDrawn] = useState(0);
	const [hidden, setHidden] = useState(0);
	wanted.current = {
		filter: filter.toLowerCase(),
		isPaused
	};
	useEffect(() => {
		let missed = 0;
		let isNew = false;
		const take = (event) => {
			if (event.Type !== "Gap" && !textOf(event).includes(wanted.current.filter)) return;
			if (wanted.current.isPaused) missed++;
			else ring.current.add({
				at: serverNow(),
				event
			});
			isNew = true;
		};
		const ends = ["watch-docs", "watch-indexes"].map((command) => watchChanges(database, command, void 0, take));
		const timer = setInterval(() => {
			if (isNew) {
				isNew = false;
				setHidden(wanted.current.isPaused ? missed : 0);
				missed = wanted.current.isPaused ? missed : 0;
				setDrawn((now) => now + 1);
			}
		}, DRAW_MS);
		return () => {
			clearInterval(timer);
			for (const end of ends) end();
		};
	}, [database]);
	const total = ring.current.total;
	const cell = useCallback((place, column) => {
		const row = ring.current.at(place);
		return row ? cellOf(database, row, column.key) : "";
	}, [database, total]);
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [/* @__PURE__ */ jsxs("div", {
			className: "page-head",
			children: [
				/* @__PURE__ */ jsx("h1", { children: "Changes" }),
				/* @__PURE__ */ jsx("span", {
					className: "muted",
					children: formatCount(total)
				}),
				isPaused ? /* @__PURE__ */ jsx(Chip, {
					tone: "stale",
					icon: "pause",
					children: `paused, ${formatCount(hidden)} not shown`
				}) : /* @__PURE__ */ jsx(Chip, {
					tone: "good",
					icon: "activity",
					children: "live"
				}),
				/* @__PURE__ */ jsx("span", { className: "grow" }),
				/* @__PURE__ */ jsx(FilterInput, {
					name: "Filter by id, name, collection or kind",
					initial: filter,
					onChange: (text) => setSearch({ filter: text })
				}),
				/* @__PURE__ */ jsx(Button, {
					kind: "quiet",
					icon: "trash",
					onClick: () => {
						ring.current.clear();
						setDrawn((now) => now + 1);
					},
					children: "Clear"
				}),
				/* @__PURE__ */ jsx(Button, {
					icon: isPaused ? "play" : "pause",
					onClick: () => {
						setPaused(!isPaused);
						setHidden(0);
						announce(isPaused ? "Live again." : "Paused.");
					},
					children: isPaused ? "Go on" : "Pause"
				})
			]
		}), ring.current.length === 0 ? /* @__PURE__ */ jsx(Empty, {
			icon: "activity",
			title: "Nothing has changed since this page was opened",
			children: "What is written, deleted or indexed shows here at once."
		}) : /* @__PURE__ */ jsx(Grid, {
			name: "Changes, the newest first",
			rows: ring.current.length,
			columns: COLUMNS,
			cell,
			onWindow: ignore
		})]
	});
}
function ignore() {}
function textOf(event) {
	return [event.Type, ...Object.values(event.Value)].join(" ").toLowerCase();
}
function cellOf(database, { at, event }, key) {
	const { Id, Name, Type, CollectionName } = event.Value;
	switch (key) {
		case "at": return formatTime(at);
		case "kind": return event.Type === "Gap" ? /* @__PURE__ */ jsx(Chip, {
			tone: "stale",
			children: "gap"
		}) : event.Type.replace("Change", "");
		case "type": return event.Type === "Gap" ? "something may be missing here" : Type ?? "";
		case "name": return event.Type === "DocumentChange" && Id ? /* @__PURE__ */ jsx(Link, {
			href: documentUrl(database, Id),
			tabIndex: -1,
			children: Id
		}) : event.Type === "IndexChange" && Name ? /* @__PURE__ */ jsx(Link, {
			href: placeUrl(databasePlace(database, "index"), { name: Name }),
			tabIndex: -1,
			children: Name
		}) : Id ?? Name ?? "";
		default: return CollectionName ?? "";
	}
}

export { ChangesPage };