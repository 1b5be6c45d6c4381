using Raven.Security.Rights;

namespace Raven.Server.Http.Routing;

/// <summary>
/// Binds a static method <c>ValueTask Name(RequestContext)</c> to a method and a path. In the path <c>*</c> matches
/// one or more characters other than <c>/</c>, a closing <c>$</c> matches the rest, empty or not; the fixed parts are
/// ASCII and match in either case.
/// </summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true, Inherited = false)]
public sealed class RouteAttribute : Attribute
{
    /// <summary>Declares a route.</summary>
    /// <param name="method">The HTTP method, such as <c>GET</c>.</param>
    /// <param name="path">The path, such as <c>/databases/*/docs</c>.</param>
    /// <param name="access">The right that a caller needs.</param>
    public RouteAttribute(string method, string path, Access access)
    {
        Method = method;
        Path = path;
        Access = access;
    }

    /// <summary>The HTTP method.</summary>
    public string Method { get; }

    /// <summary>The path with its captures.</summary>
    public string Path { get; }

    /// <summary>The right that a caller needs.</summary>
    public Access Access { get; }

    /// <summary>Which node of a cluster serves it: each route of the server says so.</summary>
    public Place Place { get; init; }

    /// <summary>True if the client decides how long a request takes: it is never logged as slow.</summary>
    public bool IsStream { get; init; }

    /// <summary>True if an answer may hold secrets: it is neither kept by caches nor compressed.</summary>
    public bool HoldsSecrets { get; init; }

    /// <summary>
    /// The event in the audit log of what it does, such as <c>index.deleted</c>; null if it does nothing of that kind.
    /// The handler says when, and to what (<c>AuditTrail.Announce</c>).
    /// </summary>
    public string? Audit { get; init; }

    /// <summary>
    /// True if the event is only noted. Otherwise that of a route for administrators is on the disk before anything is
    /// done, and nothing is done while it cannot be written.
    /// </summary>
    public bool IsAuditNote { get; init; }

    /// <summary>
    /// The parameters of its query, with commas between them: a name, and behind it <c>!</c> if it is required,
    /// <c>*</c> if it may occur several times, <c>:int</c> or <c>:bool</c> if it is no text.
    /// </summary>
    public string Query { get; init; } = "";

    /// <summary>Its description, in a few words, for the list of routes.</summary>
    public string Summary { get; init; } = "";
}
