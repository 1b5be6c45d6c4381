namespace Raven.Server.Http;

/// <summary>One request that runs.</summary>
/// <param name="Id">Its number in this run of the server.</param>
/// <param name="Method">The method.</param>
/// <param name="Path">The path.</param>
/// <param name="Query">The query with its <c>?</c>, or empty.</param>
/// <param name="Detail">What of it is not in the url, such as a script or the text of a query; or empty.</param>
/// <param name="StartedTimestamp">When it began, a time stamp of the server's clock.</param>
internal sealed record RunningRequest(
    long Id, string Method, string Path, string Query, string Detail, long StartedTimestamp)
{
    /// <summary>The database that it uses; or empty.</summary>
    internal string Database { get; init; } = "";

    /// <summary>The index that answers its query, or that of its collection; null if it is no query.</summary>
    internal string? QueryOf { get; init; }
}
