using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;

namespace FastTests.Indexing.Static;

/// <summary>A map that reads, compares and calculates leaves no garbage.</summary>
public sealed class MapAllocationTests
{
    private const int Runs = 3;

    [Fact]
    public void A_map_in_CSharp_allocates_nothing_per_document()
    {
        using MapBench bench = new();
        for (int i = 0; i < 20; i++)
        {
            bench.Documents.Put($"d/{i}", """
                {"Name":"Ayende","Age":40,"Address":{"City":"Hadera"},"Lines":[{"P":1,"Q":2},{"P":3,"Q":4}]}
                """);
        }

        using DocumentMap map = MapBench.Compiler().Compile(MapBench.Define(
            "from d in docs where d.Age > 30 && d.Name == \"Ayende\" let n = d.Age * 2 from l in d.Lines "
            + "select new { d.Name, d.Address.City, Missing = d.A.B.C, n, Total = l.P * l.Q }"))[0];
        CountingSink sink = new();
        Run(bench, map, sink);
        long least = long.MaxValue;
        for (int run = 0; run < Runs; run++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Run(bench, map, sink);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal((1 + Runs) * 20 * 2 * 4, sink.Values);

        // In one of them a collection may have taken what is kept for the next; what a document leaves is in each of
        // them. Documents are 20, so that one byte each would show.
        Assert.InRange(least, 0, 19);
    }

    private static void Run(MapBench bench, DocumentMap map, MapSink sink)
    {
        using DocumentSnapshot snapshot = bench.Documents.Database.BeginRead();
        DocumentCursor cursor = snapshot.DocumentsByEtag(0);
        while (cursor.MoveNext(out StoredDocument document))
        {
            map.Run(document, sink);
        }
    }

    private sealed class CountingSink : MapSink
    {
        private readonly Dictionary<string, MapField> _fields = [];

        internal int Values { get; private set; }

        internal override OperationContext Context => throw new InvalidOperationException();

        internal override MapField Field(string name) => Field(name, IndexFieldOptions.Default);

        internal override MapField Field(string name, IndexFieldOptions options)
        {
            if (!_fields.TryGetValue(name, out MapField? field))
            {
                field = new MapField(name, options);
                _fields[name] = field;
            }

            return field;
        }

        internal override void BeginEntry()
        {
        }

        internal override void Add(MapField field, BlittableValue value) => Values++;

        internal override void Add(MapField field, ReadOnlySpan<byte> text) => Values++;

        internal override void Add(MapField field, string text) => Values++;

        internal override void Add(MapField field, long value) => Values++;

        internal override void Add(MapField field, double value) => Values++;

        internal override void Add(MapField field, bool value) => Values++;

        internal override void AddNull(MapField field) => Values++;

        internal override void EndEntry()
        {
        }

        internal override void AddReference(ReadOnlySpan<byte> id, string collection)
        {
        }

        internal override void AddValueReference(ReadOnlySpan<byte> key)
        {
        }
    }
}
