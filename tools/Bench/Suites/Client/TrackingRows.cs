using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>
/// What a session pays to see that a document did not change, beside the two ways that it does not take: trees of JSON,
/// and blittable documents (docs/decisions/0009-changes-are-found-in-json.md).
/// </summary>
internal static class TrackingRows
{
    private const int Tracked = 50_000;
    private const string Unchanged = "unchanged document of a session, looked for changes";
    private const string BesideTrees = $"{Unchanged}, beside trees: thread CPU us";
    private const string BesideBlittable = $"{Unchanged}, beside blittable documents: thread CPU us";
    private const string Arrived = "document of 1 KB, made a blittable one as it arrives: thread CPU us";

    internal static readonly string[] Names = [BesideTrees, BesideBlittable, Arrived];

    internal static IEnumerable<BenchRow> GetRows(BenchContext context, IDocumentStore store)
    {
        if (!Names.Any(context.Wants))
        {
            yield break;
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        ClientItem[] items = LoadAll(session);
        yield return Row(
            BesideTrees, "System.Text.Json, both parsed, DeepEquals", () => CpuOfChanges(session),
            () => CpuOfTrees(items));
        yield return Row(
            BesideBlittable, "kept blittable, entity made one, bytes compared", () => CpuOfChanges(session),
            () => CpuOfBlittable(items));
        yield return Row(Arrived, "", CpuOfArrival, null);
    }

    private static BenchRow Row(string name, string peer, Func<double> ours, Func<double>? theirs) => new()
    {
        Name = name, Unit = "us", PeerName = peer, Ours = ours, Peer = theirs, WarmUpRuns = 12,
    };

    /// <summary>Each as a query brings it: the handler's documents have the ids of the first ones only.</summary>
    private static ClientItem[] LoadAll(IAsyncDocumentSession session)
    {
        session.Advanced.MaxNumberOfRequestsPerSession = int.MaxValue;
        return [.. session.Query<ClientItem>().ToListAsync().GetAwaiter().GetResult()];
    }

    private static double CpuOfChanges(IAsyncDocumentSession session)
    {
        const int rounds = Tracked / 25;
        return Measure.NanosecondsPerOperation(Tracked, () =>
        {
            for (int i = 0; i < rounds; i++)
            {
                Require(!session.Advanced.HasChanges);
            }
        }) / 1000;
    }

    private static double CpuOfTrees(ClientItem[] items)
    {
        byte[][] stored = [.. items.Select((_, i) => Encoding.UTF8.GetBytes(MemoryHandler.DocumentOf(i)))];
        return Measure.NanosecondsPerOperation(Tracked, () =>
        {
            for (int i = 0; i < Tracked; i++)
            {
                int number = i % items.Length;
                using JsonDocument old = JsonDocument.Parse(stored[number]);
                using JsonDocument current = JsonDocument.Parse(JsonSerializer.SerializeToUtf8Bytes(items[number]));
                foreach (JsonProperty property in old.RootElement.EnumerateObject())
                {
                    Require(property.Name == "@metadata" || JsonElement.DeepEquals(
                        property.Value, current.RootElement.GetProperty(property.Name)));
                }
            }
        }) / 1000;
    }

    /// <summary>
    /// As much as can be said for it: the kept document is there at no cost and in the very form that the entity gets,
    /// so that comparing them is comparing memory, and all buffers are used again.
    /// </summary>
    private static double CpuOfBlittable(ClientItem[] items)
    {
        using var operation = new OperationContext();
        var buffer = new ArrayBufferWriter<byte>(2048);
        using var writer = new Utf8JsonWriter(buffer);
        byte[][] kept = [.. items.Select(item => ToBlittable(item, operation, buffer, writer).ToArray())];
        return Measure.NanosecondsPerOperation(Tracked, () =>
        {
            for (int i = 0; i < Tracked; i++)
            {
                int number = i % items.Length;
                Require(ToBlittable(items[number], operation, buffer, writer).SequenceEqual(kept[number]));
                operation.Reset();
            }
        }) / 1000;
    }

    private static ReadOnlySpan<byte> ToBlittable(
        ClientItem item, OperationContext operation, ArrayBufferWriter<byte> buffer, Utf8JsonWriter writer)
    {
        buffer.ResetWrittenCount();
        writer.Reset(buffer);
        JsonSerializer.Serialize(writer, item);
        return ToBlittable(buffer.WrittenSpan, operation);
    }

    private static ReadOnlySpan<byte> ToBlittable(ReadOnlySpan<byte> json, OperationContext operation)
    {
        Require(operation.Parser.TryParse(
            json, BlittableMode.ToMemory, out BlittableObject document, out JsonError _));
        return document.Memory.Span;
    }

    /// <summary>What a session would pay for each document that it reads, changed or not.</summary>
    private static double CpuOfArrival()
    {
        using var operation = new OperationContext();
        byte[] json = Encoding.UTF8.GetBytes(MemoryHandler.DocumentOf(1));
        return Measure.NanosecondsPerOperation(Tracked, () =>
        {
            for (int i = 0; i < Tracked; i++)
            {
                Require(!ToBlittable(json, operation).IsEmpty);
                operation.Reset();
            }
        }) / 1000;
    }

    private static void Require(bool isSame)
    {
        if (!isSame)
        {
            throw new InvalidOperationException("Nothing has changed.");
        }
    }
}
