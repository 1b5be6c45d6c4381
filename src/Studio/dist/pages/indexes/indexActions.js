import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { showError } from "../../app/toasts.js";
import { Confirm } from "../../ui/dialog.js";
import { plural } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/indexes/indexActions.tsx
/** What can be done to an index. What takes long to come back asks for its name. */
function IndexMenu({ database, stats, onDone, onDeleted }) {
	const [asked, setAsked] = useState();
	const act = (what, method, path, body) => () => {
		send(method, databasePath(database, path), {
			query: body ? {} : { name: stats.Name },
			...body ? { body } : {}
		}).then(() => announce(`${stats.Name}: ${what}.`)).catch((error) => showError(`${stats.Name}: not ${what}`, error)).finally(onDone);
	};
	const isPaused = stats.Status === "Paused";
	const isDisabled = stats.State === "Disabled" || stats.Status === "Disabled";
	const lock = (Mode) => act(`lock ${Mode}`, "POST", "indexes/set-lock", {
		IndexNames: [stats.Name],
		Mode
	});
	const priority = (Priority) => act(`priority ${Priority}`, "POST", "indexes/set-priority", {
		IndexNames: [stats.Name],
		Priority
	});
	const entries = [
		isPaused ? {
			text: "Go on",
			icon: "play",
			onSelect: act("running", "POST", "admin/indexes/start")
		} : {
			text: "Pause until the server restarts",
			icon: "pause",
			onSelect: act("paused", "POST", "admin/indexes/stop")
		},
		isDisabled ? {
			text: "Enable",
			icon: "play",
			onSelect: act("enabled", "POST", "admin/indexes/enable")
		} : {
			text: "Disable",
			icon: "stop",
			onSelect: act("disabled", "POST", "admin/indexes/disable")
		},
		...[
			"Unlock",
			"LockedIgnore",
			"LockedError"
		].filter((mode) => mode !== stats.LockMode).map((mode) => ({
			text: `Lock: ${mode}`,
			icon: "lock",
			onSelect: lock(mode)
		})),
		...[
			"Low",
			"Normal",
			"High"
		].filter((one) => one !== stats.Priority).map((one) => ({
			text: `Priority: ${one}`,
			icon: "activity",
			onSelect: priority(one)
		})),
		{
			text: "Build it again…",
			icon: "reset",
			isDanger: true,
			onSelect: () => setAsked("reset")
		},
		{
			text: "Delete…",
			icon: "trash",
			isDanger: true,
			onSelect: () => setAsked("delete")
		}
	];
	return /* @__PURE__ */ jsxs(Fragment, { children: [
		/* @__PURE__ */ jsx(Menu, {
			name: `Actions of ${stats.Name}`,
			entries
		}),
		/* @__PURE__ */ jsx(Confirm, {
			title: `Build ${stats.Name} again`,
			isOpen: asked === "reset",
			first: `Its ${plural(stats.EntriesCount, "entry", "entries")} are dropped and made again; until then queries of it wait or are stale.`,
			action: "Build it again",
			typed: stats.Name,
			onClose: () => setAsked(void 0),
			onConfirm: async () => {
				await send("RESET", databasePath(database, "indexes"), { query: { name: stats.Name } });
				announce(`${stats.Name} is built again.`);
				onDone();
			}
		}),
		/* @__PURE__ */ jsx(Confirm, {
			title: `Delete ${stats.Name}`,
			isOpen: asked === "delete",
			first: `Its definition and its ${plural(stats.EntriesCount, "entry", "entries")} are deleted. Queries that name it fail.`,
			action: "Delete it",
			onClose: () => setAsked(void 0),
			onConfirm: async () => {
				await send("DELETE", databasePath(database, "indexes"), { query: { name: stats.Name } });
				announce(`${stats.Name} is deleted.`);
				(onDeleted ?? onDone)();
			}
		})
	] });
}

export { IndexMenu };