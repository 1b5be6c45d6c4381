import { Button, IconButton } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Announcer } from "./announcer.js";
import { useEarlyKeys } from "./earlyKeys.js";
import { Health } from "./health.js";
import { lazyPart } from "./lazyPart.js";
import { Link } from "./link.js";
import { usePages } from "./pages.js";
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
/** What stands around every page. */
function Shell() {
	const database = useDatabase();
	const path = useRouterState({ select: (state) => state.location.pathname });
	const [open, setOpen] = useState();
	const [isNavOpen, setNavOpen] = useState(false);
	const pages = usePages(database, path);
	const early = useEarlyKeys(open === "palette");
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
					children: pages.map(({ url, title, icon, isHere, lack }) => /* @__PURE__ */ jsxs(Link, {
						href: url,
						"aria-current": isHere ? "page" : void 0,
						className: lack ? "is-refused" : void 0,
						title: lack && `This takes the right ${lack}.`,
						children: [/* @__PURE__ */ jsx(Icon, { name: lack ? "lock" : icon }), /* @__PURE__ */ jsx("span", { children: title })]
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
					early,
					onClose: () => setOpen(void 0)
				}),
				open === "shortcuts" && /* @__PURE__ */ jsx(ShortcutList, { onClose: () => setOpen(void 0) }),
				open === "requests" && /* @__PURE__ */ jsx(RequestDrawer, { onClose: () => setOpen(void 0) })
			] })
		]
	});
}

export { Shell };