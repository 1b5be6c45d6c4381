using Raven.Storage.Options;

namespace Raven.Documents;

/// <summary>How a database is opened.</summary>
internal sealed record DatabaseOptions
{
    /// <summary>The name of the database, for messages.</summary>
    public required string Name { get; init; }

    /// <summary>Gives the time of changes; tests replace it.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>
    /// When it has to be opened for expiration and refresh, in ticks, as it was remembered; 0 if that is not known,
    /// <see cref="long.MaxValue"/> if nothing will be due.
    /// </summary>
    public long NextDueTicks { get; init; } = long.MaxValue;

    /// <summary>Remembers that time durably.</summary>
    public Action<long> StoreNextDue { get; init; } = _ => { };

    /// <summary>Called with the exception if changes could not be reported to connections that watch.</summary>
    internal Action<Exception> NotificationFailed { get; init; } = _ => { };

    /// <summary>Makes the options of its storage environment, each time that it is opened.</summary>
    public required Func<StorageOptions> Storage { get; init; }

    /// <summary>The id of a database that is created; an existing one keeps its own.</summary>
    public required Guid NewDatabaseId { get; init; }

    /// <summary>The source of random bytes for guids in document ids.</summary>
    public required Random Random { get; init; }

    /// <summary>How long deletions are remembered.</summary>
    internal TombstoneOptions Tombstones { get; init; } = new();

    /// <summary>Whether a group of nodes keeps it, which says when it is opened, and who takes its writes.</summary>
    internal bool IsInGroup { get; init; }

    /// <summary>Makes its indexes; null for a database without indexing.</summary>
    internal Func<Database, IDatabaseIndexes>? MakeIndexes { get; init; }
}
