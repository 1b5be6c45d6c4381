using Raven.Security.Rights;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Routing;

/// <summary>One method on one path, bound to its handler. Immutable, shared by all threads.</summary>
public sealed class Route
{
    /// <summary>Makes a bound route.</summary>
    public Route(int number, HttpVerb verb, RouteAttribute attribute, RouteHandler handler)
    {
        ArgumentNullException.ThrowIfNull(attribute);
        Number = number;
        Verb = verb;
        Path = attribute.Path;
        Access = attribute.Access;
        Place = attribute.Place;
        Summary = attribute.Summary;
        IsStream = attribute.IsStream;
        HoldsSecrets = attribute.HoldsSecrets;
        Audit = attribute.Audit;
        IsAuditedFirst = Audit != null && !attribute.IsAuditNote && Access >= Access.DatabaseAdmin;
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

    /// <summary>The path as it was declared, with its captures.</summary>
    public string Path { get; }

    /// <summary>The right that a caller needs.</summary>
    public Access Access { get; }

    /// <summary>Which node of a cluster serves it.</summary>
    public Place Place { get; }

    /// <summary>Its description, in a few words.</summary>
    public string Summary { get; }

    /// <summary>The parameters of its query, in the form of <see cref="RouteAttribute.Query"/>.</summary>
    public string Query { get; }

    /// <summary>True if the client decides how long a request takes.</summary>
    public bool IsStream { get; }

    /// <summary>True if an answer may hold secrets: it is neither kept by caches nor compressed.</summary>
    public bool HoldsSecrets { get; }

    /// <summary>The event in the audit log of what it does; null if it has none.</summary>
    public string? Audit { get; }

    /// <summary>True if that is on the disk before it is done.</summary>
    public bool IsAuditedFirst { get; }

    /// <summary>The method that answers it.</summary>
    public RouteHandler Handler { get; }

    /// <summary>True if the first capture names a database, which the router opens before the handler runs.</summary>
    public bool NeedsDatabase { get; }

    /// <summary>The line of the golden list of routes.</summary>
    public override string ToString() =>
        $"{HttpVerbs.Name(Verb)} {Path} {Access} {Place} -> {Handler.Method.DeclaringType?.Name}.{Handler.Method.Name}";
}
