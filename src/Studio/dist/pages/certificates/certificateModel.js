// src/pages/certificates/certificateModel.ts
/** What an identity may do in one database, the least first. */
const RIGHTS = [
	"Read",
	"ReadWrite",
	"Admin"
];
/** What an identity may do on the server as a whole, the least first. */
const CLEARANCES = [
	"ValidUser",
	"Operator",
	"ClusterNode",
	"ClusterAdmin"
];
/** Everybody who is trusted, by name. */
function matrixRows(certificates, keys, nowMs) {
	return [...certificates.map((one) => ({
		key: one.Thumbprint,
		name: one.Name,
		kind: "certificate",
		clearance: one.SecurityClearance,
		permissions: one.Permissions ?? {},
		counts: !hasEnded(one.NotAfter, nowMs)
	})), ...keys.map((one) => ({
		key: one.Id,
		name: one.Name,
		kind: "API key",
		clearance: one.SecurityClearance,
		permissions: one.Permissions ?? {},
		counts: !one.Disabled && !hasEnded(one.ExpiresAt, nowMs)
	}))].sort((a, b) => compare(a.name, b.name) || compare(a.key, b.key));
}
/** The databases that anybody has a right in, by name; names are the same in either case. */
function matrixDatabases(rows) {
	const names = /* @__PURE__ */ new Map();
	for (const row of rows) for (const name of Object.keys(row.permissions)) names.set(name.toLowerCase(), names.get(name.toLowerCase()) ?? name);
	return [...names.values()].sort(compare);
}
function compare(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}
/** What somebody may do in a database: whoever is more than a valid user may do all in all of them. */
function rightIn(clearance, permissions, database) {
	if (clearance !== "ValidUser") return "Admin";
	const wanted = database.toLowerCase();
	return Object.entries(permissions).find(([name]) => name.toLowerCase() === wanted)?.[1];
}
/** A right in words. */
function rightWord(right) {
	return right === void 0 ? "–" : {
		Read: "reads",
		ReadWrite: "writes",
		Admin: "admin"
	}[right];
}
/** How many days before its end an identity is shown as one that ends. */
const ENDS_SOON_DAYS = 30;
const DAY_MS = 864e5;
function hasEnded(at, nowMs) {
	return at !== null && Date.parse(at) <= nowMs;
}
/** Whether an identity counts, and until when. */
function identityState(endsAt, isDisabled, nowMs) {
	if (isDisabled) return {
		tone: "bad",
		word: "disabled: it was sent over plain http"
	};
	if (endsAt === null) return {
		tone: "good",
		word: "does not end"
	};
	const days = Math.floor((Date.parse(endsAt) - nowMs) / DAY_MS);
	if (hasEnded(endsAt, nowMs)) return {
		tone: "bad",
		word: "ended"
	};
	if (days < ENDS_SOON_DAYS) return {
		tone: "stale",
		word: days === 0 ? "ends today" : `ends in ${days} ${days === 1 ? "day" : "days"}`
	};
	return {
		tone: "good",
		word: `counts, ${days} days`
	};
}
/** Why the caller cannot manage identities, as far as the page knows; the server decides. */
function manageRefusal(who) {
	if (who === void 0 || who.Kind === "Unsecured" || who.Kind === "Local") return;
	if (who.Kind !== "Certificate") return "An API key or a token manages neither certificates nor keys: use a client certificate.";
	return who.SecurityClearance === "ValidUser" ? "This takes the right Operator." : void 0;
}
/** Why the caller cannot change one identity, or give a clearance. */
function clearanceRefusal(who, clearance) {
	const isHigh = clearance === "ClusterAdmin" || clearance === "ClusterNode";
	const isAdmin = who === void 0 || who.Kind === "Unsecured" || who.SecurityClearance === "ClusterAdmin";
	return manageRefusal(who) ?? (isHigh && !isAdmin ? `Only a ClusterAdmin makes or changes a ${clearance}.` : void 0);
}
/** The longest file of a certificate that is read. */
const CERTIFICATE_BYTES_MAX = 1048576;
/** Why the caller cannot replace the certificate of the server by a file. */
function replaceRefusal(who, file) {
	const isAllowed = who === void 0 || ["Unsecured", "Local"].includes(who.Kind) || who.SecurityClearance === "ClusterAdmin";
	return manageRefusal(who) ?? (isAllowed ? void 0 : "This takes the right ClusterAdmin.") ?? (file ? void 0 : "Choose the file of the certificate first.") ?? (file && file.size > CERTIFICATE_BYTES_MAX ? "A certificate has less than 1 MiB." : void 0);
}
/** The rows of permissions, by name. */
function rightRows(permissions) {
	return Object.entries(permissions).sort(([a], [b]) => compare(a, b)).map(([database, right]) => ({
		database,
		right
	}));
}
/** Reads the rows of the form; rows without a name are left out. */
function readRightRows(rows) {
	const permissions = {};
	const seen = /* @__PURE__ */ new Set();
	for (const { database, right } of rows) {
		const name = database.trim();
		if (name === "") continue;
		if (seen.has(name.toLowerCase())) return {
			permissions,
			wrong: `${name} is there twice.`
		};
		seen.add(name.toLowerCase());
		Object.defineProperty(permissions, name, {
			value: right,
			enumerable: true
		});
	}
	return { permissions };
}
/** When an identity ends, as it is chosen: days from now, a day, or never. */
function endOf(choice, day, nowMs) {
	if (choice === "never") return { at: null };
	if (choice !== "day") return { at: new Date(nowMs + Number(choice) * DAY_MS).toISOString() };
	const time = /^\d{4}-\d\d-\d\d$/.test(day.trim()) ? Date.parse(`${day.trim()}T00:00:00Z`) : NaN;
	if (Number.isNaN(time)) return {
		at: null,
		wrong: "Write the day as 2030-01-31."
	};
	return time <= nowMs ? {
		at: null,
		wrong: "This day is over."
	} : { at: new Date(time).toISOString() };
}
/** Addresses or networks of a text, with commas, blanks or lines between them. */
function readList(text) {
	return text.split(/[\s,;]+/).filter((one) => one !== "");
}

export { CLEARANCES, RIGHTS, clearanceRefusal, endOf, identityState, manageRefusal, matrixDatabases, matrixRows, readList, readRightRows, replaceRefusal, rightIn, rightRows, rightWord };