namespace Raven.Search.Automata;

/// <summary>
/// Goes over the terms of a sorted dictionary. An implementation is a struct, so that a walk is compiled for it alone.
/// </summary>
internal interface ITermCursor
{
    /// <summary>The term that it is on; valid until it moves.</summary>
    ReadOnlySpan<byte> Term { get; }

    /// <summary>After <see cref="MoveNext"/>: how many bytes at its beginning the term has in common with the one
    /// before, at least.</summary>
    int Shared { get; }

    /// <summary>Goes to the next term.</summary>
    /// <returns>False behind the last one.</returns>
    bool MoveNext();

    /// <summary>Goes to the first term that is not before a target, which is behind the current term.</summary>
    /// <returns>False if all terms are before the target.</returns>
    bool SeekForward(ReadOnlySpan<byte> target);
}
