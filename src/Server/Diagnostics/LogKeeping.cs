namespace Raven.Server.Diagnostics;

/// <summary>How the log is to be kept, until the next start. Immutable.</summary>
internal sealed record LogKeeping
{
    /// <summary>Nothing is thrown away by the server: whole days, which all clients can read.</summary>
    private static readonly TimeSpan Unlimited = TimeSpan.FromDays(10_000_000);

    /// <summary>For how long.</summary>
    internal TimeSpan Time { get; init; } = Unlimited;

    /// <summary>How many bytes; null for any.</summary>
    internal long? SizeBytes { get; init; }

    /// <summary>Whether it is compressed.</summary>
    internal bool IsCompressed { get; init; }
}
