using System.Text;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Streams;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Checks;

/// <summary>What a transaction can do wrong, by name, and what the audit says of it.</summary>
internal static class CommitMistakes
{
    /// <summary>The entries of a store so small that every audit looks at all of it, nearly.</summary>
    internal const int Small = 30;

    /// <summary>The entries of one that a transaction changes little of.</summary>
    internal const int Large = 6_000;

    private static readonly TableSchema Schema = new(1, TableKeyPart.Bytes(0));
    private static readonly Lazy<DiskImage> SmallImage = new(() => Fill(Small));
    private static readonly Lazy<DiskImage> LargeImage = new(() => Fill(Large));

    internal static Dictionary<string, (Action<WriteTransaction> Make, string Finding)> All { get; } = new()
    {
        ["a page is freed that a tree still has"] = (
            transaction => transaction.FreePage(FirstLeafOf(transaction, "left")),
            @"page \d+ belongs to left and is free"),
        ["a run is freed that a tree still has"] = (
            transaction => transaction.FreePage(RunOf(transaction, "left")),
            @"page \d+ belongs to left and is free"),
        ["a page is made and belongs to nothing"] = (
            transaction => transaction.AllocatePage(PageKind.Overflow, 10_000, out _),
            @"page \d+ belongs to nothing; page \d+ belongs to nothing"),
        ["a tree forgets its pages"] = (
            transaction => transaction.OpenOrCreateTree("left").Root = StructureRoot.Empty(StructureKind.Tree),
            @"page \d+ belongs to nothing"),
        ["two trees have one root"] = (
            transaction => transaction.OpenOrCreateTree("right").Root = transaction.TryOpenTree("left")!.Root,
            @"page \d+ belongs to (left|right) and to (left|right)"),
        ["a branch refers to another tree's page"] = (
            transaction => SetFirstChild(transaction, "right", FirstLeafOf(transaction, "left")),
            @"page \d+ belongs to (left|right) and to (left|right)"),
        ["a branch refers to a free page"] = (
            transaction => SetFirstChild(transaction, "right", FreePageOf(transaction)),
            @"page \d+ (of right|belongs to right and is free)"),
        ["a branch refers to a page that never was"] = (
            transaction => SetFirstChild(transaction, "right", 1 << 20),
            "page 1048576 of right is outside of the file"),
        ["a separator is wrong"] = (
            transaction => SwapSeparators(transaction, "left"),
            @"left: page \d+ (ends behind the next separator|starts before its separator|has keys 0 and 1)"),
        ["a separator is raised"] = (
            transaction => RaiseSeparator(transaction, "left"),
            @"left: page \d+ starts before its separator"),
        ["keys of a leaf are exchanged"] = (
            transaction => SwapKeys(transaction, "left"), @"left: page \d+ has keys 0 and 1 in the wrong order"),
        ["a count is wrong"] = (
            transaction => transaction.OpenOrCreateTree("left").Root.Count++,
            @"left: the root record says \d+ entries, there are \d+"),
        ["a count of pages is wrong"] = (
            transaction => transaction.OpenOrCreateTree("right").Root.OverflowPages--,
            @"right: the root record says \d+ overflow pages, there are \d+"),
        ["a heap does not count a row"] = (
            transaction => transaction.OpenOrCreateRowHeap("rows"u8).Root.Count--,
            @"rows: the root record says \d+ rows, there are \d+"),
        ["keys of a fixed tree are exchanged"] = (
            transaction => SwapNumbers(transaction), @"numbers: page \d+ has keys 0 and 1 in the wrong order"),
        ["a section counts a row too many"] = (
            transaction => ActiveSection(transaction, "rows"u8)[38]++,
            @"rows: list of pages: page \d+ has \d+ rows, its header says \d+"),
        ["a section counts its garbage wrong"] = (
            transaction => ActiveSection(transaction, "rows"u8)[36]++,
            @"rows: list of pages: page \d+ has \d+ bytes of rows and \d+ of garbage"),
        ["a heap forgets where it has room"] = (
            transaction => transaction.OpenOrCreateRowHeap("rows"u8).Root.ActivePage = 0,
            "rows: the tree of free space is not what the sections have"),
        ["an index of a table lacks a row"] = (
            transaction => transaction.OpenOrCreateTable("table"u8, Schema).Heap.Insert("row"u8),
            @"table: index 0 has \d+ entries for \d+ rows"),
        ["a multi-value tree does not count a value"] = (
            transaction => transaction.OpenOrCreateMultiTree("sets"u8).Root.Count--,
            @"sets: the root record says \d+ values, there are \d+"),
        ["streams are counted longer than they are"] = (
            transaction => transaction.OpenOrCreateStreams("streams"u8).Root.PayloadBytes++,
            @"streams: the root record says \d+ bytes of streams, there are \d+"),
        ["a page is free that was never used"] = (
            transaction => SetFree(transaction, transaction.NextPageNumber, true),
            @"page \d+ is free and was never used"),
        ["a free page is lost"] = (
            transaction => SetFree(transaction, FreePageOf(transaction), false),
            @"\d+ pages are free, \d+ are counted.*page \d+ belongs to nothing"),
    };

    private static long FirstLeafOf(WriteTransaction transaction, string name)
    {
        Tree tree = transaction.TryOpenTree(name)!;
        long page = tree.Root.RootPage;
        for (int level = 1; level < tree.Root.Depth; level++)
        {
            page = TreePage.Open(transaction.GetPage(page), page, PageKind.TreeBranch).Child(0);
        }

        return page;
    }

    /// <summary>The first page of the run that the first value of a tree lies in.</summary>
    internal static long RunOf(WriteTransaction transaction, string name)
    {
        long leaf = FirstLeafOf(transaction, name);
        TreePage page = TreePage.Open(transaction.GetPage(leaf), leaf, PageKind.TreeLeaf);
        _ = page.ValueHeader(0, out int offset);
        return page.OverflowPage(offset, out _);
    }

    private static long FreePageOf(WriteTransaction transaction)
    {
        long page = DataFile.FirstUsablePage;
        while (!FreeSpace.IsFree(transaction, page))
        {
            page++;
        }

        return page;
    }

    private static TreePage RootBranch(WriteTransaction transaction, string name)
    {
        long root = transaction.OpenOrCreateTree(name).Root.RootPage;
        return TreePage.Open(transaction.ModifyPage(root), root, PageKind.TreeBranch);
    }

    private static void SetFirstChild(WriteTransaction transaction, string name, long child)
    {
        TreePage root = RootBranch(transaction, name);
        root.LeftChild = child;
    }

    private static void SwapSeparators(WriteTransaction transaction, string name)
    {
        TreePage root = RootBranch(transaction, name);
        ulong first = root.Slot(0);
        root.SetSlot(0, root.Slot(1));
        root.SetSlot(1, first);
    }

    private static void RaiseSeparator(WriteTransaction transaction, string name)
    {
        TreePage root = RootBranch(transaction, name);
        ulong slot = root.Slot(0);
        root.Bytes[TreePage.KeyOffset(slot) + TreePage.KeyLength(slot) - 1]++;
        root.SetSlot(
            0, TreePage.MakeSlot(TreePage.KeyOffset(slot), TreePage.KeyLength(slot), root.HeadOf(root.Key(0))));
    }

    private static void SwapKeys(WriteTransaction transaction, string name)
    {
        long leaf = FirstLeafOf(transaction, name);
        TreePage page = TreePage.Open(transaction.ModifyPage(leaf), leaf, PageKind.TreeLeaf);
        ulong first = page.Slot(0);
        page.SetSlot(0, page.Slot(1));
        page.SetSlot(1, first);
    }

    /// <summary>A disk with two trees of at least three leaves, one structure of each other kind, and free
    /// pages.</summary>
    internal static SimulatedFileSystem Filled(int size) =>
        new((size == Small ? SmallImage : LargeImage).Value.Share());

    private static DiskImage Fill(int size)
    {
        using var disk = new SimulatedFileSystem();
        var options = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() };
        using (StorageEnvironment environment = StorageEnvironment.Open(options))
        {
            Fill(environment, size);
        }

        return disk.CurrentImage();
    }

    private static void Fill(StorageEnvironment environment, int size)
    {
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            Tree gone = transaction.OpenOrCreateTree("gone");
            for (int i = 0; i < 10; i++)
            {
                gone.Put([(byte)i], new byte[20_000]);
            }

            transaction.Commit();
        }

        using WriteTransaction second = environment.BeginWrite();
        foreach (string name in (string[])["left", "right"])
        {
            Tree tree = second.OpenOrCreateTree(name);
            for (int i = 0; i < size; i++)
            {
                tree.Put(Key(i), new byte[i % 100 == 0 ? 9_000 : size == Small ? 1_000 : 300]);
            }
        }

        RowHeap rows = second.OpenOrCreateRowHeap("rows"u8);
        FixedTree numbers = second.OpenOrCreateFixedTree("numbers"u8, 8);
        MultiTree sets = second.OpenOrCreateMultiTree("sets"u8);
        StreamStore streams = second.OpenOrCreateStreams("streams"u8);
        Table table = second.OpenOrCreateTable("table"u8, Schema);
        for (int i = 0; i < size; i++)
        {
            rows.Insert(new byte[51]);
            numbers.Put(i, i);
            sets.Add([(byte)(i % 3)], Key(i));
            streams.Append([(byte)(i % 5)], Key(i));
            TableRow row = table.Insert(10);
            Key(i).CopyTo(row.Writable(0));
            Assert.True(table.TryComplete(row));
        }

        second.DeleteStructure("gone"u8);
        second.Commit();
    }

    private static byte[] Key(int i) => Encoding.ASCII.GetBytes($"key/{i:D6}");

    private static void SwapNumbers(WriteTransaction transaction)
    {
        FixedTree tree = transaction.OpenOrCreateFixedTree("numbers"u8, 8);
        long leaf = tree.Root.RootPage;
        for (int level = 1; level < tree.Root.Depth; level++)
        {
            leaf = FixedPage.OpenBranch(transaction.GetPage(leaf), leaf).Child(0);
        }

        FixedPage page = FixedPage.OpenLeaf(transaction.ModifyPage(leaf), leaf, 8, FixedPage.LeafCapacity(8));
        long first = page.Key(0);
        page.SetKey(0, page.Key(1));
        page.SetKey(1, first);
    }

    private static Span<byte> ActiveSection(WriteTransaction transaction, ReadOnlySpan<byte> heap) =>
        transaction.ModifyPage(transaction.OpenOrCreateRowHeap(heap).Root.ActivePage).WritableSpan;

    private static void SetFree(WriteTransaction transaction, long page, bool isFree) =>
        FreeSpace.SetBits(
            FreeSpace.WordsOf(transaction.ModifyPage(FreeSpace.PageOfPart(0)).WritableSpan), (int)page, 1, isFree);
}
