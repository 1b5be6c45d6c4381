using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Blittable.Compression;

/// <summary>
/// LZ4 blocks: what liblz4's <c>LZ4_compress_default</c> writes and <c>LZ4_decompress_safe</c> reads, without a
/// frame, a length or a checksum around it; the caller keeps the decoded length. Source: the LZ4 block format
/// description and the greedy single-pass method of LZ4 by Yann Collet. Both directions allocate nothing in steady
/// state (the encoder keeps one hash table per thread) and may be called from any thread.
/// </summary>
public static class Lz4
{
    /// <summary>The longest source that <see cref="Encode"/> takes: the bound below must fit an
    /// <see cref="int"/>.</summary>
    public const int SourceLengthMax = 0x7E000000;

    /// <summary>The most bytes that a source of <paramref name="sourceLength"/> bytes can take when encoded.</summary>
    /// <param name="sourceLength">Bytes, 0 to <see cref="SourceLengthMax"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative or over the limit.</exception>
    public static int MaxEncodedLength(int sourceLength)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)sourceLength, (uint)SourceLengthMax, nameof(sourceLength));
        return sourceLength + (sourceLength / 255) + 16;
    }

    /// <summary>Encodes <paramref name="source"/> as one block.</summary>
    /// <param name="source">What to encode; it may be empty (a block of one byte).</param>
    /// <param name="target">
    /// Receives the block: if it is shorter than <see cref="MaxEncodedLength"/>, a longer block counts as a failure,
    /// after which the target may have been written to. It must not overlap the source.
    /// </param>
    /// <returns>The length of the block, or 0 if it does not fit.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The source is longer than
    /// <see cref="SourceLengthMax"/>.</exception>
    public static int Encode(ReadOnlySpan<byte> source, Span<byte> target)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(source.Length, SourceLengthMax);
        Lz4Workspace workspace = Lz4Workspace.OfThisThread;
        uint origin = workspace.TakeOrigin(source.Length);
        return Lz4Encoder.Encode(source, target, ref workspace.Table, origin);
    }

    /// <summary>Decodes one block. Never reads or writes outside of the two spans, whatever the bytes are.</summary>
    /// <param name="source">The whole block and nothing behind it.</param>
    /// <param name="target">
    /// Receives the bytes: best exactly as long as the decoded bytes. Bytes behind <paramref name="written"/> may have
    /// been overwritten.
    /// </param>
    /// <param name="written">The number of bytes decoded; 0 if the result is false.</param>
    /// <returns>False if the block is malformed or the target too short.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryDecode(ReadOnlySpan<byte> source, Span<byte> target, out int written)
    {
        nint length = Lz4Decoder.Decode(
            ref MemoryMarshal.GetReference(source),
            source.Length,
            ref MemoryMarshal.GetReference(target),
            target.Length);
        written = length < 0 ? 0 : (int)length;
        return length >= 0;
    }
}
