// node dropping.mjs SERVER-URL find|check [every [part of a field or of its scenario]]
// Leaves one result field after another out of the server's answers and runs a scenario that must notice it.
// "check" takes the scenario that fields.json names (with a number, only every so manieth field) and prints a line a field:
// {"field","scenario","error"}; of a route whose answer has no fields the whole of it is left out: its connections are cut
// (the field is "the route itself"); "routes" prints what fields.mjs speaks of, a route a line; "find" looks for one where there is none, and writes fields.json anew;
// "find 1 new" looks only for fields that fields.json does not have, and only among the scenarios that look at fields.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { strict as assert } from "node:assert";
import { DocumentStore, CreateDatabaseOperation, DeleteDatabasesOperation } from "ravendb";
import { Dropper, routeItself } from "./dropper.mjs";
import { ofClusters, ofIdentities, ofOperators, rows, withoutFields } from "./fields.mjs";
import { take } from "./harness.mjs";

const [, , serverUrl, mode, every = "1", part = ""] = process.argv;
if (mode === "routes") {
    process.stdout.write([...Object.keys(rows), ...withoutFields, ...ofIdentities, ...ofOperators, ...ofClusters].join("\n") + "\n");
    process.exit(0);
}
const mapFile = new URL("./fields.json", import.meta.url);
// A scenario that waits for what never comes has noticed it. Until something is left out it takes its time.
const patienceMs = 2_500;
const wholeScenarioMs = 60_000;
// Of a route that many scenarios use, the first are tried, and those that look at fields.
const triedMax = 12;
const dropper = new Dropper(serverUrl);
const url = await dropper.start();
let counter = 0;
process.on("unhandledRejection", () => { });
process.on("uncaughtException", () => { });

/** Ends this program, which its own server would keep alive. */
function fail(caught) {
    process.stderr.write(`${caught?.stack ?? caught}\n`);
    process.exit(1);
}

/** What the server is asked for around a scenario, which has no limit of its own. */
async function order(direct, operation, what) {
    const timer = setTimeout(() => fail(`${what} took over ${wholeScenarioMs} ms`), wholeScenarioMs);
    try {
        await direct.maintenance.server.send(operation);
    } finally {
        clearTimeout(timer);
    }
}

async function run({ name, run: body }, drop) {
    const database = `drop-${process.pid}-${++counter}`;
    const direct = new DocumentStore(serverUrl, database).initialize();
    await order(direct, new CreateDatabaseOperation({ databaseName: database }), `making a database for '${name}'`);
    const store = new DocumentStore(url, database);
    let error = null;
    let timer;
    try {
        dropper.drop(...(drop ?? [null, null]));
        store.initialize();
        const started = Date.now();
        let since = null;
        const timeout = new Promise((_, reject) => {
            timer = setInterval(() => {
                since ??= dropper.dropped > 0 ? Date.now() : null;
                if (Date.now() > (since === null ? started + wholeScenarioMs : since + patienceMs)) {
                    reject(new Error("took too long"));
                }
            }, 20);
        });
        await Promise.race([body({ store, database, url, assert }), timeout]);
    } catch (caught) {
        error = caught ?? new Error("nothing");
    }
    clearInterval(timer);
    const dropped = dropper.dropped;
    dropper.drop(null, null);
    store.dispose();
    try {
        const deletion = new DeleteDatabasesOperation({ databaseNames: [database], hardDelete: true });
        await order(direct, deletion, `deleting the database of '${name}'`);
    } catch {
        // The scenario has deleted it itself.
    }
    direct.dispose();
    return { error, dropped };
}

/** Whether a file, or a scenario of it, looks at the fields of answers without the client. */
const isRaw = name => name.startsWith("answers");

async function scenarios() {
    const all = new Map();
    const files = (await readdir(new URL("./scenarios/", import.meta.url))).filter(file => file.endsWith(".mjs")).sort();
    // What only looks at fields comes last: a feature that breaks tells more.
    for (const file of [...files.filter(file => !isRaw(file)), ...files.filter(isRaw)]) {
        await import(`./scenarios/${file}`);
        take().forEach(one => all.set(`${file}: ${one.name}`, one));
    }
    return all;
}

const all = await scenarios();
const fields = Object.entries(rows).flatMap(([route, paths]) => paths.map(path => [route, path]))
    .concat(withoutFields.map(route => [route, routeItself]));
const map = JSON.parse(await readFile(mapFile, "utf8").catch(() => "{}"));
const nameOf = ([route, path]) => `${route} ${path}`;

async function check() {
    const chosen = fields.filter((_, index) => index % Number(every) === 0)
        .filter(field => nameOf(field).includes(part) || map[nameOf(field)]?.includes(part));
    const sound = new Map();
    for (const field of chosen) {
        const name = nameOf(field);
        const key = map[name];
        let error = null;
        if (!all.has(key)) {
            error = `there is no scenario '${key}'`;
        } else {
            if (!sound.has(key)) {
                sound.set(key, (await run(all.get(key), null)).error);
            }
            const result = sound.get(key) === null ? await run(all.get(key), field) : null;
            error = result === null ? `the scenario fails by itself: ${sound.get(key)?.stack}`
                : result.error === null ? "nobody notices that it is gone"
                : result.dropped === 0 ? "it was in no answer" : null;
        }
        process.stdout.write(JSON.stringify({ field: name, scenario: key ?? null, error }) + "\n");
    }
}

function touches(routes, route) {
    const [method, path] = route.split(" ");
    const regex = path === "*" ? /^/ : new RegExp(`^${path.replaceAll("*", "[^/]+")}$`, "i");
    return [...routes].some(one => {
        const [m, p] = one.split(" ");
        return (method === "*" || method === m) && regex.test(p);
    });
}

async function find() {
    const isKnown = field => part === "new" && all.has(map[nameOf(field)]);
    const visited = new Map();
    for (const [key, one] of all) {
        if (part === "new" && !isRaw(key)) {
            continue;
        }
        dropper.routes.clear();
        const started = Date.now();
        const { error } = await run(one, null);
        if (error === null && Date.now() - started < 1_500) {
            visited.set(key, new Set(dropper.routes));
        }
    }
    const missing = [];
    const found = {};
    const last = new Map();
    for (const field of fields) {
        const name = nameOf(field);
        if (isKnown(field)) {
            found[name] = map[name];
            continue;
        }
        const touching = [...visited.keys()].filter(key => touches(visited.get(key), field[0]));
        const raw = touching.filter(isRaw);
        const candidates = [map[name], ...(last.get(field[0]) ?? []), ...touching.slice(0, triedMax), ...raw]
            .filter((key, index, list) => touching.includes(key) && list.indexOf(key) === index);
        for (const key of candidates) {
            const { error, dropped } = await run(all.get(key), field);
            if (error !== null && dropped > 0) {
                found[name] = key;
                last.set(field[0], [key, ...(last.get(field[0]) ?? [])]);
                break;
            }
        }
        if (!(name in found)) {
            missing.push(name);
        }
        process.stderr.write(`${name} -> ${found[name] ?? "nobody"} (of ${candidates.length})\n`);
    }
    await writeFile(mapFile, JSON.stringify(found, null, 2) + "\n");
    process.stdout.write(`${fields.length} fields, ${missing.length} that nobody notices\n${missing.join("\n")}\n`);
}

// What the client leaves behind in an unhandled promise is swallowed above; what this program itself fails with is not.
(mode === "find" ? find() : check()).then(() => process.exit(0), fail);
