using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Raven.Storage.Checksums;

/// <summary>
/// The hash of <see cref="XxHash3.Hash"/> over bytes that come in pieces, so that no more than one of them has to be in
/// memory. Allocates nothing.
/// </summary>
internal ref struct XxHash3Pieces
{
    /// <summary>The length of each piece but the last, which has 241 bytes and more.</summary>
    internal const int PieceSizeBytes = 256 * XxHash3Stripes.BlockSizeBytes;

    private readonly Span<byte> _secret;
    private readonly Span<ulong> _sums;
    private nuint _length;

    /// <summary>Begins a hash.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="secret">Room for <see cref="XxHash3Stripes.SecretSizeBytes"/>.</param>
    /// <param name="sums">Room for <see cref="XxHash3Stripes.SumCount"/>.</param>
    internal XxHash3Pieces(ulong seed, Span<byte> secret, Span<ulong> sums)
    {
        _secret = secret;
        _sums = sums;
        XxHash3Stripes.DeriveSecret(secret, seed);
        XxHash3Stripes.Begin(sums);
    }

    /// <summary>Takes in a piece that is not the last.</summary>
    internal void Add(ReadOnlySpan<byte> piece)
    {
        Debug.Assert(piece.Length == PieceSizeBytes);
        Accumulate(piece, isLast: false);
    }

    /// <summary>Takes in the last piece, and gives the hash of all.</summary>
    internal ulong Finish(ReadOnlySpan<byte> last)
    {
        Debug.Assert(last.Length > XxHash3.ShortLengthMax);
        Accumulate(last, isLast: true);
        return XxHash3Stripes.Merge(_sums, _length, ref MemoryMarshal.GetReference(_secret));
    }

    private void Accumulate(ReadOnlySpan<byte> piece, bool isLast)
    {
        _length += (nuint)piece.Length;
        XxHash3Stripes.Accumulate(
            ref MemoryMarshal.GetReference(piece), (nuint)piece.Length, ref MemoryMarshal.GetReference(_secret),
            ref MemoryMarshal.GetReference(_sums), XxHash3Stripes.WidestKernel, isLast);
    }
}
