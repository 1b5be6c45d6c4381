// Indexes in C#, put and queried by the client's own classes.
import { AbstractCsharpIndexCreationTask } from "ravendb";
import { scenario } from "../harness.mjs";

class Sale {
    constructor(fields) {
        Object.assign(this, fields);
    }
}

class Shirt {
    constructor(fields) {
        Object.assign(this, fields);
    }
}

class Sales_ByGain extends AbstractCsharpIndexCreationTask {
    constructor() {
        super();
        this.map = `from s in docs.Sales
            where s.price != null
            select new { gain = s.price - s.cost, maker = s.maker.ToUpper(), words = s.text }`;
        this.index("words", "Search");
        this.store("gain", "Yes");
    }
}

class Sales_ByMaker extends AbstractCsharpIndexCreationTask {
    constructor() {
        super();
        this.map = "docs.Sales.Select(s => new { maker = s.maker, count = 1, total = s.price })";
        this.reduce = `from r in results
            group r by r.maker into g
            select new { maker = g.Key, count = g.Sum(x => x.count), total = g.Sum(x => x.total) }`;
    }
}

class Shirts_ByType extends AbstractCsharpIndexCreationTask {
    constructor() {
        super();
        this.map = "from s in docs.Shirts from t in s.types select new { s.maker, t.color, t.size }";
    }
}

const sales = [
    { maker: "ann", price: 30, cost: 10, text: "the red fox" },
    { maker: "bob", price: 12, cost: 10, text: "a blue whale" },
    { maker: "ann", price: 50, cost: 15, text: "a red whale" },
    { maker: "cid", price: null, cost: 1, text: "red" },
];

async function withSales(store) {
    const session = store.openSession();
    for (let i = 0; i < sales.length; i++) {
        await session.store(new Sale(sales[i]), `sales/${i}`);
    }
    await session.saveChanges();
}

const ids = found => found.map(one => one.id);

scenario("an index in C# is put and queried by its class", async ({ store, assert }) => {
    await withSales(store);
    await new Sales_ByGain().execute(store);
    const query = () => store.openSession().query({ index: Sales_ByGain }).waitForNonStaleResults();
    assert.deepEqual(
        ids(await query().whereGreaterThan("gain", 5).orderBy("gain", "Double").all()), ["sales/0", "sales/2"]);
    assert.deepEqual(ids(await query().whereEquals("maker", "BOB").all()), ["sales/1"]);
    assert.deepEqual(
        ids(await query().search("words", "red").orderByDescending("gain", "Double").all()), ["sales/2", "sales/0"]);
    assert.equal(await query().count(), 3);
    const gains = await query().orderBy("gain", "Double").selectFields(["gain"]).all();
    assert.deepEqual(gains.map(one => typeof one === "object" ? one.gain : one), [2, 20, 35]);

    const session = store.openSession();
    const changed = await session.load("sales/1");
    changed.price = 100;
    await session.delete("sales/0");
    await session.saveChanges();
    assert.deepEqual(ids(await query().orderByDescending("gain", "Double").all()), ["sales/1", "sales/2"]);
});

scenario("an index in C# that reduces is put and queried by its class", async ({ store, assert }) => {
    await withSales(store);
    await new Sales_ByMaker().execute(store);
    const query = () => store.openSession().query({ index: Sales_ByMaker }).waitForNonStaleResults();
    const rows = found => found.map(one => [one.maker, one.count, one.total]);
    assert.deepEqual(rows(await query().orderBy("maker").all()), [["ann", 2, 80], ["bob", 1, 12], ["cid", 1, 0]]);
    assert.deepEqual(rows(await query().whereGreaterThan("total", 20).all()), [["ann", 2, 80]]);

    const session = store.openSession();
    await session.store(new Sale({ maker: "bob", price: 8, cost: 1 }), "sales/9");
    await session.delete("sales/3");
    const changed = await session.load("sales/0");
    changed.maker = "dan";
    await session.saveChanges();
    let stats;
    const all = await query().statistics(s => stats = s).orderByDescending("total", "Double").all();
    assert.deepEqual(rows(all), [["ann", 1, 50], ["dan", 1, 30], ["bob", 2, 20]]);
    assert.equal(stats.totalResults, 3);
    assert.equal(stats.indexName, "Sales/ByMaker");
});

scenario("conditions are intersected over the entries of a document", async ({ store, assert }) => {
    const session = store.openSession();
    const types = (...all) => all.map(([color, size]) => ({ color, size }));
    await session.store(new Shirt({ maker: "ann", types: types(["Blue", "Small"], ["Gray", "Large"]) }), "shirts/1");
    await session.store(new Shirt({ maker: "bob", types: types(["Blue", "Large"], ["Gray", "Small"]) }), "shirts/2");
    await session.store(new Shirt({ maker: "cid", types: types(["Blue", "Small"], ["Red", "Large"]) }), "shirts/3");
    await session.saveChanges();
    await new Shirts_ByType().execute(store);
    const found = await store.openSession().query({ index: Shirts_ByType }).waitForNonStaleResults()
        .whereEquals("color", "Blue").andAlso().whereEquals("size", "Small")
        .intersect()
        .whereEquals("color", "Gray").andAlso().whereEquals("size", "Large").all();
    assert.deepEqual(ids(found), ["shirts/1"]);
});
