import { Chip } from "../../ui/chip.js";
import { CopyButton } from "../../ui/copy.js";
import { formatTime } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { Empty } from "../../ui/states.js";
import { clearanceRefusal, identityState, rightRows } from "./certificateModel.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/certificates/identityLists.tsx
function Rights({ of }) {
	const rows = rightRows(of.Permissions ?? {});
	return /* @__PURE__ */ jsxs(Fragment, { children: [of.SecurityClearance, of.SecurityClearance === "ValidUser" && /* @__PURE__ */ jsx("span", {
		className: "muted",
		children: rows.length === 0 ? ": no database" : `: ${rows.map((row) => `${row.database} ${row.right}`).join(", ")}`
	})] });
}
/** What may be done with one, or why it may not. */
function Actions({ name, refusal, entries }) {
	return /* @__PURE__ */ jsx("td", {
		className: "actions",
		children: refusal ? /* @__PURE__ */ jsx("span", {
			className: "muted",
			title: refusal,
			children: "not yours"
		}) : /* @__PURE__ */ jsx(Menu, {
			name: `Actions of ${name}`,
			entries
		})
	});
}
/** Certificates that the server trusts. */
function CertificateList({ all, who, onEdit, onDelete }) {
	const [now] = useState(() => Date.now());
	if (all.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "key",
		title: "No certificates",
		children: "Programs and people show one that is registered here. Make one for each, so that each can end by itself."
	});
	return /* @__PURE__ */ jsx("section", {
		className: "scroll",
		"aria-label": "Certificates",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("table", {
			className: "plain-table",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Name" }),
				/* @__PURE__ */ jsx("th", { children: "May" }),
				/* @__PURE__ */ jsx("th", { children: "State" }),
				/* @__PURE__ */ jsx("th", { children: "Ends" }),
				/* @__PURE__ */ jsx("th", { children: "Seen" }),
				/* @__PURE__ */ jsx("th", { children: "Thumbprint" }),
				/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
					className: "offscreen",
					children: "Actions"
				}) })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: all.map((one) => {
				const state = identityState(one.NotAfter, false, now);
				return /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsxs("th", {
						scope: "row",
						className: "break",
						children: [one.Name, one.CollectionPrimaryKey && /* @__PURE__ */ jsx("span", {
							className: "muted",
							children: " (a renewal)"
						})]
					}),
					/* @__PURE__ */ jsx("td", {
						className: "break",
						children: /* @__PURE__ */ jsx(Rights, { of: one })
					}),
					/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(Chip, {
						tone: state.tone,
						children: state.word
					}) }),
					/* @__PURE__ */ jsx("td", {
						className: "nowrap",
						children: formatTime(one.NotAfter).slice(0, 10)
					}),
					/* @__PURE__ */ jsx("td", {
						className: "nowrap muted",
						children: one.LastSeenAt ? formatTime(one.LastSeenAt).slice(0, 16) : "never"
					}),
					/* @__PURE__ */ jsxs("td", {
						className: "nowrap",
						children: [/* @__PURE__ */ jsxs("code", {
							title: one.Thumbprint,
							children: [one.Thumbprint.slice(0, 8), "…"]
						}), /* @__PURE__ */ jsx(CopyButton, {
							text: one.Thumbprint,
							children: "Copy"
						})]
					}),
					/* @__PURE__ */ jsx(Actions, {
						name: one.Name,
						refusal: clearanceRefusal(who, one.SecurityClearance),
						entries: [{
							text: "Change what it may…",
							icon: "key",
							onSelect: () => onEdit(one)
						}, {
							text: "Delete…",
							icon: "trash",
							isDanger: true,
							onSelect: () => onDelete(one)
						}]
					})
				] }, one.Thumbprint);
			}) })]
		})
	});
}
/** API keys; none of them has its secret here. */
function ApiKeyList({ all, who, onEdit, onRotate, onDelete }) {
	const [now] = useState(() => Date.now());
	if (all.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "key",
		title: "No API keys",
		children: "A key is for tools, and for where a client certificate does not get through. It signs in to this Studio, too."
	});
	return /* @__PURE__ */ jsx("section", {
		className: "scroll",
		"aria-label": "API keys",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("table", {
			className: "plain-table",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Name" }),
				/* @__PURE__ */ jsx("th", { children: "Id" }),
				/* @__PURE__ */ jsx("th", { children: "May" }),
				/* @__PURE__ */ jsx("th", { children: "State" }),
				/* @__PURE__ */ jsx("th", { children: "From" }),
				/* @__PURE__ */ jsx("th", { children: "Used" }),
				/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
					className: "offscreen",
					children: "Actions"
				}) })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: all.map((one) => {
				const state = identityState(one.ExpiresAt, one.Disabled, now);
				return /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", {
						scope: "row",
						className: "break",
						children: one.Name
					}),
					/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx("code", { children: one.Id }) }),
					/* @__PURE__ */ jsxs("td", {
						className: "break",
						children: [/* @__PURE__ */ jsx(Rights, { of: one }), one.Scopes && one.Scopes.length > 0 && /* @__PURE__ */ jsx("span", {
							className: "muted",
							children: `, ${one.Scopes.join(", ")}`
						})]
					}),
					/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(Chip, {
						tone: state.tone,
						children: state.word
					}) }),
					/* @__PURE__ */ jsx("td", {
						className: "break",
						children: one.AllowedAddresses?.join(", ") || "everywhere"
					}),
					/* @__PURE__ */ jsx("td", {
						className: "nowrap muted",
						children: one.LastUsedAt ? formatTime(one.LastUsedAt).slice(0, 16) : "never"
					}),
					/* @__PURE__ */ jsx(Actions, {
						name: one.Name,
						refusal: clearanceRefusal(who, one.SecurityClearance),
						entries: [
							{
								text: "Change what it may…",
								icon: "key",
								onSelect: () => onEdit(one)
							},
							{
								text: "Rotate…",
								icon: "refresh",
								onSelect: () => onRotate(one)
							},
							{
								text: "Delete…",
								icon: "trash",
								isDanger: true,
								onSelect: () => onDelete(one)
							}
						]
					})
				] }, one.Id);
			}) })]
		})
	});
}

export { ApiKeyList, CertificateList };