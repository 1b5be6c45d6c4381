namespace Raven.Server.Routing;

/// <summary>The HTTP methods that routes can be bound to; the value is the slot in a path's table of routes.</summary>
public enum HttpVerb
{
    /// <summary>A method that no route is bound to.</summary>
    Unknown = 0,
    /// <summary>Read.</summary>
    Get = 1,
    /// <summary>Read without the body; answered by the GET route where no route is bound to HEAD.</summary>
    Head = 2,
    /// <summary>Write at a known place.</summary>
    Put = 3,
    /// <summary>Do.</summary>
    Post = 4,
    /// <summary>Remove; may carry a body.</summary>
    Delete = 5,
    /// <summary>Change a part.</summary>
    Patch = 6,
    /// <summary>Ask which methods a path has; answered by the router.</summary>
    Options = 7,
    /// <summary>RavenDB's own method: start an index or an ETL process over.</summary>
    Reset = 8,
}
