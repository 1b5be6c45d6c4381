using Raven.Documents;
using Raven.Documents.Monitoring;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Cluster;

namespace Raven.Server.Http.Monitoring;

/// <summary>Something that an operator has to look after, as long as it is so.</summary>
/// <param name="Kind">What kind it is of.</param>
/// <param name="Database">The database; empty for the server.</param>
/// <param name="Source">The index or the task; or empty.</param>
/// <param name="IsError">Whether something does not work, and not just a warning.</param>
/// <param name="Title">It in a few words.</param>
/// <param name="Message">Why.</param>
internal sealed record Alert(
    string Kind, string Database, string Source, bool IsError, string Title, string Message)
{
    private const int CertificateDaysMin = 30;

    private static readonly TimeSpan FullToldFor = TimeSpan.FromHours(1);

    /// <summary>What it is recognised by.</summary>
    internal string Id => $"AlertRaised/{Kind}/{(Source.Length == 0 ? Database : $"{Database}/{Source}")}";

    /// <summary>Those of a database. It is not opened.</summary>
    internal static List<Alert> Of(ServerState server, Database database)
    {
        List<Alert> alerts = [];
        string name = database.Name;
        if ((database.Fault ?? database.OpenStorage?.Environment.Damage?.Message) is { } fault)
        {
            alerts.Add(new("DatabaseFaulted", name, "", true, "The database does not work", fault));
        }

        if (server.Cluster.TryGetGroup(name, out GroupView? group))
        {
            if (group.Hindrance is { } hindrance)
            {
                alerts.Add(new("GroupHindered", name, "", true, "The group of the database is hindered", hindrance));
            }

            GroupNode[] behind = [.. group.Nodes.Where(node => node.Role == GroupRole.Rehab)];
            if (behind.Length > 0)
            {
                alerts.Add(new(
                    "GroupNotInSync", name, "", false, "Not all members have what was acknowledged",
                    $"Out of sync: {string.Join(", ", behind.Select(node => node.Node.Tag))}."));
            }
        }

        else if (server.Cluster is ClusterService cluster && cluster.ProblemOf(name) is { } problem)
        {
            alerts.Add(new("GroupHindered", name, "", true, "The database is not the cluster's", problem));
        }

        if (database.OpenStorage?.Space.Refusal is { } refusal)
        {
            alerts.Add(new("DiskFull", name, "", true, "The disk has no room", refusal));
        }

        foreach (IndexFigures index in DatabaseFigures.ReadIfOpen(database)?.Indexes ?? [])
        {
            if (index.Index.Fault is { } stopped)
            {
                alerts.Add(new("IndexStopped", name, index.Index.Name, true, "An index has stopped", stopped));
            }
        }

        foreach (BackupConfiguration task in server.Backups.Tasks.Of(name).Where(task => !task.IsDisabled))
        {
            if (server.Backups.StatusOf(name, task.TaskId).Error is { } error)
            {
                alerts.Add(new("BackupFailed", name, task.Name, true, "A backup has failed", error));
            }
        }

        return alerts;
    }

    /// <summary>That of the etcd that this server runs, which has kept as much as it may, or does not do.</summary>
    private static void AddEtcd(ServerState server, List<Alert> alerts)
    {
        if (server.Cluster is not ClusterService cluster)
        {
            return;
        }

        if (cluster.PeerDifference is { } difference)
        {
            alerts.Add(new(
                "PeersDiffer", "", "", false, "Cluster.Peers is not what the nodes say",
                $"{difference} Give this node the addresses of now at its next start."));
        }

        if (cluster.ClockDifference is { } clocks)
        {
            alerts.Add(new(
                "ClocksDiffer", "", "", false, "The clocks of the nodes differ",
                $"{clocks} Writes and failovers do not depend on it; times of changes and of expiry are those of "
                + "the primary. Let the machines set their clocks by the network."));
        }

        if (cluster.Etcd is { } etcd && (etcd.IsFull || etcd.Problem is not null))
        {
            alerts.Add(new(
                etcd.IsFull ? "StoreFull" : "StoreUnwell", "", "", true,
                etcd.IsFull ? "etcd takes nothing more" : "etcd is not well",
                etcd.Problem ?? $"It has used up its quota ({etcd.SizeBytes} bytes)."));
        }
        else if (cluster.EtcdClearedAt is { } at && server.Time.GetUtcNow() - at < FullToldFor)
        {
            alerts.Add(new(
                "StoreWasFull", "", "", false, "etcd had used up its quota",
                FormattableString.Invariant(
                    $"At {at:u} its history was dropped, and there is room again. A larger Cluster.EtcdQuotaMb keeps ")
                + "it from happening; it is the history of changes that takes the room, not what there is."));
        }
    }

    /// <summary>Those of the server itself.</summary>
    internal static List<Alert> Of(ServerState server)
    {
        List<Alert> alerts = [];
        if (server.Databases.Fault is { } fault)
        {
            alerts.Add(new("CatalogFaulted", "", "", true, "Databases cannot be changed", fault));
        }

        if (server.Security.Certificate is { } certificate)
        {
            if (certificate.Left.TotalDays < CertificateDaysMin)
            {
                alerts.Add(new(
                    "CertificateEnds", "", "", certificate.Left < TimeSpan.Zero, "The server's certificate ends",
                    $"It lasts {Math.Floor(certificate.Left.TotalDays):0} more days."));
            }

            if (certificate.LastFailure is { } failure)
            {
                alerts.Add(new(
                    "CertificateReloadFailed", "", "", true, "A new certificate cannot be used", $"{failure}"));
            }
        }

        if (server.Cluster is ClusterService { Hindrance: { } away })
        {
            alerts.Add(new("ClusterHindered", "", "", true, "This node has no part in its cluster now", away));
        }

        AddEtcd(server, alerts);
        if (server.Start.IsUnsecured)
        {
            alerts.Add(new(
                "Unsecured", "", "", false, "Anyone may use this server",
                "Other machines can connect, and need neither a certificate nor a key."));
        }

        return alerts;
    }
}
