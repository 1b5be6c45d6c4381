using System.Numerics;
using System.Runtime.InteropServices;

namespace Raven.Storage.Paging;

//   A part of the map is a page of kind FreeSpace:
//   OFFSET  SIZE  FIELD
//        0    32  PageHeader
//       32  8160  one bit for each of the part's 65,280 pages, lowest first; 1: free
//
// FREE-1  Part n covers the 65,280 pages from n * 65,280 on. It is stored in the first of them, but part 0 in page 2.
// FREE-2  A page at or above NextPageNumber has a 0 bit: it does not count as free.
// FREE-3  The counts in memory are those of the write transaction; after a rollback, parts that it has changed are
//         counted again.

/// <summary>
/// Which pages are free, by a bitmap in pages of its own that change like any other page. A freed page may be reused at
/// once: readers of older snapshots find the older version by its transaction.
/// </summary>
internal sealed class FreeSpace
{
    internal const int PagesPerPart = (PageHeader.PageSizeInBytes - PageHeader.SizeInBytes) * 8;

    /// <summary>The longest run of pages within one part, one page of which holds the part itself.</summary>
    internal const int RunPagesMax = PagesPerPart - 1;

    private readonly List<Part> _parts = [];
    private readonly CleanPages _clean = new();

    /// <summary>Free pages below the next page number.</summary>
    internal long FreePages { get; private set; }

    /// <summary>The page that holds part <paramref name="part"/> of the map.</summary>
    internal static long PageOfPart(long part) => part == 0 ? 2 : part * PagesPerPart;

    /// <summary>True for a page that holds a part of the map.</summary>
    internal static bool IsMapPage(long page) => page == 2 || (page > 0 && page % PagesPerPart == 0);

    /// <summary>Counts what is free at a snapshot, at open.</summary>
    internal void Load(IPageReader pages, long nextPageNumber)
    {
        _parts.Clear();
        _clean.Clear();
        FreePages = 0;
        while (PartCountFor(nextPageNumber) > _parts.Count)
        {
            _parts.Add(default);
            _clean.Load(_parts.Count - 1, Recount(pages, _parts.Count - 1));
        }
    }

    /// <summary>Takes pages in a row out of the map.</summary>
    /// <returns>The first of them, or 0 if no free ones lie together.</returns>
    internal long TryTake(IPageWriter pages, int count)
    {
        for (int index = 0; index < _parts.Count; index++)
        {
            Part part = _parts[index];
            if (part.Free < count || part.RunMax < count)
            {
                continue;
            }

            Span<ulong> words = WordsOf(pages.GetPage(PageOfPart(index)).WritableSpan);
            int bit = count == 1 ? FindOne(words, ref part) : FindRun(words, count, part.FirstWord);
            if (bit < 0)
            {
                part.RunMax = count - 1;
                _parts[index] = part;
                continue;
            }

            Take(pages, index, bit, count, part);
            return (long)index * PagesPerPart + bit;
        }

        return 0;
    }

    /// <summary>Takes pages in a row that are clean: they may be written before the transaction is durable (CLEAN-1).
    /// </summary>
    /// <returns>The first of them, or 0 if no clean ones lie together.</returns>
    internal long TryTakeClean(IPageWriter pages, int count)
    {
        long page = _clean.Find(count);
        if (page != 0)
        {
            int index = (int)(page / PagesPerPart);
            Take(pages, index, (int)(page % PagesPerPart), count, _parts[index]);
        }

        return page;
    }

    /// <summary>Frees pages, all of the same part.</summary>
    internal void Give(IPageWriter pages, long page, int count)
    {
        int index = (int)(page / PagesPerPart);
        int bit = (int)(page % PagesPerPart);
        Span<ulong> words = WordsOf(pages.ModifyPage(PageOfPart(index)).WritableSpan);
        if (AnyFree(words, bit, count))
        {
            throw new InvalidOperationException($"Page {page} ({count} pages) is freed twice.");
        }

        SetBits(words, bit, count, free: true);
        _clean.NoteFreed(index, bit, count);
        Part part = _parts[index];
        part.Free += count;
        part.RunMax = PagesPerPart;
        part.FirstWord = Math.Min(part.FirstWord, bit / 64);
        _parts[index] = part;
        FreePages += count;
    }

    /// <summary>Makes room for a new part's counts, after its page was made.</summary>
    internal void AddPart()
    {
        _parts.Add(default);
        _clean.AddPart();
    }

    /// <summary>
    /// Takes over what a transaction of another node did to a part of the map, once its page was changed. A part that
    /// is new has no free pages before.
    /// </summary>
    /// <param name="index">The part.</param>
    /// <param name="before">The bits of its page before; empty for a new part.</param>
    /// <param name="after">Those of the page as it is now.</param>
    internal void TakeOver(int index, ReadOnlySpan<ulong> before, ReadOnlySpan<ulong> after)
    {
        if (index == _parts.Count)
        {
            AddPart();
        }

        Part part = _parts[index];
        int more = 0;
        for (int word = 0; word < after.Length; word++)
        {
            ulong old = before.IsEmpty ? 0 : before[word];
            ulong freed = after[word] & ~old;
            ulong taken = old & ~after[word];
            if ((freed | taken) != 0)
            {
                more += BitOperations.PopCount(freed) - BitOperations.PopCount(taken);
                _clean.NoteChanged(index, word, freed, taken);
            }
        }

        part.Free += more;
        part.RunMax = PagesPerPart;
        part.FirstWord = 0;
        _parts[index] = part;
        FreePages += more;
    }

    /// <summary>True if these pages, all of the same part, may be written before the transaction that takes them is
    /// durable (CLEAN-1).</summary>
    internal bool AreClean(long page, int count) =>
        page / PagesPerPart < _parts.Count
            && _clean.Are((int)(page / PagesPerPart), (int)(page % PagesPerPart), count);

    /// <summary>Called when a flush has chosen its boundary: the commit up to which it writes pages.</summary>
    internal void BeginBoundary() => _clean.BeginBoundary();

    /// <summary>Called when a flush has ended, and its file header is durable.</summary>
    internal void EndFlush() => _clean.EndFlush();

    /// <summary>After a rollback: forgets parts that do not exist, and recounts those that were touched.</summary>
    internal void Restore(IPageReader pages, long nextPageNumber, Func<long, bool> wasTouched)
    {
        int present = PartCountFor(nextPageNumber);
        for (int index = _parts.Count - 1; index >= 0; index--)
        {
            if (index >= present)
            {
                FreePages -= _parts[index].Free;
                _parts.RemoveAt(index);
                _clean.Truncate(index);
            }
            else if (wasTouched(PageOfPart(index)))
            {
                FreePages -= _parts[index].Free;
                _clean.Restore(index, Recount(pages, index));
            }
        }
    }

    /// <summary>True if the page is free in this snapshot.</summary>
    internal static bool IsFree(IPageReader pages, long page)
    {
        ReadOnlySpan<ulong> words = WordsOf(pages.GetPage(PageOfPart(page / PagesPerPart)).WritableSpan);
        int bit = (int)(page % PagesPerPart);
        return (words[bit / 64] & (1UL << bit)) != 0;
    }

    internal static int PartCountFor(long nextPageNumber) =>
        (int)((nextPageNumber + PagesPerPart - 1) / PagesPerPart);

    internal static Span<ulong> WordsOf(Span<byte> page) =>
        MemoryMarshal.Cast<byte, ulong>(page[PageHeader.SizeInBytes..]);

    /// <summary>True if one of these bits is set.</summary>
    internal static bool AnyFree(ReadOnlySpan<ulong> words, int bit, int count)
    {
        for (int i = bit; i < bit + count;)
        {
            if ((i & 63) == 0 && i + 64 <= bit + count && words[i / 64] == 0)
            {
                i += 64;
                continue;
            }

            if ((words[i / 64] & (1UL << i)) != 0)
            {
                return true;
            }

            i++;
        }

        return false;
    }

    private static int FindOne(ReadOnlySpan<ulong> words, ref Part part)
    {
        for (int word = part.FirstWord; word < words.Length; word++)
        {
            if (words[word] != 0)
            {
                part.FirstWord = word;
                return word * 64 + BitOperations.TrailingZeroCount(words[word]);
            }
        }

        return -1;
    }

    internal static int FindRun(ReadOnlySpan<ulong> words, int count, int firstWord)
    {
        int run = 0;
        int bit = firstWord * 64;
        while (bit < words.Length * 64)
        {
            ulong rest = words[bit / 64] >> bit;
            int ones = BitOperations.TrailingZeroCount(~rest);
            int left = 64 - (bit & 63);
            if (ones == 0)
            {
                run = 0;
                bit += rest == 0 ? left : BitOperations.TrailingZeroCount(rest);
                continue;
            }

            ones = Math.Min(ones, left);
            run += ones;
            bit += ones;
            if (run >= count)
            {
                return bit - run;
            }

            if (ones < left)
            {
                run = 0;
            }
        }

        return -1;
    }

    internal static void SetBits(Span<ulong> words, int bit, int count, bool free)
    {
        while (count > 0)
        {
            int taken = Math.Min(count, 64 - (bit & 63));
            ulong mask = (taken == 64 ? ulong.MaxValue : (1UL << taken) - 1) << bit;
            words[bit / 64] = free ? words[bit / 64] | mask : words[bit / 64] & ~mask;
            bit += taken;
            count -= taken;
        }
    }

    private ReadOnlySpan<ulong> Recount(IPageReader pages, int index)
    {
        ReadOnlySpan<ulong> words = WordsOf(pages.GetPage(PageOfPart(index)).WritableSpan);
        int free = 0;
        foreach (ulong word in words)
        {
            free += BitOperations.PopCount(word);
        }

        _parts[index] = new Part { Free = free, RunMax = PagesPerPart };
        FreePages += free;
        return words;
    }

    private void Take(IPageWriter pages, int index, int bit, int count, Part part)
    {
        SetBits(WordsOf(pages.ModifyPage(PageOfPart(index)).WritableSpan), bit, count, free: false);
        _clean.NoteAllocated(index, bit, count);
        part.Free -= count;
        FreePages -= count;
        _parts[index] = part;
    }

    private struct Part
    {
        internal int Free;
        internal int RunMax;
        internal int FirstWord;
    }
}
