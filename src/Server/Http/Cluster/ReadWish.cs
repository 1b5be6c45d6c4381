namespace Raven.Server.Http.Cluster;

/// <summary>What a read asks for.</summary>
/// <param name="MaxStaleness">How old the state may be: no other node is asked while the last commit that this one has
/// heard of is younger. Null: everything that was acknowledged before the request.</param>
/// <param name="MinEtag">The etag that the state must have reached; 0 for none. With a staleness it is waited for, too.
/// </param>
public readonly record struct ReadWish(TimeSpan? MaxStaleness, long MinEtag);
