import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    DeleteDatabasesOperation, DeleteOngoingTaskOperation, DeleteServerWideTaskOperation,
    GetDatabaseRecordOperation,
    GetOngoingTaskInfoOperation, GetPeriodicBackupStatusOperation, GetServerWideBackupConfigurationOperation,
    GetServerWideBackupConfigurationsOperation, PutServerWideBackupConfigurationOperation, RestoreBackupOperation,
    StartBackupOperation, ToggleOngoingTaskStateOperation, ToggleServerWideTaskStateOperation,
    UpdatePeriodicBackupOperation,
} from "ravendb";
import { eventually, failure, scenario, User } from "../harness.mjs";

const nightly = folderPath => ({
    name: "nightly", backupType: "Backup", fullBackupFrequency: "0 2 * * *", incrementalBackupFrequency: "0 * * * *",
    localSettings: { folderPath, disabled: false },
});

async function inFolder(work) {
    const folder = await mkdtemp(join(tmpdir(), "backups-"));
    try {
        return await work(folder);
    } finally {
        await rm(folder, { recursive: true });
    }
}

async function storeUser(store, id) {
    const session = store.openSession();
    await session.store(new User({ name: id }), id);
    await session.saveChanges();
}

/** Runs a task to its end, as the status of the task says it. */
async function run(store, isFull, taskId) {
    const status = async () => (await store.maintenance.send(new GetPeriodicBackupStatusOperation(taskId))).status;
    const before = (await status())?.version ?? 0;
    const started = await store.maintenance.send(new StartBackupOperation(isFull, taskId));
    await eventually(async () => ((await status())?.version ?? 0) > before, "the backup ended");
    const after = await status();
    return { started, status: after };
}

scenario("a task of backups is made, run, shown, switched and deleted", async ({ store, assert }) =>
    inFolder(async folder => {
        await storeUser(store, "users/1");
        const { taskId } = await store.maintenance.send(new UpdatePeriodicBackupOperation(nightly(folder)));
        const nothing = await store.maintenance.send(new GetPeriodicBackupStatusOperation(taskId));
        assert.equal(nothing.status, null);
        const { started, status } = await run(store, true, taskId);
        assert.equal(started.responsibleNode, "A");
        assert.ok(status.isFull);
        assert.equal(status.error, null);
        assert.ok(status.lastFullBackup instanceof Date);
        assert.ok(status.localBackup.lastFullBackup instanceof Date);
        await storeUser(store, "users/2");
        const second = await run(store, false, taskId);
        assert.equal(second.status.isFull, false);
        const task = await store.maintenance.send(new GetOngoingTaskInfoOperation(taskId, "Backup"));
        assert.equal(task.taskName, "nightly");
        assert.equal(task.responsibleNode.nodeTag, "A");
        assert.deepEqual(task.backupDestinations, ["Local"]);
        await store.maintenance.send(new ToggleOngoingTaskStateOperation(taskId, "Backup", true));
        const disabled = await store.maintenance.send(new GetOngoingTaskInfoOperation(taskId, "Backup"));
        assert.equal(disabled.taskState, "Disabled");
        await store.maintenance.send(new DeleteOngoingTaskOperation(taskId, "Backup"));
        // The client does not read an answer of 404 for this command.
        const gone = await failure(() => store.maintenance.send(new GetOngoingTaskInfoOperation(taskId, "Backup")));
        assert.match(gone.message, /Body stream cannot be null/);
    }));

scenario("a database is restored under another name", async ({ store, database, assert }) => inFolder(async folder => {
    const databaseName = `${database}-restored`;
    await storeUser(store, "users/1");
    const { taskId } = await store.maintenance.send(new UpdatePeriodicBackupOperation(nightly(folder)));
    await run(store, true, taskId);
    await storeUser(store, "users/2");
    await run(store, false, taskId);
    const backupLocation = join(folder, (await readdir(folder))[0]);
    try {
        const operation = await store.maintenance.server.send(
            new RestoreBackupOperation({ type: "Local", databaseName, backupLocation }));
        await operation.waitForCompletion();
        const session = store.openSession(databaseName);
        assert.equal((await session.load("users/2")).name, "users/2");
        const again = await failure(() => store.maintenance.server.send(
            new RestoreBackupOperation({ type: "Local", databaseName, backupLocation })));
        assert.match(again.message, /already/);
    } finally {
        await store.maintenance.server.send(
            new DeleteDatabasesOperation({ databaseNames: [databaseName], hardDelete: true }));
    }
}));

scenario("a task of all databases is made, shown, switched and deleted", async ({ store, database, assert }) =>
    inFolder(async folder => {
        const name = `all ${database}`;
        const put = await store.maintenance.server.send(new PutServerWideBackupConfigurationOperation(
            { ...nightly(folder), name, excludedDatabases: ["another"] }));
        try {
            assert.equal(put.name, name);
            const one = await store.maintenance.server.send(new GetServerWideBackupConfigurationOperation(name));
            assert.equal(one.fullBackupFrequency, "0 2 * * *");
            assert.deepEqual(one.excludedDatabases, ["another"]);
            const all = await store.maintenance.server.send(new GetServerWideBackupConfigurationsOperation());
            assert.ok(all.some(other => other.name === name));
            const record = await store.maintenance.server.send(new GetDatabaseRecordOperation(database));
            const task = record.periodicBackups.find(other => other.name === `Server Wide Backup, ${name}`);
            await storeUser(store, "users/1");
            const { status } = await run(store, true, task.taskId);
            assert.ok(status.localBackup.backupDirectory.startsWith(join(folder, database)));
            await store.maintenance.server.send(new ToggleServerWideTaskStateOperation(name, "Backup", true));
            const off = await store.maintenance.server.send(new GetServerWideBackupConfigurationOperation(name));
            assert.equal(off.disabled, true);
        } finally {
            await store.maintenance.server.send(new DeleteServerWideTaskOperation(name, "Backup"));
        }
        const gone = await store.maintenance.server.send(new GetServerWideBackupConfigurationsOperation());
        assert.ok(!gone.some(other => other.name === name));
    }));
