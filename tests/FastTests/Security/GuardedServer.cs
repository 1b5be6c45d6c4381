using FastTests.Server;
using Microsoft.AspNetCore.Http;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>A server in memory, and requests for it with headers of a test's choice.</summary>
internal sealed class GuardedServer(Func<ServerOptions, ServerOptions>? configure = null) : IDisposable
{
    internal InMemoryServer Server { get; } = new(configure: configure);

    public void Dispose() => Server.Dispose();

    /// <summary>Sends a request from a connection of its own.</summary>
    /// <param name="method">The method.</param>
    /// <param name="target">The path and the query, both as they are.</param>
    /// <param name="body">The body.</param>
    /// <param name="headers">Headers as <c>Name: value</c>; one named Host replaces that of this machine.</param>
    internal InMemoryRequest Send(string method, string target, string body = "", params string[] headers)
    {
        InMemoryRequest request = Request(method, target, body, headers);
        Server.Send(request);
        return request;
    }

    /// <summary>A request that may be changed before it is sent.</summary>
    internal static InMemoryRequest Request(string method, string target, string body = "", params string[] headers)
    {
        string[] parts = target.Split('?', 2);
        var request = new InMemoryRequest(method, parts[0], parts.Length == 2 ? "?" + parts[1] : "", body);
        foreach (string header in headers)
        {
            string[] pair = header.Split(": ", 2);
            request.Request[pair[0]] = pair[1];
        }

        return request;
    }

    /// <summary>A header of an answer, empty if it has none.</summary>
    internal static string Header(InMemoryRequest answer, string name) =>
        ((IHeaderDictionary)answer.Response)[name].ToString();
}
