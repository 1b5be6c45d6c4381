using System.Buffers.Text;
using System.Diagnostics;

namespace Raven.Documents.Rows;

//   A:12-<22 characters of base64>, B:7-<22 characters>
//   CV-1  An entry is NodeTag ':' Etag '-' DatabaseId: 1 to 4 letters A to Z, decimal digits without a leading zero,
//         and the 22 characters of the database that made the change. Entries are joined by ", ".
//   CV-2  A database occurs once. An entry that is absent stands for etag 0.
//   CV-3  What one database writes has one entry until replication brings another's.

/// <summary>
/// The version of a document, as text in UTF-8: for each database that took part the last change of it that is known.
/// Clients take it as opaque; only its equality matters to them.
/// </summary>
public static class ChangeVector
{
    /// <summary>The longest vector with one entry: tag, colon, 19 digits, dash, id.</summary>
    internal const int LocalSizeBytesMax = 4 + 1 + 19 + 1 + Rows.DatabaseId.TextLength;

    private const int TagLengthMax = 4;

    /// <summary>Writes the vector of a change that this database makes.</summary>
    /// <param name="target">At least <see cref="LocalSizeBytesMax"/> bytes.</param>
    /// <param name="etag">The change, positive.</param>
    /// <param name="database">The database that makes it, on node A.</param>
    /// <returns>The number of bytes written.</returns>
    internal static int Format(Span<byte> target, long etag, DatabaseId database)
    {
        Debug.Assert(etag > 0);
        target[0] = (byte)'A';
        target[1] = (byte)':';
        Utf8Formatter.TryFormat(etag, target[2..], out int digits);
        target[2 + digits] = (byte)'-';
        database.Utf8.CopyTo(target[(3 + digits)..]);
        return 3 + digits + Rows.DatabaseId.TextLength;
    }

    /// <summary>True if the text is a vector of one or more entries (CV-1).</summary>
    internal static bool IsValid(ReadOnlySpan<byte> text)
    {
        if (text.IsEmpty)
        {
            return false;
        }

        while (!text.IsEmpty)
        {
            if (!TryReadEntry(ref text, out _))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Compares two versions. An empty text is the version before all others.</summary>
    /// <param name="left">A vector, or nothing.</param>
    /// <param name="right">A vector, or nothing.</param>
    /// <param name="order">How left stands to right.</param>
    /// <returns>False if one of them is not a vector.</returns>
    internal static bool TryCompare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, out ChangeVectorOrder order)
    {
        order = ChangeVectorOrder.Equal;
        if (left.SequenceEqual(right))
        {
            return left.IsEmpty || IsValid(left);
        }

        if (!TryFindNewer(left, right, out bool leftIsNewer) || !TryFindNewer(right, left, out bool rightIsNewer))
        {
            return false;
        }

        order = (leftIsNewer, rightIsNewer) switch
        {
            (true, true) => ChangeVectorOrder.Conflict,
            (true, false) => ChangeVectorOrder.After,
            (false, true) => ChangeVectorOrder.Before,
            _ => ChangeVectorOrder.Equal,
        };
        return true;
    }

    /// <summary>The etag in a vector of one entry; false if it is something else.</summary>
    public static bool TryReadLocalEtag(ReadOnlySpan<byte> text, out long etag)
    {
        bool isOne = TryReadEntry(ref text, out ChangeVectorEntry entry) && text.IsEmpty;
        etag = isOne ? entry.Etag : 0;
        return isOne;
    }

    /// <summary>Takes the first entry off a vector.</summary>
    /// <param name="text">The vector; afterwards what follows the entry.</param>
    /// <param name="entry">The entry; its spans point into the text.</param>
    internal static bool TryReadEntry(ref ReadOnlySpan<byte> text, out ChangeVectorEntry entry)
    {
        entry = default;
        int tagLength = text[..Math.Min(text.Length, TagLengthMax + 1)].IndexOf((byte)':');
        if (tagLength <= 0 || text[..tagLength].ContainsAnyExceptInRange((byte)'A', (byte)'Z'))
        {
            return false;
        }

        ReadOnlySpan<byte> rest = text[(tagLength + 1)..];
        if (rest.IsEmpty || rest[0] is < (byte)'1' or > (byte)'9'
            || !Utf8Parser.TryParse(rest, out long etag, out int digits))
        {
            return false;
        }

        int length = digits + 1 + Rows.DatabaseId.TextLength;
        if (rest.Length < length || rest[digits] != (byte)'-' || !IsBase64(rest[(digits + 1)..length]))
        {
            return false;
        }

        ReadOnlySpan<byte> tail = rest[length..];
        if (!tail.IsEmpty && (!tail.StartsWith(", "u8) || tail.Length == 2))
        {
            return false;
        }

        entry = new ChangeVectorEntry(text[..tagLength], etag, rest[(digits + 1)..length]);
        text = tail.IsEmpty ? tail : tail[2..];
        return true;
    }

    /// <summary>Whether <paramref name="vector"/> has a change that <paramref name="other"/> does not have.</summary>
    private static bool TryFindNewer(ReadOnlySpan<byte> vector, ReadOnlySpan<byte> other, out bool isNewer)
    {
        isNewer = false;
        while (!vector.IsEmpty)
        {
            if (!TryReadEntry(ref vector, out ChangeVectorEntry entry)
                || !TryFindEtag(other, entry.DatabaseId, out long known))
            {
                return false;
            }

            isNewer |= entry.Etag > known;
        }

        return true;
    }

    private static bool TryFindEtag(ReadOnlySpan<byte> vector, ReadOnlySpan<byte> databaseId, out long etag)
    {
        etag = 0;
        while (!vector.IsEmpty)
        {
            if (!TryReadEntry(ref vector, out ChangeVectorEntry entry))
            {
                return false;
            }

            if (entry.DatabaseId.SequenceEqual(databaseId))
            {
                etag = entry.Etag;
            }
        }

        return true;
    }

    private static bool IsBase64(ReadOnlySpan<byte> text)
    {
        foreach (byte c in text)
        {
            if (!char.IsAsciiLetterOrDigit((char)c) && c is not ((byte)'+' or (byte)'/'))
            {
                return false;
            }
        }

        return true;
    }
}
