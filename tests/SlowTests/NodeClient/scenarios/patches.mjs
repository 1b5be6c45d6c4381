import { BatchPatchCommandData, PatchCommandData, PatchOperation, PatchRequest } from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

async function withUser(store, fields = {}) {
    const session = store.openSession();
    await session.store(new User({ name: "a", age: 1, tags: ["x"], ...fields }), "users/1");
    await session.saveChanges();
}

function request(script, values = {}) {
    const patch = new PatchRequest();
    patch.script = script;
    patch.values = values;
    return patch;
}

const statusOf = async (store, patch) => (await store.operations.send(patch)).status;
const load = store => store.openSession().load("users/1", User);

scenario("a session patches a property without loading", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    session.advanced.patch("users/1", "name", "b");
    await session.saveChanges();
    assert.equal((await load(store)).name, "b");
    assert.equal(session.advanced.numberOfRequests, 1);
});

scenario("a session patches a loaded entity, which is updated", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    const user = await session.load("users/1", User);
    session.advanced.patch(user, "name", "b");
    await session.saveChanges();
    assert.equal(user.name, "b");
    assert.equal((await load(store)).name, "b");
});

scenario("after a patch the session knows the new version", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    const user = await session.load("users/1", User);
    const before = session.advanced.getChangeVectorFor(user);
    session.advanced.increment(user, "age", 1);
    await session.saveChanges();
    assert.notEqual(session.advanced.getChangeVectorFor(user), before);
    session.advanced.useOptimisticConcurrency = true;
    user.name = "later";
    await session.saveChanges();
    assert.equal((await load(store)).age, 2);
});

scenario("an increment adds, and begins at nothing", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    session.advanced.increment("users/1", "age", 4);
    session.advanced.increment("users/1", "visits", 2);
    await session.saveChanges();
    const user = await load(store);
    assert.equal(user.age, 5);
    assert.equal(user.visits, 2);
});

scenario("a patch adds to an array and removes from it", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    session.advanced.patchArray("users/1", "tags", tags => tags.push("y", "z"));
    await session.saveChanges();
    assert.deepEqual((await load(store)).tags, ["x", "y", "z"]);
    const again = store.openSession();
    again.advanced.patchArray("users/1", "tags", tags => tags.removeAt(0));
    await again.saveChanges();
    assert.deepEqual((await load(store)).tags, ["y", "z"]);
});

scenario("a patch sets and removes the keys of an object", async ({ store, assert }) => {
    await withUser(store, { attributes: { a: 1, b: 2 } });
    const session = store.openSession();
    session.advanced.patchObject("users/1", "attributes", map => map.set("c", 3));
    session.advanced.patchObject("users/1", "attributes", map => map.remove("a"));
    await session.saveChanges();
    assert.deepEqual((await load(store)).attributes, { b: 2, c: 3 });
});

scenario("addOrPatch creates the document, then patches it", async ({ store, assert }) => {
    for (const name of ["first", "second"]) {
        const session = store.openSession();
        session.advanced.addOrPatch("users/1", new User({ name: "created" }), "name", name);
        await session.saveChanges();
    }
    const session = store.openSession();
    const user = await session.load("users/1", User);
    assert.equal(user.name, "second");
    assert.equal(session.advanced.getMetadataFor(user)["@collection"], "Users");
});

scenario("addOrIncrement and addOrPatchArray create once and add after", async ({ store, assert }) => {
    for (let i = 0; i < 3; i++) {
        const session = store.openSession();
        session.advanced.addOrIncrement("users/1", new User({ age: 10 }), "age", 1);
        await session.saveChanges();
        const other = store.openSession();
        other.advanced.addOrPatchArray("users/2", new User({ tags: [0] }), "tags", tags => tags.push(i));
        await other.saveChanges();
    }
    const users = await store.openSession().load(["users/1", "users/2"], User);
    assert.equal(users["users/1"].age, 12);
    assert.deepEqual(users["users/2"].tags, [0, 1, 2]);
});

scenario("a patch operation tells what it came to", async ({ store, assert }) => {
    await withUser(store);
    assert.equal(await statusOf(store, new PatchOperation("users/1", null, request("this.age = args.n", { n: 7 }))), "Patched");
    assert.equal(await statusOf(store, new PatchOperation("users/1", null, request("this.age = 7"))), "NotModified");
    assert.equal(await statusOf(store, new PatchOperation("users/9", null, request("this.age = 7"))), "DocumentDoesNotExist");
    const made = new PatchOperation("users/9", null, request("this.age = 7"), request("this.age = 1"));
    assert.equal(await statusOf(store, made), "Created");
});

scenario("a patch that changes nothing keeps the version", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    const before = session.advanced.getChangeVectorFor(await session.load("users/1", User));
    await store.operations.send(new PatchOperation("users/1", null, request("this.name = this.name")));
    const after = store.openSession();
    assert.equal(after.advanced.getChangeVectorFor(await after.load("users/1", User)), before);
});

scenario("a patch operation checks the change vector, or skips where that is asked", async ({ store, assert }) => {
    await withUser(store);
    const script = request("this.age++");
    const error = await failure(() => store.operations.send(new PatchOperation("users/1", "A:99-wrong", script)));
    assert.equal(error.name, "ConcurrencyException");
    // This client takes every 304 so.
    assert.equal(await statusOf(store, new PatchOperation("users/1", "A:99-wrong", script, null, true)), "NotModified");
    assert.equal((await load(store)).age, 1);
});

scenario("a script that throws fails by name and changes nothing", async ({ store, assert }) => {
    await withUser(store);
    const bad = new PatchOperation("users/1", null, request("this.age = 9; throw new Error('on purpose');"));
    const error = await failure(() => store.operations.send(bad));
    assert.equal(error.name, "JavaScriptException");
    assert.ok(error.message.includes("on purpose"));
    assert.equal((await load(store)).age, 1);
});

scenario("a script without an end is stopped at its limit", async ({ store, assert }) => {
    await withUser(store);
    const error = await failure(() => store.operations.send(new PatchOperation("users/1", null, request("while (true) {}"))));
    assert.equal(error.name, "JavaScriptException");
    assert.ok(/limit/.test(error.message));
    assert.equal((await load(store)).age, 1);
});

scenario("a script loads, puts and deletes other documents", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    await session.store(new User({ name: "boss" }), "users/2");
    await session.store(new User({ name: "old" }), "users/3");
    await session.saveChanges();
    await store.operations.send(new PatchOperation("users/1", null, request(`
        this.boss = load('users/2').name;
        this.copy = put('copies/', { of: id(this), '@metadata': { '@collection': 'Copies' } });
        del('users/3');`)));
    const user = await load(store);
    assert.equal(user.boss, "boss");
    const reader = store.openSession();
    assert.equal((await reader.load(user.copy)).of, "users/1");
    assert.equal(await reader.load("users/3"), null);
});

scenario("a deferred patch and a stored entity are one transaction", async ({ store, assert }) => {
    await withUser(store);
    const session = store.openSession();
    session.advanced.defer(new PatchCommandData("users/1", null, request("throw new Error('no')")));
    await session.store(new User({ name: "b" }), "users/2");
    assert.equal((await failure(() => session.saveChanges())).name, "JavaScriptException");
    assert.equal(await store.openSession().load("users/2"), null);
});

scenario("one script patches several documents", async ({ store, assert }) => {
    await withUser(store);
    const setup = store.openSession();
    await setup.store(new User({ age: 5 }), "users/2");
    await setup.saveChanges();
    const session = store.openSession();
    session.advanced.defer(new BatchPatchCommandData(request("this.age += args.by", { by: 10 }), null, "users/1", "users/2"));
    await session.saveChanges();
    const users = await store.openSession().load(["users/1", "users/2"], User);
    assert.equal(users["users/1"].age, 11);
    assert.equal(users["users/2"].age, 15);
});

scenario("thirty-two patchers of one document lose nothing", async ({ store, assert }) => {
    await withUser(store, { age: 0 });
    await Promise.all(Array.from({ length: 32 }, async () => {
        for (let i = 0; i < 4; i++) {
            await store.operations.send(new PatchOperation("users/1", null, request("this.age++")));
        }
    }));
    assert.equal((await load(store)).age, 128);
});

scenario("a patch changes the collection by the metadata", async ({ store, assert }) => {
    await withUser(store);
    await store.operations.send(new PatchOperation("users/1", null, request("this['@metadata']['@collection'] = 'People'")));
    const session = store.openSession();
    const user = await session.load("users/1");
    assert.equal(session.advanced.getMetadataFor(user)["@collection"], "People");
});
