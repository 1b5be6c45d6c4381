using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;

namespace Raven.Documents;

/// <summary>
/// What a search by prefix looks for. All texts are folded when it is made, into the arena that is given, and live as
/// long as that. An empty text is no condition.
/// </summary>
public readonly struct PrefixQuery
{
    /// <summary>The prefix of the keys.</summary>
    internal NativeSlice Prefix { get; private init; }

    /// <summary>Only keys after this one.</summary>
    internal NativeSlice StartAfter { get; private init; }

    /// <summary>
    /// Only keys whose rest behind the prefix matches one of these patterns (<see cref="IdPattern"/>).
    /// </summary>
    internal NativeSlice Matches { get; private init; }

    /// <summary>Only keys whose rest behind the prefix matches none of these patterns.</summary>
    internal NativeSlice Exclude { get; private init; }

    /// <summary>Ends a search that finds nothing for a long time.</summary>
    public CancellationToken Cancellation { get; init; }

    /// <summary>Folds the texts.</summary>
    /// <param name="arena">The memory of the folded texts.</param>
    /// <param name="prefix">The start of the ids, UTF-8; empty for all documents.</param>
    /// <param name="startAfter">An id, UTF-8, or empty.</param>
    /// <param name="matches">Patterns, UTF-8, or empty.</param>
    /// <param name="exclude">Patterns, UTF-8, or empty.</param>
    /// <param name="query">The query.</param>
    /// <param name="error">What is wrong with the first text that cannot be folded.</param>
    public static bool TryCreate(
        Arena arena,
        ReadOnlySpan<byte> prefix,
        ReadOnlySpan<byte> startAfter,
        ReadOnlySpan<byte> matches,
        ReadOnlySpan<byte> exclude,
        out PrefixQuery query,
        out DocumentIdError error)
    {
        query = default;
        if (!TryFold(arena, prefix, out NativeSlice prefixKey, out error)
            || !TryFold(arena, startAfter, out NativeSlice startAfterKey, out error)
            || !TryFold(arena, matches, out NativeSlice matchesFolded, out error)
            || !TryFold(arena, exclude, out NativeSlice excludeFolded, out error))
        {
            return false;
        }

        query = new PrefixQuery
        {
            Prefix = prefixKey,
            StartAfter = startAfterKey,
            Matches = matchesFolded,
            Exclude = excludeFolded,
        };
        return true;
    }

    /// <summary>The same search, going on after a document, perhaps in a later snapshot.</summary>
    /// <param name="last">The last document that was found.</param>
    /// <param name="room">At least <see cref="DocumentId.SizeBytesMax"/> bytes that live as long as the search.</param>
    internal PrefixQuery After(in StoredDocument last, NativeSlice room)
    {
        bool isId = DocumentId.TryFold(last.Id.Span, room.WritableSpan, out int length, out _);
        Debug.Assert(isId, "ID-1");
        return this with { StartAfter = room.Slice(0, length) };
    }

    /// <summary>True if every key that begins with the prefix is wanted.</summary>
    public bool IsPrefixOnly => Matches.IsEmpty && Exclude.IsEmpty;

    /// <summary>True if a key that starts with the prefix matches the patterns.</summary>
    internal bool IsMatch(ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> rest = key[Prefix.Length..];
        return (Matches.IsEmpty || IdPattern.IsMatch(Matches.Span, rest))
            && (Exclude.IsEmpty || !IdPattern.IsMatch(Exclude.Span, rest));
    }

    private static bool TryFold(Arena arena, ReadOnlySpan<byte> text, out NativeSlice folded, out DocumentIdError error)
    {
        folded = default;
        error = default;
        if (text.IsEmpty)
        {
            return true;
        }

        NativeSlice target = arena.Allocate(DocumentId.SizeBytesMax);
        if (!DocumentId.TryFold(text, target.WritableSpan, out int length, out error))
        {
            return false;
        }

        folded = target.Slice(0, length);
        return true;
    }
}
