namespace Raven.Client.Documents.Operations.Refresh;

/// <summary>Whether documents get a new version at the time in their <c>@refresh</c>.</summary>
public sealed record RefreshConfiguration
{
    /// <summary>Whether they do not.</summary>
    public bool Disabled { get; init; }

    /// <summary>How often the server searches for them, in seconds; null takes the server's default.</summary>
    public long? RefreshFrequencyInSec { get; init; }
}
