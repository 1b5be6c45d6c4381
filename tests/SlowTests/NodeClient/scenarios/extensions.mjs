// Analyzers and sorters in C#: the server runs with Indexing.CSharp=All.
import {
    DeleteAnalyzerOperation, DeleteIndexOperation, DeleteServerWideAnalyzerOperation, DeleteServerWideSorterOperation,
    DeleteSorterOperation, IndexDefinition, PutAnalyzersOperation, PutIndexesOperation,
    PutServerWideAnalyzersOperation, PutServerWideSortersOperation, PutSortersOperation,
} from "ravendb";
import { failure, scenario } from "../harness.mjs";

class Part {
    constructor(code) {
        this.code = code;
    }
}

// Cuts at dashes.
const analyzer = name => ({
    name,
    code: `public sealed class ${name} : Analyzer
{
    public override string Name => "${name}";

    public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        int start = 0;
        for (int i = 0; i <= text.Length; i++)
        {
            if (i == text.Length || text[i] == (byte)'-')
            {
                tokens.Add(text[start..i], start, i - start, position++);
                start = i + 1;
            }
        }

        return position;
    }
}`,
});

// The shortest first.
const sorter = name => ({
    name,
    code: `public sealed class ${name} : FieldComparator
{
    public override int Compare(SortValue left, SortValue right) => left.Utf8.Length - right.Utf8.Length;
}`,
});

async function withParts(store) {
    const session = store.openSession();
    for (const [number, code] of ["ab-1 x-long", "ab-2", "CD"].entries()) {
        await session.store(new Part(code), `parts/${number}`);
    }
    await session.saveChanges();
}

function byCode(name) {
    const index = new IndexDefinition();
    index.name = "Parts/ByCode";
    index.maps = new Set(["map('Parts', p => ({ code: p.code }))"]);
    index.fields = { code: { indexing: "Search", analyzer: name } };
    return index;
}

/** What is found in an index of that analyzer: words between dashes are terms, and they keep their case. */
async function foundWith(store, name) {
    await store.maintenance.send(new PutIndexesOperation(byCode(name)));
    const find = async word => (await store.openSession().query({ indexName: "Parts/ByCode" })
        .waitForNonStaleResults().search("code", word).all()).map(part => part.code);
    const found = [...(await find("ab")).sort(), ...await find("cd"), ...await find("CD")];
    await store.maintenance.send(new DeleteIndexOperation("Parts/ByCode"));
    return found;
}

async function orderedWith(store, name) {
    const query = store.openSession().query({ collection: "Parts" }).orderBy("code", { sorterName: name });
    return (await query.all()).map(part => part.code);
}

scenario("an analyzer of a database cuts the texts of its indexes until it is deleted", async ({ store, assert }) => {
    await withParts(store);
    await store.maintenance.send(new PutAnalyzersOperation(analyzer("DashAnalyzer")));
    assert.deepEqual(await foundWith(store, "DashAnalyzer"), ["ab-1 x-long", "ab-2", "CD"]);
    await store.maintenance.send(new DeleteAnalyzerOperation("DashAnalyzer"));
    assert.match((await failure(() => foundWith(store, "DashAnalyzer"))).message, /Cannot find analyzer type 'DashAnalyzer'/);
});

scenario("an analyzer of the server cuts the texts of all databases until it is deleted", async ({ store, assert }) => {
    await withParts(store);
    await store.maintenance.server.send(new PutServerWideAnalyzersOperation(analyzer("WideAnalyzer")));
    assert.deepEqual(await foundWith(store, "WideAnalyzer"), ["ab-1 x-long", "ab-2", "CD"]);
    await store.maintenance.server.send(new DeleteServerWideAnalyzerOperation("WideAnalyzer"));
    assert.match((await failure(() => foundWith(store, "WideAnalyzer"))).message, /Cannot find analyzer type 'WideAnalyzer'/);
});

scenario("a sorter of a database orders its queries until it is deleted", async ({ store, assert }) => {
    await withParts(store);
    await store.maintenance.send(new PutSortersOperation(sorter("LengthSorter")));
    assert.deepEqual(await orderedWith(store, "LengthSorter"), ["CD", "ab-2", "ab-1 x-long"]);
    await store.maintenance.send(new DeleteSorterOperation("LengthSorter"));
    assert.match((await failure(() => orderedWith(store, "LengthSorter"))).message, /no sorter with 'LengthSorter' name/);
});

scenario("a sorter of the server orders queries of all databases until it is deleted", async ({ store, assert }) => {
    await withParts(store);
    await store.maintenance.server.send(new PutServerWideSortersOperation(sorter("WideSorter")));
    assert.deepEqual(await orderedWith(store, "WideSorter"), ["CD", "ab-2", "ab-1 x-long"]);
    await store.maintenance.server.send(new DeleteServerWideSorterOperation("WideSorter"));
    assert.match((await failure(() => orderedWith(store, "WideSorter"))).message, /no sorter with 'WideSorter' name/);
});
