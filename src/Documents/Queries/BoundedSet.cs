using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;

namespace Raven.Documents.Queries;

/// <summary>A set of values, in no more memory than a request may have. One thread at a time.</summary>
/// <param name="bytesMax">How much memory that is.</param>
internal sealed class BoundedSet<T>(long bytesMax)
    where T : unmanaged
{
    /// <summary>The overhead of each value in the set: its hash, its successor and its place.</summary>
    private const int OverheadBytes = 12;

    private readonly HashSet<T> _values = [];

    /// <summary>How many there are.</summary>
    internal int Count => _values.Count;

    /// <summary>Adds a value; false if it is there already.</summary>
    /// <exception cref="ArenaLimitException">There are too many.</exception>
    internal bool Add(T value)
    {
        if (!_values.Add(value))
        {
            return false;
        }

        return (long)_values.Count * (Unsafe.SizeOf<T>() + OverheadBytes) <= bytesMax
            ? true
            : throw new ArenaLimitException(bytesMax);
    }
}
