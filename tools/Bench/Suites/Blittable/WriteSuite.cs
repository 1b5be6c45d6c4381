using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>Documents to JSON, beside the framework and Newtonsoft, from documents that are parsed before.</summary>
internal sealed class WriteSuite : IBenchSuite
{
    private const string RowNames = "write JSON, in original order, escape positions";
    private const long BytesMax = 3_000_000;
    private const int LargeDocumentBytes = 1000;

    /// <summary>Writes what ours writes: text as it is, without a second look at the order of the calls.</summary>
    private static readonly JsonWriterOptions _relaxed =
        new() { SkipValidation = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        bool isFirst = true;
        foreach (DocumentSet set in Sets(context))
        {
            using Documents documents = new(set);
            if (isFirst)
            {
                WarmUp.Run(() => documents.Write(JsonOutputOptions.Default));
                WarmUp.Run(() => documents.Write(JsonOutputOptions.Original));
                WarmUp.Run(() => documents.WriteByFramework(default));
                WarmUp.Run(documents.WriteByNewtonsoft);
                WarmUp.Run(documents.WriteByScanning);
                isFirst = false;
            }

            foreach (BenchRow row in RowsOf(documents))
            {
                yield return row;
            }
        }
    }

    private static IEnumerable<DocumentSet> Sets(BenchContext context)
    {
        if (DocumentSets.TryLoadSample(DocumentSets.TateArtworks) is { } sample)
        {
            yield return sample;
        }

        foreach (string name in DocumentSets.Names)
        {
            if (DocumentSets.AreWanted(context, RowNames, name)
                && DocumentSets.TryLoad(context, name, int.MaxValue) is { } set)
            {
                yield return set.Head(BytesMax);
            }
        }
    }

    private static IEnumerable<BenchRow> RowsOf(Documents documents)
    {
        DocumentSet set = documents.Set;
        bool isLarge = set.BytesPerDocument >= LargeDocumentBytes;
        double ours() => Rate(set, () => documents.Write(JsonOutputOptions.Default));
        yield return new BenchRow
        {
            Name = $"write JSON, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "JsonDocument.WriteTo",
            Target = BenchTarget.RatioAtLeast(isLarge ? 3 : 2),
            Ours = ours,
            Peer = () => Rate(set, () => documents.WriteByFramework(default)),
        };
        yield return new BenchRow
        {
            Name = $"write JSON, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "the same, relaxed",
            Ours = ours,
            Peer = () => Rate(set, () => documents.WriteByFramework(_relaxed)),
        };
        yield return new BenchRow
        {
            Name = $"write JSON, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "Newtonsoft",
            Target = BenchTarget.RatioAtLeast(isLarge ? 6 : 4),
            Ours = ours,
            Peer = () => Rate(set, documents.WriteByNewtonsoft),
        };
        yield return new BenchRow
        {
            Name = $"write JSON, allocation, {set.Describe()}",
            Unit = "B/document",
            Target = BenchTarget.AtMost(0),
            Ours = () => Measure.AllocatedBytesPerOperation(
                set.Count * set.Rounds, () => documents.Write(JsonOutputOptions.Default)),
        };
        yield return new BenchRow
        {
            Name = $"write JSON in original order, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "sorted order",
            Ours = () => Rate(set, () => documents.Write(JsonOutputOptions.Original)),
            Peer = ours,
        };
        yield return new BenchRow
        {
            Name = $"write JSON by escape positions, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "scanning each string",
            Ours = ours,
            Peer = () => Rate(set, documents.WriteByScanning),
        };
    }

    private static double Rate(DocumentSet set, Action work) => Measure.MegabytesPerCpuSecond(set.RunBytes, work);

    /// <summary>One set, parsed three ways.</summary>
    private sealed class Documents : IDisposable
    {
        private readonly OperationContext _operation = new();
        private readonly BlittableValue[] _ours;
        private readonly JsonDocument[] _framework;
        private readonly JToken[] _newtonsoft;
        private readonly ArrayBufferWriter<byte> _target = new(1 << 20);

        internal Documents(DocumentSet set)
        {
            Set = set;
            _ours = new BlittableValue[set.Count];
            for (int i = 0; i < set.Count; i++)
            {
                if (!_operation.Parser.TryParseValue(
                    set[i].Span, BlittableMode.ToMemory, out _ours[i], out JsonError error))
                {
                    throw new InvalidDataException(error.Reason);
                }
            }

            _framework = [.. Enumerable.Range(0, set.Count).Select(i => JsonDocument.Parse(set[i]))];
            _newtonsoft = [.. set.Strings.Select(text => JToken.Parse(text))];
        }

        internal DocumentSet Set { get; }

        public void Dispose()
        {
            _operation.Dispose();
            foreach (JsonDocument document in _framework)
            {
                document.Dispose();
            }
        }

        internal void Write(JsonOutputOptions options)
        {
            for (int round = 0; round < Set.Rounds; round++)
            {
                foreach (BlittableValue value in _ours)
                {
                    _target.ResetWrittenCount();
                    BlittableToJson.Write(value, _target, options);
                }
            }
        }

        internal void WriteByFramework(JsonWriterOptions options)
        {
            using Utf8JsonWriter writer = new(_target, options);
            for (int round = 0; round < Set.Rounds; round++)
            {
                foreach (JsonDocument document in _framework)
                {
                    _target.ResetWrittenCount();
                    writer.Reset(_target);
                    document.WriteTo(writer);
                    writer.Flush();
                }
            }
        }

        internal void WriteByNewtonsoft()
        {
            for (int round = 0; round < Set.Rounds; round++)
            {
                foreach (JToken document in _newtonsoft)
                {
                    _ = document.ToString(Formatting.None);
                }
            }
        }

        /// <summary>As a format without escape positions would have to: every string is searched for escapes.</summary>
        internal void WriteByScanning()
        {
            for (int round = 0; round < Set.Rounds; round++)
            {
                foreach (BlittableValue value in _ours)
                {
                    _target.ResetWrittenCount();
                    JsonOutput output = new(_target);
                    WriteByScanning(ref output, value);
                    output.Flush();
                }
            }
        }

        private static void WriteByScanning(ref JsonOutput output, BlittableValue value)
        {
            if (value.TryGetObject(out BlittableObject item))
            {
                output.StartObject();
                for (int i = 0; i < item.Count; i++)
                {
                    BlittableProperty property = item.GetProperty(i);
                    output.Name(property.Name);
                    WriteByScanning(ref output, property.Value);
                }

                output.EndObject();
            }
            else if (value.TryGetArray(out BlittableArray array))
            {
                output.StartArray();
                for (int i = 0; i < array.Count; i++)
                {
                    WriteByScanning(ref output, array[i]);
                }

                output.EndArray();
            }
            else if (value.TryGetUtf8(out ReadOnlySpan<byte> text))
            {
                output.String(text);
            }
            else
            {
                output.Value(value);
            }
        }
    }
}
