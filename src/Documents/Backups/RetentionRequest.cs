namespace Raven.Documents.Backups;

/// <summary>Which backups may be removed. Immutable.</summary>
public sealed record RetentionRequest
{
    /// <summary>The task whose backups they are.</summary>
    public required long TaskId { get; init; }

    /// <summary>The id of the database.</summary>
    public required string DatabaseId { get; init; }

    /// <summary>What was made after this is kept.</summary>
    public required DateTimeOffset KeptSince { get; init; }

    /// <summary>A folder whose full backup was compared with its hash just now; null if there is none.</summary>
    public string? KnownWhole { get; init; }

    /// <summary>Called with the name of a folder before anything of it is removed.</summary>
    public Func<string, CancellationToken, ValueTask> Removing { get; init; } =
        (_, _) => ValueTask.CompletedTask;
}
