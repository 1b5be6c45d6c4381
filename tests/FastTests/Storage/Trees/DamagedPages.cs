using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using FastTests.Compression;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace FastTests.Storage.Trees;

/// <summary>
/// The pages of a store, one of them with bytes that were never written. That one lies between two pages that may not
/// be touched; nothing is checked by hash. Changes are kept apart and forgotten at the next <see cref="Damage"/>.
/// </summary>
internal sealed unsafe class DamagedPages(IReadOnlyDictionary<long, NativeSlice> pages) : IPageWriter, IDisposable
{
    private readonly GuardedBuffer _guarded = new(PageHeader.PageSizeInBytes);
    private readonly MemoryPageStore _fresh = new();
    private readonly Dictionary<long, NativeSlice> _changed = [];
    private readonly HashSet<long> _freed = [];
    private MemoryPageStore.Writer? _allocator;
    private long _victim;

    /// <summary>Starts over with one damaged page.</summary>
    internal void Damage(long victim, Random random)
    {
        _allocator?.Dispose();
        _allocator = _fresh.BeginWrite();
        _changed.Clear();
        _freed.Clear();
        _victim = victim;
        ReadOnlySpan<byte> original = pages[victim].Span[..PageHeader.PageSizeInBytes];
        Span<byte> bytes = _guarded.AtEnd(PageHeader.PageSizeInBytes);
        original.CopyTo(bytes);
        do
        {
            DamageBytes(bytes, random);
        }
        while (bytes.SequenceEqual(original));
    }

    public NativeSlice GetPage(long pageNumber)
    {
        if (_freed.Contains(pageNumber))
        {
            throw new StorageCorruptedException("test", pageNumber, "a freed page is read");
        }

        if (pageNumber == _victim)
        {
            Span<byte> bytes = _guarded.AtEnd(PageHeader.PageSizeInBytes);
            return new NativeSlice((byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(bytes)), bytes.Length);
        }

        return _changed.TryGetValue(pageNumber, out NativeSlice page) || pages.TryGetValue(pageNumber, out page)
            ? page
            : throw new StorageCorruptedException("test", pageNumber, "there is no such page");
    }

    public NativeSlice ModifyPage(long pageNumber)
    {
        NativeSlice page = GetPage(pageNumber);
        if (pageNumber == _victim || _changed.ContainsKey(pageNumber))
        {
            return page;
        }

        NativeSlice copy = Allocate(page.Length - PageHeader.SizeInBytes, out _);
        page.Span.CopyTo(copy.WritableSpan);
        _changed.Add(pageNumber, copy);
        return copy;
    }

    public long AllocatePage(PageKind kind, int runLengthBytes, out NativeSlice page)
    {
        page = Allocate(runLengthBytes, out long number);
        ref PageHeader header = ref MemoryMarshal.AsRef<PageHeader>(page.WritableSpan);
        header.Kind = kind;
        header.PageNumber = number;
        header.RunLengthBytes = runLengthBytes;
        _changed.Add(number, page);
        return number;
    }

    public void FreePage(long pageNumber)
    {
        GetPage(pageNumber);
        _freed.Add(pageNumber);
    }

    public void Dispose()
    {
        _allocator?.Dispose();
        _fresh.Dispose();
        _guarded.Dispose();
    }

    private static void DamageBytes(Span<byte> bytes, Random random)
    {
        // The header of the structure and its slots decide most; the rest of the page has its turn too.
        int from = random.Next(3) switch { 0 => 24, 1 => 32, _ => 48 };
        int to = random.Next(4) switch { 0 => 48, 1 => 64, 2 => 400, _ => bytes.Length };
        to = Math.Max(to, from + 8);
        switch (random.Next(6))
        {
            case 0:
                bytes[random.Next(from, to)] ^= (byte)(1 << random.Next(8));
                break;
            case 1:
                int sector = random.Next(bytes.Length / 512) * 512;
                bytes.Slice(sector, 512).Fill((byte)(random.Next(2) * 255));
                break;
            case 2:
                random.NextBytes(bytes[random.Next(from, to)..]);
                break;
            default:
                for (int i = random.Next(1, 5); i > 0; i--)
                {
                    bytes[random.Next(from, to)] = (byte)random.Next(256);
                }

                break;
        }
    }

    private NativeSlice Allocate(int runLengthBytes, out long number)
    {
        // Far from the numbers of the store.
        number = _allocator!.AllocatePage(PageKind.Overflow, runLengthBytes, out NativeSlice page) + 1_000_000;
        return page;
    }
}
