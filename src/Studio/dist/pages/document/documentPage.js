import { lazyPart } from "../../app/lazyPart.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useSearchState } from "../../app/places.js";
import { EDITED_MAX } from "../../editor/jsonLanguage.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { DocumentEditor } from "./documentEditor.js";
import { DocumentView } from "./documentView.js";
import { NewDocument } from "./newDocument.js";
import { openDocument } from "./openDocument.js";
import { PartsNavigation } from "./partsNavigation.js";
import { useParts } from "./useParts.js";
import { useQuery } from "../../vendor/query.js";
import { Suspense, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/document/documentPage.tsx
const PARTS = {
	attachments: lazyPart(() => import("../attachments/attachmentsPart.js").then((module) => module.AttachmentsPart)),
	counters: lazyPart(() => import("../counters/countersPart.js").then((module) => module.CountersPart)),
	timeseries: lazyPart(() => import("../timeSeries/timeSeriesPart.js").then((module) => module.TimeSeriesPart))
};
const DocumentAt = lazyPart(() => import("./documentAt.js").then((module) => module.DocumentAt));
/** One document with what belongs to it, or a new one. */
function DocumentPage() {
	const database = useDatabase();
	const { id = "", new: isNew, collection, from, at } = useSearchState();
	if (isNew) return from ? /* @__PURE__ */ jsx(CopiedDocument, {
		database,
		source: from
	}) : /* @__PURE__ */ jsx(NewDocument, {
		database,
		collection
	}, collection);
	if (id === "") return /* @__PURE__ */ jsx(Empty, {
		icon: "file",
		title: "No document is named",
		action: /* @__PURE__ */ jsx(DocumentsLink, { database })
	});
	if (at !== void 0) return /* @__PURE__ */ jsx(Suspense, {
		fallback: /* @__PURE__ */ jsx(Loading, {
			what: id,
			rows: 16
		}),
		children: /* @__PURE__ */ jsx(DocumentAt, {
			database,
			id,
			at
		}, `${database}\n${id}`)
	});
	return /* @__PURE__ */ jsx(WholeDocument, {
		database,
		id
	}, `${database}\n${id}`);
}
/** The document in its editor, or one of its parts; a text that is not saved stays in the editor behind them. */
function WholeDocument({ database, id }) {
	const { tab } = useSearchState();
	const [isDirty, setDirty] = useState(false);
	const { parts, refresh } = useParts(database, id);
	const part = tab !== void 0 && Object.hasOwn(PARTS, tab) ? tab : void 0;
	const Part = part && PARTS[part];
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			parts.data && /* @__PURE__ */ jsx(PartsNavigation, {
				database,
				id,
				parts: parts.data,
				current: part ?? ""
			}),
			(!Part || isDirty) && /* @__PURE__ */ jsx("div", {
				className: "page",
				hidden: Part !== void 0,
				children: /* @__PURE__ */ jsx(StoredOne, {
					database,
					id,
					onDirty: setDirty
				})
			}),
			Part && parts.error && /* @__PURE__ */ jsx(ErrorBox, {
				title: `${id} cannot be read`,
				error: parts.error,
				onRetry: () => void parts.refetch()
			}),
			Part && parts.data === null && /* @__PURE__ */ jsx(Missing, {
				database,
				id
			}),
			Part && parts.isPending && /* @__PURE__ */ jsx(Loading, { what: id }),
			Part && parts.data && /* @__PURE__ */ jsx(Suspense, {
				fallback: /* @__PURE__ */ jsx(Loading, { what: id }),
				children: /* @__PURE__ */ jsx(Part, {
					database,
					parts: parts.data,
					onChanged: refresh
				})
			})
		]
	});
}
function useStored(database, id) {
	return useQuery({
		queryKey: [
			"document",
			database,
			id
		],
		queryFn: async ({ signal }) => await openDocument(database, id, signal) ?? null,
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0,
		refetchOnWindowFocus: false,
		structuralSharing: false
	});
}
function StoredOne({ database, id, onDirty }) {
	const document = useStored(database, id);
	if (document.error) return /* @__PURE__ */ jsx(ErrorBox, {
		title: `${id} cannot be read`,
		error: document.error,
		onRetry: () => void document.refetch()
	});
	if (document.isPending) return /* @__PURE__ */ jsx(Loading, {
		what: id,
		rows: 16
	});
	if (document.data === null) return /* @__PURE__ */ jsx(Missing, {
		database,
		id
	});
	if (document.data.lines.length > 2e7) return /* @__PURE__ */ jsx(DocumentView, { stored: document.data });
	return /* @__PURE__ */ jsx(DocumentEditor, {
		database,
		stored: document.data,
		onDirty
	});
}
function CopiedDocument({ database, source }) {
	const document = useStored(database, source);
	if (document.error) return /* @__PURE__ */ jsx(ErrorBox, {
		title: `${source} cannot be read`,
		error: document.error,
		onRetry: () => void document.refetch()
	});
	if (document.isPending) return /* @__PURE__ */ jsx(Loading, {
		what: source,
		rows: 16
	});
	if (document.data === null) return /* @__PURE__ */ jsx(Missing, {
		database,
		id: source
	});
	if (document.data.lines.length > 2e7) return /* @__PURE__ */ jsx(DocumentView, { stored: document.data });
	return /* @__PURE__ */ jsx(NewDocument, {
		database,
		collection: document.data.collection,
		copied: document.data
	});
}
function Missing({ database, id }) {
	return /* @__PURE__ */ jsxs(Empty, {
		icon: "file",
		title: `There is no ${id}`,
		action: /* @__PURE__ */ jsx(DocumentsLink, { database }),
		children: [
			"It may have been deleted, or never written.",
			" ",
			/* @__PURE__ */ jsx(Link, {
				href: placeUrl(databasePlace(database, "doc"), {
					new: "1",
					from: "",
					id
				}),
				children: "Make it"
			})
		]
	});
}
function DocumentsLink({ database }) {
	return /* @__PURE__ */ jsx(Link, {
		href: placeUrl(databasePlace(database, "docs")),
		children: "All documents"
	});
}

export { DocumentPage };