import { sendForFile } from "../../api/http.js";
import { attachmentPath } from "../../api/parts.js";
import { Dialog } from "../../ui/dialog.js";
import { formatBytes } from "../../ui/format.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { TEXT_SHOWN, readStart } from "./attachmentModel.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useEffect, useState } from "../../vendor/react.js";

// src/pages/attachments/attachmentPreview.tsx
/** Looks at an attachment: an image as a picture, which runs no script, anything else as its text. */
function AttachmentPreview({ database, id, attachment, kind, onClose }) {
	const { name, size, hash } = attachment;
	const isCut = kind === "text" && size > 65536;
	const content = useQuery({
		queryKey: [
			"attachment",
			database,
			id,
			name,
			hash
		],
		queryFn: ({ signal }) => sendForFile("GET", attachmentPath(database), {
			query: {
				id,
				name
			},
			signal,
			...isCut ? { headers: { Range: `bytes=0-${TEXT_SHOWN - 1}` } } : {}
		}),
		gcTime: 0,
		retry: false
	});
	return /* @__PURE__ */ jsxs(Dialog, {
		title: name,
		isOpen: true,
		onClose,
		wide: true,
		children: [
			content.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: content.error,
				onRetry: () => void content.refetch()
			}),
			content.isPending && /* @__PURE__ */ jsx(Loading, { what: name }),
			content.data && kind === "image" && /* @__PURE__ */ jsx(Picture, {
				name,
				blob: content.data,
				type: attachment.contentType
			}),
			content.data && kind === "text" && /* @__PURE__ */ jsx(Text, {
				blob: content.data,
				isCut
			}),
			isCut && /* @__PURE__ */ jsxs("p", {
				className: "muted",
				children: [
					"The first ",
					formatBytes(65536),
					" of ",
					formatBytes(size),
					"."
				]
			})
		]
	});
}
function Picture({ name, blob, type }) {
	const [url, setUrl] = useState();
	const [isBroken, setBroken] = useState(false);
	useEffect(() => {
		const made = URL.createObjectURL(new Blob([blob], { type }));
		setUrl(made);
		return () => URL.revokeObjectURL(made);
	}, [blob, type]);
	if (isBroken) return /* @__PURE__ */ jsx("p", { children: "It is no picture that this browser can show, whatever its content type says." });
	return url ? /* @__PURE__ */ jsx("img", {
		className: "preview-image",
		src: url,
		alt: name,
		onError: () => setBroken(true)
	}) : null;
}
function Text({ blob, isCut }) {
	const [text, setText] = useState();
	useEffect(() => {
		let isGone = false;
		blob.arrayBuffer().then((bytes) => {
			if (!isGone) setText(readStart(new Uint8Array(bytes), isCut));
		});
		return () => {
			isGone = true;
		};
	}, [blob, isCut]);
	return /* @__PURE__ */ jsx("section", {
		className: "scroll short",
		"aria-label": "The text",
		tabIndex: 0,
		children: /* @__PURE__ */ jsx("pre", { children: text })
	});
}

export { AttachmentPreview };