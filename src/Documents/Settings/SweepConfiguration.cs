using System.Text.Json;

namespace Raven.Documents.Settings;

/// <summary>How often documents that are due are searched: the configuration of expiration and of refresh.</summary>
internal sealed record SweepConfiguration
{
    private const int DefaultFrequencySeconds = 60;

    /// <summary>No search.</summary>
    internal static SweepConfiguration Off { get; } = new() { IsDisabled = true };

    /// <summary>True if there is no search.</summary>
    internal bool IsDisabled { get; private init; }

    /// <summary>The time between two searches.</summary>
    internal TimeSpan Frequency { get; private init; } = TimeSpan.FromSeconds(DefaultFrequencySeconds);

    /// <summary>The most documents that one search changes.</summary>
    internal long ItemsMax { get; private init; } = long.MaxValue;

    /// <summary>Reads a configuration.</summary>
    /// <param name="json">The configuration as the client sent it.</param>
    /// <param name="frequencyName">The name of its frequency, such as <c>DeleteFrequencyInSec</c>.</param>
    /// <exception cref="FormatException">It is not valid.</exception>
    internal static SweepConfiguration Parse(JsonElement json, string frequencyName) => new()
    {
        IsDisabled = SettingsJson.Bool(json, "Disabled"),
        Frequency = TimeSpan.FromSeconds(
            SettingsJson.Number(json, frequencyName, 1, int.MaxValue) ?? DefaultFrequencySeconds),
        ItemsMax = SettingsJson.Number(json, "MaxItemsToProcess", 1) ?? long.MaxValue,
    };
}
