import {
    AppendOperation, DeleteOperation, GetMultipleTimeSeriesOperation, GetTimeSeriesOperation,
    GetTimeSeriesStatisticsOperation, IncrementOperation, PatchByQueryOperation, PatchOperation, PatchRequest,
    TimeSeriesBatchOperation, TimeSeriesOperation,
} from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

const start = new Date(Date.UTC(2026, 0, 1, 10));
const at = minutes => new Date(start.getTime() + minutes * 60_000);

async function withSeries(store, count = 3, name = "HeartRate") {
    const session = store.openSession();
    await session.store(new User({ name: "a" }), "users/1");
    const series = session.timeSeriesFor("users/1", name);
    for (let i = 0; i < count; i++) {
        series.append(at(i), 70 + i / 4, i === 0 ? "watches/1" : undefined);
    }
    await session.saveChanges();
}

scenario("entries are appended in the session of their document and read", async ({ store, assert }) => {
    await withSeries(store);
    const session = store.openSession();
    const entries = await session.timeSeriesFor("users/1", "HeartRate").get();
    assert.deepEqual(entries.map(each => each.value), [70, 70.25, 70.5]);
    assert.deepEqual(entries.map(each => each.timestamp.getTime()), [0, 1, 2].map(i => at(i).getTime()));
    assert.equal(entries[0].tag, "watches/1");
    assert.equal(await session.timeSeriesFor("users/1", "None").get(), null);
    const user = await session.load("users/1", User);
    assert.deepEqual(session.advanced.getTimeSeriesFor(user), ["HeartRate"]);
});

scenario("a range is read, and the session asks only for what it does not have", async ({ store, assert }) => {
    await withSeries(store, 60);
    const session = store.openSession();
    const series = session.timeSeriesFor("users/1", "HeartRate");
    assert.equal((await series.get(at(10), at(20))).length, 11);
    const requests = session.advanced.numberOfRequests;
    assert.equal((await series.get(at(12), at(18))).length, 7);
    assert.equal(session.advanced.numberOfRequests, requests);
    assert.equal((await series.get(at(5), at(30))).length, 26);
    assert.equal((await series.get()).length, 60);
});

scenario("pages of a series join without a gap", async ({ store, assert }) => {
    await withSeries(store, 50);
    const series = store.openSession().timeSeriesFor("users/1", "HeartRate");
    const first = await series.get(at(0), at(49), i => i.includeTags(), 0, 20);
    assert.equal(first.length, 20);
    assert.equal((await series.get(at(0), at(49))).length, 50);
    const operation = new GetTimeSeriesOperation("users/1", "HeartRate", at(0), at(100), 45, 10);
    const page = await store.operations.send(operation);
    assert.equal(page.entries.length, 5);
});

scenario("entries are deleted, and a series without any is gone", async ({ store, assert }) => {
    await withSeries(store);
    let session = store.openSession();
    session.timeSeriesFor("users/1", "HeartRate").deleteAt(at(1));
    await session.saveChanges();
    session = store.openSession();
    assert.equal((await session.timeSeriesFor("users/1", "HeartRate").get()).length, 2);
    session.timeSeriesFor("users/1", "HeartRate").delete();
    await session.saveChanges();
    session = store.openSession();
    assert.equal(await session.timeSeriesFor("users/1", "HeartRate").get(), null);
    const user = await session.load("users/1", User);
    assert.deepEqual(session.advanced.getTimeSeriesFor(user), []);
});

scenario("an incremental series adds up", async ({ store, assert }) => {
    await withSeries(store);
    for (const by of [1, 2.5]) {
        const session = store.openSession();
        session.incrementalTimeSeriesFor("users/1", "INC:Steps").increment(at(0), by);
        await session.saveChanges();
    }
    const entries = await store.openSession().incrementalTimeSeriesFor("users/1", "INC:Steps").get();
    assert.equal(entries.length, 1);
    assert.equal(entries[0].value, 3.5);
    const full = await store.operations.send(new GetTimeSeriesOperation(
        "users/1", "INC:Steps", null, null, 0, 10, null, true));
    assert.deepEqual(Object.values(full.entries[0].nodeValues), [[3.5]]);
    assert.equal(full.entries[0].values[0], 3.5);
});

scenario("operations append, delete and read several ranges with documents", async ({ store, assert }) => {
    await withSeries(store);
    const session = store.openSession();
    await session.store({ maker: "m" }, "watches/1");
    await session.saveChanges();
    const change = new TimeSeriesOperation("Speed");
    change.append(new AppendOperation(at(3), [1, 2], "watches/1"));
    change.append(new AppendOperation(at(4), [3, 4], "watches/1"));
    await store.operations.send(new TimeSeriesBatchOperation("users/1", change));
    const deletion = new TimeSeriesOperation("Speed");
    deletion.delete(new DeleteOperation(at(4), at(4)));
    await store.operations.send(new TimeSeriesBatchOperation("users/1", deletion));
    const details = await store.operations.send(new GetMultipleTimeSeriesOperation("users/1", [
        { name: "Speed", from: null, to: null }, { name: "HeartRate", from: at(1), to: at(2) },
    ]));
    assert.equal(details.values.get("speed")[0].entries.length, 1);
    assert.equal(details.values.get("HeartRate")[0].entries.length, 2);
    const range = await store.operations.send(new GetTimeSeriesOperation(
        "users/1", "Speed", null, null, 0, 10, i => i.includeTags().includeDocument()));
    assert.equal(range.includes["watches/1"].maker, "m");
});

scenario("the statistics of a document's series are read", async ({ store, assert }) => {
    await withSeries(store, 20);
    await withSeries(store, 2, "Other");
    const statistics = await store.operations.send(new GetTimeSeriesStatisticsOperation("users/1"));
    assert.equal(statistics.documentId, "users/1");
    assert.deepEqual(
        statistics.timeSeries.map(each => [each.name, each.numberOfEntries]), [["HeartRate", 20], ["Other", 2]]);
    assert.equal(statistics.timeSeries[0].endDate.getTime(), at(19).getTime());
});

scenario("a bulk insert writes series of several documents", async ({ store, assert }) => {
    const bulk = store.bulkInsert();
    for (const id of ["users/1", "users/2"]) {
        await bulk.store(new User({ name: id }), id);
        const series = bulk.timeSeriesFor(id, "HeartRate");
        for (let i = 0; i < 3000; i++) {
            await series.append(at(i), [i, -i / 8], i % 2 ? "odd" : undefined);
        }
        series.dispose();
    }
    await bulk.finish();
    const entries = await store.openSession().timeSeriesFor("users/2", "HeartRate").get();
    assert.equal(entries.length, 3000);
    assert.deepEqual(entries[2999].values, [2999, -2999 / 8]);
    assert.equal(entries[2999].tag, "odd");
});

scenario("ranges are included with documents", async ({ store, assert }) => {
    await withSeries(store, 30);
    for (const include of [
        i => i.includeTimeSeries("HeartRate", at(5), at(10)), i => i.includeTimeSeries("HeartRate", "Last", 6),
        i => i.includeAllTimeSeries("Last", 30),
    ]) {
        const session = store.openSession();
        await session.load("users/1", { documentType: User, includes: include });
        const requests = session.advanced.numberOfRequests;
        const [from, to] = include.toString().includes("at(5)") ? [at(5), at(10)] : [at(24), at(29)];
        assert.equal((await session.timeSeriesFor("users/1", "HeartRate").get(from, to)).length, 6);
        assert.equal(session.advanced.numberOfRequests, requests);
    }
});

scenario("a patch appends and deletes", async ({ store, assert }) => {
    await withSeries(store);
    const patch = new PatchRequest();
    patch.script = `timeseries(this, "HeartRate").append(args.time, [99], "patched");
        timeseries(this, "HeartRate").delete(args.gone, args.gone);`;
    patch.values = { time: at(9).toISOString(), gone: at(0).toISOString() };
    await store.operations.send(new PatchOperation("users/1", null, patch));
    const entries = await store.openSession().timeSeriesFor("users/1", "HeartRate").get();
    assert.deepEqual(entries.map(each => each.value), [70.25, 70.5, 99]);
    const all = await store.operations.send(new PatchByQueryOperation(
        `from Users update { timeseries(this, "Copied").append("2026-01-01T00:00:00Z", 1); }`));
    await all.waitForCompletion();
    assert.equal((await store.openSession().timeSeriesFor("users/1", "Copied").get()).length, 1);
});

scenario("a change of a series is notified", async ({ store, assert }) => {
    await withSeries(store);
    const changes = store.changes();
    await changes.ensureConnectedNow();
    const seen = [];
    const watch = changes.forTimeSeriesOfDocument("users/1", "HeartRate");
    watch.on("data", change => seen.push(change));
    await new Promise(resolve => setTimeout(resolve, 500));
    const session = store.openSession();
    session.timeSeriesFor("users/1", "HeartRate").append(at(7), 1);
    await session.saveChanges();
    for (let i = 0; i < 100 && seen.length === 0; i++) {
        await new Promise(resolve => setTimeout(resolve, 50));
    }
    assert.equal(seen[0].type, "Put");
    assert.equal(seen[0].name, "HeartRate");
    assert.equal(seen[0].documentId, "users/1");
    changes.dispose();
});

scenario("an append to a document that is not there fails with its type", async ({ store, assert }) => {
    const change = new TimeSeriesOperation("x");
    change.append(new AppendOperation(at(3), [1]));
    const error = await failure(() => store.operations.send(new TimeSeriesBatchOperation("users/none", change)));
    assert.equal(error.name, "DocumentDoesNotExistException");
    const increment = new TimeSeriesOperation("x");
    const by = new IncrementOperation();
    by.timestamp = at(1);
    by.values = [1];
    increment.increment(by);
    await withSeries(store);
    const wrong = await failure(() => store.operations.send(new TimeSeriesBatchOperation("users/1", increment)));
    assert.match(wrong.message, /INC:/);
});
