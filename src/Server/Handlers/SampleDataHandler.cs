using System.Security.Cryptography;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Rows;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Commands.Types;
using Raven.Server.Http.Routing;
using Raven.Server.Samples;

namespace Raven.Server.Handlers;

/// <summary>The route that fills an empty database with data to try queries on.</summary>
internal static class SampleDataHandler
{
    private const string Documents = nameof(Documents);
    private const string Revisions = "RevisionDocuments";
    private const string Attachments = nameof(Attachments);
    private const string Indexes = nameof(Indexes);

    private static ReadOnlySpan<byte> OrdersAreKept =>
        """{"Default":null,"Collections":{"Orders":{"Disabled":false}}}"""u8;

    /// <summary>The types that clients may ask for; the sample data has nothing of the last ones.</summary>
    private static readonly string[] KnownTypes =
    [
        Documents, Revisions, Attachments, Indexes, "None", "Identities", "CompareExchange", "Counters",
        "CounterGroups", "TimeSeries", "Subscriptions", "DatabaseRecord", "Conflicts", "Tombstones",
    ];

    [Route("POST", "/databases/*/studio/sample-data", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.sampled", IsAuditNote = true,
        Summary = "Fills an empty database with sample documents and their indexes", Query = "operateOnTypes*")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        Database database = request.Database;
        HashSet<string> types = TypesOf(request);
        using (DocumentSnapshot snapshot = database.BeginRead())
        {
            if (snapshot.DocumentCount > 0)
            {
                throw new BadRequestException(
                    400, ErrorType.InvalidOperation,
                    $"The database '{database.Name}' has {snapshot.DocumentCount} documents: sample data is for an "
                    + "empty one.");
            }
        }

        request.Announce();
        if (types.Contains(Documents))
        {
            if (types.Contains(Revisions) && database.Settings?.Revisions is null)
            {
                // All versions of the orders are kept, so that there are revisions.
                await database.ConfigureAsync(
                    SettingsStore.Revisions, OrdersAreKept.ToArray()).ConfigureAwait(false);
            }

            await WriteAsync(request, database, types.Contains(Attachments)).ConfigureAwait(false);
        }

        if (types.Contains(Indexes) && request.Server.Options.IndexingCSharp != CSharpUse.None)
        {
            foreach (IndexDefinition definition in SampleData.Indexes)
            {
                await database.Indexes.Changes.PutAsync(definition).ConfigureAwait(false);
            }
        }

        request.Response.Status = 201;
    }

    /// <summary>The types that a request asks for; all of them if it names none.</summary>
    private static HashSet<string> TypesOf(RequestContext request)
    {
        HashSet<string> types = new(StringComparer.OrdinalIgnoreCase);
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("operateOnTypes"))
            {
                string list = Encoding.UTF8.GetString(request.Decode(parameter.Encoded, "operateOnTypes").Span);
                types.UnionWith(list.Split(
                    ',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries));
            }
        }

        string? unknown = types.FirstOrDefault(type => !KnownTypes.Contains(type, StringComparer.OrdinalIgnoreCase));
        return unknown is not null
            ? throw new BadRequestException(
                400, ErrorType.Argument,
                $"operateOnTypes: '{unknown}' is none of {string.Join(", ", KnownTypes)}.")
            : types.Count == 0 || types.Contains("None") ? [.. KnownTypes] : types;
    }

    private static void AddPictures(BatchCommand batch, Arena arena)
    {
        foreach ((string id, string name, byte[] bytes) in SampleData.Pictures())
        {
            byte[] idText = Encoding.UTF8.GetBytes(id);
            NativeSlice nameText = Copy(arena, Encoding.UTF8.GetBytes(name));
            NativeSlice hash = arena.Allocate(AttachmentHash.SizeBytes);
            SHA256.HashData(bytes, hash.WritableSpan);
            var content = new AttachmentContent
            {
                Name = nameText,
                ContentType = Copy(arena, "image/jpeg"u8),
                Hash = hash,
                Size = bytes.Length,
                Bytes = Copy(arena, bytes),
            };
            var action = new AttachmentPutAction(arena, AttachmentFields.Key(arena, idText, nameText.Span), content);
            if (!batch.TryAddAction(idText, action, ExpectedVersion.Any))
            {
                throw new InvalidOperationException($"'{name}' of '{id}' of the sample data is no attachment.");
            }
        }
    }

    private static NativeSlice Copy(Arena arena, ReadOnlySpan<byte> bytes)
    {
        NativeSlice copy = arena.Allocate(bytes.Length);
        bytes.CopyTo(copy.WritableSpan);
        return copy;
    }

    /// <summary>Writes all documents in one transaction.</summary>
    private static async ValueTask WriteAsync(RequestContext request, Database database, bool hasPictures)
    {
        ServerState server = request.Server;
        OperationContext context = server.RentContext();
        BatchCommand batch = server.Batches.Get();
        try
        {
            batch.Reset(context);
            batch.DocumentSizeBytesMax = server.Options.DocumentSizeBytesMax;
            foreach ((string id, byte[] json) in SampleData.Documents())
            {
                if (!context.Parser.TryParse(
                    json, BlittableMode.ToDisk, out BlittableObject document, out JsonError error)
                    || !batch.TryAddPut(Encoding.UTF8.GetBytes(id), document, ExpectedVersion.Any))
                {
                    throw new InvalidOperationException($"'{id}' of the sample data is no document: {error}");
                }
            }

            if (hasPictures)
            {
                AddPictures(batch, context.Arena);
            }

            await database.SubmitAsync(batch).ConfigureAwait(false);
            if (!batch.Failure.IsNone)
            {
                (int status, string type) = CommandFailures.KindOf(batch.Failure.Kind);
                throw new BadRequestException(status, type, batch.Failure.Describe());
            }
        }
        finally
        {
            server.Batches.Return(batch);
            server.Contexts.Return(context);
        }
    }
}
