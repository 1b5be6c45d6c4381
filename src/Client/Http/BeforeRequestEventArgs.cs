namespace Raven.Client.Http;

/// <summary>A request that is about to be sent.</summary>
/// <param name="database">The database; null for the server itself.</param>
/// <param name="request">The request, to which headers can be added.</param>
/// <param name="attempt">0 for the first server that is asked.</param>
public sealed class BeforeRequestEventArgs(string? database, HttpRequestMessage request, int attempt) : EventArgs
{
    /// <summary>The database; null for the server itself.</summary>
    public string? Database => database;

    /// <summary>The request, to which headers can be added.</summary>
    public HttpRequestMessage Request => request;

    /// <summary>0 for the first server that is asked.</summary>
    public int Attempt => attempt;
}
