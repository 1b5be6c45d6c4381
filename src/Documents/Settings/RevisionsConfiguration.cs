using System.Text;
using System.Text.Json;
using Raven.Documents.Ids;

namespace Raven.Documents.Settings;

/// <summary>Which earlier versions a database keeps, by collection. Immutable.</summary>
public sealed class RevisionsConfiguration
{
    private readonly CollectionRevisions? _default;
    private readonly Dictionary<string, CollectionRevisions> _byCollection;

    private RevisionsConfiguration(CollectionRevisions? @default, Dictionary<string, CollectionRevisions> byCollection)
    {
        _default = @default;
        _byCollection = byCollection;
    }

    /// <summary>The configuration of a collection; null if it has none.</summary>
    /// <param name="collection">Its name in any case, UTF-8.</param>
    internal CollectionRevisions? Of(ReadOnlySpan<byte> collection) =>
        _byCollection.GetValueOrDefault(DocumentId.FoldedText(collection)) ?? _default;

    /// <summary>Reads a configuration as clients send it.</summary>
    /// <exception cref="FormatException">The configuration is not valid.</exception>
    internal static RevisionsConfiguration Parse(JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException("The configuration must be an object.");
        }

        Dictionary<string, CollectionRevisions> byCollection = [];
        if (SettingsJson.Object(json, "Collections") is { } collections)
        {
            foreach (JsonProperty one in collections.EnumerateObject())
            {
                if (one.Value.ValueKind != JsonValueKind.Object)
                {
                    throw new FormatException($"Collections: '{one.Name}' must be an object.");
                }

                byCollection[DocumentId.FoldedText(Encoding.UTF8.GetBytes(one.Name))] = ParseOne(one.Value);
            }
        }

        CollectionRevisions? @default =
            SettingsJson.Object(json, "Default") is { } found ? ParseOne(found) : null;
        return new RevisionsConfiguration(@default, byCollection);
    }

    /// <summary>Checks that each collection has one configuration: names are the same in any case.</summary>
    /// <exception cref="FormatException">A collection has two.</exception>
    internal static void CheckNames(JsonElement json)
    {
        HashSet<string> folded = [];
        if (SettingsJson.Object(json, "Collections") is { } collections)
        {
            foreach (JsonProperty one in collections.EnumerateObject())
            {
                if (!folded.Add(DocumentId.FoldedText(Encoding.UTF8.GetBytes(one.Name))))
                {
                    throw new FormatException(
                        $"Collections: '{one.Name}' has two configurations; names are the same in any case.");
                }
            }
        }
    }

    /// <summary>Checks the configuration of one collection; returns the settings unchanged.</summary>
    /// <exception cref="FormatException">It is not valid.</exception>
    internal static DatabaseSettings CheckOne(JsonElement json, DatabaseSettings settings)
    {
        ParseOne(json);
        return settings;
    }

    private static CollectionRevisions ParseOne(JsonElement json) => new()
    {
        IsDisabled = SettingsJson.Bool(json, "Disabled"),
        CountMin = SettingsJson.Number(json, "MinimumRevisionsToKeep", 0),
        AgeMin = SettingsJson.Span(json, "MinimumRevisionAgeToKeep"),
        PurgeOnDelete = SettingsJson.Bool(json, "PurgeOnDelete"),
        DeletedAtOnceMax =
            SettingsJson.Number(json, "MaximumRevisionsToDeleteUponDocumentUpdate", 1) ?? long.MaxValue,
    };
}
