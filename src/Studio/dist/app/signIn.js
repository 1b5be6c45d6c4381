import { send } from "../api/http.js";
import { isSignInWanted, wantSignIn, watchSignIn } from "../api/signInState.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { ErrorBox } from "../ui/states.js";
import { useTask } from "../ui/useTask.js";
import { announce } from "./announcer.js";
import { useQueryClient } from "../vendor/query.js";
import { jsx, jsxs, useState, useSyncExternalStore } from "../vendor/react.js";

// src/app/signIn.tsx
/** Asks for a key over the page when the server does not know who asks: what is on the page stays as it is. */
function SignIn() {
	const isWanted = useSyncExternalStore(watchSignIn, isSignInWanted);
	const client = useQueryClient();
	const [key, setKey] = useState("");
	const { isBusy, error, run, dismiss } = useTask();
	const close = () => {
		setKey("");
		dismiss();
		wantSignIn(false);
	};
	const signIn = () => run(async () => {
		const answer = await send("POST", "/studio/session", {
			headers: { Authorization: `Bearer ${key.trim()}` },
			isSecret: true
		});
		const { Name } = JSON.parse(answer.text);
		close();
		announce(`Signed in as ${Name}.`);
		await client.invalidateQueries();
	});
	return /* @__PURE__ */ jsx(Dialog, {
		title: "Sign in",
		isOpen: isWanted,
		onClose: close,
		children: /* @__PURE__ */ jsxs("form", {
			className: "stack",
			onSubmit: (event) => {
				event.preventDefault();
				if (key.trim() !== "" && !isBusy) signIn();
			},
			children: [
				/* @__PURE__ */ jsx("p", { children: "The server does not know who asks. A client certificate of the browser says it, or an API key." }),
				/* @__PURE__ */ jsxs("label", {
					className: "field",
					children: [/* @__PURE__ */ jsx("span", { children: "API key" }), /* @__PURE__ */ jsx("input", {
						type: "password",
						autoComplete: "current-password",
						value: key,
						spellCheck: false,
						onChange: (event) => setKey(event.target.value)
					})]
				}),
				/* @__PURE__ */ jsx("p", {
					className: "hint",
					children: "It is sent once, for a cookie of 12 hours that no script can read."
				}),
				error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
					title: "Not signed in",
					error
				}),
				/* @__PURE__ */ jsxs("div", {
					className: "row end",
					children: [/* @__PURE__ */ jsx(Button, {
						onClick: close,
						children: "Not now"
					}), /* @__PURE__ */ jsx(Button, {
						kind: "primary",
						type: "submit",
						isBusy,
						refusal: key.trim() === "" ? "Enter a key first." : void 0,
						children: "Sign in"
					})]
				})
			]
		})
	});
}

export { SignIn };