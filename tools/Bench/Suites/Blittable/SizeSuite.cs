using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>How large documents are, beside their JSON, and the goldens that the format was designed by.</summary>
internal sealed class SizeSuite : IBenchSuite
{
    private const string RowNames = "size of stored documents, to memory, to disk, size as one document";
    private const string Office = """{"Name":"Hibernating Rhinos","Street":"Hanashi 21","City":"Hadera"}""";
    private const string Dogs = """["Arava","Oscar","Phoebe"]""";
    private const int TateCount = 40_000;

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        using OperationContext operation = new();
        yield return Golden("size of the object Office", 48, () => SizeInside(operation, Office));
        yield return Golden("size of the array Dogs", 26, () => SizeInside(operation, Dogs));
        yield return Golden("size of {}", 11, () => SizeOf(operation, "{}"u8, BlittableMode.ToMemory));
        byte[] flat = Attributes(2000);
        yield return Ratio(
            "size of an object of 2,000 short strings in 120 KB",
            1.07,
            flat.Length,
            () => SizeOf(operation, flat, BlittableMode.ToMemory));
        foreach (Goal goal in Goals)
        {
            foreach (BenchRow row in RowsOf(context, operation, goal))
            {
                yield return row;
            }
        }
    }

    private static IReadOnlyList<Goal> Goals { get; } =
    [
        new(DocumentSets.TateArtworks, TateCount, 1.00, 0.82),
        new(DocumentSets.Zips, int.MaxValue, 1.12, 1.00),
        new(DocumentSets.Movies, int.MaxValue, 1.05, 0.80),
        new("mdn-compat", int.MaxValue, 0, 0),
        new("wordnet", int.MaxValue, 0, 0),
        new("northwind", int.MaxValue, 0, 0),
    ];

    private static IEnumerable<BenchRow> RowsOf(BenchContext context, OperationContext operation, Goal goal)
    {
        DocumentSet? set = DocumentSets.AreWanted(context, RowNames, goal.Set)
            ? DocumentSets.TryLoad(context, goal.Set, goal.Count)
            : null;
        if (set is null)
        {
            yield return BenchRow.Skip($"size of stored documents, {goal.Set}", "of the JSON", DocumentSets.Missing);
            yield break;
        }

        yield return Ratio(
            $"size of stored documents, to memory, {set.Describe()}",
            goal.Memory,
            set.Bytes,
            () => SizeOf(operation, set, BlittableMode.ToMemory));
        yield return Ratio(
            $"size of stored documents, to disk, {set.Describe()}",
            goal.Disk,
            set.Bytes,
            () => SizeOf(operation, set, BlittableMode.ToDisk));
        if (goal.Set == DocumentSets.TateArtworks)
        {
            DocumentSet one = set.AsOne();
            yield return Ratio(
                $"size as one document, to memory, {set.Describe()}",
                0.67,
                one.Bytes,
                () => SizeOf(operation, one, BlittableMode.ToMemory));
            yield return Ratio(
                $"size as one document, to disk, {set.Describe()}",
                0.61,
                one.Bytes,
                () => SizeOf(operation, one, BlittableMode.ToDisk));
        }
    }

    private static BenchRow Golden(string name, double bytesMax, Func<long> size) => new()
    {
        Name = name,
        Unit = "B",
        Target = BenchTarget.AtMost(bytesMax),
        WarmUpRuns = 0,
        Ours = () => size(),
    };

    private static BenchRow Ratio(string name, double ratioMax, long jsonBytes, Func<long> size) => new()
    {
        Name = name,
        Unit = "of the JSON",
        Target = ratioMax > 0 ? BenchTarget.AtMost(ratioMax) : BenchTarget.None,
        WarmUpRuns = 0,
        Ours = () => (double)size() / jsonBytes,
    };

    private static long SizeInside(OperationContext operation, string value)
    {
        byte[] twice = Encoding.UTF8.GetBytes($$"""{"a":{{value}},"b":{{value}}}""");
        byte[] once = Encoding.UTF8.GetBytes($$"""{"a":{{value}},"b":null}""");
        return SizeOf(operation, twice, BlittableMode.ToMemory) - SizeOf(operation, once, BlittableMode.ToMemory);
    }

    private static long SizeOf(OperationContext operation, ReadOnlySpan<byte> json, BlittableMode mode)
    {
        if (!operation.Parser.TryParse(json, mode, out BlittableObject document, out JsonError error))
        {
            throw new InvalidDataException(error.Reason);
        }

        long size = document.Memory.Length;
        operation.Reset();
        return size;
    }

    private static long SizeOf(OperationContext operation, DocumentSet set, BlittableMode mode)
    {
        long size = 0;
        for (int i = 0; i < set.Count; i++)
        {
            size += SizeOf(operation, set[i].Span, mode);
        }

        return size;
    }

    // A document of attributes: about 2,000 settings in 120 KB.
    private static byte[] Attributes(int count) => Encoding.UTF8.GetBytes("{" + string.Join(
        ",",
        Enumerable.Range(1000, count).Select(
            i => $"\"Settings.Attribute.Number.{i}\":\"the value of setting {i}\"")) + "}");

    /// <summary>A set, how much of it, and what share of its JSON it may have; 0 if nothing is asked.</summary>
    private sealed record Goal(string Set, int Count, double Memory, double Disk);
}
