using FastTests.Support;
using Raven.Storage.Structures;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

public sealed class CatalogTests
{
    [Fact]
    public void Structures_of_a_saved_catalog_are_found_again()
    {
        using var store = new MemoryPageStore();
        var catalog = new Catalog();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        for (int i = 0; i < 50; i++)
        {
            using MemoryPageStore.Writer writer = store.BeginWrite();
            catalog.Begin(writer, record);
            catalog.OpenOrCreateTree($"tree {i % 7}").Put([(byte)i], [(byte)i]);
            catalog.OpenOrCreateTree("all"u8).Put([(byte)i], "x"u8);
            catalog.Save(record);
            writer.Commit();
            catalog.End();
        }

        catalog = new Catalog();
        catalog.Begin(store.BeginRead(), record);
        Assert.Equal(50, catalog.TryOpenTree("all")!.Count);
        Assert.Equal(8, catalog.TryOpenTree("tree 0"u8)!.Count);
        Assert.Equal(8, catalog.Names.Count);
        Assert.Null(catalog.TryOpenTree("nothing"));
        Assert.Throws<InvalidOperationException>(() => catalog.OpenOrCreateTree("nothing"));
    }

    [Fact]
    public void An_empty_structure_is_kept_by_the_catalog()
    {
        using var store = new MemoryPageStore();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var catalog = new Catalog();
        catalog.Begin(writer, record);
        catalog.OpenOrCreateTree("empty");
        catalog.Save(record);
        catalog.Begin(writer, record);
        Assert.Equal(0, catalog.TryOpenTree("empty")!.Count);
    }

    [Fact]
    public void A_tree_cannot_be_used_after_the_end_of_its_transaction()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var catalog = new Catalog();
        catalog.Begin(writer, new byte[Catalog.RecordSizeInBytes]);
        Tree tree = catalog.OpenOrCreateTree("a");
        tree.Put([1], [1]);
        catalog.End();
        Assert.Throws<InvalidOperationException>(() => tree.Put([1], [1]));
        Assert.Throws<InvalidOperationException>(() => tree.TryGet([1], out _));
    }

    [Fact]
    public void Deleted_structures_give_their_pages_back_and_their_names_are_free()
    {
        using var store = new MemoryPageStore();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var catalog = new Catalog();
        catalog.Begin(writer, record);
        Tree tree = catalog.OpenOrCreateTree("a");
        for (int i = 0; i < 2_000; i++)
        {
            tree.Put(TreeModelTests.Key(i), new byte[i % 100 == 0 ? 20_000 : 100]);
        }

        catalog.Save(record);
        Assert.True(catalog.Delete("a"));
        Assert.False(catalog.Delete("a"));
        Assert.Null(catalog.TryOpenTree("a"));
        Assert.Equal(0, catalog.OpenOrCreateTree("a").Count);
        Assert.True(catalog.Delete("a"u8));
        catalog.Save(record);
        writer.Commit();
        Assert.Empty(store.Committed);
    }

    [Fact]
    public void Opening_a_structure_that_was_opened_before_allocates_nothing()
    {
        using var store = new MemoryPageStore();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var catalog = new Catalog();
        catalog.Begin(writer, record);
        catalog.OpenOrCreateTree("a").Put([1], [1]);
        catalog.Save(record);
        writer.Commit();
        MemoryPageStore.Snapshot snapshot = store.BeginRead();
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                Open(catalog, snapshot, record);
            }
        }));
    }

    private static void Open(Catalog catalog, MemoryPageStore.Snapshot snapshot, byte[] record)
    {
        catalog.Begin(snapshot, record);
        Assert.True(catalog.TryOpenTree("a")!.Contains([1]));
        catalog.End();
    }
}
