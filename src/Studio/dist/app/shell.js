import { Button, IconButton } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Announcer } from "./announcer.js";
import { Health } from "./health.js";
import { lazyPart } from "./lazyPart.js";
import { Link } from "./link.js";
import { databasePlace, placeUrl, useDatabase } from "./places.js";
import { useShortcuts } from "./shortcuts.js";
import { SignIn } from "./signIn.js";
import { Toasts } from "./toasts.js";
import { Outlet, useRouterState } from "../vendor/router.js";
import { Fragment, Suspense, jsx, jsxs, useEffect, useState } from "../vendor/react.js";

// src/app/shell.tsx
const Palette = lazyPart(() => import("./palette.js").then((module) => module.Palette));
const ShortcutList = lazyPart(() => import("./shortcutList.js").then((module) => module.ShortcutList));
const RequestDrawer = lazyPart(() => import("./requestDrawer.js").then((module) => module.RequestDrawer));
/** The pages of a database, in the order of the navigation. */
const DATABASE_PAGES = [
	{
		page: "",
		title: "Overview",
		icon: "database",
		key: "o"
	},
	{
		page: "docs",
		title: "Documents",
		icon: "files",
		key: "d"
	},
	{
		page: "query",
		title: "Query",
		icon: "terminal",
		key: "q"
	},
	{
		page: "indexes",
		title: "Indexes",
		icon: "tree",
		key: "i"
	},
	{
		page: "patch",
		title: "Patch",
		icon: "wand",
		key: "p"
	},
	{
		page: "cmpxchg",
		title: "Compare-exchange",
		icon: "key",
		key: "x"
	},
	{
		page: "changes",
		title: "Changes",
		icon: "activity",
		key: "c"
	},
	{
		page: "subscriptions",
		title: "Subscriptions",
		icon: "send",
		key: "s"
	},
	{
		page: "backups",
		title: "Backups",
		icon: "history",
		key: "b"
	},
	{
		page: "io",
		title: "Import, export",
		icon: "upload",
		key: "m"
	},
	{
		page: "operations",
		title: "Operations",
		icon: "clock",
		key: "r"
	},
	{
		page: "storage",
		title: "Storage",
		icon: "disk",
		key: "t"
	},
	{
		page: "settings",
		title: "Settings",
		icon: "settings",
		key: "e"
	}
];
/** The pages of the server, in the order of the navigation. */
const SERVER_PAGES = [
	{
		path: "/",
		title: "Databases",
		icon: "database"
	},
	{
		path: "/certificates",
		title: "Certificates",
		icon: "key"
	},
	{
		path: "/restore",
		title: "Restore",
		icon: "reset"
	},
	{
		path: "/operations",
		title: "Operations",
		icon: "clock"
	},
	{
		path: "/running",
		title: "Running requests",
		icon: "activity"
	},
	{
		path: "/live",
		title: "Load of the server",
		icon: "gauge"
	}
];
/** What stands around every page. */
function Shell() {
	const database = useDatabase();
	const path = useRouterState({ select: (state) => state.location.pathname });
	const [open, setOpen] = useState();
	const [isNavOpen, setNavOpen] = useState(false);
	useShortcuts(database, {
		palette: () => setOpen("palette"),
		shortcuts: () => setOpen("shortcuts")
	});
	useEffect(() => {
		if (path) setNavOpen(false);
	}, [path]);
	return /* @__PURE__ */ jsxs("div", {
		className: "shell",
		children: [
			/* @__PURE__ */ jsx("a", {
				className: "skip",
				href: "#content",
				children: "Skip to the content"
			}),
			/* @__PURE__ */ jsxs("header", {
				className: "top",
				children: [
					/* @__PURE__ */ jsx("span", {
						className: "only-narrow",
						children: /* @__PURE__ */ jsx(IconButton, {
							name: "Navigation",
							icon: "menu",
							"aria-expanded": isNavOpen,
							onClick: () => setNavOpen(!isNavOpen)
						})
					}),
					/* @__PURE__ */ jsxs(Link, {
						className: "brand",
						href: placeUrl("/"),
						"aria-label": "Raven: all databases",
						children: [/* @__PURE__ */ jsx(Icon, {
							name: "database",
							size: 18
						}), /* @__PURE__ */ jsx("span", { children: "Raven" })]
					}),
					database !== "" && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Icon, {
						name: "chevronRight",
						size: 14
					}), /* @__PURE__ */ jsx(Link, {
						className: "database-name",
						href: placeUrl(databasePlace(database)),
						children: database
					})] }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						kind: "quiet",
						icon: "search",
						keys: "Ctrl K",
						className: "find",
						onClick: () => setOpen("palette"),
						children: "Find"
					}),
					/* @__PURE__ */ jsx(Health, {}),
					/* @__PURE__ */ jsx(Link, {
						className: "button quiet",
						href: placeUrl("/live"),
						"aria-label": "Load of the server",
						title: "Load of the server",
						children: /* @__PURE__ */ jsx(Icon, { name: "gauge" })
					}),
					/* @__PURE__ */ jsx(IconButton, {
						name: "Requests of this page",
						icon: "send",
						onClick: () => setOpen("requests")
					}),
					/* @__PURE__ */ jsx(IconButton, {
						name: "Keyboard shortcuts",
						icon: "keyboard",
						className: "only-wide",
						onClick: () => setOpen("shortcuts")
					})
				]
			}),
			/* @__PURE__ */ jsxs("div", {
				className: "middle",
				children: [/* @__PURE__ */ jsx("nav", {
					className: isNavOpen ? "nav is-open" : "nav",
					"aria-label": database === "" ? "Pages of the server" : `Pages of ${database}`,
					children: pagesOf(database, path).map(({ url, title, icon, isHere }) => /* @__PURE__ */ jsxs(Link, {
						href: url,
						"aria-current": isHere ? "page" : void 0,
						children: [/* @__PURE__ */ jsx(Icon, { name: icon }), /* @__PURE__ */ jsx("span", { children: title })]
					}, url))
				}), /* @__PURE__ */ jsxs("main", {
					className: "content",
					id: "content",
					tabIndex: -1,
					children: [/* @__PURE__ */ jsx(Outlet, {}), /* @__PURE__ */ jsx(Toasts, {})]
				})]
			}),
			/* @__PURE__ */ jsx(SignIn, {}),
			/* @__PURE__ */ jsx(Announcer, {}),
			/* @__PURE__ */ jsxs(Suspense, { children: [
				open === "palette" && /* @__PURE__ */ jsx(Palette, {
					database,
					onClose: () => setOpen(void 0)
				}),
				open === "shortcuts" && /* @__PURE__ */ jsx(ShortcutList, { onClose: () => setOpen(void 0) }),
				open === "requests" && /* @__PURE__ */ jsx(RequestDrawer, { onClose: () => setOpen(void 0) })
			] })
		]
	});
}
/** The links of the navigation: of a database, or of the server. */
function pagesOf(database, path) {
	return database === "" ? SERVER_PAGES.map(({ path: to, ...rest }) => ({
		...rest,
		url: placeUrl(to),
		isHere: path === to
	})) : DATABASE_PAGES.map(({ page, title, icon }) => ({
		url: placeUrl(databasePlace(database, page)),
		title,
		icon,
		isHere: isCurrent(path, database, page)
	}));
}
function isCurrent(path, database, page) {
	const rest = decodeURIComponent(path).slice(`/db/${database}`.length).split("/")[1] ?? "";
	return rest === page || rest === {
		docs: "doc",
		indexes: "index",
		subscriptions: "subscription",
		backups: "backup"
	}[page];
}

export { DATABASE_PAGES, SERVER_PAGES, Shell };