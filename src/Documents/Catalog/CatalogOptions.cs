using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Documents.Indexing;
using Raven.Storage.Options;

namespace Raven.Documents.Catalog;

/// <summary>How the catalog of databases works.</summary>
public sealed record CatalogOptions
{
    /// <summary>Where databases and the catalog itself are.</summary>
    public required IDatabaseFolders Folders { get; init; }

    /// <summary>The clock of all databases, which tests replace.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>The source of random bytes for database ids and for guids in document ids. Used under a lock.</summary>
    public required Random Random { get; init; }

    /// <summary>Makes the loggers of the catalog and of its databases.</summary>
    public ILoggerFactory Loggers { get; init; } = NullLoggerFactory.Instance;

    /// <summary>How long an unused database stays open; it is closed after one to two times that.</summary>
    internal TimeSpan IdleTimeMax { get; init; } = TimeSpan.FromMinutes(15);

    /// <summary>
    /// Changes the options of a storage environment before it is opened: budgets, limits, schedulers.
    /// </summary>
    public Func<StorageOptions, StorageOptions> ConfigureStorage { get; init; } = options => options;

    /// <summary>How long deletions are remembered.</summary>
    public TombstoneOptions Tombstones { get; init; } = new();

    /// <summary>Whether the databases belong to groups of nodes: each is opened by its replica alone
    /// (<see cref="Database.Replica"/>).</summary>
    public bool AreInGroups { get; init; }

    /// <summary>What the indexes of all databases share; null without indexing.</summary>
    public IndexingServices? Indexing { get; init; }
}
