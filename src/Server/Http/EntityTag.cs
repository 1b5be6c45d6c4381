using System.Text;
using Microsoft.Extensions.Primitives;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Commands;

namespace Raven.Server.Http;

/// <summary>
/// ETags of answers, and the change vectors in If-Match and If-None-Match, which clients send with and without quotes.
/// </summary>
internal static class EntityTag
{
    /// <summary>The header value of a change vector: the vector in quotes.</summary>
    internal static string OfChangeVector(ReadOnlySpan<byte> changeVector)
    {
        Span<char> text = stackalloc char[256];
        if (changeVector.Length + 2 > text.Length)
        {
            return $"\"{Encoding.ASCII.GetString(changeVector)}\"";
        }

        text[0] = '"';
        int length = Encoding.ASCII.GetChars(changeVector, text[1..]);
        text[length + 1] = '"';
        return new string(text[..(length + 2)]);
    }

    /// <summary>The header value of a hash over the contents of an answer.</summary>
    /// <param name="database">The database of the answer: one that is created again under the same name counts from
    /// 1 again.</param>
    /// <param name="hash">The hash.</param>
    internal static string OfHash(Database database, ulong hash) => $"\"{hash ^ database.Id.Hash:x16}\"";

    /// <summary>The header value for something missing: neither a change vector nor a hash has this form.</summary>
    internal static string OfMissing(Database database) => $"\"missing-{database.Id.Hash:x16}\"";

    /// <summary>Whether the client has this version already.</summary>
    /// <param name="request">The request with its If-None-Match.</param>
    /// <param name="tag">The current version, in quotes.</param>
    internal static bool IsKnown(RequestContext request, string tag)
    {
        StringValues header = request.Headers.IfNoneMatch;
        if (header.Count == 0)
        {
            return false;
        }

        ReadOnlySpan<char> known = Bare(header.ToString());
        return known.SequenceEqual(Bare(tag)) || known is "*";
    }

    /// <summary>The version that a write expects, from If-Match.</summary>
    /// <exception cref="BadRequestException">It is not a change vector.</exception>
    internal static ExpectedVersion Expected(RequestContext request)
    {
        StringValues header = request.Headers.IfMatch;
        if (header.Count == 0)
        {
            return ExpectedVersion.Any;
        }

        ReadOnlySpan<char> vector = Bare(header.ToString());
        if (vector is "*" || vector.Contains('"'))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"If-Match must be one change vector, not '{header}'.");
        }

        NativeSlice utf8 = request.Operation.Arena.Allocate(Math.Max(1, Encoding.UTF8.GetMaxByteCount(vector.Length)));
        int length = Encoding.UTF8.GetBytes(vector, utf8.WritableSpan);
        return ExpectedVersion.Of(utf8.Span[..length]);
    }

    private static ReadOnlySpan<char> Bare(string header)
    {
        ReadOnlySpan<char> text = header.AsSpan().Trim();
        if (text.StartsWith("W/"))
        {
            text = text[2..];
        }

        return text.Length >= 2 && text[0] == '"' && text[^1] == '"' ? text[1..^1] : text;
    }
}
