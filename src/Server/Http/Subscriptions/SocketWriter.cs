using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Text.Json;
using Raven.Documents.Subscriptions;
using Raven.Server.Http.WebSockets;

namespace Raven.Server.Http.Subscriptions;

//   WIRE-1  Messages are JSON objects with nothing between them. Each is whole in the pipe before it is flushed, so
//           that another one may follow whatever happened meanwhile. A heartbeat is "\r\n", alone in its write.
//   WIRE-2  Over a WebSocket each message is one text frame, and a heartbeat is a ping.

/// <summary>Writes the messages of a subscription. Safe for all threads: one message at a time.</summary>
/// <param name="output">Where they go.</param>
/// <param name="time">The clock.</param>
/// <param name="isFramed">Whether it is a WebSocket.</param>
internal sealed class SocketWriter(PipeWriter output, TimeProvider time, bool isFramed = false) : IDisposable
{
    private const int FlushBytes = 64 * 1024;

    private readonly SemaphoreSlim _writing = new(1, 1);
    private ArrayBufferWriter<byte> _message = new();
    private long _writtenAt = time.GetTimestamp();

    /// <summary>How long nothing was written.</summary>
    internal TimeSpan Silence => time.GetElapsedTime(Volatile.Read(ref _writtenAt));

    /// <summary>Where the message that is written goes.</summary>
    private IBufferWriter<byte> Target => isFramed ? _message : output;

    /// <inheritdoc/>
    public void Dispose() => _writing.Dispose();

    /// <summary>Writes one message.</summary>
    internal async ValueTask WriteAsync(Action<Utf8JsonWriter> write, CancellationToken cancellation)
    {
        await _writing.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            using (var json = new Utf8JsonWriter(Target, new JsonWriterOptions { SkipValidation = true }))
            {
                json.WriteStartObject();
                write(json);
                json.WriteEndObject();
            }

            EndMessage();
            await FlushAsync(cancellation).ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Writes a heartbeat, unless something is being written.</summary>
    internal async ValueTask BeatAsync(CancellationToken cancellation)
    {
        if (!await _writing.WaitAsync(0, cancellation).ConfigureAwait(false))
        {
            return;
        }

        try
        {
            if (isFramed)
            {
                WriteFrame(WebSocketOpcode.Ping, default);
            }
            else
            {
                output.Write("\r\n"u8);
            }

            await FlushAsync(cancellation).ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Writes a batch with its end.</summary>
    internal async ValueTask WriteAsync(SubscriptionBatch batch, CancellationToken cancellation)
    {
        await _writing.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            long unflushed = 0;
            for (int i = 0; i < batch.Count; i++)
            {
                unflushed += WriteData(batch, i);
                if (unflushed >= FlushBytes)
                {
                    await FlushAsync(cancellation).ConfigureAwait(false);
                    unflushed = 0;
                }
            }

            WriteIncludes(batch);
            Target.Write("""{"Type":"EndOfBatch"}"""u8);
            EndMessage();
            await FlushAsync(cancellation).ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Answers a ping of the client.</summary>
    internal ValueTask PongAsync(ReadOnlyMemory<byte> payload, CancellationToken cancellation) =>
        WriteControlAsync(WebSocketOpcode.Pong, payload, cancellation);

    /// <summary>Says that nothing more comes.</summary>
    internal ValueTask CloseAsync(WebSocketCloseStatus status, CancellationToken cancellation)
    {
        byte[] payload = new byte[sizeof(ushort)];
        BinaryPrimitives.WriteUInt16BigEndian(payload, (ushort)status);
        return WriteControlAsync(WebSocketOpcode.Close, payload, cancellation);
    }

    private async ValueTask WriteControlAsync(
        WebSocketOpcode opcode, ReadOnlyMemory<byte> payload, CancellationToken cancellation)
    {
        await _writing.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            WriteFrame(opcode, payload.Span);
            await FlushAsync(cancellation).ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
    }

    private int WriteData(SubscriptionBatch batch, int index)
    {
        IBufferWriter<byte> target = Target;
        target.Write("""{"Type":"Data","Data":"""u8);
        ReadOnlySpan<byte> data = batch.DataOf(index);
        target.Write(data);
        if (batch.ErrorOf(index) is { } error)
        {
            target.Write(",\"Exception\":"u8);
            target.Write(JsonSerializer.SerializeToUtf8Bytes(error));
        }

        target.Write("}"u8);
        EndMessage();
        return data.Length;
    }

    private void WriteIncludes(SubscriptionBatch batch)
    {
        if (batch.HasIncludes)
        {
            Target.Write("""{"Type":"Includes","Includes":{"""u8);
            Target.Write(batch.Includes);
            Target.Write("}}"u8);
            EndMessage();
        }

        if (batch.HasCounters)
        {
            Target.Write("""{"Type":"CounterIncludes","CounterIncludes":{"""u8);
            Target.Write(batch.Counters);
            Target.Write("""},"IncludedCounterNames":{"""u8);
            Target.Write(batch.CounterNames);
            Target.Write("}}"u8);
            EndMessage();
        }

        if (batch.HasTimeSeries)
        {
            Target.Write("""{"Type":"TimeSeriesIncludes","TimeSeriesIncludes":{"""u8);
            Target.Write(batch.TimeSeries);
            Target.Write("}}"u8);
            EndMessage();
        }
    }

    /// <summary>Ends a message: over a WebSocket it becomes a frame, whose length is known only now.</summary>
    private void EndMessage()
    {
        if (!isFramed)
        {
            return;
        }

        WriteFrame(WebSocketOpcode.Text, _message.WrittenSpan);
        if (_message.Capacity > FlushBytes)
        {
            _message = new ArrayBufferWriter<byte>();
        }
        else
        {
            _message.ResetWrittenCount();
        }
    }

    private void WriteFrame(WebSocketOpcode opcode, ReadOnlySpan<byte> payload)
    {
        Span<byte> room = stackalloc byte[WebSocketFrame.ServerHeaderSizeBytesMax];
        int header = WebSocketFrame.WriteBefore(opcode, payload.Length, room);
        output.Write(room[^header..]);
        output.Write(payload);
    }

    private async ValueTask FlushAsync(CancellationToken cancellation)
    {
        FlushResult flushed = await output.FlushAsync(cancellation).ConfigureAwait(false);
        Volatile.Write(ref _writtenAt, time.GetTimestamp());
        if (flushed.IsCompleted)
        {
            throw new IOException("The client has closed the connection.");
        }
    }
}
