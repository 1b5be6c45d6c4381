namespace Raven.Search.Queries;

/// <summary>Which of the matching entries to return, and in which order.</summary>
public sealed class SearchRequest
{
    /// <summary>The most keys that results can be ordered by.</summary>
    public const int OrdersMax = 4;

    /// <summary>How many of the first results to skip.</summary>
    public int Skip { get; set; }

    /// <summary>How many results to return.</summary>
    public int Take { get; set; } = 10;

    /// <summary>Computes scores even if no order needs them.</summary>
    public bool WithScores { get; set; }

    /// <summary>Cancels the run, which checks it every few thousand entries and terms.</summary>
    public CancellationToken Cancellation { get; set; }

    /// <summary>The keys to order by, the first first; without any, the order of the index.</summary>
    public IList<OrderKey> Orders { get; } = [];
}
