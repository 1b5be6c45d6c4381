using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups;

/// <summary>How a run that made a backup went. Immutable.</summary>
internal sealed record BackupRun
{
    /// <summary>The task.</summary>
    internal required BackupConfiguration Task { get; init; }

    /// <summary>What was made.</summary>
    internal required BackupResult Result { get; init; }

    /// <summary>Where it is.</summary>
    internal required string Directory { get; init; }

    /// <summary>When it began.</summary>
    internal required DateTimeOffset Began { get; init; }

    /// <summary>How long it took.</summary>
    internal required TimeSpan Took { get; init; }

    /// <summary>The operation.</summary>
    internal required long OperationId { get; init; }

    /// <summary>What was written to a bucket; null if there is none.</summary>
    internal BackupUpload? Upload { get; init; }

    /// <summary>The folders that have become too old, and were removed.</summary>
    internal IReadOnlyList<string> Removed { get; init; } = [];

    /// <summary>How long their removal took.</summary>
    internal TimeSpan RetentionTook { get; init; }

    /// <summary>What could not be done beside the backup; null if nothing.</summary>
    internal string? Problem { get; init; }
}
