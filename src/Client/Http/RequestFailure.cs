namespace Raven.Client.Http;

/// <summary>Why one server did not answer a request.</summary>
/// <param name="Node">The exception to throw if there is no other server to ask.</param>
/// <param name="Exception">True if the request may have been done nevertheless.</param>
/// <param name="MayBeDone">True if the request may have been done all the same.</param>
internal sealed record RequestFailure(ServerNode Node, Exceptions.RavenException Exception, bool MayBeDone);
