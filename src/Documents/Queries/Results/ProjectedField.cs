using Raven.Documents.Indexing.Auto;
using Raven.Documents.Queries.Series;

namespace Raven.Documents.Queries.Results;

/// <summary>A field of a projection.</summary>
/// <param name="Name">Its name in the result.</param>
/// <param name="Path">Its path in the query, without the alias; empty for the whole document.</param>
/// <param name="Reader">Reads it from a document.</param>
/// <param name="Loaded">The index of the loaded document that it is read from; -1 for the result itself.</param>
internal sealed record ProjectedField(string Name, string Path, FieldPath Reader, int Loaded)
{
    /// <summary>The counter whose value it is; null if it is a field.</summary>
    internal string? Counter { get; init; }

    /// <summary>The time series that it is; null if it is something else.</summary>
    internal SeriesProjection? Series { get; init; }

    /// <summary>Whether it is null in every row.</summary>
    internal bool IsNull { get; init; }

    /// <summary>Whether it is read from the metadata.</summary>
    internal bool IsOfMetadata { get; } = WholeMetadata.IsAsked(Path);

    /// <summary>Whether to show what each node added to the counter.</summary>
    internal bool IsRawCounter { get; init; }
}
