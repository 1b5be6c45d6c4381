using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Operations;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Server.Handlers;

/// <summary>Gives disk space back that a database does not need any more.</summary>
internal static class CompactHandler
{
    private const double BytesPerMegabyte = 1024 * 1024;

    [Route("POST", "/admin/compact", Access.Operator, Place = Place.Node,
        Audit = "database.compacted", IsAuditNote = true,
        Summary = "Compacts the storage of a database, or of some of its indexes")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        ClusterAnswers.RequireSingle(
            request,
            "The files of a database in a cluster are not compacted: its nodes have the same pages, and one alone "
            + "would have others. Export it and import it into a new database, which has small files.");
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        if (!body.TryGet("DatabaseName"u8, out BlittableValue value) || !value.TryGetString(out string name))
        {
            throw new BadRequestException(400, ErrorType.Argument, "DatabaseName must name the database.");
        }

        List<string> indexes = NamesOf(body);
        bool hasDocuments = IsTrue(body, "Documents"u8);
        if (!hasDocuments && indexes.Count == 0)
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                "There is nothing to compact: Documents must be true, or Indexes must name some.");
        }

        if (!request.Server.Databases.TryGet(name, out Database? database))
        {
            DatabaseResolver.AnswerMissing(request, name);
            return;
        }

        if (database.IsCompacting)
        {
            throw new BadRequestException(409, ErrorType.Concurrency, $"'{database.Name}' is being compacted already.");
        }

        if (hasDocuments)
        {
            RequireRoom(request, database);
        }

        foreach (string index in hasDocuments ? [] : indexes)
        {
            if (database.Indexes.Find(index) is null)
            {
                IndexAnswers.Missing(request, index, status: 404);
                return;
            }
        }

        request.Announce(database: database.Name, resource: indexes.Count == 0 ? null : string.Join(", ", indexes));
        bool mergesAll = !IsTrue(body, "SkipOptimizeIndexes"u8);
        ServerState server = request.Server;
        RunningOperation operation = server.Operations.Begin(database.Name, OperationStarter.Of(request));
        _ = Task.Run(() => RunAsync(
            server, operation, cancellation => hasDocuments
                ? server.Databases.CompactAsync(database, bytes => operation.Processed = bytes, cancellation)
                : CompactIndexesAsync(database, operation, indexes, mergesAll, cancellation)));
        OperationJson.WriteStarted(request, operation);
    }

    /// <summary>The copy needs as much room as what is in use; it is beside the old files until the end.</summary>
    private static void RequireRoom(RequestContext request, Database database)
    {
        if (!request.Server.Options.RunInMemory && database.TryGetStorageStatistics(out StorageStatistics? storage))
        {
            long needed = (storage.Pages - storage.FreePages) * PageHeader.PageSizeInBytes;
            long free = new DriveInfo(request.Server.DataFolder).AvailableFreeSpace;
            if (free < needed)
            {
                throw new BadRequestException(
                    507, ErrorType.DiskFull,
                    $"A compaction of '{database.Name}' needs {needed} bytes beside its files, and {free} are free.");
            }
        }
    }

    /// <summary>Compacts one index after the other. If the documents are compacted, all indexes are built anew, so that
    /// none may be named.</summary>
    private static async Task<(long Before, long After)> CompactIndexesAsync(
        Database database, RunningOperation operation, List<string> indexes, bool mergesAll,
        CancellationToken cancellation)
    {
        long before = 0;
        long after = 0;
        operation.Total = indexes.Count;
        foreach (string index in indexes)
        {
            (long was, long now) = await database.Indexes.Changes.CompactAsync(index, mergesAll, cancellation)
                .ConfigureAwait(false);
            before += was;
            after += now;
            operation.Processed++;
        }

        return (before, after);
    }

    private static List<string> NamesOf(BlittableObject body)
    {
        List<string> names = [];
        if (body.TryGet("Indexes"u8, out BlittableValue indexes) && indexes.TryGetArray(out BlittableArray list))
        {
            for (int i = 0; i < list.Count; i++)
            {
                names.Add(list[i].TryGetString(out string name)
                    ? name
                    : throw new BadRequestException(400, ErrorType.Argument, "Indexes must be names of indexes."));
            }
        }

        return names;
    }

    private static bool IsTrue(BlittableObject body, ReadOnlySpan<byte> name) =>
        body.TryGet(name, out BlittableValue value) && value.TryGetBoolean(out bool isTrue) && isTrue;

    private static async Task RunAsync(
        ServerState server, RunningOperation operation, Func<CancellationToken, Task<(long, long)>> compact)
    {
        try
        {
            using var ended = CancellationTokenSource.CreateLinkedTokenSource(operation.Killed, server.Stopping);
            (long before, long after) = await compact(ended.Token).ConfigureAwait(false);
            operation.Complete(
            [
                new("SizeBeforeCompactionInMb", before / BytesPerMegabyte),
                new("SizeAfterCompactionInMb", after / BytesPerMegabyte),
            ]);
        }
#pragma warning disable CA1031 // Any exception ends the operation, and its state reports it.
        catch (Exception e)
#pragma warning restore CA1031
        {
            operation.Fail(FailureMapping.Describe(server, e));
        }
        finally
        {
            server.Operations.Ended(operation);
        }
    }
}
