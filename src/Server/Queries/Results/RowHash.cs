using System.Buffers;
using Raven.Server.Indexing.Maps;
using Raven.Storage.Checksums;

namespace Raven.Server.Queries.Results;

/// <summary>Hashes in which no two rows meet by chance, and equal rows do: <c>0</c>, <c>0.0</c> and <c>-0</c> are one
/// number.</summary>
internal static class RowHash
{
    /// <summary>The hash of bytes as they are.</summary>
    internal static UInt128 Of(ReadOnlySpan<byte> bytes) => new(XxHash3.Hash(bytes, 0x51), XxHash3.Hash(bytes, 0xA7));

    /// <summary>The hash of JSON, whose numbers count by their value.</summary>
    internal static UInt128 OfJson(ReadOnlySpan<byte> json)
    {
        if (!PlainNumbers.MayBeIn(json))
        {
            return Of(json);
        }

        var plain = new ArrayBufferWriter<byte>(json.Length);
        PlainNumbers.Write(json, plain);
        return Of(plain.WrittenSpan);
    }
}
