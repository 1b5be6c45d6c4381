using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Catalog;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Settings;
using Raven.Documents.Subscriptions;

namespace Raven.Documents.Smuggler;

/// <summary>What a dump says of how a database works: its record, its indexes and subscriptions. What cannot be taken
/// is reported, and the import goes on.</summary>
internal sealed class DumpImportDefinitions(
    Database database, QueryServices services, DumpOptions options, DumpResult result)
{
    /// <summary>Members of a record that say nothing that could be taken over.</summary>
    private static readonly HashSet<string> OfTheDump = new(StringComparer.Ordinal)
    {
        "DatabaseName", "Encrypted", "UnusedDatabaseIds", "DatabaseState", "LockMode", "Topology", "Etag",
    };

    private readonly List<(string Name, byte[] Json)> _last = [];

    /// <summary>Takes what this server has a feature for, and says what it left out.</summary>
    internal async ValueTask TakeRecordAsync(BlittableObject record)
    {
        using JsonDocument json = ToJson(record);
        foreach (JsonProperty member in json.RootElement.EnumerateObject())
        {
            if (OfTheDump.Contains(member.Name) || IsEmpty(member.Value))
            {
                continue;
            }

            if (!options.HasMember(member.Name))
            {
                result.DatabaseRecord.Skipped++;
                continue;
            }

            try
            {
                if (await TryTakeAsync(member).ConfigureAwait(false))
                {
                    result.DatabaseRecord.Read++;
                }
                else
                {
                    result.DatabaseRecord.Skipped++;
                    result.Say($"DatabaseRecord: {member.Name} is left out, as this server does not take it over.");
                }
            }
            catch (Exception e) when (e is FormatException or ExtensionException or RefusedException
                or InvalidOperationException or KeyNotFoundException or JsonException)
            {
                result.Fail(result.DatabaseRecord, $"DatabaseRecord: {member.Name} is not valid: {e.Message}");
            }
        }
    }

    /// <summary>Takes what the record says of rules for documents, which are all in.</summary>
    internal async ValueTask EndAsync()
    {
        foreach ((string name, byte[] json) in _last)
        {
            try
            {
                await database.ConfigureAsync(name, json).ConfigureAwait(false);
            }
            catch (FormatException e)
            {
                result.DatabaseRecord.Read--;
                result.Fail(result.DatabaseRecord, $"DatabaseRecord: {name} is not valid: {e.Message}");
            }
        }
    }

    /// <summary>Takes the definition of an index: <c>{"Type","IndexDefinition"}</c>.</summary>
    internal async ValueTask TakeIndexAsync(BlittableObject item)
    {
        using JsonDocument json = ToJson(item);
        string name = "";
        try
        {
            if (!json.RootElement.TryGetProperty("IndexDefinition", out JsonElement source)
                || source.ValueKind != JsonValueKind.Object)
            {
                result.Fail(result.Indexes, "An item of Indexes has no IndexDefinition.");
                return;
            }

            name = source.TryGetProperty("Name", out JsonElement text) ? text.ToString() : "";
            if (IsForeignAuto(json.RootElement, source))
            {
                result.Indexes.Skipped++;
                result.Say($"Index '{name}' is left out: it is automatic, and the first query that needs it makes it.");
                return;
            }

            IndexDefinition definition = IndexDefinitionJson.Parse(source);
            if (definition.IsAuto)
            {
                await database.Indexes.Auto.FindOrAddAsync(
                    definition.AutoCollection, definition.AutoFields, out _).ConfigureAwait(false);
            }
            else
            {
                await database.Indexes.Changes.PutAsync(Prepare(definition)).ConfigureAwait(false);
            }

            result.Indexes.Read++;
        }
        catch (Exception e) when (e is FormatException or IndexCompilationException or IndexLockedException
            or AnalyzerMissingException or RefusedException or InvalidOperationException or KeyNotFoundException
            or JsonException)
        {
            result.Fail(result.Indexes, $"Index '{name}' is left out: {e.Message}");
        }
    }

    /// <summary>Takes the definition of a subscription. One of that name gets the new definition and stays where it is,
    /// others begin at the first document.</summary>
    internal async ValueTask TakeSubscriptionAsync(BlittableObject item)
    {
        using JsonDocument json = ToJson(item);
        string? name = null;
        try
        {
            name = TextOf(json.RootElement, "SubscriptionName");
            string? query = TextOf(json.RootElement, "Query");
            if (string.IsNullOrEmpty(name) || query is null)
            {
                result.Fail(result.Subscriptions, "An item of Subscriptions has no SubscriptionName or no Query.");
                return;
            }

            await database.Subscriptions(services).UpdateAsync(new SubscriptionChange
            {
                Name = name,
                Query = query,
                IsDisabled = FlagOf(json.RootElement, "Disabled"),
                Archived = ArchivedOf(TextOf(json.RootElement, "ArchivedDataProcessingBehavior")),
                MentorNode = TextOf(json.RootElement, "MentorNode"),
                PinToMentorNode = FlagOf(json.RootElement, "PinToMentorNode"),
                CreatesMissing = true,
            }).ConfigureAwait(false);
            result.Subscriptions.Read++;
        }
        catch (Exception e) when (e is FormatException or SubscriptionException or RqlException)
        {
            result.Fail(result.Subscriptions, $"Subscription '{name}' is left out: {e.Message}");
        }
    }

    private static ArchivedDocuments? ArchivedOf(string? text) => text switch
    {
        null => null,
        _ when char.IsAsciiLetter(text.FirstOrDefault())
            && Enum.TryParse(text, ignoreCase: true, out ArchivedDocuments archived) => archived,
        _ => throw new FormatException($"'{text}' is no ArchivedDataProcessingBehavior."),
    };

    private static string? TextOf(JsonElement json, string name) =>
        !json.TryGetProperty(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null ? null
        : value.ValueKind == JsonValueKind.String ? value.GetString()
        : throw new FormatException($"{name} must be a text.");

    private static bool? FlagOf(JsonElement json, string name) =>
        !json.TryGetProperty(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null ? null
        : value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean()
        : throw new FormatException($"{name} must be true or false.");

    private IndexDefinition Prepare(IndexDefinition definition) => !options.RemovesAnalyzers
        ? definition
        : definition with
        {
            Fields = definition.Fields.ToDictionary(
                pair => pair.Key, pair => pair.Value with { Analyzer = null }),
        };

    private async ValueTask<bool> TryTakeAsync(JsonProperty member)
    {
        switch (member.Name)
        {
            case "Revisions" or "RevisionsForConflicts" or "Expiration" or "Refresh" or "Client"
                or "DataArchival" or "RevisionsBin":
                await ConfigureAsync(member).ConfigureAwait(false);
                return true;
            case "UniqueConstraints" or "SchemaValidation":
                // Rules come into effect behind the documents: what breaks one is then reported, and not left out.
                _last.Add((member.Name, Encoding.UTF8.GetBytes(member.Value.GetRawText())));
                return true;
            case "Analyzers":
                await PutAsync(ExtensionKind.Analyzer, member.Value).ConfigureAwait(false);
                return true;
            case "Sorters":
                await PutAsync(ExtensionKind.Sorter, member.Value).ConfigureAwait(false);
                return true;
            default:
                return false;
        }
    }

    private async ValueTask ConfigureAsync(JsonProperty member)
    {
        var record = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(record))
        {
            writer.WriteStartObject();
            member.WriteTo(writer);
            writer.WriteEndObject();
        }

        RecordSettings.Extract(record.WrittenMemory, out RecordSettings settings);
        await settings.ApplyAsync(database, services.Clock.GetUtcNow()).ConfigureAwait(false);
    }

    private async ValueTask PutAsync(ExtensionKind kind, JsonElement sources)
    {
        List<ExtensionSource> all = [];
        foreach (JsonProperty source in sources.EnumerateObject())
        {
            string code = source.Value.GetProperty("Code").GetString() ?? "";
            all.Add(new ExtensionSource(kind, source.Name, code));
        }

        await ExtensionChanges.PutAsync(database.Indexes, all).ConfigureAwait(false);
    }

    /// <summary>Whether it is an automatic index in a form that says less than ours.</summary>
    private static bool IsForeignAuto(JsonElement item, JsonElement definition)
    {
        string type = item.TryGetProperty("Type", out JsonElement named) ? named.ToString() : "";
        return type.StartsWith("Auto", StringComparison.OrdinalIgnoreCase)
            && !(definition.TryGetProperty("AutoFields", out JsonElement fields)
                && fields.ValueKind == JsonValueKind.Array && fields.GetArrayLength() > 0);
    }

    private static bool IsEmpty(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null or JsonValueKind.False => true,
        JsonValueKind.Number => value.ToString() == "0",
        JsonValueKind.Array => value.GetArrayLength() == 0,
        JsonValueKind.Object => !value.EnumerateObject().Any(),
        _ => false,
    };

    private static JsonDocument ToJson(BlittableObject value)
    {
        var json = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(value, json, JsonOutputOptions.Original);
        return StoredJson.Parse(json.WrittenMemory);
    }
}
