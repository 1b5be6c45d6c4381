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
        typeof(Documents.Series.SeriesModelTests).FullName,
        typeof(Storage.Transactions.TransactionMergerTests).FullName,
        typeof(Storage.Crash.CrashPointTests).FullName,
        typeof(Tools.KillTests).FullName,
        typeof(Architecture.FolderOrderTests).FullName,
        typeof(Indexing.Static.HostileMapTests).FullName,
        typeof(Architecture.TidyTests).FullName,
        typeof(Compression.TextPiecesTests).FullName,
        typeof(Queries.QueryDifferentialTests).FullName,
        typeof(Client.LinqDifferentialTests).FullName,
        typeof(Search.QueryTests).FullName,
        typeof(Indexing.StepLimitTests).FullName,
        typeof(Client.ClientDocTests).FullName,
        typeof(Architecture.WallClockTests).FullName,
        typeof(Server.QueryChangeHttpTests).FullName,
        typeof(Indexing.Static.RedefinitionTests).FullName,
        typeof(Client.SecuredServerTests).FullName,
        typeof(Documents.CompactionTests).FullName,
        typeof(Client.BulkInsertTests).FullName,
        typeof(Queries.AutoIndexTests).FullName,
        typeof(Storage.Crash.DamageTests).FullName,
        typeof(Queries.BusyDatabaseTests).FullName,
        typeof(Queries.ValueReferenceTests).FullName,
        typeof(Scripting.OracleTests).FullName,
        typeof(Storage.Trees.StructurePropertyTests).FullName,
        typeof(Documents.DocumentModelTests).FullName,
        typeof(Storage.Trees.TreeModelTests).FullName,
        typeof(Storage.Trees.FixedTreeTests).FullName,
        typeof(Storage.Trees.DamageTests).FullName,
        typeof(Scripting.HostileTests).FullName,
        typeof(Search.FacetTests).FullName,
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
