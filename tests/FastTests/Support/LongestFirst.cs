using FastTests.Support;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]

namespace FastTests.Support;

/// <summary>
/// Starts the classes first that take seconds: one of them that came last would have a core for itself while the other
/// has nothing to do. <c>tools/SlowestTests</c> says which they are.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string?[] Classes =
    [
        typeof(Storage.Crash.DiskFaultTests).FullName,
        typeof(Storage.Crash.CrashPointTests).FullName,
        typeof(Tools.KillTests).FullName,
        typeof(Queries.QueryDifferentialTests).FullName,
        typeof(Queries.ValueReferenceTests).FullName,
        typeof(Storage.Crash.DamageTests).FullName,
        typeof(Storage.Trees.StructurePropertyTests).FullName,
        typeof(Documents.DocumentModelTests).FullName,
        typeof(Storage.Transactions.TransactionMergerTests).FullName,
        typeof(Indexing.Static.HostileMapTests).FullName,
        typeof(Storage.Transactions.DirectRunTests).FullName,
        typeof(Queries.IndexStateTests).FullName,
        typeof(Scripting.OracleTests).FullName,
        typeof(Storage.Transactions.FlushTests).FullName,
        typeof(Storage.Trees.DamageTests).FullName,
        typeof(Storage.Trees.FixedTreeTests).FullName,
        typeof(Search.QueryTests).FullName,
        typeof(Scripting.HostileTests).FullName,
        typeof(Storage.Trees.TreeModelTests).FullName,
    ];

    /// <inheritdoc/>
    public IReadOnlyCollection<T> OrderTestCollections<T>(IReadOnlyCollection<T> testCollections)
        where T : ITestCollection => [.. testCollections.OrderBy(collection => RankOf(collection))];

    private static int RankOf(ITestCollection collection)
    {
        int rank = Array.FindIndex(
            Classes, name => collection.TestCollectionDisplayName.EndsWith(" " + name, StringComparison.Ordinal));
        return rank < 0 ? Classes.Length : rank;
    }
}
