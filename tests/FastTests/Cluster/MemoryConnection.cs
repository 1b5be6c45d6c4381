namespace FastTests.Cluster;

/// <summary>A connection in memory: two ends, each a stream both ways.</summary>
internal sealed class MemoryConnection
{
    internal MemoryConnection(string from, string to)
    {
        var forth = new MemoryPipe();
        var back = new MemoryPipe();
        Near = new End(from, to, back, forth);
        Far = new End(to, from, forth, back);
    }

    /// <summary>The end of who has dialed.</summary>
    internal End Near { get; }

    internal End Far { get; }

    internal sealed class End(string from, string to, MemoryPipe incoming, MemoryPipe outgoing) : Stream
    {
        internal string From => from;

        internal string To => to;

        internal MemoryPipe Incoming => incoming;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            incoming.ReadAsync(buffer, cancellationToken);

        public override ValueTask WriteAsync(
            ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            outgoing.Write(buffer.Span);
            return ValueTask.CompletedTask;
        }

        public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) =>
            outgoing.Write(buffer.AsSpan(offset, count));

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            incoming.Close();
            outgoing.End();
            base.Dispose(disposing);
        }
    }
}
