namespace Shared.Mutants;

/// <summary>
/// A mistake made in a copy of the sources, to see that the tests catch it: a tester that was never seen to fail proves
/// nothing.
/// </summary>
/// <param name="Name">Says what is wrong.</param>
/// <param name="Checks">Each of these must catch it by itself.</param>
/// <param name="Edits">Make the mistake, all in one project.</param>
internal sealed record Mutant(string Name, MutantCheck[] Checks, params SourceEdit[] Edits)
{
    /// <summary>All mutants, by name.</summary>
    internal static IReadOnlyDictionary<string, Mutant> All { get; } = new[]
        {
            ClusterMutants.All,
            CommitMutants.All,
            DataFileMutants.All,
            FlushMutants.All,
            IndexMutants.All,
            JournalMutants.All,
            RecoveryMutants.All,
            ReplicationMutants.All,
            SnapshotMutants.All,
        }
        .SelectMany(area => area).ToDictionary(mutant => mutant.Name);

    /// <summary>The folder of the project that it changes, from the root of the repository.</summary>
    internal string Project => string.Join('/', Edits[0].File.Split('/')[..2]);
}
