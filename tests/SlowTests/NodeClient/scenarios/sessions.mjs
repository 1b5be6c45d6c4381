import { GetNextOperationIdCommand } from "ravendb";
import { failure, Order, scenario, User } from "../harness.mjs";

async function withUsers(store, count = 3) {
    const session = store.openSession();
    for (let i = 1; i <= count; i++) {
        await session.store(new User({ name: `name ${i}`, friend: `users/${i % count + 1}` }), `users/${i}`);
    }
    await session.saveChanges();
}

scenario("a session gives the same entity for the same id", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    assert.equal(await session.load("users/1", User), await session.load("users/1", User));
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("a session without changes sends nothing", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    await session.load("users/1", User);
    assert.equal(session.advanced.hasChanges(), false);
    await session.saveChanges();
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("a session says what has changed", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const user = await session.load("users/1", User);
    user.name = "other";
    const changes = session.advanced.whatChanged();
    assert.deepEqual(Object.keys(changes), ["users/1"]);
    assert.equal(changes["users/1"][0].fieldName, "name");
    assert.ok(session.advanced.hasChanged(user));
});

scenario("an evicted entity is loaded anew", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const user = await session.load("users/1", User);
    user.name = "lost";
    session.advanced.evict(user);
    assert.equal((await session.load("users/1", User)).name, "name 1");
});

scenario("a cleared session forgets what it knew", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    (await session.load("users/1", User)).name = "lost";
    session.advanced.clear();
    await session.saveChanges();
    assert.equal((await store.openSession().load("users/1", User)).name, "name 1");
});

scenario("a change that is ignored is not saved", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    const user = await session.load("users/1", User);
    session.advanced.ignoreChangesFor(user);
    user.name = "lost";
    await session.saveChanges();
    assert.equal((await store.openSession().load("users/1", User)).name, "name 1");
});

scenario("a session allows thirty requests and then says so", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    for (let i = 0; i < 30; i++) {
        await session.load(`missing/${i}`);
    }
    assert.equal((await failure(() => session.load("missing/30"))).name, "InvalidOperationException");
});

scenario("a session that tracks nothing loads anew each time", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession({ noTracking: true });
    const one = await session.load("users/1", User);
    const two = await session.load("users/1", User);
    assert.notEqual(one, two);
    assert.equal(two.name, "name 1");
});

scenario("includes reach through a chain of lists and nested paths", async ({ store, assert }) => {
    await withUsers(store);
    const setup = store.openSession();
    await setup.store(new Order({ lines: [{ by: "users/1" }, { by: "users/2" }], ship: { to: "users/3" } }), "orders/1");
    await setup.saveChanges();
    const session = store.openSession();
    await session.include("lines[].by").include("ship.to").load("orders/1", Order);
    for (const id of ["users/1", "users/2", "users/3"]) {
        assert.ok((await session.load(id, User)).name.startsWith("name"));
    }
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("includes of several documents come once", async ({ store, assert }) => {
    await withUsers(store);
    const session = store.openSession();
    await session.include("friend").load(["users/1", "users/2"], User);
    assert.equal((await session.load("users/3", User)).name, "name 3");
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("a conditional load gives nothing for the version that is known", async ({ store, assert }) => {
    await withUsers(store);
    const first = store.openSession();
    const vector = first.advanced.getChangeVectorFor(await first.load("users/1", User));
    const same = await store.openSession().advanced.conditionalLoad("users/1", vector, User);
    assert.equal(same.entity, null);
    assert.equal(same.changeVector, vector);
    const writer = store.openSession();
    (await writer.load("users/1", User)).name = "newer";
    await writer.saveChanges();
    const newer = await store.openSession().advanced.conditionalLoad("users/1", vector, User);
    assert.equal(newer.entity.name, "newer");
    assert.notEqual(newer.changeVector, vector);
});

scenario("a document is loaded into a stream", async ({ store, assert }) => {
    await withUsers(store);
    const { PassThrough } = await import("node:stream");
    const target = new PassThrough();
    const chunks = [];
    target.on("data", chunk => chunks.push(chunk));
    await store.openSession().advanced.loadIntoStream(["users/1"], target);
    const json = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    assert.equal(json.results[0].name, "name 1");
});

scenario("many entities of several collections are saved as one transaction", async ({ store, assert }) => {
    const session = store.openSession();
    for (let i = 0; i < 500; i++) {
        await session.store(i % 2 === 0 ? new User({ i }) : new Order({ i }), `${i % 2 === 0 ? "users" : "orders"}/${i}`);
    }
    await session.saveChanges();
    const reader = store.openSession();
    const users = await reader.advanced.loadStartingWith("users/", { pageSize: 1000, documentType: User });
    assert.equal(users.length, 250);
    assert.equal(reader.advanced.getMetadataFor(users[0])["@collection"], "Users");
});

scenario("before and after events of a session are raised", async ({ store, assert }) => {
    const seen = [];
    const session = store.openSession();
    session.advanced.on("beforeStore", event => seen.push(`before ${event.documentId}`));
    session.advanced.on("afterSaveChanges", event => seen.push(`after ${event.documentId}`));
    await session.store(new User({ name: "a" }), "users/1");
    await session.saveChanges();
    assert.deepEqual(seen, ["before users/1", "after users/1"]);
});

scenario("operation ids grow", async ({ store, database, assert }) => {
    const ids = [];
    for (let i = 0; i < 3; i++) {
        const command = new GetNextOperationIdCommand();
        await store.getRequestExecutor(database).execute(command);
        ids.push(command.result);
    }
    assert.ok(ids[0] < ids[1] && ids[1] < ids[2]);
});

scenario("dates, nested objects and nulls come back as they were", async ({ store, assert }) => {
    const when = new Date("2020-02-29T23:59:59.999Z");
    const session = store.openSession();
    await session.store(new User({ when, nothing: null, deep: { list: [{ at: when }, null, [], {}] } }), "users/1");
    await session.saveChanges();
    const user = await store.openSession().load("users/1", User);
    assert.equal(user.when.getTime(), when.getTime());
    assert.equal(user.nothing, null);
    assert.equal(user.deep.list.length, 4);
    assert.equal(new Date(user.deep.list[0].at).getTime(), when.getTime());
});
