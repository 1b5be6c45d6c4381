using System.Text.Json;

namespace Raven.Documents.Settings;

/// <summary>When the revisions of deleted documents go.</summary>
internal sealed record RevisionsBinConfiguration
{
    private const string AgeName = "MinimumEntriesAgeToKeepInMin";
    private const int DefaultFrequencySeconds = 300;

    /// <summary>They are kept.</summary>
    internal static RevisionsBinConfiguration Off { get; } = new() { IsDisabled = true };

    /// <summary>True if they are kept.</summary>
    internal bool IsDisabled { get; private init; }

    /// <summary>How long they are kept after the deletion.</summary>
    internal TimeSpan AgeMin { get; private init; }

    /// <summary>The time between two searches.</summary>
    internal TimeSpan Frequency { get; private init; }

    /// <summary>The most documents whose revisions one search deletes.</summary>
    internal long ItemsMax { get; private init; } = long.MaxValue;

    /// <summary>Reads a configuration. An age of null keeps the revisions, for clients that write each member of
    /// theirs; the frequency has two names, of which they write one.</summary>
    /// <exception cref="FormatException">It is not valid.</exception>
    internal static RevisionsBinConfiguration Parse(JsonElement json)
    {
        bool isDisabled = SettingsJson.Bool(json, "Disabled");
        long? age = SettingsJson.Number(json, AgeName, 0, int.MaxValue);
        if (age is null && !isDisabled && !json.TryGetProperty(AgeName, out _))
        {
            throw new FormatException(
                "MinimumEntriesAgeToKeepInMin is missing: how many minutes are revisions kept after the deletion?");
        }

        return new RevisionsBinConfiguration
        {
            IsDisabled = isDisabled || age is null,
            AgeMin = TimeSpan.FromMinutes(age ?? 0),
            Frequency = TimeSpan.FromSeconds(
                SettingsJson.Number(json, "RefreshFrequencyInSec", 1, int.MaxValue)
                ?? SettingsJson.Number(json, "CleanerFrequencyInSec", 1, int.MaxValue) ?? DefaultFrequencySeconds),
            ItemsMax = SettingsJson.Number(json, "MaxItemsToProcess", 1) ?? long.MaxValue,
        };
    }
}
