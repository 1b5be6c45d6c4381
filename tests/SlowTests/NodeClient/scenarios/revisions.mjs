import {
    ConfigureRevisionsForConflictsOperation, ConfigureRevisionsOperation, EnforceRevisionsConfigurationOperation,
    GetRevisionsBinEntryCommand, GetRevisionsOperation,
    GetStatisticsOperation, RevisionsCollectionConfiguration, RevisionsConfiguration,
} from "ravendb";
import { eventually, scenario, User } from "../harness.mjs";

async function configure(store, fields = {}, collection = "Users") {
    const one = new RevisionsCollectionConfiguration();
    Object.assign(one, { disabled: false }, fields);
    const configuration = new RevisionsConfiguration();
    if (collection) {
        configuration.collections = new Map([[collection, one]]);
    } else {
        configuration.defaultConfig = one;
    }
    return store.maintenance.send(new ConfigureRevisionsOperation(configuration));
}

async function put(store, id, fields) {
    const session = store.openSession();
    await session.store(new User(fields), id);
    await session.saveChanges();
}

async function remove(store, id) {
    const session = store.openSession();
    await session.delete(id);
    await session.saveChanges();
}

const names = revisions => revisions.map(r => r.name);

scenario("the configuration of revisions is taken", async ({ store, assert }) => {
    const result = await configure(store);
    assert.ok(result.raftCommandIndex > 0);
});

scenario("each version of a document is kept, the last first", async ({ store, assert }) => {
    await configure(store);
    for (const name of ["a", "b", "c"]) {
        await put(store, "users/1", { name });
    }
    const revisions = await store.openSession().advanced.revisions.getFor("users/1", { documentType: User });
    assert.deepEqual(names(revisions), ["c", "b", "a"]);
});

scenario("revisions are read page by page", async ({ store, assert }) => {
    await configure(store);
    for (let i = 0; i < 6; i++) {
        await put(store, "users/1", { name: `${i}` });
    }
    const revisions = store.openSession().advanced.revisions;
    assert.deepEqual(names(await revisions.getFor("users/1", { start: 1, pageSize: 2 })), ["4", "3"]);
    assert.equal((await revisions.getFor("users/1", { start: 6, pageSize: 5 })).length, 0);
});

scenario("a document says that it has revisions, and a revision that it is one", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    const session = store.openSession();
    const user = await session.load("users/1", User);
    assert.equal(session.advanced.getMetadataFor(user)["@flags"], "HasRevisions");
    const metadata = await session.advanced.revisions.getMetadataFor("users/1");
    assert.equal(metadata.length, 1);
    assert.equal(metadata[0]["@flags"], "HasRevisions, Revision");
    assert.equal(metadata[0]["@change-vector"], session.advanced.getChangeVectorFor(user));
});

scenario("a revision is read by its change vector", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    await put(store, "users/1", { name: "b" });
    const session = store.openSession();
    const metadata = await session.advanced.revisions.getMetadataFor("users/1");
    const first = await session.advanced.revisions.get(metadata[1]["@change-vector"]);
    assert.equal(first.name, "a");
    const both = await session.advanced.revisions.get(metadata.map(m => m["@change-vector"]));
    assert.deepEqual(Object.values(both).map(r => r.name).sort(), ["a", "b"]);
});

scenario("an unknown change vector is no revision", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    const session = store.openSession();
    const user = await session.load("users/1", User);
    const known = session.advanced.getChangeVectorFor(user);
    assert.equal(await session.advanced.revisions.get(known.replace(/^A:\d+/, "A:999999")), null);
});

scenario("the version of a point in time is read", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "old" });
    await new Promise(resolve => setTimeout(resolve, 30));
    const between = new Date();
    await new Promise(resolve => setTimeout(resolve, 30));
    await put(store, "users/1", { name: "new" });
    const revisions = store.openSession().advanced.revisions;
    assert.equal((await revisions.get("users/1", between)).name, "old");
    assert.equal((await revisions.get("users/1", new Date(Date.now() + 60_000))).name, "new");
});

scenario("revisions are counted", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    await put(store, "users/1", { name: "b" });
    assert.equal(await store.openSession().advanced.revisions.getCountFor("users/1"), 2);
    assert.equal(await store.openSession().advanced.revisions.getCountFor("users/2"), 0);
    const statistics = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(statistics.countOfRevisionDocuments, 2);
});

scenario("only so many revisions are kept as were asked for", async ({ store, assert }) => {
    await configure(store, { minimumRevisionsToKeep: 3 });
    for (let i = 0; i < 10; i++) {
        await put(store, "users/1", { name: `${i}` });
    }
    assert.deepEqual(names(await store.openSession().advanced.revisions.getFor("users/1")), ["9", "8", "7"]);
});

scenario("collections without a configuration keep nothing", async ({ store, assert }) => {
    await configure(store, {}, "Orders");
    await put(store, "users/1", { name: "a" });
    assert.equal((await store.openSession().advanced.revisions.getFor("users/1")).length, 0);
});

scenario("the default configuration is that of all other collections", async ({ store, assert }) => {
    await configure(store, {}, null);
    await put(store, "users/1", { name: "a" });
    assert.equal((await store.openSession().advanced.revisions.getFor("users/1")).length, 1);
});

scenario("a document that was there before the configuration keeps that version too", async ({ store, assert }) => {
    await put(store, "users/1", { name: "before" });
    await configure(store);
    await put(store, "users/1", { name: "after" });
    assert.deepEqual(names(await store.openSession().advanced.revisions.getFor("users/1")), ["after", "before"]);
});

scenario("a deletion is the last revision", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    await remove(store, "users/1");
    const metadata = await store.openSession().advanced.revisions.getMetadataFor("users/1");
    assert.equal(metadata.length, 2);
    assert.ok(metadata[0]["@flags"].includes("DeleteRevision"));
});

scenario("revisions go with their document where that was asked for", async ({ store, assert }) => {
    await configure(store, { purgeOnDelete: true });
    await put(store, "users/1", { name: "a" });
    await remove(store, "users/1");
    assert.equal((await store.openSession().advanced.revisions.getFor("users/1")).length, 0);
});

scenario("a revision is forced where nothing is configured", async ({ store, assert }) => {
    await put(store, "users/1", { name: "a" });
    const session = store.openSession();
    session.advanced.revisions.forceRevisionCreationFor("users/1");
    await session.saveChanges();
    const revisions = await store.openSession().advanced.revisions.getFor("users/1");
    assert.deepEqual(names(revisions), ["a"]);
    const user = await store.openSession().load("users/1", User);
    assert.ok(user["@metadata"]["@flags"].includes("HasRevisions"));
});

scenario("forcing a revision twice makes one", async ({ store, assert }) => {
    await put(store, "users/1", { name: "a" });
    for (let i = 0; i < 2; i++) {
        const session = store.openSession();
        session.advanced.revisions.forceRevisionCreationFor("users/1");
        await session.saveChanges();
    }
    assert.equal((await store.openSession().advanced.revisions.getFor("users/1")).length, 1);
});

scenario("a forced revision of a changed entity is the version before the change", async ({ store, assert }) => {
    await put(store, "users/1", { name: "a" });
    const session = store.openSession();
    const user = await session.load("users/1", User);
    user.name = "b";
    session.advanced.revisions.forceRevisionCreationFor(user, "Before");
    await session.saveChanges();
    const revisions = await store.openSession().advanced.revisions.getFor("users/1");
    assert.deepEqual(names(revisions), ["a"]);
});

scenario("enforcing a configuration deletes what it does not keep", async ({ store, assert }) => {
    await configure(store);
    for (let i = 0; i < 5; i++) {
        await put(store, "users/1", { name: `${i}` });
        await put(store, "users/2", { name: `${i}` });
    }
    await configure(store, { minimumRevisionsToKeep: 2 });
    const result = await store.maintenance.send(new EnforceRevisionsConfigurationOperation());
    assert.ok(result.operationId > 0);
    const revisions = store.openSession().advanced.revisions;
    await eventually(async () => await revisions.getCountFor("users/1") === 2
        && await revisions.getCountFor("users/2") === 2, "two are left of each");
});

scenario("an operation reads revisions with their number", async ({ store, assert }) => {
    await configure(store);
    for (let i = 0; i < 4; i++) {
        await put(store, "users/1", { name: `${i}` });
    }
    const result = await store.operations.send(new GetRevisionsOperation("users/1", { start: 0, pageSize: 2, documentType: User }));
    assert.equal(result.totalResults, 4);
    assert.deepEqual(names(result.results), ["3", "2"]);
});

scenario("a revision keeps the attachments of its time", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    let session = store.openSession();
    session.advanced.attachments.store("users/1", "note", Buffer.from("first"), "text/plain");
    await session.saveChanges();
    const vector = (await store.openSession().load("users/1", User))["@metadata"]["@change-vector"];
    session = store.openSession();
    session.advanced.attachments.delete("users/1", "note");
    await session.saveChanges();
    const result = await store.openSession().advanced.attachments.getRevision("users/1", "note", vector);
    const chunks = [];
    for await (const chunk of result.data) {
        chunks.push(Buffer.from(chunk));
    }
    assert.equal(Buffer.concat(chunks).toString(), "first");
    result.dispose();
});

scenario("a document that comes back after its deletion has the revisions of both lives", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    await remove(store, "users/1");
    await put(store, "users/1", { name: "b" });
    const metadata = await store.openSession().advanced.revisions.getMetadataFor("users/1");
    assert.equal(metadata.length, 3);
    const user = await store.openSession().load("users/1", User);
    assert.ok(user["@metadata"]["@flags"].includes("HasRevisions"));
});

scenario("a revision comes with the document that names its change vector", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "first" });
    const vector = (await store.openSession().load("users/1", User))["@metadata"]["@change-vector"];
    await put(store, "users/1", { name: "second", contract: vector, all: [vector] });
    const session = store.openSession();
    await session.load("users/1", { includes: i => i.includeRevisions("contract").includeRevisions("all"), documentType: User });
    const requests = session.advanced.numberOfRequests;
    const revision = await session.advanced.revisions.get(vector, User);
    assert.equal(revision.name, "first");
    assert.equal(session.advanced.numberOfRequests, requests);
});

scenario("a revision of a time comes with its document", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "first" });
    await new Promise(resolve => setTimeout(resolve, 20));
    const time = new Date();
    await new Promise(resolve => setTimeout(resolve, 20));
    await put(store, "users/1", { name: "second" });
    const session = store.openSession();
    await session.load("users/1", { includes: i => i.includeRevisions(time), documentType: User });
    const requests = session.advanced.numberOfRequests;
    const revision = await session.advanced.revisions.get("users/1", time);
    assert.equal(revision.name, "first");
    assert.equal(session.advanced.numberOfRequests, requests);
});

scenario("revisions come with the results of a query", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "first" });
    const vector = (await store.openSession().load("users/1", User))["@metadata"]["@change-vector"];
    await new Promise(resolve => setTimeout(resolve, 20));
    const time = new Date();
    await new Promise(resolve => setTimeout(resolve, 20));
    await put(store, "users/1", { name: "second", contract: vector });
    const session = store.openSession();
    const users = await session.query(User).include(i => i.includeRevisions("contract").includeRevisions(time)).all();
    assert.equal(users[0].name, "second");
    const requests = session.advanced.numberOfRequests;
    assert.equal((await session.advanced.revisions.get(vector, User)).name, "first");
    assert.equal((await session.advanced.revisions.get("users/1", time)).name, "first");
    assert.equal(session.advanced.numberOfRequests, requests);
});

scenario("deleted documents that have revisions are in the bin", async ({ store, assert }) => {
    await configure(store);
    await put(store, "users/1", { name: "a" });
    await put(store, "users/2", { name: "b" });
    await remove(store, "users/1");
    // Without a size the client asks for one of "null" or "undefined".
    for (const size of [null, undefined, 5]) {
        const command = new GetRevisionsBinEntryCommand(store.conventions, 0, size);
        await store.getRequestExecutor().execute(command);
        assert.deepEqual(command.result.results.map(r => r["@metadata"]["@id"]), ["users/1"]);
    }
});

scenario("the bin goes on by the token of the page before", async ({ store, database, url, assert }) => {
    await configure(store);
    for (const id of ["users/1", "users/2", "users/3"]) {
        await put(store, id, { name: "a" });
        await remove(store, id);
    }
    // The client sends the token, and has it from whoever reads the answer whole.
    const page = await (await fetch(`${url}/databases/${database}/revisions/bin?pageSize=2`)).json();
    assert.deepEqual(page.Results.map(r => r["@metadata"]["@id"]), ["users/3", "users/2"]);
    const command = new GetRevisionsBinEntryCommand(store.conventions, page.ContinuationToken);
    await store.getRequestExecutor().execute(command);
    assert.deepEqual(command.result.results.map(r => r["@metadata"]["@id"]), ["users/1"]);
});

scenario("the revisions of conflicts are configured", async ({ store, assert }) => {
    const result = await store.maintenance.server.send(
        new ConfigureRevisionsForConflictsOperation(store.database, { disabled: false, purgeOnDelete: true }));
    assert.ok(result.raftCommandIndex > 0);
});
