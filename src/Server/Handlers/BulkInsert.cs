using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Documents.Attachments;
using Raven.Server.Documents.Commands;
using Raven.Server.Http;
using Raven.Server.Http.Attachments;
using Raven.Server.Http.Commands;
using Raven.Server.Operations;

namespace Raven.Server.Handlers;

/// <summary>
/// One bulk insert: while a batch of documents is committed, the next one is read, each in a context of its own. A
/// batch is committed when it is large, and also when the client pauses and no commit is under way, so that a slow
/// stream gets durable as it comes and a fast one shares commits. What is in stays in when a later document is
/// refused.
/// </summary>
internal sealed class BulkInsert
{
    private const int BatchDocumentsMax = 2048;
    private const long BatchSizeBytesMax = 4 * 1024 * 1024;

    // A heartbeat of some 20 bytes every 40 seconds is all that an idle client sends.
    private const double BytesPerSecondMin = 0.1;

    private static readonly TimeSpan RateGrace = TimeSpan.FromMinutes(2);

    private readonly RequestContext _request;
    private readonly RunningOperation _operation;
    private readonly bool _skipUnchanged;
    private readonly CommandScanner _scanner = new();
    private Part _filling;
    private Part _committing;

    internal BulkInsert(RequestContext request, RunningOperation operation, bool skipUnchanged)
    {
        _request = request;
        _operation = operation;
        _skipUnchanged = skipUnchanged;
        _filling = new Part(request.Server);
        _committing = new Part(request.Server);
    }

    /// <summary>Reads and commits until the list ends.</summary>
    /// <returns>False where a document was refused; the answer says which.</returns>
    internal async ValueTask<bool> RunAsync()
    {
        LiftLimits();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(
            _operation.Killed, _request.Server.Stopping, _request.Aborted);
        try
        {
            return await ReadAsync(stop.Token).ConfigureAwait(false);
        }
        finally
        {
            // Never give back memory that a commit still reads.
            await WaitQuietlyAsync(_committing.Commit).ConfigureAwait(false);
            _filling.Return();
            _committing.Return();
        }
    }

    private async ValueTask<bool> ReadAsync(CancellationToken stop)
    {
        BodySource body = _request.BeginBody(long.MaxValue);
        _scanner.Begin(_filling.Context, isBatch: false);
        while (true)
        {
            ScanStatus status = _scanner.Scan(body.Current, out int consumed);
            body.Consume(consumed);
            if (status == ScanStatus.Invalid)
            {
                await CommitAllAsync().ConfigureAwait(false);
                throw WithCount(_scanner.Refuse(body.Position));
            }

            if (status == ScanStatus.End)
            {
                return await CommitAllAsync().ConfigureAwait(false);
            }

            if (status == ScanStatus.Command)
            {
                if (Refusal() is { } refusal)
                {
                    await CommitAllAsync().ConfigureAwait(false);
                    throw WithCount(refusal);
                }

                if (!await TryAddAsync().ConfigureAwait(false))
                {
                    return await RefuseAsync().ConfigureAwait(false);
                }

                if (_scanner.Command.Kind == CommandKind.Typed
                    && _filling.Batch[_filling.Batch.Count - 1].Part is { NeedsBytes: true })
                {
                    await ReadAttachmentAsync(body, stop).ConfigureAwait(false);
                }

                if (_filling.IsFull && !await CommitAsync().ConfigureAwait(false))
                {
                    return await RefuseAsync().ConfigureAwait(false);
                }

                continue;
            }

            ValueTask<bool> more = body.ReadAsync(stop);
            if (!more.IsCompleted && _filling.Batch.Count > 0 && _committing.IsIdle && _scanner.IsBetweenCommands)
            {
                if (!await CommitAsync().ConfigureAwait(false))
                {
                    await WaitQuietlyAsync(more.AsTask()).ConfigureAwait(false);
                    return await RefuseAsync().ConfigureAwait(false);
                }
            }

            if (!await more.ConfigureAwait(false))
            {
                await CommitAllAsync().ConfigureAwait(false);
                throw WithCount(_scanner.RefuseEnd(body.Position));
            }
        }
    }

    /// <summary>The bytes of an attachment stand right behind its command, as many as that says.</summary>
    private async ValueTask ReadAttachmentAsync(BodySource body, CancellationToken stop)
    {
        if (!_scanner.Command.TryGet("ContentLength"u8, out BlittableValue value)
            || !value.TryGetInt64(out long length) || length < 0)
        {
            throw new BadRequestException($"Command {_scanner.Index}: an AttachmentPUT needs its ContentLength.");
        }

        BatchCommand batch = _filling.Batch;
        var put = (AttachmentPutPart)batch[batch.Count - 1].Part!;
        var upload = new AttachmentUpload(_request);
        await using (upload.ConfigureAwait(false))
        {
            await upload.TakeAsync(body, length, stop).ConfigureAwait(false);
            put.Content = await upload.FinishAsync(put.Content, _filling.Context.Arena).ConfigureAwait(false);

            // Whatever becomes of the batch: what nobody links to is dropped at the next opening.
            upload.SetTaken();
        }
    }

    /// <summary>Why the command that was read cannot be one of a bulk insert; null where it can.</summary>
    private BadRequestException? Refusal()
    {
        ref readonly ScannedCommand command = ref _scanner.Command;
        return command.Kind switch
        {
            CommandKind.HeartBeat => null,
            CommandKind.Put or CommandKind.None when command.HasDocument => null,
            CommandKind.Put or CommandKind.None =>
                new BadRequestException($"Command {_scanner.Index}: a PUT needs a Document."),
            CommandKind.Typed when command.Type!.IsForBulkInsert => command.HasId
                ? null
                : new BadRequestException($"Command {_scanner.Index}: {command.TypeName} needs an Id."),
            CommandKind.Typed or CommandKind.NotServed => new BadRequestException(
                501, ErrorType.NotSupported,
                $"Command {_scanner.Index}: the type {command.TypeName} is not served in a bulk insert."),
            _ => new BadRequestException(
                400, ErrorType.Argument,
                $"Command {_scanner.Index}: '{command.TypeName ?? "DELETE"}' is no type of a bulk insert's command."),
        };
    }

    /// <summary>Adds the command that was read; where it is wrong, those before it are committed first.</summary>
    private async ValueTask<bool> TryAddAsync()
    {
        try
        {
            return TryAdd();
        }
        catch (BadRequestException refusal)
        {
            await CommitAllAsync().ConfigureAwait(false);
            throw WithCount(refusal);
        }
    }

    /// <summary>Adds the command that was read to the batch; false where it cannot be.</summary>
    private bool TryAdd()
    {
        ref readonly ScannedCommand command = ref _scanner.Command;
        return command.Kind switch
        {
            CommandKind.HeartBeat => true,
            CommandKind.Typed => command.Type!.TryAdd(_request, _filling.Batch, in command, _scanner.Index),
            _ => _filling.Batch.TryAddPut(command.Id.Span, command.Document, ExpectedVersion.Any, _skipUnchanged),
        };
    }

    /// <summary>Begins to commit what was read, once the batch before is in, and goes on with an empty one.</summary>
    private async ValueTask<bool> CommitAsync()
    {
        if (!await WaitForCommitAsync().ConfigureAwait(false))
        {
            return false;
        }

        (_filling, _committing) = (_committing, _filling);
        _filling.Begin(_request.Server.Options.DocumentSizeBytesMax);
        _scanner.ContinueIn(_filling.Context);

        // A writer that finds no other one commits on its own thread; this one goes on reading meanwhile.
        BatchCommand batch = _committing.Batch;
        _committing.Commit = Task.Run(() => _request.Database.SubmitAsync(batch).AsTask());
        return true;
    }

    private async ValueTask<bool> CommitAllAsync() =>
        (_filling.Batch.Count == 0 || await CommitAsync().ConfigureAwait(false))
        && await WaitForCommitAsync().ConfigureAwait(false);

    private async ValueTask<bool> WaitForCommitAsync()
    {
        await _committing.Commit.ConfigureAwait(false);
        if (!_committing.Batch.Failure.IsNone)
        {
            return false;
        }

        _operation.Processed += _committing.Uncounted();
        return true;
    }

    /// <summary>A document was refused: those before it are committed, then the answer says which and why.</summary>
    private async ValueTask<bool> RefuseAsync()
    {
        CommandFailure failure = _filling.Batch.Failure;
        if (failure.IsNone)
        {
            failure = _committing.Batch.Failure;
        }
        else if (_filling.Batch.Count > 0)
        {
            await CommitAllAsync().ConfigureAwait(false);
        }

        (int status, string type) = CommandFailures.KindOf(failure.Kind);
        string message = $"Command {_scanner.Index}: {failure.Describe()} {_operation.Processed} documents are in.";
        _operation.Fail(new OperationFailure(status, type, message));
        ErrorResponse.Write(_request, status, type, message);
        return false;
    }

    private BadRequestException WithCount(BadRequestException e) =>
        new(e.Status, e.Type, $"{e.Message} {_operation.Processed} documents are in.");

    private void LiftLimits()
    {
        IHttpMaxRequestBodySizeFeature? size = _request.Features.Get<IHttpMaxRequestBodySizeFeature>();
        if (size is { IsReadOnly: false })
        {
            size.MaxRequestBodySize = null;
        }

        IHttpMinRequestBodyDataRateFeature? rate = _request.Features.Get<IHttpMinRequestBodyDataRateFeature>();
        if (rate != null)
        {
            rate.MinDataRate = new MinDataRate(BytesPerSecondMin, RateGrace);
        }
    }

    private static async ValueTask WaitQuietlyAsync(Task task) =>
        await task.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    /// <summary>A context and a batch in it: one is filled while the other is committed.</summary>
    private sealed class Part
    {
        private readonly ServerState _server;
        private int _counted;

        internal Part(ServerState server)
        {
            _server = server;
            Context = server.RentContext();
            Batch = server.Batches.Get();
            Begin(server.Options.DocumentSizeBytesMax);
        }

        internal OperationContext Context { get; private set; }

        internal BatchCommand Batch { get; }

        internal Task Commit { get; set; } = Task.CompletedTask;

        internal bool IsIdle => Commit.IsCompleted;

        internal bool IsFull => Batch.Count >= BatchDocumentsMax || Context.Arena.UsedBytes >= BatchSizeBytesMax;

        internal void Begin(int documentSizeBytesMax)
        {
            Context.Reset();
            Batch.Reset(Context);
            Batch.DocumentSizeBytesMax = documentSizeBytesMax;
            Commit = Task.CompletedTask;
            _counted = 0;
        }

        /// <summary>The documents of this batch, the first time that it is asked.</summary>
        internal int Uncounted()
        {
            int count = Batch.Count - _counted;
            _counted = Batch.Count;
            return count;
        }

        internal void Return()
        {
            _server.Batches.Return(Batch);
            _server.Contexts.Return(Context);
        }
    }
}
