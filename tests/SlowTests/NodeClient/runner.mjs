// node runner.mjs SERVER-URL [part of a name, or begin of a file]: runs scenarios, each against a database of its own,
// one result a line:
// {"file","name","ok","error","ms"}.
// --certificates=FOLDER: over https, with the certificates of that folder. --third=0, 1 or 2: each third scenario.
// --primary=URL: SERVER-URL is another node of its cluster, and each database is one of three nodes. --files=A,B: those.
import { strict as assert } from "node:assert";
import { readdir } from "node:fs/promises";
import { DocumentStore, CreateDatabaseOperation, DeleteDatabasesOperation } from "ravendb";
import { take } from "./harness.mjs";
import { createThrough, prefer } from "./through.mjs";

const [url, only] = process.argv.slice(2).filter(argument => !argument.startsWith("--"));
const certificates = option("certificates");
const third = option("third");
const primary = option("primary");
const chosen = option("files")?.split(",");
const scenarioTimeoutMs = 60_000;
let counter = 0;

function option(name) {
    const begin = `--${name}=`;
    return process.argv.find(argument => argument.startsWith(begin))?.slice(begin.length);
}

async function runOne(file, { name, run }) {
    const database = `node-${process.pid}-${++counter}`;
    const store = new DocumentStore(url, database);
    const started = performance.now();
    let error = null;
    let timer;
    try {
        store.initialize();
        if (primary) {
            await createThrough(database, primary, url);
        } else {
            await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: database }));
        }
        const timeout = new Promise((_, reject) => {
            timer = setTimeout(() => reject(new Error(`took over ${scenarioTimeoutMs} ms`)), scenarioTimeoutMs);
        });
        await Promise.race([run({ store, database, url, assert }), timeout]);
    } catch (caught) {
        error = caught?.stack ?? String(caught);
    } finally {
        clearTimeout(timer);
    }
    try {
        await store.maintenance.server.send(
            new DeleteDatabasesOperation({ databaseNames: [database], hardDelete: true }));
    } catch (caught) {
        error ??= `deleting the database: ${caught?.stack ?? caught}`;
    }
    store.dispose();
    const ms = Math.round(performance.now() - started);
    process.stdout.write(JSON.stringify({ file, name, ok: error === null, error, ms }) + "\n");
}

if (certificates) {
    (await import("./secured.mjs")).secure(certificates);
}

if (primary) {
    prefer(url);
}

let number = 0;
const files = (await readdir(new URL("./scenarios/", import.meta.url)))
    .filter(file => file.endsWith(".mjs") && (!chosen || chosen.includes(file.slice(0, -".mjs".length))))
    .sort();
for (const file of files) {
    await import(`./scenarios/${file}`);
    for (const one of take()) {
        const isOfThird = third === undefined || number++ % 3 === Number(third);
        if (isOfThird && (!only || one.name.includes(only) || file.startsWith(only))) {
            await runOne(file, one);
        }
    }
}
process.exit(0);
