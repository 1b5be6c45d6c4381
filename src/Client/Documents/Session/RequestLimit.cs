using System.Globalization;
using Raven.Client.Exceptions;

namespace Raven.Client.Documents.Session;

/// <summary>Counts the requests of a session, and throws an error with advice if there are too many.</summary>
internal sealed class RequestLimit(int max)
{
    private readonly List<string> _kinds = [];

    internal int Max { get; set; } = max;

    internal int Count { get; private set; }

    /// <summary>Counts one request.</summary>
    /// <exception cref="SessionRequestLimitException">It is one too many.</exception>
    internal void Add(string kind)
    {
        if (Count >= Max)
        {
            throw new SessionRequestLimitException(Explain(kind));
        }

        Count++;
        _kinds.Add(kind);
    }

    private string Explain(string kind)
    {
        (int Count, string Kind)[] kinds =
        [
            .. _kinds.CountBy(one => one).Select(pair => (pair.Value, pair.Key)).OrderByDescending(pair => pair.Value),
        ];
        string counts = string.Join(", ", kinds.Select(
            one => string.Create(CultureInfo.InvariantCulture, $"{one.Count} x {one.Kind}")));
        string most = kinds is [(_, { } first), ..] ? first : kind;
        return $"This session has made {Max} requests ({counts}) and was about to make another ({kind}). A unit of "
            + "work seldom needs more than a few; most often a loop asks for one thing at a time (N+1), and "
            + "each time pays the way to the server and back. " + Remedy(most)
            + " Where a session really has to do more, open one for each piece of work, use a stream or a bulk insert, "
            + "or raise Advanced.MaxNumberOfRequestsPerSession.";
    }

    private static string Remedy(string kind) => kind switch
    {
        "load of one document" =>
            "Load all of them with one LoadAsync(ids), or let the first request bring what it refers to: "
            + "session.Include<Order>(order => order.CompanyId).LoadAsync(id), or .Include(...) of a query.",
        "query" => "Ask with one query: WhereIn or .In(ids) instead of a query for each, Include for what the results "
            + "refer to, a projection or an index that loads the other document; or make the queries lazy and send "
            + "them together.",
        "save" => "Store all first, and call SaveChangesAsync once: it is one request and one transaction.",
        "counters" => "Read them together with GetAsync(names), or include them with the document.",
        _ => "Make them lazy (Advanced.Lazily) and send them in one request "
            + "(Advanced.Eagerly.ExecuteAllPendingLazyOperationsAsync).",
    };
}
