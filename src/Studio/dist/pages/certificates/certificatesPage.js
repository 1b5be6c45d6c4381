import { getJson, send, sendForFile } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { useSearchState, useSetSearch } from "../../app/places.js";
import { showError } from "../../app/toasts.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/dialog.js";
import { formatTime, plural } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { saveFile } from "../../ui/saveFile.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { Tabs } from "../../ui/tabs.js";
import { ApiKeyDialog, RotateDialog } from "./apiKeyDialogs.js";
import { CertificateDialog } from "./certificateDialog.js";
import { manageRefusal } from "./certificateModel.js";
import { ApiKeyList, CertificateList } from "./identityLists.js";
import { Matrix } from "./matrix.js";
import { ReplaceDialog } from "./replaceDialog.js";
import { SecretDialog } from "./secretDialog.js";
import { useInfiniteQuery, useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/certificates/certificatesPage.tsx
/** How many identities are asked for at one time. */
const PAGE_SIZE = 256;
/** Who may use the server, and what each may do. */
function CertificatesPage() {
	const { tab = "matrix" } = useSearchState();
	const setSearch = useSetSearch();
	const [open, setOpen] = useState();
	const who = useQuery({
		queryKey: ["whoami"],
		queryFn: ({ signal }) => getJson("/certificates/whoami", { signal })
	});
	const refusal = manageRefusal(who.data);
	const mayAsk = who.data !== void 0 && refusal === void 0;
	const certificates = useIdentities("/admin/certificates", { metadataOnly: true }, mayAsk);
	const keys = useIdentities("/admin/api-keys", {}, mayAsk);
	const again = () => {
		certificates.refetch();
		keys.refetch();
	};
	const close = () => setOpen(void 0);
	const lists = [certificates, keys];
	const failed = lists.find((one) => one.error);
	const all = {
		certificates: rowsOf(certificates),
		keys: rowsOf(keys)
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Certificates and keys" }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						icon: "plus",
						refusal,
						onClick: () => setOpen({ what: "newKey" }),
						children: "API key"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						refusal,
						onClick: () => setOpen({ what: "make" }),
						children: "Certificate"
					}),
					/* @__PURE__ */ jsx(Menu, {
						name: "More of certificates",
						entries: [
							{
								text: "Register a certificate that is there…",
								icon: "upload",
								onSelect: () => setOpen({ what: "put" })
							},
							{
								text: "Remove those that have ended…",
								icon: "trash",
								isDanger: true,
								onSelect: () => setOpen({ what: "purge" })
							},
							{
								text: "Save the server's own, without its key",
								icon: "download",
								onSelect: saveServerCertificate
							},
							{
								text: "Read the server's own from its file again",
								icon: "refresh",
								onSelect: readServerCertificate
							},
							{
								text: "Replace the server's own…",
								icon: "upload",
								onSelect: () => setOpen({ what: "replace" })
							}
						]
					})
				]
			}),
			who.data && /* @__PURE__ */ jsx(You, { who: who.data }),
			failed && /* @__PURE__ */ jsx(ErrorBox, {
				title: "Who is trusted cannot be listed",
				error: failed.error,
				onRetry: again
			}),
			who.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: who.error,
				onRetry: () => void who.refetch()
			}),
			refusal && /* @__PURE__ */ jsx(Empty, {
				icon: "lock",
				title: "Who is trusted is not shown to you",
				children: refusal
			}),
			!failed && !refusal && !who.error && lists.some((one) => one.isPending) && /* @__PURE__ */ jsx(Loading, { what: "who is trusted" }),
			!failed && lists.every((one) => one.data) && /* @__PURE__ */ jsx(Tabs, {
				name: "Who is trusted",
				value: tab,
				onChange: (key) => setSearch({ tab: key === "matrix" ? void 0 : key }),
				entries: [
					{
						key: "matrix",
						title: "Who may what",
						content: () => /* @__PURE__ */ jsx(Matrix, {
							certificates: all.certificates,
							keys: all.keys
						})
					},
					{
						key: "certificates",
						title: `Certificates ${all.certificates.length}${certificates.hasNextPage ? "+" : ""}`,
						content: () => /* @__PURE__ */ jsx(CertificateList, {
							all: all.certificates,
							who: who.data,
							onEdit: (certificate) => setOpen({
								what: "edit",
								certificate
							}),
							onDelete: (certificate) => setOpen({
								what: "delete",
								certificate
							})
						})
					},
					{
						key: "keys",
						title: `API keys ${all.keys.length}${keys.hasNextPage ? "+" : ""}`,
						content: () => /* @__PURE__ */ jsx(ApiKeyList, {
							all: all.keys,
							who: who.data,
							onEdit: (key) => setOpen({
								what: "editKey",
								key
							}),
							onRotate: (key) => setOpen({
								what: "rotate",
								key
							}),
							onDelete: (key) => setOpen({
								what: "deleteKey",
								key
							})
						})
					}
				]
			}),
			lists.some((one) => one.hasNextPage) && /* @__PURE__ */ jsxs("div", {
				className: "row pager",
				children: [/* @__PURE__ */ jsx(Button, {
					isBusy: lists.some((one) => one.isFetchingNextPage),
					onClick: () => {
						for (const one of lists.filter((list) => list.hasNextPage)) one.fetchNextPage();
					},
					children: "More"
				}), /* @__PURE__ */ jsx("span", {
					className: "muted",
					children: "There are more than are shown."
				})]
			}),
			/* @__PURE__ */ jsx(Dialogs, {
				open,
				all: all.certificates,
				who: who.data,
				onOpen: setOpen,
				onClose: close,
				onDone: again
			})
		]
	});
}
function useIdentities(path, query, enabled) {
	return useInfiniteQuery({
		queryKey: ["identities", path],
		queryFn: ({ signal, pageParam }) => getJson(path, {
			query: {
				...query,
				start: pageParam,
				pageSize: PAGE_SIZE
			},
			signal
		}),
		initialPageParam: 0,
		getNextPageParam: (last, pages) => last.Results.length < PAGE_SIZE ? void 0 : pages.length * PAGE_SIZE,
		enabled,
		retry: false
	});
}
function rowsOf(list) {
	return list.data?.pages.flatMap((page) => page.Results) ?? [];
}
/** Who asks, as the server sees it. */
function You({ who }) {
	return /* @__PURE__ */ jsx("p", {
		className: "row padded",
		role: "status",
		children: who.Kind === "Unsecured" ? /* @__PURE__ */ jsx("span", { children: "This server has no certificate: it asks nobody who they are, and serves its own machine alone. What you set up here counts when it has one." }) : /* @__PURE__ */ jsxs("span", { children: [
			"You are ",
			/* @__PURE__ */ jsx("strong", { children: who.Name }),
			" (",
			who.Kind,
			", ",
			who.SecurityClearance,
			who.NotAfter ? `, until ${formatTime(who.NotAfter).slice(0, 10)}` : "",
			")."
		] })
	});
}
function saveServerCertificate() {
	sendForFile("GET", "/admin/certificates/export").then((file) => saveFile(file, "server-public.pfx")).catch((error) => showError("The server's certificate was not saved", error));
}
function readServerCertificate() {
	send("POST", "/admin/certificates/refresh").then(() => announce("The server has read its certificate again.")).catch((error) => showError("The server keeps the certificate that it has", error));
}
function Dialogs({ open, all, who, onOpen, onClose, onDone }) {
	const done = (title) => (secret) => {
		onDone();
		if (secret === void 0) onClose();
		else onOpen({
			what: "secret",
			title,
			secret
		});
	};
	switch (open?.what) {
		case "make":
		case "put": return /* @__PURE__ */ jsx(CertificateDialog, {
			mode: open.what,
			who,
			onClose,
			onDone
		});
		case "edit": return /* @__PURE__ */ jsx(CertificateDialog, {
			mode: "edit",
			certificate: open.certificate,
			who,
			onClose,
			onDone
		});
		case "newKey": return /* @__PURE__ */ jsx(ApiKeyDialog, {
			who,
			onClose,
			onDone: done("The key is made")
		});
		case "editKey": return /* @__PURE__ */ jsx(ApiKeyDialog, {
			apiKey: open.key,
			who,
			onClose,
			onDone: done("")
		});
		case "rotate": return /* @__PURE__ */ jsx(RotateDialog, {
			apiKey: open.key,
			onClose,
			onDone: done(`${open.key.Name} is rotated`)
		});
		case "secret": return /* @__PURE__ */ jsx(SecretDialog, {
			title: open.title,
			secret: open.secret,
			onClose
		});
		case "replace": return /* @__PURE__ */ jsx(ReplaceDialog, {
			who,
			onClose
		});
		case "delete":
		case "deleteKey":
		case "purge": return /* @__PURE__ */ jsx(Removal, {
			open,
			all,
			onClose,
			onDone
		});
		default: return null;
	}
}
function Removal({ open, all, onClose, onDone }) {
	const remove = (path, query, said) => async () => {
		await send("DELETE", path, { query });
		announce(said);
		onDone();
	};
	if (open.what === "delete") {
		const { Name, Thumbprint, CollectionSecondaryKeys } = open.certificate;
		const renewals = CollectionSecondaryKeys?.length ?? 0;
		return /* @__PURE__ */ jsx(Confirm, {
			title: `Delete ${Name}`,
			isOpen: true,
			first: "The server trusts it no more, and ends what it has open within 5 seconds.",
			action: renewals > 0 ? `Delete it and ${plural(renewals, "renewal")}` : "Delete it",
			typed: Name,
			onClose,
			onConfirm: remove("/admin/certificates", { thumbprint: Thumbprint }, `${Name} is deleted.`)
		});
	}
	if (open.what === "deleteKey") return /* @__PURE__ */ jsx(Confirm, {
		title: `Delete ${open.key.Name}`,
		isOpen: true,
		first: "The key counts no more: what uses it is cut off within 5 seconds.",
		action: "Delete it",
		typed: open.key.Name,
		onClose,
		onConfirm: remove("/admin/api-keys", { id: open.key.Id }, `${open.key.Name} is deleted.`)
	});
	const ended = all.filter((one) => one.NotAfter !== null && Date.parse(one.NotAfter) <= Date.now()).length;
	return /* @__PURE__ */ jsx(Confirm, {
		title: "Remove what has ended",
		isOpen: true,
		first: "Certificates that have ended count no more anyway; their entries are removed.",
		action: `Remove ${plural(ended, "certificate")}`,
		onClose,
		onConfirm: remove("/admin/certificates/purge", {}, "Those that have ended are removed.")
	});
}

export { CertificatesPage };