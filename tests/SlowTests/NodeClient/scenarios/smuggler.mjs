import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DatabaseSmugglerExportOptions, DatabaseSmugglerImportOptions, GetStatisticsOperation } from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

async function withUsers(store, names) {
    const session = store.openSession();
    for (const name of names) {
        await session.store(new User({ name }), `users/${name}`);
    }
    session.advanced.attachments.store(`users/${names[0]}`, "photo.jpg", Buffer.from("some bytes"), "image/jpeg");
    session.countersFor(`users/${names[0]}`).increment("likes", 5);
    await session.saveChanges();
}

async function inFolder(work) {
    const folder = mkdtempSync(join(tmpdir(), "smuggler-"));
    try {
        return await work(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

scenario("a database is exported to a file and imported again", async ({ store, assert }) => inFolder(async folder => {
    await withUsers(store, ["a", "b", "c"]);
    const file = join(folder, "new", "users.ravendbdump");
    const exported = await store.smuggler.export(new DatabaseSmugglerExportOptions(), file);
    await exported.waitForCompletion();
    assert.match(gunzipSync(readFileSync(file)).toString("latin1"), /^\{"BuildVersion":/);
    const session = store.openSession();
    await session.delete("users/a");
    await session.delete("users/b");
    await session.saveChanges();
    const imported = await store.smuggler.import(new DatabaseSmugglerImportOptions(), file);
    await imported.waitForCompletion();
    const statistics = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(statistics.countOfDocuments, 3);
    const again = store.openSession();
    assert.equal(await again.countersFor("users/a").get("likes"), 5);
    const photo = await again.advanced.attachments.get("users/a", "photo.jpg");
    assert.equal(photo.details.size, 10);
    photo.dispose();
}));

scenario("an import takes what its options say and runs its script", async ({ store, assert }) => inFolder(async folder => {
    await withUsers(store, ["a", "b"]);
    const file = join(folder, "some.ravendbdump");
    const options = new DatabaseSmugglerExportOptions();
    options.operateOnTypes = ["Documents"];
    options.collections = ["Users"];
    options.compressionAlgorithm = "Zstd";
    await (await store.smuggler.export(options, file)).waitForCompletion();
    assert.equal(readFileSync(file).readUInt32LE(0), 0xfd2fb528);
    const taken = new DatabaseSmugglerImportOptions();
    taken.operateOnTypes = ["Documents"];
    taken.transformScript = "if (this.name === 'b') throw 'skip'; this.name = 'changed';";
    await (await store.smuggler.import(taken, file)).waitForCompletion();
    const session = store.openSession();
    assert.equal((await session.load("users/a", User)).name, "changed");
    assert.equal((await session.load("users/b", User)).name, "b");
}));

scenario("the import of a broken file fails with the words of the server", async ({ store, assert }) => inFolder(async folder => {
    const file = join(folder, "broken.ravendbdump");
    writeFileSync(file, "{\"Docs\":[{]}");
    const error = await failure(async () =>
        await (await store.smuggler.import(new DatabaseSmugglerImportOptions(), file)).waitForCompletion());
    assert.match(error.message, /item 0 of Docs/);
}));
