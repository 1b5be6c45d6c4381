import { send } from "../../api/http.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatBytes, formatCount, formatTime, plural } from "../../ui/format.js";
import { Segments } from "../../ui/segments.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { OperationBar } from "../operations/operationBar.js";
import { s3Of } from "./backupModel.js";
import { RestoreDialog } from "./restoreDialog.js";
import { S3Fields } from "./s3Fields.js";
import { useQuery, useQueryClient } from "../../vendor/query.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/backups/restorePage.tsx
/** The most points that are drawn, the newest first. */
const SHOWN_MAX = 500;
/** Makes a database out of a backup, under a name that none has. */
function RestorePage() {
	const { folder = "", from = "folder", operation, name = "" } = useSearchState();
	const setSearch = useSetSearch();
	const client = useQueryClient();
	const [typed, setTyped] = useState(folder);
	const [s3, setS3] = useState({});
	const [asked, setAsked] = useState();
	const [chosen, setChosen] = useState();
	const isS3 = from === "s3";
	const points = useQuery({
		queryKey: isS3 ? [
			"restore-points",
			"s3",
			asked
		] : ["restore-points", folder],
		queryFn: async ({ signal }) => {
			const answer = await send("POST", "/admin/restore/points", {
				query: { type: isS3 ? "S3" : "Local" },
				body: isS3 ? s3Of(asked ?? {}) : { FolderPath: folder },
				isSecret: isS3,
				signal
			});
			const { List } = JSON.parse(answer.text);
			return [...List].sort((a, b) => a.DateTime < b.DateTime ? 1 : -1);
		},
		enabled: isS3 ? asked !== void 0 : folder !== "",
		retry: false
	});
	const look = () => {
		if (isS3) setAsked({ ...s3 });
		else if (typed.trim() === folder) points.refetch();
		else setSearch({ folder: typed.trim() }, true);
	};
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Restore" }),
					/* @__PURE__ */ jsx(Segments, {
						name: "From",
						choices: [{
							key: "folder",
							title: "from a folder"
						}, {
							key: "s3",
							title: "from a bucket"
						}],
						chosen: from,
						onChoose: (key) => setSearch({ from: key === "folder" ? void 0 : key })
					}),
					/* @__PURE__ */ jsx("span", {
						className: "hint",
						children: "Nothing that is there is changed: a backup becomes a database under a new name."
					})
				]
			}),
			operation && /* @__PURE__ */ jsx(OperationBar, {
				database: void 0,
				id: operation,
				title: `Restore of ${name}`,
				onClose: () => setSearch({
					operation: void 0,
					name: void 0
				}),
				onEnd: () => void client.invalidateQueries({ queryKey: ["databases"] }),
				children: (state) => /* @__PURE__ */ jsx(Restored, {
					state,
					name
				})
			}, operation),
			/* @__PURE__ */ jsxs("div", {
				className: "scroll",
				tabIndex: -1,
				children: [
					/* @__PURE__ */ jsxs("form", {
						className: "form",
						onSubmit: (event) => {
							event.preventDefault();
							if (isS3 ? (s3.BucketName ?? "") !== "" : typed.trim() !== "") look();
						},
						children: [isS3 ? /* @__PURE__ */ jsx(S3Fields, {
							value: s3,
							onChange: setS3
						}) : /* @__PURE__ */ jsxs("label", {
							className: "field",
							children: [/* @__PURE__ */ jsx("span", { children: "Folder of backups on the server's machine" }), /* @__PURE__ */ jsx("input", {
								className: "mono",
								value: typed,
								placeholder: "/var/backups/raven/shop",
								autoComplete: "off",
								spellCheck: false,
								onChange: (event) => setTyped(event.target.value)
							})]
						}), /* @__PURE__ */ jsx("div", {
							className: "row",
							children: /* @__PURE__ */ jsx(Button, {
								type: "submit",
								kind: "primary",
								icon: "search",
								isBusy: points.isFetching,
								children: "Look for backups"
							})
						})]
					}),
					points.error && /* @__PURE__ */ jsx(ErrorBox, {
						title: "No backups were read",
						error: points.error,
						onRetry: look
					}),
					points.isLoading && /* @__PURE__ */ jsx(Loading, { what: "the backups" }),
					points.data && /* @__PURE__ */ jsx(Points, {
						all: points.data,
						onChoose: setChosen
					}),
					!points.data && !points.error && !points.isLoading && /* @__PURE__ */ jsx(Empty, {
						icon: "history",
						title: "What can be restored",
						children: "Name the folder that a task backs up to: each time that can be restored from it stands here then."
					})
				]
			}),
			chosen && /* @__PURE__ */ jsx(RestoreDialog, {
				point: chosen,
				s3: isS3 ? asked : void 0,
				onClose: () => setChosen(void 0),
				onStarted: (id, database) => {
					setChosen(void 0);
					setSearch({
						operation: String(id),
						name: database
					}, true);
				}
			}, `${chosen.Location}/${chosen.FileName}`)
		]
	});
}
function Points({ all, onChoose }) {
	if (all.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "history",
		title: "There is no backup",
		children: "Nothing in it has the name of a backup, or none is whole."
	});
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "What can be restored",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsxs("table", {
			className: "plain-table",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "As of" }),
				/* @__PURE__ */ jsx("th", { children: "Database" }),
				/* @__PURE__ */ jsx("th", { children: "Kind" }),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Size"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Files"
				}),
				/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
					className: "offscreen",
					children: "Actions"
				}) })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: all.slice(0, SHOWN_MAX).map((point) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", {
					scope: "row",
					className: "nowrap",
					children: formatTime(point.DateTime)
				}),
				/* @__PURE__ */ jsx("td", { children: point.DatabaseName }),
				/* @__PURE__ */ jsxs("td", { children: [
					point.IsIncremental ? "incremental" : "full",
					" ",
					point.IsEncrypted && /* @__PURE__ */ jsx(Chip, {
						tone: "info",
						icon: "lock",
						children: "encrypted"
					})
				] }),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: formatBytes(point.SizeInBytes)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: formatCount(point.FilesToRestore)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "actions",
					children: /* @__PURE__ */ jsx(Button, {
						icon: "reset",
						"aria-label": `Restore ${point.DatabaseName} as of ${formatTime(point.DateTime)}`,
						onClick: () => onChoose(point),
						children: "Restore…"
					})
				})
			] }, `${point.Location}/${point.FileName}`)) })]
		}), all.length > SHOWN_MAX && /* @__PURE__ */ jsx("p", {
			className: "muted padded",
			children: `${formatCount(all.length - SHOWN_MAX)} older ones more.`
		})]
	});
}
function Restored({ state, name }) {
	if (state.Status !== "Completed") return /* @__PURE__ */ jsxs("p", {
		className: "padded",
		children: [
			"There is no database ",
			name,
			": nothing is left of it."
		]
	});
	const { Documents, SecretsToEnter } = state.Result ?? {};
	return /* @__PURE__ */ jsxs("div", {
		className: "padded stack",
		children: [/* @__PURE__ */ jsxs("p", { children: [
			/* @__PURE__ */ jsx(Link, {
				href: placeUrl(databasePlace(name)),
				children: name
			}),
			" is there",
			Documents === void 0 ? "" : `, with ${plural(Documents, "document")}`,
			". Its indexes are built anew."
		] }), SecretsToEnter && SecretsToEnter.length > 0 && /* @__PURE__ */ jsxs("p", { children: [
			/* @__PURE__ */ jsx("strong", { children: "No backup has secrets. Enter these again:" }),
			" ",
			SecretsToEnter.join(", ")
		] })]
	});
}

export { RestorePage };