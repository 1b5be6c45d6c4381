namespace Raven.Search.Queries;

/// <summary>Which of the entries that match are wanted, and in which order.</summary>
public sealed class SearchRequest
{
    /// <summary>The most keys that results can be ordered by.</summary>
    public const int OrdersMax = 4;

    /// <summary>How many of the first results to leave out.</summary>
    public int Skip { get; set; }

    /// <summary>How many results to give.</summary>
    public int Take { get; set; } = 10;

    /// <summary>Works out scores, though no order asks for them.</summary>
    public bool WithScores { get; set; }

    /// <summary>Ends the run, which looks at it every few thousand entries and terms.</summary>
    public CancellationToken Cancellation { get; set; }

    /// <summary>The keys to order by, the first first; without any, the order of the index.</summary>
    public IList<OrderKey> Orders { get; } = [];
}
