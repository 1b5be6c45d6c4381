using System.Diagnostics.Metrics;
using Raven.Documents.Monitoring;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Monitoring;

namespace Raven.Server.Http;

/// <summary>
/// The counters as System.Diagnostics.Metrics instruments, for listeners (dotnet-counters, OpenTelemetry). They are
/// observed, not recorded: a request pays for <see cref="RequestCounters"/> only.
/// </summary>
internal sealed class ServerMetrics : IDisposable
{
    internal const string MeterName = "Raven.Server";

    private readonly Meter _meter = new(MeterName);

    internal ServerMetrics(ServerState server)
    {
        RequestCounters counters = server.Counters;
        _meter.CreateObservableCounter(
            "raven.requests", () => counters.Count, "{request}", "Requests that ended");
        _meter.CreateObservableCounter(
            "raven.requests.client_errors", () => counters.ClientErrors, "{request}", "Requests answered 4xx");
        _meter.CreateObservableCounter(
            "raven.requests.server_errors", () => counters.ServerErrors, "{request}", "Requests answered 5xx");
        _meter.CreateObservableUpDownCounter(
            "raven.requests.active", () => counters.Active, "{request}", "Requests that are running");
        _meter.CreateObservableCounter("raven.request.duration", () => DurationsOf(server), "s", "Time per route");
        _meter.CreateObservableUpDownCounter(
            "raven.connections", () => server.ConnectionCount, "{connection}", "Connections");
        _meter.CreateObservableCounter(
            "raven.requests.slow", () => server.Slow.Count, "{request}", "Requests above Logs.SlowRequestMsMin");
        _meter.CreateObservableUpDownCounter(
            "raven.memory.used", static () => MemoryGate.UsedBytes(), "By", "Memory that is in no file");
        _meter.CreateObservableUpDownCounter(
            "raven.databases", () => server.Databases.Count, "{database}", "Databases");
        _meter.CreateObservableUpDownCounter(
            "raven.backups.running", () => server.Backups.RunningCount, "{backup}", "Backups that run");
        OfDatabases("raven.database.documents", "{document}", "Documents", one => one.Counts.DocumentCount);
        OfDatabases("raven.database.changes", "{change}", "The last etag", one => one.Counts.LastEtag);
        OfDatabases("raven.storage.size", "By", "All files of the documents", one => one.Storage.SizeOnDiskBytes);
        OfDatabases("raven.storage.journal.backlog", "By", "Journal that an opening reads",
            one => one.Storage.JournalBacklogBytes);
        OfDatabases("raven.merger.writes", "{write}", "Writes that were committed", one => one.Merger.Writes);
        OfDatabases("raven.indexes.stale", "{index}", "Indexes that are behind",
            one => one.Indexes.Count(index => index.IsStale));
        if (server.Cluster is ClusterService cluster)
        {
            OfGroups("raven.cluster.role", "1", "4 primary, 3 in sync, 2 behind, 1 getting a copy, 0 none",
                (group, _) => RoleNumber(group.Role));
            OfGroups("raven.cluster.epoch", "1", "How many primaries there were", (group, _) => group.Epoch);
            OfGroups("raven.cluster.in_sync", "{node}", "Nodes that have every commit", (group, _) => group.Nodes.Count(
                node => node.Role is GroupRole.Primary or GroupRole.Member));
            OfGroups("raven.cluster.lag", "By", "What the node furthest behind has not acknowledged",
                (_, health) => health.Peers.Select(peer => peer.LagBytes).DefaultIfEmpty().Max());
            OfGroups("raven.cluster.failovers", "{failover}", "How often this node has become primary",
                (_, health) => health.Failovers);
            OfGroups("raven.cluster.kept_aside", "By", "Files of other histories, which nobody uses",
                (_, health) => health.KeptAsideBytes);

            void OfGroups(string name, string unit, string help, Func<GroupView, GroupHealth, long> value) =>
                _meter.CreateObservableGauge(name, () => GroupsOf(cluster, value), unit, help);
        }

        void OfDatabases(string name, string unit, string help, Func<DatabaseFigures, long> value) =>
            _meter.CreateObservableGauge(name, () => OpenOnes(server, value), unit, help);
    }

    /// <inheritdoc/>
    public void Dispose() => _meter.Dispose();

    /// <summary>A value of each open database: to ask for it opens none.</summary>
    private static IEnumerable<Measurement<long>> OpenOnes(ServerState server, Func<DatabaseFigures, long> value) =>
        from one in WatchedDatabase.All(server)
        where one.Figures != null
        select new Measurement<long>(
            value(one.Figures!), new KeyValuePair<string, object?>("db.namespace", one.Name));

    private static IEnumerable<Measurement<long>> GroupsOf(
        ClusterService cluster, Func<GroupView, GroupHealth, long> value) =>
        from entry in cluster.Groups
        let view = entry.View
        where view != null && entry.Host != null
        select new Measurement<long>(
            value(view, cluster.HealthOf(view)), new KeyValuePair<string, object?>("db.namespace", entry.Name));

    private static long RoleNumber(GroupRole role) => role switch
    {
        GroupRole.Primary => 4,
        GroupRole.Member => 3,
        GroupRole.Rehab => 2,
        GroupRole.Promotable => 1,
        _ => 0,
    };

    private static IEnumerable<Measurement<double>> DurationsOf(ServerState server)
    {
        for (int i = 0; i < server.Routes.Routes.Count; i++)
        {
            (long count, double seconds, _, _) = server.Counters.Of(i);
            if (count > 0)
            {
                yield return new Measurement<double>(
                    seconds, new KeyValuePair<string, object?>("route", server.Routes.Routes[i].Path));
            }
        }
    }
}
