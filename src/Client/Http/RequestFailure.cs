namespace Raven.Client.Http;

/// <summary>Why one server did not answer a request.</summary>
/// <param name="Node">The server.</param>
/// <param name="Exception">The exception to throw if there is no other server to try.</param>
/// <param name="MayBeDone">True if the server may have executed the request nevertheless.</param>
internal sealed record RequestFailure(ServerNode Node, Exceptions.RavenException Exception, bool MayBeDone);
