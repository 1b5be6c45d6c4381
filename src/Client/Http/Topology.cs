namespace Raven.Client.Http;

/// <summary>The list of the servers of a database, as a server has sent it. Immutable.</summary>
/// <param name="Etag">The version of the list, which rises with every change.</param>
/// <param name="Nodes">The servers, in the order in which they are tried.</param>
public sealed record Topology(long Etag, IReadOnlyList<ServerNode> Nodes);
