import { CreateDatabaseOperation, GetStatisticsOperation } from "ravendb";
import { eventually, scenario, textOf, User } from "../harness.mjs";

scenario("bulk insert stores every document", async ({ store, assert }) => {
    const bulk = store.bulkInsert();
    for (let i = 0; i < 5_000; i++) {
        await bulk.store(new User({ name: `user ${i}`, i }), `users/${i}`);
    }
    await bulk.finish();
    const stats = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(stats.countOfDocuments, 5_000);
    assert.equal((await store.openSession().load("users/4999")).i, 4_999);
});

scenario("compressed bulk insert stores every document", async ({ store, assert }) => {
    const bulk = store.bulkInsert({ useCompression: true });
    for (let i = 0; i < 2_000; i++) {
        await bulk.store(new User({ name: `user ${i}`, text: "lorem ipsum ".repeat(20) }), `users/${i}`);
    }
    await bulk.finish();
    const stats = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(stats.countOfDocuments, 2_000);
});

scenario("an empty bulk insert ends well", async ({ store }) => {
    const bulk = store.bulkInsert();
    await bulk.finish();
});

scenario("bulk insert makes ids", async ({ store, assert }) => {
    const bulk = store.bulkInsert();
    const user = new User({ name: "a" });
    await bulk.store(user);
    await bulk.finish();
    assert.equal(user.id, "users/1-A");
    assert.equal((await store.openSession().load("users/1-A")).name, "a");
});

scenario("an aborted bulk insert ends and the server goes on", async ({ store, assert }) => {
    const bulk = store.bulkInsert();
    await bulk.store(new User({ name: "a" }), "users/1");
    // The client may ask for the end before the server has seen the request that it is to end.
    await eventually(async () => {
        try {
            await bulk.abort();
            return true;
        } catch (error) {
            assert.equal(error.name, "BulkInsertAbortedException");
            return false;
        }
    }, "the server knows the operation");
    const session = store.openSession();
    await session.store(new User({ name: "c" }), "users/3");
    await session.saveChanges();
    assert.equal((await store.openSession().load("users/3")).name, "c");
});

scenario("a stream by prefix delivers every document in order", async ({ store, assert }) => {
    const bulk = store.bulkInsert();
    for (let i = 0; i < 1_000; i++) {
        await bulk.store(new User({ i }), `users/${String(i).padStart(5, "0")}`);
    }
    await bulk.store(new User({ i: -1 }), "other/1");
    await bulk.finish();
    const session = store.openSession();
    const stream = await session.advanced.stream("users/");
    let expected = 0;
    for await (const item of stream) {
        assert.equal(item.id, `users/${String(expected).padStart(5, "0")}`);
        assert.equal(item.document.i, expected);
        assert.match(item.changeVector, /^A:\d+-/);
        expected++;
    }
    assert.equal(expected, 1_000);
});

scenario("a stream is paged and filtered", async ({ store, assert }) => {
    const session = store.openSession();
    for (let i = 0; i < 30; i++) {
        await session.store(new User({ i }), `users/${String(i).padStart(3, "0")}`);
    }
    await session.saveChanges();
    const ids = async options => {
        const found = [];
        for await (const item of await store.openSession().advanced.stream("users/", options)) {
            found.push(item.id);
        }
        return found;
    };
    assert.deepEqual(await ids({ start: 28 }), ["users/028", "users/029"]);
    assert.deepEqual(await ids({ start: 0, pageSize: 2 }), ["users/000", "users/001"]);
    assert.deepEqual(await ids({ matches: "01?", pageSize: 3 }), ["users/010", "users/011", "users/012"]);
    assert.deepEqual(await ids({ startAfter: "users/027" }), ["users/028", "users/029"]);
});

scenario("a stream into a file is JSON lines", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    await session.saveChanges();
    const response = await fetch(
        `${store.urls[0]}/databases/${store.database}/streams/docs?format=jsonl&startsWith=users/`);
    const lines = (await textOf(response.body)).trim().split("\n");
    assert.equal(lines.length, 1);
    assert.equal(JSON.parse(lines[0])["@metadata"]["@id"], "users/1");
});
