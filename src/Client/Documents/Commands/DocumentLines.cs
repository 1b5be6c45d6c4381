using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Raven.Client.Exceptions;

namespace Raven.Client.Documents.Commands;

/// <summary>
/// An answer of JSON values, one in each line, which are read as they arrive. The reader disposes it.
/// </summary>
/// <param name="response">The answer.</param>
/// <param name="pauseMax">The longest time without any bytes.</param>
/// <param name="storeEnd">Cancelled when the store is disposed.</param>
internal sealed class DocumentLines(HttpResponseMessage response, TimeSpan pauseMax, CancellationToken storeEnd)
    : IAsyncDisposable
{
    private PipeReader? _reader;

    /// <summary>The values, in their order.</summary>
    /// <exception cref="RequestFailedException">The answer ended in the middle.</exception>
    /// <exception cref="RavenTimeoutException">No bytes arrived for too long.</exception>
    /// <exception cref="ObjectDisposedException">The store was disposed.</exception>
    internal async IAsyncEnumerable<JsonElement> ReadAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        _reader = PipeReader.Create(stream);
        using var timed = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, storeEnd);
        while (true)
        {
            timed.CancelAfter(pauseMax);
            ReadResult read = await ReadMoreAsync(_reader, timed.Token, cancellationToken).ConfigureAwait(false);
            timed.CancelAfter(Timeout.InfiniteTimeSpan);
            ReadOnlySequence<byte> buffer = read.Buffer;
            List<JsonElement> values = [];
            while (TryTakeLine(ref buffer, read.IsCompleted, out ReadOnlySequence<byte> line))
            {
                if (!IsBlank(line))
                {
                    values.Add(Parse(line));
                }
            }

            _reader.AdvanceTo(buffer.Start, buffer.End);
            foreach (JsonElement value in values)
            {
                yield return value;
            }

            if (read.IsCompleted)
            {
                yield break;
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_reader != null)
        {
            await _reader.CompleteAsync().ConfigureAwait(false);
        }

        response.Dispose();
    }

    private async Task<ReadResult> ReadMoreAsync(
        PipeReader reader, CancellationToken timed, CancellationToken cancellationToken)
    {
        try
        {
            return await reader.ReadAsync(timed).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (storeEnd.IsCancellationRequested)
        {
            throw new ObjectDisposedException(nameof(DocumentStore));
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw new RavenTimeoutException(
                $"The stream stood still for {pauseMax}: not all documents came. Begin again, behind the last one that "
                + "did.", e);
        }
        catch (Exception e) when (e is IOException or HttpRequestException)
        {
            throw new RequestFailedException(
                "The stream broke off: not all documents came. Begin again, behind the last one that did.", e);
        }
    }

    private static bool TryTakeLine(
        ref ReadOnlySequence<byte> buffer, bool isEnd, out ReadOnlySequence<byte> line)
    {
        SequencePosition? end = buffer.PositionOf((byte)'\n');
        if (end != null)
        {
            line = buffer.Slice(0, end.Value);
            buffer = buffer.Slice(buffer.GetPosition(1, end.Value));
            return true;
        }

        line = buffer;
        if (isEnd && !buffer.IsEmpty)
        {
            buffer = buffer.Slice(buffer.End);
            return true;
        }

        return false;
    }

    private static bool IsBlank(ReadOnlySequence<byte> line)
    {
        foreach (ReadOnlyMemory<byte> part in line)
        {
            if (part.Span.ContainsAnyExcept(" \r\t"u8))
            {
                return false;
            }
        }

        return true;
    }

    private static JsonElement Parse(ReadOnlySequence<byte> line)
    {
        try
        {
            var reader = new Utf8JsonReader(line);
            return JsonElement.ParseValue(ref reader);
        }
        catch (JsonException e)
        {
            throw new RequestFailedException("The stream ended in the middle of a document.", e);
        }
    }
}
