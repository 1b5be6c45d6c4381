using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Reduce;

namespace FastTests.Indexing.Reduce;

/// <summary>The results of groups, as an index would have them.</summary>
internal sealed class BufferedResults : ReduceOutput
{
    private readonly Dictionary<string, string> _results = [];

    internal override OperationContext Context => throw new InvalidOperationException("Results have memory already.");

    internal int PutCount { get; private set; }

    internal List<string> Failures { get; } = [];

    /// <summary>The JSON of all results, sorted.</summary>
    internal IEnumerable<string> Sorted => _results.Values.Order(StringComparer.Ordinal);

    internal override void Put(ReadOnlySpan<byte> groupKey, BlittableObject result)
    {
        PutCount++;
        ArrayBufferWriter<byte> json = new();
        BlittableToJson.Write(result, json, JsonOutputOptions.Original);
        _results[Convert.ToHexString(groupKey)] = Encoding.UTF8.GetString(json.WrittenSpan);
    }

    internal override void Delete(ReadOnlySpan<byte> groupKey) => _results.Remove(Convert.ToHexString(groupKey));

    internal override void Fail(ReadOnlySpan<byte> groupKey, Exception failure) => Failures.Add(failure.Message);
}
