using System.Net.Http.Headers;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http.Forwarding;

//   FWD-1  What one node sends to another on behalf of a client has the client's method, path, query and body, and all
//          of its headers but those of the connection, those that say who passes it on, and those of pages, which the
//          first node has looked at. The answer comes back unchanged.

/// <summary>The headers of requests that a node passes on to another.</summary>
internal static class ForwardHeaders
{
    /// <summary>Who passes a request on, and under which epoch of the group: <c>B, 7</c>.</summary>
    internal const string Forwarded = "Raven-Forwarded";

    /// <summary>What nodes without certificates show.</summary>
    internal const string Key = "Raven-Forwarded-Key";

    /// <summary>The id of the API key with which the client has signed in at the node that passes its request on.
    /// </summary>
    internal const string Session = "Raven-Forwarded-Session";

    /// <summary>In an answer: nothing was done, as this node is not the one.</summary>
    internal const string NotPrimary = "Raven-Not-Primary";

    /// <summary>In an answer: which indexes the request has waited for, and which change they cover.</summary>
    internal const string Indexes = "Raven-Forwarded-Indexes";

    private static readonly HashSet<string> OfConnection = new(StringComparer.OrdinalIgnoreCase)
    {
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer",
        "Trailers", "Transfer-Encoding", "Upgrade", "HTTP2-Settings",
    };

    private static readonly HashSet<string> OfRequest = new(StringComparer.OrdinalIgnoreCase)
    {
        "Host", "Expect", "Content-Length", "Cookie", "Origin", "Referer", "X-Forwarded-For", "X-Raven-Client-Cert",
        "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Sec-Fetch-User", Forwarded, Key, Session,
    };

    /// <summary>The node that has passed a request on; null if a client has sent it here.</summary>
    internal static string? SenderOf(RequestContext request)
    {
        string? text = request.IsForwarded ? request.Headers[Forwarded].ToString() : null;
        return text?[..text.IndexOf(',', StringComparison.Ordinal)];
    }

    /// <summary>Copies the headers of a request that the other node is to see.</summary>
    internal static void Copy(IHeaderDictionary from, HttpRequestMessage to)
    {
        StringValues named = from.Connection;
        foreach ((string name, StringValues value) in from)
        {
            if (name.StartsWith(':') || OfConnection.Contains(name) || OfRequest.Contains(name)
                || IsNamed(named, name))
            {
                continue;
            }

            if (!to.Headers.TryAddWithoutValidation(name, (IEnumerable<string?>)value))
            {
                to.Content?.Headers.TryAddWithoutValidation(name, (IEnumerable<string?>)value);
            }
        }
    }

    /// <summary>Copies the headers of an answer that the client is to see.</summary>
    internal static void Copy(HttpResponseMessage from, IHeaderDictionary to)
    {
        StringValues named = from.Headers.NonValidated.TryGetValues("Connection", out HeaderStringValues list)
            ? list.ToString()
            : default;
        foreach ((string name, HeaderStringValues values) in from.Headers.NonValidated)
        {
            if (name != Indexes && !OfConnection.Contains(name) && !IsNamed(named, name))
            {
                to[name] = ValuesOf(values);
            }
        }

        foreach ((string name, HeaderStringValues values) in from.Content.Headers.NonValidated)
        {
            to[name] = ValuesOf(values);
        }
    }

    private static StringValues ValuesOf(HeaderStringValues values) =>
        values.Count == 1 ? values.ToString() : values.ToArray();

    /// <summary>Whether a <c>Connection</c> header says that a header is of the connection.</summary>
    private static bool IsNamed(StringValues connection, string name)
    {
        foreach (string? value in connection)
        {
            foreach (Range part in value.AsSpan().Split(','))
            {
                if (value.AsSpan(part).Trim().Equals(name, StringComparison.OrdinalIgnoreCase))
                {
                    return true;
                }
            }
        }

        return false;
    }
}
