namespace Raven.Documents.Settings;

/// <summary>Which earlier versions the documents of a collection keep.</summary>
internal sealed record CollectionRevisions
{
    /// <summary>No revisions are made.</summary>
    internal bool IsDisabled { get; init; }

    /// <summary>How many are kept; null for all.</summary>
    internal long? CountMin { get; init; }

    /// <summary>How long they are kept; null for ever.</summary>
    internal TimeSpan? AgeMin { get; init; }

    /// <summary>True if they are deleted with their document.</summary>
    internal bool PurgeOnDelete { get; init; }

    /// <summary>The most that are deleted with one change of a document.</summary>
    internal long DeletedAtOnceMax { get; init; } = long.MaxValue;

    /// <summary>True if the number or the age of revisions is limited.</summary>
    internal bool HasLimits => CountMin is not null || AgeMin is not null;
}
