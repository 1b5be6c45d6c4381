namespace Raven.Client.Http;

/// <summary>One server that serves a database. Immutable.</summary>
/// <param name="Url">The url of the server, without a slash at the end.</param>
/// <param name="Database">The database; null for the server itself.</param>
/// <param name="ClusterTag">The tag of the server in its cluster, a letter; null before the topology is known.</param>
public sealed record ServerNode(string Url, string? Database, string? ClusterTag = null)
{
    /// <summary>The url of its requests: the server, or the database on it.</summary>
    public string BaseUrl { get; } =
        Database is null ? Url : Url + "/databases/" + Uri.EscapeDataString(Database);
}
