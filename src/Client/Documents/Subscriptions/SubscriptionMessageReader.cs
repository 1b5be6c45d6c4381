using System.Text.Json;
using Raven.Client.Json;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>Reads the messages of a subscription, which follow each other without a length. One caller at a time.
/// </summary>
internal sealed class SubscriptionMessageReader
{
    private const int BufferBytes = 64 * 1024;
    private const int ReadBytesMin = 16 * 1024;

    /// <summary>The server sends a heartbeat after at most ten seconds of silence.</summary>
    private static readonly TimeSpan SilenceMax = TimeSpan.FromSeconds(60);

    private byte[] _buffer = new byte[BufferBytes];
    private int _start;
    private int _end;
    private int _looked;
    private JsonReaderState _look;

    /// <summary>Reads the next message. Its data stays as it is: nothing is read over it.</summary>
    /// <param name="stream">The connection.</param>
    /// <param name="cancellation">Ends the wait.</param>
    /// <exception cref="IOException">The connection has ended, or is silent.</exception>
    /// <exception cref="JsonException">What comes is no JSON.</exception>
    internal async ValueTask<SubscriptionMessage> ReadAsync(Stream stream, CancellationToken cancellation)
    {
        while (true)
        {
            if (TryTake(out SubscriptionMessage message))
            {
                return message;
            }

            MakeRoom();
            using var silent = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            silent.CancelAfter(SilenceMax);
            int count;
            try
            {
                count = await stream.ReadAsync(_buffer.AsMemory(_end), silent.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
            {
                throw new IOException($"The server was silent for {SilenceMax}.");
            }

            _end += count;
            if (count == 0)
            {
                throw new IOException("The server has closed the connection of the subscription.");
            }
        }
    }

    /// <summary>Takes the next message, if all of it is there.</summary>
    private bool TryTake(out SubscriptionMessage message)
    {
        message = default;
        while (_start < _end && _buffer[_start] is 0x20 or 0x09 or 0x0D or 0x0A)
        {
            _start++;
        }

        if (_start == _end || (_looked > 0 && !TryFindEnd()))
        {
            return false;
        }

        if (SubscriptionMessage.TryRead(_buffer.AsMemory(_start.._end), out message, out int length))
        {
            _start += length;
            _looked = 0;
            return true;
        }

        // A long message comes in many pieces: it is looked through once for its end, and read when that is there.
        _look = new JsonReaderState(DocumentHead.ReaderOptions);
        _looked = 0;
        TryFindEnd();
        return false;
    }

    /// <summary>Looks on for the end of the first message.</summary>
    private bool TryFindEnd()
    {
        var reader = new Utf8JsonReader(_buffer.AsSpan((_start + _looked).._end), isFinalBlock: false, _look);
        bool isWhole = false;
        while (!isWhole && reader.Read())
        {
            isWhole = reader is { TokenType: JsonTokenType.EndObject, CurrentDepth: 0 };
        }

        _looked += (int)reader.BytesConsumed;
        _look = reader.CurrentState;
        return isWhole;
    }

    /// <summary>Makes room behind what was received, in a new buffer: the messages of a batch stay in the old one.
    /// </summary>
    private void MakeRoom()
    {
        if (_buffer.Length - _end >= ReadBytesMin)
        {
            return;
        }

        int length = _end - _start;
        byte[] next = GC.AllocateUninitializedArray<byte>(Math.Max(BufferBytes, 2 * length));
        _buffer.AsSpan(_start, length).CopyTo(next);
        (_buffer, _start, _end) = (next, 0, length);
    }
}
