using FastTests.Support;
using Raven.Storage.Checks;
using Raven.Storage.Paging;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>
/// Random transactions on a tree and on a sorted model of it. After each commit the pages are checked, and every
/// snapshot taken so far is read again from start to end.
/// </summary>
/// <param name="seed">Of the random numbers.</param>
/// <param name="call">The call that makes this model: with it a failure says how to replay the run.</param>
internal abstract class SortedTreeModel<TTree, TModel>(int seed, string call)
    where TTree : Structure
{
    private readonly OldSnapshots<TModel> _snapshots = new();

    private protected Random Random { get; } = new(seed);

    private protected abstract TModel Model { get; set; }

    private protected abstract StructureRoot EmptyRoot { get; }

    internal void Run(int transactions, int operationsMax)
    {
        try
        {
            using var store = new MemoryPageStore();
            StructureRoot root = EmptyRoot;
            TTree tree = NewTree();
            for (int i = 0; i < transactions; i++)
            {
                root = RunTransaction(store, tree, root, Random.Next(1, operationsMax));
                _snapshots.ReadAgain(tree, ReadAll);
            }
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException($"{call}.Run({transactions}, {operationsMax}) fails", failure);
        }
    }

    private protected abstract TTree NewTree();

    private protected abstract TModel Copy(TModel model);

    private protected abstract void UseRecentLeaves(TTree tree, bool doesUse);

    private protected abstract void Step(TTree tree);

    private protected abstract void ReadAll(TTree tree, TModel model);

    private protected abstract void Check(IPageReader pages, TTree tree, CheckReport report);

    /// <summary>Runs before the random steps of a transaction.</summary>
    private protected virtual void Begin(TTree tree, IPageReader pages)
    {
    }

    private StructureRoot RunTransaction(MemoryPageStore store, TTree tree, StructureRoot root, int operations)
    {
        TModel before = Copy(Model);
        using MemoryPageStore.Writer writer = store.BeginWrite();
        tree.Attach(writer, root);
        UseRecentLeaves(tree, Random.Next(4) != 0);
        Begin(tree, writer);
        for (int i = 0; i < operations; i++)
        {
            Step(tree);
        }

        var report = new CheckReport();
        Check(writer, tree, report);
        Assert.Empty(report.Findings);
        if (Random.Next(5) == 0)
        {
            // Rolled back: nothing of it may show.
            Model = before;
            writer.Dispose();
            tree.Attach(store.BeginRead(), root);
            ReadAll(tree, Model);
            return root;
        }

        root = tree.Root;
        writer.Commit();
        Assert.Equal(store.NextPage - 1, report.Owners.Count + store.FreePages.Count);
        Assert.DoesNotContain(report.Owners.Keys, store.FreePages.Contains);
        _snapshots.Add(store.BeginRead(), root, Copy(Model));
        return root;
    }
}
