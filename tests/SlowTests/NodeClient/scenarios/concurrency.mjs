import { DocumentStore, DeleteDocumentCommand, PutDocumentCommand } from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

scenario("with optimistic concurrency a lost race is a concurrency error and writes nothing", async ({ store, assert }) => {
    const setup = store.openSession();
    await setup.store(new User({ name: "a" }), "users/1");
    await setup.saveChanges();
    const mine = store.openSession();
    mine.advanced.useOptimisticConcurrency = true;
    const loaded = await mine.load("users/1", User);
    const other = store.openSession();
    (await other.load("users/1", User)).name = "theirs";
    await other.saveChanges();
    loaded.name = "mine";
    await mine.store(new User({ name: "neighbour" }), "users/2");
    const error = await failure(() => mine.saveChanges());
    assert.equal(error.name, "ConcurrencyException");
    const after = await store.openSession().load(["users/1", "users/2"]);
    assert.equal(after["users/1"].name, "theirs");
    assert.equal(after["users/2"], null);
});

scenario("with optimistic concurrency a new document must not exist", async ({ store, assert }) => {
    const setup = store.openSession();
    await setup.store(new User({ name: "a" }), "users/1");
    await setup.saveChanges();
    const mine = store.openSession();
    mine.advanced.useOptimisticConcurrency = true;
    await mine.store(new User({ name: "b" }), "users/1");
    assert.equal((await failure(() => mine.saveChanges())).name, "ConcurrencyException");
});

scenario("an explicit change vector is checked", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    await session.saveChanges();
    const vector = session.advanced.getChangeVectorFor(user);
    const again = store.openSession();
    await again.store(new User({ name: "b" }), "users/1", { changeVector: vector });
    await again.saveChanges();
    const late = store.openSession();
    await late.store(new User({ name: "c" }), "users/1", { changeVector: vector });
    const error = await failure(() => late.saveChanges());
    assert.equal(error.name, "ConcurrencyException");
    assert.ok(error.message.includes(vector), "the message names the expected change vector");
});

scenario("a delete checks the change vector", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    await session.saveChanges();
    const old = session.advanced.getChangeVectorFor(user);
    user.name = "b";
    await session.saveChanges();
    const other = store.openSession();
    await other.delete("users/1", old);
    assert.equal((await failure(() => other.saveChanges())).name, "ConcurrencyException");
    assert.notEqual(await store.openSession().load("users/1"), null);
});

scenario("single document commands put and delete", async ({ store, database, assert }) => {
    const executor = store.getRequestExecutor(database);
    const put = new PutDocumentCommand("users/1", null, { name: "a", "@metadata": { "@collection": "Users" } });
    await executor.execute(put);
    assert.equal(put.result.id, "users/1");
    assert.match(put.result.changeVector, /^A:1-/);
    const late = new PutDocumentCommand("users/1", "A:999-" + put.result.changeVector.split("-")[1], { name: "b" });
    assert.equal((await failure(() => executor.execute(late))).name, "ConcurrencyException");
    await executor.execute(new DeleteDocumentCommand("users/1", put.result.changeVector));
    assert.equal(await store.openSession().load("users/1"), null);
});

scenario("sixty-four writers of one document leave one of their values and count every write", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ count: 0 }), "users/1");
    await session.saveChanges();
    const increment = async () => {
        for (;;) {
            const mine = store.openSession();
            mine.advanced.useOptimisticConcurrency = true;
            (await mine.load("users/1", User)).count++;
            try {
                await mine.saveChanges();
                return;
            } catch (error) {
                assert.equal(error.name, "ConcurrencyException");
            }
        }
    };
    await Promise.all(Array.from({ length: 24 }, increment));
    assert.equal((await store.openSession().load("users/1", User)).count, 24);
});

scenario("a repeated load asks with the etag and takes the cached body", async ({ store, url, database, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    await session.saveChanges();
    const own = new DocumentStore(url, database).initialize();
    assert.equal((await own.openSession().load("users/1")).name, "a");
    assert.equal((await own.openSession().load("users/1")).name, "a");
    const writer = store.openSession();
    (await writer.load("users/1")).name = "b";
    await writer.saveChanges();
    assert.equal((await own.openSession().load("users/1")).name, "b");
    own.dispose();
});
