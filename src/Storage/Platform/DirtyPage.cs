using Raven.Blittable.Memory;

namespace Raven.Storage.Platform;

/// <summary>What a write transaction did to one page (or run, by its first page).</summary>
internal unsafe struct DirtyPage
{
    /// <summary>The page's number.</summary>
    internal long Page;

    /// <summary>
    /// A large new run in clean pages: it goes to the data file before the commit, not into the journal.
    /// </summary>
    internal bool IsDirect;

    private byte* _place;
    private byte* _base;
    private int _placeLength;
    private int _baseLength;
    private int _lowEnd;
    private int _highStart;
    private int _highEnd;

    /// <summary>What may differ from the base: the bytes before this one...</summary>
    internal readonly int LowEnd => Math.Min(_lowEnd, _placeLength);

    /// <summary>...and those from here on and before <see cref="HighEnd"/>.</summary>
    internal readonly int HighStart => _highStart;

    /// <summary>See <see cref="HighStart"/>.</summary>
    internal readonly int HighEnd => Math.Min(_highEnd, _placeLength);

    /// <summary>Any byte may differ from the base.</summary>
    internal void NoteAll() => _lowEnd = int.MaxValue;

    /// <summary>Bytes before <paramref name="lowEnd"/>, and of [<paramref name="highStart"/>,
    /// <paramref name="highEnd"/>), may differ too.</summary>
    internal void Note(int lowEnd, int highStart, int highEnd)
    {
        _lowEnd = Math.Max(_lowEnd, lowEnd);
        _highStart = _highEnd == 0 ? highStart : Math.Min(_highStart, highStart);
        _highEnd = Math.Max(_highEnd, highEnd);
    }

    /// <summary>This transaction's own copy in scratch; empty if it freed the page.</summary>
    internal NativeSlice Place
    {
        readonly get => new(_place, _placeLength);
        set
        {
            _place = value.Pointer;
            _placeLength = value.Length;
        }
    }

    /// <summary>The bytes it was copied from; empty for a page that is new.</summary>
    internal NativeSlice Base
    {
        readonly get => new(_base, _baseLength);
        set
        {
            _base = value.Pointer;
            _baseLength = value.Length;
        }
    }
}
