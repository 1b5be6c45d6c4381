using Raven.Server.Indexing;
using Raven.Storage.Options;

namespace Raven.Server.Documents;

/// <summary>How a database is opened.</summary>
public sealed record DatabaseOptions
{
    /// <summary>Its name, for people.</summary>
    public required string Name { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>
    /// When it has to be opened for what it does by itself, in ticks, as far as that was remembered; 0 where it is not
    /// known, the greatest number where there is nothing to do.
    /// </summary>
    public long NextDueTicks { get; init; } = long.MaxValue;

    /// <summary>Remembers that time, over restarts too.</summary>
    public Action<long> RememberDue { get; init; } = _ => { };

    /// <summary>Told where those who watch its changes could not be told of them.</summary>
    internal Action<Exception> TellingFailed { get; init; } = _ => { };

    /// <summary>Its storage environment, asked for each time that it is opened.</summary>
    public required Func<StorageOptions> Storage { get; init; }

    /// <summary>The id of a database that is made anew; an existing one keeps its own.</summary>
    public required Guid NewDatabaseId { get; init; }

    /// <summary>Chance, for guids that become ids.</summary>
    public required Random Random { get; init; }

    /// <summary>Makes its indexes; null for a database without indexing.</summary>
    internal Func<Database, DatabaseIndexes>? MakeIndexes { get; init; }
}
