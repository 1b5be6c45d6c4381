using System.Numerics;

namespace Raven.Storage.Paging;

// CLEAN-1  A page is clean if it is free, was free in the state of the last durable header, and was used by no
//          transaction in between: neither a recovery nor a reader can need its bytes, and no flush will write it.
// CLEAN-2  A freed page is in the set Since until a flush chooses its boundary, then in the set Pending until that
//          flush has ended, and then in the set Clean. A page that is allocated leaves all three sets.

/// <summary>
/// Which free pages may be written in the data file before the transaction that takes them is durable. For the holder
/// of the write lock.
/// </summary>
internal sealed class CleanPages
{
    private const int WordsPerPart = FreeSpace.PagesPerPart / 64;

    private readonly List<Part> _parts = [];

    internal void Clear() => _parts.Clear();

    /// <summary>Adds a part whose pages were never used.</summary>
    internal void AddPart() => _parts.Add(new Part());

    /// <summary>Keeps the first parts only.</summary>
    internal void Truncate(int count) => _parts.RemoveRange(count, _parts.Count - count);

    /// <summary>Adds a part when the environment is opened: all of its free pages are clean.</summary>
    internal void Load(int part, ReadOnlySpan<ulong> free)
    {
        AddPart();
        free[..WordsPerPart].CopyTo(_parts[part].Clean);
    }

    internal void NoteAllocated(int part, int bit, int count)
    {
        FreeSpace.SetBits(_parts[part].Clean, bit, count, free: false);
        FreeSpace.SetBits(_parts[part].Pending, bit, count, free: false);
        FreeSpace.SetBits(_parts[part].Since, bit, count, free: false);
    }

    internal void NoteFreed(int part, int bit, int count)
    {
        FreeSpace.SetBits(_parts[part].Since, bit, count, free: true);
        _parts[part].HasSince = true;
    }

    /// <summary>The same for 64 pages at once.</summary>
    internal void NoteChanged(int part, int word, ulong freed, ulong taken)
    {
        _parts[part].Clean[word] &= ~taken;
        _parts[part].Pending[word] &= ~taken;
        _parts[part].Since[word] = (_parts[part].Since[word] & ~taken) | freed;
        _parts[part].HasSince = true;
    }

    /// <summary>True if so many pages in a row are clean.</summary>
    internal bool Are(int part, int bit, int count)
    {
        ReadOnlySpan<ulong> clean = _parts[part].Clean;
        for (int i = bit; i < bit + count; i++)
        {
            if ((clean[i / 64] & (1UL << i)) == 0)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>After a rollback: what is free and was clean or pending stays so, the rest has to wait.</summary>
    internal void Restore(int index, ReadOnlySpan<ulong> free)
    {
        Part part = _parts[index];
        part.HasSince = true;
        for (int i = 0; i < WordsPerPart; i++)
        {
            part.Clean[i] &= free[i];
            part.Pending[i] &= free[i];
            part.Since[i] = free[i] & ~part.Clean[i] & ~part.Pending[i];
        }
    }

    /// <summary>A flush chose its boundary: pages freed before it become clean when the flush ends.</summary>
    internal void BeginBoundary()
    {
        foreach (Part part in _parts)
        {
            if (part.HasSince)
            {
                Move(part.Since, part.Pending);
                part.HasSince = false;
                part.HasPending = true;
            }
        }
    }

    /// <summary>The flush ended, and its header is durable.</summary>
    internal void EndFlush()
    {
        foreach (Part part in _parts)
        {
            if (part.HasPending)
            {
                Move(part.Pending, part.Clean);
                part.HasPending = false;
            }
        }
    }

    /// <summary>The first of so many clean pages in a row; 0 if there are none.</summary>
    internal long Find(int count)
    {
        for (int index = 0; index < _parts.Count; index++)
        {
            int bit = FreeSpace.FindRun(_parts[index].Clean, count, 0);
            if (bit >= 0)
            {
                return ((long)index * FreeSpace.PagesPerPart) + bit;
            }
        }

        return 0;
    }

    private static void Move(Span<ulong> from, Span<ulong> to)
    {
        for (int i = 0; i < from.Length; i += Vector<ulong>.Count)
        {
            (new Vector<ulong>(from[i..]) | new Vector<ulong>(to[i..])).CopyTo(to[i..]);
        }

        from.Clear();
    }

    private sealed class Part
    {
        internal ulong[] Clean { get; } = new ulong[WordsPerPart];

        internal ulong[] Pending { get; } = new ulong[WordsPerPart];

        internal ulong[] Since { get; } = new ulong[WordsPerPart];

        internal bool HasPending { get; set; }

        internal bool HasSince { get; set; }
    }
}
