using Raven.Client.Documents.Session.Loaders;

namespace Raven.Client.Documents.Session;

/// <summary>Reads a time series. A range that the session knows needs no request.</summary>
/// <typeparam name="TEntry">The type of its entries.</typeparam>
public interface ISessionTimeSeriesReader<TEntry>
{
    /// <summary>The entries of a range; null if there is no such series.</summary>
    /// <param name="from">The first time; null for an open end.</param>
    /// <param name="to">The last time; null for an open end.</param>
    /// <param name="start">How many entries of the range are left out.</param>
    /// <param name="pageSize">The most entries.</param>
    TEntry[]? Get(DateTime? from = null, DateTime? to = null, int start = 0, int pageSize = int.MaxValue);

    /// <summary>The entries of a range, with documents that the session then has; always a request.</summary>
    TEntry[]? Get(
        DateTime? from, DateTime? to, Action<ITimeSeriesIncludeBuilder> includes, int start = 0,
        int pageSize = int.MaxValue);

    /// <summary>The entries of a range as they arrive, any number of them; none if there is no such series.</summary>
    IEnumerable<TEntry> Stream(DateTime? from = null, DateTime? to = null);
}
