// What a query can do besides comparing fields, by the client's own builders.
import { IndexDefinition, MoreLikeThisStopWords, PointField, PutIndexesOperation, RangeBuilder } from "ravendb";
import { scenario } from "../harness.mjs";

class Place {
    constructor(fields) {
        Object.assign(this, fields);
    }
}

class Text {
    constructor(fields) {
        Object.assign(this, fields);
    }
}

const names = found => found.map(one => one.name);

async function withPlaces(store) {
    const session = store.openSession();
    await session.store(new Place({ name: "Haifa", lat: 32.8, lng: 35.0 }), "places/1");
    await session.store(new Place({ name: "Tel Aviv", lat: 32.07, lng: 34.78 }), "places/2");
    await session.store(new Place({ name: "London", lat: 51.5, lng: -0.12 }), "places/3");
    await session.saveChanges();
}

async function withTexts(store) {
    const session = store.openSession();
    const texts = ["the red fox runs", "a red fox sleeps", "the blue whale sings", "a blue whale and a red fox", "nothing"];
    for (let i = 0; i < texts.length; i++) {
        await session.store(new Text({ name: `t${i}`, body: texts[i], number: i }), `texts/${i}`);
    }
    const stop = new MoreLikeThisStopWords();
    stop.stopWords = ["red"];
    await session.store(stop, "config/stop");
    await session.saveChanges();
    const definition = new IndexDefinition();
    definition.name = "Texts/ByBody";
    definition.maps = new Set(["map('Texts', t => ({ body: t.body, name: t.name, number: t.number }))"]);
    definition.fields = { body: { indexing: "Search", storage: "Yes", termVector: "WithPositionsAndOffsets" } };
    await store.maintenance.send(new PutIndexesOperation(definition));
}

scenario("places of documents are found and ordered by distance without an index", async ({ store, assert }) => {
    await withPlaces(store);
    const field = new PointField("lat", "lng");
    const near = await store.openSession().query({ collection: "Places" })
        .spatial(field, f => f.withinRadius(100, 32.8, 35, "Miles")).orderByDistance(field, 32.8, 35).all();
    assert.deepEqual(names(near), ["Haifa", "Tel Aviv"]);
    const far = await store.openSession().query({ collection: "Places" })
        .orderByDistanceDescending(field, "POINT (34.7 32)").all();
    assert.deepEqual(names(far), ["London", "Haifa", "Tel Aviv"]);
    const shape = await store.openSession().query({ collection: "Places" })
        .spatial(field, f => f.within("POLYGON ((-1 51, 1 51, 1 52, -1 52, -1 51))")).all();
    assert.deepEqual(names(shape), ["London"]);
});

scenario("places of an index are found", async ({ store, assert }) => {
    await withPlaces(store);
    const definition = new IndexDefinition();
    definition.name = "Places/Where";
    definition.maps = new Set(["map('Places', p => ({ name: p.name, where: createSpatialField(p.lat, p.lng) }))"]);
    await store.maintenance.send(new PutIndexesOperation(definition));
    const found = await store.openSession().query({ indexName: "Places/Where" })
        .withinRadiusOf("where", 100, 32.8, 35).orderBy("name").all();
    assert.deepEqual(names(found), ["Haifa", "Tel Aviv"]);
    const rounded = await store.openSession().query({ indexName: "Places/Where" })
        .orderByDistance("where", 32, 34.7, 500).orderBy("name").all();
    assert.deepEqual(names(rounded), ["Haifa", "Tel Aviv", "London"]);
});

scenario("a filter looks into results, and tells how many", async ({ store, assert }) => {
    await withTexts(store);
    let stats;
    const found = await store.openSession().query({ collection: "Texts" })
        .filter(f => f.greaterThan("number", 1).andAlso().notEquals("name", "t4"), 4).statistics(s => stats = s).all();
    assert.deepEqual(names(found).sort(), ["t2", "t3"]);
    assert.equal(stats.scannedResults, 4);
    assert.equal(stats.indexName, "collection/Texts");
});

scenario("texts like another one are found, by a document, by JSON, and without stop words", async ({ store, assert }) => {
    await withTexts(store);
    const options = { minimumTermFrequency: 1, minimumDocumentFrequency: 1, fields: ["body"] };
    const like = async (use, more) => names(await store.openSession().query({ indexName: "Texts/ByBody" })
        .moreLikeThis(f => use(f).withOptions({ ...options, ...more })).all()).sort();
    const byDocument = f => f.usingDocument(x => x.whereEquals("id()", "texts/0"));
    assert.deepEqual(await like(byDocument), ["t1", "t3"]);
    assert.deepEqual(await like(f => f.usingDocument(JSON.stringify({ body: "whale" }))), ["t2", "t3"]);
    assert.deepEqual(await like(byDocument, { maximumDocumentFrequency: 2 }), []);
    assert.deepEqual(await like(byDocument, { minimumWordLength: 4 }), []);
    assert.deepEqual(await like(f => f.usingDocument(JSON.stringify({ body: "red" }))), ["t0", "t1", "t3"]);
    assert.deepEqual(
        await like(f => f.usingDocument(JSON.stringify({ body: "red" })), { stopWordsDocumentId: "config/stop" }), []);
});

scenario("explanations and timings come with the results", async ({ store, assert }) => {
    await withTexts(store);
    let explanations;
    let timings;
    const found = await store.openSession().query({ indexName: "Texts/ByBody" }).search("body", "fox")
        .includeExplanations(e => explanations = e).timings(t => timings = t).all();
    assert.equal(found.length, 3);
    assert.match(explanations.explanations["texts/0"][1], /search\(body, \$p0\)/);
    assert.ok(timings.durationInMs >= 0);
    assert.deepEqual(Object.keys(timings.timings).map(name => name.toLowerCase()), ["parse", "wait", "search", "results", "includes"]);
});

scenario("conditions are intersected", async ({ store, assert }) => {
    await withTexts(store);
    const found = await store.openSession().query({ indexName: "Texts/ByBody" })
        .search("body", "red").intersect().search("body", "whale").all();
    assert.deepEqual(names(found), ["t3"]);
});

scenario("fragments are highlighted in fields that an index stores", async ({ store, assert }) => {
    await withTexts(store);
    let highlights;
    await store.openSession().query({ indexName: "Texts/ByBody" }).search("body", "whale").highlight(
        { fieldName: "body", fragmentLength: 80, fragmentCount: 2, preTags: ["["], postTags: ["]"] },
        h => highlights = h).all();
    assert.deepEqual(highlights.getFragments("texts/2"), ["the blue [whale] sings"]);
});

scenario("suggestions take how near and how many", async ({ store, assert }) => {
    await withTexts(store);
    const found = await store.openSession().query({ indexName: "Texts/ByBody" })
        .suggestUsing(s => s.byField("body", "whal").withOptions({ pageSize: 1, accuracy: 0.5 })).execute();
    assert.deepEqual(found.body.suggestions, ["whale"]);
});

scenario("facets of an index take ranges and averages", async ({ store, assert }) => {
    await withTexts(store);
    const number = () => RangeBuilder.forPath("number");
    const facets = await store.openSession().query({ indexName: "Texts/ByBody" }).search("body", "red blue")
        .aggregateBy(f => f.byRanges(number().isLessThan(2), number().isGreaterThanOrEqualTo(2)).averageOn("number"))
        .execute();
    const [facet] = Object.values(facets);
    assert.deepEqual(facet.values.map(value => [value.count, value.average]), [[2, 0.5], [2, 2.5]]);
});

scenario("a query of an index is streamed with its projection", async ({ store, assert }) => {
    await withTexts(store);
    await store.openSession().query({ indexName: "Texts/ByBody" }).all();
    const session = store.openSession();
    const stream = await session.advanced.stream(session.advanced.rawQuery(
        "from index 'Texts/ByBody' as t where t.number < $n order by t.number as long select { n: t.name + '!' }")
        .addParameter("n", 3));
    const found = [];
    for await (const item of stream) {
        found.push(item.document.n);
    }
    assert.deepEqual(found, ["t0!", "t1!", "t2!"]);
});

scenario("sample data answers what examples ask, once", async ({ store, database, url, assert }) => {
    const fill = () => fetch(`${url}/databases/${database}/studio/sample-data`, { method: "POST" });
    assert.equal((await fill()).status, 201);
    assert.equal((await fill()).status, 400);
    const session = store.openSession();
    const orders = await session.query({ collection: "Orders" }).whereEquals("Company", "companies/85-A")
        .include("Company").all();
    assert.equal(orders.length, 5);
    assert.equal((await session.load("companies/85-A")).Name, "Vins et alcools Chevalier");
    assert.equal(session.advanced.numberOfRequests, 1);
});
