using Microsoft.Extensions.Primitives;
using Raven.Server.Http.Routing;

namespace Raven.Server.Http.Security;

/// <summary>
/// The cookie of a session. Its name has the prefix by which browsers see to it that it came from this host over https,
/// is for all paths, and for no other host; scripts cannot read it, and no page of another site has it sent along.
/// </summary>
internal static class StudioCookie
{
    /// <summary>Its name.</summary>
    internal const string Name = "__Host-raven-studio";

    private const string Attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=";
    private const string FetchSite = "Sec-Fetch-Site";
    private const string SameOrigin = "same-origin";

    /// <summary>How much longer a browser keeps it than the session lasts: it is told then that the session has ended,
    /// which it is not if it sends nothing.</summary>
    private static readonly TimeSpan Longer = TimeSpan.FromMinutes(10);

    private static readonly StringValues Gone = $"{Name}={Attributes}0";

    /// <summary>Gives it to the browser.</summary>
    internal static void Set(RequestContext request, string token, TimeSpan length) =>
        request.Response.Headers.SetCookie = $"{Name}={token}{Attributes}{(long)(length + Longer).TotalSeconds}";

    /// <summary>Takes it from the browser.</summary>
    internal static void Clear(RequestContext request) => request.Response.Headers.SetCookie = Gone;

    /// <summary>Reads it. Of several of the name, the first counts: a browser has one.</summary>
    internal static bool TryRead(RequestContext request, out ReadOnlySpan<char> token)
    {
        StringValues cookies = request.Headers.Cookie;
        for (int i = 0; i < cookies.Count; i++)
        {
            ReadOnlySpan<char> rest = cookies[i];
            while (!rest.IsEmpty)
            {
                int end = rest.IndexOf(';');
                ReadOnlySpan<char> one = (end < 0 ? rest : rest[..end]).Trim(' ');
                rest = end < 0 ? default : rest[(end + 1)..];
                if (one.StartsWith(Name, StringComparison.Ordinal) && one.Length > Name.Length
                    && one[Name.Length] == '=')
                {
                    token = one[(Name.Length + 1)..];
                    return true;
                }
            }
        }

        token = default;
        return false;
    }

    /// <summary>Whether the browser says that a page of this server sends a request.</summary>
    internal static bool IsSameOrigin(RequestContext request) => request.Headers[FetchSite] == SameOrigin;

    /// <summary>Whether the browser sends a request for a page of this server (SESS-2): it must say so of a write. Of a
    /// read it may say nothing, or that the user has typed the address.</summary>
    internal static bool IsOfOwnPage(RequestContext request)
    {
        StringValues site = request.Headers[FetchSite];
        return HasOwnOrigin(request)
            && (site == SameOrigin
                || (request.Verb is HttpVerb.Get or HttpVerb.Head && (site.Count == 0 || site == "none")));
    }

    /// <summary>Whether a browser sends a request for a page of elsewhere, also for one that the operator trusts. No
    /// browser says nothing.</summary>
    internal static bool IsOfOtherPage(RequestContext request) =>
        !HasOwnOrigin(request) || (request.Headers[FetchSite].Count > 0 && !IsSameOrigin(request));

    private static bool HasOwnOrigin(RequestContext request)
    {
        StringValues origin = request.Headers.Origin;
        return origin.Count == 0 || (origin.Count == 1 && request.Server.Origins.IsOwn(request, origin[0]!));
    }
}
