import { readDocument } from "../../api/documents.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useSearchState } from "../../app/places.js";
import { withoutSystemFields } from "../../json/systemFields.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { DocumentEditor } from "./documentEditor.js";
import { NewDocument } from "./newDocument.js";
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
		queryFn: async ({ signal }) => await readDocument(database, source ?? "", signal) ?? null,
		enabled: source !== void 0 && source !== "",
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0,
		refetchOnWindowFocus: false
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
	if (isNew) {
		const copied = {
			...document.data,
			node: withoutSystemFields(document.data.node)
		};
		return /* @__PURE__ */ jsx(NewDocument, {
			database,
			collection: document.data.collection,
			copied
		});
	}
	return /* @__PURE__ */ jsx(DocumentEditor, {
		database,
		stored: document.data
	}, `${database}\n${document.data.id}`);
}
function DocumentsLink({ database }) {
	return /* @__PURE__ */ jsx(Link, {
		href: placeUrl(databasePlace(database, "docs")),
		children: "All documents"
	});
}

export { DocumentPage };