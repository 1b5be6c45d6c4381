import { eventually, scenario, User } from "../harness.mjs";

async function put(store, id, fields = {}) {
    const session = store.openSession();
    await session.store(new User(fields), id);
    await session.saveChanges();
}

async function remove(store, id) {
    const session = store.openSession();
    await session.delete(id);
    await session.saveChanges();
}

/** Collects what an observable tells; with ready(), waits until the server has confirmed the watch. */
async function collect(store, observe) {
    const changes = store.changes();
    await changes.ensureConnectedNow();
    const told = [];
    const observable = observe(changes);
    observable.on("data", change => told.push(change));
    await observable.ensureSubscribedNow();
    return { told, observable, changes };
}

scenario("a watched document tells of its put and its deletion", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forDocument("users/1"));
    await put(store, "users/2");
    await put(store, "users/1");
    await remove(store, "users/1");
    await eventually(() => told.length === 2, "two changes");
    assert.deepEqual(told.map(c => `${c.type} ${c.id} ${c.collectionName}`), ["Put users/1 Users", "Delete users/1 Users"]);
    assert.ok(told[0].changeVector);
    changes.dispose();
});

scenario("all documents are watched at once, in the order of their commits", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forAllDocuments());
    for (let i = 0; i < 20; i++) {
        await put(store, `users/${i}`);
    }
    await eventually(() => told.length === 20, "twenty changes");
    assert.deepEqual(told.map(c => c.id), Array.from({ length: 20 }, (_, i) => `users/${i}`));
    changes.dispose();
});

scenario("a prefix is watched in any case", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forDocumentsStartingWith("USERS/a"));
    await put(store, "users/b1");
    await put(store, "users/A1");
    await eventually(() => told.length === 1, "one change");
    assert.equal(told[0].id, "users/A1");
    changes.dispose();
});

scenario("a collection is watched by name and by class", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forDocumentsInCollection(User));
    await put(store, "users/1");
    await eventually(() => told.length === 1, "one change");
    assert.equal(told[0].collectionName, "Users");
    changes.dispose();
});

scenario("after off nothing is told any more", async ({ store, assert }) => {
    const { told, observable, changes } = await collect(store, c => c.forDocument("users/1"));
    const all = [];
    const everything = changes.forAllDocuments();
    everything.on("data", change => all.push(change));
    await everything.ensureSubscribedNow();
    const handler = () => assert.fail("told after off");
    observable.on("data", handler);
    observable.off("data", handler);
    await put(store, "users/1");
    await eventually(() => all.length >= 1, "the change");
    assert.equal(told.length, 1);
    changes.dispose();
});

scenario("one change that several watches want comes to each of them once", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forDocument("users/1"));
    const others = [];
    const byPrefix = changes.forDocumentsStartingWith("users/");
    byPrefix.on("data", change => others.push(change));
    await byPrefix.ensureSubscribedNow();
    await put(store, "users/1");
    await put(store, "users/2");
    await eventually(() => others.length === 2, "both changes");
    assert.equal(told.length, 1);
    changes.dispose();
});

scenario("a bulk insert is watched as an operation and document by document", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forAllOperations());
    const documents = [];
    const watched = changes.forAllDocuments();
    watched.on("data", change => documents.push(change));
    await watched.ensureSubscribedNow();
    const insert = store.bulkInsert();
    for (let i = 0; i < 100; i++) {
        await insert.store(new User({ n: i }), `users/${i}`);
    }
    await insert.finish();
    await eventually(() => documents.length === 100, "100 documents");
    await eventually(() => told.some(c => c.state.status === "Completed"), "the end of the operation");
    assert.ok(told[0].operationId > 0);
    changes.dispose();
});

scenario("a write of one session is told to a store elsewhere before its next read", async ({ store, database, url, assert }) => {
    const { DocumentStore } = await import("ravendb");
    const other = new DocumentStore(url, database);
    other.initialize();
    const { told, changes } = await collect(other, c => c.forDocument("users/1"));
    await put(store, "users/1", { name: "told" });
    await eventually(() => told.length === 1, "the change");
    const loaded = await other.openSession().load("users/1", User);
    assert.equal(loaded.name, "told");
    assert.equal(loaded["@metadata"]["@change-vector"], told[0].changeVector);
    changes.dispose();
    other.dispose();
});

scenario("unusual ids are watched too", async ({ store, assert }) => {
    const id = "users/é 😀/\"quoted\"";
    const { told, changes } = await collect(store, c => c.forDocument(id));
    await put(store, id);
    await eventually(() => told.length === 1, "the change");
    assert.equal(told[0].id, id);
    changes.dispose();
});

scenario("a batch is told document by document after it was committed", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forAllDocuments());
    const session = store.openSession();
    for (let i = 0; i < 5; i++) {
        await session.store(new User({ n: i }), `users/${i}`);
    }
    await session.saveChanges();
    await eventually(() => told.length === 5, "five changes");
    assert.equal(new Set(told.map(c => c.changeVector)).size, 5);
    changes.dispose();
});

scenario("indexes and counters can be watched on the same connection as documents", async ({ store, assert }) => {
    const { told, changes } = await collect(store, c => c.forDocument("users/1"));
    await changes.forAllIndexes().ensureSubscribedNow();
    await changes.forIndex("Users/ByName").ensureSubscribedNow();
    await changes.forAllCounters().ensureSubscribedNow();
    await changes.forCounter("likes").ensureSubscribedNow();
    await changes.forCountersOfDocument("users/1").ensureSubscribedNow();
    await changes.forCounterOfDocument("users/1", "likes").ensureSubscribedNow();
    await changes.forAllTimeSeries().ensureSubscribedNow();
    await changes.forTimeSeriesOfDocument("users/1", "heart").ensureSubscribedNow();
    await put(store, "users/1");
    await eventually(() => told.length === 1, "the change");
    changes.dispose();
});
