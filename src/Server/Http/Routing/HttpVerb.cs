namespace Raven.Server.Http.Routing;

/// <summary>The HTTP methods that routes can be bound to; the value is the slot in a path's table of routes.</summary>
public enum HttpVerb
{
    /// <summary>A method that no route is bound to.</summary>
    Unknown = 0,
    /// <summary>Reads a resource.</summary>
    Get = 1,
    /// <summary>Reads without the body; answered by the GET route if no route is bound to HEAD.</summary>
    Head = 2,
    /// <summary>Writes at a known url.</summary>
    Put = 3,
    /// <summary>Runs an action.</summary>
    Post = 4,
    /// <summary>Removes a resource; may have a body.</summary>
    Delete = 5,
    /// <summary>Changes a part of a resource.</summary>
    Patch = 6,
    /// <summary>Asks for the methods of a path; answered by the router.</summary>
    Options = 7,
    /// <summary>RavenDB's own method: starts an index or an ETL process over.</summary>
    Reset = 8,
}
