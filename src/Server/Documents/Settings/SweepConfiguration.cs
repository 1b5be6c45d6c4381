using System.Text.Json;

namespace Raven.Server.Documents.Settings;

/// <summary>How documents whose time has come are looked for: the configuration of expiration and of refresh.</summary>
internal sealed record SweepConfiguration
{
    private const int DefaultFrequencySeconds = 60;

    /// <summary>Nothing is looked for.</summary>
    internal static SweepConfiguration Off { get; } = new() { IsDisabled = true };

    /// <summary>True where nothing is looked for.</summary>
    internal bool IsDisabled { get; private init; }

    /// <summary>How often it is looked.</summary>
    internal TimeSpan Frequency { get; private init; } = TimeSpan.FromSeconds(DefaultFrequencySeconds);

    /// <summary>The most documents of one look.</summary>
    internal long ItemsMax { get; private init; } = long.MaxValue;

    /// <summary>Reads a configuration.</summary>
    /// <param name="json">The configuration as the client sent it.</param>
    /// <param name="frequencyName">The name of its frequency, such as <c>DeleteFrequencyInSec</c>.</param>
    /// <exception cref="FormatException">It is not what it must be.</exception>
    internal static SweepConfiguration Parse(JsonElement json, string frequencyName) => new()
    {
        IsDisabled = SettingsJson.Bool(json, "Disabled"),
        Frequency = TimeSpan.FromSeconds(
            SettingsJson.Number(json, frequencyName, 1, int.MaxValue) ?? DefaultFrequencySeconds),
        ItemsMax = SettingsJson.Number(json, "MaxItemsToProcess", 1) ?? long.MaxValue,
    };
}
