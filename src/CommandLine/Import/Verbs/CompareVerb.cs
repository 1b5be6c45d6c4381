using System.Text.Json;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>
/// Compares files with a database: every document read back must be equal as JSON (order of properties and the way a
/// number is written do not count), and every collection must hold as many documents as the files gave it.
/// </summary>
internal sealed class CompareVerb(ServerClient server, VerbOutput output)
{
    private const int BatchSize = 256;
    private const int ReportedMax = 20;
    private readonly List<(string Id, byte[] Json, string Where)> _batch = [];
    private readonly Dictionary<string, string> _collections = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, string> _unequal = new(StringComparer.OrdinalIgnoreCase);

    internal async Task<int> RunAsync(SourceSet sources, IdentityOptions options)
    {
        TextWriter lines = output.Lines;
        Progress progress = output.Begin(sources.LengthBytes);
        try
        {
            long count = await progress.RunAsync("compare", () => CompareAllAsync(sources, options, progress));
            List<string> problems = [.. _unequal.Values, .. await CompareCountsAsync()];
            problems.Take(ReportedMax).ToList().ForEach(lines.WriteLine);
            output.Set("Documents", count);
            output.Set("Differences", problems.Count);
            await lines.WriteLineAsync(
                $"{progress.Describe()}; {_collections.Count:N0} ids, " +
                $"{count - _collections.Count:N0} of them given twice, {problems.Count} differences");
            return problems.Count == 0 ? ExitCode.Success : ExitCode.NotEqual;
        }
        catch (ImportFormatException broken)
        {
            await lines.WriteLineAsync(broken.Message);
            return ExitCode.BrokenInput;
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException)
        {
            await lines.WriteLineAsync($"The comparison failed: {failure.Message}");
            return ExitCode.ServerFailed;
        }
    }

    /// <summary>
    /// Whether a stored document is the source's, its metadata compared without what the server owns.
    /// </summary>
    internal static bool AreEqual(JsonElement source, JsonElement stored)
    {
        if (source.ValueKind != JsonValueKind.Object || stored.ValueKind != JsonValueKind.Object)
        {
            return false;
        }

        var storedProperties = stored.EnumerateObject().ToDictionary(each => each.Name, each => each.Value);
        _ = storedProperties.Remove("@metadata", out JsonElement storedMetadata);
        foreach (JsonProperty property in source.EnumerateObject())
        {
            bool isEqual = property.NameEquals("@metadata")
                ? HasMetadata(property.Value, storedMetadata)
                : storedProperties.Remove(property.Name, out JsonElement value)
                    && JsonElement.DeepEquals(property.Value, value);
            if (!isEqual)
            {
                return false;
            }
        }

        return storedProperties.Count == 0;
    }

    private static bool HasMetadata(JsonElement source, JsonElement stored) => stored.ValueKind == JsonValueKind.Object
        && source.EnumerateObject()
            .Where(each => each.Name != "@collection" && !DocumentEnvelope.IsServerOwned(each.Name))
            .All(each => stored.TryGetProperty(each.Name, out JsonElement value)
                && JsonElement.DeepEquals(each.Value, value));

    private async Task<long> CompareAllAsync(SourceSet sources, IdentityOptions options, Progress progress)
    {
        var envelope = new DocumentEnvelope(options);
        long count = 0;
        while (sources.TryRead(out ReadOnlyMemory<byte> document))
        {
            Add(envelope, document, sources);
            progress.Report(++count, sources.RawBytesRead, sources.TextBytesRead);
            if (_batch.Count == BatchSize)
            {
                await CompareBatchAsync();
            }
        }

        await CompareBatchAsync();
        return count;
    }

    private void Add(DocumentEnvelope envelope, ReadOnlyMemory<byte> document, SourceSet sources)
    {
        if (!envelope.TryIdentify(document.Span, out DocumentEnvelope.Identity identity, out string reason))
        {
            throw sources.Error(reason);
        }

        _collections[identity.Id] = identity.Collection;
        _batch.Add((identity.Id, document.ToArray(), sources.Error("").Message));
    }

    /// <summary>
    /// Compares a batch. A document whose id comes again later was overwritten by that one: its difference is forgotten
    /// when the later one is equal.
    /// </summary>
    private async Task CompareBatchAsync()
    {
        if (_batch.Count == 0)
        {
            return;
        }

        string[] ids = [.. _batch.Select(each => each.Id).Distinct(StringComparer.OrdinalIgnoreCase)];
        using JsonDocument answer = await server.GetDocumentsAsync(ids);
        var stored = new Dictionary<string, JsonElement>(StringComparer.OrdinalIgnoreCase);
        foreach (JsonElement result in answer.RootElement.GetProperty("Results").EnumerateArray())
        {
            if (result.ValueKind == JsonValueKind.Object)
            {
                stored[result.GetProperty("@metadata").GetProperty("@id").GetString()!] = result;
            }
        }

        foreach ((string id, byte[] json, string where) in _batch)
        {
            using JsonDocument source = JsonDocument.Parse(json);
            if (!stored.TryGetValue(id, out JsonElement found))
            {
                _unequal[id] = $"{where}'{id}' is not in the database";
            }
            else if (!AreEqual(source.RootElement, found))
            {
                _unequal[id] = $"{where}'{id}' differs from what is in the database";
            }
            else
            {
                _unequal.Remove(id);
            }
        }

        _batch.Clear();
    }

    private async Task<List<string>> CompareCountsAsync()
    {
        Dictionary<string, long> counts = await server.CountCollectionsAsync();
        return
        [
            .. _collections.Values.GroupBy(name => name, StringComparer.OrdinalIgnoreCase)
                .Select(group => (Name: group.Key, Wanted: group.LongCount()))
                .Select(each => (each.Name, each.Wanted, Found: counts.GetValueOrDefault(each.Name)))
                .Where(each => each.Wanted != each.Found)
                .Select(each => $"collection {each.Name} holds {each.Found} documents, the files {each.Wanted}"),
        ];
    }
}
