namespace Raven.Tools.Bench.Suites.Search;

/// <summary>Which ten results are wanted.</summary>
internal enum QueryOrder
{
    /// <summary>Any ten.</summary>
    None,

    /// <summary>The best by BM25.</summary>
    Score,

    /// <summary>The first by number.</summary>
    Number,
}
