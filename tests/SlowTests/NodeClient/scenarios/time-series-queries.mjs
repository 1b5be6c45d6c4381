import {
    ConfigureRawTimeSeriesPolicyOperation, ConfigureTimeSeriesOperation, ConfigureTimeSeriesPolicyOperation,
    ConfigureTimeSeriesValueNamesOperation, GetDatabaseRecordOperation, RawTimeSeriesPolicy,
    RemoveTimeSeriesPolicyOperation, TimeSeriesAggregationResult, TimeSeriesCollectionConfiguration,
    TimeSeriesConfiguration, TimeSeriesPolicy, TimeSeriesRawResult, TimeValue,
} from "ravendb";
import { failure, scenario, User } from "../harness.mjs";

const start = new Date(Date.UTC(2026, 0, 1, 10));
const at = minutes => new Date(start.getTime() + minutes * 60_000);

async function withSeries(store) {
    const session = store.openSession();
    await session.store(new User({ name: "a", age: 35 }), "users/1");
    await session.store(new User({ name: "b", age: 20 }), "users/2");
    const series = session.timeSeriesFor("users/1", "HeartRate");
    series.append(at(0), 59, "watches/1");
    series.append(at(1), 79, "watches/1");
    series.append(at(62), 69);
    await session.saveChanges();
}

scenario("a raw query of a series gives its entries", async ({ store, assert }) => {
    await withSeries(store);
    const session = store.openSession();
    const rows = await session.advanced.rawQuery(`
        declare timeseries out(x) { from x.HeartRate between $start and $end where Value > 60 }
        from Users as u where u.age > 30 select out(u)`, TimeSeriesRawResult)
        .addParameter("start", at(0)).addParameter("end", at(100)).all();
    assert.equal(rows.length, 1);
    assert.equal(rows[0].count, 2);
    assert.deepEqual(rows[0].results.map(each => each.value), [79, 69]);
    assert.equal(rows[0].results[0].tag, "watches/1");
    assert.equal(rows[0].results[0].timestamp.getTime(), at(1).getTime());
});

scenario("groups are read as aggregations, selected by text and by a builder", async ({ store, assert }) => {
    await withSeries(store);
    const session = store.openSession();
    const [row] = await session.advanced.rawQuery(`
        declare timeseries out(x) { from x.HeartRate group by '1 hour' select min(), max(), avg() }
        from Users as u where u.age > 30 select out(u)`, TimeSeriesAggregationResult).all();
    assert.equal(row.count, 3);
    assert.equal(row.results.length, 2);
    assert.deepEqual([row.results[0].min[0], row.results[0].max[0], row.results[0].average[0]], [59, 79, 69]);
    assert.deepEqual(row.results[0].count, [2]);
    assert.equal(row.results[1].from.getTime(), at(60).getTime());
    const [built] = await session.query(User).whereGreaterThan("age", 30)
        .selectTimeSeries(b => b.raw("from HeartRate group by '1 hour' select max()"), TimeSeriesAggregationResult).all();
    assert.deepEqual(built.results.map(each => each.max[0]), [79, 69]);
});

scenario("series come along with a query, and the session has them", async ({ store, assert }) => {
    await withSeries(store);
    const session = store.openSession();
    await session.query(User).include(i => i.includeTimeSeries("HeartRate", at(0), at(10))).all();
    const requests = session.advanced.numberOfRequests;
    const entries = await session.timeSeriesFor("users/1", "HeartRate").get(at(0), at(10));
    assert.deepEqual(entries.map(each => each.value), [59, 79]);
    assert.equal(session.advanced.numberOfRequests, requests);
});

scenario("policies and names of values are configured and read in the record", async ({ store, assert }) => {
    const configuration = new TimeSeriesConfiguration();
    const users = new TimeSeriesCollectionConfiguration();
    users.policies = [
        new TimeSeriesPolicy("ByDay", TimeValue.ofDays(1), TimeValue.ofYears(1)),
        new TimeSeriesPolicy("ByHour", TimeValue.ofHours(1), TimeValue.ofMonths(2)),
    ];
    users.rawPolicy = new RawTimeSeriesPolicy(TimeValue.ofDays(2));
    configuration.collections.set("Users", users);
    configuration.policyCheckFrequencyInMs = 1000;
    const result = await store.maintenance.send(new ConfigureTimeSeriesOperation(configuration));
    assert.ok(result.raftCommandIndex > 0);
    await store.maintenance.send(new ConfigureTimeSeriesPolicyOperation(
        "Users", new TimeSeriesPolicy("ByMonth", TimeValue.ofMonths(1))));
    await store.maintenance.send(new ConfigureRawTimeSeriesPolicyOperation(
        "Users", new RawTimeSeriesPolicy(TimeValue.ofDays(3))));
    await store.maintenance.send(new RemoveTimeSeriesPolicyOperation("Users", "ByDay"));
    const names = { collection: "Users", timeSeries: "HeartRate", valueNames: ["Rate"], update: true };
    await store.maintenance.send(new ConfigureTimeSeriesValueNamesOperation(names));
    const record = await store.maintenance.server.send(new GetDatabaseRecordOperation(store.database));
    const read = record.timeSeries.collections.get("Users");
    assert.deepEqual(read.policies.map(each => each.name), ["ByHour", "ByMonth"]);
    assert.equal(read.rawPolicy.retentionTime.value, 3 * 86400);
    assert.deepEqual(record.timeSeries.getNames("users", "heartrate"), ["Rate"]);
    const error = await failure(() => store.maintenance.send(new ConfigureTimeSeriesPolicyOperation(
        "Users", new TimeSeriesPolicy("Odd", TimeValue.ofSeconds(5400)))));
    assert.match(error.message, /multiple/);
});

scenario("a series is rolled up by itself", async ({ store, assert }) => {
    await withSeries(store);
    const configuration = new TimeSeriesConfiguration();
    const users = new TimeSeriesCollectionConfiguration();
    users.policies = [new TimeSeriesPolicy("ByHour", TimeValue.ofHours(1))];
    configuration.collections.set("Users", users);
    configuration.policyCheckFrequencyInMs = 1000;
    await store.maintenance.send(new ConfigureTimeSeriesOperation(configuration));
    let entries = null;
    for (let i = 0; i < 200 && !(entries?.length > 0); i++) {
        await new Promise(resolve => setTimeout(resolve, 100));
        entries = await store.openSession().timeSeriesFor("users/1", "HeartRate@ByHour").get();
    }
    assert.deepEqual(entries.map(each => each.timestamp.getTime()), [at(0).getTime(), at(60).getTime()]);
    assert.deepEqual(entries[0].values, [59, 79, 59, 79, 138, 2]);
    assert.ok(entries[0].isRollup);
});
