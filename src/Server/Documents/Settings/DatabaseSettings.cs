using Raven.Server.Documents.Revisions;

namespace Raven.Server.Documents.Settings;

/// <summary>What a database was told to do by itself. Immutable: a change makes a new one.</summary>
internal sealed record DatabaseSettings
{
    /// <summary>A database that was told nothing.</summary>
    internal static DatabaseSettings None { get; } = new();

    /// <summary>Which versions are kept; null where none are.</summary>
    internal RevisionsConfiguration? Revisions { get; init; }

    /// <summary>What clients are told to do in this database; null where that was not said.</summary>
    internal ClientConfiguration? Client { get; init; }

    /// <summary>Whether documents expire.</summary>
    internal SweepConfiguration Expiration { get; init; } = SweepConfiguration.Off;

    /// <summary>Whether documents are refreshed.</summary>
    internal SweepConfiguration Refresh { get; init; } = SweepConfiguration.Off;
}
