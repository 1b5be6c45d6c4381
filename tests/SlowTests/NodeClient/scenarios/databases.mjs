import {
    CompactDatabaseOperation, CreateDatabaseOperation, DeleteDatabasesOperation, DocumentStore, GetBuildNumberOperation, GetDatabaseNamesOperation,
    GetDatabaseRecordOperation, GetStatisticsOperation, DatabaseHealthCheckOperation, GetCollectionStatisticsOperation,
    GetClientConfigurationOperation, GetDatabaseSettingsOperation, GetLogsConfigurationOperation,
    GetServerWideClientConfigurationOperation, PutClientConfigurationOperation, PutDatabaseSettingsOperation,
    PutServerWideClientConfigurationOperation, SetDatabasesLockOperation, SetLogsConfigurationOperation,
    ToggleDatabasesStateOperation, UpdateDatabaseOperation,
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

scenario("an operation of the server may be ended, at whatever stage it is", async ({ store, database, assert }) => {
    const operation = await store.maintenance.server.send(
        new CompactDatabaseOperation({ databaseName: database, documents: true }));
    await operation.kill();
    assert.match((await store.maintenance.server.send(new GetDatabaseRecordOperation(database))).databaseName, /./);
    assert.equal(await store.openSession().load("users/1"), null);
});

scenario("compacting a database that is not there says so", async ({ store, assert }) => {
    const error = await failure(() => store.maintenance.server.send(
        new CompactDatabaseOperation({ databaseName: "no-such-database", documents: true })));
    assert.equal(error.name, "DatabaseDoesNotExistException");
});

scenario("a disabled database says so until it is enabled", async ({ store, database, assert }) => {
    const disabled = await store.maintenance.server.send(new ToggleDatabasesStateOperation(database, true));
    assert.deepEqual([disabled.name, disabled.success, disabled.disabled], [database, true, true]);
    assert.ok(disabled.reason.length > 0);
    const error = await failure(() => store.openSession().load("users/1"));
    assert.equal(error.name, "DatabaseDisabledException");
    const enabled = await store.maintenance.server.send(new ToggleDatabasesStateOperation(database, false));
    assert.deepEqual([enabled.success, enabled.disabled], [true, false]);
    assert.equal(await store.openSession().load("users/1"), null);
});

scenario("a locked database is not deleted", async ({ store, database, assert }) => {
    const remove = () => store.maintenance.server.send(new DeleteDatabasesOperation({ databaseNames: [database] }));
    await store.maintenance.server.send(new SetDatabasesLockOperation(database, "PreventDeletesError"));
    assert.match((await failure(remove)).message, /PreventDeletesError/);
    await store.maintenance.server.send(new SetDatabasesLockOperation(database, "PreventDeletesIgnore"));
    await remove();
    await store.maintenance.server.send(new SetDatabasesLockOperation(database, "Unlock"));
    const names = await store.maintenance.server.send(new GetDatabaseNamesOperation(0, 1000));
    assert.ok(names.includes(database));
});

scenario("deleting a database that is not there says so", async ({ store, assert }) => {
    const error = await failure(() => store.maintenance.server.send(
        new DeleteDatabasesOperation({ databaseNames: ["no-such-database"], hardDelete: true })));
    assert.equal(error.name, "DatabaseDoesNotExistException");
});

scenario("the record is updated and tells what the database does by itself", async ({ store, database, assert }) => {
    const record = await store.maintenance.server.send(new GetDatabaseRecordOperation(database));
    assert.equal(record.databaseState, "Normal");
    assert.equal(record.topology.members[0], "A");
    record.expiration = { disabled: false, deleteFrequencyInSec: 77 };
    const updated = await store.maintenance.server.send(new UpdateDatabaseOperation(record, record.etag, 1));
    assert.equal(updated.name, database);
    const again = await store.maintenance.server.send(new GetDatabaseRecordOperation(database));
    assert.equal(again.expiration.deleteFrequencyInSec, 77);
    assert.ok(again.etag > record.etag);
    const error = await failure(() =>
        store.maintenance.server.send(new UpdateDatabaseOperation(record, record.etag, 1)));
    assert.equal(error.name, "ConcurrencyException");
});

scenario("the settings of a database are replaced and read", async ({ store, database, assert }) => {
    await store.maintenance.send(new PutDatabaseSettingsOperation(database, { "Indexing.B": "c" }));
    const result = await store.maintenance.send(new GetDatabaseSettingsOperation(database));
    assert.deepEqual(result.settings, { "Indexing.B": "c" });
});

scenario("clients are told what to do by their database", async ({ store, url, database, assert }) => {
    const none = await store.maintenance.send(new GetClientConfigurationOperation());
    assert.equal(none.configuration ?? null, null);
    await store.maintenance.send(new PutClientConfigurationOperation({ maxNumberOfRequestsPerSession: 3 }));
    const told = await store.maintenance.send(new GetClientConfigurationOperation());
    assert.equal(told.configuration.maxNumberOfRequestsPerSession, 3);
    assert.ok(Number(told.etag) > 0);
    const other = new DocumentStore(url, database).initialize();
    try {
        await other.openSession().load("users/1");
        const session = other.openSession();
        for (let i = 0; i < 3; i++) {
            await session.load(`users/${i}`);
        }
        assert.match((await failure(() => session.load("users/9"))).message, /maximum number of requests/);
    } finally {
        other.dispose();
    }
});

scenario("clients of all databases are told what to do", async ({ store, assert }) => {
    const server = store.maintenance.server;
    await server.send(new PutServerWideClientConfigurationOperation({ identityPartsSeparator: "-", disabled: true }));
    const told = await server.send(new GetServerWideClientConfigurationOperation());
    assert.equal(told.identityPartsSeparator, "-");
    assert.equal(told.disabled, true);
});

scenario("how much is logged is read and changed", async ({ store, assert }) => {
    const server = store.maintenance.server;
    const before = await server.send(new GetLogsConfigurationOperation());
    assert.equal(before.mode, "Information");
    await server.send(new SetLogsConfigurationOperation({ mode: "Operations" }));
    assert.equal((await server.send(new GetLogsConfigurationOperation())).currentMode, "Operations");
    await server.send(new SetLogsConfigurationOperation({ mode: "Information" }));
});
