using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;
using Raven.Documents.Subscriptions;

namespace Raven.Server.Http.Subscriptions;

//   WIRE-1  Messages are JSON objects with nothing between them. Each is whole in the pipe before it is flushed, so
//           that another one may follow whatever happened meanwhile. A heartbeat is "\r\n", alone in its write.

/// <summary>Writes the messages of a subscription. Safe for all threads: one message at a time.</summary>
internal sealed class SocketWriter(PipeWriter output, TimeProvider time) : IDisposable
{
    private const int FlushBytes = 64 * 1024;

    private readonly SemaphoreSlim _writing = new(1, 1);
    private long _writtenAt = time.GetTimestamp();

    /// <summary>How long nothing was written.</summary>
    internal TimeSpan Silence => time.GetElapsedTime(Volatile.Read(ref _writtenAt));

    /// <inheritdoc/>
    public void Dispose() => _writing.Dispose();

    /// <summary>Writes one message.</summary>
    internal async ValueTask WriteAsync(Action<Utf8JsonWriter> write, CancellationToken cancellation)
    {
        await _writing.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            using (var json = new Utf8JsonWriter(output, new JsonWriterOptions { SkipValidation = true }))
            {
                json.WriteStartObject();
                write(json);
                json.WriteEndObject();
            }

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
            output.Write("\r\n"u8);
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
            output.Write("""{"Type":"EndOfBatch"}"""u8);
            await FlushAsync(cancellation).ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
    }

    private int WriteData(SubscriptionBatch batch, int index)
    {
        output.Write("""{"Type":"Data","Data":"""u8);
        ReadOnlySpan<byte> data = batch.DataOf(index);
        output.Write(data);
        if (batch.ErrorOf(index) is { } error)
        {
            output.Write(",\"Exception\":"u8);
            output.Write(JsonSerializer.SerializeToUtf8Bytes(error));
        }

        output.Write("}"u8);
        return data.Length;
    }

    private void WriteIncludes(SubscriptionBatch batch)
    {
        if (batch.HasIncludes)
        {
            output.Write("""{"Type":"Includes","Includes":{"""u8);
            output.Write(batch.Includes);
            output.Write("}}"u8);
        }

        if (batch.HasCounters)
        {
            output.Write("""{"Type":"CounterIncludes","CounterIncludes":{"""u8);
            output.Write(batch.Counters);
            output.Write("""},"IncludedCounterNames":{"""u8);
            output.Write(batch.CounterNames);
            output.Write("}}"u8);
        }
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
