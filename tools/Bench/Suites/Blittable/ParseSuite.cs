using System.Text.Json;
using System.Text.Json.Nodes;
using Newtonsoft.Json.Linq;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>JSON to documents, beside the framework's and Newtonsoft's DOM, over every set.</summary>
internal sealed class ParseSuite : IBenchSuite
{
    private const string RowNames = "parse to memory, parse to disk, allocation";
    private const int CountMax = 18_801;
    private const long BytesMax = 12_000_000;
    private const int SetWarmUpMilliseconds = 250;

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        using OperationContext operation = new();
        if (DocumentSets.TryLoadSample(DocumentSets.TateArtworks) is { } sample)
        {
            WarmUp.Run(() => Parse(sample, operation, BlittableMode.ToMemory));
            WarmUp.Run(() => Parse(sample, operation, BlittableMode.ToDisk));
            WarmUp.Run(() => ParseByFramework(sample));
            WarmUp.Run(() => ParseByNewtonsoft(sample));
        }

        foreach (DocumentSet set in Sets(context))
        {
            WarmUpFor(set, operation);
            foreach (BenchRow row in RowsOf(set, operation))
            {
                yield return row;
            }
        }

        foreach (string name in DocumentSets.Names)
        {
            if (!context.TryGetDataFile(name + ".ndjson.gz", out _))
            {
                yield return BenchRow.Skip($"parse, {name}", "MB/s", DocumentSets.Missing);
            }
        }
    }

    private static IEnumerable<DocumentSet> Sets(BenchContext context)
    {
        foreach (string sample in (string[])[DocumentSets.TateArtworks, "mdn-compat"])
        {
            if (DocumentSets.TryLoadSample(sample) is { } set)
            {
                yield return set;
            }
        }

        foreach (string name in DocumentSets.Names)
        {
            if (DocumentSets.AreWanted(context, RowNames, name))
            {
                DocumentSet? set = DocumentSets.TryLoad(context, name, CountMax)?.Head(BytesMax);
                if (set is not null)
                {
                    yield return set;
                    yield return set.AsOne();
                }
            }
        }

        if (DocumentSets.AreWanted(context, RowNames, "one of"))
        {
            foreach (DocumentSet set in DocumentSets.LoadCorpus(context))
            {
                yield return set;
                if (set.Split() is { } parts)
                {
                    yield return parts;
                }
            }
        }
    }

    // Each set has something that those before had not, indentation say, whose code is then new to the JIT.
    private static void WarmUpFor(DocumentSet set, OperationContext operation)
    {
        WarmUp.Run(() => Parse(set, operation, BlittableMode.ToMemory), SetWarmUpMilliseconds);
        WarmUp.Run(() => Parse(set, operation, BlittableMode.ToDisk), SetWarmUpMilliseconds);
        WarmUp.Run(() => ParseByFramework(set), SetWarmUpMilliseconds);
        WarmUp.Run(() => ParseByNewtonsoft(set), SetWarmUpMilliseconds);
    }

    private static IEnumerable<BenchRow> RowsOf(DocumentSet set, OperationContext operation)
    {
        double memory() => Rate(set, () => Parse(set, operation, BlittableMode.ToMemory));
        double disk() => Rate(set, () => Parse(set, operation, BlittableMode.ToDisk));
        double framework() => Rate(set, () => ParseByFramework(set));
        double nodes() => Rate(set, () => ParseByNodes(set));
        double newtonsoft() => Rate(set, () => ParseByNewtonsoft(set));
        yield return new BenchRow
        {
            Name = $"parse to memory, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "JsonDocument",
            Target = BenchTarget.RatioAtLeast(1.3),
            Ours = memory,
            Peer = framework,
        };
        yield return new BenchRow
        {
            Name = $"parse to memory, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "Newtonsoft",
            Target = BenchTarget.RatioAtLeast(6),
            Ours = memory,
            Peer = newtonsoft,
        };
        yield return new BenchRow
        {
            Name = $"parse to memory, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "JsonNode",
            Ours = memory,
            Peer = nodes,
        };
        yield return new BenchRow
        {
            Name = $"parse to memory, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "Utf8JsonReader, tokens alone",
            Ours = memory,
            Peer = () => Rate(set, () => ReadTokens(set)),
        };
        yield return new BenchRow
        {
            Name = $"parse to disk, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "JsonDocument",
            Target = BenchTarget.RatioAtLeast(0.6),
            Ours = disk,
            Peer = framework,
        };
        yield return new BenchRow
        {
            Name = $"parse to disk, {set.Describe()}",
            Unit = "MB/s",
            PeerName = "Newtonsoft",
            Target = BenchTarget.RatioAtLeast(1),
            Ours = disk,
            Peer = newtonsoft,
        };
        yield return new BenchRow
        {
            Name = $"parse to memory, allocation, {set.Describe()}",
            Unit = "B/document",
            Target = BenchTarget.AtMost(0),
            Ours = () => Measure.AllocatedBytesPerOperation(
                set.Count * set.Rounds, () => Parse(set, operation, BlittableMode.ToMemory)),
        };
    }

    private static double Rate(DocumentSet set, Action work) => Measure.MegabytesPerCpuSecond(set.RunBytes, work);

    private static void Parse(DocumentSet set, OperationContext operation, BlittableMode mode)
    {
        JsonToBlittable parser = operation.Parser;
        for (int round = 0; round < set.Rounds; round++)
        {
            for (int i = 0; i < set.Count; i++)
            {
                if (!parser.TryParseValue(set[i].Span, mode, out BlittableValue _, out JsonError error))
                {
                    throw new InvalidDataException(error.Reason);
                }

                operation.Reset();
            }
        }
    }

    private static void ParseByFramework(DocumentSet set)
    {
        for (int round = 0; round < set.Rounds; round++)
        {
            for (int i = 0; i < set.Count; i++)
            {
                JsonDocument.Parse(set[i]).Dispose();
            }
        }
    }

    /// <summary>What a document costs at least that takes its tokens from the framework.</summary>
    private static void ReadTokens(DocumentSet set)
    {
        for (int round = 0; round < set.Rounds; round++)
        {
            for (int i = 0; i < set.Count; i++)
            {
                Utf8JsonReader reader = new(set[i].Span);
                while (reader.Read())
                {
                }
            }
        }
    }

    private static void ParseByNodes(DocumentSet set)
    {
        for (int round = 0; round < set.Rounds; round++)
        {
            for (int i = 0; i < set.Count; i++)
            {
                _ = JsonNode.Parse(set[i].Span);
            }
        }
    }

    private static void ParseByNewtonsoft(DocumentSet set)
    {
        for (int round = 0; round < set.Rounds; round++)
        {
            foreach (string text in set.Strings)
            {
                _ = JToken.Parse(text);
            }
        }
    }
}
