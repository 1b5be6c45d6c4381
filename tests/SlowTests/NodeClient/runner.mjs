// node runner.mjs SERVER-URL [part of a name, or begin of a file]: runs scenarios, each against a database of its own,
// one result a line:
// {"file","name","ok","error","ms"}.
import { strict as assert } from "node:assert";
import { readdir } from "node:fs/promises";
import { DocumentStore, CreateDatabaseOperation, DeleteDatabasesOperation } from "ravendb";
import { take } from "./harness.mjs";

const url = process.argv[2];
const only = process.argv[3];
const scenarioTimeoutMs = 60_000;
let counter = 0;

async function runOne(file, { name, run }) {
    const database = `node-${process.pid}-${++counter}`;
    const store = new DocumentStore(url, database);
    const started = performance.now();
    let error = null;
    let timer;
    try {
        store.initialize();
        await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: database }));
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

const files = (await readdir(new URL("./scenarios/", import.meta.url))).filter(file => file.endsWith(".mjs")).sort();
for (const file of files) {
    await import(`./scenarios/${file}`);
    for (const one of take()) {
        if (!only || one.name.includes(only) || file.startsWith(only)) {
            await runOne(file, one);
        }
    }
}
process.exit(0);
