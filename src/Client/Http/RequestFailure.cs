namespace Raven.Client.Http;

/// <summary>Why one server did not answer a request.</summary>
/// <param name="Node">The server.</param>
/// <param name="Exception">What to throw where there is no other server to ask.</param>
/// <param name="MayBeDone">True where the request may have been done all the same.</param>
internal sealed record RequestFailure(ServerNode Node, Exceptions.RavenException Exception, bool MayBeDone);
