using System.Text;

namespace Raven.Documents.Ids;

//   ID-1  1 to 512 bytes of UTF-8, and 1 to 512 bytes after folding: both must fit, so that every key fits into a page.
//   ID-2  Neither U+0000 nor U+001E and U+001F, with which keys of attachments, counters and revisions separate texts.
//   ID-3  Two ids are the same document when their folded forms (CaseFolding) are the same bytes. The key is that form.
//   ID-4  Nothing is normalized, trimmed or escaped: a document is read back under the id it was given.

/// <summary>The rules for a document's id, and its key in storage.</summary>
public static class DocumentId
{
    /// <summary>The limit for an id and for its folded form, in bytes of UTF-8.</summary>
    public const int SizeBytesMax = 512;

    /// <summary>Makes the key of an id. Allocates nothing.</summary>
    /// <param name="id">The id as the client wrote it, decoded, in UTF-8.</param>
    /// <param name="key">At least <see cref="SizeBytesMax"/> bytes, apart from <paramref name="id"/>.</param>
    /// <param name="keyLength">The number of bytes of the key.</param>
    /// <param name="error">What is wrong, if the result is false.</param>
    public static bool TryFold(ReadOnlySpan<byte> id, Span<byte> key, out int keyLength, out DocumentIdError error)
    {
        keyLength = 0;
        error = default;
        if (id.Length is 0 or > SizeBytesMax)
        {
            error = new DocumentIdError(id.IsEmpty ? DocumentIdProblem.Empty : DocumentIdProblem.TooLong, id.Length);
            return false;
        }

        CaseFoldingStatus status = CaseFolding.Fold(id, key[..SizeBytesMax], out keyLength, out int position);
        if (status == CaseFoldingStatus.Done)
        {
            return true;
        }

        keyLength = 0;
        error = new DocumentIdError(ProblemOf(status), position);
        return false;
    }

    /// <summary>Checks an id. Allocates nothing.</summary>
    /// <param name="id">The id as the client wrote it, decoded, in UTF-8.</param>
    /// <param name="error">What is wrong, if the result is false.</param>
    public static bool TryValidate(ReadOnlySpan<byte> id, out DocumentIdError error)
    {
        Span<byte> key = stackalloc byte[SizeBytesMax];
        return TryFold(id, key, out _, out error);
    }

    /// <summary>An id or a name as it is compared: in any case the same. What cannot be folded stays as it
    /// is.</summary>
    /// <param name="text">The text in UTF-8.</param>
    public static string FoldedText(ReadOnlySpan<byte> text)
    {
        Span<byte> key = stackalloc byte[SizeBytesMax];
        return TryFold(text, key, out int length, out _)
            ? Encoding.UTF8.GetString(key[..length])
            : Encoding.UTF8.GetString(text);
    }

    private static DocumentIdProblem ProblemOf(CaseFoldingStatus status) => status switch
    {
        CaseFoldingStatus.ControlCharacter => DocumentIdProblem.ControlCharacter,
        CaseFoldingStatus.NotUtf8 => DocumentIdProblem.NotUtf8,
        _ => DocumentIdProblem.TooLongAfterFolding,
    };
}
