import { getJson } from "./http.js";

// src/api/serverRoutes.ts
/** Reads what the server can do, and who may. */
async function readServerRoutes(signal) {
	return routesOf(await getJson("/openapi.json", signal ? { signal } : {}));
}
/** The routes of a description. */
function routesOf(description) {
	const routes = /* @__PURE__ */ new Map();
	for (const [path, methods] of Object.entries(description.paths ?? {})) for (const [method, { summary = "", "x-access": access = "" }] of Object.entries(methods)) routes.set(`${method.toUpperCase()} ${path}`, {
		access,
		isServed: !summary.startsWith("Not served")
	});
	return routes;
}
const DATABASE_RIGHTS = [
	"Read",
	"ReadWrite",
	"Admin"
];
/** The rights of routes of a database, and what in one's permissions they take. */
const DATABASE_ACCESS = {
	Read: "Read",
	ReadWrite: "ReadWrite",
	DatabaseAdmin: "Admin"
};
/** The right that a caller lacks for a route, in words; undefined if it lacks none, or nobody knows. */
function lackOf(access, who, database) {
	if (who === void 0 || who.Kind === "Unsecured" || who.Kind === "Local") return;
	const { SecurityClearance: clearance } = who;
	if (access === "ClusterAdmin") return clearance === "ClusterAdmin" ? void 0 : "ClusterAdmin";
	if (clearance !== "ValidUser") return;
	if (access === "Operator") return "Operator";
	const wanted = DATABASE_ACCESS[access];
	if (wanted === void 0 || database === "") return;
	const name = database.toLowerCase();
	const right = Object.entries(who.Permissions).find(([one]) => one.toLowerCase() === name)?.[1] ?? "";
	return DATABASE_RIGHTS.indexOf(right) >= DATABASE_RIGHTS.indexOf(wanted) ? void 0 : `${wanted} to ${database}`;
}

export { lackOf, readServerRoutes, routesOf };