using Microsoft.Extensions.Logging;
using Raven.Server.Indexing;
using Raven.Storage.Options;

namespace Raven.Server.Documents;

/// <summary>How the catalog of databases works.</summary>
public sealed record CatalogOptions
{
    /// <summary>Where databases and the catalog itself are.</summary>
    public required IDatabaseFolders Folders { get; init; }

    /// <summary>The clock.</summary>
    public required TimeProvider Clock { get; init; }

    /// <summary>Chance, for database ids and guids that become ids. Used under a lock.</summary>
    public required Random Random { get; init; }

    /// <summary>The log.</summary>
    public required ILoggerFactory Loggers { get; init; }

    /// <summary>How long a database may be open that nobody uses; it is closed after one to two times that.</summary>
    public TimeSpan IdleTimeMax { get; init; } = TimeSpan.FromMinutes(15);

    /// <summary>
    /// Turns the options of a storage environment into those that are wanted: budgets, limits, schedulers.
    /// </summary>
    public Func<StorageOptions, StorageOptions> ConfigureStorage { get; init; } = options => options;

    /// <summary>What the indexes of all databases share; null for databases without indexing.</summary>
    internal IndexingServices? Indexing { get; init; }
}
