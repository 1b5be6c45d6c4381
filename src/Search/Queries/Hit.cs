using System.Runtime.CompilerServices;

namespace Raven.Search.Queries;

/// <summary>An entry that matches, and its sort keys: of two, the smaller comes first.</summary>
internal struct Hit
{
    internal int Segment;
    internal int Entry;
    internal float Score;
    internal SortKeys Keys;

    [InlineArray(SearchRequest.OrdersMax)]
    internal struct SortKeys
    {
        private long _first;
    }
}
