using System.Globalization;
using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http;

/// <summary>The part of a body that a request asks for (RFC 9110, 14).</summary>
/// <param name="Start">The first byte.</param>
/// <param name="Length">How many.</param>
internal readonly record struct ByteRange(long Start, long Length)
{
    /// <summary>Reads the Range header of a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="size">The size of the whole body.</param>
    /// <param name="tag">The current version, in quotes; a range of another one (If-Range) is the whole body.</param>
    /// <param name="range">The part to send; the whole body if there is no range that can be understood.</param>
    /// <returns>False if the range lies outside of the body: 416.</returns>
    internal static bool TryRead(RequestContext request, long size, string tag, out ByteRange range)
    {
        range = new ByteRange(0, size);
        StringValues header = request.Headers.Range;
        StringValues ifRange = request.Headers.IfRange;
        if (header.Count != 1 || (ifRange.Count > 0 && ifRange[0] != tag))
        {
            return true;
        }

        ReadOnlySpan<char> text = header[0].AsSpan().Trim();
        int dash = text.IndexOf('-');
        if (!text.StartsWith("bytes=", StringComparison.OrdinalIgnoreCase) || dash < 0 || text.Contains(','))
        {
            // Several ranges at once, or an unknown unit: the whole body is a correct answer.
            return true;
        }

        ReadOnlySpan<char> first = text["bytes=".Length..dash].Trim();
        ReadOnlySpan<char> last = text[(dash + 1)..].Trim();
        bool hasFirst = TryParse(first, out long start);
        bool hasLast = TryParse(last, out long end);
        if ((!hasFirst && !first.IsEmpty) || (!hasLast && !last.IsEmpty) || (!hasFirst && !hasLast)
            || (hasFirst && hasLast && end < start))
        {
            return true;
        }

        if (!hasFirst)
        {
            start = Math.Max(0, size - end);
            end = size - 1;
        }

        end = hasLast ? Math.Min(end, size - 1) : size - 1;
        range = new ByteRange(start, end - start + 1);
        return start < size && range.Length > 0;
    }

    private static bool TryParse(ReadOnlySpan<char> text, out long value) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
}
