import { DatabasesPage } from "../pages/databases/databasesPage.js";
import { FailedPage, MissingPage } from "./failedPage.js";
import { parseSearch, writeSearch } from "./search.js";
import { Shell } from "./shell.js";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "../vendor/router.js";

// src/app/router.tsx
const root = createRootRoute({
	component: Shell,
	errorComponent: FailedPage,
	notFoundComponent: MissingPage
});
const databases = createRoute({
	getParentRoute: () => root,
	path: "/",
	component: DatabasesPage
});
const overview = createRoute({
	getParentRoute: () => root,
	path: "/db/$db",
	component: lazyRouteComponent(() => import("../pages/overview/overviewPage.js"), "OverviewPage")
});
const documents = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/docs",
	component: lazyRouteComponent(() => import("../pages/documents/documentsPage.js"), "DocumentsPage")
});
const document = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/doc",
	component: lazyRouteComponent(() => import("../pages/document/documentPage.js"), "DocumentPage")
});
const query = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/query",
	component: lazyRouteComponent(() => import("../pages/query/queryPage.js"), "QueryPage")
});
const indexes = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/indexes",
	component: lazyRouteComponent(() => import("../pages/indexes/indexesPage.js"), "IndexesPage")
});
const index = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/index",
	component: lazyRouteComponent(() => import("../pages/indexes/indexPage.js"), "IndexPage")
});
const changes = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/changes",
	component: lazyRouteComponent(() => import("../pages/changes/changesPage.js"), "ChangesPage")
});
const patch = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/patch",
	component: lazyRouteComponent(() => import("../pages/patch/patchPage.js"), "PatchPage")
});
const compareExchange = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/cmpxchg",
	component: lazyRouteComponent(() => import("../pages/compareExchange/compareExchangePage.js"), "CompareExchangePage")
});
const live = createRoute({
	getParentRoute: () => root,
	path: "/live",
	component: lazyRouteComponent(() => import("../pages/live/livePage.js"), "LivePage")
});
const running = createRoute({
	getParentRoute: () => root,
	path: "/running",
	component: lazyRouteComponent(() => import("../pages/running/runningPage.js"), "RunningPage")
});
const subscriptions = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/subscriptions",
	component: lazyRouteComponent(() => import("../pages/subscriptions/subscriptionsPage.js"), "SubscriptionsPage")
});
const subscription = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/subscription",
	component: lazyRouteComponent(() => import("../pages/subscriptions/subscriptionPage.js"), "SubscriptionPage")
});
const backups = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/backups",
	component: lazyRouteComponent(() => import("../pages/backups/backupsPage.js"), "BackupsPage")
});
const backup = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/backup",
	component: lazyRouteComponent(() => import("../pages/backups/backupPage.js"), "BackupPage")
});
const io = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/io",
	component: lazyRouteComponent(() => import("../pages/io/ioPage.js"), "IoPage")
});
const operations = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/operations",
	component: lazyRouteComponent(() => import("../pages/operations/operationsPage.js"), "OperationsPage")
});
const storage = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/storage",
	component: lazyRouteComponent(() => import("../pages/storage/storagePage.js"), "StoragePage")
});
const settings = createRoute({
	getParentRoute: () => root,
	path: "/db/$db/settings",
	component: lazyRouteComponent(() => import("../pages/settings/settingsPage.js"), "SettingsPage")
});
const cluster = createRoute({
	getParentRoute: () => root,
	path: "/cluster",
	component: lazyRouteComponent(() => import("../pages/cluster/clusterPage.js"), "ClusterPage")
});
const certificates = createRoute({
	getParentRoute: () => root,
	path: "/certificates",
	component: lazyRouteComponent(() => import("../pages/certificates/certificatesPage.js"), "CertificatesPage")
});
const serverBackups = createRoute({
	getParentRoute: () => root,
	path: "/backups",
	component: lazyRouteComponent(() => import("../pages/backups/serverBackupsPage.js"), "ServerBackupsPage")
});
const serverBackup = createRoute({
	getParentRoute: () => root,
	path: "/backup",
	component: lazyRouteComponent(() => import("../pages/backups/serverBackupsPage.js"), "ServerBackupPage")
});
const restore = createRoute({
	getParentRoute: () => root,
	path: "/restore",
	component: lazyRouteComponent(() => import("../pages/backups/restorePage.js"), "RestorePage")
});
const serverOperations = createRoute({
	getParentRoute: () => root,
	path: "/operations",
	component: lazyRouteComponent(() => import("../pages/operations/operationsPage.js"), "OperationsPage")
});
/** The places of the Studio. */
const router = createRouter({
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
		serverOperations
	]),
	basepath: "/studio",
	parseSearch,
	stringifySearch: writeSearch,
	defaultErrorComponent: FailedPage,
	defaultNotFoundComponent: MissingPage,
	defaultPreload: "intent",
	trailingSlash: "preserve"
});

export { router };