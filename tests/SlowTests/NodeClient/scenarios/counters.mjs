import { CounterBatch, CounterBatchOperation, CounterOperation, DocumentCountersOperation, GetCountersOperation } from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

async function withCounters(store, counters = { likes: 10, views: 3 }) {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    for (const [name, delta] of Object.entries(counters)) {
        session.countersFor("users/1").increment(name, delta);
    }
    await session.saveChanges();
}

function batch(...operations) {
    const documents = new DocumentCountersOperation();
    documents.documentId = "users/1";
    documents.operations = operations.map(([name, type, delta]) => CounterOperation.create(name, type, delta));
    const all = new CounterBatch();
    all.documents = [documents];
    return new CounterBatchOperation(all);
}

scenario("a counter is incremented in the session of its document and read", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    assert.equal(await session.countersFor("users/1").get("likes"), 10);
    assert.equal(await session.countersFor("users/1").get("none"), null);
});

scenario("several counters and all of them are read", async ({ store, assert }) => {
    await withCounters(store);
    const some = await store.openSession().countersFor("users/1").get(["likes", "none"]);
    assert.equal(some.likes, 10);
    assert.equal(some.none ?? null, null);
    assert.deepEqual({ ...(await store.openSession().countersFor("users/1").getAll()) }, { likes: 10, views: 3 });
});

scenario("a counter is deleted", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    session.countersFor("users/1").delete("likes");
    await session.saveChanges();
    assert.equal(await store.openSession().countersFor("users/1").get("likes"), null);
    assert.equal(await store.openSession().countersFor("users/1").get("views"), 3);
});

scenario("increments go down too, and the session knows the value after", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    const counters = session.countersFor("users/1");
    counters.increment("likes", -4);
    counters.increment("views");
    await session.saveChanges();
    assert.equal(await counters.get("likes"), 6);
    assert.equal(await counters.get("views"), 4);
});

scenario("the metadata names the counters and flags them", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    const metadata = session.advanced.getMetadataFor(await session.load("users/1", User));
    assert.deepEqual([...metadata["@counters"]].sort(), ["likes", "views"]);
    assert.ok(metadata["@flags"].includes("HasCounters"));
    assert.deepEqual([...session.advanced.getCountersFor(await session.load("users/1", User))].sort(), ["likes", "views"]);
});

scenario("counters come along with their document in one request", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    await session.load("users/1", { includes: builder => builder.includeCounter("likes"), documentType: User });
    assert.equal(await session.countersFor("users/1").get("likes"), 10);
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("all counters come along with their document", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    await session.load("users/1", { includes: builder => builder.includeAllCounters(), documentType: User });
    assert.deepEqual({ ...(await session.countersFor("users/1").getAll()) }, { likes: 10, views: 3 });
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("counter operations increment, read and delete in one batch", async ({ store, assert }) => {
    await withCounters(store);
    const result = await store.operations.send(batch(["likes", "Increment", 5], ["views", "Get"], ["none", "Get"]));
    assert.equal(result.counters[0].totalValue, 15);
    assert.equal(result.counters[1].totalValue, 3);
    assert.equal(result.counters[2], null);
    await store.operations.send(batch(["likes", "Delete"]));
    const left = await store.operations.send(new GetCountersOperation("users/1"));
    assert.deepEqual(left.counters.map(counter => counter.counterName), ["views"]);
});

scenario("the full result tells what each database added", async ({ store, assert }) => {
    await withCounters(store);
    const result = await store.operations.send(new GetCountersOperation("users/1", ["likes"], true));
    assert.deepEqual(Object.values(result.counters[0].counterValues), [10]);
});

scenario("so many names that they do not fit a url are read too", async ({ store, assert }) => {
    await withCounters(store);
    const names = Array.from({ length: 60 }, (_, i) => `a-name-that-is-rather-long-${i}`);
    const result = await store.operations.send(new GetCountersOperation("users/1", [...names, "likes"]));
    assert.equal(result.counters.length, 61);
    assert.equal(result.counters[60].totalValue, 10);
});

scenario("a counter of a missing document is refused by name", async ({ store, assert }) => {
    const session = store.openSession();
    session.countersFor("users/404").increment("likes");
    const error = await failure(() => session.saveChanges());
    assert.equal(error.name, "DocumentDoesNotExistException");
    assert.ok(error.message.includes("users/404"));
});

scenario("counters end with their document", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    await session.delete("users/1");
    await session.saveChanges();
    await session.store(new User({ name: "again" }), "users/1");
    await session.saveChanges();
    assert.equal(await store.openSession().countersFor("users/1").get("likes"), null);
});

scenario("sixty-four incrementers of one counter lose nothing", async ({ store, assert }) => {
    await withCounters(store, { likes: 0 });
    await Promise.all(Array.from({ length: 64 }, async () => {
        for (let i = 0; i < 3; i++) {
            await store.operations.send(batch(["likes", "Increment", 2]));
        }
    }));
    assert.equal(await store.openSession().countersFor("users/1").get("likes"), 384);
});

scenario("a bulk insert adds to counters", async ({ store, assert }) => {
    const insert = store.bulkInsert();
    await insert.store(new User({ name: "a" }), "users/1");
    await insert.countersFor("users/1").increment("likes", 3);
    await insert.countersFor("users/1").increment("likes", 4);
    await insert.finish();
    assert.equal(await store.openSession().countersFor("users/1").get("likes"), 7);
});

scenario("saving a document keeps its counters", async ({ store, assert }) => {
    await withCounters(store);
    const session = store.openSession();
    (await session.load("users/1", User)).name = "b";
    await session.saveChanges();
    assert.equal(await store.openSession().countersFor("users/1").get("views"), 3);
});
