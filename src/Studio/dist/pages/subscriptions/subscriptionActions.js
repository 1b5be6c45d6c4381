import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { showError } from "../../app/toasts.js";
import { Confirm } from "../../ui/dialog.js";
import { Menu } from "../../ui/menu.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/subscriptions/subscriptionActions.tsx
/** What can be done to a subscription. */
function SubscriptionMenu({ database, one, onDone, onDeleted }) {
	const [isAsked, setAsked] = useState(false);
	const name = one.SubscriptionName;
	const act = (said, path, options) => () => {
		send("POST", databasePath(database, path), options).then(() => announce(`${name}: ${said}.`)).catch((error) => showError(`${name}: not ${said}`, error)).finally(onDone);
	};
	return /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Menu, {
		name: `Actions of ${name}`,
		entries: [
			one.Disabled ? {
				text: "Enable",
				icon: "play",
				onSelect: act("enabled", "subscriptions/update", { body: {
					Name: name,
					Disabled: false
				} })
			} : {
				text: "Disable (ends its workers)",
				icon: "pause",
				onSelect: act("disabled", "subscriptions/update", { body: {
					Name: name,
					Disabled: true
				} })
			},
			{
				text: "Disconnect its workers",
				icon: "stop",
				onSelect: act("disconnected", "subscriptions/drop", { query: { name } })
			},
			{
				text: "Send again what was set aside",
				icon: "refresh",
				onSelect: act("being sent again", "subscriptions/resend", { query: { name } })
			},
			{
				text: "Delete…",
				icon: "trash",
				isDanger: true,
				onSelect: () => setAsked(true)
			}
		]
	}), /* @__PURE__ */ jsx(Confirm, {
		title: `Delete ${name}`,
		isOpen: isAsked,
		first: "It ends its workers, and how far it is is forgotten: one of the same name begins anew.",
		action: "Delete it",
		typed: name,
		onClose: () => setAsked(false),
		onConfirm: async () => {
			await send("DELETE", databasePath(database, "subscriptions"), { query: { taskName: name } });
			announce(`${name} is deleted.`);
			(onDeleted ?? onDone)();
		}
	})] });
}

export { SubscriptionMenu };