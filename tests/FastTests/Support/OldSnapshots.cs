using Raven.Storage.Trees;

namespace FastTests.Support;

/// <summary>The last few states of a model, to be read again from start to end after every later commit.</summary>
internal sealed class OldSnapshots<TModel>
{
    private const int CountMax = 3;

    private readonly Queue<(MemoryPageStore.Snapshot Pages, StructureRoot Root, TModel Model)> _snapshots = new();

    /// <summary>Keeps a state and forgets the oldest.</summary>
    internal void Add(MemoryPageStore.Snapshot pages, in StructureRoot root, TModel model)
    {
        _snapshots.Enqueue((pages, root, model));
        if (_snapshots.Count > CountMax)
        {
            _snapshots.Dequeue();
        }
    }

    /// <summary>Attaches the structure to each state in turn and compares it with what it was then.</summary>
    internal void ReadAgain<TStructure>(TStructure structure, Action<TStructure, TModel> compare)
        where TStructure : Structure
    {
        foreach ((MemoryPageStore.Snapshot pages, StructureRoot root, TModel model) in _snapshots)
        {
            structure.Attach(pages, root);
            compare(structure, model);
        }
    }
}
