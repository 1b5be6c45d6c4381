using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;
using Raven.Documents.Counters;
using Raven.Documents.Json;
using Raven.Documents.Patching;
using Raven.Documents.Revisions;
using Raven.Documents.TimeSeries;

namespace Raven.Server.Http.Commands;

/// <summary>
/// The results of the commands of a batch as clients read them, written straight from the memory of the batch.
/// </summary>
internal static class BatchResultJson
{
    /// <summary>
    /// Writes the result of one command. Every key of a PUT's result except its type becomes metadata of the entity at
    /// the client, so that no other keys may be written.
    /// </summary>
    internal static void Write(ref JsonOutput json, in DocumentOperation operation)
    {
        json.StartObject();
        if (operation.Action is { } action)
        {
            WriteAction(ref json, in operation, action);
        }
        else if (operation.Kind == DocumentOperationKind.Put)
        {
            json.Name("Type"u8);
            json.String("PUT"u8);
            WriteVersion(ref json, in operation, hasCollection: true);
        }
        else
        {
            json.Name("Type"u8);
            json.String("DELETE"u8);
            json.Name("Id"u8);
            json.String(operation.Id.Span);
            json.Name("Deleted"u8);
            json.Boolean(operation.IsChanged);
            WriteTextOrNull(ref json, "ChangeVector"u8, operation.ChangeVector);
        }

        json.EndObject();
    }

    /// <summary>Writes the document that a patch left, with its metadata; null without one.</summary>
    internal static void WriteModified(ref JsonOutput json, in DocumentOperation operation, PatchAction patch)
    {
        if (patch.Modified.IsEmpty)
        {
            json.Null();
            return;
        }

        DocumentJson.Write(ref json, BlittableObject.Open(patch.Modified), new DocumentSystemFields
        {
            Id = operation.Id.Span,
            ChangeVector = operation.ChangeVector.Span,
            Collection = operation.Collection.Span,
            LastModifiedTicks = operation.LastModifiedTicks,
            Flags = operation.Flags,
        });
    }

    /// <summary>Writes the members of a result that is neither of a put nor of a deletion; other actions than these
    /// have none.</summary>
    private static void WriteAction(ref JsonOutput json, in DocumentOperation operation, BatchAction action)
    {
        switch (action)
        {
            case PatchAction patch:
                Write(ref json, in operation, patch);
                break;
            case CountersAction counters:
                Write(ref json, in operation, counters);
                break;
            case CompareExchangeAction exchange:
                json.Name("Type"u8);
                json.String(exchange.IsPut ? "CompareExchangePUT"u8 : "CompareExchangeDELETE"u8);
                json.Name("Key"u8);
                json.String(operation.Id.Span);
                json.Name("Index"u8);
                json.Number(exchange.Index);
                break;
            case AttachmentPutAction put:
                Write(ref json, in operation, put);
                break;
            case AttachmentCopyAction copy:
                Write(ref json, in operation, copy);
                break;
            case AttachmentDeleteAction deletion:
                json.Name("Type"u8);
                json.String("AttachmentDELETE"u8);
                json.Name("@id"u8);
                json.String(operation.Id.Span);
                json.Name("Name"u8);
                json.String(deletion.Name.Span);
                WriteTextOrNull(ref json, "DocumentChangeVector"u8, operation.ChangeVector);
                break;
            case TimeSeriesCopyAction:
                WriteTimeSeries(ref json, in operation, "TimeSeriesCopy"u8);
                break;
            case TimeSeriesAction:
                WriteTimeSeries(ref json, in operation, "TimeSeries"u8);
                break;
            case ForceRevisionAction revision:
                Write(ref json, in operation, revision);
                break;
            case TrackedVersionsAction:
                json.Name("Type"u8);
                json.String("BatchTrackChanges"u8);
                break;
        }
    }

    private static void Write(ref JsonOutput json, in DocumentOperation operation, PatchAction patch)
    {
        json.Name("Type"u8);
        json.String(patch.Type);
        json.Name("Id"u8);
        json.String(operation.Id.Span);
        json.Name("PatchStatus"u8);
        json.String(patch.Status.ToString());
        WriteTextOrNull(ref json, "ChangeVector"u8, operation.ChangeVector);
        json.Name("LastModified"u8);
        if (operation.LastModifiedTicks == 0)
        {
            json.Null();
        }
        else
        {
            DocumentJson.WriteDate(ref json, operation.LastModifiedTicks);
        }

        if (patch.ReturnsDocument)
        {
            json.Name("ModifiedDocument"u8);
            WriteModified(ref json, in operation, patch);
        }
    }

    private static void Write(ref JsonOutput json, in DocumentOperation operation, CountersAction counters)
    {
        json.Name("Id"u8);
        json.String(operation.Id.Span);
        json.Name("Type"u8);
        json.String("Counters"u8);
        json.Name("CountersDetail"u8);
        json.StartObject();
        json.Name("Counters"u8);
        json.StartArray();
        CounterJson.WriteResults(ref json, operation.Id, counters);
        json.EndArray();
        json.EndObject();
        WriteTextOrNull(ref json, "DocumentChangeVector"u8, operation.ChangeVector);
    }

    private static void WriteTimeSeries(
        ref JsonOutput json, in DocumentOperation operation, ReadOnlySpan<byte> type)
    {
        json.Name("Id"u8);
        json.String(operation.Id.Span);
        json.Name("Type"u8);
        json.String(type);
        WriteTextOrNull(ref json, "DocumentChangeVector"u8, operation.ChangeVector);
    }

    private static void Write(ref JsonOutput json, in DocumentOperation operation, AttachmentPutAction put)
    {
        json.Name("Type"u8);
        json.String("AttachmentPUT"u8);
        json.Name("Id"u8);
        json.String(operation.Id.Span);
        json.Name("ChangeVector"u8);
        json.String(put.ChangeVector.Span);
        AttachmentJson.WriteDetails(
            ref json, put.Content.Name.Span, put.Content.Hash.Span, put.Content.ContentType.Span, put.Content.Size);
        json.Name("DocumentChangeVector"u8);
        json.String(operation.ChangeVector.Span);
    }

    private static void Write(ref JsonOutput json, in DocumentOperation operation, AttachmentCopyAction copy)
    {
        json.Name("Type"u8);
        json.String(copy.IsMove ? "AttachmentMOVE"u8 : "AttachmentCOPY"u8);
        json.Name("Id"u8);

        // Clients note what a copy made under this id and this name, and what a move took away.
        json.String(copy.IsMove ? operation.Id.Span : copy.TargetId.Span);
        json.Name("DestinationId"u8);
        json.String(copy.TargetId.Span);
        json.Name("DestinationName"u8);
        json.String(copy.TargetName.Span);
        json.Name("ChangeVector"u8);
        json.String(copy.ChangeVector.Span);
        NativeSlice name = copy.IsMove ? copy.Name : copy.TargetName;
        AttachmentJson.WriteDetails(
            ref json, name.Span, copy.Content.Hash.Span, copy.Content.ContentType.Span, copy.Content.Size);
        json.Name("DocumentChangeVector"u8);
        json.String(operation.ChangeVector.Span);
    }

    private static void Write(ref JsonOutput json, in DocumentOperation operation, ForceRevisionAction revision)
    {
        json.Name("Type"u8);
        json.String("ForceRevisionCreation"u8);
        json.Name("RevisionCreated"u8);
        json.Boolean(revision.IsCreated);
        if (revision.IsCreated)
        {
            WriteVersion(ref json, in operation, hasCollection: false);
        }
    }

    /// <summary>Writes what is known of the version that was written, under the names of its metadata.</summary>
    private static void WriteVersion(ref JsonOutput json, in DocumentOperation operation, bool hasCollection)
    {
        json.Name("@id"u8);
        json.String(operation.Id.Span);
        if (hasCollection)
        {
            json.Name("@collection"u8);
            json.String(operation.Collection.Span);
        }

        json.Name("@change-vector"u8);
        json.String(operation.ChangeVector.Span);
        json.Name("@last-modified"u8);
        DocumentJson.WriteDate(ref json, operation.LastModifiedTicks);
        DocumentJson.WriteFlags(ref json, operation.Flags);
    }

    private static void WriteTextOrNull(ref JsonOutput json, ReadOnlySpan<byte> name, NativeSlice text)
    {
        json.Name(name);
        if (text.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(text.Span);
        }
    }
}
