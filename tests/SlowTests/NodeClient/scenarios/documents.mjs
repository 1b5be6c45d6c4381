import { failure, Order, scenario, User } from "../harness.mjs";

scenario("a stored document is loaded by its id, with what it held", async ({ store, assert }) => {
    const session = store.openSession();
    const born = new Date("2001-02-03T04:05:06.789Z");
    await session.store(new User({ name: "Ayende", age: 42, born, tags: ["a", "b"], address: { city: "Hadera" } }), "users/1");
    await session.saveChanges();
    const loaded = await store.openSession().load("users/1", User);
    assert.equal(loaded.name, "Ayende");
    assert.equal(loaded.age, 42);
    assert.deepEqual(loaded.tags, ["a", "b"]);
    assert.equal(loaded.address.city, "Hadera");
    assert.equal(loaded.born.getTime(), born.getTime());
    assert.ok(loaded instanceof User);
});

scenario("text of every script comes back as it was", async ({ store, assert }) => {
    const text = "שלום 😀 \u0000 \u001f \" \\ / \r\n\t é K Å ﷽";
    const session = store.openSession();
    await session.store(new User({ name: text, [text]: 1 }), "users/é 😀");
    await session.saveChanges();
    const loaded = await store.openSession().load("users/é 😀", User);
    assert.equal(loaded.name, text);
    assert.equal(loaded[text], 1);
});

scenario("numbers come back as they were", async ({ store, assert }) => {
    const numbers = [0, -1, 1.5, 1e21, -2.5e-7, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, 1e308, 0.1 + 0.2];
    const session = store.openSession();
    await session.store(new User({ numbers }), "users/1");
    await session.saveChanges();
    assert.deepEqual((await store.openSession().load("users/1", User)).numbers, numbers);
});

scenario("a missing document loads as null", async ({ store, assert }) => {
    assert.equal(await store.openSession().load("users/404"), null);
});

scenario("many documents load in one request, missing ones as null", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    await session.store(new User({ name: "b" }), "users/2");
    await session.saveChanges();
    const reader = store.openSession();
    const loaded = await reader.load(["users/1", "users/404", "users/2"]);
    assert.equal(loaded["users/1"].name, "a");
    assert.equal(loaded["users/404"], null);
    assert.equal(loaded["users/2"].name, "b");
    assert.equal(reader.advanced.numberOfRequests, 1);
});

scenario("more ids than a url should hold load by POST", async ({ store, assert }) => {
    const session = store.openSession();
    const ids = Array.from({ length: 100 }, (_, i) => `users/a-rather-long-id-for-one-user/${i}`);
    for (const id of ids) {
        await session.store(new User({ name: id }), id);
    }
    await session.saveChanges();
    const loaded = await store.openSession().load(ids);
    for (const id of ids) {
        assert.equal(loaded[id].name, id);
    }
});

scenario("ids ignore case", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "Users/ABC");
    await session.saveChanges();
    assert.equal((await store.openSession().load("users/abc")).name, "a");
});

scenario("metadata tells id, collection, change vector and last modified", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    await session.saveChanges();
    const written = session.advanced.getChangeVectorFor(user);
    const reader = store.openSession();
    const loaded = await reader.load("users/1", User);
    const metadata = reader.advanced.getMetadataFor(loaded);
    assert.equal(metadata["@id"], "users/1");
    assert.equal(metadata["@collection"], "Users");
    assert.equal(metadata["@change-vector"], written);
    assert.match(metadata["@last-modified"], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
    assert.match(written, /^A:1-.{22}$/);
    assert.ok(reader.advanced.getLastModifiedFor(loaded).getTime() > Date.now() - 60_000);
});

scenario("custom metadata is kept", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    session.advanced.getMetadataFor(user)["Owner"] = { name: "someone", roles: [1, 2] };
    await session.saveChanges();
    const reader = store.openSession();
    const metadata = reader.advanced.getMetadataFor(await reader.load("users/1", User));
    assert.deepEqual({ ...metadata["Owner"] }.name, "someone");
    assert.equal(metadata["@collection"], "Users");
});

scenario("a changed document is saved, an unchanged one is not sent", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    await session.saveChanges();
    const first = session.advanced.getChangeVectorFor(user);
    await session.saveChanges();
    assert.equal(session.advanced.getChangeVectorFor(user), first);
    user.name = "b";
    await session.saveChanges();
    assert.notEqual(session.advanced.getChangeVectorFor(user), first);
    assert.equal((await store.openSession().load("users/1")).name, "b");
});

scenario("a deleted document is gone, by entity and by id", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    await session.store(new User({ name: "b" }), "users/2");
    await session.saveChanges();
    await session.delete(user);
    await session.delete("users/2");
    await session.saveChanges();
    const loaded = await store.openSession().load(["users/1", "users/2"]);
    assert.equal(loaded["users/1"], null);
    assert.equal(loaded["users/2"], null);
});

scenario("a document stored again after its delete is a new one", async ({ store, assert }) => {
    for (const name of ["first", "second"]) {
        const session = store.openSession();
        await session.store(new User({ name }), "users/1");
        await session.saveChanges();
        if (name === "first") {
            await session.delete("users/1");
            await session.saveChanges();
        }
    }
    assert.equal((await store.openSession().load("users/1")).name, "second");
});

scenario("exists asks without loading", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    await session.saveChanges();
    assert.equal(await store.openSession().advanced.exists("users/1"), true);
    assert.equal(await store.openSession().advanced.exists("users/2"), false);
});

scenario("refresh brings what another session wrote", async ({ store, assert }) => {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, "users/1");
    await session.saveChanges();
    const other = store.openSession();
    (await other.load("users/1", User)).name = "b";
    await other.saveChanges();
    await session.advanced.refresh(user);
    assert.equal(user.name, "b");
});

scenario("documents load by prefix, paged and filtered", async ({ store, assert }) => {
    const session = store.openSession();
    for (const id of ["users/1", "users/10", "users/11", "users/2", "users/20", "usersx/1", "orders/1"]) {
        await session.store(id.startsWith("orders") ? new Order({ id }) : new User({ name: id }), id);
    }
    await session.saveChanges();
    const names = async options =>
        (await store.openSession().advanced.loadStartingWith("users/", options)).map(user => user.name);
    assert.deepEqual(await names({}), ["users/1", "users/10", "users/11", "users/2", "users/20"]);
    assert.deepEqual(await names({ start: 1, pageSize: 2 }), ["users/10", "users/11"]);
    assert.deepEqual(await names({ matches: "1*" }), ["users/1", "users/10", "users/11"]);
    assert.deepEqual(await names({ matches: "1?|2" }), ["users/10", "users/11", "users/2"]);
    assert.deepEqual(await names({ exclude: "1*" }), ["users/2", "users/20"]);
    assert.deepEqual(await names({ startAfter: "users/11" }), ["users/2", "users/20"]);
});

scenario("includes come with the document, in one request", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "buyer" }), "users/1");
    await session.store(new Order({ buyer: "users/1", lines: [{ product: "users/1" }] }), "orders/1");
    await session.saveChanges();
    const reader = store.openSession();
    const order = await reader.include("buyer").load("orders/1", Order);
    const buyer = await reader.load(order.buyer, User);
    assert.equal(buyer.name, "buyer");
    assert.equal(reader.advanced.numberOfRequests, 1);
});

scenario("an id that another client would escape is the same id", async ({ store, assert }) => {
    const ids = ["a b", "a/b%20c", "a?b&c=d#e", "100%", "a+b", "quote\"'", "path/../x", "ends with space "];
    const session = store.openSession();
    for (const id of ids) {
        await session.store(new User({ name: id }), id);
    }
    await session.saveChanges();
    for (const id of ids) {
        assert.equal((await store.openSession().load(id)).name, id);
    }
});

scenario("an id over the limit is refused", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "x".repeat(513));
    const error = await failure(() => session.saveChanges());
    assert.match(error.message, /512/);
});

scenario("a document without a collection is stored", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store({ name: "plain" }, "things/1");
    await session.saveChanges();
    assert.equal((await store.openSession().load("things/1")).name, "plain");
});

scenario("a large document comes back whole", async ({ store, assert }) => {
    const lines = Array.from({ length: 20_000 }, (_, i) => ({ product: `products/${i}`, quantity: i, text: "lorem ipsum" }));
    const session = store.openSession();
    await session.store(new Order({ lines }), "orders/1");
    await session.saveChanges();
    const loaded = await store.openSession().load("orders/1", Order);
    assert.deepEqual(loaded.lines, lines);
});
