import { useNavigate, useParams, useSearch } from "../vendor/router.js";

// src/app/places.ts
/** The database of the page. */
function useDatabase() {
	return useParams({ strict: false }).db ?? "";
}
/** What the URL says besides its path. */
function useSearchState() {
	return useSearch({ strict: false });
}
/** Changes what the URL says; undefined takes a name out. It makes no step of the browser's history unless told so. */
function useSetSearch() {
	const navigate = useNavigate();
	return (change, isStep = false) => {
		navigate({
			to: ".",
			search: (now) => {
				const next = { ...now };
				for (const [name, value] of Object.entries(change)) if (value === void 0 || value === "") delete next[name];
				else next[name] = value;
				return next;
			},
			replace: !isStep
		});
	};
}
/** A place of the Studio as a URL, for links. */
function placeUrl(path, search = {}) {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(search)) if (value !== void 0 && value !== "") parameters.append(name, value);
	const text = parameters.toString();
	return `/studio${path}${text === "" ? "" : `?${text}`}`;
}
/** The path of a page of a database. */
function databasePlace(database, page = "") {
	return `/db/${encodeURIComponent(database)}${page === "" ? "" : `/${page}`}`;
}
/** The place of a document. */
function documentUrl(database, id) {
	return placeUrl(databasePlace(database, "doc"), { id });
}
/** Goes to a place. */
function useGo() {
	const navigate = useNavigate();
	return (url) => {
		navigate({ href: url });
	};
}

export { databasePlace, documentUrl, placeUrl, useDatabase, useGo, useSearchState, useSetSearch };