using Raven.Storage.Files;
using Raven.Storage.Platform;
using Raven.Tools.Bench.Suites.Storage;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// The least that is durable: appends wait until one write past the page cache has taken all of them to the disk, into
/// blocks that were written before. No format, no checksums, nothing to read it by.
/// </summary>
internal sealed class GroupLog : IDisposable
{
    private const int FileSizeBytes = 64 << 20;
    private const int GroupSizeBytesMax = 1 << 20;

    private readonly IFile _file;
    private readonly AlignedBytes _zeros = new(GroupSizeBytesMax);
    private readonly object _gate = new();
    private List<TaskCompletionSource> _waiting = [];
    private List<TaskCompletionSource> _taken = [];
    private int _waitingBytes;
    private bool _isClosed;

    internal GroupLog(string directory)
    {
        _file = new RealFileSystem(directory).Open(
            "log", FileOpenMode.Create | FileOpenMode.Direct | FileOpenMode.WriteThrough);
        for (long offset = 0; offset < FileSizeBytes; offset += GroupSizeBytesMax)
        {
            _file.WriteAt(offset, _zeros.Span);
        }

        new Thread(Write) { IsBackground = true, Name = "log" }.Start();
    }

    /// <summary>Completes when so many bytes more are on the disk.</summary>
    internal Task AppendAsync(int bytes)
    {
        var source = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            _waiting.Add(source);
            _waitingBytes += bytes;
            Monitor.Pulse(_gate);
        }

        return source.Task;
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.Pulse(_gate);
        }
    }

    private void Write()
    {
        long offset = 0;
        while (TryTake(out int bytes))
        {
            const int block = IFile.DirectAlignmentBytes;
            int size = Math.Min(GroupSizeBytesMax, (bytes + block - 1) / block * block);
            offset = offset + size > FileSizeBytes ? 0 : offset;
            _file.WriteAt(offset, _zeros.Span[..size]);
            offset += size;
            _taken.ForEach(source => source.SetResult());
            _taken.Clear();
        }

        _file.Dispose();
    }

    private bool TryTake(out int bytes)
    {
        lock (_gate)
        {
            while (_waiting.Count == 0 && !_isClosed)
            {
                Monitor.Wait(_gate);
            }

            (_waiting, _taken) = (_taken, _waiting);
            bytes = _waitingBytes;
            _waitingBytes = 0;
            return _taken.Count > 0;
        }
    }
}
