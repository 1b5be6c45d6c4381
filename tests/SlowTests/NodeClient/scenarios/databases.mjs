import {
    CompactDatabaseOperation, CreateDatabaseOperation, DeleteDatabasesOperation, DocumentStore, GetBuildNumberOperation, GetDatabaseNamesOperation,
    GetDatabaseRecordOperation, GetStatisticsOperation, DatabaseHealthCheckOperation, GetCollectionStatisticsOperation,
} from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

scenario("the build number is one that the client takes for a current server", async ({ store, assert }) => {
    const build = await store.maintenance.server.send(new GetBuildNumberOperation());
    assert.match(build.productVersion, /^\d+\.\d+/);
    assert.equal(typeof build.buildVersion, "number");
    assert.ok(build.fullVersion.length > 0);
});

scenario("a new database is in the list of names", async ({ store, database, assert }) => {
    const names = await store.maintenance.server.send(new GetDatabaseNamesOperation(0, 1000));
    assert.ok(names.includes(database));
});

scenario("the list of names is paged", async ({ store, database, assert }) => {
    const other = `${database}-zz`;
    await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: other }));
    const all = await store.maintenance.server.send(new GetDatabaseNamesOperation(0, 1000));
    const first = await store.maintenance.server.send(new GetDatabaseNamesOperation(0, 1));
    const rest = await store.maintenance.server.send(new GetDatabaseNamesOperation(1, 1000));
    assert.equal(first.length, 1);
    assert.deepEqual([...first, ...rest], all);
    await store.maintenance.server.send(new DeleteDatabasesOperation({ databaseNames: [other], hardDelete: true }));
});

scenario("the record holds the name and the settings it was created with", async ({ store, database, assert }) => {
    const other = `${database}-settings`;
    await store.maintenance.server.send(
        new CreateDatabaseOperation({ databaseName: other, settings: { "Indexing.MapBatchSize": "128" } }));
    const record = await store.maintenance.server.send(new GetDatabaseRecordOperation(other));
    assert.equal(record.databaseName, other);
    // The client lowers the first letter of every key that it reads.
    assert.equal(record.settings["indexing.MapBatchSize"], "128");
    await store.maintenance.server.send(new DeleteDatabasesOperation({ databaseNames: [other], hardDelete: true }));
});

scenario("the record of a database that is not there is null", async ({ store, assert }) => {
    assert.ok(!await store.maintenance.server.send(new GetDatabaseRecordOperation("no-such-database")));
});

scenario("creating a database twice is a concurrency error", async ({ store, database }) => {
    const error = await failure(() =>
        store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: database })));
    if (error.name !== "ConcurrencyException") {
        throw error;
    }
});

scenario("a deleted database is gone, with its documents", async ({ store, database, assert }) => {
    const other = `${database}-deleted`;
    await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: other }));
    const session = store.openSession(other);
    await session.store(new User({ name: "gone" }), "users/1");
    await session.saveChanges();
    await store.maintenance.server.send(new DeleteDatabasesOperation({ databaseNames: [other], hardDelete: true }));
    const names = await store.maintenance.server.send(new GetDatabaseNamesOperation(0, 1000));
    assert.ok(!names.includes(other));
    await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: other }));
    assert.equal(await store.openSession(other).load("users/1"), null);
    await store.maintenance.server.send(new DeleteDatabasesOperation({ databaseNames: [other], hardDelete: true }));
});

scenario("a session on a missing database says that it does not exist", async ({ url, assert }) => {
    const store = new DocumentStore(url, "no-such-database").initialize();
    const error = await failure(() => store.openSession().load("users/1"));
    store.dispose();
    assert.equal(error.name, "DatabaseDoesNotExistException");
});

scenario("a bad database name is refused", async ({ store, assert }) => {
    const error = await failure(() =>
        store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: "../evil" })));
    assert.notEqual(error.name, "ConcurrencyException");
});

scenario("the health check answers", async ({ store }) => {
    await store.maintenance.send(new DatabaseHealthCheckOperation());
});

scenario("statistics count documents and tombstones", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    await session.store(new User({ name: "b" }), "users/2");
    await session.saveChanges();
    await session.delete("users/1");
    await session.saveChanges();
    const stats = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(stats.countOfDocuments, 1);
    assert.equal(stats.countOfTombstones, 1);
    assert.equal(stats.lastDocEtag, 2);
    assert.ok(stats.databaseChangeVector.length > 0);
    assert.ok(stats.databaseId.length > 0);
    assert.ok(stats.sizeOnDisk.sizeInBytes > 0);
});

scenario("collection statistics count by collection", async ({ store, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    await session.store(new User({ name: "b" }), "users/2");
    await session.saveChanges();
    const stats = await store.maintenance.send(new GetCollectionStatisticsOperation());
    assert.equal(stats.countOfDocuments, 2);
    assert.equal(stats.collections.Users, 2);
});

scenario("a database is compacted and keeps what it has", async ({ store, database, assert }) => {
    const session = store.openSession();
    await session.store(new User({ name: "kept" }), "users/1");
    await session.saveChanges();
    const operation = await store.maintenance.server.send(
        new CompactDatabaseOperation({ databaseName: database, documents: true }));
    await operation.waitForCompletion();
    assert.equal((await store.openSession().load("users/1")).name, "kept");
    const again = store.openSession();
    await again.store(new User({ name: "new" }), "users/2");
    await again.saveChanges();
    const stats = await store.maintenance.send(new GetStatisticsOperation());
    assert.equal(stats.countOfDocuments, 2);
});

scenario("compacting a database that is not there says so", async ({ store, assert }) => {
    const error = await failure(() => store.maintenance.server.send(
        new CompactDatabaseOperation({ databaseName: "no-such-database", documents: true })));
    assert.equal(error.name, "DatabaseDoesNotExistException");
});
