using Raven.Server.Http.Multipart;

namespace Raven.Server.Http.Smuggler;

/// <summary>
/// The bytes of a file that a client uploads, inflated if its first bytes say that it is compressed: gzip or zstd. What
/// the headers say of it does not matter. Read once, forward. Dispose it to give its buffers back.
/// </summary>
internal sealed class UploadedFile : CountedStream
{
    /// <summary>What a dump may inflate to: documents that are alike shrink a hundredfold.</summary>
    private const int RatioMin = 1_000;

    private const byte FirstOfGzip = 0x1F;
    private const byte FirstOfZstandard = 0x28;

    private readonly IBodyBytes _bytes;
    private readonly InflatedBytes? _inflated;

    private UploadedFile(IBodyBytes bytes, InflatedBytes? inflated)
    {
        _bytes = inflated is null ? bytes : inflated;
        _inflated = inflated;
    }

    /// <summary>Looks at the first byte of a file.</summary>
    /// <param name="bytes">The file.</param>
    /// <param name="ratioMax">The largest ratio of inflated to compressed bytes, if that is more than 1,000.</param>
    /// <param name="cancellation">Ends the wait for the byte.</param>
    /// <exception cref="BadRequestException">There is none.</exception>
    internal static async ValueTask<UploadedFile> BeginAsync(
        IBodyBytes bytes, int ratioMax, CancellationToken cancellation)
    {
        if (bytes.Current.IsEmpty && !await bytes.ReadAsync(cancellation).ConfigureAwait(false))
        {
            throw new BadRequestException(400, ErrorType.Argument, "The file is empty.");
        }

        string? encoding = bytes.Current[0] switch
        {
            FirstOfGzip => "gzip",
            FirstOfZstandard => Zstandard.Name,
            _ => null,
        };
        InflatedBytes? inflated =
            encoding is null ? null : new InflatedBytes(bytes, encoding, Math.Max(RatioMin, ratioMax));
        return new UploadedFile(bytes, inflated);
    }

    private protected override async ValueTask<int> ReadBytesAsync(
        Memory<byte> buffer, CancellationToken cancellation)
    {
        if (_bytes.Current.IsEmpty && !await _bytes.ReadAsync(cancellation).ConfigureAwait(false))
        {
            return 0;
        }

        int length = Math.Min(_bytes.Current.Length, buffer.Length);
        _bytes.Current[..length].CopyTo(buffer.Span);
        _bytes.Consume(length);
        return length;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _inflated?.Dispose();
        }

        base.Dispose(disposing);
    }
}
