import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useSearchState } from "../../app/places.js";
import { EDITED_MAX } from "../../editor/jsonLanguage.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { DocumentEditor } from "./documentEditor.js";
import { DocumentView } from "./documentView.js";
import { NewDocument } from "./newDocument.js";
import { openDocument } from "./openDocument.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/document/documentPage.tsx
/** One document, or a new one. */
function DocumentPage() {
	const database = useDatabase();
	const { id = "", new: isNew, collection, from } = useSearchState();
	const source = isNew ? from : id;
	const document = useQuery({
		queryKey: [
			"document",
			database,
			source
		],
		queryFn: async ({ signal }) => await openDocument(database, source ?? "", signal) ?? null,
		enabled: source !== void 0 && source !== "",
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0,
		refetchOnWindowFocus: false,
		structuralSharing: false
	});
	if (isNew && !from) return /* @__PURE__ */ jsx(NewDocument, {
		database,
		collection
	}, collection);
	if (document.error) return /* @__PURE__ */ jsx(ErrorBox, {
		title: `${source} cannot be read`,
		error: document.error,
		onRetry: () => void document.refetch()
	});
	if (source === void 0 || source === "") return /* @__PURE__ */ jsx(Empty, {
		icon: "file",
		title: "No document is named",
		action: /* @__PURE__ */ jsx(DocumentsLink, { database })
	});
	if (document.isPending) return /* @__PURE__ */ jsx(Loading, {
		what: source,
		rows: 16
	});
	if (document.data === null) return /* @__PURE__ */ jsxs(Empty, {
		icon: "file",
		title: `There is no ${source}`,
		action: /* @__PURE__ */ jsx(DocumentsLink, { database }),
		children: [
			"It may have been deleted, or never written.",
			" ",
			/* @__PURE__ */ jsx(Link, {
				href: placeUrl(databasePlace(database, "doc"), {
					new: "1",
					from: "",
					id: source
				}),
				children: "Make it"
			})
		]
	});
	const key = `${database}\n${document.data.id}`;
	if (document.data.lines.length > 2e7) return /* @__PURE__ */ jsx(DocumentView, { stored: document.data }, key);
	if (isNew) return /* @__PURE__ */ jsx(NewDocument, {
		database,
		collection: document.data.collection,
		copied: document.data
	});
	return /* @__PURE__ */ jsx(DocumentEditor, {
		database,
		stored: document.data
	}, key);
}
function DocumentsLink({ database }) {
	return /* @__PURE__ */ jsx(Link, {
		href: placeUrl(databasePlace(database, "docs")),
		children: "All documents"
	});
}

export { DocumentPage };