using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Text.Unicode;
using Raven.Blittable.Memory;

namespace Raven.Server.Http.WebSockets;

/// <summary>
/// The messages of a client over a WebSocket, frame by frame: pieces are joined, masks removed, the protocol is
/// enforced. While nothing is received it holds no buffer. One reader at a time.
/// </summary>
internal sealed class WebSocketReader : IDisposable
{
    private const int BufferSizeBytes = 4096;

    private static readonly StreamPipeReaderOptions ReaderOptions =
        new(bufferSize: BufferSizeBytes, minimumReadSize: 256, leaveOpen: true, useZeroByteReads: true);

    private readonly PipeReader _reader;
    private readonly int _messageSizeBytesMax;
    private byte[] _message = [];
    private int _messageLength;
    private byte[] _control = [];
    private int _controlLength;
    private bool _isControl;
    private bool _isInMessage;
    private bool _isBinary;

    /// <summary>Reads from a stream, which stays the caller's.</summary>
    /// <param name="stream">The stream after the handshake.</param>
    /// <param name="messageSizeBytesMax">The longest message that is accepted.</param>
    internal WebSocketReader(Stream stream, int messageSizeBytesMax)
    {
        _reader = PipeReader.Create(stream, ReaderOptions);
        _messageSizeBytesMax = messageSizeBytesMax;
    }

    /// <summary>The bytes of the message or control frame that was read last; until the next read.</summary>
    internal ReadOnlySpan<byte> Payload =>
        _isControl ? _control.AsSpan(0, _controlLength) : _message.AsSpan(0, _messageLength);

    /// <summary>The status of the error, if the client violated the protocol.</summary>
    internal WebSocketCloseStatus ErrorStatus { get; private set; }

    /// <summary>What the error is; null if the connection just ended.</summary>
    internal string? Error { get; private set; }

    /// <summary>Waits for the next whole message or control frame.</summary>
    /// <returns>What was received; null at the end, or after a violation of the protocol.</returns>
    internal async ValueTask<WebSocketOpcode?> ReadAsync()
    {
        _isControl = false;
        if (!_isInMessage)
        {
            ReleaseMessage();
        }

        while (true)
        {
            ReadResult read = await _reader.ReadAsync().ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = read.Buffer;
            bool isComplete = TryTake(ref buffer, out WebSocketOpcode opcode);
            _reader.AdvanceTo(buffer.Start, isComplete ? buffer.Start : buffer.End);
            if (isComplete)
            {
                return opcode;
            }

            if (Error != null || read.IsCompleted)
            {
                return null;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _reader.Complete();
        ReleaseMessage();
    }

    /// <summary>Takes whole frames until a message or a control frame is complete.</summary>
    private bool TryTake(ref ReadOnlySequence<byte> buffer, out WebSocketOpcode opcode)
    {
        Span<byte> header = stackalloc byte[WebSocketFrame.ClientHeaderSizeBytesMax];
        while (true)
        {
            int available = (int)Math.Min(buffer.Length, header.Length);
            buffer.Slice(0, available).CopyTo(header);
            opcode = default;
            if (!WebSocketFrame.TryParse(header[..available], out WebSocketFrame frame, out string? error))
            {
                Fail(WebSocketCloseStatus.ProtocolError, error);
                return false;
            }

            if (frame.PayloadLength > _messageSizeBytesMax - (frame.IsControl ? 0 : _messageLength))
            {
                Fail(WebSocketCloseStatus.MessageTooBig, $"a message is longer than {_messageSizeBytesMax} bytes");
                return false;
            }

            if (Misplaced(in frame) is { } misplaced)
            {
                Fail(WebSocketCloseStatus.ProtocolError, misplaced);
                return false;
            }

            if (buffer.Length < frame.HeaderLength + frame.PayloadLength)
            {
                return false;
            }

            ReadOnlySequence<byte> payload = buffer.Slice(frame.HeaderLength, frame.PayloadLength);
            buffer = buffer.Slice(frame.HeaderLength + frame.PayloadLength);
            if (frame.IsControl)
            {
                TakeControl(in payload, frame.Mask);
                opcode = frame.Opcode;
                return true;
            }

            Append(in payload, frame.Mask);

            _isBinary |= frame.Opcode == WebSocketOpcode.Binary;
            _isInMessage = !frame.IsFinal;
            if (frame.IsFinal)
            {
                opcode = WebSocketOpcode.Text;
                return IsText();
            }
        }
    }

    private string? Misplaced(in WebSocketFrame frame)
    {
        return frame.IsControl || (frame.Opcode == WebSocketOpcode.Continuation) == _isInMessage ? null
            : _isInMessage ? "a message begins inside another"
            : "a message goes on that did not begin";
    }

    private bool IsText()
    {
        bool isBinary = _isBinary;
        _isBinary = false;
        if (isBinary)
        {
            Fail(WebSocketCloseStatus.UnsupportedData, "messages must be texts");
            return false;
        }

        if (!Utf8.IsValid(Payload))
        {
            Fail(WebSocketCloseStatus.InvalidPayload, "a text is not UTF-8");
            return false;
        }

        return true;
    }

    /// <summary>Keeps the payload of a control frame, which may be between the pieces of a message.</summary>
    private void TakeControl(in ReadOnlySequence<byte> payload, uint mask)
    {
        if (_control.Length == 0)
        {
            _control = new byte[WebSocketFrame.ControlPayloadSizeBytesMax];
        }

        _isControl = true;
        _controlLength = (int)payload.Length;
        payload.CopyTo(_control);
        WebSocketFrame.Unmask(_control.AsSpan(0, _controlLength), mask, 0);
    }

    private void Append(in ReadOnlySequence<byte> payload, uint mask)
    {
        int length = (int)payload.Length;
        if (_message.Length - _messageLength < length)
        {
            byte[] larger = ScratchArrays.Rent(_messageLength + length);
            _message.AsSpan(0, _messageLength).CopyTo(larger);
            int kept = _messageLength;
            ReleaseMessage();
            _message = larger;
            _messageLength = kept;
        }

        Span<byte> target = _message.AsSpan(_messageLength, length);
        payload.CopyTo(target);
        WebSocketFrame.Unmask(target, mask, 0);
        _messageLength += length;
    }

    private void Fail(WebSocketCloseStatus status, string? error)
    {
        if (error != null)
        {
            Debug.Assert(Error == null);
            ErrorStatus = status;
            Error = error;
        }
    }

    private void ReleaseMessage()
    {
        if (_message.Length > 0)
        {
            ScratchArrays.Return(_message);
            _message = [];
        }

        _messageLength = 0;
    }
}
