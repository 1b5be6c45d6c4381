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

const subscriptions = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/subscriptions",
  component: lazyRouteComponent(() => import("../pages/subscriptions/subscriptionsPage"), "SubscriptionsPage"),
});

const subscription = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/subscription",
  component: lazyRouteComponent(() => import("../pages/subscriptions/subscriptionPage"), "SubscriptionPage"),
});

const backups = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/backups",
  component: lazyRouteComponent(() => import("../pages/backups/backupsPage"), "BackupsPage"),
});

const backup = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/backup",
  component: lazyRouteComponent(() => import("../pages/backups/backupPage"), "BackupPage"),
});

const io = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/io",
  component: lazyRouteComponent(() => import("../pages/io/ioPage"), "IoPage"),
});

const operations = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/operations",
  component: lazyRouteComponent(() => import("../pages/operations/operationsPage"), "OperationsPage"),
});

const storage = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/storage",
  component: lazyRouteComponent(() => import("../pages/storage/storagePage"), "StoragePage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/db/$db/settings",
  component: lazyRouteComponent(() => import("../pages/settings/settingsPage"), "SettingsPage"),
});

const cluster = createRoute({
  getParentRoute: () => root,
  path: "/cluster",
  component: lazyRouteComponent(() => import("../pages/cluster/clusterPage"), "ClusterPage"),
});

const certificates = createRoute({
  getParentRoute: () => root,
  path: "/certificates",
  component: lazyRouteComponent(() => import("../pages/certificates/certificatesPage"), "CertificatesPage"),
});

const serverBackups = createRoute({
  getParentRoute: () => root,
  path: "/backups",
  component: lazyRouteComponent(() => import("../pages/backups/serverBackupsPage"), "ServerBackupsPage"),
});

const serverBackup = createRoute({
  getParentRoute: () => root,
  path: "/backup",
  component: lazyRouteComponent(() => import("../pages/backups/serverBackupsPage"), "ServerBackupPage"),
});

const restore = createRoute({
  getParentRoute: () => root,
  path: "/restore",
  component: lazyRouteComponent(() => import("../pages/backups/restorePage"), "RestorePage"),
});

const serverOperations = createRoute({
  getParentRoute: () => root,
  path: "/operations",
  component: lazyRouteComponent(() => import("../pages/operations/operationsPage"), "OperationsPage"),
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
    subscriptions,
    subscription,
    backups,
    backup,
    io,
    operations,
    storage,
    settings,
    cluster,
    certificates,
    serverBackups,
    serverBackup,
    restore,
    serverOperations,
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
