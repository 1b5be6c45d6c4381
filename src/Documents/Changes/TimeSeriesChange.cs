namespace Raven.Documents.Changes;

/// <summary>One committed change of a time series. Its texts live as long as the call that hands it over.</summary>
internal readonly ref struct TimeSeriesChange
{
    /// <summary>
    /// What happened: <c>Put</c> if points were written, <c>Delete</c> if some were deleted, <c>Mixed</c> for both.
    /// </summary>
    public required ReadOnlySpan<byte> Type { get; init; }

    /// <summary>The series' name, UTF-8.</summary>
    public required ReadOnlySpan<byte> Name { get; init; }

    /// <summary>The document, UTF-8.</summary>
    public required ReadOnlySpan<byte> DocumentId { get; init; }

    /// <summary>The document's collection, UTF-8.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    /// <summary>The version of the change, UTF-8.</summary>
    public required ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>The first time at which something may have changed, in ms since 0001-01-01.</summary>
    public required long From { get; init; }

    /// <summary>The last such time; that of an open range is the last of all.</summary>
    public required long To { get; init; }
}
