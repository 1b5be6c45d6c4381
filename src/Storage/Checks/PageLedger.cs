using System.IO.Hashing;
using System.Numerics;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Checks;

// LEDGER-1  A page has one holder: the page that refers to it. If a second page refers to it while the first is
//           unchanged since its reference was seen, that is a second owner.
// LEDGER-2  What was found below a page is known for as long as neither the page nor anything below it is marked as
//           changed, and its bounds and its level are those that it was checked with.
// LEDGER-3  A page that the audited transaction did not write has the bytes that it had when it was seen last.

/// <summary>
/// Who owns each page, and what was found in it: for one audit, or for all audits of an environment, each of which
/// checks only what has changed. One thread.
/// </summary>
/// <param name="remembers">True if there will be further audits.</param>
internal sealed class PageLedger(bool remembers)
{
    /// <summary>The owner of free pages and of the free-space map.</summary>
    internal const string FreeOwner = "free space";

    private const int FactsMin = 64;

    private readonly List<ulong[]> _free = [];
    private Facts[] _facts = new Facts[FactsMin];
    private int _audit = 1;
    private bool _isWhole = true;
    private long _transactionId;
    private long _nextPage = long.MaxValue;

    /// <summary>The transaction that made the state, or 0 if that is not known.</summary>
    internal long TransactionId => _transactionId;

    /// <summary>True while everything is checked.</summary>
    internal bool IsWhole => _isWhole;

    /// <summary>Pages checked since the counter was last set.</summary>
    internal long VisitedPages { get; set; }

    /// <summary>The pages that are free.</summary>
    internal long FreePages { get; private set; }

    /// <summary>The owner of each page that has one.</summary>
    internal Dictionary<long, string> Owners()
    {
        var owners = new Dictionary<long, string>();
        long end = Math.Max(_facts.Length, (long)_free.Count * FreeSpace.PagesPerPart);
        for (long page = 0; page < end; page++)
        {
            if (IsClaimed(page) || IsFree(page))
            {
                owners.Add(page, IsClaimed(page) ? _facts[page].Owner! : FreeOwner);
            }
        }

        return owners;
    }

    /// <summary>Begins an audit.</summary>
    /// <param name="transactionId">The transaction that made the state.</param>
    /// <param name="nextPage">The first page that was never used.</param>
    /// <param name="isWhole">Checks everything; otherwise only what is marked.</param>
    internal void Begin(long transactionId, long nextPage, bool isWhole)
    {
        _audit++;
        _transactionId = transactionId;
        _nextPage = nextPage;
        _isWhole = isWhole;
    }

    /// <summary>Forgets all that was found.</summary>
    internal void Forget()
    {
        Array.Clear(_facts);
        _free.Clear();
        FreePages = 0;
    }

    /// <summary>Marks a page that was changed, made or freed, and all pages above it: they are checked again.</summary>
    internal void Mark(long page)
    {
        while (page != 0 && page < _facts.Length && _facts[page].Marked != _audit)
        {
            _facts[page].Marked = _audit;
            page = _facts[page].Holder;
        }
    }

    /// <summary>Takes over which pages of a part of the free-space map are free.</summary>
    internal void SetFree(int part, ReadOnlySpan<ulong> words)
    {
        while (_free.Count <= part)
        {
            _free.Add(new ulong[words.Length]);
        }

        ulong[] kept = _free[part];
        for (int i = words[..kept.Length].CommonPrefixLength(kept); i < kept.Length; i++)
        {
            ForgetFreed(((long)part * FreeSpace.PagesPerPart) + (i * 64L), words[i] & ~kept[i]);
            FreePages += BitOperations.PopCount(words[i]) - BitOperations.PopCount(kept[i]);
            kept[i] = words[i];
        }
    }

    /// <summary>True if the page is free, as far as <see cref="SetFree"/> has reported.</summary>
    internal bool IsFree(long page)
    {
        long part = page / FreeSpace.PagesPerPart;
        int bit = (int)(page % FreeSpace.PagesPerPart);
        return part < _free.Count && (_free[(int)part][bit / 64] & (1UL << bit)) != 0;
    }

    /// <summary>True if the page is within the used part of the file; otherwise that is a finding.</summary>
    internal bool IsInside(long page, string owner, CheckReport report)
    {
        bool isInside = page > 0 && page < _nextPage;
        if (!isInside)
        {
            report.Find($"page {page} of {owner} is outside of the file");
        }

        return isInside;
    }

    /// <summary>Claims pages for an owner; a page that has another one, or is free, is a finding (LEDGER-1).</summary>
    /// <returns>False if the first page was claimed already: it must not be walked again.</returns>
    internal bool Claim(long firstPage, int pages, long holder, string owner, CheckReport report)
    {
        if (!IsInside(firstPage, owner, report) || !IsInside(firstPage + pages - 1, owner, report))
        {
            return false;
        }

        if (firstPage + pages > _facts.Length)
        {
            Array.Resize(ref _facts, (int)BitOperations.RoundUpToPowerOf2((ulong)(firstPage + pages)));
        }

        bool isFirstNew = true;
        for (long page = firstPage; page < firstPage + pages; page++)
        {
            ref Facts facts = ref _facts[page];
            bool isClaimed = facts.Claimed == _audit;
            if (isClaimed || IsHeldByAnother(facts, holder))
            {
                report.Find($"page {page} belongs to {owner} and to {facts.Owner}");
                isFirstNew &= !isClaimed || page != firstPage;
            }

            if (IsFree(page))
            {
                report.Find($"page {page} belongs to {owner} and is free");
            }

            facts.Claimed = _audit;
            facts.Holder = holder;
            facts.Owner = owner;
        }

        return isFirstNew;
    }

    /// <summary>True for a page that was claimed in this audit.</summary>
    internal bool IsClaimed(long page) => page < _facts.Length && _facts[page].Claimed == _audit;

    /// <summary>What was found in a page and below it, if that still holds (LEDGER-2).</summary>
    internal bool IsKnown(long page, ulong place, out CheckTotals totals)
    {
        if (_isWhole || (ulong)page >= (ulong)_facts.Length || _facts[page].Marked == _audit
            || _facts[page].Place != place)
        {
            totals = default;
            return false;
        }

        totals = _facts[page].Totals;
        return true;
    }

    /// <summary>What was found in a page, in this audit or before.</summary>
    internal CheckTotals TotalsOf(long page) =>
        (ulong)page < (ulong)_facts.Length ? _facts[page].Totals : default;

    /// <summary>Compares a page that is claimed with what it was (LEDGER-3).</summary>
    internal void Look(long page, NativeSlice memory, CheckReport report)
    {
        if (!remembers)
        {
            return;
        }

        ref Facts facts = ref _facts[page];
        VisitedPages += memory.Length / PageHeader.PageSizeInBytes;
        long transactionId = MemoryMarshal.Read<PageHeader>(memory.Span).TransactionId;
        ulong hash = XxHash3.HashToUInt64(memory.Span[sizeof(ulong)..]);
        if (facts.Place != 0 && transactionId != _transactionId
            && (facts.TransactionId != transactionId || facts.Hash != hash))
        {
            report.Find(
                $"page {page} of {facts.Owner} has changed since transaction {facts.TransactionId}, "
                + "and no transaction has changed it");
        }

        facts.TransactionId = transactionId;
        facts.Hash = hash;
    }

    /// <summary>Keeps what was found in a page that is claimed, and below it.</summary>
    internal void Keep(long page, ulong place, in CheckTotals totals)
    {
        _facts[page].Place = place;
        _facts[page].Totals = totals;
    }

    private bool IsHeldByAnother(in Facts facts, long holder) =>
        !_isWhole && facts.Holder != 0 && facts.Holder != holder && _facts[facts.Holder].Marked != _audit;

    /// <summary>Marks the pages that refer to pages that are free now, and forgets these references.</summary>
    private void ForgetFreed(long firstPage, ulong freed)
    {
        for (; freed != 0; freed &= freed - 1)
        {
            long page = firstPage + BitOperations.TrailingZeroCount(freed);
            if (page < _facts.Length)
            {
                Mark(page);
                _facts[page].Holder = 0;
                _facts[page].Place = 0;
            }
        }
    }

    private struct Facts
    {
        internal string? Owner;
        internal long Holder;
        internal int Claimed;
        internal int Marked;
        internal ulong Place;
        internal long TransactionId;
        internal ulong Hash;
        internal CheckTotals Totals;
    }
}
