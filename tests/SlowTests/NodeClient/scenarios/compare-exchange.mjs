import {
    DeleteCompareExchangeValueOperation, GetCompareExchangeValueOperation, GetCompareExchangeValuesOperation,
    IndexDefinition, PutCompareExchangeValueOperation, PutIndexesOperation,
} from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

const put = (store, key, value, index = 0) => store.operations.send(new PutCompareExchangeValueOperation(key, value, index));
const clusterWide = store => store.openSession({ transactionMode: "ClusterWide" });

scenario("a value is created, read and replaced under its index", async ({ store, assert }) => {
    const made = await put(store, "emails/a", "users/1");
    assert.ok(made.successful && made.index > 0);
    const read = await store.operations.send(new GetCompareExchangeValueOperation("emails/a"));
    assert.equal(read.value, "users/1");
    assert.equal(read.index, made.index);
    const next = await put(store, "emails/a", "users/2", read.index);
    assert.ok(next.successful && next.index > made.index);
});

scenario("a lost race is no error but tells the value that is there", async ({ store, assert }) => {
    const made = await put(store, "k", 1);
    const lost = await put(store, "k", 2);
    assert.equal(lost.successful, false);
    assert.equal(lost.value, 1);
    assert.equal(lost.index, made.index);
});

scenario("objects, lists and null are values", async ({ store, assert }) => {
    await put(store, "object", { name: "a", list: [1, { b: 2 }] });
    await put(store, "list", [1, 2]);
    const object = await store.operations.send(new GetCompareExchangeValueOperation("object"));
    assert.deepEqual(object.value, { name: "a", list: [1, { b: 2 }] });
    const list = await store.operations.send(new GetCompareExchangeValueOperation("list"));
    assert.deepEqual(list.value, [1, 2]);
});

scenario("values are read by keys and by prefix, paged", async ({ store, assert }) => {
    for (const key of ["a/1", "a/2", "a/3", "b/1"]) {
        await put(store, key, key);
    }
    const byKeys = await store.operations.send(new GetCompareExchangeValuesOperation({ keys: ["a/1", "b/1", "none"] }));
    assert.equal(byKeys["a/1"].value, "a/1");
    assert.equal(byKeys["b/1"].value, "b/1");
    assert.equal(byKeys.none?.value ?? null, null);
    const page = await store.operations.send(new GetCompareExchangeValuesOperation({ startWith: "a/", start: 1, pageSize: 1 }));
    assert.deepEqual(Object.keys(page), ["a/2"]);
});

/** A missing value is a 404, of which this client makes undefined. */
const valueOf = async (store, key) => await store.operations.send(new GetCompareExchangeValueOperation(key)) ?? null;

scenario("a missing value is null", async ({ store, assert }) => {
    assert.equal(await valueOf(store, "none"), null);
});

scenario("a value is deleted only under its index", async ({ store, assert }) => {
    const made = await put(store, "k", 1);
    const wrong = await store.operations.send(new DeleteCompareExchangeValueOperation("k", made.index + 100));
    assert.equal(wrong.successful, false);
    const right = await store.operations.send(new DeleteCompareExchangeValueOperation("k", made.index));
    assert.equal(right.successful, true);
    assert.equal(await valueOf(store, "k"), null);
});

scenario("of many that race for one key one wins", async ({ store, assert }) => {
    const results = await Promise.all(Array.from({ length: 24 }, (_, i) => put(store, "lock", i)));
    const winners = results.filter(result => result.successful);
    assert.equal(winners.length, 1);
    for (const result of results) {
        assert.equal(result.value, winners[0].value);
    }
});

scenario("a transaction of the cluster stores documents and values as one", async ({ store, assert }) => {
    const session = clusterWide(store);
    session.advanced.clusterTransaction.createCompareExchangeValue("emails/a", "users/1");
    await session.store(new User({ name: "a" }), "users/1");
    await session.saveChanges();
    assert.equal((await store.openSession().load("users/1", User)).name, "a");
    const other = clusterWide(store);
    other.advanced.clusterTransaction.createCompareExchangeValue("emails/a", "users/2");
    await other.store(new User({ name: "b" }), "users/2");
    assert.equal((await failure(() => other.saveChanges())).name, "ClusterTransactionConcurrencyException");
    assert.equal(await store.openSession().load("users/2"), null);
});

scenario("a value is loaded, changed and saved in a session of the cluster", async ({ store, assert }) => {
    await put(store, "settings", { limit: 1 });
    const session = clusterWide(store);
    const value = await session.advanced.clusterTransaction.getCompareExchangeValue("settings");
    value.value = { limit: 2 };
    await session.saveChanges();
    const read = await store.operations.send(new GetCompareExchangeValueOperation("settings"));
    assert.equal(read.value.limit, 2);
    value.value = { limit: 3 };
    await session.saveChanges();
    assert.equal((await store.operations.send(new GetCompareExchangeValueOperation("settings"))).value.limit, 3);
});

scenario("a value is deleted in a session of the cluster", async ({ store, assert }) => {
    await put(store, "k", 1);
    const session = clusterWide(store);
    const value = await session.advanced.clusterTransaction.getCompareExchangeValue("k");
    session.advanced.clusterTransaction.deleteCompareExchangeValue(value);
    await session.saveChanges();
    assert.equal(await valueOf(store, "k"), null);
});

scenario("two sessions of the cluster that change one document cannot both win", async ({ store, assert }) => {
    const setup = clusterWide(store);
    await setup.store(new User({ name: "a" }), "users/1");
    await setup.saveChanges();
    const one = clusterWide(store);
    const two = clusterWide(store);
    (await one.load("users/1", User)).name = "one";
    (await two.load("users/1", User)).name = "two";
    await one.saveChanges();
    assert.equal((await failure(() => two.saveChanges())).name, "ClusterTransactionConcurrencyException");
    assert.equal((await store.openSession().load("users/1", User)).name, "one");
});

scenario("two sessions of the cluster cannot both create a document", async ({ store, assert }) => {
    const one = clusterWide(store);
    const two = clusterWide(store);
    await one.store(new User({ name: "one" }), "users/1");
    await two.store(new User({ name: "two" }), "users/1");
    await one.saveChanges();
    assert.equal((await failure(() => two.saveChanges())).name, "ClusterTransactionConcurrencyException");
});

scenario("a session of the cluster saves again what it saved before", async ({ store, assert }) => {
    const session = clusterWide(store);
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    await session.saveChanges();
    user.name = "b";
    await session.saveChanges();
    await session.delete("users/1");
    await session.saveChanges();
    assert.equal(await store.openSession().load("users/1"), null);
});

scenario("values come along with documents", async ({ store, assert }) => {
    await put(store, "emails/a", "users/1");
    const setup = store.openSession();
    await setup.store(new User({ name: "a" }), "users/1");
    await setup.saveChanges();
    const session = clusterWide(store);
    await session.load("users/1", { includes: builder => builder.includeCompareExchangeValue("emails/a"), documentType: User });
    const value = await session.advanced.clusterTransaction.getCompareExchangeValue("emails/a");
    assert.equal(value.value, "users/1");
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("values come along whose keys stand in documents that are loaded or found", async ({ store, assert }) => {
    await put(store, "emails/a", "users/1");
    await put(store, "emails/b", "users/2");
    const setup = store.openSession();
    await setup.store(new User({ email: "emails/a", others: ["emails/b", "emails/none"] }), "users/1");
    await setup.saveChanges();
    const bring = builder => builder.includeCompareExchangeValue("email").includeCompareExchangeValue("others");
    for (const ask of [
        session => session.load("users/1", { includes: bring, documentType: User }),
        session => session.query(User).include(bring).all(),
        session => session.advanced.rawQuery("from Users as u include cmpxchg(u.email), cmpxchg(u.others)", User).all(),
    ]) {
        const session = clusterWide(store);
        await ask(session);
        const values = session.advanced.clusterTransaction;
        assert.equal((await values.getCompareExchangeValue("emails/a")).value, "users/1");
        assert.equal((await values.getCompareExchangeValue("emails/b")).value, "users/2");
        assert.ok(!(await values.getCompareExchangeValue("emails/none"))?.value);
        assert.equal(session.advanced.numberOfRequests, 1);
    }
});

scenario("maps in C# and JavaScript follow the values that they read", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "ann" }), "users/1");
    await session.store(new User({ name: "bob" }), "users/2");
    await session.saveChanges();
    const maps = {
        "Users/ByScript": "map('Users', u => ({ rank: cmpxchg('ranks/' + u.name) }))",
        "Users/ByCode": "from u in docs.Users select new { rank = LoadCompareExchangeValue(\"ranks/\" + u.name) }",
    };
    for (const [name, map] of Object.entries(maps)) {
        const definition = new IndexDefinition();
        definition.name = name;
        definition.maps = new Set([map]);
        await store.maintenance.send(new PutIndexesOperation(definition));
    }

    const expect = async (rank, ids) => {
        for (const indexName of Object.keys(maps)) {
            const found = await store.openSession().query({ indexName }).waitForNonStaleResults()
                .whereEquals("rank", rank).all();
            assert.deepEqual(found.map(user => user.id).sort(), ids, `${indexName}: ${rank}`);
        }
    };
    await expect(null, ["users/1", "users/2"]);
    const { index } = await put(store, "ranks/ann", 7);
    await expect(7, ["users/1"]);
    const changed = await put(store, "RANKS/ANN", 8, index);
    await expect(7, []);
    await expect(8, ["users/1"]);
    await store.operations.send(new DeleteCompareExchangeValueOperation("ranks/ann", changed.index));
    await expect(null, ["users/1", "users/2"]);
});
