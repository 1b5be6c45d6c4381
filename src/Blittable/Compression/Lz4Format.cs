namespace Raven.Blittable.Compression;

// A block is a run of sequences:
//
//   token   1 byte    high 4 bits: number of literals, low 4 bits: match length - 4
//   [more]  n bytes   if the number of literals is 15: add each byte, until one is not 255
//   literals          copied as they are
//   offset  2 bytes   little-endian, 1 to 65,535: how far behind the output position the match starts
//   [more]  n bytes   if the match length is 15 + 4: as above
//
// LZ4-1  The last sequence ends behind its literals: it has no offset.
// LZ4-2  The last 5 bytes of a block are literals (blocks of fewer bytes hold nothing else).
// LZ4-3  The last match starts at least 12 bytes before the end.
// LZ4-4  A match may overlap its own output: offset 1 repeats one byte.

/// <summary>Constants of the LZ4 block format.</summary>
internal static class Lz4Format
{
    /// <summary>The shortest match: shorter ones cost more than the literals.</summary>
    internal const int MatchLengthMin = 4;

    /// <summary>Rule LZ4-2.</summary>
    internal const int LastLiterals = 5;

    /// <summary>Rule LZ4-3.</summary>
    internal const int MatchStartBeforeEnd = 12;

    /// <summary>The farthest that a match lies behind.</summary>
    internal const int OffsetMax = 65535;

    /// <summary>A length nibble with this value is continued in bytes behind the token.</summary>
    internal const int NibbleMax = 15;
}
