namespace Raven.Server.Routing;

/// <summary>
/// Binds a static method <c>ValueTask Name(RequestContext)</c> to a method and a path. In the path <c>*</c> matches
/// one or more characters other than <c>/</c>, a closing <c>$</c> matches the rest, empty or not; the fixed parts are
/// ASCII and match in either case.
/// </summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true, Inherited = false)]
public sealed class RouteAttribute : Attribute
{
    /// <summary>A route.</summary>
    /// <param name="method">The HTTP method, such as <c>GET</c>.</param>
    /// <param name="path">The path, such as <c>/databases/*/docs</c>.</param>
    public RouteAttribute(string method, string path)
    {
        Method = method;
        Path = path;
    }

    /// <summary>The HTTP method.</summary>
    public string Method { get; }

    /// <summary>The path with its captures.</summary>
    public string Path { get; }

    /// <summary>Who may call it.</summary>
    public Access Access { get; init; } = Access.ValidUser;

    /// <summary>True where a request takes as long as its client likes: no reason to call it slow.</summary>
    public bool IsStream { get; init; }

    /// <summary>
    /// The parameters of its query, with commas between them: a name, and behind it <c>!</c> where it must be there,
    /// <c>*</c> where it may be there several times, <c>:int</c> or <c>:bool</c> where it is no text.
    /// </summary>
    public string Query { get; init; } = "";

    /// <summary>What it does, in a few words, for the list of routes.</summary>
    public string Summary { get; init; } = "";
}
