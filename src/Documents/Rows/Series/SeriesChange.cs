namespace Raven.Documents.Rows.Series;

/// <summary>What changes of a series have done.</summary>
internal struct SeriesChange
{
    /// <summary>The last etag that they used; 0 if they changed nothing.</summary>
    internal long Etag;

    /// <summary>Whether there was a series before.</summary>
    internal bool WasThere;

    /// <summary>Whether there is one after.</summary>
    internal bool IsThere;

    /// <summary>The time of a point whose values were added up to more than a double holds: the change must not
    /// stay. Null if there is none.</summary>
    internal long? OverflowTime;

    /// <summary>Adds what a later change of the same series has done.</summary>
    internal void Add(in SeriesChange later)
    {
        Etag = Math.Max(Etag, later.Etag);
        IsThere = later.IsThere;
        OverflowTime ??= later.OverflowTime;
    }
}
