import { ConfigureExpirationOperation, ConfigureRefreshOperation, ConfigureRevisionsOperation,
    RevisionsCollectionConfiguration, RevisionsConfiguration } from "ravendb";
import { eventually, failure, scenario, User } from "../harness.mjs";

const inMs = ms => new Date(Date.now() + ms).toISOString();

async function put(store, id, metadata) {
    const session = store.openSession();
    const user = new User({ name: "a" });
    await session.store(user, id);
    Object.assign(session.advanced.getMetadataFor(user), metadata);
    await session.saveChanges();
}

const exists = (store, id) => store.openSession().advanced.exists(id);

scenario("the configuration of expiration is taken", async ({ store, assert }) => {
    const result = await store.maintenance.send(new ConfigureExpirationOperation({ disabled: false, deleteFrequencyInSec: 1 }));
    assert.ok(result.raftCommandIndex > 0);
});

scenario("a document that has expired is deleted", async ({ store, assert }) => {
    await store.maintenance.send(new ConfigureExpirationOperation({ disabled: false, deleteFrequencyInSec: 1 }));
    await put(store, "users/1", { "@expires": inMs(500) });
    await put(store, "users/2", { "@expires": inMs(600_000) });
    assert.equal(await exists(store, "users/1"), true);
    await eventually(async () => !await exists(store, "users/1"), "the document expires");
    assert.equal(await exists(store, "users/2"), true);
});

scenario("the time of expiration comes back with the document", async ({ store, assert }) => {
    const time = inMs(600_000);
    await put(store, "users/1", { "@expires": time });
    const session = store.openSession();
    const user = await session.load("users/1", User);
    assert.equal(session.advanced.getMetadataFor(user)["@expires"], time);
});

scenario("a time of expiration can be taken back", async ({ store, assert }) => {
    await store.maintenance.send(new ConfigureExpirationOperation({ disabled: false, deleteFrequencyInSec: 1 }));
    await put(store, "users/1", { "@expires": inMs(1500) });
    await put(store, "users/2", { "@expires": inMs(1500) });
    const session = store.openSession();
    const user = await session.load("users/1", User);
    session.advanced.getMetadataFor(user)["@expires"] = null;
    user.name = "kept";
    await session.saveChanges();
    await eventually(async () => !await exists(store, "users/2"), "the other document expires");
    assert.equal(await exists(store, "users/1"), true);
});

scenario("a time that is none is refused", async ({ store, assert }) => {
    const error = await failure(() => put(store, "users/1", { "@expires": "tomorrow or so" }));
    assert.ok(error.message.includes("@expires"));
});

scenario("the configuration of refresh is taken", async ({ store, assert }) => {
    const result = await store.maintenance.send(new ConfigureRefreshOperation({ disabled: false, refreshFrequencyInSec: 1 }));
    assert.ok(result.raftCommandIndex > 0);
});

scenario("a refreshed document has a new version and no time of refresh", async ({ store, assert }) => {
    await store.maintenance.send(new ConfigureRefreshOperation({ disabled: false, refreshFrequencyInSec: 1 }));
    await put(store, "users/1", { "@refresh": inMs(300) });
    const before = (await store.openSession().load("users/1", User))["@metadata"]["@change-vector"];
    await eventually(async () => {
        const user = await store.openSession().load("users/1", User);
        return user["@metadata"]["@change-vector"] !== before && !user["@metadata"]["@refresh"];
    }, "the document is refreshed");
    assert.equal((await store.openSession().load("users/1", User)).name, "a");
});

scenario("whoever watches hears of an expiration", async ({ store, assert }) => {
    await store.maintenance.send(new ConfigureExpirationOperation({ disabled: false, deleteFrequencyInSec: 1 }));
    const changes = store.changes();
    await changes.ensureConnectedNow();
    const told = [];
    const watched = changes.forDocument("users/1");
    watched.on("data", change => told.push(change.type));
    await watched.ensureSubscribedNow();
    await put(store, "users/1", { "@expires": inMs(300) });
    await eventually(() => told.includes("Delete"), "the deletion is told");
    assert.deepEqual(told, ["Put", "Delete"]);
    changes.dispose();
});

scenario("an expired document leaves its revisions", async ({ store, assert }) => {
    const revisions = new RevisionsConfiguration();
    revisions.defaultConfig = Object.assign(new RevisionsCollectionConfiguration(), { disabled: false });
    await store.maintenance.send(new ConfigureRevisionsOperation(revisions));
    await store.maintenance.send(new ConfigureExpirationOperation({ disabled: false, deleteFrequencyInSec: 1 }));
    await put(store, "users/1", { "@expires": inMs(300) });
    await eventually(async () => !await exists(store, "users/1"), "the document expires");
    assert.equal(await store.openSession().advanced.revisions.getCountFor("users/1"), 2);
});
