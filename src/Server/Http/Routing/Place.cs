namespace Raven.Server.Http.Routing;

/// <summary>Which node of a cluster serves a route. A server without a cluster serves all of them.</summary>
public enum Place
{
    /// <summary>It was forgotten: a test fails.</summary>
    Unset,

    /// <summary>Any node that has the database, when it has what was acknowledged; the others pass the request on.
    /// </summary>
    Any,

    /// <summary>The primary of the database: it writes.</summary>
    Primary,

    /// <summary>The node that was asked, as the request is about that node.</summary>
    Node,

    /// <summary>The node that looks after the cluster: it changes the cluster's records.</summary>
    Observer,
}
