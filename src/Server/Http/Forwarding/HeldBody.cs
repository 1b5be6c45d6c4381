using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http.Features;

namespace Raven.Server.Http.Forwarding;

/// <summary>A short body that was read to its end, so that it can be sent as often as needed, or read here.</summary>
internal sealed class HeldBody : IRequestBodyPipeFeature
{
    /// <summary>A longer body is not held: it is sent once, as it comes.</summary>
    internal const long SizeBytesMax = 256 * 1024;

    internal HeldBody(ReadOnlyMemory<byte> bytes) => Bytes = bytes;

    /// <summary>The bytes as they were sent.</summary>
    internal ReadOnlyMemory<byte> Bytes { get; }

    /// <inheritdoc/>
    public PipeReader Reader { get; private set; } = PipeReader.Create(ReadOnlySequence<byte>.Empty);

    /// <summary>Whether a request may have a body. One that asks for another protocol has none: what follows it is of
    /// that protocol.</summary>
    internal static bool IsThere(RequestContext request) =>
        request.Features.Get<IHttpRequestBodyDetectionFeature>() is { CanHaveBody: true }
        && !Upgrades.IsAskedFor(request);

    /// <summary>Whether a request has a body that is short by what its headers say.</summary>
    internal static bool IsShort(RequestContext request) =>
        request.Headers.ContentLength is > 0 and <= SizeBytesMax && request.Headers.TransferEncoding.Count == 0;

    /// <summary>Reads the body of a request, which <see cref="IsShort"/>.</summary>
    internal static async ValueTask<HeldBody> ReadAsync(RequestContext request, CancellationToken cancellation)
    {
        byte[] bytes = new byte[request.Headers.ContentLength!.Value];
        PipeReader reader = request.Features.Get<IRequestBodyPipeFeature>()!.Reader;
        int count = 0;
        while (true)
        {
            ReadResult result = await BodySource.WaitAsync(reader, cancellation).ConfigureAwait(false);
            ReadOnlySequence<byte> some = result.Buffer;
            some.CopyTo(bytes.AsSpan(count));
            count += (int)some.Length;
            reader.AdvanceTo(some.End);
            if (result.IsCompleted)
            {
                request.NoteBodyEnd();
                return new HeldBody(bytes.AsMemory(0, count));
            }
        }
    }

    /// <summary>Lets the handler of this node read the body.</summary>
    internal void GiveTo(RequestContext request)
    {
        Reader = PipeReader.Create(new ReadOnlySequence<byte>(Bytes));
        request.Features.Set<IRequestBodyPipeFeature>(this);
    }
}
