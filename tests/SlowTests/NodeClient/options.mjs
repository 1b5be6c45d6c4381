// node options.mjs SERVER-URL DATABASE: sends to a database with three Items the commands of every value of every option
// that options.txt compares, one line a value: {"option","value","answers":[{"request","status","body"}]}. OptionTests.cs sends the same with the
// .NET client (each function here has its twin in OptionScenarios.cs) and compares the answers.
// node options.mjs declared: the unions of strings in the type declarations of the client, one a line: NAME VALUE ...
import { readdir, readFile } from "node:fs/promises";
import {
    CounterBatchOperation, DocumentStore, GetAttachmentOperation, GetClientConfigurationOperation, GetIndexOperation,
    GroupBy, IndexDefinition, PutClientConfigurationOperation, PutIndexesOperation, RavenQuery,
    SetDatabasesLockOperation, SetIndexesLockOperation, SetIndexesPriorityOperation, SetLogsConfigurationOperation,
    SpatialOptions,
} from "ravendb";

const here = new URL("./", import.meta.url);
const box = "POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0))";

const query = (store, index) => store.openSession().advanced
    .documentQuery(index ? { indexName: index } : { collection: "Items" }).waitForNonStaleResults().noCaching();

/** Puts an index of its own for the value, and asks for its definition and by it. */
async function index({ store, name }, change, ask = "where Text = 'red' order by id()") {
    const definition = new IndexDefinition();
    definition.name = name;
    definition.maps = new Set(["map('Items', i => ({ Text: i.text, N: i.n, V: i.v, Place: createSpatialField(i.wkt) }))"]);
    change(definition);
    await store.maintenance.send(new PutIndexesOperation(definition));
    await store.maintenance.send(new GetIndexOperation(name));
    if (ask) {
        await store.openSession().advanced.rawQuery(`from index '${name}' ${ask}`)
            .waitForNonStaleResults().noCaching().all();
    }
}

const field = (name, option, ask) => (context, value) =>
    index(context, definition => definition.fields = { [name]: { [option]: value } }, ask);

const spatial = (options, ask) => (context, value) => index(context, definition => definition.fields =
    { Place: { spatial: Object.assign(new SpatialOptions(), options(value)) } }, ask);

const member = name => (context, value) => index(context, definition => definition[name] = value);

const facet = (store, options) => query(store).aggregateBy(b => options(b)).execute();

const configuration = name => async ({ store }, value) => {
    await store.maintenance.send(new PutClientConfigurationOperation({ [name]: value }));
    await store.maintenance.send(new GetClientConfigurationOperation());
};

const options = {
    FieldIndexing: field("Text", "indexing"),
    FieldStorage: field("Text", "storage", "order by id() select Text"),
    FieldTermVector: field("Text", "termVector"),
    IndexPriority: async (context, value) => {
        await member("priority")(context, value);
        await context.store.maintenance.send(new SetIndexesPriorityOperation(context.name, value));
        await context.store.maintenance.send(new GetIndexOperation(context.name));
    },
    IndexLockMode: async (context, value) => {
        await member("lockMode")(context, value);
        await context.store.maintenance.send(new SetIndexesLockOperation(context.name, value));
        await context.store.maintenance.send(new GetIndexOperation(context.name));
        // What is locked against changes keeps its map, with an error or without one.
        await index(context, definition => definition.maps = new Set(["map('Items', i => ({ Text: 'changed' }))"]), null);
    },
    IndexState: (context, value) => index(context, definition => definition.state = value, null),
    IndexDeploymentMode: member("deploymentMode"),
    ArchivedDataProcessingBehavior: member("archivedDataProcessingBehavior"),
    SearchEngineType: (context, value) => index(
        context, definition => definition.configuration = { "Indexing.Static.SearchEngineType": value }),
    SpatialFieldType: spatial(
        type => ({ type, strategy: type === "Cartesian" ? "QuadPrefixTree" : "GeohashPrefixTree" }),
        `where spatial.within(Place, spatial.wkt('${box}')) order by id()`),
    SpatialSearchStrategy: spatial(strategy => ({ strategy }), `where spatial.within(Place, spatial.wkt('${box}')) order by id()`),
    SpatialUnits: async (context, units) => {
        await spatial(() => ({ units }), "where spatial.within(Place, spatial.circle(80, 32.5, 35)) order by id()")(context, units);
        await query(context.store, context.name).spatial("Place", f => f.withinRadius(80, 32.5, 35, units)).all();
    },
    VectorEmbeddingType: (context, value) => index(context, definition => {
        definition.maps = new Set(["map('Items', i => ({ V: createVector(i.v) }))"]);
        definition.fields = { V: { vector: { sourceEmbeddingType: "Single", destinationEmbeddingType: value } } };
    }, null),
    SearchOperator: ({ store }, value) => query(store).search("text", "red fox", value).all(),
    QueryOperator: ({ store }, value) =>
        query(store).usingDefaultOperator(value).whereEquals("n", 2).whereEquals("code", "a9").all(),
    OrderingType: ({ store }, value) => query(store).orderBy("code", value).orderBy("n", value).all(),
    NullsOrdering: ({ store }, value) => query(store).orderBy("n", value, "Long").all(),
    FacetAggregation: ({ store }, value) => facet(store, b => value === "None"
        ? b.byField("code") : b.byField("code")[`${value.toLowerCase()}On`]("n")),
    FacetTermSortMode: ({ store }, value) => facet(store, b => b.byField("tags").withOptions({ termSortMode: value })),
    SpatialRelation: ({ store, once }, value) => once(
        "Relations", name => index({ store, name }, () => { }, null),
        name => query(store, name).spatial("Place", f => f.relatesToShape(box, value)).orderBy("id()").all()),
    StringDistanceTypes: ({ store, once }, value) => once(
        "Suggestions", name => index({ store, name }, d => d.fields = { Text: { indexing: "Search", suggestions: true } }, null),
        name => query(store, name).suggestUsing(b => b.byField("Text", "reb").withOptions({ distance: value })).execute()),
    SuggestionSortMode: ({ store, once }, value) => once(
        "Sorted", name => index({ store, name }, d => d.fields = { Text: { indexing: "Search", suggestions: true } }, null),
        name => query(store, name).suggestUsing(b => b.byField("Text", "reb").withOptions({ sortMode: value })).execute()),
    GroupByMethod: ({ store }, value) => query(store)
        .groupBy(value === "Array" ? GroupBy.array("tags") : GroupBy.field("code")).selectKey(null, "key").selectCount("count").all(),
    DateMethodType: ({ store }, value) =>
        query(store).whereGreaterThan("at", value === "Now" ? RavenQuery.now() : RavenQuery.today()).all(),
    ProjectionBehavior: ({ store, once }, value) => once(
        "Projected", name => index({ store, name }, d => d.fields = { Text: { storage: "Yes" } }, null),
        name => store.openSession().advanced.rawQuery(`from index '${name}' select Text, code`)
            .projection(value).waitForNonStaleResults().noCaching().all()),
    WhereOperator: ({ store, once }, value) => once(
        "Conditions", name => index({ store, name }, d => {
            d.maps = new Set(["map('Items', i => ({ Text: i.text, N: i.n, tags: i.tags, V: createVector(i.v), "
                + "Place: createSpatialField(i.wkt) }))"]);
            d.fields = { Text: { indexing: "Search" }, V: { vector: {} } };
        }, null),
        name => conditions[value](query(store, name)).all()),
    TransactionMode: async ({ store, name }, transactionMode) => {
        const session = store.openSession({ transactionMode });
        await session.store({ text: "new", "@metadata": { "@collection": "Others" } }, `others/${name}`);
        await session.saveChanges();
    },
    ConcurrencyCheckMode: async ({ store, name }, value) => {
        for (const changeVector of value === "Auto" ? [undefined] : value === "Forced" ? ["A:1-x", ""] : [null]) {
            const session = store.openSession();
            session.advanced.useOptimisticConcurrency = value === "Auto";
            await session.store({ text: "new", "@metadata": { "@collection": "Others" } }, "others/same", changeVector === undefined ? {} : { changeVector });
            await session.saveChanges().catch(() => { });
        }
    },
    ForceRevisionStrategy: async ({ store }, value) => {
        const session = store.openSession();
        session.advanced.revisions.forceRevisionCreationFor("items/1", value);
        await session.saveChanges();
    },
    CounterOperationType: ({ store }, type) => {
        const serialize = () => ({ Documents: [{ DocumentId: "items/1", Operations: [
            { Type: type, CounterName: "likes", Delta: 2 }] }] });
        return store.operations.send(new CounterBatchOperation({ documents: [], serialize }));
    },
    CommandType: async ({ store }, type) => {
        const session = store.openSession();
        session.advanced.defer({ id: "items/1", ids: [{ id: "items/1" }], type, name: "file", changeVector: null, serialize: () => ({ ...commands(type), Type: type }) });
        await session.saveChanges();
    },
    AttachmentType: ({ store }, value) => store.operations.send(new GetAttachmentOperation("items/1", "none", value, "A:1-x")),
    LogMode: ({ store }, mode) => store.maintenance.server.send(new SetLogsConfigurationOperation({ mode })),
    DatabaseLockMode: ({ store, database }, value) =>
        store.maintenance.server.send(new SetDatabasesLockOperation({ databaseNames: [database], mode: value })),
    ReadBalanceBehavior: configuration("readBalanceBehavior"),
    LoadBalanceBehavior: configuration("loadBalanceBehavior"),
};

const conditions = {
    Equals: q => q.whereEquals("N", 2),
    NotEquals: q => q.whereNotEquals("N", 2),
    GreaterThan: q => q.whereGreaterThan("N", 2),
    GreaterThanOrEqual: q => q.whereGreaterThanOrEqual("N", 2),
    LessThan: q => q.whereLessThan("N", 10),
    LessThanOrEqual: q => q.whereLessThanOrEqual("N", 10),
    In: q => q.whereIn("N", [2, 3]),
    AllIn: q => q.containsAll("tags", ["x", "y"]),
    Between: q => q.whereBetween("N", 1, 5),
    Search: q => q.search("Text", "fox"),
    Lucene: q => q.whereLucene("Text", "fox"),
    StartsWith: q => q.whereStartsWith("Text", "wha"),
    EndsWith: q => q.whereEndsWith("Text", "ale"),
    Exists: q => q.whereExists("N"),
    SpatialWithin: q => q.spatial("Place", f => f.within(box)),
    SpatialContains: q => q.spatial("Place", f => f.contains(box)),
    SpatialDisjoint: q => q.spatial("Place", f => f.disjoint(box)),
    SpatialIntersects: q => q.spatial("Place", f => f.intersects(box)),
    Regex: q => q.whereRegex("Text", "^wh"),
    VectorSearch: q => q.vectorSearch(f => f.withField("V"), v => v.byEmbedding([0, 1]), { similarity: 0.9 }),
};

/** The body of a command of a batch, as both clients write it: what is no command of this server's is sent as bare as here. */
const commands = type => ({
    PUT: { Id: "others/put", Document: { text: "new", "@metadata": { "@collection": "Others" } } },
    PATCH: { Id: "others/put", Patch: { Script: "this.text = 'patched'" } },
    DELETE: { Id: "others/put" },
    CompareExchangePUT: { Id: "key", Document: { Object: 1 }, Index: 0 },
    CompareExchangeDELETE: { Id: "key", Index: 0 },
    Counters: { Id: "items/1", Counters: { DocumentId: "items/1", Operations: [
        { Type: "Increment", CounterName: "likes", Delta: 1 }] } },
    BatchPATCH: { Ids: [{ Id: "items/1" }, { Id: "items/none" }], Patch: { Script: "this.patched = 1" } },
    ForceRevisionCreation: { Id: "items/1" },
}[type] ?? { Id: "items/1", Name: "file", DestinationId: "items/2", DestinationName: "file" });

async function send(url, database) {
    const store = new DocumentStore(url, database);
    let answers = [];
    store.conventions.customFetch = async (target, init) => {
        const response = await fetch(target, { ...init, dispatcher: undefined });
        const { pathname } = new URL(target);
        answers.push({
            request: `${init?.method ?? "GET"} ${pathname}`, status: response.status, body: await response.clone().text(),
        });
        return response;
    };
    store.initialize();
    const made = new Set();
    const once = async (name, make, then) => {
        if (!made.has(name)) {
            made.add(name);
            await make(name);
        }
        await then(name);
    };
    for (const line of (await readFile(new URL("options.txt", here), "utf8")).split("\n")) {
        const [option, kind, ...values] = line.split(" ");
        for (const value of kind === "compared" ? values : []) {
            answers = [];
            let thrown = null;
            try {
                await options[option]({ store, database, once, name: `${option}/${value}` }, value);
            } catch (error) {
                thrown = error.stack;
            }
            process.stdout.write(JSON.stringify({ option, value, thrown, answers }) + "\n");
        }
    }
    store.dispose();
}

async function declared() {
    const folder = new URL("node_modules/ravendb/dist/esm/", here);
    for (const file of (await readdir(folder, { recursive: true })).filter(name => name.endsWith(".d.ts")).sort()) {
        const text = (await readFile(new URL(file.replaceAll("\\", "/"), folder), "utf8")).replace(/\/\*[\s\S]*?\*\//g, "");
        for (const match of text.matchAll(/^(?:export )?(?:declare )?type (\w+) =((?:\s*\|?\s*"[^"]+")+);/gm)) {
            process.stdout.write(`${match[1]} ${[...match[2].matchAll(/"([^"]+)"/g)].map(value => value[1]).join(" ")}\n`);
        }
    }
}

await (process.argv[2] === "declared" ? declared() : send(process.argv[2], process.argv[3]));
process.exit(0);
