using System.Buffers.Text;
using System.Globalization;

namespace Raven.Documents.Ids;

//   TEXT     IT ASKS FOR                                        EXAMPLE
//   (empty)  a guid                                             5c1ba1b9-0b3c-4b0c-a9a0-8b8d5d6b4a3e
//   users/   the change's etag in 19 digits and the node's tag  users/0000000000000000012-A
//   users|   the next value of identity "users|"                users/7
//
// The sequence needs no counter of its own: etags are used once in the life of a database.

/// <summary>The forms of an id that the server completes.</summary>
internal static class ServerMadeId
{
    /// <summary>The number of bytes that a completion adds at most.</summary>
    public const int CompletionSizeBytesMax = 36;

    private const int SequenceDigits = 19;

    /// <summary>Finds out what a text asks for.</summary>
    public static IdRequestKind KindOf(ReadOnlySpan<byte> id) => id switch
    {
        [] => IdRequestKind.Guid,
        [.., (byte)'/'] => IdRequestKind.Sequence,
        [.., (byte)'|'] => IdRequestKind.Identity,
        _ => IdRequestKind.Exact,
    };

    /// <summary>Writes a guid in its 36 characters.</summary>
    internal static int WriteGuid(Guid value, Span<byte> target)
    {
        Utf8Formatter.TryFormat(value, target, out int written);
        return written;
    }

    /// <summary>Writes <c>users/</c> completed to <c>users/0000000000000000012-A</c>.</summary>
    internal static int WriteSequence(ReadOnlySpan<byte> prefix, long etag, Span<byte> target)
    {
        prefix.CopyTo(target);
        etag.TryFormat(target[prefix.Length..], out int digits, "D19", CultureInfo.InvariantCulture);
        System.Diagnostics.Debug.Assert(digits == SequenceDigits);
        "-A"u8.CopyTo(target[(prefix.Length + digits)..]);
        return prefix.Length + digits + 2;
    }

    /// <summary>Writes <c>users|</c> completed to <c>users/7</c>.</summary>
    internal static int WriteIdentity(ReadOnlySpan<byte> name, long value, Span<byte> target)
    {
        name.CopyTo(target);
        target[name.Length - 1] = (byte)'/';
        Utf8Formatter.TryFormat(value, target[name.Length..], out int digits);
        return name.Length + digits;
    }
}
