namespace Raven.Client.Http;

/// <summary>One server that serves a database. Immutable.</summary>
/// <param name="Url">Its url, without a closing slash.</param>
/// <param name="Database">The database; null for the server itself.</param>
/// <param name="ClusterTag">Its letter in the cluster; null before the topology is known.</param>
public sealed record ServerNode(string Url, string? Database, string? ClusterTag = null)
{
    /// <summary>The url of its requests: the server, or the database on it.</summary>
    public string BaseUrl { get; } =
        Database is null ? Url : Url + "/databases/" + Uri.EscapeDataString(Database);
}
