namespace Raven.Client.Documents.BulkInsert;

/// <summary>Attachments of one document in a bulk insert.</summary>
public sealed class BulkInsertAttachments
{
    private readonly BulkInsertOperation _operation;
    private readonly string _id;

    internal BulkInsertAttachments(BulkInsertOperation operation, string id)
    {
        _operation = operation;
        _id = id;
    }

    /// <summary>
    /// Stores an attachment. If its stream fails or the wait is cancelled in the middle, the bulk insert is aborted:
    /// otherwise the server would read the next command as the rest of the attachment.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="stream">
    /// Its bytes, from the position of the stream to its end; the stream must have a length.
    /// </param>
    /// <param name="contentType">The content type of its bytes.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public async Task StoreAsync(
        string name, Stream stream, string? contentType = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(stream);
        if (!stream.CanSeek)
        {
            throw new NotSupportedException("The stream does not know its length, which is sent before its bytes.");
        }

        long written = _operation.Written;
        try
        {
            await WriteAsync(name, stream, contentType, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception) when (_operation.Written != written)
        {
            await _operation.AbortAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task WriteAsync(
        string name, Stream stream, string? contentType, CancellationToken cancellationToken)
    {
        long left = stream.Length - stream.Position;
        await _operation.WriteAsync((_id, name, contentType, left), static (writer, it) =>
            writer.WriteAttachmentHead(it._id, it.name, it.contentType, it.left), countsAs: 0, cancellationToken)
            .ConfigureAwait(false);
        byte[] buffer = new byte[32 * 1024];
        while (left > 0)
        {
            int count = await stream.ReadAsync(
                buffer.AsMemory(0, (int)Math.Min(buffer.Length, left)), cancellationToken).ConfigureAwait(false);
            if (count == 0)
            {
                throw new EndOfStreamException($"The stream of '{name}' ended {left} bytes before its length.");
            }

            left -= count;
            await _operation.WriteAsync(buffer.AsMemory(0, count), static (writer, bytes) =>
                writer.WriteRaw(bytes.Span), countsAs: 0, cancellationToken).ConfigureAwait(false);
        }
    }
}
