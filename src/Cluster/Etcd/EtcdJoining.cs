namespace Raven.Cluster.Etcd;

//   JOIN-1  An etcd without data joins the members that there are, as the one that was added for its address. It never
//           begins another cluster beside them, and never takes the place of a member whose data it has not.

/// <summary>How an etcd without data begins where others run already.</summary>
public static class EtcdJoining
{
    /// <summary>Decides how it begins.</summary>
    /// <param name="options">How it would begin by itself.</param>
    /// <param name="members">The members that there are.</param>
    /// <returns>How it begins; and why it cannot, or null.</returns>
    public static (ManagedEtcdOptions Options, string? Problem) Decide(
        ManagedEtcdOptions options, IReadOnlyList<EtcdMember> members)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(members);
        string address = options.PeerUrl.GetLeftPart(UriPartial.Authority);
        EtcdMember? own = members.FirstOrDefault(
            each => each.PeerUrls.Contains(address, StringComparer.OrdinalIgnoreCase));
        if (own is null)
        {
            return (options,
                $"The cluster has an etcd of {members.Count} members, and none for {address}. Add this node first, at "
                + "one of the others: PUT /admin/cluster/node?url=URL&tag=TAG. Or give it Cluster.Store with their "
                + "urls: then it runs no etcd.");
        }

        // One that the cluster has begun with has its name from then on, and where it serves only after its first
        // start.
        if (own.Name.Length > 0 && own.ClientUrls.Count == 0)
        {
            return (options, null);
        }

        if (own.ClientUrls.Count > 0)
        {
            return (options,
                $"The etcd of this node, {own.Name}, has run before, and its data is gone. Take the node out at one of "
                + "the others (DELETE /admin/cluster/node?nodeTag=TAG), and add one with another tag.");
        }

        // What has not started has no name, and is told apart by its address alone.
        Dictionary<string, Uri> all = new(StringComparer.Ordinal);
        foreach (EtcdMember member in members)
        {
            string name = ReferenceEquals(member, own) ? options.Name
                : member.Name.Length > 0 ? member.Name
                : FormattableString.Invariant($"member-{member.Id:x}");
            if (member.PeerUrls.Count == 0 || !all.TryAdd(name, new Uri(member.PeerUrls[0])))
            {
                return (options, $"The members of etcd are not told apart: {name}.");
            }
        }

        return (options with { IsJoining = true, Members = all }, null);
    }
}
