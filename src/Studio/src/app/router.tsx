import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { DatabasesPage } from "../pages/databases/databasesPage";
import { FailedPage, MissingPage } from "./failedPage";
import { parseSearch, writeSearch } from "./search";
import { Shell } from "./shell";

const root = createRootRoute({ component: Shell, errorComponent: FailedPage, notFoundComponent: MissingPage });

const databases = createRoute({ getParentRoute: () => root, path: "/", component: DatabasesPage });

const overview = createRoute({
  getParentRoute: () => root,
  path: "/db/$db",
  component: lazyRouteComponent(() => import("../pages/overview/overviewPage"), "OverviewPage"),
});

const documents = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/docs",
  component: lazyRouteComponent(() => import("../pages/documents/documentsPage"), "DocumentsPage"),
});

const document = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/doc",
  component: lazyRouteComponent(() => import("../pages/document/documentPage"), "DocumentPage"),
});

const query = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/query",
  component: lazyRouteComponent(() => import("../pages/query/queryPage"), "QueryPage"),
});

const indexes = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/indexes",
  component: lazyRouteComponent(() => import("../pages/indexes/indexesPage"), "IndexesPage"),
});

const index = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/index",
  component: lazyRouteComponent(() => import("../pages/indexes/indexPage"), "IndexPage"),
});

const changes = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/changes",
  component: lazyRouteComponent(() => import("../pages/changes/changesPage"), "ChangesPage"),
});

const patch = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/patch",
  component: lazyRouteComponent(() => import("../pages/patch/patchPage"), "PatchPage"),
});

const compareExchange = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/cmpxchg",
  component: lazyRouteComponent(() => import("../pages/compareExchange/compareExchangePage"), "CompareExchangePage"),
});

const live = createRoute({
  getParentRoute: () => root,
  path: "/live",
  component: lazyRouteComponent(() => import("../pages/live/livePage"), "LivePage"),
});

const running = createRoute({
  getParentRoute: () => root,
  path: "/running",
  component: lazyRouteComponent(() => import("../pages/running/runningPage"), "RunningPage"),
});

/** The places of the Studio. */
export const router = createRouter({
  routeTree: root.addChildren([
    databases,
    overview,
    documents,
    document,
    query,
    indexes,
    index,
    changes,
    patch,
    compareExchange,
    live,
    running,
  ]),
  basepath: "/studio",
  parseSearch,
  stringifySearch: writeSearch,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
  defaultPreload: "intent",
  trailingSlash: "preserve",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
