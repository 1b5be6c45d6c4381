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

    /// <summary>This transaction's own copy in scratch; empty where it freed the page.</summary>
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
