using System.Text;
using System.Text.Json;
using Newtonsoft.Json.Linq;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>
/// Three properties of each stored document, one of them nested, as an index's map reads them: in place, against
/// parsing. And one property of a thousand.
/// </summary>
internal sealed class ReadSuite : IBenchSuite
{
    private const int Count = 18_801;
    private const int Passes = 30;
    private const int WideCount = 1000;

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        const string rowNames = "read 3 properties";
        foreach (BenchRow row in LookupRows())
        {
            yield return row;
        }

        if (DocumentSets.TryLoadSample(DocumentSets.TateArtworks) is { } sample)
        {
            using StoredDocuments stored = new(sample, BlittableMode.ToMemory);
            WarmUp.Run(() => stored.ReadAll());
            WarmUp.Run(() => stored.ReadAllByHints());
            yield return InCache($"{rowNames}, {sample.Count} documents in the cache", sample.Count, stored.ReadAll);
            yield return InCache(
                $"{rowNames}, {sample.Count} documents in the cache, position cache on",
                sample.Count,
                stored.ReadAllByHints);
        }

        DocumentSet? set = DocumentSets.AreWanted(context, rowNames, DocumentSets.TateArtworks)
            ? DocumentSets.TryLoad(context, DocumentSets.TateArtworks, Count)
            : null;
        if (set is null)
        {
            yield return BenchRow.Skip($"{rowNames} of {Count:N0} documents", "ms", DocumentSets.Missing);
            yield break;
        }

        foreach (BlittableMode mode in (BlittableMode[])[BlittableMode.ToMemory, BlittableMode.ToDisk])
        {
            using StoredDocuments stored = new(set, mode);
            string form = mode == BlittableMode.ToMemory ? "to memory" : "to disk";
            string name = $"{rowNames} of {set.Count:N0} documents, stored {form}";
            bool isPlain = mode == BlittableMode.ToMemory;
            yield return Absolute($"{name}, position cache off", isPlain ? 22 : 0, stored.ReadAll);
            yield return Absolute($"{name}, position cache on", isPlain ? 15.7 : 0, stored.ReadAllByHints);
            yield return Absolute($"{name}, position cache on, read ahead", isPlain ? 15.7 : 0, stored.ReadAllAhead);
            if (isPlain)
            {
                yield return Beside(name, "Newtonsoft", 80, stored, () => ReadByNewtonsoft(set));
                yield return Beside(name, "JsonDocument", 20, stored, () => ReadByFramework(set));
            }
        }
    }

    private static BenchRow Absolute(string name, double millisecondsMax, Func<long> pass) => new()
    {
        Name = name,
        Unit = "ms",
        Target = millisecondsMax > 0 ? BenchTarget.AtMost(millisecondsMax) : BenchTarget.None,
        Ours = () => BenchRunner.Median(
            [.. Enumerable.Range(0, Passes).Select(_ => Measure.CpuSeconds(() => pass()) * 1000)]),
    };

    /// <summary>What is left when no document has to come from memory: the work, without the waiting.</summary>
    private static BenchRow InCache(string name, int count, Func<long> pass) => new()
    {
        Name = name,
        Unit = "ns a document",
        Ours = () => Measure.NanosecondsPerOperation(
            count * 100, () => _ = Enumerable.Range(0, 100).Sum(_ => pass())),
    };

    private static BenchRow Beside(
        string name, string peer, double ratio, StoredDocuments stored, Func<long> parse) => new()
        {
            Name = name,
            Unit = "documents/s",
            PeerName = peer,
            Target = BenchTarget.RatioAtLeast(ratio),
            WarmUpRuns = 1,
            Ours = () => DocumentsPerSecond(Passes, stored.ReadAllAhead),
            Peer = () => DocumentsPerSecond(1, parse),
        };

    private static double DocumentsPerSecond(int passes, Func<long> pass) => BenchRunner.Median(
        [.. Enumerable.Range(0, passes).Select(_ => Measure.OperationsPerCpuSecond(Count, () => pass()))]);

    private static long ReadByNewtonsoft(DocumentSet set)
    {
        long sum = 0;
        foreach (string text in set.Strings)
        {
            JObject document = JObject.Parse(text);
            sum += ((string?)document["title"])?.Length ?? 0;
            sum += ((string?)document["all_artists"])?.Length ?? 0;
            sum += ((string?)(document["subjects"] as JObject)?["name"])?.Length ?? 0;
        }

        return sum;
    }

    private static long ReadByFramework(DocumentSet set)
    {
        long sum = 0;
        for (int i = 0; i < set.Count; i++)
        {
            using JsonDocument document = JsonDocument.Parse(set[i]);
            JsonElement root = document.RootElement;
            sum += root.TryGetProperty("title"u8, out JsonElement title) ? title.GetString()?.Length ?? 0 : 0;
            sum += root.TryGetProperty("all_artists"u8, out JsonElement artist) ? artist.GetString()?.Length ?? 0 : 0;
            sum += root.TryGetProperty("subjects"u8, out JsonElement subjects)
                && subjects.ValueKind == JsonValueKind.Object
                && subjects.TryGetProperty("name"u8, out JsonElement name) ? name.GetString()?.Length ?? 0 : 0;
        }

        return sum;
    }

    // From one size to the next there are three or four comparisons more, and what no longer fits a cache.
    private static IEnumerable<BenchRow> LookupRows()
    {
        foreach (int count in (int[])[10, 100, WideCount, 10_000, 100_000])
        {
            WideObject wide = new(count);
            WarmUp.Run(wide.LookUp);
            yield return new BenchRow
            {
                Name = $"look up a property of {count:N0}",
                Unit = "ns",
                Target = count == WideCount ? BenchTarget.AtMost(150) : BenchTarget.None,
                Ours = () => Measure.NanosecondsPerOperation(WideObject.Lookups, wide.LookUp),
            };
            if (count == WideCount)
            {
                yield return new BenchRow
                {
                    Name = $"look up a property of {count:N0}, allocation",
                    Unit = "B",
                    Target = BenchTarget.AtMost(0),
                    Ours = () => Measure.AllocatedBytesPerOperation(WideObject.Lookups, wide.LookUp),
                };
            }

            wide.Dispose();
        }
    }

    /// <summary>An object of many properties, and their names in no order.</summary>
    private sealed class WideObject : IDisposable
    {
        internal const int Lookups = 200_000;

        private readonly OperationContext _operation = new();
        private readonly byte[][] _names;
        private readonly BlittableObject _object;

        internal WideObject(int count)
        {
            string[] names = [.. Enumerable.Range(0, count).Select(i => $"property{i * 7919L % 100_003}")];
            _names = [.. names.Select(Encoding.UTF8.GetBytes)];
            string json = "{" + string.Join(",", names.Select((name, i) => $"\"{name}\":{i}")) + "}";
            byte[] text = Encoding.UTF8.GetBytes(json);
            if (!_operation.Parser.TryParse(text, BlittableMode.ToMemory, out _object, out JsonError error))
            {
                throw new InvalidDataException(error.Reason);
            }
        }

        public void Dispose() => _operation.Dispose();

        internal void LookUp()
        {
            for (int i = 0; i < Lookups; i++)
            {
                if (!_object.TryGet(_names[(int)(i * 617L % _names.Length)], out _))
                {
                    throw new InvalidDataException("A property is missing.");
                }
            }
        }
    }

    /// <summary>Documents as storage holds them: one behind the other in native memory.</summary>
    private sealed class StoredDocuments : IDisposable
    {
        private readonly OperationContext _operation = new();
        private readonly byte[] _text = new byte[64 * 1024];
        private readonly NativeSlice[] _documents;
        private readonly PropertyHint _title = new("title"u8);
        private readonly PropertyHint _artist = new("all_artists"u8);
        private readonly PropertyHint _subjects = new("subjects"u8);
        private readonly PropertyHint _name = new("name"u8);

        internal StoredDocuments(DocumentSet set, BlittableMode mode)
        {
            _documents = new NativeSlice[set.Count];
            for (int i = 0; i < set.Count; i++)
            {
                if (!_operation.Parser.TryParse(set[i].Span, mode, out BlittableObject document, out JsonError error))
                {
                    throw new InvalidDataException(error.Reason);
                }

                _documents[i] = document.Memory;
            }
        }

        public void Dispose() => _operation.Dispose();

        internal long ReadAll()
        {
            long sum = 0;
            foreach (NativeSlice memory in _documents)
            {
                BlittableObject document = BlittableObject.Open(memory);
                sum += document.TryGet("title"u8, out BlittableValue title) ? Read(title) : 0;
                sum += document.TryGet("all_artists"u8, out BlittableValue artist) ? Read(artist) : 0;
                sum += document.TryGet("subjects"u8, out BlittableValue subjects)
                    && subjects.TryGetObject(out BlittableObject inner)
                    && inner.TryGet("name"u8, out BlittableValue name) ? Read(name) : 0;
            }

            return sum;
        }

        internal long ReadAllByHints()
        {
            long sum = 0;
            foreach (NativeSlice memory in _documents)
            {
                sum += ReadByHints(memory);
            }

            return sum;
        }

        /// <summary>As a map reads a batch: it knows which documents come next, and asks for their memory.</summary>
        internal long ReadAllAhead()
        {
            const int ahead = 4;
            long sum = 0;
            for (int i = 0; i < _documents.Length; i++)
            {
                if (i + ahead < _documents.Length)
                {
                    _documents[i + ahead].Prefetch();
                }

                sum += ReadByHints(_documents[i]);
            }

            return sum;
        }

        private long ReadByHints(NativeSlice memory)
        {
            BlittableObject document = BlittableObject.Open(memory);
            long sum = document.TryGet(_title, out BlittableValue title) ? Read(title) : 0;
            sum += document.TryGet(_artist, out BlittableValue artist) ? Read(artist) : 0;
            sum += document.TryGet(_subjects, out BlittableValue subjects)
                && subjects.TryGetObject(out BlittableObject inner)
                && inner.TryGet(_name, out BlittableValue name) ? Read(name) : 0;
            return sum;
        }

        private long Read(BlittableValue value)
        {
            if (value.TryGetUtf8(out ReadOnlySpan<byte> text))
            {
                return text.Length + text[0];
            }

            return value.Kind == ValueKind.String ? value.CopyUtf8To(_text) : 0;
        }
    }
}
