namespace Raven.Cluster.Store;

/// <summary>
/// The keys of the cluster's store, relative to the root of the cluster (docs/formats/cluster-store.md). Names of
/// databases have no case, so their keys have small letters.
/// </summary>
public static class ClusterKeys
{
    /// <summary>What the cluster is: its id, what its nodes can do.</summary>
    public const string Meta = "meta";

    /// <summary>Which node looks after placement: its tag, under a lease.</summary>
    public const string Observer = "observer";

    /// <summary>Where the nodes are.</summary>
    public const string Nodes = "nodes/";

    /// <summary>Which servers were taken out of the cluster.</summary>
    public const string Removed = "removed/";

    /// <summary>Where the signs of life are, under leases.</summary>
    public const string Alive = "alive/";

    /// <summary>Where the databases are.</summary>
    public const string Databases = "db/";

    /// <summary>Where the owners of tasks are.</summary>
    public const string Tasks = "tasks/";

    /// <summary>Where the state of the servers is that belongs to no database.</summary>
    public const string Server = "server/";

    /// <summary>The key of a node.</summary>
    /// <param name="tag">Its tag: one to four of A to Z.</param>
    public static string Node(string tag) => Nodes + tag;

    /// <summary>The key of a server that was taken out.</summary>
    /// <param name="serverId">Its id.</param>
    public static string RemovedOf(string serverId) => Removed + serverId;

    /// <summary>The key of a node's sign of life.</summary>
    /// <param name="tag">Its tag.</param>
    public static string AliveOf(string tag) => Alive + tag;

    /// <summary>The key of a database's record.</summary>
    /// <param name="database">Its name, in any case.</param>
    public static string RecordOf(string database) => $"{Databases}{Folded(database)}/record";

    /// <summary>The key of a database's group.</summary>
    /// <param name="database">Its name, in any case.</param>
    public static string GroupOf(string database) => $"{Databases}{Folded(database)}/group";

    /// <summary>The key of a task's owner.</summary>
    /// <param name="database">The name of its database, in any case.</param>
    /// <param name="id">Its id.</param>
    public static string TaskOf(string database, string id) => $"{TasksOf(database)}{id}";

    /// <summary>What the keys of all tasks of a database begin with.</summary>
    /// <param name="database">The name of the database, in any case.</param>
    public static string TasksOf(string database) => $"{Tasks}{Folded(database)}/";

    /// <summary>The key of a record of the servers.</summary>
    /// <param name="name">Its name, which may have slashes.</param>
    public static string ServerOf(string name) => Server + name;

    /// <summary>Takes a key of a database apart.</summary>
    /// <param name="key">A key below <see cref="Databases"/>.</param>
    /// <param name="database">The name, in small letters.</param>
    /// <param name="part">What follows it: <c>record</c> or <c>group</c>.</param>
    /// <returns>False if it is no such key.</returns>
    public static bool TryReadDatabase(string key, out string database, out string part)
    {
        ArgumentNullException.ThrowIfNull(key);
        database = part = "";
        int slash = key.StartsWith(Databases, StringComparison.Ordinal) ? key.IndexOf('/', Databases.Length) : -1;
        if (slash <= Databases.Length || slash == key.Length - 1)
        {
            return false;
        }

        (database, part) = (key[Databases.Length..slash], key[(slash + 1)..]);
        return true;
    }

    private static string Folded(string database)
    {
        ArgumentException.ThrowIfNullOrEmpty(database);
        return database.ToLowerInvariant();
    }
}
