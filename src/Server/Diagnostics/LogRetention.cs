namespace Raven.Server.Diagnostics;

/// <summary>How the log is to be kept, until the next start. Immutable.</summary>
internal sealed record LogRetention
{
    /// <summary>The server deletes nothing: a number of whole days that all clients can read.</summary>
    private static readonly TimeSpan Unlimited = TimeSpan.FromDays(10_000_000);

    /// <summary>How long the log is kept.</summary>
    internal TimeSpan Time { get; init; } = Unlimited;

    /// <summary>How many bytes of the log are kept; null for any number.</summary>
    internal long? SizeBytes { get; init; }

    /// <summary>Whether it is compressed.</summary>
    internal bool IsCompressed { get; init; }
}
