import { DocumentStore, NextIdentityForCommand, SeedIdentityForCommand, GetIdentitiesOperation } from "ravendb";
import { scenario, User } from "../harness.mjs";

scenario("an entity without an id gets one by HiLo", async ({ store, assert }) => {
    const session = store.openSession();
    const first = new User({ name: "a" });
    const second = new User({ name: "b" });
    await session.store(first);
    await session.store(second);
    await session.saveChanges();
    assert.equal(first.id, "users/1-A");
    assert.equal(second.id, "users/2-A");
    assert.equal((await store.openSession().load("users/2-A")).name, "b");
});

scenario("HiLo gives every client its own range", async ({ store, assert }) => {
    const ids = new Set();
    for (let i = 0; i < 100; i++) {
        const session = store.openSession();
        const user = new User({ i });
        await session.store(user);
        await session.saveChanges();
        ids.add(user.id);
    }
    assert.equal(ids.size, 100);
});

scenario("a store that is disposed of gives back the numbers that it did not use", async ({ store, url, database, assert }) => {
    const other = new DocumentStore(url, database).initialize();
    const session = other.openSession();
    await session.store(new User({ name: "a" }));
    await session.saveChanges();
    await new Promise(resolve => {
        // The store has sent them before it tells of its end.
        other.addListener("afterDispose", callback => {
            callback();
            resolve();
        });
        other.dispose();
    });
    const user = new User({ name: "b" });
    await store.openSession().store(user);
    assert.equal(user.id, "users/2-A");
});

scenario("a prefix that ends in a slash is completed by the server", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/");
    await session.saveChanges();
    const id = session.advanced.getDocumentId(user);
    assert.match(id, /^users\/\d{19}-A$/);
    assert.equal((await store.openSession().load(id)).name, "a");
});

scenario("a prefix that ends in a bar takes the next identity", async ({ store, assert }) => {
    for (const expected of ["users/1", "users/2"]) {
        const session = store.openSession();
        const user = new User({ name: expected });
        await session.store(user, "users|");
        await session.saveChanges();
        assert.equal(session.advanced.getDocumentId(user), expected);
        assert.equal((await store.openSession().load(expected)).name, expected);
    }
});

scenario("identities are seeded, advanced and listed", async ({ store, database, assert }) => {
    const executor = store.getRequestExecutor(database);
    const next = new NextIdentityForCommand("users|");
    await executor.execute(next);
    assert.equal(next.result, 1);
    const seed = new SeedIdentityForCommand("users|", 100);
    await executor.execute(seed);
    assert.equal(seed.result, 100);
    const lower = new SeedIdentityForCommand("users|", 50);
    await executor.execute(lower);
    assert.equal(lower.result, 100);
    const forced = new SeedIdentityForCommand("users|", 50, true);
    await executor.execute(forced);
    assert.equal(forced.result, 50);
    const after = new NextIdentityForCommand("users|");
    await executor.execute(after);
    assert.equal(after.result, 51);
    const identities = await store.maintenance.send(new GetIdentitiesOperation());
    assert.equal(identities["users|"], 51);
});
