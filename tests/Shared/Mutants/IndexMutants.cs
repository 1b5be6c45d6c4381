using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in the indexes.</summary>
internal static class IndexMutants
{
    internal static IReadOnlyList<Mutant> All { get; } =
    [
        // What INDEX-1 rules out: a commit of its own for the position, and for what was written beside the index. The
        // entries and deletions, which are still in memory, go into the next one. An index that goes on behind what it
        // has lost answers otherwise than the documents do.
        new("PositionApartFromData", [IndexCuts], new SourceEdit(
            "src/Search/SegmentsBatch.cs",
            "WriteSegment(); ForgetDimensions(); _index.WriteMeta(",
            """
            WriteTransaction first = Transaction;
            _store.Open(first);
            _store.Meta.Put(IndexNames.PositionKey, position);
            first.Commit();
            first.Dispose();
            _transaction = null;
            WriteSegment();
            ForgetDimensions();
            _index.WriteMeta(
            """)),
    ];
}
