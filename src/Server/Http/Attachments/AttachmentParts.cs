using System.Runtime.ExceptionServices;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Server.Http.Multipart;

namespace Raven.Server.Http.Attachments;

/// <summary>
/// The attachments of a batch, whose bytes follow its commands as parts of a multipart body, in the same order.
/// </summary>
internal sealed class AttachmentParts : IAsyncDisposable
{
    /// <summary>How many bytes of small attachments are kept in memory; more are stored as they arrive.</summary>
    private const long KeptBytesMax = 4 * 1024 * 1024;

    private readonly List<AttachmentUpload> _uploads = [];

    /// <summary>Reads the bytes of all attachments of a batch.</summary>
    /// <param name="request">The request with the batch.</param>
    /// <param name="parts">The body after the commands.</param>
    /// <param name="batch">The batch, complete except for the bytes.</param>
    /// <exception cref="BadRequestException">There are more or fewer parts than attachments.</exception>
    internal async ValueTask ReadAsync(RequestContext request, MultipartReader parts, BatchCommand batch)
    {
        CancellationToken aborted = request.Aborted;
        long kept = 0;
        for (int i = 0; i < batch.Count; i++)
        {
            if (batch[i].Action is not AttachmentPutAction put)
            {
                continue;
            }

            if (!await parts.NextPartAsync(aborted).ConfigureAwait(false))
            {
                throw new BadRequestException(
                    $"Command {i}: the bytes of an AttachmentPUT must be a part of a multipart body, behind the "
                    + "commands and in their order.");
            }

            var upload = new AttachmentUpload(request);
            _uploads.Add(upload);
            await upload.TakeAsync(parts.Part, -1, aborted).ConfigureAwait(false);
            put.Content = await upload.FinishAsync(put.Content, batch.Context.Arena, kept < KeptBytesMax)
                .ConfigureAwait(false);
            kept += put.Content.Bytes.Length;
        }

        if (await parts.NextPartAsync(aborted).ConfigureAwait(false))
        {
            throw new BadRequestException($"Part '{parts.Name}' belongs to no AttachmentPUT.");
        }
    }

    /// <summary>Called after the batch is committed: the bytes belong to their links.</summary>
    internal void SetTaken() => _uploads.ForEach(upload => upload.SetTaken());

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => DisposeAllAsync(_uploads);

    /// <summary>Disposes of all of them, even if one fails: bytes of an upload that is left out would
    /// stay stored.</summary>
    /// <exception cref="Exception">The first exception of a disposal.</exception>
    internal static async ValueTask DisposeAllAsync(IEnumerable<IAsyncDisposable> uploads)
    {
        ExceptionDispatchInfo? first = null;
        foreach (IAsyncDisposable upload in uploads)
        {
            try
            {
                await upload.DisposeAsync().ConfigureAwait(false);
            }
            catch (Exception e)
            {
                first ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        first?.Throw();
    }
}
