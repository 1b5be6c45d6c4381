namespace Raven.Client.Http;

/// <summary>The servers of a database, as the server listed them. Immutable.</summary>
/// <param name="Etag">Rises with every change of the list.</param>
/// <param name="Nodes">The servers, in the order in which they are asked.</param>
public sealed record Topology(long Etag, IReadOnlyList<ServerNode> Nodes);
