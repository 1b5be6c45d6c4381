using Raven.Documents.Catalog;

namespace Raven.Server.Http.Cluster;

/// <summary>Changes records of databases: those of this server, or in a cluster those of all nodes.</summary>
internal static class RecordChanges
{
    /// <summary>Changes a record.</summary>
    /// <param name="request">The request.</param>
    /// <param name="name">The database.</param>
    /// <param name="change">Gives the record as it is to be; called again if it was changed meanwhile.</param>
    internal static async ValueTask<RecordChange> TryAsync(
        RequestContext request, string name, Func<ReadOnlyMemory<byte>, byte[]> change)
    {
        ServerState server = request.Server;
        if (server.Cluster.IsClustered)
        {
            ClusterOutcome outcome = await server.Cluster.ChangeRecordAsync(name, change, request.Aborted)
                .ConfigureAwait(false);
            return outcome.Status == ClusterOutcomeStatus.Missing ? RecordChange.Missing
                : ClusterAnswers.IsDone(request, outcome) ? RecordChange.Done
                : RecordChange.Answered;
        }

        while (server.Databases.TryGetRecord(name, out DatabaseRecord? record))
        {
            if (server.Databases.TryUpdateRecord(name, record.Etag, change(record.Json), out _))
            {
                return RecordChange.Done;
            }
        }

        return RecordChange.Missing;
    }

    /// <summary>Disables a database, or enables it.</summary>
    /// <param name="request">The request.</param>
    /// <param name="name">The database.</param>
    /// <param name="isDisabled">Whether it is disabled.</param>
    internal static async ValueTask<RecordChange> TryDisableAsync(RequestContext request, string name, bool isDisabled)
    {
        if (!request.Server.Cluster.IsClustered)
        {
            return request.Server.Databases.TrySetDisabled(name, isDisabled)
                ? RecordChange.Done
                : RecordChange.Missing;
        }

        byte[] value = isDisabled ? "true"u8.ToArray() : "false"u8.ToArray();
        return await TryAsync(request, name, record => RecordJson.With(record, RecordJson.Disabled, value))
            .ConfigureAwait(false);
    }
}
