using System.Runtime.InteropServices;

namespace Raven.Blittable.Memory;

/// <summary>One run of addresses of an arena: [Start, Committed) is memory, [Committed, End) only reserved.</summary>
internal unsafe struct ArenaSegment
{
    internal byte* Start;
    internal byte* Committed;
    internal byte* End;
    private bool _fromHeap;

    internal readonly long CommittedBytes => Committed - Start;

    /// <summary>Reserves addresses, or allocates all of it at once if the system cannot reserve.</summary>
    /// <exception cref="OutOfMemoryException">The system has neither.</exception>
    internal static ArenaSegment Create(long reservedBytes, long neededBytes)
    {
        byte* start = AddressSpace.TryReserve((nuint)reservedBytes);
        if (start is not null)
        {
            return new ArenaSegment { Start = start, Committed = start, End = start + reservedBytes };
        }

        long bytes = Math.Max(neededBytes, AddressSpace.CommitStepBytes * 16);
        start = (byte*)NativeMemory.AlignedAlloc((nuint)bytes, 64);
        return new ArenaSegment { Start = start, Committed = start + bytes, End = start + bytes, _fromHeap = true };
    }

    /// <summary>Commits memory up to <paramref name="end"/>, in steps that grow with the segment.</summary>
    internal bool TryCommitTo(byte* end)
    {
        if (end > End)
        {
            return false;
        }

        long step = Math.Clamp(CommittedBytes, AddressSpace.CommitStepBytes, Arena.GrowthStepBytes);
        long bytes = Math.Max(end - Committed, step);
        bytes = RoundUp(bytes);
        bytes = Math.Min(bytes, End - Committed);
        if (!AddressSpace.TryCommit(Committed, (nuint)bytes))
        {
            return false;
        }

        Committed += bytes;
        return true;
    }

    /// <summary>Frees the memory behind the first <paramref name="keepBytes"/>.</summary>
    internal void Trim(long keepBytes)
    {
        if (_fromHeap)
        {
            return;
        }

        long keep = RoundUp(keepBytes);
        if (keep < CommittedBytes)
        {
            AddressSpace.Decommit(Start + keep, (nuint)(CommittedBytes - keep));
            Committed = Start + keep;
        }
    }

    private static long RoundUp(long bytes)
    {
        const long step = AddressSpace.CommitStepBytes;
        return (bytes + step - 1) / step * step;
    }

    internal void Release()
    {
        if (_fromHeap)
        {
            NativeMemory.AlignedFree(Start);
        }
        else
        {
            AddressSpace.Release(Start, (nuint)(End - Start));
        }

        this = default;
    }
}
