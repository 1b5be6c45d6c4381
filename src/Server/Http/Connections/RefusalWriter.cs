using System.IO.Pipelines;
using System.Text;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Connections;

/// <summary>
/// The output of a connection of HTTP/1.1, passed on unchanged with one exception: what Kestrel refuses before there is
/// a request (a path with raw bytes, a line too long, no Host) it answers without a body, and gets the JSON error here
/// that every other failure has.
/// </summary>
internal sealed class RefusalWriter(PipeWriter inner) : PipeWriter
{
    private const int AddedSizeBytesMax = 640;

    private static readonly byte[] NoLength = "Content-Length: 0\r\n"u8.ToArray();

    private Memory<byte> _buffer;

    /// <summary>True while a request is served: all bytes written then are its answer.</summary>
    internal bool IsServing { get; set; }

    /// <inheritdoc/>
    public override bool CanGetUnflushedBytes => inner.CanGetUnflushedBytes;

    /// <inheritdoc/>
    public override long UnflushedBytes => inner.UnflushedBytes;

    /// <inheritdoc/>
    public override Memory<byte> GetMemory(int sizeHint = 0) => _buffer = inner.GetMemory(sizeHint);

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public override void Advance(int bytes)
    {
        if (!IsServing && bytes <= _buffer.Length && TryAddBody(_buffer.Span, bytes, out int longer))
        {
            bytes = longer;
        }

        _buffer = bytes < _buffer.Length ? _buffer[bytes..] : default;
        inner.Advance(bytes);
    }

    /// <inheritdoc/>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) =>
        inner.FlushAsync(cancellationToken);

    /// <inheritdoc/>
    public override void CancelPendingFlush() => inner.CancelPendingFlush();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) => inner.Complete(exception);

    /// <inheritdoc/>
    public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);

    private static bool TryAddBody(Span<byte> room, int headLength, out int length)
    {
        length = 0;
        ReadOnlySpan<byte> head = room[..headLength];
        if (!head.StartsWith("HTTP/1.1 4"u8) || !head.EndsWith("\r\n\r\n"u8)
            || head.IndexOf("Connection: close"u8) < 0)
        {
            return false;
        }

        int at = head.IndexOf(NoLength);
        if (at < 0 || room.Length < headLength + AddedSizeBytesMax)
        {
            return false;
        }

        byte[] body = BodyOf(head.Slice("HTTP/1.1 "u8.Length, 3));
        byte[] fields = Encoding.ASCII.GetBytes(
            $"Content-Length: {body.Length}\r\nContent-Type: {ContentType.Json}\r\n"
            + "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
            + $"{ServerVersion.HeaderName}: {ServerVersion.Product}\r\n");
        Span<byte> rest = room[(at + NoLength.Length)..headLength];
        rest.CopyTo(room[(at + fields.Length)..]);
        fields.CopyTo(room[at..]);
        length = headLength + fields.Length - NoLength.Length;
        body.CopyTo(room[length..]);
        length += body.Length;
        return true;
    }

    private static byte[] BodyOf(ReadOnlySpan<byte> status)
    {
        string message = Encoding.ASCII.GetString(status) switch
        {
            "408" => "The request took too long to come.",
            "414" => "The request line is too long: put the ids of a long multi-get into a POST.",
            "431" => "The headers are too many, or too long.",
            _ => "This is not HTTP/1.1 as it must be: the request line, a header or the length of the body is wrong.",
        };
        return Encoding.UTF8.GetBytes(
            $$"""{"Url":"","Type":"{{ErrorType.BadRequest}}","Message":"{{message}}","""
            + $$""" "Error":"{{ErrorType.Before(ErrorType.BadRequest, message)}}"}""");
    }
}
