using Lucene.Net.Util;

namespace Raven.Search.Lucene.Engine.Fields;

/// <summary>Bytes of Lucene as a span.</summary>
internal static class BytesRefSpans
{
    internal static ReadOnlySpan<byte> AsSpan(this BytesRef bytes) => bytes.Bytes.AsSpan(bytes.Offset, bytes.Length);

    /// <summary>A copy of bytes for Lucene.</summary>
    internal static BytesRef ToBytesRef(this ReadOnlySpan<byte> bytes) => new(bytes.ToArray());
}
