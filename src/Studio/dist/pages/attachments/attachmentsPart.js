import { urlOf } from "../../api/http.js";
import { attachmentPath, deleteAttachment } from "../../api/parts.js";
import { announce } from "../../app/announcer.js";
import { useSearchState, useSetSearch } from "../../app/places.js";
import { showError } from "../../app/toasts.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/dialog.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatBytes, formatCount } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { Empty } from "../../ui/states.js";
import { previewKind } from "./attachmentModel.js";
import { AttachmentPreview } from "./attachmentPreview.js";
import { CarryDialog } from "./carryDialog.js";
import { UploadList } from "./uploadList.js";
import { uploadsOf } from "./uploadsOf.js";
import { jsx, jsxs, useRef, useState, useSyncExternalStore } from "../../vendor/react.js";

// src/pages/attachments/attachmentsPart.tsx
/** More rows are not drawn: the filter finds the others. */
const SHOWN_MAX = 500;
/** The attachments of a document: files are dropped here, saved, renamed, copied and deleted. */
function AttachmentsPart({ database, parts, onChanged }) {
	const { id, attachments } = parts;
	const { filter = "", view } = useSearchState();
	const setSearch = useSetSearch();
	const queue = uploadsOf(database, id);
	const uploads = useSyncExternalStore(queue.watch, queue.list);
	const input = useRef(null);
	const [isOver, setOver] = useState(false);
	const [carried, setCarried] = useState();
	const [deleted, setDeleted] = useState();
	const found = attachments.filter((one) => one.name.toLowerCase().includes(filter.toLowerCase()));
	const viewed = attachments.find((one) => one.name === view);
	const viewedKind = viewed && previewKind(viewed.contentType, viewed.size);
	const drop = (event) => {
		event.preventDefault();
		setOver(false);
		const { files, folders } = droppedFiles(event.dataTransfer);
		queue.add(files);
		if (folders.length > 0) showError("Folders are no attachments", /* @__PURE__ */ new Error(`${folders.join(", ")}: drop the files in it instead.`));
	};
	return /* @__PURE__ */ jsxs("section", {
		className: isOver ? "page is-over" : "page",
		"aria-label": "Attachments",
		onDragOver: (event) => {
			event.preventDefault();
			setOver(true);
		},
		onDragLeave: (event) => {
			if (!event.currentTarget.contains(event.relatedTarget)) setOver(false);
		},
		onDrop: drop,
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: id,
						children: id
					}),
					/* @__PURE__ */ jsxs("span", {
						className: "muted",
						children: [
							formatBytes(attachments.reduce((sum, one) => sum + one.size, 0)),
							" in ",
							formatCount(attachments.length)
						]
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(FilterInput, {
						initial: filter,
						onChange: (text) => setSearch({ filter: text })
					}),
					/* @__PURE__ */ jsx("input", {
						ref: input,
						type: "file",
						multiple: true,
						hidden: true,
						"aria-label": "Files",
						onChange: (event) => {
							queue.add([...event.target.files ?? []]);
							event.target.value = "";
						}
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "upload",
						onClick: () => input.current?.click(),
						children: "Add files"
					})
				]
			}),
			/* @__PURE__ */ jsx(UploadList, {
				queue,
				uploads
			}),
			attachments.length === 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "clip",
				title: "It has no attachments",
				children: "Files of any size, such as pictures. Drop them here."
			}),
			attachments.length > 0 && found.length === 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "filter",
				title: "No attachment is called so"
			}),
			found.length > 0 && /* @__PURE__ */ jsxs("section", {
				className: "scroll",
				"aria-label": "List of attachments",
				tabIndex: 0,
				children: [/* @__PURE__ */ jsxs("table", {
					className: "plain-table",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Name" }),
						/* @__PURE__ */ jsx("th", { children: "Content type" }),
						/* @__PURE__ */ jsx("th", {
							className: "number",
							children: "Size"
						}),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Actions"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: found.slice(0, SHOWN_MAX).map((one) => /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", {
							scope: "row",
							className: "break",
							children: /* @__PURE__ */ jsx("a", {
								href: urlOf(attachmentPath(database), {
									id,
									name: one.name
								}),
								download: one.name,
								title: `Save it. SHA-256: ${one.hash}`,
								children: one.name
							})
						}),
						/* @__PURE__ */ jsx("td", {
							className: "break",
							children: one.contentType
						}),
						/* @__PURE__ */ jsx("td", {
							className: "number nowrap",
							title: `${formatCount(one.size)} bytes`,
							children: formatBytes(one.size)
						}),
						/* @__PURE__ */ jsx("td", {
							className: "actions",
							children: /* @__PURE__ */ jsx(Menu, {
								name: `Actions of ${one.name}`,
								entries: [
									...previewKind(one.contentType, one.size) ? [{
										text: "Look at it",
										icon: "eye",
										onSelect: () => setSearch({ view: one.name }, true)
									}] : [],
									{
										text: "Rename or move…",
										icon: "file",
										onSelect: () => setCarried({
											name: one.name,
											how: "MOVE"
										})
									},
									{
										text: "Copy…",
										icon: "copy",
										onSelect: () => setCarried({
											name: one.name,
											how: "COPY"
										})
									},
									{
										text: "Delete…",
										icon: "trash",
										isDanger: true,
										onSelect: () => setDeleted(one)
									}
								]
							})
						})
					] }, one.name)) })]
				}), found.length > SHOWN_MAX && /* @__PURE__ */ jsxs("p", {
					className: "muted padded",
					children: [formatCount(found.length - SHOWN_MAX), " more are not shown: the filter finds them."]
				})]
			}),
			viewed && viewedKind && /* @__PURE__ */ jsx(AttachmentPreview, {
				database,
				id,
				attachment: viewed,
				kind: viewedKind,
				onClose: () => setSearch({ view: void 0 })
			}),
			carried && /* @__PURE__ */ jsx(CarryDialog, {
				database,
				id,
				name: carried.name,
				how: carried.how,
				onClose: () => setCarried(void 0),
				onDone: () => void onChanged()
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Delete ${deleted?.name ?? ""}`,
				isOpen: deleted !== void 0,
				first: "The attachment is deleted: there is no way back, unless a revision of the document has it.",
				action: `Delete ${formatBytes(deleted?.size)}`,
				onClose: () => setDeleted(void 0),
				onConfirm: async () => {
					if (deleted) {
						await deleteAttachment(database, id, deleted.name);
						announce(`${deleted.name} is deleted.`);
						await onChanged();
					}
				}
			})
		]
	});
}
/** The files of a drop; a folder, which has no bytes, by its name. */
function droppedFiles(data) {
	const files = [];
	const folders = [];
	for (const item of data.items) {
		const entry = item.webkitGetAsEntry();
		const file = item.getAsFile();
		if (entry?.isDirectory) folders.push(entry.name);
		else if (file) files.push(file);
	}
	return {
		files,
		folders
	};
}

export { AttachmentsPart };