namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>What the conditions of a query have read.</summary>
internal sealed class SearchCounts
{
    internal long Terms { get; set; }

    internal long Entries { get; set; }
}
