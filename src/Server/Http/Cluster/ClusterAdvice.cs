namespace Raven.Server.Http.Cluster;

/// <summary>Says what a person can do about what is wrong in a cluster, in sentences.</summary>
internal static class ClusterAdvice
{
    private const string Away = "Start its server again; the log of it, and of the machine, say why it is away.";

    private const string Restored =
        "Give etcd the state back that it had: it has an older one, so that nobody can know what was acknowledged "
        + "since. This node takes no part until then.";

    private const string Lost =
        "If what they have is lost for good: POST /admin/databases/promote with acceptDataLoss=true on a node that is "
        + "left begins anew with what that one has, and what only the lost ones had is lost.";

    /// <summary>What to do about a node; null if nothing is wrong with it.</summary>
    internal static string? Of(NodeView node) =>
        node.Hindrance is not null ? "The sentence beside it says what is wrong; its server's log says more."
        : node.IsAlive ? null
        : Away;

    /// <summary>What to do about the store; null if nothing is wrong with it.</summary>
    internal static string? Of(StoreHealth store) =>
        store.Member is { IsFull: true }
            ? "Its keys need more room than its quota. Look with 'etcdctl endpoint status' at what it holds besides."
        : store.Problem is not null || store.Member is { HasLeader: false } or { Problem: not null }
            ? "See that more than half of the etcds run and reach one another. Reads and writes go on meanwhile; no "
            + "node takes over, joins or leaves, and changes of administrators are refused."
        : null;

    /// <summary>What to do about a group; null if nothing is wrong with it.</summary>
    internal static string? Of(GroupView group)
    {
        GroupNode[] all = [.. group.Nodes];
        GroupNode[] inSync = [.. all.Where(node => node.Role is GroupRole.Primary or GroupRole.Member)];
        GroupNode[] away = [.. inSync.Where(node => !node.Node.IsAlive)];
        if (group.Hindrance?.Contains("restored from an old copy", StringComparison.Ordinal) == true)
        {
            return Restored;
        }

        if (inSync.Length == 0)
        {
            return all.Length == 0 ? null : "Wait until it has a primary: that takes a second or two.";
        }

        if (away.Length > 0 && inSync.Length - away.Length < group.MinInSync)
        {
            return $"Start {TagsOf(away)} again: a write needs {group.MinInSync} nodes that have everything, and "
                + $"{inSync.Length - away.Length} of them run. {Lost}";
        }

        if (away.Length > 0)
        {
            return away.Any(node => node.Role == GroupRole.Primary)
                ? $"Nothing: another node takes over within seconds. Then start {TagsOf(away)} again."
                : $"Nothing at once: writes go on without {TagsOf(away)} within seconds. Start it again.";
        }

        return OfTheRest([.. all.Except(inSync)]);
    }

    private static string? OfTheRest(GroupNode[] rest)
    {
        GroupNode[] gone = [.. rest.Where(node => !node.Node.IsAlive)];
        if (gone.Length > 0)
        {
            return $"Start {TagsOf(gone)} again: it catches up by itself. If it is lost for good, take it out of the "
                + "database and add another node.";
        }

        return rest.Length == 0 ? null
            : rest.Any(node => node.Role == GroupRole.Promotable)
                ? $"Wait: {TagsOf(rest)} gets its copy, and then counts by itself."
                : $"Wait: {TagsOf(rest)} catches up by itself.";
    }

    private static string TagsOf(GroupNode[] nodes) => string.Join(" and ", nodes.Select(node => node.Node.Tag));
}
