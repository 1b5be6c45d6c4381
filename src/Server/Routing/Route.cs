using Raven.Server.Diagnostics;

namespace Raven.Server.Routing;

/// <summary>One method on one path, bound to its handler. Immutable, shared by all threads.</summary>
public sealed class Route
{
    /// <summary>A bound route.</summary>
    public Route(int number, HttpVerb verb, RouteAttribute attribute, RouteHandler handler)
    {
        ArgumentNullException.ThrowIfNull(attribute);
        Number = number;
        Verb = verb;
        Path = attribute.Path;
        Access = attribute.Access;
        Summary = attribute.Summary;
        IsStream = attribute.IsStream;
        Query = attribute.Query;
        Handler = handler;
        NeedsDatabase = Path.StartsWith("/databases/*/", StringComparison.Ordinal);
    }

    /// <summary>
    /// The position in <see cref="RouteTable.Routes"/>; also the row in <see cref="RequestCounters"/>.
    /// </summary>
    public int Number { get; }

    /// <summary>The method.</summary>
    public HttpVerb Verb { get; }

    /// <summary>The path as it was declared.</summary>
    public string Path { get; }

    /// <summary>Who may call it.</summary>
    public Access Access { get; }

    /// <summary>What it does.</summary>
    public string Summary { get; }

    /// <summary>The parameters of its query, as <see cref="RouteAttribute.Query"/> has them.</summary>
    public string Query { get; }

    /// <summary>True where a request takes as long as its client likes.</summary>
    public bool IsStream { get; }

    /// <summary>The code.</summary>
    public RouteHandler Handler { get; }

    /// <summary>
    /// True where the first capture names a database, which the router opens before the handler runs.
    /// </summary>
    public bool NeedsDatabase { get; }

    /// <summary>The line of the golden list of routes.</summary>
    public override string ToString() =>
        $"{HttpVerbs.Name(Verb)} {Path} {Access} -> {Handler.Method.DeclaringType?.Name}.{Handler.Method.Name}";
}
