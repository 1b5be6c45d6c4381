using Raven.Blittable.Compression;

namespace Raven.Blittable.Format;

/// <summary>Decodes the three forms of compressed strings.</summary>
internal static class CompressedText
{
    /// <summary>Decodes the bytes of a compressed string by the codec that its token names.</summary>
    /// <param name="token">The string's token.</param>
    /// <param name="source">The encoded bytes and nothing else.</param>
    /// <param name="target">Receives the text.</param>
    /// <param name="written">The bytes decoded.</param>
    /// <returns>False if the bytes are malformed or the target is too short.</returns>
    internal static bool TryDecode(int token, ReadOnlySpan<byte> source, Span<byte> target, out int written) =>
        (token & BlittableToken.KindMask) == BlittableToken.Lz4String
            ? Lz4.TryDecode(source, target, out written)
            : (token & BlittableToken.ByPairs) != 0
                ? PairCodec.TryDecode(source, target, out written)
                : ShortStringCodec.TryDecode(source, target, out written);
}
