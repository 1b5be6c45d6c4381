namespace Raven.Client.Exceptions.Cluster;

/// <summary>
/// For as long as a server holds a request, no node of the cluster could serve it: the database has no primary, or too
/// few of its nodes reach one another. Nothing was done.
/// </summary>
public sealed class NoLeaderException(string message) : RavenException(message);
