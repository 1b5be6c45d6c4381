using System.Threading.Tasks.Sources;
using Raven.Blittable.Memory;
using Raven.Documents.Changes;
using Raven.Server.Http.WebSockets;

namespace Raven.Server.Http.Changes;

//   CON-1  One wait for all three: a change that is watched, a message of the client, or a heartbeat.
//   CON-2  While it waits it owns no buffer: events go into one that is rented with the first and given back after it
//          was sent. Events that arrive while one buffer is being sent are sent together, as one list.
//   CON-3  A client that reads too slowly is waited for; if more bytes wait than the limit, the connection ends.
//   CON-4  Each heartbeat asks for a pong. A client that sent nothing for SilentBeatsMax of them is disconnected, even
//          if TCP still reports it as connected.

/// <summary>The sending half of a client that watches changes.</summary>
internal sealed class ChangesConnection : ChangeSink, IValueTaskSource<WakeReasons>, IHeartbeat
{
    private const int SilentBeatsMax = 3;
    private const int HeaderRoom = WebSocketFrame.ServerHeaderSizeBytesMax;
    private const int FirstBufferSizeBytes = 512;
    private const int SliceSizeBytes = ResponseWriter.SliceSizeBytes;

    private readonly Lock _gate = new();
    private readonly Action _abort;
    private readonly int _waitingBytesMax;
    private ManualResetValueTaskSourceCore<WakeReasons> _wait;
    private bool _isWaiting;
    private WakeReasons _reasons;
    private byte[] _events = [];
    private int _eventsLength;
    private byte[]? _pong;
    private WebSocketCloseStatus _closeStatus;
    private string? _closeReason;
    private int _silentBeats;
    private int _stuckBeats;
    private bool _isSending;
    private bool _isClosed;

    /// <summary>A connection that has just been opened.</summary>
    /// <param name="number">Its number, for messages.</param>
    /// <param name="waitingBytesMax">The most bytes of events that may wait for the client.</param>
    /// <param name="abort">Cuts the connection.</param>
    internal ChangesConnection(long number, int waitingBytesMax, Action abort)
    {
        Number = number;
        _waitingBytesMax = waitingBytesMax;
        _abort = abort;
    }

    /// <summary>Its number, for messages.</summary>
    internal long Number { get; }

    /// <inheritdoc/>
    public int Slot { get; set; }

    /// <summary>Bytes of events that wait to be sent.</summary>
    internal int WaitingBytes => Volatile.Read(ref _eventsLength);

    /// <inheritdoc/>
    public override void Offer(ReadOnlySpan<byte> json)
    {
        lock (_gate)
        {
            if (_closeReason != null)
            {
                return;
            }

            if (_eventsLength + json.Length > _waitingBytesMax)
            {
                Close(
                    WebSocketCloseStatus.PolicyViolation,
                    $"Over {_waitingBytesMax} bytes of changes wait: read faster, and read again what is watched.");
                return;
            }

            Append(json);
            Wake(WakeReasons.Changed);
        }
    }

    /// <inheritdoc/>
    public override void End(string reason) => Close(WebSocketCloseStatus.GoingAway, reason);

    /// <summary>Ends the connection: what waits is sent, then this.</summary>
    internal void Close(WebSocketCloseStatus status, string reason)
    {
        lock (_gate)
        {
            if (_closeReason == null)
            {
                _closeStatus = status;
                _closeReason = reason;
                Wake(WakeReasons.Ending);
            }
        }
    }

    /// <summary>Answers a ping of the client.</summary>
    internal void AnswerPing(ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            _pong = payload.ToArray();
            Wake(WakeReasons.ClientMessage);
        }
    }

    /// <summary>Notes that the client sent something.</summary>
    internal void NoteReceived() => Volatile.Write(ref _silentBeats, 0);

    /// <summary>A heartbeat: asks the client for a pong, and cuts the connection if it has sent nothing for
    /// too long.</summary>
    public void OnHeartbeat()
    {
        bool isGone;
        bool isIdle;
        lock (_gate)
        {
            if (_isClosed)
            {
                return;
            }

            _silentBeats++;
            _stuckBeats = _isSending || _closeReason != null ? _stuckBeats + 1 : 0;
            isGone = _silentBeats > SilentBeatsMax || _stuckBeats > 1;
            isIdle = !isGone && _isWaiting;
            _isWaiting &= !isIdle;
            if (!isGone)
            {
                _reasons |= WakeReasons.Heartbeat;
            }
        }

        if (isGone)
        {
            _abort();
        }
        else if (isIdle)
        {
            // On this thread: thousands of waits go on in turn, without a work item in the pool for each.
            _wait.RunContinuationsAsynchronously = false;
            _wait.SetResult(WakeReasons.Heartbeat);
        }
    }

    /// <summary>Sends until the connection ends. Called once.</summary>
    internal async Task SendAsync(Stream stream)
    {
        while (true)
        {
            WakeReasons reasons = await WaitAsync().ConfigureAwait(false);
            while (TryTake(out byte[] events, out int length))
            {
                try
                {
                    await SendEventsAsync(stream, events, length).ConfigureAwait(false);
                }
                finally
                {
                    ScratchArrays.Return(events);
                }
            }

            if ((reasons & WakeReasons.ClientMessage) != 0 && Interlocked.Exchange(ref _pong, null) is { } pong)
            {
                await SendControlAsync(stream, WebSocketOpcode.Pong, pong).ConfigureAwait(false);
            }

            if ((reasons & WakeReasons.Heartbeat) != 0)
            {
                await SendControlAsync(stream, WebSocketOpcode.Ping, default).ConfigureAwait(false);
            }

            if ((reasons & WakeReasons.Ending) != 0)
            {
                await SendCloseAsync(stream).ConfigureAwait(false);
                return;
            }

            lock (_gate)
            {
                _isSending = false;
            }
        }
    }

    /// <summary>Ends all sending; events that still wait are dropped.</summary>
    internal void Release()
    {
        lock (_gate)
        {
            _isClosed = true;
            _closeReason ??= "";
            if (_events.Length > 0)
            {
                ScratchArrays.Return(_events);
                _events = [];
                _eventsLength = 0;
            }
        }
    }

    /// <inheritdoc/>
    WakeReasons IValueTaskSource<WakeReasons>.GetResult(short token)
    {
        _wait.GetResult(token);
        lock (_gate)
        {
            return TakeReasons();
        }
    }

    /// <inheritdoc/>
    ValueTaskSourceStatus IValueTaskSource<WakeReasons>.GetStatus(short token) => _wait.GetStatus(token);

    /// <inheritdoc/>
    void IValueTaskSource<WakeReasons>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);

    private ValueTask<WakeReasons> WaitAsync()
    {
        lock (_gate)
        {
            if (_reasons != WakeReasons.None)
            {
                return new ValueTask<WakeReasons>(TakeReasons());
            }

            _wait.Reset();
            _isWaiting = true;
            return new ValueTask<WakeReasons>(this, _wait.Version);
        }
    }

    private WakeReasons TakeReasons()
    {
        WakeReasons reasons = _reasons;
        _reasons = WakeReasons.None;
        _isSending = true;
        return reasons;
    }

    /// <summary>Ends the wait. Under the lock.</summary>
    private void Wake(WakeReasons reason)
    {
        _reasons |= reason;
        if (_isWaiting)
        {
            _isWaiting = false;
            _wait.RunContinuationsAsynchronously = true;
            _wait.SetResult(reason);
        }
    }

    /// <summary>Adds an event to what is sent next, behind room for a frame's header. Under the lock.</summary>
    private void Append(ReadOnlySpan<byte> json)
    {
        if (_isClosed)
        {
            return;
        }

        int used = _eventsLength == 0 ? HeaderRoom : HeaderRoom + _eventsLength;
        int needed = used + 2 + json.Length;
        if (_events.Length < needed)
        {
            byte[] larger = ScratchArrays.Rent(
                Math.Max(needed, Math.Max(FirstBufferSizeBytes, _events.Length * 2)));
            _events.AsSpan(0, Math.Min(used, _events.Length)).CopyTo(larger);
            if (_events.Length > 0)
            {
                ScratchArrays.Return(_events);
            }

            _events = larger;
        }

        _events[used] = _eventsLength == 0 ? (byte)'[' : (byte)',';
        json.CopyTo(_events.AsSpan(used + 1));
        _eventsLength += 1 + json.Length;
    }

    private bool TryTake(out byte[] events, out int length)
    {
        lock (_gate)
        {
            events = _events;
            length = _eventsLength;
            _events = [];
            _eventsLength = 0;
            return length > 0;
        }
    }

    private static async ValueTask SendEventsAsync(Stream stream, byte[] events, int length)
    {
        events[HeaderRoom + length] = (byte)']';
        int header = WebSocketFrame.WriteBefore(WebSocketOpcode.Text, length + 1, events.AsSpan(0, HeaderRoom));
        ReadOnlyMemory<byte> frame = events.AsMemory(HeaderRoom - header, header + length + 1);
        while (!frame.IsEmpty)
        {
            int slice = Math.Min(SliceSizeBytes, frame.Length);
            await stream.WriteAsync(frame[..slice]).ConfigureAwait(false);
            frame = frame[slice..];
        }
    }

    private async ValueTask SendCloseAsync(Stream stream)
    {
        byte[] reason = System.Text.Encoding.UTF8.GetBytes(_closeReason!);
        int length = Math.Min(reason.Length, WebSocketFrame.ControlPayloadSizeBytesMax - sizeof(ushort));
        byte[] payload = new byte[sizeof(ushort) + length];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(payload, (ushort)_closeStatus);
        reason.AsSpan(0, length).CopyTo(payload.AsSpan(sizeof(ushort)));
        await SendControlAsync(stream, WebSocketOpcode.Close, payload).ConfigureAwait(false);
    }

    private static async ValueTask SendControlAsync(
        Stream stream, WebSocketOpcode opcode, ReadOnlyMemory<byte> payload)
    {
        byte[] frame = ScratchArrays.Rent(HeaderRoom + WebSocketFrame.ControlPayloadSizeBytesMax);
        try
        {
            payload.CopyTo(frame.AsMemory(HeaderRoom));
            int header = WebSocketFrame.WriteBefore(opcode, payload.Length, frame.AsSpan(0, HeaderRoom));
            await stream.WriteAsync(frame.AsMemory(HeaderRoom - header, header + payload.Length))
                .ConfigureAwait(false);
        }
        finally
        {
            ScratchArrays.Return(frame);
        }
    }
}
