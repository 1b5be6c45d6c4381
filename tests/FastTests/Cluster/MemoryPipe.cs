namespace FastTests.Cluster;

/// <summary>Bytes on their way in one direction.</summary>
internal sealed class MemoryPipe
{
    private readonly Lock _lock = new();
    private readonly Queue<byte[]> _pieces = new();
    private int _used;
    private bool _isEnded;
    private bool _isClosed;
    private bool _isHeld;
    private TaskCompletionSource _moved = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Nothing comes out for now, nor does the end.</summary>
    internal bool IsHeld
    {
        set
        {
            lock (_lock)
            {
                _isHeld = value;
                Move();
            }
        }
    }

    internal void Write(ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            if (_isClosed || _isEnded)
            {
                throw new IOException("The connection is over.");
            }

            _pieces.Enqueue(bytes.ToArray());
            Move();
        }
    }

    internal async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellation)
    {
        while (true)
        {
            Task moved;
            lock (_lock)
            {
                if (_isClosed)
                {
                    throw new IOException("The connection is closed.");
                }

                if (!_isHeld && _pieces.TryPeek(out byte[]? piece))
                {
                    int count = Math.Min(buffer.Length, piece.Length - _used);
                    piece.AsSpan(_used, count).CopyTo(buffer.Span);
                    _used += count;
                    if (_used == piece.Length)
                    {
                        _pieces.Dequeue();
                        _used = 0;
                    }

                    return count;
                }

                if (!_isHeld && _isEnded)
                {
                    return 0;
                }

                moved = _moved.Task;
            }

            await moved.WaitAsync(cancellation);
        }
    }

    /// <summary>Nothing more is written.</summary>
    internal void End()
    {
        lock (_lock)
        {
            _isEnded = true;
            Move();
        }
    }

    /// <summary>Nothing more is read.</summary>
    internal void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            Move();
        }
    }

    private void Move()
    {
        _moved.SetResult();
        _moved = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
