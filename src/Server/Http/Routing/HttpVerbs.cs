using System.Text;

namespace Raven.Server.Http.Routing;

/// <summary>The names of <see cref="HttpVerb"/>, both ways.</summary>
public static class HttpVerbs
{
    /// <summary>The number of slots in a table indexed by verb.</summary>
    public const int Count = 9;

    private static readonly string[] Names =
        ["", "GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "RESET"];

    /// <summary>
    /// The verb of a method name, <see cref="HttpVerb.Unknown"/> if there is none. RFC 9110 compares methods exactly;
    /// the Node client sends <c>Put</c> for one command, so letters of either case are taken.
    /// </summary>
    public static HttpVerb Parse(string method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return method.Length switch
        {
            3 => Either(method, HttpVerb.Get, HttpVerb.Put),
            4 => Either(method, HttpVerb.Post, HttpVerb.Head),
            5 => Either(method, HttpVerb.Patch, HttpVerb.Reset),
            6 => Either(method, HttpVerb.Delete, HttpVerb.Delete),
            7 => Either(method, HttpVerb.Options, HttpVerb.Options),
            _ => HttpVerb.Unknown,
        };
    }

    /// <summary>The name in a request line.</summary>
    public static string Name(HttpVerb verb) => Names[(int)verb];

    private static HttpVerb Either(string method, HttpVerb first, HttpVerb second) =>
        Is(method, first) ? first : Is(method, second) ? second : HttpVerb.Unknown;

    private static bool Is(string method, HttpVerb verb)
    {
        string name = Names[(int)verb];
        return ReferenceEquals(method, name) || Ascii.EqualsIgnoreCase(method, name);
    }
}
