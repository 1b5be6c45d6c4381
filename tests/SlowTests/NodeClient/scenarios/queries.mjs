import {
    DeleteByQueryOperation, DeleteIndexErrorsOperation, DeleteIndexOperation, DisableIndexOperation,
    EnableIndexOperation, GetIndexErrorsOperation, GetIndexNamesOperation, GetIndexOperation, GetIndexStatisticsOperation, GetStatisticsOperation, GetTermsOperation,
    IndexDefinition, IndexHasChangedOperation, PatchByQueryOperation, PutIndexesOperation, ResetIndexOperation,
    SetIndexesLockOperation, SetIndexesPriorityOperation, StartIndexingOperation, StopIndexingOperation,
} from "ravendb";
import { failure, Order, scenario, User } from "../harness.mjs";

async function withUsers(store) {
    const session = store.openSession();
    await session.store(
        new User({ name: "Anna", age: 30, city: "Rome", tags: ["x", "y"], text: "the red fox" }), "users/1");
    await session.store(
        new User({ name: "Bert", age: 40, city: "Oslo", tags: ["y"], friend: "users/1", text: "a fox and a moon" }),
        "users/2");
    await session.store(new User({ name: "Carl", age: 30, city: "Rome", text: "nothing" }), "users/3");
    await session.saveChanges();
}

function byText() {
    const definition = new IndexDefinition();
    definition.name = "Users/ByText";
    definition.maps = new Set(["map('Users', u => ({ name: u.name, age: u.age, text: u.text }))"]);
    definition.fields = { text: { indexing: "Search", storage: "No" } };
    return definition;
}

const names = users => users.map(user => user.name);

scenario("a query sees what was saved before it", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    for (let i = 0; i < 5; i++) {
        const writer = store.openSession();
        await writer.store(new User({ name: `n${i}`, age: 100 + i }), `users/n${i}`);
        await writer.saveChanges();
        const found = await session.query({ collection: "Users" }).whereEquals("age", 100 + i).all();
        assert.deepEqual(names(found), [`n${i}`]);
    }
});

scenario("the query builder's conditions find what they say", async ({ store, assert }) => {
    await withUsers(store);
    const query = () => store.openSession().query({ collection: "Users" }).orderBy("name");
    assert.deepEqual(names(await query().whereGreaterThan("age", 30).all()), ["Bert"]);
    assert.deepEqual(names(await query().whereBetween("age", 30, 35).all()), ["Anna", "Carl"]);
    assert.deepEqual(names(await query().whereIn("name", ["anna", "bert"]).all()), ["Anna", "Bert"]);
    assert.deepEqual(names(await query().whereStartsWith("name", "a").all()), ["Anna"]);
    assert.deepEqual(names(await query().whereEndsWith("name", "t").all()), ["Bert"]);
    assert.deepEqual(names(await query().whereExists("friend").all()), ["Bert"]);
    assert.deepEqual(names(await query().whereRegex("name", "^[ab]").all()), ["Anna", "Bert"]);
    assert.deepEqual(names(await query().containsAny("tags", ["x"]).all()), ["Anna"]);
    assert.deepEqual(names(await query().containsAll("tags", ["x", "y"]).all()), ["Anna"]);
    assert.deepEqual(names(await query().search("text", "fox moon").all()), ["Anna", "Bert"]);
    assert.deepEqual(names(await query().search("text", "fox moon", "AND").all()), ["Bert"]);
    assert.deepEqual(names(await query().whereEquals("name", "anna", true).all()), []);
    assert.deepEqual(names(await query().not().whereEquals("name", "Anna").all()), ["Bert", "Carl"]);
    assert.deepEqual(
        names(await query().openSubclause().whereEquals("age", 40).orElse().whereEquals("name", "Carl").closeSubclause()
            .andAlso().whereNotEquals("city", "Oslo").all()),
        ["Carl"]);
});

scenario("order, paging, first, single, count and statistics", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    let stats;
    const page = await session.query({ collection: "Users" }).orderByDescending("age").orderBy("name")
        .skip(1).take(1).statistics(s => stats = s).all();
    assert.deepEqual(names(page), ["Anna"]);
    assert.equal(stats.totalResults, 3);
    assert.equal(stats.isStale, false);
    assert.match(stats.indexName, /^Auto\/Users\/By/);
    assert.equal(await session.query({ collection: "Users" }).whereEquals("age", 30).count(), 2);
    assert.equal((await session.query({ collection: "Users" }).whereEquals("age", 40).first()).name, "Bert");
    assert.equal(await session.query({ collection: "Users" }).whereEquals("age", 41).any(), false);
    assert.equal((await failure(() => session.query({ collection: "Users" }).whereEquals("age", 30).single())).name,
        "InvalidOperationException");
});

scenario("fields, loaded documents and JavaScript are projected", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const fields = await session.query({ collection: "Users" }).whereEquals("age", 40)
        .selectFields(["name", "city"]).all();
    assert.equal(`${fields[0].name} ${fields[0].city}`, "Bert Oslo");
    const raw = await session.advanced.rawQuery(
        "from Users as u where u.age = $age load u.friend as f select { name: u.name, friend: f.name, n: $age + 1 }")
        .addParameter("age", 40).all();
    assert.deepEqual([raw[0].name, raw[0].friend, raw[0].n], ["Bert", "Anna", 41]);
    const cities = await session.query({ collection: "Users" }).selectFields("city").distinct().all();
    assert.deepEqual(cities.sort(), ["Oslo", "Rome"]);
});

scenario("included documents cost no request", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    await session.query({ collection: "Users" }).whereEquals("age", 40).include("friend").all();
    const requests = session.advanced.numberOfRequests;
    assert.equal((await session.load("users/1")).name, "Anna");
    assert.equal(session.advanced.numberOfRequests, requests);
});

scenario("queries are streamed", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    let stats;
    const stream = await session.advanced.stream(
        session.query({ collection: "Users" }).whereGreaterThan("age", 1).orderBy("name"), s => stats = s);
    const found = [];
    for await (const item of stream) {
        found.push(item.document.name);
    }
    assert.deepEqual(found, ["Anna", "Bert", "Carl"]);
    assert.equal(stats.totalResults, 3);
});

scenario("a lazy query is answered with other reads in one request", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const users = session.query({ collection: "Users" }).whereEquals("age", 30).orderBy("name").lazily();
    const one = session.advanced.lazily.load("users/2");
    await session.advanced.eagerly.executeAllPendingLazyOperations();
    assert.equal(session.advanced.numberOfRequests, 1);
    assert.deepEqual(names(await users.getValue()), ["Anna", "Carl"]);
    assert.equal((await one.getValue()).name, "Bert");
});

scenario("facets count values and ranges and work out sums", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const facets = await session.query({ collection: "Users" }).whereGreaterThan("age", 1)
        .aggregateBy(f => f.byField("city").sumOn("age")).execute();
    const values = Object.fromEntries(facets.city.values.map(value => [value.range, [value.count, value.sum]]));
    assert.deepEqual(values, { rome: [2, 60], oslo: [1, 40] });
});

scenario("a query that groups counts and sums up", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const groups = await session.query({ collection: "Users" }).groupBy("city").selectKey("city")
        .selectCount("count").all();
    assert.deepEqual(groups.map(group => `${group.city} ${group.count}`).sort(), ["Oslo 1", "Rome 2"]);
    const sums = await session.advanced.rawQuery(
        "from Users group by city order by city select city, sum(age) as ages").all();
    assert.deepEqual(sums.map(sum => `${sum.city} ${sum.ages}`), ["Oslo 40", "Rome 60"]);
});

scenario("suggestions name words that are there", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const found = await session.query({ collection: "Users" }).suggestUsing(s => s.byField("name", "ana")).execute();
    assert.deepEqual(found.name.suggestions, ["anna"]);
});

scenario("words that were found are highlighted", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    let highlights;
    await session.query({ collection: "Users" }).search("text", "fox")
        .highlight({ fieldName: "text", fragmentLength: 100, fragmentCount: 1 }, h => highlights = h).all();
    assert.match(highlights.getFragments("users/1")[0], /the red <b[^>]*>fox<\/b>/);
});

scenario("indexes in JavaScript are defined, asked, listed, reset and deleted", async ({ store, assert }) => {
    await withUsers(store);
    await store.maintenance.send(new PutIndexesOperation(byText()));
    const session = store.openSession();
    const found = await session.query({ indexName: "Users/ByText" }).search("text", "fox").andAlso()
        .whereGreaterThan("age", 35).all();
    assert.deepEqual(names(found), ["Bert"]);
    assert.deepEqual(await store.maintenance.send(new GetIndexNamesOperation(0, 10)), ["Users/ByText"]);
    assert.equal((await store.maintenance.send(new GetIndexOperation("Users/ByText"))).name, "Users/ByText");
    const changed = byText();
    changed.maps = new Set(["map('Users', u => ({ name: u.name }))"]);
    assert.equal(await store.maintenance.send(new IndexHasChangedOperation(changed)), true);
    const stats = await store.maintenance.send(new GetIndexStatisticsOperation("Users/ByText"));
    assert.equal(stats.entriesCount, 3);
    assert.equal(stats.state, "Normal");
    const terms = await store.maintenance.send(new GetTermsOperation("Users/ByText", "name", null, 2));
    assert.deepEqual(terms, ["anna", "bert"]);
    await store.maintenance.send(new SetIndexesPriorityOperation("Users/ByText", "High"));
    await store.maintenance.send(new SetIndexesLockOperation("Users/ByText", "LockedIgnore"));
    const got = await store.maintenance.send(new GetIndexOperation("Users/ByText"));
    assert.equal(`${got.priority} ${got.lockMode}`, "High LockedIgnore");
    await store.maintenance.send(new ResetIndexOperation("Users/ByText"));
    assert.equal((await store.openSession().query({ indexName: "Users/ByText" }).all()).length, 3);
    assert.deepEqual((await store.maintenance.send(new GetIndexErrorsOperation(["Users/ByText"])))[0].errors, []);
    await store.maintenance.send(new DeleteIndexErrorsOperation(["Users/ByText"]));
    await store.maintenance.send(new DeleteIndexOperation("Users/ByText"));
    assert.equal((await store.maintenance.send(new GetStatisticsOperation())).countOfIndexes, 0);
    const error = await failure(() => store.openSession().query({ indexName: "Users/ByText" }).all());
    assert.equal(error.name, "IndexDoesNotExistException");
});

scenario("a stopped index is stale, and waiting for it ends in an error", async ({ store, assert }) => {
    await withUsers(store);
    const query = () => store.openSession().query({ collection: "Users" }).whereEquals("age", 50);
    await query().all();
    await store.maintenance.send(new StopIndexingOperation());
    const session = store.openSession();
    await session.store(new User({ age: 50 }), "users/9");
    await session.saveChanges();
    let stats;
    assert.equal((await query().statistics(s => stats = s).all()).length, 0);
    assert.equal(stats.isStale, true);
    assert.equal((await failure(() => query().waitForNonStaleResults(50).all())).name, "TimeoutException");
    await store.maintenance.send(new StartIndexingOperation());
    assert.equal((await query().waitForNonStaleResults().all()).length, 1);
});

scenario("a disabled index answers with what it has until it is enabled", async ({ store, assert }) => {
    await withUsers(store);
    await store.maintenance.send(new PutIndexesOperation(byText()));
    const found = async () => (await store.openSession().query({ indexName: "Users/ByText" }).all()).length;
    const state = async () => (await store.maintenance.send(new GetIndexStatisticsOperation("Users/ByText"))).state;
    assert.equal((await store.openSession().query({ indexName: "Users/ByText" }).waitForNonStaleResults().all()).length, 3);
    await store.maintenance.send(new DisableIndexOperation("Users/ByText"));
    assert.equal(await state(), "Disabled");
    const session = store.openSession();
    await session.store(new User({ name: "Dora", age: 50 }), "users/9");
    await session.saveChanges();
    assert.equal(await found(), 3);
    await store.maintenance.send(new EnableIndexOperation("Users/ByText"));
    assert.equal(await state(), "Normal");
    assert.equal((await store.openSession().query({ indexName: "Users/ByText" }).waitForNonStaleResults().all()).length, 4);
});

scenario("a session waits for its indexes when it saves", async ({ store, assert }) => {
    await withUsers(store);
    await store.openSession().query({ collection: "Users" }).whereEquals("age", 1).all();
    const session = store.openSession();
    await session.store(new Order({ total: 1 }), "orders/1");
    await session.store(new User({ age: 77 }), "users/77");
    session.advanced.waitForIndexesAfterSaveChanges({ timeout: 15000, throwOnTimeout: true });
    await session.saveChanges();
    const stats = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(stats.indexes[0].isStale, false);
});

scenario("documents are patched and deleted by query", async ({ store, assert }) => {
    await withUsers(store);
    const patch = await store.operations.send(
        new PatchByQueryOperation("from Users as u where u.age = 30 update { u.age = u.age + 1; }"));
    await patch.waitForCompletion();
    const found = await store.openSession().query({ collection: "Users" }).whereEquals("age", 31).orderBy("name").all();
    assert.deepEqual(names(found), ["Anna", "Carl"]);
    const deletion = await store.operations.send(new DeleteByQueryOperation("from Users where age = 31"));
    await deletion.waitForCompletion();
    assert.deepEqual(names(await store.openSession().query({ collection: "Users" }).all()), ["Bert"]);
});

scenario("a query that cannot be understood is an InvalidQueryException that says where", async ({ store, assert }) => {
    const error = await failure(() => store.openSession().advanced.rawQuery("from Users where").all());
    assert.equal(error.name, "InvalidQueryException");
    assert.match(error.message, /line 1, column 17/);
});
