using System.Runtime.CompilerServices;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Attachments;
using Raven.Server.Http.Commands;
using Raven.Server.Http.Multipart;
using Raven.Server.Http.Queries;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>Several commands as one transaction: all of them are done, or none.</summary>
internal static class BatchHandler
{
    [Route("POST", "/databases/*/bulk_docs", Access.ReadWrite, Place = Place.Primary,
        Summary = "Does several commands in one transaction",
        Query = "disableAtomicDocumentWrites:bool, waitForIndexesTimeout, waitForIndexThrow:bool, "
            + "waitForSpecificIndex*, waitForReplicasTimeout, numberOfReplicasToWaitFor, "
            + "throwOnTimeoutInWaitForReplicas:bool")]
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        var replicas = ReplicaWait.Of(request);
        string? contentType = request.Headers.ContentType;
        if (contentType != null && MultipartReader.IsMultipart(contentType))
        {
            await PostMultipartAsync(request, contentType, replicas).ConfigureAwait(false);
            return;
        }

        BodySource body = request.BeginBody(request.Server.Options.RequestBodySizeBytesMax);
        CommandScanner scanner = await ReadAsync(request, body).ConfigureAwait(false);
        if (request.Batch.NeedsBytes)
        {
            throw new BadRequestException(
                "The bytes of an AttachmentPUT must be a part of a multipart body, behind the commands.");
        }

        await SubmitAsync(request, scanner, replicas).ConfigureAwait(false);
    }

    /// <summary>The commands are the first part of the body, the bytes of their attachments the others.</summary>
    private static async ValueTask PostMultipartAsync(
        RequestContext request, string contentType, ReplicaWait? replicas)
    {
        // The limits are the length of the commands, their number, and the size of each attachment.
        AttachmentsHandler.LiftBodyLimit(request, null);
        using var parts = MultipartReader.Begin(
            request.BeginBody(long.MaxValue), contentType, request.Server.Options.InflationRatioMax);
        if (!await parts.NextPartAsync(request.Aborted).ConfigureAwait(false))
        {
            throw new BadRequestException("The multipart body has no part with the commands.");
        }

        var attachments = new AttachmentParts();
        await using (attachments.ConfigureAwait(false))
        {
            CommandScanner scanner = await ReadAsync(request, parts.Part).ConfigureAwait(false);
            if (request.Batch.Failure.IsNone)
            {
                await attachments.ReadAsync(request, parts, request.Batch).ConfigureAwait(false);
            }

            await SubmitAsync(request, scanner, replicas).ConfigureAwait(false);
            if (request.Batch.Failure.IsNone)
            {
                attachments.SetTaken();
            }
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask SubmitAsync(
        RequestContext request, CommandScanner scanner, ReplicaWait? replicas)
    {
        BatchCommand batch = request.Batch;

        // A command is refused here while it is read: the index is that of the command that was read last.
        int refused = batch.Failure.IsNone ? -1 : scanner.Index;
        var wait = IndexWait.Of(request);
        if (scanner.IsClusterWide && batch.Failure.IsNone)
        {
            ClusterTransaction.Prepare(request, batch);
        }

        if (batch.Failure.IsNone && batch.HasScripts)
        {
            await request.Server.Queries.SubmitAsync(request.Database, batch, request.Aborted).ConfigureAwait(false);
        }
        else if (batch.Failure.IsNone && batch.Count > 0)
        {
            await request.Database.SubmitAsync(batch).ConfigureAwait(false);
        }

        if (batch.Failure.IsNone)
        {
            string? late = wait is null ? null : await wait.AfterAsync(batch).ConfigureAwait(false);
            if (replicas != null)
            {
                late = await replicas.AfterAsync().ConfigureAwait(false) ?? late;
            }

            request.Response.Status = late is null ? 201 : 400;
            WriteResults(request, batch, scanner.IsClusterWide, late);
        }
        else
        {
            CommandFailures.Answer(request, batch.Failure, scanner.IsClusterWide, refused);
        }
    }

    /// <summary>Reads the body into the batch of the request, up to the first command that cannot be done.</summary>
    private static async ValueTask<CommandScanner> ReadAsync(RequestContext request, IBodyBytes body)
    {
        long sizeMax = request.Server.Options.RequestBodySizeBytesMax;
        var scanner = new CommandScanner();
        scanner.Begin(request.Operation, isBatch: true);
        BatchCommand batch = request.Batch;
        while (true)
        {
            if (body.Position > sizeMax)
            {
                throw new BadRequestException(
                    413, ErrorType.Argument, $"The commands have more than {sizeMax} bytes.");
            }

            ScanStatus status = scanner.Scan(body.Current, out int consumed);
            body.Consume(consumed);
            switch (status)
            {
                case ScanStatus.Command:
                    if (!TryAdd(request, batch, in scanner.Command, scanner.Index))
                    {
                        return scanner;
                    }

                    continue;
                case ScanStatus.Invalid:
                    throw scanner.Refuse(body.Position);
                case ScanStatus.NeedMore when await body.ReadAsync(CancellationToken.None).ConfigureAwait(false):
                    continue;
                case ScanStatus.NeedMore when !scanner.IsAtEnd:
                    throw scanner.RefuseEnd(body.Position);
                case ScanStatus.NeedMore:
                    return scanner;
            }
        }
    }

    private static bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        int commandsMax = request.Server.Options.BatchCommandsMax;
        if (index >= commandsMax)
        {
            throw new BadRequestException(413, ErrorType.Argument, $"The batch has more than {commandsMax} commands.");
        }

        ExpectedVersion expected =
            command.HasChangeVector ? ExpectedVersion.Of(command.ChangeVector.Span) : ExpectedVersion.Any;
        switch (command.Kind)
        {
            case CommandKind.Put when command.HasDocument:
                return batch.TryAddPut(command.Id.Span, command.Document, expected)
                    && KeepOriginal(batch, in command)
                    && KeepOld(batch, in command);
            case CommandKind.Put:
                throw new BadRequestException($"Command {index}: a PUT needs a Document.");
            case CommandKind.Delete when command.HasId:
                return batch.TryAddDelete(command.Id.Span, expected) && KeepOriginal(batch, in command);
            case CommandKind.Delete:
                throw new BadRequestException($"Command {index}: a DELETE needs an Id.");
            case CommandKind.Typed when command.HasId || !command.Type!.NeedsId:
                return command.Type!.TryAdd(request, batch, in command, index);
            case CommandKind.Typed:
                throw new BadRequestException($"Command {index}: {command.TypeName} needs an Id.");
            default:
                throw new BadRequestException(
                    400, ErrorType.Argument, $"Command {index}: '{command.TypeName}' is no type of a batch's command.");
        }
    }

    private static bool KeepOld(BatchCommand batch, in ScannedCommand command)
    {
        if (command.TryGet("ForceRevisionCreationStrategy"u8, out BlittableValue strategy)
            && strategy.StringEquals("Before"u8))
        {
            batch.KeepOldOfLast();
        }

        return true;
    }

    private static bool KeepOriginal(BatchCommand batch, in ScannedCommand command)
    {
        if (command.TryGet("OriginalChangeVector"u8, out BlittableValue original)
            && original.Kind == ValueKind.String)
        {
            batch.Added(batch.Count - 1).Original = original.GetUtf8(batch.Context.Arena);
        }

        return true;
    }

    /// <summary>
    /// Writes the result of each command. If the wait for the indexes timed out, it is an error that says so as well:
    /// the batch is written all the same, and the client needs the versions to go on.
    /// </summary>
    private static void WriteResults(RequestContext request, BatchCommand batch, bool isClusterWide, string? late)
    {
        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        if (late != null)
        {
            ReadOnlySpan<byte> message = Encoding.UTF8.GetBytes(late);
            json.Name("Url"u8);
            json.String(Encoding.UTF8.GetBytes(request.Path + request.QueryString));
            json.Name("Type"u8);
            json.String(Encoding.UTF8.GetBytes(ErrorType.WaitTimeout));
            json.Name("Message"u8);
            json.String(message);
            json.Name("Error"u8);
            json.String(Encoding.UTF8.GetBytes(ErrorType.Before(ErrorType.Timeout, late)));
        }

        json.Name("Results"u8);
        json.StartArray();
        for (int i = 0; i < batch.Count; i++)
        {
            if (!batch[i].IsHidden)
            {
                BatchResultJson.Write(ref json, in batch[i]);
            }
        }

        json.EndArray();
        if (isClusterWide)
        {
            json.Name("TransactionIndex"u8);
            json.Number(Math.Max(1, batch.LastEtag));
        }

        json.EndObject();
        json.Flush();
    }
}
