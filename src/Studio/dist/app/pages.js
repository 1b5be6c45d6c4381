import { getJson } from "../api/http.js";
import { lackOf, readServerRoutes } from "../api/serverRoutes.js";
import { databasePlace, placeUrl } from "./places.js";
import { useQuery } from "../vendor/query.js";
import { useMemo } from "../vendor/react.js";

// src/app/pages.ts
const ofDatabase = (route) => `/databases/{database}/${route}`;
/** The pages of a database, in the order of the navigation. */
const DATABASE_PAGES = [
	{
		path: "",
		title: "Overview",
		icon: "database",
		needs: `GET ${ofDatabase("collections/stats")}`
	},
	{
		path: "docs",
		title: "Documents",
		icon: "files",
		needs: `GET ${ofDatabase("studio/documents")}`
	},
	{
		path: "query",
		title: "Query",
		icon: "terminal",
		needs: `POST ${ofDatabase("queries")}`
	},
	{
		path: "indexes",
		title: "Indexes",
		icon: "tree",
		needs: `GET ${ofDatabase("indexes/stats")}`
	},
	{
		path: "patch",
		title: "Patch",
		icon: "wand",
		needs: `PATCH ${ofDatabase("queries")}`
	},
	{
		path: "cmpxchg",
		title: "Compare-exchange",
		icon: "key",
		needs: `GET ${ofDatabase("cmpxchg")}`
	},
	{
		path: "changes",
		title: "Changes",
		icon: "activity",
		needs: `GET ${ofDatabase("changes")}`
	},
	{
		path: "subscriptions",
		title: "Subscriptions",
		icon: "send",
		needs: `GET ${ofDatabase("subscriptions")}`
	},
	{
		path: "backups",
		title: "Backups",
		icon: "history",
		needs: `GET ${ofDatabase("tasks")}`
	},
	{
		path: "io",
		title: "Import, export",
		icon: "upload",
		needs: `GET ${ofDatabase("smuggler/export")}`
	},
	{
		path: "operations",
		title: "Operations",
		icon: "clock",
		needs: `GET ${ofDatabase("operations")}`
	},
	{
		path: "storage",
		title: "Storage",
		icon: "disk",
		needs: `GET ${ofDatabase("debug/storage/report")}`
	},
	{
		path: "settings",
		title: "Settings",
		icon: "settings",
		needs: `GET ${ofDatabase("admin/configuration/settings")}`
	}
];
/** The pages of the server, in the order of the navigation. */
const SERVER_PAGES = [
	{
		path: "/",
		title: "Databases",
		icon: "database",
		needs: "GET /studio/databases"
	},
	{
		path: "/cluster",
		title: "Cluster",
		icon: "network",
		needs: "GET /admin/cluster/health"
	},
	{
		path: "/certificates",
		title: "Certificates",
		icon: "key",
		needs: "GET /admin/certificates"
	},
	{
		path: "/backups",
		title: "Backups",
		icon: "history",
		needs: "GET /admin/configuration/server-wide/tasks"
	},
	{
		path: "/restore",
		title: "Restore",
		icon: "reset",
		needs: "POST /admin/restore/database"
	},
	{
		path: "/operations",
		title: "Operations",
		icon: "clock",
		needs: "GET /operations"
	},
	{
		path: "/running",
		title: "Running requests",
		icon: "activity",
		needs: "GET /admin/requests/running"
	},
	{
		path: "/live",
		title: "Load of the server",
		icon: "gauge",
		needs: "GET /metrics"
	}
];
/** The pages that show one of what another one lists. */
const DETAILS = {
	doc: "docs",
	index: "indexes",
	subscription: "subscriptions",
	backup: "backups"
};
/** What the server can do, and who asks. */
function useServerFacts() {
	const routes = useQuery({
		queryKey: ["server-routes"],
		queryFn: ({ signal }) => readServerRoutes(signal),
		staleTime: Number.POSITIVE_INFINITY,
		retry: false
	});
	const who = useQuery({
		queryKey: ["whoami"],
		queryFn: ({ signal }) => getJson("/certificates/whoami", { signal }),
		retry: false
	});
	return {
		routes: routes.data,
		who: who.data
	};
}
/** Whether the caller may use a route, as far as is known: false until it is. */
function useMay(route, database = "") {
	const { routes, who } = useServerFacts();
	const access = routes?.get(route)?.access;
	return who !== void 0 && access !== void 0 && lackOf(access, who, database) === void 0;
}
/** The pages that the server has something for, of a database or (without a name) of the server. */
function usePages(database, path) {
	const { routes, who } = useServerFacts();
	return useMemo(() => pageLinks(database, path, routes, who), [
		database,
		path,
		routes,
		who
	]);
}
/** The links; until it is known what the server can do, they are all there. */
function pageLinks(database, path, routes, who) {
	const pages = database === "" ? SERVER_PAGES : DATABASE_PAGES;
	const here = pageOf(database, path);
	return pages.filter(({ needs }) => routes?.get(needs)?.isServed ?? !routes).map(({ path: page, title, icon, needs }) => ({
		url: placeUrl(database === "" ? page : databasePlace(database, page)),
		title,
		icon,
		isHere: here === page.replace(/^\//, ""),
		lack: lackOf(routes?.get(needs)?.access ?? "", who, database)
	}));
}
/** The page that a path is of, or that lists what it shows. */
function pageOf(database, path) {
	const first = (database === "" ? path : decodeURIComponent(path).slice(`/db/${database}`.length)).split("/")[1] ?? "";
	return DETAILS[first] ?? first;
}

export { DATABASE_PAGES, SERVER_PAGES, pageLinks, useMay, usePages };