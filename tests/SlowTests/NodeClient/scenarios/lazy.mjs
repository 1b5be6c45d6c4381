import { Order, scenario, User } from "../harness.mjs";

async function withDocuments(store) {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    await session.store(new User({ name: "b" }), "users/2");
    await session.store(new Order({ customer: "users/1", total: 5 }), "orders/1");
    await session.saveChanges();
}

scenario("lazy loads go out together when the first is asked for", async ({ store, assert }) => {
    await withDocuments(store);
    const session = store.openSession();
    const one = session.advanced.lazily.load("users/1", User);
    const two = session.advanced.lazily.load("users/2", User);
    assert.equal(session.advanced.numberOfRequests, 0);
    assert.equal((await one.getValue()).name, "a");
    assert.equal((await two.getValue()).name, "b");
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("pending lazy operations are executed as one request", async ({ store, assert }) => {
    await withDocuments(store);
    const session = store.openSession();
    const user = session.advanced.lazily.load("users/1", User);
    const order = session.advanced.lazily.load("orders/1", Order);
    await session.advanced.eagerly.executeAllPendingLazyOperations();
    assert.equal(session.advanced.numberOfRequests, 1);
    assert.equal((await user.getValue()).name, "a");
    assert.equal((await order.getValue()).total, 5);
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("a lazy load of a missing document is null", async ({ store, assert }) => {
    await withDocuments(store);
    const session = store.openSession();
    assert.equal(await session.advanced.lazily.load("users/404", User).getValue(), null);
});

scenario("a lazy load of several documents", async ({ store, assert }) => {
    await withDocuments(store);
    const users = await store.openSession().advanced.lazily.load(["users/1", "users/2", "users/404"], User).getValue();
    assert.equal(users["users/1"].name, "a");
    assert.equal(users["users/2"].name, "b");
    assert.equal(users["users/404"] ?? null, null);
});

scenario("a lazy load includes what a document refers to", async ({ store, assert }) => {
    await withDocuments(store);
    const session = store.openSession();
    const order = session.advanced.lazily.include("customer").load("orders/1", Order);
    assert.equal((await order.getValue()).total, 5);
    assert.equal((await session.load("users/1", User)).name, "a");
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("a lazy load by prefix", async ({ store, assert }) => {
    await withDocuments(store);
    const session = store.openSession();
    const users = await session.advanced.lazily.loadStartingWith("users/", { documentType: User }).getValue();
    assert.deepEqual(Object.keys(users).sort(), ["users/1", "users/2"]);
});

scenario("what was loaded lazily is loaded", async ({ store, assert }) => {
    await withDocuments(store);
    const session = store.openSession();
    const user = await session.advanced.lazily.load("users/1", User).getValue();
    assert.equal(await session.load("users/1", User), user);
    assert.equal(session.advanced.numberOfRequests, 1);
    user.name = "changed";
    await session.saveChanges();
    assert.equal((await store.openSession().load("users/1", User)).name, "changed");
});

scenario("a lazy load repeated by another session sees what changed in between", async ({ store, assert }) => {
    await withDocuments(store);
    assert.equal((await store.openSession().advanced.lazily.load("users/1", User).getValue()).name, "a");
    assert.equal((await store.openSession().advanced.lazily.load("users/1", User).getValue()).name, "a");
    const writer = store.openSession();
    (await writer.load("users/1", User)).name = "b";
    await writer.saveChanges();
    assert.equal((await store.openSession().advanced.lazily.load("users/1", User).getValue()).name, "b");
});

scenario("a lazy conditional load asks for what is newer", async ({ store, assert }) => {
    await withDocuments(store);
    const first = store.openSession();
    const user = await first.load("users/1", User);
    const known = first.advanced.getChangeVectorFor(user);
    const same = await store.openSession().advanced.lazily.conditionalLoad("users/1", known, User).getValue();
    assert.equal(same.entity, null);
    user.name = "newer";
    await first.saveChanges();
    const newer = await store.openSession().advanced.lazily.conditionalLoad("users/1", known, User).getValue();
    assert.equal(newer.entity.name, "newer");
});
