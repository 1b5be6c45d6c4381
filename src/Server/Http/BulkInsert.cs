using System.Text;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Counters;
using Raven.Documents.Operations;
using Raven.Documents.TimeSeries;
using Raven.Server.Http.Attachments;
using Raven.Server.Http.Commands;

namespace Raven.Server.Http;

/// <summary>
/// One bulk insert: while a batch of documents is committed, the next one is read, each in a context of its own. A
/// batch is committed when it is large, and also when the client pauses and no commit is under way, so that a slow
/// stream becomes durable as it arrives and a fast one shares commits. Committed documents stay when a later document
/// is refused.
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
    private BatchBuffer _filling;
    private BatchBuffer _committing;

    internal BulkInsert(RequestContext request, RunningOperation operation, bool skipUnchanged)
    {
        _request = request;
        _operation = operation;
        operation.BulkInsert = new BulkInsertProgress();
        _skipUnchanged = skipUnchanged;
        _filling = new BatchBuffer(request.Server);
        _committing = new BatchBuffer(request.Server);
    }

    /// <summary>Reads and commits until the end of the list.</summary>
    /// <exception cref="BadRequestException">A command was refused; those before it are committed, those after it are
    /// not. The message says which one, and how many are committed.</exception>
    internal async ValueTask RunAsync()
    {
        LiftLimits();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(
            _operation.Killed, _request.Server.Stopping, _request.Aborted);
        try
        {
            bool isIn = true;
            BadRequestException? refusal = null;
            try
            {
                isIn = await ReadAsync(stop).ConfigureAwait(false);
            }
            catch (BadRequestException e)
            {
                refusal = e;
            }
            catch (ArenaLimitException e)
            {
                FailureAnswer tooLarge = FailureMapping.Describe(_request.Server, e);
                refusal = new BadRequestException(
                    tooLarge.StatusCode, tooLarge.Type, $"Command {_scanner.Index}: {tooLarge.Message}");
            }

            if (!isIn || !await CommitAllAsync().ConfigureAwait(false))
            {
                // This refusal is of a command before the one that was refused in the stream.
                refusal = await KeepPrefixAsync().ConfigureAwait(false);
            }

            if (_request.Database.IsDeleted)
            {
                // The committed documents were deleted with the database.
                throw new DatabaseDeletedException(_request.Database.Name);
            }

            if (refusal is not null)
            {
                throw new BadRequestException(
                    refusal.Status, refusal.Type, $"{refusal.Message} {_operation.Processed} documents are in.");
            }
        }
        finally
        {
            // A commit must not read memory that is given back; a killed insert counts what is committed, too.
            await WaitQuietlyAsync(_committing.Commit).ConfigureAwait(false);
            Count();
            _filling.Return();
            _committing.Return();
        }
    }

    /// <summary>Reads to the end of the list, and commits full batches.</summary>
    /// <returns>False if a commit was refused.</returns>
    /// <exception cref="BadRequestException">A command, or the stream, was refused.</exception>
    private async ValueTask<bool> ReadAsync(CancellationTokenSource stop)
    {
        BodySource body = _request.BeginBody(long.MaxValue);
        _scanner.Begin(_filling.Context, isBatch: false);
        while (true)
        {
            ScanStatus status = _scanner.Scan(body.Current, out int consumed);
            body.Consume(consumed);
            switch (status)
            {
                case ScanStatus.Invalid:
                    throw _scanner.Refuse(body.Position);
                case ScanStatus.End:
                    return true;
                case ScanStatus.Command:
                    await AddAsync(body, stop.Token).ConfigureAwait(false);
                    if (_filling.IsFull && !await CommitAsync().ConfigureAwait(false))
                    {
                        return false;
                    }

                    continue;
            }

            ValueTask<bool> reading = body.ReadAsync(stop.Token);
            bool isMore;
            if (reading.IsCompleted)
            {
                isMore = await reading.ConfigureAwait(false);
            }
            else
            {
                Task<bool> waiting = reading.AsTask();
                if (!await CommitWhileWaitingAsync(waiting, stop).ConfigureAwait(false))
                {
                    return false;
                }

                isMore = await waiting.ConfigureAwait(false);
            }

            if (!isMore)
            {
                throw _scanner.RefuseEnd(body.Position);
            }
        }
    }

    /// <summary>Adds the command that was read to the batch. A refused command adds nothing, not even its
    /// first operations.</summary>
    private async ValueTask AddAsync(BodySource body, CancellationToken stop)
    {
        BatchCommand batch = _filling.Batch;
        int count = batch.Count;
        try
        {
            Add(batch);
            if (batch.Count > count && batch[count].Action is AttachmentPutAction put)
            {
                await ReadAttachmentAsync(put, body, stop).ConfigureAwait(false);
            }
        }
        catch
        {
            batch.TruncateTo(count);
            throw;
        }

        if (batch.Count > count)
        {
            _filling.Commands.Add(_scanner.Index);
        }
    }

    /// <summary>Reads the bytes of an attachment, which follow its command, as many as it says.</summary>
    private async ValueTask ReadAttachmentAsync(AttachmentPutAction put, BodySource body, CancellationToken stop)
    {
        if (!_scanner.Command.TryGet("ContentLength"u8, out BlittableValue value)
            || !value.TryGetInt64(out long length) || length < 0)
        {
            throw new BadRequestException($"Command {_scanner.Index}: an AttachmentPUT needs its ContentLength.");
        }

        var upload = new AttachmentUpload(_request);
        await using (upload.ConfigureAwait(false))
        {
            await upload.TakeAsync(body, length, stop).ConfigureAwait(false);
            put.Content = await upload.FinishAsync(put.Content, _filling.Context.Arena).ConfigureAwait(false);

            // Even if the batch fails: bytes without a link are dropped at the next opening.
            upload.SetTaken();
        }
    }

    /// <summary>Why the command that was read is not allowed in a bulk insert; null if it is.</summary>
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
            CommandKind.Typed => new BadRequestException(
                501, ErrorType.NotSupported,
                $"Command {_scanner.Index}: the type {command.TypeName} is not served in a bulk insert."),
            _ => new BadRequestException(
                400, ErrorType.Argument,
                $"Command {_scanner.Index}: '{command.TypeName ?? "DELETE"}' is no type of a bulk insert's command."),
        };
    }

    private void Add(BatchCommand batch)
    {
        if (Refusal() is { } refusal)
        {
            throw refusal;
        }

        ref readonly ScannedCommand command = ref _scanner.Command;
        bool isAdded = command.Kind switch
        {
            CommandKind.HeartBeat => true,
            CommandKind.Typed => command.Type!.TryAdd(_request, batch, in command, _scanner.Index),
            _ => batch.TryAddPut(command.Id.Span, command.Document, ExpectedVersion.Any, _skipUnchanged),
        };
        if (!isAdded)
        {
            throw RefusalOf(batch.Failure, _scanner.Index);
        }
    }

    /// <summary>Begins to commit what was read, after the batch before is committed, and goes on with an
    /// empty one.</summary>
    private async ValueTask<bool> CommitAsync()
    {
        if (!await WaitForCommitAsync().ConfigureAwait(false))
        {
            return false;
        }

        (_filling, _committing) = (_committing, _filling);
        _filling.Begin(_request.Server.Options.DocumentSizeBytesMax);
        _scanner.ContinueIn(_filling.Context);

        BeginCommit();
        return true;
    }

    /// <summary>Commits on another thread: a writer without concurrent ones would commit on this thread, which goes
    /// on reading.</summary>
    private void BeginCommit()
    {
        BatchCommand batch = _committing.Batch;
        _committing.Commit = Task.Run(() => _request.Database.SubmitAsync(batch).AsTask());
    }

    /// <summary>Commits what was read while the stream waits for the client, and gives up if the commit
    /// is refused.</summary>
    private async ValueTask<bool> CommitWhileWaitingAsync(Task waiting, CancellationTokenSource stop)
    {
        bool isIn = false;
        try
        {
            isIn = await CommitUntilAsync(waiting).ConfigureAwait(false);
            return isIn;
        }
        finally
        {
            if (!isIn)
            {
                // The client may send nothing for long, so that the refusal is answered now.
                await stop.CancelAsync().ConfigureAwait(false);
                await WaitQuietlyAsync(waiting).ConfigureAwait(false);
            }
        }
    }

    private async ValueTask<bool> CommitUntilAsync(Task more)
    {
        while (!more.IsCompleted)
        {
            if (!_committing.IsIdle)
            {
                await Task.WhenAny(more, _committing.Commit).ConfigureAwait(false);
            }
            else if (!await WaitForCommitAsync().ConfigureAwait(false))
            {
                return false;
            }
            else if (_filling.Batch.Count == 0 || !_scanner.IsBetweenCommands)
            {
                break;
            }
            else if (!await CommitAsync().ConfigureAwait(false))
            {
                return false;
            }
        }

        return true;
    }

    private async ValueTask<bool> CommitAllAsync() =>
        (_filling.Batch.Count == 0 || await CommitAsync().ConfigureAwait(false))
        && await WaitForCommitAsync().ConfigureAwait(false);

    private async ValueTask<bool> WaitForCommitAsync()
    {
        await _committing.Commit.ConfigureAwait(false);
        Count();
        return _committing.Batch.Failure.IsNone;
    }

    /// <summary>Reports the progress, if a batch was committed since the last report.</summary>
    private void Count()
    {
        BulkInsertProgress progress = _operation.BulkInsert!;
        if (_committing.Count(ref progress) is > 0 and int count)
        {
            _operation.BulkInsert = progress;
            _operation.Processed += count;
        }
    }

    /// <summary>
    /// A batch was refused as a whole because of one command: the commands before it are committed by themselves, as if
    /// the batch ended there.
    /// </summary>
    /// <returns>Why the first command that is not committed was refused.</returns>
    private async ValueTask<BadRequestException> KeepPrefixAsync()
    {
        BatchCommand batch = _committing.Batch;
        while (true)
        {
            CommandFailure failure = batch.Failure;
            BadRequestException refusal = RefusalOf(failure, _committing.Commands[failure.OperationIndex]);
            batch.TruncateTo(failure.OperationIndex);
            if (batch.Count == 0)
            {
                return refusal;
            }

            BeginCommit();
            if (await WaitForCommitAsync().ConfigureAwait(false))
            {
                return refusal;
            }
        }
    }

    private static BadRequestException RefusalOf(in CommandFailure failure, int command)
    {
        (int status, string type) = CommandFailures.KindOf(failure.Kind);
        return new BadRequestException(status, type, $"Command {command}: {failure.Describe()}");
    }

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
            // A stream of HTTP/2 takes no rate of its own: Kestrel throws for all but none.
            bool isStream = _request.Features.Get<IHttp2StreamIdFeature>() != null;
            rate.MinDataRate = isStream ? null : new MinDataRate(BytesPerSecondMin, RateGrace);
        }
    }

    private static async ValueTask WaitQuietlyAsync(Task task) =>
        await task.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    /// <summary>A context and a batch in it: one is filled while the other is committed.</summary>
    private sealed class BatchBuffer
    {
        private readonly ServerState _server;
        private readonly long _sizeBytesMax;
        private int _counted;

        internal BatchBuffer(ServerState server)
        {
            _server = server;
            _sizeBytesMax = Math.Min(BatchSizeBytesMax, server.RequestMemoryBytesMax / 2);
            Context = server.RentContext();
            Batch = server.Batches.Get();
            Begin(server.Options.DocumentSizeBytesMax);
        }

        internal OperationContext Context { get; private set; }

        internal BatchCommand Batch { get; }

        internal Task Commit { get; set; } = Task.CompletedTask;

        /// <summary>For each operation of the batch, the number of its command in the stream.</summary>
        internal List<int> Commands { get; } = [];

        internal bool IsIdle => Commit.IsCompleted;

        internal bool IsFull => Batch.Count >= BatchDocumentsMax || Context.Arena.UsedBytes >= _sizeBytesMax;

        internal void Begin(int documentSizeBytesMax)
        {
            Context.Reset();
            Batch.Reset(Context);
            Batch.DocumentSizeBytesMax = documentSizeBytesMax;
            Commands.Clear();
            Commit = Task.CompletedTask;
            _counted = 0;
        }

        /// <summary>Adds what is committed of this batch and was not counted before.</summary>
        /// <returns>How many commands that is.</returns>
        internal int Count(ref BulkInsertProgress progress)
        {
            int first = _counted;
            int count = Commit.IsCompletedSuccessfully && Batch.Failure.IsNone ? Batch.Count - first : 0;
            if (count == 0)
            {
                return 0;
            }

            _counted += count;
            (int documents, int attachments, int counters, int entries) = (0, 0, 0, 0);
            for (int i = first; i < _counted; i++)
            {
                ref readonly DocumentOperation operation = ref Batch[i];
                documents += operation.Kind == DocumentOperationKind.Put ? 1 : 0;
                attachments += operation.Action is AttachmentPutAction ? 1 : 0;
                counters += operation.Action is CountersAction changed ? changed.Operations.Length : 0;
                entries += operation.Action is TimeSeriesAction series ? series.EntryCount : 0;
            }

            progress = progress with
            {
                Batches = progress.Batches + 1,
                LastId = Encoding.UTF8.GetString(Batch[_counted - 1].Id.Span),
                Documents = progress.Documents + documents,
                Attachments = progress.Attachments + attachments,
                Counters = progress.Counters + counters,
                TimeSeries = progress.TimeSeries + entries,
            };
            return count;
        }

        internal void Return()
        {
            _server.Batches.Return(Batch);
            _server.Contexts.Return(Context);
        }
    }
}
