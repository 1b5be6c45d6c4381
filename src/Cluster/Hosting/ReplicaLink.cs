using System.Buffers;
using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <summary>
/// A connection for the log of a database: frames in both directions. Frames are queued by the loop of the host, and
/// written in batches by whoever finds the connection idle; what comes in is checked and given to the host.
/// </summary>
internal sealed class ReplicaLink(long id, int node, bool isDialed, Stream stream, ReplicaHost host) : IDisposable
{
    /// <summary>A batch of frames; a longer frame is written alone.</summary>
    private const int BatchBytes = 64 * 1024;

    /// <summary>Frames that wait for a node that does not read; small ones, as records have a window.</summary>
    private const int QueuedMax = 4096;

    private readonly Lock _lock = new();
    private readonly Queue<(ReplicaMessage Message, ReadOnlyMemory<byte> Body)> _queue = new();
    private bool _isWriting;
    private bool _isClosed;
    private long _unapplied;
    private TaskCompletionSource? _room;

    internal long Id => id;

    internal int Node => node;

    /// <summary>This node has dialed: the other one is its primary.</summary>
    internal bool IsDialed => isDialed;

    /// <summary>What is committed, and was not told to the other end yet (HOST-4); for the loop alone.</summary>
    internal ReplicaMessage? HeldCommit { get; set; }

    /// <summary>Puts a frame in the queue; <see cref="Flush"/> sends it.</summary>
    /// <returns>False if the other end does not read.</returns>
    internal bool Enqueue(in ReplicaMessage message, ReadOnlyMemory<byte> body)
    {
        lock (_lock)
        {
            if (_queue.Count >= QueuedMax)
            {
                return false;
            }

            _queue.Enqueue((message, body));
            return true;
        }
    }

    /// <summary>Sends what is queued, unless somebody does already.</summary>
    internal void Flush()
    {
        bool isLong;
        lock (_lock)
        {
            if (_isWriting || _isClosed
                || !_queue.TryPeek(out (ReplicaMessage Message, ReadOnlyMemory<byte> Body) first))
            {
                return;
            }

            _isWriting = true;
            isLong = first.Body.Length > BatchBytes;
        }

        _ = WriteAsync(isLong);
    }

    /// <summary>Gives what comes in to the host until the connection is over.</summary>
    internal async Task RunAsync(CancellationToken stop)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(BatchBytes);
        try
        {
            int end = 0;
            while (true)
            {
                int read = await stream.ReadAsync(buffer.AsMemory(end), stop).ConfigureAwait(false);
                if (read == 0)
                {
                    return;
                }

                int used = Take(buffer, end + read, out int wanted);
                if (used < 0)
                {
                    HostLog.Damaged(host.Log, host.Database, host.TagOf(node));
                    return;
                }

                end = end + read - used;
                Fit(ref buffer, used, end, wanted);
                if (Volatile.Read(ref _unapplied) > host.Options.Replication.KeptBytesMax)
                {
                    await RoomAsync().WaitAsync(stop).ConfigureAwait(false);
                }
            }
        }
        catch (Exception over)
        {
            TellOver(over);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
            Dispose();
            host.Post(new HostEvent(HostEventKind.Disconnected) { Number = id });
        }
    }

    /// <summary>A record that came by this connection takes no memory any more.</summary>
    internal void Applied(int bytes)
    {
        if (Interlocked.Add(ref _unapplied, -bytes) <= host.Options.Replication.KeptBytesMax)
        {
            lock (_lock)
            {
                _room?.TrySetResult();
                _room = null;
            }
        }
    }

    /// <summary>Ends the connection.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            if (_isClosed)
            {
                return;
            }

            _isClosed = true;
            _queue.Clear();
            _room?.TrySetResult();
        }

        stream.Dispose();
    }

    /// <summary>True for what the end of a connection looks like.</summary>
    internal static bool IsOver(Exception exception) =>
        exception is IOException or OperationCanceledException or ObjectDisposedException
            or InvalidOperationException or System.Net.Sockets.SocketException or HttpRequestException;

    private Task RoomAsync()
    {
        lock (_lock)
        {
            if (_isClosed || Volatile.Read(ref _unapplied) <= host.Options.Replication.KeptBytesMax)
            {
                return Task.CompletedTask;
            }

            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _room.Task;
        }
    }

    private int Take(byte[] buffer, int end, out int wanted)
    {
        int start = 0;
        while (true)
        {
            ReadOnlySpan<byte> source = buffer.AsSpan(start, end - start);
            ReplicaFrameStatus status = ReplicaFrame.Read(
                source, out ReplicaMessage message, out Range body, out wanted);
            if (status == ReplicaFrameStatus.Incomplete)
            {
                return start;
            }

            if (status == ReplicaFrameStatus.Damaged || message.Kind == ReplicaMessageKind.Pages)
            {
                return -1;
            }

            byte[]? record = message.Kind == ReplicaMessageKind.Record ? source[body].ToArray() : null;
            if (record is not null)
            {
                Interlocked.Add(ref _unapplied, record.Length);
            }

            host.Receive(new HostEvent(HostEventKind.Received)
            {
                Number = id, Node = node, Message = message, Body = record, Object = this,
            });
            start += wanted;
        }
    }

    /// <summary>Moves what is left to the front, in a buffer that becomes longer as more comes, not as a length says.
    /// </summary>
    private static void Fit(ref byte[] buffer, int used, int left, int wanted)
    {
        int room = buffer.Length;
        if (left == 0 && room > 16 * BatchBytes)
        {
            room = BatchBytes;
        }
        else if (left == room || (wanted > room && left > room / 2))
        {
            room = (int)Math.Min(Math.Max(2L * room, BatchBytes), ReplicaFrame.BytesMax + (long)BatchBytes);
        }

        if (room == buffer.Length)
        {
            Buffer.BlockCopy(buffer, used, buffer, 0, left);
            return;
        }

        byte[] next = ArrayPool<byte>.Shared.Rent(room);
        Buffer.BlockCopy(buffer, used, next, 0, left);
        ArrayPool<byte>.Shared.Return(buffer);
        buffer = next;
    }

    private async Task WriteAsync(bool isLong)
    {
        if (isLong)
        {
            // Whoever makes a commit does not copy and send much of it.
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(BatchBytes);
        try
        {
            int length;
            while ((length = Gather(ref buffer)) > 0)
            {
                await stream.WriteAsync(buffer.AsMemory(0, length)).ConfigureAwait(false);
                await stream.FlushAsync().ConfigureAwait(false);
            }
        }
        catch (Exception over)
        {
            // The reader of this connection tells the host that it is over.
            TellOver(over);
            Dispose();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private int Gather(ref byte[] buffer)
    {
        int length = 0;
        while (true)
        {
            (ReplicaMessage Message, ReadOnlyMemory<byte> Body) next;
            int size;
            lock (_lock)
            {
                if (_isClosed || !_queue.TryPeek(out next))
                {
                    _isWriting = length > 0;
                    return length;
                }

                size = ReplicaFrame.SizeOf(next.Message.Kind, next.Body.Length);
                if (length > 0 && length + size > buffer.Length)
                {
                    return length;
                }

                _queue.Dequeue();
            }

            if (size > buffer.Length)
            {
                ArrayPool<byte>.Shared.Return(buffer);
                buffer = ArrayPool<byte>.Shared.Rent(size);
            }

            ReplicaFrame.Write(next.Message, next.Body.Span, buffer.AsSpan(length, size));
            length += size;
        }
    }

    private void TellOver(Exception over)
    {
        string tag = host.TagOf(node);
        HostLog.Over(host.Log, host.Database, tag, over.Message);
    }
}
