using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Raven.Server.Http.Routing;

/// <summary>
/// What the <c>*</c> and <c>$</c> of a route matched, in order: start and length in the path, no substring. A plain
/// value that is filled in place; at most <see cref="Capacity"/> captures, which the trie's builder enforces.
/// </summary>
public struct RouteCaptures
{
    /// <summary>The most captures one route may have.</summary>
    public const int Capacity = 4;

    private Slots _slots;

    /// <summary>The number of captures.</summary>
    public int Count { readonly get; internal set; }

    /// <summary>Start and length of a capture, in characters of the path.</summary>
    /// <param name="index">0 to <see cref="Count"/> - 1.</param>
    public readonly (int Start, int Length) this[int index]
    {
        get
        {
            Debug.Assert((uint)index < (uint)Count);
            ulong packed = _slots[index];
            return ((int)(packed >> 32), (int)(uint)packed);
        }
    }

    /// <summary>The captured part of the path.</summary>
    public readonly ReadOnlySpan<char> Of(ReadOnlySpan<char> path, int index)
    {
        (int start, int length) = this[index];
        return path.Slice(start, length);
    }

    internal void Add(int start, int length)
    {
        _slots[Count] = ((ulong)(uint)start << 32) | (uint)length;
        Count++;
    }

    [InlineArray(Capacity)]
    private struct Slots
    {
        private ulong _first;
    }
}
