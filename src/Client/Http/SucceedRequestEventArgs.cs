namespace Raven.Client.Http;

/// <summary>A request that was answered without an error.</summary>
/// <param name="database">The database; null for the server itself.</param>
/// <param name="request">The request.</param>
/// <param name="response">The head of its answer.</param>
public sealed class SucceedRequestEventArgs(
    string? database, HttpRequestMessage request, HttpResponseMessage response) : EventArgs
{
    /// <summary>The database; null for the server itself.</summary>
    public string? Database => database;

    /// <summary>The request.</summary>
    public HttpRequestMessage Request => request;

    /// <summary>The head of its answer. The body is not yet read.</summary>
    public HttpResponseMessage Response => response;
}
