using System.Net;
using System.Text;
using FastTests.Support;

namespace FastTests.Security;

/// <summary>A body that a test writes, and that does not end before the test says so.</summary>
internal sealed class OpenContent : HttpContent
{
    private readonly TaskCompletionSource<Stream> _stream = new();
    private readonly TaskCompletionSource _ended = new();

    internal async Task WriteAsync(string text)
    {
        Stream stream = await _stream.Task.WaitAsync(Deadline.Hang);
        await stream.WriteAsync(Encoding.UTF8.GetBytes(text));
        await stream.FlushAsync();
    }

    internal void End() => _ended.TrySetResult();

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        _stream.SetResult(stream);
        await _ended.Task;
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }
}
