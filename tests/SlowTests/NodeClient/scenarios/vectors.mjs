// Vector search by the client's own builders.
import { IndexDefinition, PutIndexesOperation, RavenVector, VectorQuantizer } from "ravendb";
import { scenario } from "../harness.mjs";

class Movie {
    constructor(fields) {
        Object.assign(this, fields);
    }
}

const names = found => found.map(one => one.name);

const base64 = vector => Buffer.from(new Float32Array(vector).buffer).toString("base64");

async function withMovies(store) {
    const session = store.openSession();
    const vectors = { up: [0, 1, 0.1], near: [0.2, 1, 0.1], right: [1, 0, 0.1], down: [0, -1, 0.1] };
    for (const [name, vector] of Object.entries(vectors)) {
        await session.store(new Movie({
            name, kind: name === "near" ? "b" : "a", plain: vector, raven: RavenVector(vector), text: base64(vector),
            bytes: VectorQuantizer.toInt8(vector), bits: VectorQuantizer.toInt1(vector), several: [vector, [0, 0, -1]],
        }), `movies/${name}`);
    }
    await session.store(new Movie({ name: "none", kind: "a" }), "movies/none");
    await session.saveChanges();
}

scenario("the nearest vectors come first without an index", async ({ store, assert }) => {
    await withMovies(store);
    const query = () => store.openSession().query({ collection: "Movies" });
    assert.deepEqual(names(await query().vectorSearch("plain", [0, 2, 0.2]).all()), ["up", "near", "right"]);
    for (const field of ["plain", "raven", "several"]) {
        const found = await query().vectorSearch(f => f.withEmbedding(field), v => v.byEmbedding([0, 1, 0.1]),
            { similarity: 0.9 }).all();
        assert.deepEqual(names(found), ["up", "near"], field);
    }
    const byText = await query().vectorSearch(f => f.withBase64("text"), v => v.byBase64(base64([1, 0, 0])),
        { similarity: 0.5, numberOfCandidates: 1 }).all();
    assert.deepEqual(names(byText), ["right"]);
    const wrapped = await query().vectorSearch(f => f.withEmbedding("plain"), v => v.byEmbedding(RavenVector([1, 0, 0])),
        { numberOfCandidates: 1 }).all();
    assert.deepEqual(names(wrapped), ["right"]);
    const several = await query().vectorSearch(f => f.withEmbedding("plain"), v => v.byEmbeddings([[1, 0, 0], [0, -1, 0]]),
        { similarity: 0.99 }).all();
    assert.deepEqual(names(several).sort(), ["down", "right"]);
    const like = await query().vectorSearch(f => f.withEmbedding("plain"), v => v.forDocument("movies/up"),
        { similarity: 0.9, isExact: true }).all();
    assert.deepEqual(names(like), ["up", "near"]);
});

scenario("vectors are kept as bytes and bits", async ({ store, assert }) => {
    await withMovies(store);
    const query = () => store.openSession().query({ collection: "Movies" });
    for (const target of ["Int8", "Binary"]) {
        const found = await query().vectorSearch(f => f.withEmbedding("plain").targetQuantization(target),
            v => v.byEmbedding([-0.1, -1, 0.1]), { numberOfCandidates: 1, similarity: 0.3 }).all();
        assert.deepEqual(names(found), ["down"], target);
    }
    const bytes = await query().vectorSearch(f => f.withEmbedding("bytes", "Int8"),
        v => v.byEmbedding(VectorQuantizer.toInt8([1, 0, 0.1])), { similarity: 0.95 }).all();
    assert.deepEqual(names(bytes), ["right"]);
    const bits = await query().vectorSearch(f => f.withEmbedding("bits", "Binary"),
        v => v.byEmbedding(VectorQuantizer.toInt1([0, -1, 0.1])), { similarity: 0.95 }).all();
    assert.deepEqual(names(bits), ["down"]);
});

scenario("other conditions count before the nearest are chosen", async ({ store, assert }) => {
    await withMovies(store);
    const found = await store.openSession().query({ collection: "Movies" })
        .vectorSearch("plain", [0.2, 1, 0.1], { numberOfCandidates: 1 }).whereEquals("kind", "a").all();
    assert.deepEqual(names(found), ["up"]);
});

scenario("fields of vectors of an index are defined, read back and searched", async ({ store, assert }) => {
    await withMovies(store);
    const definition = new IndexDefinition();
    definition.name = "Movies/ByVector";
    definition.maps = new Set(["map('Movies', m => ({ name: m.name, vector: createVector(m.plain) }))"]);
    definition.fields = { vector: { vector: {
        sourceEmbeddingType: "Single", destinationEmbeddingType: "Int8", dimensions: 3, numberOfEdges: 16,
        numberOfCandidatesForIndexing: 32 } } };
    await store.maintenance.send(new PutIndexesOperation(definition));
    const found = await store.openSession().query({ indexName: "Movies/ByVector" })
        .vectorSearch(f => f.withField("vector"), v => v.byEmbedding([1, 0, 0]), { similarity: 0.8 }).all();
    assert.deepEqual(names(found), ["right"]);
    const kept = await (await fetch(`${store.urls[0]}/databases/${store.database}/indexes?name=Movies/ByVector`)).json();
    assert.deepEqual(kept.Results[0].Fields.vector.Vector, {
        SourceEmbeddingType: "Single", DestinationEmbeddingType: "Int8", Dimensions: 3, NumberOfEdges: 16,
        NumberOfCandidatesForIndexing: 32 });
});

scenario("texts are refused, for want of a language model", async ({ store, assert }) => {
    await withMovies(store);
    await assert.rejects(
        store.openSession().query({ collection: "Movies" })
            .vectorSearch(f => f.withText("name"), v => v.byText("a film")).all(),
        error => error.name === "InvalidQueryException" && /language model/.test(error.message));
});
